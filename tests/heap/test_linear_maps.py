"""vjp and linearize in differentiated functions: Gauss-Newton products, implicit layers."""
import re

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.referee import held, world

HEAD = """
import functools
from tangent_lite import grad, jvp, linearize, vjp

def residuals(p):
    return np.array([p[0] * p[1] - 1.0, p[1] ** 2 + p[0], p[2] * p[0] + p[2] ** 3])

class Layer:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return np.tanh(self.weight * x)

    def apply(self, x, power=2):
        return self.weight ** power * x
"""

VECTOR = "np.array([0.5, 1.3, 0.8])"

PROGRAMS = {
    "a Gauss-Newton product": (VECTOR, """
def f(p):
    v = np.array([1.0, 2.0, 3.0])
    _, along = jvp(residuals, (p,), (v,))
    _, pullback = vjp(residuals, p)
    return pullback(along)[0] @ v
"""),
    "steps of conjugate gradients": (VECTOR, """
def solved(product, b, n):
    x, r, d = b * 0.0, b, b
    for _ in range(n):
        product_d = product(d)
        a = (r @ r) / (d @ product_d)
        x, new = x + a * d, r - a * product_d
        r, d = new, new + (new @ new) / (r @ r) * d
    return x

def f(p):
    r, pullback = vjp(residuals, p)
    def product(v):
        return pullback(jvp(residuals, (p,), (v,))[1])[0] + 0.1 * v
    return np.sum((p - solved(product, pullback(r)[0], 3)) ** 2)
"""),
    "a fixed point and its adjoint": ("0.7", """
def step(a, z):
    return np.tanh(a * z + 0.3)

def f(a):
    z = a
    for _ in range(40):
        z = step(a, z)
    _, pullback = vjp(step, a, z)
    w = 1.0
    for _ in range(30):
        w = 1.0 + pullback(w)[1]
    return pullback(w)[0]
"""),
    "linearized and pulled back": (VECTOR, """
def f(p):
    y, along = linearize(residuals, p)
    _, pullback = vjp(residuals, p)
    return np.sum(pullback(along(np.ones(3)) * y)[0])
"""),
    "the argument changes afterwards": (VECTOR, """
def f(x):
    a = x * 2.0
    y, pullback = vjp(lambda v: v ** 3, a)
    _, along = linearize(lambda v: v ** 3, a)
    a[0] = 7.0
    a *= x
    return np.sum(pullback(a)[0] * y + along(x))
"""),
    "what is captured": ("0.7", """
def f(x):
    c = x * 2.0
    y, pullback = vjp(lambda v: v ** 2 * c, x)
    return pullback(y)[0] * c
"""),
    "containers in and out": ("0.7", """
def f(x):
    def model(p, k):
        return {"s": p["a"] ** 2 * p["b"][0], "t": (p["b"][1] * k,)}
    y, pullback = vjp(model, {"a": x, "b": [x * x, 2.0]}, 3)
    g, of_int = pullback({"s": y["t"][0], "t": (x,)})
    return g["a"] * g["b"][0] + g["b"][1] * (of_int is None)
"""),
    "with respect to names": (VECTOR, """
def f(x):
    def g(a, b):
        return a * b ** 2
    y, pullback = vjp(g, x, x * 2.0, wrt="b")
    _, both = vjp(g, x, x * 2.0, wrt=("b", 0))
    b, a = both(pullback(y))
    return np.sum(a * b)
"""),
    "a method, and an attribute": (VECTOR, """
def f(x):
    layer = Layer(x)
    y, pullback = vjp(layer.apply, x * 2.0, wrt="self.weight")
    _, other = vjp(layer.apply, x * 2.0, wrt="x")
    return np.sum(pullback(other(y)) * y)
"""),
    "an object that is called": (VECTOR, """
shared = Layer(1.5)

def f(x):
    own = Layer(x)
    y, pullback = vjp(own, x * 2.0)
    z, outer = vjp(shared, y)
    return np.sum(pullback(outer(z)[0])[0])
"""),
    "partials": ("0.7", """
def f(x):
    y, pullback = vjp(functools.partial(lambda a, b: a * b ** 2, x), x * 2.0)
    _, along = linearize(functools.partial(lambda a, b: a * b ** 2, x), x)
    return pullback(y)[0] * along(x)
"""),
    "defaults and keywords": ("0.7", """
def f(x):
    def g(a, b=x * x, *, c=2.0):
        return a ** 2 * b * c
    _, pullback = vjp(g, x, c=x, wrt=("a", "b", "c"))
    a, b, c = pullback(1.0)
    return a * b * c
"""),
    "one cotangent per primal": ("0.7", """
def f(x):
    def g(a, b=x * x, *, c=2.0):
        return a ** 2 * b * c
    _, pullback = vjp(g, x, c=x)
    a, = pullback(1.0)
    return a * a
"""),
    "any number of arguments": ("0.7", """
def f(x):
    def g(*a):
        return a[0] * a[1] ** 2
    _, pullback = vjp(g, x, x * 2.0)
    g, h = pullback(x)
    return g * h
"""),
    "pullbacks in a list": ("0.7", """
def f(x):
    pullbacks = []
    for k in range(1, 4):
        pullbacks.append(vjp(lambda a, k: a ** k, x, k)[1])
    t = 1.0
    for pullback in pullbacks:
        t = t * pullback(x)[0]
    return t
"""),
    "a pullback that another function returns": (VECTOR, """
def made(x):
    return vjp(residuals, x)[1]

def f(x):
    pullback = made(x)
    return np.sum(np.stack([pullback(e)[0] for e in np.eye(3)]) ** 2)
"""),
    "the function writes": (VECTOR, """
def written(a):
    a[0] = a[1] * a[2]
    b = a * 1.0
    b[2] = b[0] * a[0]
    return b

def f(x):
    a = x * 1.0
    y, pullback = vjp(written, a)
    return np.sum(pullback(x)[0] * a * y)
"""),
    "nothing varies in it": (VECTOR, """
def f(x):
    y, pullback = vjp(lambda a: a ** 3, np.arange(3.0))
    z, along = linearize(lambda a, n: a ** n, np.arange(3.0), 2)
    return np.sum(pullback(x)[0] * along(x, None) + y + z)
"""),
    "only some tangents": (VECTOR, """
def f(x):
    y, along = linearize(lambda a, b, n: a * b ** n, x, x * 2.0, 2)
    return np.sum(along(x, None, None) * y + along(None, y, None))
"""),
    "within each other": ("0.7", """
def f(x):
    def inner(a):
        _, pullback = vjp(lambda b: b ** 3 * a, a)
        return pullback(1.0)[0] * grad(lambda b: b ** 4)(a)
    y, pullback = vjp(inner, x)
    return pullback(y)[0] * linearize(inner, x)[1](y)
"""),
    "what the function changes is none of ours": ("0.7", """
def f(x):
    ran = [x]
    def g(a):
        ran.append(a)
        return a ** 3 * len(ran)
    _, pullback = vjp(g, x)
    return pullback(1.0)[0] * pullback(x)[0] * len(ran) * ran[-1]
"""),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep(2)
def test_against_differences(name):
    argument, text = PROGRAMS[name]
    held(HEAD + text, argument, forced=False)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep(4)
def test_second_derivatives(name):
    argument, text = PROGRAMS[name]
    space = world(HEAD + text)
    tl.check_grads(space["f"], (eval(argument, space),), order=2)


def test_what_is_bound_anew_afterwards():
    """The map belongs to the run that gave the value."""
    def f(x):
        c = x * 2.0
        _, pullback = tl.vjp(lambda v: v ** 2 * c, x)
        _, along = tl.linearize(lambda v: v ** 2 * c, x)
        c = c * 5.0
        return pullback(1.0)[0] * along(1.0) * c
    # (2x * 2x) ** 2 * 10x
    assert tl.grad(f)(0.7) == pytest.approx(800.0 * 0.7 ** 4)


def test_complex_numbers():
    def f(x):
        y, pullback = tl.vjp(lambda z: z * z, x * (1.0 + 2.0j))
        return np.abs(pullback(np.conj(y))[0]) ** 2
    # |conj(z * z) * 2 z| ** 2 with |z| = sqrt(5) x
    assert tl.grad(f)(0.7) == pytest.approx(4.0 * 125.0 * 6.0 * 0.7 ** 5)


def test_random_draws():
    def f(x, rng):
        y, pullback = tl.vjp(lambda a: a ** 2 * rng.normal(), x)
        return pullback(y)[0] * y
    drawn = np.random.default_rng(3).normal()
    found = tl.grad(f)(0.7, np.random.default_rng(3))
    assert found == pytest.approx(2.0 * 5.0 * 0.7 ** 4 * drawn ** 3)


def test_float32():
    def f(x):
        y, pullback = tl.vjp(np.sin, x)
        return np.sum(pullback(y)[0])
    x = np.array([0.5, 1.3], np.float32)
    found = tl.grad(f)(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.cos(2.0 * x), rtol=1e-6)


@pytest.mark.parametrize(("call", "message"), [
    ("vjp(f, x)[1](1.0, 2.0)", "takes one cotangent"),
    ("linearize(f, x)[1](1.0, 2.0)", "takes 1 tangents, not 2"),
    ("vjp(f, x)[1](np.ones(3))", ":6: the cotangent has shape (3,)"),
])
def test_wrong_calls(call, message):
    space = world("from tangent_lite import linearize, vjp\ndef f(x):\n    return x * x\n\n"
                  f"def g(x):\n    return {call} * 1.0\n", "model")
    with pytest.raises((TypeError, ValueError, tl.TangentError), match=re.escape(message)):
        tl.grad(space["g"])(2.0)
