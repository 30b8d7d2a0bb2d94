"""Stars with other arguments behind them: `f(*items, y)`, of functions that say how many there are.
"""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import X, is_by_names, is_right


def product(a, b, c):
    return a * b + c ** 2


def of_five(a, b, c, d, e):
    return a * b + c * d ** 2 - e


@dataclass
class Gauss:
    height: float
    place: float
    width: float

    def at(self, t, scale, shift):
        return self.height * np.exp(-(t - self.place) ** 2 / self.width ** 2) * scale + shift


class Triple(NamedTuple):
    a: float
    b: float
    c: float


def behind(x):
    return product(*x[:2], x[2])


def on_both_sides(x):
    return of_five(1.5, *x[:2], x[0], 2.0 * x[1])


def by_keyword(x):
    return of_five(x[1], *x[:2], 1.5, e=x[0] ** 2)


def of_classes(x):
    gauss, triple = Gauss(*x[:2], x[2]), Triple(*x[:2], x[0] * x[1])
    return gauss.at(*x[:2], 0.1) + triple.a * triple.b + triple.c ** 2


def of_inner_functions(x):
    def inner(a, b, c):
        return a * b * x[0] + c
    return inner(*x[:2], 2.0) + (lambda a, b, c: a * b + c ** 2)(*x[:2], x[0])


def of_lists(x):
    return product(*[x[0], x[1]], x[2]) + product(*(v * v for v in x[:2]), x[3])


@pytest.mark.parametrize("f", [behind, on_both_sides, by_keyword, of_classes, of_inner_functions,
                               of_lists])
def test_such_functions(f):
    is_right(f)
    is_by_names(f)


def with_defaults(a, b=2.0, c=3.0):
    return a * b + c ** 2


def into_defaults(x, n):
    return with_defaults(*x[:n], x[3])


def into_stars(x):
    def total(a, *rest):
        return a * sum(rest)
    return total(*x[:2], x[3])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_where_the_number_of_items_says_what_is_given(n):
    is_right(lambda x: into_defaults(x, n))


def test_arguments_that_end_up_in_a_star():
    is_right(into_stars)


def test_another_number_of_items_is_an_error():
    with pytest.raises((TypeError, ValueError)):
        tl.grad(lambda x: product(*x, x[0]))(X)
