"""Functions that derivatives are taken of, lifted: what they capture means what it meant there.

The references are central differences of the functions themselves. A global of each name that is
captured makes what is looked up in the wrong scope a wrong number, and no NameError.
"""
from __future__ import annotations

import numpy as np
import pytest

import tangent_lite as tl

a = b = y = p = q = 100.0


def of_a_comprehension(x):
    return sum([tl.grad(lambda t: t ** 3 * a)(a) for a in x])


def of_two_comprehensions(x):
    return sum(tl.jvp(lambda t: t * t * a * b, (x[0],), (a,))[1] for a in x for b in [a * a, x[1]])


def in_each_other(x):
    return sum([tl.grad(lambda t: sum([tl.grad(lambda u: u * u * t * a * b)(a) for a in x]))(b)
                for b in x])


def made_in_a_comprehension(x):
    made = {k: tl.grad(lambda t: t ** 3 * a) for k, a in enumerate(x)}
    return sum([made[k](x[k]) for k in made])


def bound_by_a_walrus(x):
    squares = [(y := v * v) for v in x]
    return tl.grad(lambda t: t * t * y)(x[0]) * squares[0]


def bound_by_a_pattern(x):
    match (x[0], x[1]):
        case (p, q):
            return tl.grad(lambda t: t * t * p * q)(x[2])


def called_where_the_name_is_another(x):
    a = x[0]

    def h(t):
        return t * t * a

    return sum([tl.grad(h)(a) for a in x]) + sum([tl.hvp(h)(a, a) for a in x])


def named_and_called_where_the_name_is_another(x):
    a = x[0]
    g = tl.grad(lambda t: t * t * a)
    return sum([g(a) for a in x])


def called_in_a_function_of_the_name(x):
    a = x[0]
    g = tl.grad(lambda t: t * t * a)

    def h(a):
        return g(a) * a

    return h(x[1]) + (lambda a: g(a))(x[2])


def parameter_of_the_name(x):
    a = x[0]

    def h(t):
        return t * t * a

    return tl.grad(lambda a: h(a))(x[1])


def variable_of_the_name(x):
    a = x[0]

    def h(t):
        return t * t * a

    def k(t):
        a = t * t
        return h(a) + a

    return tl.grad(k)(x[1])


def function_of_the_name(x):
    def g(t):
        return t * t

    return sum([tl.grad(g)(x[0]) for g in [lambda t: t ** 3, lambda t: t ** 4]]) + g(x[1])


def function_bound_anew(x):
    def h(t):
        return t * t

    if x[0] > 0.0:
        h = np.exp
    return tl.grad(h)(x[1]) * x[0]


@pytest.mark.parametrize("function", [
    of_a_comprehension, of_two_comprehensions, in_each_other, made_in_a_comprehension,
    bound_by_a_walrus, bound_by_a_pattern, called_where_the_name_is_another,
    named_and_called_where_the_name_is_another, called_in_a_function_of_the_name,
    parameter_of_the_name, variable_of_the_name, function_of_the_name, function_bound_anew])
def test_what_is_captured(function):
    x, v = np.array([0.5, 1.5, 2.0]), np.array([1.0, -0.7, 0.4])
    slope = (function(x + 1e-5 * v) - function(x - 1e-5 * v)) / 2e-5
    value, gradient = tl.value_and_grad(function)(x)
    assert value == function(x)
    np.testing.assert_allclose(gradient @ v, slope, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(function, (x,), (v,))[1], slope, rtol=1e-7)


def test_a_name_of_two_meanings_is_told():
    with pytest.raises(tl.UnsupportedSyntaxError, match="a means one thing here, and another"):
        tl.grad(called_where_the_name_is_another, backend="numba")(np.ones(3))
