"""Statements: with, try, del, imports, names from outside."""
from tests.heap.followed import case

case("an import inside a differentiated function is not handled", "2.0", """
def f(x):
    if x > 0.0:
        import math
    return math.sin(x)
""")

case("a global cannot be bound in a differentiated function", "2.0", """
calls = 0

def f(x):
    global calls
    def calls(v): return v * x
    return calls(x)
""")

case("an outer variable cannot be bound in a differentiated function", "2.0", """
def outer():
    total = 0.0
    def f(x):
        nonlocal total
        def total(): return x * x
        return total() * x
    return f
""", entry="outer()")

case("what this context manager changes, or whether it hides exceptions, is not known", "2.0", """
scale = 1.0

class Scaled:
    def __enter__(self):
        global scale
        scale = 3.0

    def __exit__(self, *what):
        global scale
        scale = 1.0

def f(x):
    with Scaled():
        y = scale * x
    return y
""")

case("what is set back behind this block would not be, where an exception leaves it that a `try` "
     "handles", "2.0", """
import contextlib

class Pendulum:
    def __init__(self, length):
        self.length, self.damped = length, False

@contextlib.contextmanager
def damped(pendulum):
    pendulum.damped = True
    try:
        yield pendulum
    finally:
        pendulum.damped = False

def rate(pendulum, x):
    with damped(pendulum):
        return math.sqrt(pendulum.length - x * x)

def f(x):
    pendulum = Pendulum(x)
    try:
        y = rate(pendulum, x)
    except ValueError:
        y = 3.0 * x if pendulum.damped else 2.0 * x
    return y
""")

case("what a context manager hands out here depends on an active value", "2.0", """
import contextlib

def f(x):
    with contextlib.closing(x * x) as y:
        z = 2.0 * y
    return z
""", is_failing=True)

case("AliasError: what a context manager hands out is written to, and others may hold it",
     "2.0", """
import os

def f(x):
    with open(os.devnull) as y:
        y[0] = 1.0
    return x
""", is_failing=True)

case("what contextlib.suppress hands out is not handled", "2.0", """
import contextlib

def f(x):
    with contextlib.suppress(ValueError) as y:
        x = math.sqrt(x)
    return x
""")

case("AliasError: squares writes into arrays, so that the backward pass runs it again, and this "
     "context must not be entered twice", "np.array([1.5, 0.7])", """
import threading

lock = threading.Lock()

def squares(x):
    y = x.copy()
    for _ in range(3):
        with lock:
            y[0] = np.sin(y[0]) * y[1]
    return y

def f(x):
    return np.sum(squares(x))
""")

case("this try block may be left halfway: an array or a container is written to here, and "
     "something behind it may fail", "2.0", """
def f(x):
    y = np.zeros(2)
    try:
        y[0] = x
        y[1] = math.sqrt(x)
    except ValueError:
        pass
    return np.sum(y)
""")

case("the body of a try computes an active value, whose tangent may fail where the value does not",
     "2.0", """
def root(x):
    return math.sqrt(x)

def f(x):
    try:
        y = root(x)
    except ValueError:
        y = 0.0
    return y
""", mode="jvp")

case("this name may have been deleted before", "2.0, False", """
def f(x, early):
    y = x * x
    if early:
        del x
    return x * y
""")

case("AliasError: options comes from outside, and a part of it is deleted here", "2.0", """
options = {"a": 1.0, "b": 2.0}

def f(x):
    del options["a"]
    return x * options["b"]
""")

case("deleting from a container of active values is not handled yet", "2.0", """
def f(x):
    parts = [x, 2.0 * x, 3.0 * x]
    del parts[0:2]
    return parts[0]
""")

case("an attribute is deleted, which is not handled yet", "SimpleNamespace(x=2.0)", """
def f(p):
    y = p.x * 2.0
    del p.x
    return y

from types import SimpleNamespace
""")

case("k is bound anew while an iterator that reads it is looped over",
     "np.array([1.5, 0.7, 2.2]), 2.0", """
def f(x, k):
    total = 0.0
    scaled = (w * k for w in x)
    for v in scaled:
        total = total + v
        k = k + 1.0
    return total
""")

case("only ranges, arrays, lists and tuples can be looped over", "np.array([1.5, 0.7, 2.2])", """
import itertools

def f(x):
    return sum(v * k for v, k in zip(x, itertools.count(1.0, 0.5)))
""")

case("StopIteration ends the iterator that calls this", "np.array([1.5, 0.7, 2.2])", """
def first_over(x, limit):
    return next(v for v in x if v > limit)

def f(x):
    return sum(map(lambda limit: first_over(x, limit), [0.1, 1.0, 5.0, 0.1])) * x[0]
""")

case("a generator that is kept computes its items later", "np.array([1.5, 0.7, 2.2]), 2.0", """
def f(x, k):
    scaled = (k * v for v in x)
    k = 3.0
    return sum(scaled) * k
""")

case("a generator that is handed on may be gone through more than once",
     "np.array([1.5, 0.7, 2.2])", """
def twice(items):
    return sum(items) + 2.0 * sum(items)

def f(x):
    return twice(v * v for v in x)
""")

case("whether a name is bound is tried out here", "2.0", """
def f(x):
    try:
        unicode
        y = x
    except NameError:
        y = x * x
    return y
""")

case("whether a name is bound is tried out here", "2.0", """
def f(x):
    total = x
    for k in range(3):
        try:
            kept = kept * x + k
        except UnboundLocalError:
            kept = x
        total = total + kept
    return total
""")
