"""Statements that are followed by identity: what a tuple is unpacked into, in which order."""
import numpy as np
import pytest

from tests.heap.referee import check


def pair(x, y):
    return x * y, np.sin(x) + y


def three(x, y):
    return x * y, np.sin(x) + y, y * y * x


def nested(x, y):
    return (x * y, np.sin(x)), (y * y * x, y)


def name_twice(x, y):
    x, x, y = three(x, y)
    return x * y


def name_twice_around_another(x, y):
    x, y, x = three(x, y)
    return x * y


def name_and_star(x, y):
    x, *x = three(x, y)
    return x[0] * x[1] * y


def star_and_name(x, y):
    *x, x = pair(x, y)
    return x * y


def name_in_a_loop(x, y):
    for _ in range(3):
        x, x = pair(x, y)
    return x * y


def index_bound_behind(x, y):
    v, i = np.array([x, y]), 0
    for _ in range(2):
        v[i], i = x * v[1], 1
        v[i], i = pair(x, y)[:1] + (i - 1,)
    return v[0] * v[1] + i


def index_given_behind(x, y):
    def place(t):
        return t * x, 1
    v, i = np.array([x, y]), 0
    v[i], i = place(y)
    return v[0] * 3.0 + v[1] * i


def index_bound_before(x, y):
    v = np.array([x, y, 1.0])
    i, v[i], i = (1, x * y, 2)
    return v[0] + 2.0 * v[1] * v[i]


def index_between(x, y):
    def places(t):
        return 1, t * x, 2
    v = np.array([x, y, 1.0])
    i, v[i], i = places(y)
    return v[0] + 2.0 * v[1] * v[i]


def part_in_front(x, y):
    (x, y), x = nested(x, y)
    return x[0] * y + x[1]


def parts_of_both(x, y):
    (x, y), (y, x) = nested(x, y)
    return x * x + y


def part_behind(x, y):
    x, (x, y) = nested(x, y)
    return x * x + y


def array_bound_behind(x, y):
    w = np.array([x, y])
    v = w
    (y, w[0]), w = nested(x, y)
    return v[0] * w[0] * y


def captured(x, y):
    def seen():
        return x * 2.0
    x, x = pair(x, y)
    return seen() * y


PROGRAMS = [name_twice, name_twice_around_another, name_and_star, star_and_name, name_in_a_loop,
            index_bound_behind, index_given_behind, index_bound_before, index_between,
            part_in_front, parts_of_both, part_behind, array_bound_behind, captured]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("forced", [False, True], ids=["by names", "by identity"])
def test_unpacking(f, forced):
    check(lambda: (f, (0.7, 0.4)), wrt=(0, 1), forced=forced)
