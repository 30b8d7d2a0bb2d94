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


# What a derivative hands back beside its value ---------------------------------------------------
def with_argument(z):
    return z[0] ** 3 * z[1], z


def with_holder(z):
    return z[0] ** 3 * z[1], {"z": z, "s": (z, z[0])}


def beside(p):
    class Local(Held):
        pass
    (value, _), _ = tl.value_and_grad(with_argument, has_aux=True)(p)
    return Local(value).w * p[0]


def read_beside(p):
    class Local(Held):
        pass
    (value, aux), g = tl.value_and_grad(with_argument, has_aux=True)(p)
    return Local(value).w * p[0] * aux[1] + aux[0] ** 2 * g[0]


def held_beside(p):
    class Local(Held):
        pass
    (value, aux), _ = tl.value_and_grad(with_holder, has_aux=True)(p)
    return Local(value).w * aux["z"][0] + aux["s"][0][1] ** 2 * aux["s"][1]


@pytest.mark.parametrize("function", [beside, read_beside, held_beside])
@pytest.mark.parametrize("p", [[2.0, 3.0], (2.0, 3.0), np.array([2.0, 3.0]), [2.0, 3]], ids=repr)
def test_an_argument_beside_the_value_of_a_derivative(function, p):
    def moved(by):
        return p + by * np.array([1.0, 0.0]) if isinstance(p, np.ndarray) else \
            type(p)([p[0] + by, p[1]])

    slope = (function(moved(1e-6)) - function(moved(-1e-6))) / 2e-6
    assert np.isclose(tl.grad(function)(p)[0], slope, rtol=1e-7)
    along = np.array([1.0, 0.0]) if isinstance(p, np.ndarray) else \
        type(p)([1.0, 0.0 if isinstance(p[1], float) else None])
    again = lambda q: tl.grad(function)(q)                                  # noqa: E731
    curvature = (tl.grad(function)(moved(1e-6))[0] - tl.grad(function)(moved(-1e-6))[0]) / 2e-6
    assert np.isclose(tl.jvp(again, (p,), (along,))[1][0], curvature, rtol=1e-6)


def changed_beside(p):
    class Local(Held):
        pass
    q = p.copy()
    (value, aux), _ = tl.value_and_grad(with_argument, has_aux=True)(q)
    aux[0] = 7.0 * p[1]
    return Local(value).w * q[0]


@pytest.mark.parametrize("p", [[2.0, 3.0], np.array([2.0, 3.0])], ids=repr)
def test_what_a_derivative_hands_back_does_not_change(p):
    with pytest.raises(AliasError, match="was given, and handed back, is changed afterwards"):
        tl.grad(changed_beside)(p)


@tl.custom_derivative(adjoint=lambda y, x, by: by)
def in_an_object(x):
    return Held(x)


def object_of_argument(x):
    items = turning(x)
    return np.sum(in_an_object(items[0]).w)


def test_objects_that_hold_what_was_given():
    with pytest.raises(UnsupportedSyntaxError, match="Held that holds what it was given"):
        tl.grad(object_of_argument)(X)
