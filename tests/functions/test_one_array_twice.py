"""Functions that call themselves and are given one array twice: the call adds to the adjoint of
one parameter, and returns that of the other."""
import numpy as np
import pytest

import tangent_lite as tl


def products(a, b, m):
    if m <= 0:
        return np.sum(a[:1] * b[:2])
    p = a[:m]
    return np.sum(p * b[:m]) + products(p, b, m - 1)


def of_itself(x):
    return products(x, x, 1)


def of_a_part(x):
    u = x[:1]
    return products(u, u, 1)


def of_a_part_and_more(x):
    u = x[1:] * 2.0
    return products(u, u, 1) * np.sum(u) + products(x, u, 1)


def several_times(x):
    u, s = x[:2] * 1.0, 0.0
    for k in range(2):
        s += products(u, u, k)
    return s


@pytest.mark.parametrize("f", [of_itself, of_a_part, of_a_part_and_more, several_times])
@pytest.mark.parametrize("size", [2, 3])
def test_gradients(f, size):
    x = np.linspace(0.7, 1.9, size)
    want = [np.imag(f(x + step)) / 1e-30 for step in 1e-30j * np.eye(size)]
    np.testing.assert_allclose(tl.grad(f)(x), want, rtol=1e-12)
