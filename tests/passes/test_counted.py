"""Names that loops count with, and that hold what varies where a loop takes no step."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.emit import emit
from tangent_lite.passes.counted import counted
from tests.heap.forced import by_identity


def again(x, n):
    t = x * 2.0
    for t in range(n):
        x = x * 0.5 + t
    return x * t


def left_early(x, n):
    t = x * 2.0
    for t in range(n):
        if t == 2:
            break
        x = x * 0.5 * t
    return x * t


def numbered(x, n):
    i = x * 3.0
    for i, k in enumerate([2.0, 3.0, 4.0][:n]):
        x = x * 0.5 + k * i
    return x * i


def inner(x, n):
    y, i = x, 1.0
    for _ in range(2):
        for i in range(n):
            y = y * 0.5 + i
        i = i * x
        y = y + i
    return y * i


def twice(x, n):
    t = x * 2.0
    for t in range(n):
        for t in range(2):
            x = x * t + x
        x = x + t
    return x * t


def read_inside(x, n):
    t = x * x

    def product(y):
        return y * t
    for t in range(n):
        x = x + 0.5
    return product(x)


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("f", [again, left_early, numbered, inner, twice, read_inside],
                         ids=lambda f: f.__name__)
def test_derivatives(f, n):
    x, h = 1.3, 1e-4
    slope = (f(x + h, n) - f(x - h, n)) / (2.0 * h)
    bend = (f(x + h, n) - 2.0 * f(x, n) + f(x - h, n)) / h ** 2
    for _ in range(2):
        value, found = tl.value_and_grad(f)(x, n)
        assert value == f(x, n)
        np.testing.assert_allclose(found, slope, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(tl.jvp(f, (x, n), (1.0, None))[1], slope, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(tl.hessian(f)(x, n), bend, rtol=1e-5, atol=1e-5)
        if f is numbered:
            break
        with by_identity():
            np.testing.assert_allclose(tl.grad(f)(x, n), slope, rtol=1e-6, atol=1e-6)


LEFT = ["""
def f(x, n):
    i = 0
    for i in range(n):
        x = x * i
    return x * i
""", """
def f(x, n):
    i = np.argmin(x)
    y = x[i]
    for i in range(n):
        y = y * i
    return y
"""]


@pytest.mark.parametrize("text", LEFT)
def test_most_loops_stay_as_they_are(text):
    tree = gast.parse(text).body[0]
    assert emit(counted(tree)) == emit(gast.parse(text).body[0])
