"""Jacobians and Hessians inside, by identity, with respect to lists, tuples and dicts."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import grad, hessian, jacobian
from tangent_lite.errors import UnsupportedSyntaxError


def hessian_of_list(v):
    table = hessian(lambda q: np.sum(q[0] ** 3 * q[1] ** 2))([v[:2], v[2:]])
    return np.sum(table[0][1] ** 2) + np.sum(table[1][0]) * np.sum(np.sin(table[0][0]))


def hessian_of_pairs(v):
    def total(pairs):
        found = 0.0
        for a, b in pairs:
            found = found + a ** 3 * b ** 2
        return found
    table = hessian(total)([(v[0], v[1]), (v[2], v[3])])
    return table[0][0][0][1] * table[1][1][1][1] + table[0][1][0][0]


def jacobian_of_dict(v):
    table = jacobian(lambda p: {"u": p["w"][0] * p["w"][1], "z": [p["w"][0] ** 2]})(
        {"w": [v[:2], v[2:]]})
    return np.sum(table["u"]["w"][0] ** 3) + np.sum(np.sin(table["z"][0]["w"][0]))


def tuple_of_results(v):
    table = jacobian(lambda p: (p[0] * p[1], p[0] ** 3))([v[0] * v[3], v[1] + v[2]])
    return np.sin(table[0][0]) * table[1][0] + table[0][1]


def without_dimensions(v):
    table = hessian(lambda q: np.sum(q[0] ** 3 * q[1]))([np.array(v[0]), v[1:]])
    return np.sum(table[0][1]) + table[0][0]


@pytest.mark.parametrize("function", [hessian_of_list, hessian_of_pairs, jacobian_of_dict,
                                      tuple_of_results, without_dimensions])
def test_as_by_differences(function):
    v, step = np.array([0.4, -0.7, 1.1, 0.6]), 1e-6
    wanted = [(function(v + d) - function(v - d)) / (2 * step) for d in step * np.eye(4)]
    np.testing.assert_allclose(tl.grad(function)(v), wanted, rtol=1e-6, atol=1e-7)


def one_thing_twice(v):
    a = v * 2.0
    return np.sum(hessian(lambda q: np.sum(q[0] ** 2 * q[1]))([a, a])[0][1])


def one_of_several(v):
    table = hessian(lambda q, p: q ** 3 * p[0] ** 2, wrt=("q", "p"))(v[0], [v[1]])
    return table[0][0]


def an_empty_array(v):
    return np.sum(jacobian(lambda q: np.sum(q[0] * q[1][0]))([v[:0], v])[1])


@pytest.mark.parametrize("function", [one_thing_twice, one_of_several, an_empty_array])
def test_what_is_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match="that are all different things"):
        grad(function)(np.ones(3))
