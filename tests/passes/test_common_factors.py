"""Numbers that both terms of a sum are multiplied by are multiplied once."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def logistic_map(r: float, x: float, n: int):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def garch(r: float, x: float, n: int):
    s, total = 0.5, 0.0
    for _ in range(n):
        total = total - 0.5 * (math.log(s) + x * x / s)
        s = 0.1 + r * x * x + 0.3 * s
    return total


def moving_average(r: float, x: float, n: int):
    s = x
    for k in range(n):
        s = r * x * k + (1.0 - r) * s
    return s * s


def bound_anew(r: float, x: float, n: int):
    for _ in range(n):
        y = r * x
        x = y * x - y * r
        r = y * (1.0 - y) * r
        y = x * y - x * r
        x = x + y
    return x * r


def signs(r: float, x: float, n: int):
    for _ in range(n):
        x = -r * x - x * math.sin(r) * r
        r = -(x * r) + r * x * x
    return r - x


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("fun", [logistic_map, garch, moving_average, bound_anew, signs],
                         ids=lambda f: f.__name__)
def test_by_differences(fun, n):
    h = 1e-6
    wanted = [(fun(0.9 + h * (k == 0), 0.4 + h * (k == 1), n)
               - fun(0.9 - h * (k == 0), 0.4 - h * (k == 1), n)) / (2.0 * h) for k in range(2)]
    assert np.allclose(tl.grad(fun, wrt=(0, 1))(0.9, 0.4, n), wanted, rtol=1e-7, atol=1e-9)
    value, pullback = tl.vjp(fun, 0.9, 0.4, n)
    assert value == fun(0.9, 0.4, n)                # the value is the function's own
    assert np.allclose(pullback(1.0)[:2], wanted, rtol=1e-7, atol=1e-9)


def test_the_text():
    text = tl.grad(logistic_map, wrt=(0, 1)).source
    assert "bx = r * (brx - bx * x)" in text and "rx = r * x" not in text
