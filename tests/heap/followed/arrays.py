"""Arrays that are written to."""
from tests.heap.followed import case

case("this use of `out=` is not handled", "np.array([1.5, 0.7, 2.2]), True", """
def f(x, chosen):
    y = np.zeros(3)
    z = np.multiply(x, x, out=y, where=chosen)
    return np.sum(z)
""")

case("AliasError: seen comes from outside and is changed by this call", "2.0", """
class Log(list):
    pass

seen = Log()

def f(x):
    seen.append(x)
    return x * x
""")

case("AliasError: tail may share memory with table, which lives outside the function, and is "
     "written to in place", "2.0", """
table = np.zeros(3)

def f(x):
    tail = table[1:]
    tail[0] = x
    return np.sum(tail) * x
""")

case("AliasError: state is changed, which lives outside the function", "2.0", """
class State:
    def __new__(cls):
        return super().__new__(cls)

state = State()
state.table = np.zeros(3)

def f(x):
    state.table[0] = x
    return np.sum(state.table) * x
""")

case("AliasError: whether v is a view or a copy is known only when the program runs, and it is "
     "bound more than once", "np.array([1.5, 0.7, 2.2])", """
def f(x):
    y = 2.0 * x
    v = y.ravel()
    for i in range(2):
        v[i] = 3.0
        v = y.ravel()
    return np.sum(y * y)
""")

case("AliasError: v may share memory with y, which is written to in place",
     "np.array([1.5, 0.7, 2.2])", """
def f(x):
    y = 2.0 * x
    v = np.einsum("i->i", y)
    v[0] = 2.0
    return np.sum(y * y)
""")

case("AliasError: W may share memory with params, which is written to in place",
     "(np.array([1.5, 0.7, 2.2]), 2.0)", """
def f(params):
    W = params[0]
    W[0] = 2.0 * W[1]
    return np.sum(W)
""")

case("AliasError: f writes into arrays, so that the backward pass runs it again, and this call "
     "must not run twice", "np.array([1.5, 0.7, 2.2])", """
def f(x):
    np.random.seed(0)
    y = x.copy()
    for _ in range(3):
        y[1:] = np.sin(y[1:]) * y[:-1] * np.random.rand()
    return y
""", mode="vjp")

case("AliasError: f writes into arrays, so that the backward pass runs it "
     "again, and this call must not run twice", "np.array([1.5, 0.7, 2.2])", """
def noisy(x):
    return x * np.random.rand()

def f(x):
    np.random.seed(0)
    y = x.copy()
    for _ in range(3):
        y[1:] = noisy(np.sin(y[1:]) * y[:-1])
    return y
""", mode="vjp")

case("AliasError: whether y is a number or an array is not known where it is changed, and x may "
     "be the same array", "np.array([1.5, 0.7, 2.2])", """
def f(x):
    if x[0] > 0.0:
        y = x[0]
    else:
        y = x
    y += x[1]
    return np.sum(y) * x[2]
""")

case("MissingRuleError: no tangent rule for cube", "2.0", """
from tangent_lite import adjoint

def cube(x):
    return x ** 3

@adjoint(cube)
def cube_adjoint(y, x):
    d[x] = 3.0 * x ** 2 * d[y]

def f(x):
    return cube(x)
""", mode="jvp")

case("the body of a try computes an active value, whose tangent may fail where the value does not",
     "2.0", """
def root(x):
    return math.sqrt(x)

def f(x):
    try:
        y = root(x)
    except ValueError:
        y = 2.0 * x
    return y
""", mode="jvp")

case("MissingRuleError: np.lib.stride_tricks.as_strided is not differentiated: it shows memory as "
     "it is told, whatever lies there", "np.array([1.0, 2.0, -3.0, 0.5])", """
def f(x):
    windows = np.lib.stride_tricks.as_strided(x, (3, 2), (8, 8))
    again = np.lib.stride_tricks.as_strided(x * x, shape=(2,), strides=(16,))
    return np.sum(windows ** 3) + np.sum(again * again)
""")
case("AliasError: windows may share memory with w, which is written to in place",
     "np.array([1.0, 2.0, -3.0, 0.5])", """
def f(x):
    w = 2.0 * x
    windows = np.lib.stride_tricks.as_strided(w, (3, 2), (8, 8))
    w[1] = x[0] * x[2]
    return np.sum(windows ** 3)
""")

case("AliasError: what is written to here may be v, and cannot be put back",
     "np.array([0.3, 0.4, 0.5])", """
def f(x):
    if len(x) > 0:
        v = np.array([1.0, 2.0, 3.0])
    total = 0.0
    for i in range(3):
        total += np.sum(x * x * v)
        for j in range(2):
            part = v[j:]
            part[0] = 0.5 * i
    return total
""")
