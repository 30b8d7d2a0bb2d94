"""Signs in products with unsigned integers and truth values, of which no negative may be taken."""

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, -0.7, 1.1, 0.4])
K = np.array([[3, 200, 7, 1], [9, 0, 255, 128]], np.uint8)


def minus_one(k, x):
    return np.sum(-1.0 * (k * x))


def minus(k, x):
    return np.sum(np.sin(-(k * x)))


def minus_product(k, x):
    return np.sum(np.sin(-1.0 * (k @ x)))


def column(k, x):
    return np.sum((-(k * x))[..., None] * x)


def element(k, x):
    return -(k[0] * x[1]) * x[0] - k[1] * np.sum(x)


def difference(k, x):
    return np.sum(x - k * x * x) - np.sum(-x * (k * -x))


def in_turn(k, x):
    total = 0.0
    for i in range(x.shape[0]):
        total = total - k[i] * x[i] ** 2
    return total


@pytest.mark.parametrize("f", [minus_one, minus, minus_product, column, element, difference,
                               in_turn])
@pytest.mark.parametrize("k", [K[0], K[1], K[0] > 5, K[0].astype(np.uint64), -K[0].astype(int)],
                         ids=["uint8", "zeros", "bool", "uint64", "int"])
@pytest.mark.sweep(8)
def test_derivatives(f, k):
    def of_floats(x):
        return f(k.astype(float), x)

    tl.check_grads(of_floats, (X,), order=2)
    wanted = tl.grad(of_floats)(X)
    assert np.allclose(tl.grad(f, wrt=1)(k, X), wanted)
    assert np.allclose(tl.jacfwd(f, wrt=1)(k, X), wanted)
    assert np.allclose(tl.jvp(f, (k, X), (None, X))[1], wanted @ X)
    assert np.allclose(tl.hessian(f, wrt=1)(k, X), tl.hessian(of_floats)(X))


def at_twice(x):
    total = 0.0
    for i in range(x.shape[0] // 2):
        total = total + x[i + i] ** 2 * x[i]
    return total


def behind_twice(x):
    n = x.shape[0] // 4
    return np.sum(x[n * 2 + 2 * n:] ** 2) + np.sum(x[n * len(x) // 4 + len(x) * n // 4:])


@pytest.mark.parametrize("function", [at_twice, behind_twice])
def test_twice_an_index_is_an_index(function):
    x = np.linspace(-1.0, 1.0, 9)
    assert np.allclose(tl.grad(function)(x), tl.jacfwd(function)(x))
