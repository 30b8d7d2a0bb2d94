"""Distances of points that are tuples: their parts have adjoints one by one."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import is_by_names, is_right


def pairs(x):
    points = [(x[k], x[k + 1], 0.5) for k in range(4)]
    return sum(math.dist(p, q) * (x[0] + p[0]) for p in points for q in points)


def one_point(x):
    p = (x[0], x[0])
    return math.dist(p, p) + math.dist((x[0], 1), (2, x[1])) + math.dist(p, [x[2], x[3]]) \
        + math.dist(x[:3], p + (1.0,))


def walk(x):
    here, length = (0.0, 0), 0.0
    for k in range(5):
        there = (here[0] + x[k], here[1] + x[k + 1])
        length += math.dist(here, there)
        here = there
    return length


def spread(x):
    corners = ((x[0], x[1]), (x[2], x[3]), (x[4], x[5]))
    return math.dist(*corners[:2]) * math.dist(corners[1], corners[2])


@pytest.mark.parametrize("function", [pairs, one_point, walk, spread])
def test_distances(function):
    is_right(function)
    is_by_names(function)


def test_the_parts_are_numbers():
    source = tl.grad(pairs).source_for(np.ones(7))
    assert "np.array" not in source and "scaled_parts" not in source
