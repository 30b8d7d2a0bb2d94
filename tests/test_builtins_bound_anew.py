"""Names of builtins that mean something else: no call of them is written out as the builtin's."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import world

X = np.array([0.83, 1.27, 0.46])
PROGRAMS = {
    "zip as a variable": """
def f(x):
    zip = lambda a, b: [(a[0], b[1])]
    return sum([u * v for u, v in zip((x[0], x[1]), (x[2], x[1]))])
""", "zip over a tuple": """
def f(x):
    zip = lambda a, b: [(a[0], b[1])]
    return sum(tuple(u * v for u, v in zip((x[0], x[1]), (x[2], x[1]))))
""", "enumerate as a function inside": """
def f(x):
    def enumerate(s):
        return [(5.0, v) for v in s]
    t = 0.0
    for i, v in enumerate((x[0], x[1])):
        t = t + i * v
    return t
""", "reversed as a function inside": """
def f(x):
    def reversed(s):
        return s
    t = 0.0
    for v in reversed([x[0], x[1]]):
        t = t * 2.0 + v * x[0]
    return t
""", "any as a variable": """
def f(x):
    any = lambda g: [v * 2.0 for v in g][0]
    return any([v * v for v in x]) * 1.0
""", "range of the module": """
def range(n):
    return [5.0, 7.0]
def f(x):
    t = 0.0
    for k in range(2):
        t = t + k * x[0]
    return t
""", "zip of the module, in a helper": """
def zip(a, b):
    return [(a[0], b[1])]
def g(a, b):
    t = 0.0
    for u, v in zip(a, b):
        t = t + u * v
    return t
def f(x):
    return g((x[0], x[1]), (x[2], x[1]))
""", "any of NumPy": """
from numpy import all, any
def f(x):
    return x[0] * x[1] if any(x > 1.0) and not all(x > 1.0) else x[2]
"""}


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name):
    f = world(PROGRAMS[name])["f"]
    want = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    gradient = tl.grad(f)
    np.testing.assert_allclose(gradient(X), want, rtol=1e-6, atol=1e-8)
    assert gradient._latest.by_identity == (name != "any of NumPy")
    np.testing.assert_allclose(tl.jvp(f, (X,), (np.ones(3),))[1], np.sum(want), rtol=1e-6)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(X), want, rtol=1e-6, atol=1e-8)


def test_names_of_parameters_may_be_those_of_the_tape():
    f = world("""
def g(self, function, tape=1.0, name=2.0):
    return self * function * tape * name
def f(x):
    return g(self=x[0], function=x[1], name=x[2]) + dict(self=x[0], function=2.0)["self"]
""")["f"]
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(X), [X[1] * X[2] + 1.0, X[0] * X[2], X[0] * X[1]])
