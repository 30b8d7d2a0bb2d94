"""Sums in place of another shape: of numbers in lists, and in derivatives of all orders."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names

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


def kept_in_a_list(x):
    """A number in front of the loop, and an array that is changed in place behind its start: all
    items of the list are this one array."""
    total, kept = 1.0, []
    for k in range(3):
        if k == 0:
            total = total + x
        total += x[::-1]
        kept.append(total)
    return np.sum(kept[0] * kept[1] * kept[2])


def put_in_front(x):
    total, kept = 0.0, []
    for _ in range(3):
        total += x * x
        kept.insert(0, total)
    return np.sum(kept[0] * kept[2])


def kept_by_columns(x):
    total, kept = 0.0, [[], []]
    for k in range(4):
        total *= x + 1.0
        total += x
        kept[k % 2].append(total)
    return np.sum(kept[0][0] * kept[1][1])


@pytest.mark.parametrize("function", [kept_in_a_list, put_in_front, kept_by_columns])
def test_sums_that_a_list_holds(function):
    value, gradient = tl.value_and_grad(function)(X)
    assert value == function(X) == tl.jvp(function, (X,), (X,))[0]
    tl.check_grads(function, (X,), order=1)
    refused_by_names(tl.AliasError, function, X, match="is a number or an array is not known")


def numbers_in_a_list(x):
    total, kept = 0.0, []
    for v in x:
        total += v * v
        kept.append(total)
    return kept[0] * kept[1] * kept[2]


def test_sums_of_numbers_are_followed_by_names():
    with by_names():
        tl.check_grads(numbers_in_a_list, (X,))


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
