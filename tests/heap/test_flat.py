"""x.flat[key] by identity: its elements are places of the array, however that lies in memory."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def diagonal(X, a):
    """As penalties are put on: A.flat[::n + 1] += a."""
    A = (X.T @ X).T
    A.flat[::A.shape[0] + 1] += a * A.flat[1]
    copied = A.flat[2:5]
    A.flat[3] = 0.0
    return np.sum(np.sin(A)) + copied.sum()


def not_in_a_row(X, a):
    A = (X[:, ::2] * 1.0).T[::-1]
    A.flat[[0, 2, 0]] = [a, a * a, 3.0 * a]
    A.flat[A.flat[...] > 0.1] *= a
    return np.sum(np.sin(A))


def nothing_there(X, a):
    A = X[:0] * a
    A.flat[::2] = a
    A.flat[...] += a
    return np.sum(A) + a * a


def largest(X, a):
    A = X * a
    A.flat[A.argmax()] = A.flat[A.argmin()] * a
    return np.sum(np.sin(A))


@pytest.mark.parametrize("f", [diagonal, not_in_a_row, nothing_there, largest])
def test_flat(f):
    X = np.random.default_rng(0).normal(size=(4, 3))
    with by_identity():
        assert tl.value_and_grad(f)(X, 0.5)[0] == f(X, 0.5)
        tl.check_grads(f, (X, 0.5), order=1)


class Flatland:
    def __init__(self, x):
        self.flat = [x, x * x]


def an_attribute_of_that_name(x):
    land = Flatland(x)
    land.flat[0] *= 3.0
    return land.flat[0] * land.flat[1]


def test_other_attributes_of_that_name():
    with by_identity():
        assert tl.grad(an_attribute_of_that_name)(2.0) == 36.0


def taken_again(X, a):
    A = X * a
    A.flat[:] = [a, 2.0 * a]
    return np.sum(A)


def test_values_that_are_taken_again_and_again_are_refused():
    with by_identity(), pytest.raises(tl.UnsupportedSyntaxError, match="more or fewer values"):
        tl.grad(taken_again)(np.ones((2, 2)), 0.5)
