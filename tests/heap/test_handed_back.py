"""Functions that hand back what they were given, though their derivative is another one."""
from collections import deque

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import AliasError, UnsupportedSyntaxError

X, V = np.array([1.0, 2.0]), np.array([0.3, -0.2])


@tl.custom_derivative(adjoint=lambda y, x, by: -by)
def turned(x):
    return x


@tl.custom_derivative(adjoint=lambda y, x, by: {"a": -by["a"]})
def turned_dict(x):
    return x


def ruled(x):
    return x


@tl.adjoint(ruled)
def ruled_adjoint(y, x):
    d[x] = -d[y]                                                       # noqa: F821


@tl.tangent(ruled)
def ruled_tangent(y, x):
    d[y] = -d[x]                                                       # noqa: F821


def declared(x):
    return x


tl.nondifferentiable(declared)


def turning(x):
    items = deque([x, 2.0 * x])
    items.rotate(1)                             # names do not tell which is which
    return items


def stopped_array(x):
    items = turning(x)
    return np.sum(tl.stop_gradient(items[0]) ** 2 * items[0]) + np.sum(items[1])


def stopped_number(x):
    items = turning(x[0] * x[1])
    return tl.stop_gradient(items[0]) ** 2 * items[0] + x[1]


def stopped_tuple(x):
    items = turning(x)
    one, other = tl.stop_gradient((items[0], x[0] * items[1]))
    return np.sum(one * items[0] * other)


def stopped_list(x):
    items = turning(x)
    held = [items[0], x[1] * x[1], "text"]
    found = tl.stop_gradient(held)
    return np.sum(found[0] * held[0]) + found[1] * held[1]


def turned_array(x):
    items = turning(x)
    return np.sum(turned(items[0]) ** 2) + np.sum(items[0] * items[1])


def ruled_array(x):
    items = turning(x)
    return np.sum(ruled(items[0].T) ** 2) + np.sum(items[0] * items[1])


def declared_array(x):
    items = turning(x)
    return np.sum(declared(items[0]) * items[0]) + declared(x[0]) * items[0][0]


def turned_dict_of_arrays(x):
    items = turning(x)
    held = {"a": items[0]}
    return np.sum(turned_dict(held)["a"] ** 2) + np.sum(held["a"])


# The functions with 2x in place of items[0], and their derivatives by hand.
GRADIENTS = [
    (stopped_array, 8.0 * X ** 2 + 1.0),
    (stopped_number, np.array([2.0 * 16.0 * 2.0, 2.0 * 16.0 + 1.0])),
    (stopped_tuple, 2.0 * (2.0 * X) * (X[0] * X)),
    (stopped_list, 4.0 * X + np.array([0.0, 4.0 * 2.0 * 2.0])),
    (turned_array, -8.0 * X + 4.0 * X),
    (ruled_array, -8.0 * X + 4.0 * X),
    (declared_array, 4.0 * X + np.array([2.0, 0.0])),
    (turned_dict_of_arrays, -8.0 * X + 2.0)]


@pytest.mark.parametrize("function, gradient", GRADIENTS, ids=lambda v: getattr(v, "__name__", ""))
def test_its_own_derivative_holds(function, gradient):
    derivative = tl.grad(function)
    value, found = tl.value_and_grad(function)(X)
    assert "tape." in derivative.source_for(X) and value == function(X)
    np.testing.assert_allclose(found, gradient)
    np.testing.assert_allclose(tl.jvp(function, (X,), (V,))[1], gradient @ V)


def test_second_derivatives():
    stopped = tl.grad(lambda x: np.sum(tl.grad(stopped_array)(x) * V))(X)
    np.testing.assert_allclose(stopped, 0.0, atol=1e-14)        # and not that of 8 x^3

    def by_names(x):
        return np.sum(turned(2.0 * x) ** 2) + np.sum(2.0 * x * x)
    assert "tape." not in tl.grad(by_names).source_for(X)
    np.testing.assert_allclose(tl.hvp(turned_array)(X, V), tl.hvp(by_names)(X, V))


def written(x):
    y = x * 2.0
    z = tl.stop_gradient(y)
    y[0] = x[1]
    return np.sum(y * z)


def written_through(x):
    y = x * 2.0
    z = turned(y)
    z *= x
    return np.sum(y * z)


def growing(x):
    items = turning(x)
    held = [items[0]]
    found = tl.stop_gradient(held)
    held.append(items[1])
    return np.sum(found[-1])


@pytest.mark.parametrize("function", [written, written_through, growing])
def test_what_is_handed_back_does_not_change(function):
    with pytest.raises(AliasError, match="was given, and handed back, is changed afterwards"):
        tl.grad(function)(X)


class Held:
    def __init__(self, w):
        self.w = w


def stopped_object(x):
    items = deque([Held(x), Held(2.0 * x)])
    items.rotate(1)
    return np.sum(tl.stop_gradient(items[0]).w)


def test_objects_are_not_copied():
    with pytest.raises(UnsupportedSyntaxError, match="hands back a Held that it was given"):
        tl.grad(stopped_object)(X)
