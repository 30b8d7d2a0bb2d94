"""`a, b = items`, where the items are tuples, dicts or objects, or come of a generator."""
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.held_to_both import is_by_names, is_right


class Point(NamedTuple):
    u: Any
    v: Any


class Body:
    def __init__(self, u, v):
        self.u, self.v = u, v


def pairs(x):
    items = [(v, 2 * v) for v in (x, 3 * x)]
    a, b = items
    return a[0] * a[1] * b[0] * b[1]


def pairs_of_pairs(x):
    a, b = [((v, v * v), 2 * v) for v in (x, 3 * x)]
    (p, q), r = a
    return p * q * r * b[0][1]


def dicts(x):
    a, b = [{"u": v, "v": 2 * v} for v in (x, 3 * x)]
    return a["u"] * b["v"]


def points(x):
    a, b = [Point(v, 2 * v) for v in (x, 3 * x)]
    return a.u * b.v


def bodies(x):
    a, b = [Body(v, 2 * v) for v in (x, 3 * x)]
    return a.u * b.v


def with_arrays(x):
    a, b = [(np.ones(2) * v, 2 * v) for v in (x, 3 * x)]
    return np.sum(a[0]) * a[1] * np.sum(b[0])


def in_a_loop(x):
    items, s = [(v, 2 * v) for v in (x, 3 * x)], 0.0
    for _ in range(3):
        a, b = items
        s += a[0] * b[1]
        items = [b, (s, a[1])]
    return s


def added_to_before(x):
    items = [(x, 2 * x), (x * x, x)]
    a, b = items
    return a[0] * b[1] + items[0][1] * items[1][0] * a[0]


def generator(x):
    xs = [x, 2 * x]
    a, b = (v * v for v in xs)
    xs[0] = 3 * x
    (a, b), c = (v * a for v in (b, a)), b
    return a * b * c + xs[0]


def generator_with_a_star(x):
    a, *b = (x * k for k in range(1, 4))
    return a * b[0] * b[1]


def generator_of_matrices(x):
    params = {"q": x, "k": x * x}
    q, k = (np.ones(2) * params[name] for name in ("q", "k"))
    return q @ k


def mapped(x):
    y, z = map(np.asarray, (x, x * x))
    u, v = map(float, (y, z))
    return u * v


def zipped(x):
    a, b = zip((x, 2 * x), (3 * x, x * x))
    c, d = enumerate(a)
    return a[0] * b[1] * c[1] * d[1]


PROGRAMS = [
    pairs, pairs_of_pairs, dicts, points, bodies, with_arrays, in_a_loop, added_to_before,
    generator, generator_with_a_star, generator_of_matrices, mapped, zipped]


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function):
    tl.check_grads(function, (0.7,), order=1)
    gradient = tl.grad(function)
    found = gradient(0.7)
    assert not gradient._latest.by_identity
    with by_identity():
        assert tl.grad(function)(0.7) == pytest.approx(found)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.sweep(4)
def test_second_order(function):
    tl.check_grads(function, (0.7,), order=2)


def too_many(x):
    try:
        a, b = (v * v for v in (x, 2 * x, 3 * x))
    except ValueError:
        return 7 * x
    return a * b


def test_a_generator_of_another_length():
    assert tl.value_and_grad(too_many)(0.7) == (too_many(0.7), 7.0)


# Into attributes and places ---------------------------------------------------------------------
def into_attributes(x):
    body = Body(0.0, 0.0)
    body.u, body.v = map(np.sin, (x[0], x[1]))
    body.u, body.v = divmod(body.v * x[2] + 3.0, 2.0)
    return body.u * x[0] + body.v


def into_places(x):
    places, k = np.zeros(3), 1
    places[k], k = map(float, (x[0] * x[1], 2.0))       # with k as it was before
    places[:1], places[2:] = np.split(x[:2] * k, 2)
    return np.prod(places) * k


@pytest.mark.parametrize("function", [into_attributes, into_places])
def test_into_attributes_and_places(function):
    is_right(function)
    is_by_names(function)
