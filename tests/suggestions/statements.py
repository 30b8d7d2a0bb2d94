"""Statements, names, and functions inside the function."""
from tests.suggestions import done, rewritten

rewritten("a generator cannot be differentiated", "2.0", """
def f(x):
    values = []
    values.append(x * x)
    return sum(values)
""")

for call, gives in [("tl.jacobian(f)(2.0)", "[4.0]"), ("tl.vjp(f, 2.0)[1]([1.0])[0]", "4.0")]:
    done("a generator cannot be differentiated", call, gives, """
def f(x):
    values = []
    values.append(x * x)
    return values
""")

rewritten("a coroutine cannot be differentiated", "2.0", """
def f(x):
    return x * x
""")

rewritten("a class cannot be defined in a differentiated function", "2.0", """
class Point:
    pass

def f(x):
    return x * x
""")

rewritten("an attribute of a class that is defined here may vary", "2.0", """
def f(x):
    class Scaled:
        def __init__(self):
            self.factor = x * 2.0
    return x * Scaled().factor
""")

rewritten("a class that is defined here has more than methods and constants", "2.0", """
class Scaled:
    for factor in range(3):
        pass

def f(x):
    return x * Scaled.factor
""")

rewritten("an exit in `finally` hides exceptions", "2.0", """
def f(x):
    for _ in range(3):
        try:
            x = x * x
        finally:
            pass
        break
    return x
""")

rewritten("side is a property, which a pattern would ask several times", "2.0, Square()", """
class Square:
    @property
    def side(self):
        return 2.0

def f(x, shape):
    if isinstance(shape, Square):
        s = shape.side
        return s * x
    return x
""")

rewritten("Square takes fewer positional patterns", "2.0, Square(2.0)", """
class Square:
    def __init__(self, side):
        self.side = side

def f(x, shape):
    match shape:
        case Square(side=s):
            return s * x
    return x
""")

rewritten("which class this pattern names is not known", "2.0, 'square'", """
def f(x, shape):
    match shape:
        case str():
            return 2.0 * x
    return x
""")

rewritten("isinstance has another meaning here, and patterns need the old one", "2.0, 'square'", """
def f(x, shape):
    factor = 2.0
    match shape:
        case str():
            return factor * x
    return x
""")

rewritten("floats are put into a set, which tells nothing of where they came from", "2.0", """
def f(x):
    total = 0.0
    for scale in [2.0, 3.0]:
        total = total + scale * x
    return total
""")

for reason, expression in [
        ("text that is evaluated at run time cannot be differentiated", "x * x"),
        ("text that is executed at run time cannot be differentiated", "x"),
        ("locals() exposes variables by name", "x * x"),
        ("globals() exposes variables", "SCALE * x"),
        ("vars() exposes variables by name", "x * 3.0")]:
    rewritten(reason, "2.0", f"""
SCALE = 2.0

def f(x):
    return {expression}
""")

rewritten("__defaults__ exposes what functions know by other names", "2.0", """
def scaled(x, rate=2.0):
    return x * rate

def f(x, rate=2.0):
    return rate * x
""")

rewritten("currentframe tells who calls it, which is the derivative", "2.0", """
def f(x):
    return len("f") * x
""")

done("f has no source text: it was made by exec or eval, by another program or at the plain "
     "interactive prompt (<string>)", "tl.grad(space['f'])(2.0)", "4.0", """
import linecache
text = "def f(x): return x * x"
linecache.cache["<made>"] = (len(text), None, text.splitlines(True), "<made>")
space = {}
exec(compile(text, "<made>", "exec"), space)
""")

rewritten("a function of several statements is handed on to what cannot be looked into", "2.0", """
def f(x):
    def step(t):
        if t > 1.0:
            t = 2.0 * t
        return t * x
    slopes = []
    for t in np.ones(1):
        slopes.append((step(t + 1e-3) - step(t)) / 1e-3)
    return slopes[0]
""")

rewritten("a function that is handed on reads a, which is bound several times", "2.0", """
def f(x):
    a = x
    for i in range(2):
        a = a * x
    slopes = []
    for t in np.ones(1):
        slopes.append(((t + 1e-3) * a - t * a) / 1e-3)
    return slopes[0]
""")

rewritten("scaled_grad reads what may vary or change, and cannot be looked into here", "2.0", """
from tangent_lite import grad

def scaled(y, x, c=1.0):
    return c * x * y * y

def f(x):
    return grad(scaled)(x, x)
""")

rewritten("a default that reads what a call in the same statement may bind anew is not handled",
          "2.0", """
def f(x):
    c = x * 1.0
    def double():
        nonlocal c
        c = c * 2.0
        return c
    times = lambda v, k=c: v * k
    return times(double())
""")
