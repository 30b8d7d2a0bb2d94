"""Sums in place of another shape: of numbers in lists, and in derivatives of all orders."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 1.2, -0.7])


def number_becomes_array(x):
    items = [x[0], x[1]]
    items[0] += x
    items[1] = items[1] * 2.0
    return np.sum(items[0] ** 2 * items[1])


def without_dimensions(x):
    items = [np.asarray(2.0) * x[0]]
    items[0] = items[0] + x - 3.0 * x
    return np.sum(items[0] ** 2)


@pytest.mark.parametrize("function", [number_becomes_array, without_dimensions])
def test_numbers_in_lists_that_become_arrays(function):
    tl.check_grads(function, (X,))


def too_large(x):
    z = np.sum(x * x, keepdims=True)
    z += x
    return np.sum(z * z)


@pytest.mark.parametrize("derivative", [
    tl.grad(too_large), tl.hessian(too_large), tl.jacfwd(too_large), tl.jacrev(too_large),
    lambda x: tl.hvp(too_large)(x, x), lambda x: tl.jvp(too_large, (x,), (x,)),
    lambda x: tl.jvp(tl.grad(too_large), (x,), (x,)),
    tl.grad(lambda x: np.sum(tl.grad(too_large)(x) ** 2)),
    tl.hessian(lambda x: np.sum(tl.grad(too_large)(x) ** 2))])
def test_what_does_not_fit_is_an_error_in_every_order(derivative):
    with pytest.raises(ValueError, match="non-broadcastable output"):
        too_large(X)
    with pytest.raises(ValueError, match="non-broadcastable output"):
        derivative(X)
    assert np.all(np.isfinite(derivative(X[:1]))) or isinstance(derivative(X[:1]), tuple)


def test_sums_of_one_shape_are_bound_in_second_derivatives():
    def same(x):
        z = x * 2.0
        z += x * x
        return np.sum(z ** 3)
    np.testing.assert_allclose(tl.hessian(same)(X), np.diag(
        6.0 * (2.0 * X + X * X) * (2.0 + 2.0 * X) ** 2 + 6.0 * (2.0 * X + X * X) ** 2))
    assert "z = z + " in tl.hessian(same).source_for(X)
