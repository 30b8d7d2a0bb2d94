"""A helper that returns a view of what it is given, which the caller then writes into."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names
from tests.held_to_both import is_by_names, is_right


def row(a, k):
    return a[k]


def halves(a):
    return a[:3], a[3:]


def turned(a):
    return a.T


def itself(a):
    return a


class Grid:
    def __init__(self, n):
        self.cells = np.zeros((n, n))

    def row(self, k):
        return row(self.cells, k)


def rows(x):
    a = np.outer(x, x)
    for k in range(3):
        r = row(a, k)
        r[1:] = r[1:] * row(a, k + 1)[:-1]
        r += x * k
    return np.sum(a * a)


def parts(x):
    y = x.copy()
    low, high = halves(y)
    low[:] = low * high[:3]
    high[0] = low[1] * y[5]
    z = itself(y)
    z[2] = z[0] * 3.0
    turned(np.outer(x, x))[0] = 1.0         # seen by nobody
    return np.sum(y ** 2)


def of_an_object(x):
    grid = Grid(7)
    grid.row(0)[:] = x
    other = turned(grid.cells)
    other[3] = other[0] * x[2]
    return np.sum(grid.cells ** 2)


@pytest.mark.parametrize("function", [rows, parts, of_an_object])
def test_it_is_written_out(function):
    is_right(function)
    is_by_names(function)


def deep(a, n):
    return a if n == 0 else deep(a[1:], n - 1)


def of_one_that_calls_itself(x):
    y = x * 2.0
    z = deep(y, 2)
    z[0] = z[1] * y[0]
    return np.sum(y * y)


def test_what_cannot_be_written_out():
    is_right(of_one_that_calls_itself)
    refused_by_names(tl.AliasError, of_one_that_calls_itself, np.ones(5), match="z may share")


def test_a_helper_that_makes_something_new_stays_a_pair():
    def f(x):
        y = x * 2.0
        z = larger(y)
        z[0] = y[1]
        return np.sum(z * y)
    with by_names():
        assert "larger_bwd" in tl.grad(f).source_for(np.ones(3))


def larger(a):
    out = a * a
    for k in range(2):
        out = out * a + k
    return out
