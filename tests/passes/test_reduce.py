"""Numbers that stand above and below in a quotient go, and the quotient is what it was."""
import math

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.4, 1.2, 0.9])


def constant_in_a_logarithm(a, b, x):
    s = a * a + b
    return np.sum(np.log(2.0 * np.pi * s * x)) + math.log(b * a) * b


def softplus(a, b, x):
    return np.sum(np.log(1.0 + np.exp(a * x)) / a) * b


def quotient_in_a_logarithm(a, b, x):
    return math.log(a / b) * b + np.sum(x * np.log(x / (a * b)))


def bound_anew(a, b, x):
    c = a * b
    total = 0.0
    for k in range(3):
        total = total + math.log(c * a) * b
        a = a + 0.1 * b
        c = c + a * b
    return total * np.sum(x / a)


def powers(a, b, x):
    return (a * b) ** 3 / a + np.sum((x / a) ** 2 * a)


@pytest.mark.parametrize("fun", [constant_in_a_logarithm, softplus, quotient_in_a_logarithm,
                                 bound_anew, powers], ids=lambda f: f.__name__)
def test_by_differences(fun):
    at, h = (1.3, 0.8, X), 1e-6
    wanted = [(fun(1.3 + h * (k == 0), 0.8 + h * (k == 1), X)
               - fun(1.3 - h * (k == 0), 0.8 - h * (k == 1), X)) / (2.0 * h) for k in range(2)]
    assert np.allclose(tl.grad(fun, wrt=(0, 1))(*at), wanted, rtol=1e-7)
    slopes = [(fun(1.3, 0.8, X + h * d) - fun(1.3, 0.8, X - h * d)) / (2.0 * h) for d in np.eye(3)]
    assert np.allclose(tl.grad(fun, wrt=2)(*at), slopes, rtol=1e-7)
    tl.check_grads(fun, at)


def test_the_order_stays():
    """What is left is not multiplied before it is divided: the product may be too large."""
    def f(x, a):
        return np.log(1.0 + np.exp(a * x)) / a * 100.0

    assert tl.grad(f)(354.5, 2.0) == pytest.approx(100.0)


def test_the_text():
    def f(s: float):
        return math.log(2.0 * math.pi * s)

    assert "return bf / s" in tl.grad(f).source or "bs = bf / s" in tl.grad(f).source
