"""What is refused of classes, hooks and what is handed back, by identity."""
from tests.suggestions import rewritten

rewritten("an attribute of a dict is changed", "2.0", """
class Fields(dict):
    def __missing__(self, key):
        return 1.0

    def keep(self, x):
        self["kept"] = x

def f(x):
    d = Fields()
    d.keep(x)
    return d["kept"] * d["scale"]
""")

for make in ("KNOWN = {}\n\ndef f(x, known=None):\n    known = dict(KNOWN)", """
class Known:
    def __init__(self):
        self.items = {}

    def __setitem__(self, key, value):
        self.items[key] = value

    def __getitem__(self, key):
        return self.items[key]

def f(x):
    known = Known()"""):
    for reason in ("a Doubling is a dict of a kind of its own, which cannot be followed",
                   "a Doubling may do anything when an item of it is read or written"):
        rewritten(reason, "2.0", f"""
{make}
    known["x"] = 2.0 * x
    return known["x"]
""")

rewritten("a Pair is a tuple of a kind of its own, which cannot be followed", "2.0", """
import collections

Pair = collections.namedtuple("Pair", "a b")
PAIR = Pair(1.0, [2.0])

def f(x):
    return PAIR[0] * x
""")

rewritten("f: the argument p is of type Scaled, which cannot vary", "Point(2.0, 3.0)", """
from typing import NamedTuple

class Point(NamedTuple):
    x: float
    y: float

def f(p):
    return p.x * p.y
""")

rewritten("a method of a float is called without naming the object", "2.0", """
def f(x, *rest, key=None):
    return x.__mul__(3.0)
""")

rewritten("Body says in __getstate__ how it is copied, which cannot be followed", "2.0", """
class Body:
    def __init__(self, mass):
        self.mass = mass

    def copied(self):
        return Body(2.0 * self.mass)

def f(x, *rest, key=None):
    return Body(x).copied().mass
""")

rewritten("Body says in __deepcopy__ how it is copied, which cannot be followed", "2.0", """
class Body:
    def __init__(self, mass):
        self.mass = mass

    def copied(self):
        return Body(2.0 * self.mass)

def f(x, *rest, key=None):
    return [body.copied() for body in [Body(x)]][0].mass
""")

rewritten("Term.__gt__ gives more than whether it holds", "2.0", """
class Term:
    def __init__(self, value):
        self.value = value

    def above(self, other):
        return self.value - other.value

def f(x, *rest, key=None):
    return Term(x).above(Term(1.0)) * x
""")

rewritten("a number that a comparison or a key is given is kept, and used later", "2.0", """
class Seen:
    last = 0.0

    def __contains__(self, number):
        return True

def f(x, *rest, key=None):
    seen = Seen()
    last = x
    return last if x in seen else 0.0
""")

for scaled, factor in [("", "float(Scaled(2.0))"), ("    __array_ufunc__ = None\n", "Scaled(2.0)")]:
    rewritten("NumPy makes arrays of objects of Scaled", "np.array([1.0, 2.0])", f"""
class Scaled:
{scaled}    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value

    def __rmul__(self, factor):
        return factor * self.value

def f(x, *rest, key=None):
    return (x * {factor})[0]
""")

rewritten("a hook reads what this function changes, or holds in a container of its own",
          "3.0, [1.0]", """
from collections import deque
from tangent_lite import grad_hook

FACTORS = [1.0]

def f(x, w):
    items = deque([x, 2.0 * x])
    w[0] = 2.0
    return grad_hook(items[0], lambda g: g * FACTORS[0])
""")

rewritten("a hook binds a variable of the function around it", "3.0", """
from collections import deque
from tangent_lite import grad_hook

SEEN = []

def f(x):
    items = deque([x, 2.0 * x])
    calls = []
    def count(g):
        calls.append(1)
    return grad_hook(items[0], count) * 1.0
""")

rewritten("an array that a hook watches is changed afterwards", "np.array([1.0, 2.0])", """
from collections import deque
from tangent_lite import grad_hook

def f(x):
    items = deque([x, 2.0 * x])
    items.rotate(1)
    z = grad_hook(items[0].copy(), lambda g: g)
    for item in items:
        item[0] = 1.0
    return np.sum(items[0] * z)
""")

rewritten("what stop_gradient was given, and handed back, is changed afterwards",
          "np.array([1.0, 2.0])", """
from tangent_lite import stop_gradient

def f(x):
    y = x * 2.0
    z = stop_gradient(y.copy())
    y[0] = x[1]
    return np.sum(y * z)
""", expect="(np.array([0.0, 2.0 + 8.0]),)")

rewritten("stop_gradient hands back a Layer that it was given, whose parts have adjoints of their "
          "own",
          "1.0", """
from collections import deque
from tangent_lite import stop_gradient

class Layer:
    def __init__(self, w):
        self.w = w

def f(w):
    layers = deque([Layer(w), Layer(2.0 * w)])
    layers.rotate(1)
    return stop_gradient(layers[0].w) * layers[1].w
""", expect="(2.0,)")

rewritten("layer_of hands back a Layer that holds what it was given", "np.array([1.0, 2.0])", """
from collections import deque
from tangent_lite import custom_derivative

@custom_derivative(adjoint=lambda y, x, by: by[0])
def layer_of(x):
    return (x, 1.0)

def f(w):
    weights = deque([w, 2.0 * w])
    weights.rotate(1)
    return np.sum(layer_of(weights[0])[0])
""")

rewritten("a hook of a list is not followed here", "[1.0, 2.0]", """
from collections import deque
from tangent_lite import grad_hook

def f(xs):
    items = deque(xs)
    items.rotate(1)
    ys = [grad_hook(x, lambda g: g) for x in xs]
    return items[0] * ys[0]
""")

rewritten("a hook changes the first derivative, whose derivative is not followed here", "2.0", """
from collections import deque
from tangent_lite import grad

def inner(x):
    items = deque([x, 2.0 * x])
    items.rotate(1)
    return items[0] * items[1]

def f(x):
    return grad(inner)(x)
""")

rewritten("an object is written into an array, and its class says which number it stands for",
          "2.0", """
class Length:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)

def f(x):
    y = np.zeros(2)
    y[0] = float(Length(x))
    return np.sum(y)
""")
