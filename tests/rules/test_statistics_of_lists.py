"""The module statistics, and what else adds up the numbers of a list, to the second order."""
import contextlib
import math
import statistics

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([1.2, 0.7, 2.1])
FUNCTIONS = [statistics.mean, statistics.fmean, statistics.geometric_mean,
             statistics.harmonic_mean, statistics.variance, statistics.pvariance,
             statistics.stdev, statistics.pstdev, statistics.median, math.prod, math.fsum,
             lambda xs: math.dist(xs, [0.1 * k for k in range(len(xs))])]


def written_out(g):
    return lambda x: g([x[0], x[1] * x[0], 2.0 * x[2], 1.5])


def in_a_tuple(g):
    return lambda x: g((x[0], x[1] * x[0], 2.0 * x[2])) ** 2


def appended(g):
    def f(x):
        xs = []
        for k in range(3):
            xs.append(x[k] * x[0])
        return g(xs)
    return f


def in_a_comprehension(g):
    return lambda x: g([v * v for v in x])


def of_an_array(g):
    return lambda x: g(x * x)


def of_a_list(g):
    return lambda x: g(x.tolist()) * x[0]


def differences(f, step):
    """Central differences of a function of X, one row for each of its numbers."""
    return np.array([(np.asarray(f(X + step * e)) - np.asarray(f(X - step * e))) / (2.0 * step)
                     for e in np.eye(3)])


@pytest.mark.parametrize("g", FUNCTIONS, ids=lambda g: g.__name__)
@pytest.mark.parametrize("way", [written_out, in_a_tuple, appended, in_a_comprehension,
                                 of_an_array, of_a_list], ids=lambda way: way.__name__)
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.sweep(5)
def test_of_numbers(g, way, forced):
    f = way(g)
    first, second = differences(f, 1e-6), differences(lambda x: differences_of(f, x), 1e-4)
    with by_identity() if forced else contextlib.nullcontext():
        value, slope = tl.value_and_grad(f)(X)
        assert value == f(X) and type(value) is type(f(X))
        np.testing.assert_allclose(slope, first, atol=1e-7)
        np.testing.assert_allclose(tl.jacfwd(f)(X), first, atol=1e-7)
        np.testing.assert_allclose(tl.hessian(f)(X), second, atol=1e-5)
        along = np.array([0.3, -0.2, 0.5])
        np.testing.assert_allclose(
            tl.grad(lambda x: np.sum(tl.grad(f)(x) * along))(X), second @ along, atol=1e-5)


def differences_of(f, x):
    return [(f(x + 1e-4 * e) - f(x - 1e-4 * e)) / 2e-4 for e in np.eye(3)]


def test_no_spread():
    """As of np.std: the derivative at data that are all alike is zero."""
    for g in (statistics.stdev, statistics.pstdev):
        assert tl.grad(lambda x, g=g: g([x, x, x]))(2.0) == 0.0
        assert not np.any(tl.grad(lambda x, g=g: g(x.tolist()))(np.ones(3)))


def test_what_is_given_besides_is_refused():
    with pytest.raises(tl.TangentError, match="xbar|argument"):
        tl.grad(lambda x: statistics.variance([x, 2.0 * x, 3.0], 1.0))(2.0)
    with pytest.raises(statistics.StatisticsError):
        tl.grad(lambda x: statistics.variance([x]))(2.0)
