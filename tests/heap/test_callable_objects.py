"""Objects that can be called hold numbers and arrays as all others do: gradients of gradients by
identity, and arrays that pullbacks and gradients may share with them."""
import numpy as np
import pytest

import tangent_lite as tl


class Cube:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w ** 3 * x


class Holder:
    def __init__(self, parts):
        self.parts = parts


def of_a_list(parts):
    return parts[0](1.0) + parts[1].w ** 2


def of_a_holder(holder):
    return np.sum(holder.parts[0](1.0)) + np.sum(holder.parts[1].w ** 2)


def test_gradients_of_gradients():
    def first(parts):
        return tl.grad(of_a_list)(parts)[0].w * parts[1].w

    gradient = tl.grad(first)([Cube(2.0), Cube(3.0)])
    assert np.isclose(gradient[0].w, 36.0) and np.isclose(gradient[1].w, 12.0)


def test_of_arrays_in_a_holder():
    def first(holder):
        return np.sum(tl.grad(of_a_holder)(holder).parts[0].w)

    w = np.array([2.0, -1.0])
    gradient = tl.grad(first)(Holder([Cube(w), Cube(w + 1.0)]))
    assert np.allclose(gradient.parts[0].w, 6.0 * w) and np.allclose(gradient.parts[1].w, 0.0)


class Weighted:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.sum(self.w * x)


def weighted(object_called, x):
    return object_called(x)


def test_pullbacks_keep_what_the_object_held():
    held, x = Weighted(np.ones(3)), np.arange(3.0)
    _, pullback = tl.vjp(weighted, held, x)
    held.w[0] = 100.0
    assert np.array_equal(pullback(1.0)[1], np.ones(3))


def test_gradients_are_arrays_of_their_own():
    held, x = Weighted(np.ones(3)), np.arange(3.0)
    first, second = tl.grad(weighted, wrt=(0, 1))(held, x)
    assert not np.shares_memory(first.w, x) and not np.shares_memory(second, held.w)


@pytest.mark.parametrize("not_called", [None, 2.0, "text", Holder([])])
def test_what_cannot_be_called_is_a_type_error(not_called):
    def each(functions, x):
        for function in functions:
            x = function(x)
        return x

    for run in (each, tl.grad(each, wrt=1)):
        with pytest.raises(TypeError, match="object is not callable"):
            run([Cube(2.0), not_called], 3.0)
