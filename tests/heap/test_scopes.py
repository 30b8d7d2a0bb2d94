"""Variables of other functions and of the module that definitions, imports, patterns and handlers
bind: `nonlocal g`, then `def g`."""
import contextlib

import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import world

# Each is differentiated in a module that is made anew: it binds globals.
PROGRAMS = {
    "a function inside": '''
def f(x):
    g = math.sin
    def bind():
        nonlocal g
        def g(a):
            return a * a * x
    bind()
    return g(x)
''',
    "a function that binds itself anew": '''
def f(x):
    g = None
    def bind():
        nonlocal g
        def g(a):
            nonlocal g
            g = lambda b: b * 3.0
            return a * x
        return g(2.0)
    return bind() * g(x)
''',
    "two functions deep": '''
def f(x):
    g = None
    def bind():
        def deep():
            nonlocal g
            def g(a):
                return a * x
        deep()
        return g(2.0)
    return bind() * g(x)
''',
    "an import": '''
def f(x):
    g = math.sin
    def bind():
        nonlocal g
        from math import cos as g
    bind()
    return g(x)
''',
    "an exception": '''
def f(x):
    e = x
    def bind():
        nonlocal e
        try:
            raise ValueError(x * x)
        except ValueError as e:
            k = e.args[0] * 2.0
        return k
    return bind() * x
''',
    "a walrus": '''
def f(x):
    k = 2.0
    def bind():
        nonlocal k
        [(k := q * x) for q in (1.0, x)]
        return k if (k := k * x) > 1.0 else x
    return bind() * k * x
''',
    "a function around": '''
def make():
    def g(a): return a * 3.0
    def helper(x): return g(x)
    def f(x):
        def bind():
            nonlocal g
            def g(a): return a * a
        bind()
        return helper(x)
    return f

f = make()
''',
    "a function of the module": '''
def g(a): return a * 3.0
def helper(x): return g(x)

def f(x):
    global g
    y = helper(x)
    def g(a): return a * a
    return y * helper(x)
''',
    "a function of the module, inside": '''
def g(a): return a * 3.0
def helper(x): return g(x)

def f(x):
    def bind():
        global g
        def g(a): return a * a
    bind()
    return helper(x)
''',
    "a name of the module": '''
q = math.sin
def helper(x): return q(x)

def f(x):
    global q
    q = math.cos
    return helper(x)
''',
    "a class of the module": '''
class C: k = 2.0
def helper(x): return x * C.k

def f(x):
    global C
    class C: k = 3.0
    return helper(x)
''',
    "a pattern": '''
e = 2.0
def helper(x): return x * e

def f(x):
    global e
    match x:
        case e: pass
    return helper(x)
''',
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=list(PROGRAMS))
def test_bound_elsewhere(text):
    value, above, below = (world(text)["f"](x) for x in (1.3, 1.3 + 1e-6, 1.3 - 1e-6))
    slope = (above - below) / 2e-6
    for strategy in (contextlib.nullcontext(), by_identity()):
        with strategy:
            found = tl.value_and_grad(world(text)["f"])(1.3)
            forward = tl.jvp(world(text)["f"], (1.3,), (1.0,))
        assert found[0] == forward[0] == value
        assert found[1] == pytest.approx(slope, rel=1e-6)
        assert forward[1] == pytest.approx(slope, rel=1e-6)
