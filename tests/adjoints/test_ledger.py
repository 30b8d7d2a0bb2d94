"""Adjoints of dicts whose keys are known only when the program runs: added key by key."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.referee import check


def numbered(x, y):
    e = {}
    for k in range(2):
        e[k] = x * y * k + x
    return e


def part_of_a_dict(x, y):
    d = {"p": numbered(x, y)}
    return d["p"][0] ** 2 * d["p"][1]


def made_here(x, y):
    e = {}
    for k in range(3):
        e[k] = x * k + y
    d = {"p": e}
    return d["p"][1] * d["p"][2]


def in_two_places(x, y):
    e = {}
    for k in range(2):
        e[k] = x * y * k + x
    d = [e, e]
    return d[0][0] * d[1][1]


def arrays(x, y):
    e = {}
    for k in ("a", "bb"):
        e[k] = np.array([x, y]) * len(k)
    d = {"p": e}
    return np.sum(d["p"]["a"]) * np.sum(d["p"]["bb"])


def lists_by_name(x, y):
    e = {}
    for k in ("a", "bb"):
        e[k] = [x, y * len(k)]
    d = (e, y)
    return sum(d[0]["a"]) * d[0]["bb"][1] * d[1]


def taken_in_a_loop(x, y):
    e = {}
    for k in range(2):
        e[(k, 0)] = x * y + k
    c = {"p": e}
    for _ in range(2):
        x = c["p"][(0, 0)] * x + c["p"][(1, 0)]
    return x


@pytest.mark.parametrize("f", [part_of_a_dict, made_here, in_two_places, arrays, lists_by_name,
                               taken_in_a_loop], ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_dicts(f):
    check(lambda: (f, (0.3, 0.5)), wrt=(0, 1))
    hessian = [[(tl.grad(f, wrt=j)(*(np.array([0.3, 0.5]) + d)) - tl.grad(f, wrt=j)(
        *(np.array([0.3, 0.5]) - d))) / 2e-6 for j in (0, 1)] for d in 1e-6 * np.eye(2)]
    found = tl.jacfwd(tl.grad(f, wrt=(0, 1)), wrt=(0, 1))(0.3, 0.5)
    np.testing.assert_allclose(found, hessian, rtol=1e-5, atol=1e-6)


def spread_beside_a_computed_key(x, y):
    e = {}
    for k in range(2):
        e[(k, 0)] = x * y + k
    c = {**e, (0, 0): e[(1, 0)]}
    return c[(0, 0)] * e[(0, 0)]


def spread_beside_a_name(x, y):
    names = ["a", "bb"]
    e = dict(zip(names, [x * y, y]))
    c = {**e, names[0]: e[names[1]], **{"c": x}}
    return c[names[0]] * e["a"] * c["c"]


@pytest.mark.parametrize("f", [spread_beside_a_computed_key, spread_beside_a_name],
                         ids=lambda f: f.__name__)
def test_dicts_with_computed_keys_and_others(f):
    check(lambda: (f, (0.3, 0.5)), wrt=(0, 1))


def number_where_an_array_was(x, y):
    d = np.empty(())
    d[()] = x * y
    for _ in range(3):
        d = d * x               # a number of NumPy from here on
    return d[()]


def array_again(x, y):
    d = np.zeros(())
    for k in range(3):
        d = np.array(d * y + x)
        d[...] = d[()] ** 2
        d = d - y * k
    return d[()] * x


def number_in_one_case(x, y):
    d = np.zeros(())
    if x > 0.0:
        d = d + x * y
    else:
        d[()] = y
    return d[()] * d[...] * x


@pytest.mark.parametrize("f", [number_where_an_array_was, array_again, number_in_one_case],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", [float, np.float64, np.array])
def test_arrays_without_dimensions_that_become_numbers(f, kind):
    """x[()] is read of both, and the adjoint of what was read is added at ()."""
    for x, y in ((0.5, 2.0), (-0.7, 1.3)):
        by_differences = [(f(x + 1e-6, y) - f(x - 1e-6, y)) / 2e-6,
                          (f(x, y + 1e-6) - f(x, y - 1e-6)) / 2e-6]
        slopes = tl.grad(f, wrt=(0, 1))(kind(x), kind(y))
        np.testing.assert_allclose(slopes, by_differences, rtol=1e-6, atol=1e-9)
    tl.check_grads(f, (kind(0.5), kind(2.0)), order=2)
