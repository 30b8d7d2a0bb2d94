"""Calls, parameters, and functions inside the function."""
from tests.heap.followed import case

case("this use of super() is not handled", "2.0", """
class Spring:
    def energy(self, x):
        return x * x

class Stiff(Spring):
    def energy(self, x):
        parent = super()
        return 2.0 * parent.energy(x)
""", entry="Stiff().energy")

case("what super() means here is not known before the call", "2.0", """
class Spring:
    def energy(self, x):
        return x * x

class Stiff(Spring):
    def energy(self, x):
        return 2.0 * super().strain(x)
""", entry="Stiff().energy", is_failing=True)

case("range is given a new meaning here, and the derivative needs the old one", "2.0, 3", """
class Scale:
    def scaled(self, x, range):
        for i in [1, 2]:
            x = x * (range - i)
        return x

def f(x, n):
    return Scale().scaled(x, n)
""")

case("a function with * or ** parameters is not handled yet", "2.0", """
def f(x, *, power=2, **options):
    return x ** power
""")

case("a call with * or ** is not handled on active values yet", "np.array([1.5, 0.7])", """
def f(x):
    return math.hypot(1.0, *x)
""")

case("how many arguments this passes is not known before the call", "2.0, 3", """
def product(*factors):
    factors += (1.0,)
    return factors[0] * factors[1]

def f(x, n):
    return product(*[x * k for k in range(n)])
""")

case("which function this calls is not known before the call", '2.0, "sin"', """
def f(x, name):
    return getattr(math, name)(x)
""")

case("append is handed on as a function here, and what it changes is not seen where it is called",
     "2.0", """
def f(x):
    found = []
    keep = found.append
    for k in range(3):
        kept = keep(x * k)
    return found[1] * found[2]
""")

case("missing a required argument: 'y'", "2.0", """
def product(x, y):
    return x * y

def f(x):
    return product(x)
""", is_failing=True)

case("a container is written as an argument of a helper", "2.0", """
def product(pair):
    return pair[0] * pair[1]

def f(x):
    return product(pair=(x, 2.0 * x))
""")

case("AliasError: smooth writes into its argument a; a helper that changes its arguments is not "
     "handled yet", "np.array([1.5, 0.7, 2.2])", """
def smooth(a, n):
    if n == 0:
        return a[0], a[-1]
    a[1:] = 0.5 * (a[1:] + a[:-1])
    return smooth(a, n - 1)

def f(x):
    y = 2.0 * x
    first, last = smooth(y, 3)
    return np.sum(y * y) + first * last
""")

case("add calls itself, and cannot be written out where it is called", "2.0", """
def f(x):
    total = 0.0
    def add(n):
        nonlocal total
        total = total + n * x
        [add(k) for k in range(n)]
    add(3)
    return total
""")

case("AliasError: look_up reads an array from outside that is written to", "2.0", """
table = np.zeros(3)

def look_up(x, n):
    if n > 0:
        return look_up(x, n - 1)
    table[0] = x
    return np.sum(table)

def f(x):
    return look_up(x, 2)
""")

case("product() has no parameter c", "2.0", """
def f(x):
    def product(a, b):
        return a * b
    return product(x, c=2.0)
""", is_failing=True)

case("a default that is computed inside an expression is not handled", "2.0", """
def f(x):
    y = x * x
    return y if (lambda t, c=x * x: c * t)(y) > 0.0 else x
""")

case("bump binds a global", "2.0", """
COUNT = 1.0

def bump():
    global COUNT
    COUNT += 1.0

def f(COUNT):
    bump()
    return COUNT * COUNT
""")

case("a function that is defined inside is called with *", "2.0", """
def apply(function, *values, **named):
    return function(*values, **named)

def f(x):
    pairs = [2.0, 3.0]
    weighted = lambda a, b: a * b * x
    values = tuple(pairs)
    return weighted(*values)
""")

case("__mul__ is called", "2.0", """
def f(x):
    return x.__mul__(3.0)
""")

case("a derivative of a function defined here is handed on, which is not handled yet", "2.0", """
import tangent_lite as tl

def f(x):
    slope = tl.grad(lambda y: x * y * y)
    return sum(map(slope, [x, 2.0 * x]))
""")

case("a function defined here that calls itself is not handled yet", "2.0", """
import tangent_lite as tl

def f(x):
    def power(y, n):
        return 1.0 if n == 0 else y * x * power(y, n - 1)
    return tl.grad(power)(x, 3)
""")

case("this call of jvp is not handled in a differentiated function", "2.0", """
import tangent_lite as tl

def f(x):
    primals = (x,)
    return tl.jvp(math.sin, primals, (1.0,))[1]
""")

case("AliasError: the derivative reads w, which a call changes", "np.array([1.5, 0.7, 2.0])", """
from scipy import ndimage

def f(x):
    w = np.array([3, 1, 2])
    y = x * w
    ndimage.minimum_filter1d(w, 2, output=w)
    return np.sum(y * w)
""")

case("which function g is, is known only when it runs", "2.0, 3", """
def f(x, n):
    act = lambda v: v
    for _ in range(n):
        act = (lambda g: (lambda v: g(v) * x + 1.0))(act)
    return act(2.0)
""")

case("a loop that may be left early leaves the rest of these items uncomputed",
     "[1.0, 2.0, 4.0, -1.0]", """
def f(xs):
    roots = (math.sqrt(x) for x in xs)
    total = 0.0
    for r in roots:
        total += r
        if r > 1.5:
            break
    return total
""")

case("a set in which `:=` binds a variable is not written out", "np.array([1.0, 2.0, 3.0])", """
def f(xs):
    seen = {(z := round(x)) for x in xs}
    return xs[0] * z * len(seen)
""")

case("__class__ of an object is bound anew", "2.0", """
class Shut:
    def flow(self, x):
        return x

class Open(Shut):
    def flow(self, x):
        return x * x * x

def f(x):
    valve = Shut()
    valve.__class__ = Open
    return valve.flow(x)
""")

case("this calls what may not be bound yet", "2.0, 1", """
def f(x, n):
    def outer(v):
        return inner(v) * v
    if n > 0:
        def inner(v):
            return v * x
    return outer(x)
""")

case("__name__ of a function that is defined inside is not kept", "2.0", """
def f(x):
    def square(v):
        return v * v
    return square(x) * len(square.__name__)
""")

case("an attribute of a function that is defined inside is not kept", "2.0", """
def f(x):
    def square(v):
        return v * v
    return square(x) * getattr(square, "rate", 3.0)
""")
