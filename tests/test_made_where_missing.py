"""Dicts with defaults that a lambda makes: an array, a number, a tuple."""
from collections import defaultdict

import numpy as np
import pytest

from tests.held_to_both import is_by_names, is_right

SCALE = 0.5


def arrays(x):
    sums = defaultdict(lambda: SCALE * np.ones(7))
    for k in range(4):
        sums[k % 3] = sums[k % 3] + x * x[k]
    return np.sum(sums[0] * sums[1]) + np.sum(sums["new"] * x) * len(sums)


def numbers(x):
    products = defaultdict(lambda: 1.5)
    for k, v in enumerate(x):
        products[k % 3] *= v + k
    return sum(products.values()) * products["new"] + len(products) * x[0]


def tuples(x):
    pairs = defaultdict(lambda: (0.0, 1.0))
    for k, v in enumerate(x):
        a, b = pairs[k % 2]
        pairs[k % 2] = (a + v, b * x[0])
    return pairs[0][0] * pairs[1][1] + pairs[0][1]


def of_what_varies(x):
    scale = x[0]
    parts = defaultdict(lambda: scale * 2.0)
    for k in range(3):
        parts[k % 2] = parts[k % 2] * x[k]
    scale = x[1]
    return parts[0] * parts[1] * parts[5]


@pytest.mark.parametrize("function", [arrays, numbers, tuples])
def test_by_names(function):
    is_right(function)
    is_by_names(function)


def test_what_a_variable_decides():
    is_right(of_what_varies)
