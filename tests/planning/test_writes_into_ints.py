"""What is written into an array that may be one of ints, which round it, has no derivative by
names; by identity it shows in each run whether the array is one."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tests.heap.forced import by_names, refused_by_names

X = np.array([1.2, 0.7, 2.1])


def items(n):
    return [1, 2, 3] if n > 2 else [1.0, 2, 3]


def spread(x, n):
    y = np.array([*items(n)])
    y[:] = x * 3.3
    return np.sum(y)


def one_by_one(x, n):
    y = np.array([k for k in items(n)])
    y[:] = x * 3.3
    return np.sum(y)


def back_from_an_array(x, n):
    y = np.array(np.array(items(n)).tolist())
    y[:] = x * 3.3
    return np.sum(y)


def sum_of_none(x, n):
    y = np.array([sum([k for k in x if k > n])] * 3)
    y[:] = x * 3.3
    return np.sum(y)


def product(x, n):
    y = np.full(3, math.prod([1, n, 2]))
    y[:] = x * 3.3
    return np.sum(y)


def of_a_type(x, n):
    y = np.zeros(3, dtype=int if n > 2 else float)
    y[:] = x * 3.3
    return np.sum(y)


def between(x, n):
    y = np.linspace(n - 2, 3, 3, dtype=type(n))
    y[:] = x * 3.3
    return np.sum(y)


PROGRAMS = [spread, one_by_one, back_from_an_array, sum_of_none, product, of_a_type, between]


@pytest.mark.parametrize("f", PROGRAMS)
def test_ints_round(f):
    refused_by_names(UnsupportedSyntaxError, f, X, 3, match="may be one of integers, which round")
    value, gradient = tl.value_and_grad(f)(X, 3)
    assert value == f(X, 3)
    np.testing.assert_array_equal(gradient, np.zeros(3))


@pytest.mark.parametrize("f", [spread, one_by_one, of_a_type])
def test_floats_do_not(f):
    np.testing.assert_allclose(tl.grad(f)(X, 2), np.full(3, 3.3))


@pytest.mark.parametrize("f", [spread, between])
def test_directions(f):
    made = tl.jvp(f, (X, 3), (np.ones(3), None))
    assert made[0] == f(X, 3)
    assert made[1] is None or made[1] == 0.0


def test_arithmetic_with_floats_makes_floats():
    def f(x, n):
        y = np.array(items(n)) * 0.5
        y[:] = x * 3.3
        return np.sum(y)

    with by_names():
        np.testing.assert_allclose(tl.grad(f)(X, 3), np.full(3, 3.3))


def test_the_code_for_no_kinds_in_particular_is_shown():
    def f(x, y):
        z = y.copy()
        z[0] = x[0]
        return np.sum(z)

    assert "z[0] = x_0" in tl.grad(f).source
