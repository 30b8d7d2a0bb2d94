"""What is refused where derivatives are found by identity: arrays, containers, functions."""
from tests.suggestions import done, rewritten

rewritten("deque and deque are put together by an operator, which is not handled",
          "np.array([1.0, 2.0])", """
def f(x):
    d = list(x)
    q = d + d
    return q[0] * q[1]
""")

rewritten("the jacobian of a function that names alone do not tell is taken here with respect to "
          "what is no number or array of floats, nor a list, tuple or dict of such that are all "
          "different things, or is given by keyword", "2.0", """
from tangent_lite import grad

def f(x, *rest, key=None):
    return grad(lambda p: p["a"] ** 2)({"a": x})["a"]
""")

rewritten("the jacobian of a function that names alone do not tell is taken here with respect to "
          "several arguments, and the function returns more than one thing", "2.0", """
from tangent_lite import jacobian

def f(x, *rest, key=None):
    return jacobian(lambda a, b: (a * b, a + b), wrt="b")(x, x)[0]
""")

rewritten("the iterator x.flat cannot be followed", "np.array([1.0, 2.0])", """
def f(x, *rest, key=None):
    y = x * 2.0
    y.reshape(-1)[:] = 2.0 * x
    return np.sum(y)
""")

for values in ("np.array([1.0, 2.0, x[0], x[1]])", "x[0]"):
    rewritten("x.flat[key] is given more or fewer values than it has places, or such with axes",
              "np.arange(4.0)", f"""
def f(x, *rest, key=None):
    y = x * 2.0
    y.flat[:] = {values}
    return np.sum(y)
""")

rewritten("the memory x.data cannot be followed", "np.array([1.0, 2.0])", """
def f(x, *rest, key=None):
    y = x * 2.0
    return y[0] * x[1]
""")

rewritten("an array is looked at as one of another type", "np.array([1.0, 2.0])", """
def f(x, *rest, key=None):
    y = x * 2.0
    y.astype(np.int64)[0] = 0
    return np.sum(y)
""")

done("memory of complex128 is looked at as float64 and changes",
     "tl.grad(f)(np.ones(2, complex).view(float).copy())", "[0.0, 0.0, 2.0, 0.0]", """
def f(x, *rest, key=None):
    x[0] = 2.0
    return np.sum(x * x)
""")

rewritten("an array of object cannot be followed", "2.0, np.array([1.0, 3.0])", """
def f(x, things, *rest, key=None):
    return x * things[0]
""")

rewritten("an array of objects holds what varies or changes", "2.0", """
def f(x, *rest, key=None):
    box = [None, None]
    box[0] = x
    return box[0] * x
""")

rewritten("an array with fields holds what varies", "np.array([1.0, 2.0])", """
def f(x):
    table = {"a": np.zeros(2), "b": np.zeros(2)}
    table["a"] = x
    return np.sum(table["a"] * x)
""")

rewritten("Line, which is a tuple, is called by what it is handed to", "2.0", """
from typing import NamedTuple

class Line(NamedTuple):
    slope: float

    def __call__(self, t):
        return self.slope * t

def f(x, *rest, key=None):
    line = Line(x)
    return sum(map(lambda t: line(t), [1.0, 2.0]))
""")

rewritten("iterators are merged", "np.array([1.0, 2.0])", """
import heapq

def f(x, *rest, key=None):
    return sum(heapq.merge([v * v for v in x], [1.0]))
""")

rewritten("np.hypot.at is not handled here", "np.array([1.0, 2.0, 3.0])", """
def f(x, *rest, key=None):
    y = x * 2.0
    values = y[1:].copy()
    for k, place in enumerate([0, 0]):
        y[place] = np.hypot(y[place], values[k])
    return np.sum(y)
""")

rewritten("several outputs are written in place", "np.array([1.2, 2.3])", """
def f(x, *rest, key=None):
    y, z = x * 2.0, x * 3.0
    fraction, whole = np.modf(x)
    y[...] = fraction
    z[...] = whole
    return np.sum(y)
""")

rewritten("the method resize of arrays cannot be followed", "np.array([3.0, 1.0, 2.0])", """
def f(x, *rest, key=None):
    y = x * 2.0
    y = y[:2].copy()
    return np.sum(y[:1])
""")

rewritten("np.vectorize with several results and a signature, or with keywords or excluded "
          "arguments and "
          "one, is not followed", "np.array([1.0, 2.0])", """
def f(x, *rest, key=None):
    same, squares = [], []
    for r in [x]:
        same.append(r)
        squares.append(r * r)
    return np.sum(same) + np.sum(squares)
""")

rewritten("numbers are read from text, bytes or a file, and numbers were written to some before",
          "np.array([1.0, 2.0])", """
def f(x, *rest, key=None):
    kept = x * x
    return np.sum(kept)
""")

rewritten("an array lies in memory that is written to by another name", "np.array([1.0, 2.0])", """
def f(x, *rest, key=None):
    row = np.zeros(2)
    row[0] = x[0]
    return row[0] * x[1]
""")

rewritten("the bounds of this slice may vary", "np.array([1.0, 2.5])", """
def f(x, *rest, key=None):
    return np.sum(np.r_[np.linspace(x[0], 2.0, 5), x])
""")

rewritten("what a type gives for a key that varies is not known", "2.0", """
def doubled(key):
    return 2.0 * key

def f(x, *rest, key=None):
    return doubled(x)
""")

rewritten("permuted draws by what may vary, into an array", "2.0", """
def f(x, *rest, key=None):
    w = np.array([3.0, 1.0, 2.0])
    w[...] = np.random.default_rng(0).permuted(w)
    return w[0] * x
""")

rewritten("pack_into changes what it is given, and cannot be looked into", "2.0, filled()", """
import struct

def filled():
    w = np.array([3, 1, 2])
    struct.pack_into("q", w, 0, 7)
    return w

def f(x, w, *rest, key=None):
    return w[0] * x
""")

rewritten("what this call reads lies where out= writes, and may be written over before it is read",
          "np.array([1.0, 2.0, 3.0])", """
def f(x, *rest, key=None):
    y = x * 2.0
    y[...] = np.concatenate((y[1:], y[:1]))
    return np.sum(y * y * np.arange(3.0))
""")

rewritten("<lambda> is handed to approx_fprime, which cannot be looked into, and reads what may "
          "vary or "
          "change", "np.array([1.0, 2.0, 3.0])", """
def f(x, *rest, key=None):
    a = x[0]
    slopes = []
    for t in np.ones(1):
        slopes.append(((t + 1e-3) * a - t * a) / 1e-3)
    return slopes[0]
""")

rewritten("force is handed to work_grad, and brings along what may vary or change",
          "np.array([1.0, 2.0, 3.0])", """
from tangent_lite import grad

class Spring:
    def __init__(self, k):
        self.k = k

    def force(self, u):
        return -self.k * u

def work(u, spring):
    return u * spring.force(u)

def f(x, *rest, key=None):
    spring = Spring(x[0])
    return grad(work)(x[1], spring)
""")

for reason in ("what this derivative is given is not known before the call, or a function that "
               "reads variables around it",
               "a function that reads variables around it is handed to a derivative, and it has no "
               "derivative with respect to that"):
    rewritten(reason, "2.0, 3.0", """
from tangent_lite import grad

def work(u, force):
    return u * force(u)

def f(k, u):
    def force(v):
        return -k * v
    spring = force
    return grad(lambda v: work(v, spring))(u)
""", wrt=(0, 1))

rewritten("what getsizeof does to its arguments is not known", "2.0", """
class Count:
    def size(self):
        return 48

def f(x, *rest, key=None):
    return x * Count().size()
""")

rewritten("an iterator is used up by what cannot be looked into", "2.0", """
def f(x, *rest, key=None):
    names = set()
    names.update(list(map(str, rest)))
    return x * (1 + len(names))
""")

for reason in ("floats are put into a set, which tells nothing of where they came from",
               "a float is put into a set, which tells nothing of where it came from"):
    rewritten(reason, "2.0", """
def f(x, *rest, key=None):
    seen = [x, 2.0]
    seen.append(x)
    return x * len(seen)
""")

rewritten("floats that are keys are looped over, and a key tells nothing of where it came from",
          "2.0", """
def f(x, *rest, key=None):
    weights = [x, 2.0 * x]
    total = 0.0
    for key in weights:
        total = total + key
    return total
""")

rewritten("an exception keeps numbers other than those that it is made of", "2.0", """
class Doubled(Exception):
    def __init__(self, value):
        self.value = 2.0 * value

def f(x):
    try:
        raise Doubled(x)
    except Doubled as error:
        return error.value
""")

rewritten("args of an exception is changed", "2.0", """
def f(x):
    error = ValueError(x)
    error.squared = x * x
    return error.squared
""")

rewritten("a number that an exception carries cannot be followed", "2.0", """
kept = 3.0

def f(x):
    known = ValueError()
    try:
        raise known
    except ValueError:
        y = kept
    return y * x
""")

rewritten("numbers are added up in a Counter", "2.0", """
import collections

def f(x, *rest, key=None):
    total = collections.defaultdict(float)
    total["a"] += x
    return total["a"]
""")

rewritten("the method most_common of a Counter cannot be followed", "2.0", """
import collections

def f(x, *rest, key=None):
    total = collections.Counter()
    total["a"] = x
    return total["a"]
""")

rewritten("a number is read from a text, into which numbers were written before", "2.0", """
def f(x, *rest, key=None):
    number = x
    return number * x
""")

for kept in ("[0, 0]", "{}", "np.zeros(2)"):
    rewritten("an item of a bytearray is written", "2.0", f"""
def f(x, *rest, key=None):
    names = {kept}
    names[0] = 65
    return x * names[0]
""")

rewritten("an attribute of a class is changed, which lives on after the call", "2.0", """
class Scale:
    factor = 2.0

def f(x, *rest, key=None):
    scale = Scale()
    scale.offset = x
    return scale.offset * x
""")

rewritten("Names is built on a class that is not written in Python", "2.0", """
class Names:
    def __init__(self, items):
        self.items = items

def f(x, *rest, key=None):
    names = Names([x])
    return names.items[0] * x
""")

rewritten("Angle decides what this means", "2.0", """
class Angle(float):
    def __mul__(self, other):
        return float(self) * other % 360.0

TURN = Angle(90.0)

def f(x, *rest, key=None):
    return float(TURN) * x
""")

rewritten("a Point says itself of which class it is, and may be taken for a tuple", "2.0", """
class Point:
    def __init__(self, x):
        self.x = x

def f(x, *rest, key=None):
    return Point(x).x * x
""")

rewritten("the class of Point is no plain class", "2.0", """
class Point:
    def __init__(self, x):
        self.x = x

def f(x, *rest, key=None):
    return Point(x).x * x
""")

rewritten("how a Point comes to be cannot be followed", "2.0", """
class Point:
    def __init__(self, x):
        self.x = x

def f(x, *rest, key=None):
    return Point(x).x * x
""")

rewritten("Open defines __getattribute__, which cannot be followed", "2.0", """
class Open:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

def f(x, *rest, key=None):
    return Open(x).x * x
""")

for read in ("Point.x", "getattr(Point, 'x')"):
    rewritten("__dict__ exposes attributes as a dict", "2.0", f"""
class Point:
    x = 3.0

def f(x, *rest, key=None):
    return {read} * x
""")

rewritten("a function becomes a method of what is no object of a class written in Python", "2.0",
          """
import functools

def squared(v):
    return v * v

def f(x, *rest, key=None):
    return functools.partial(squared, x)()
""")

rewritten("__ne__ is called", "2.0", """
def squared(v):
    return v * v

def f(x, *rest, key=None):
    return x if squared != x else squared(x)
""")

rewritten("known is changed, which lives outside the function", "2.0", """
class Deep(Exception):
    pass

def f(x):
    known = Deep()
    known.x = x
    return known.x * x
""")
