"""math.dist of points that are tuples, lists and arrays: held to differences, and to the value."""
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.referee import agrees_with_differences


class Point(NamedTuple):
    x: float
    y: float


def perimeter(x):
    points = [Point(x[0], x[1]), Point(x[1] * x[2], 1.0), Point(0.2, x[2])]
    return sum(math.dist(p, q) for p, q in itertools.pairwise([*points, points[0]]))


def of_a_changed_list(x):
    a = [x[0], x[1] * x[1]]
    b = a
    b[0] = x[2] * 3.0
    return math.dist(a, (1.0, x[0])) + math.dist(np.array(a), b[::-1])


X = [0.3, 0.9, 1.7]


@pytest.mark.parametrize("f", [perimeter, of_a_changed_list])
def test_against_differences(f):
    agrees_with_differences(f, X)


def test_points_of_several_dimensions():
    def f(x):
        a = [x, x]
        b = a
        b[0] = 1.0
        return math.dist(a, [x])
    with pytest.raises(ValueError, match="the same number of dimensions"):
        tl.grad(f)(0.5)
