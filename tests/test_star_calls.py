"""`np.hypot(*d)` of a list or an array: the function says how many items there are."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def a_list(x):
    d = [x[0] - x[2], x[1] * x[3]]
    return np.hypot(*d)


def a_list_that_grew(x):
    d = []
    for v in x[:2]:
        d.append(v * v)
    return math.atan2(*d) * np.arctan2(*d)


def an_array(x):
    y = np.array([x[0] - x[1], x[2] * x[3]])
    return np.hypot(*y)


def what_has_no_name(x):
    return sum(np.hypot(*(x[:2] - a)) for a in np.array([[0.1, 0.2], [0.3, -0.4]]))


def rows(x):
    y = np.sin(x).reshape(2, 2)
    return np.sum(np.hypot(*y.T) * np.arctan2(*y[::-1]))


def arrays_in_a_list(x):
    d = [x[:3], x[1:]]
    return np.sum(np.outer(*d) ** 2)


def behind_others(x):
    d = [x[1]]
    return np.hypot(x[0], *d)


def changed_between(x):
    s = x[0] ** 2
    for k in range(3):
        d = [x[k], x[k + 1]]
        s += np.hypot(*d)
        d[0] = d[1] * 2
        s += np.hypot(*d)
    return s


def in_a_loop_of_no_steps(x):
    d, s = [x[1], x[2]], x[0] ** 2
    for _ in range(0):
        s += np.hypot(*d)
    return s


PROGRAMS = [a_list, a_list_that_grew, an_array, what_has_no_name, rows, arrays_in_a_list,
            behind_others, changed_between, in_a_loop_of_no_steps]
X = np.array([0.7, 1.3, -0.4, 2.1])


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function):
    tl.check_grads(function, (X,), order=2)
    gradient = tl.grad(function)
    found = gradient(X)
    assert not gradient._latest.by_identity
    with by_identity():
        assert tl.grad(function)(X) == pytest.approx(found)


@pytest.mark.parametrize("function", [a_list, an_array, rows])
def test_float32(function):
    found = tl.grad(function)(X.astype("float32"))
    assert found.dtype == "float32"
    assert found == pytest.approx(tl.grad(function)(X), rel=1e-4)


def test_another_number_of_items():
    def f(x):
        d = [x[0], x[1], x[2]]
        return np.hypot(*d)
    for wrong in (f, tl.grad(f)):
        with pytest.raises((TypeError, ValueError)):
            wrong(X)
