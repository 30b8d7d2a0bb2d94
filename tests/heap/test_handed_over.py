"""Functions that integrators and root finders are given, which read what varies."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.referee import held, world

pytest.importorskip("scipy.integrate")
pytest.importorskip("scipy.optimize")

HEAD = """
import functools
from scipy.integrate import odeint, quad, solve_ivp
from scipy.optimize import brentq, fixed_point, fsolve, newton, root

TIMES = np.linspace(0.0, 1.0, 4)
CLOSE = {"rtol": 1e-9, "atol": 1e-10}

class Decay:
    def __init__(self, rate):
        self.rate = rate
        self.names = ["rate"]

    def rhs(self, y, t):
        return -self.rate * y

    def weight(self, x, power, scale):
        return scale * np.exp(-self.rate * x) * x ** power
"""
NUMBER, VECTOR = "0.7", "np.array([0.5, 1.3, 0.8])"

PROGRAMS = {
    "an equation with a lambda": (NUMBER, """
def f(k):
    return np.sum(odeint(lambda y, t: -k * y, k * k, TIMES) ** 2)
"""),
    "a right side of several statements": (NUMBER, """
def f(k):
    def rhs(y, t):
        rate = -k * y
        return rate * c
    c = 2.0 * k
    return np.sum(odeint(rhs, 1.0, TIMES))
"""),
    "a matrix": (VECTOR, """
def f(x):
    A = np.outer(x, x) - np.eye(3)
    found = solve_ivp(lambda t, y: A @ y, (0.0, 1.0), x, t_eval=[0.5, 1.0], **CLOSE)
    return np.sum(found.y ** 2)
"""),
    "beside arguments": (NUMBER, """
def f(k):
    return np.sum(odeint(lambda y, t, a: -k * y * a, k, TIMES, (k * k,))) \\
        + quad(lambda x, a: np.exp(-k * x) * a, 0.0, k, args=(k,))[0]
"""),
    "integrals with limits that vary": (NUMBER, """
def f(k):
    return quad(lambda x: np.exp(-k * x), 0.0, k)[0]
"""),
    "roots": (NUMBER, """
def f(k):
    return brentq(lambda x: x ** 3 - k, 0.0, 5.0) * newton(lambda x: x ** 3 - k, 1.0) \\
        + fixed_point(lambda z: np.cos(z * k), 0.5)
"""),
    "systems": (VECTOR, """
def f(x):
    return np.sum(fsolve(lambda z: z ** 3 + z - x, np.ones(3))
                  * root(lambda z: z ** 3 + 2.0 * z - x, np.ones(3)).x)
"""),
    "a default": (NUMBER, """
def f(k):
    return quad(lambda x, a=k * k, b=3.0: np.exp(-a * x) * b, 0.0, 1.0)[0]
"""),
    "partials": (NUMBER, """
def rhs(y, t, a, b):
    return -a * y * b

def other(k, y, t):
    return -k * y

def f(k):
    return np.sum(odeint(functools.partial(rhs, b=2.0 * k), 1.0, TIMES, args=(k,))
                  + odeint(functools.partial(other, k), 1.0, TIMES))
"""),
    "methods": (NUMBER, """
def f(k):
    model = Decay(k)
    return np.sum(odeint(model.rhs, 1.0, TIMES)) \\
        + quad(model.weight, 0.0, 1.0, args=(2.0, k))[0]
"""),
    "a partial of a method": (NUMBER, """
def f(k):
    model = Decay(k)
    return quad(functools.partial(model.weight, power=2, scale=k), 0.0, 1.0)[0]
"""),
    "objects and dicts": (NUMBER, """
def f(k):
    model, p = Decay(k), {"a": k, "b": k * k, "name": "decay"}
    return quad(lambda x: np.exp(-model.rate * x), 0.0, 1.0)[0] \\
        + quad(lambda x: np.exp(-p["a"] * x) * p["b"], 0.0, 1.0)[0]
"""),
    "bound anew": (NUMBER, """
def f(k):
    t = k
    for n in range(3):
        t = t + quad(lambda x: np.exp(-t * x) * n, 0.0, 1.0)[0]
    return t
"""),
    "an integral of an integral": (NUMBER, """
def f(k):
    return quad(lambda x: quad(lambda z: np.exp(-k * z * x), 0.0, x)[0], 0.0, 1.0)[0]
"""),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_against_differences(name):
    argument, text = PROGRAMS[name]
    held(HEAD + text, argument, forced=False, rtol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep(4)
def test_second_derivatives(name):
    argument, text = PROGRAMS[name]
    space = world(HEAD + text)
    tl.check_grads(space["f"], (eval(argument, space),), order=2, atol=1e-4, rtol=1e-4)


def test_what_it_is_in_closed_form():
    """y' = -k y from 1: the sum of exp(-k t) over the times."""
    space = world(HEAD + PROGRAMS["an equation with a lambda"][1].replace("k * k", "1.0"))
    k, times = 0.7, np.linspace(0.0, 1.0, 4)
    assert tl.grad(space["f"])(k) == pytest.approx(np.sum(-2.0 * times * np.exp(-2.0 * k * times)),
                                                   rel=1e-6)


@pytest.mark.parametrize("text", [
    "quad(lambda x: g(x) * 2.0, 0.0, 1.0)[0]",                    # a function that captures
    "quad(lambda x: np.exp(-model.rate * x) + len(vars(model)), 0.0, 1.0)[0]",
    "fsolve(lambda z: z - k, 1.0, fprime=lambda z: 1.0)[0]",
])
def test_what_is_not_written_so(text):
    space = world(HEAD + "\ndef f(k):\n    model = Decay(k)\n    def g(x):\n"
                         f"        return np.exp(-k * x)\n    return {text} * model.rate\n")
    with pytest.raises(tl.TangentError):
        tl.grad(space["f"])(0.7)
