"""Iterators that are asked by `next` and gone through from there, and `next` of generators."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names
from tests.held_to_both import is_by_names, is_right


def first_and_rest(x):
    it = iter(x)
    first = next(it)
    total = first - next(it) / next(it)
    for k, v in enumerate(it):
        total = total * 0.9 + k * v * first
    return total


def left_and_gone_on(x):
    it = iter(np.outer(x, x))
    for row in it:
        if row[0] > 0.1:
            break
    total = np.sum(row)
    for other in it:
        total = total + row @ other
    for other in it:                        # nothing is left
        total = total * 100.0
    return total + next(it, 3.0) * x[0]


def until_it_stops(x):
    it = iter([v * v for v in x])
    total = x[0]
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        total = total * v + v
    last = next(it, None)
    return total if last is None else 0.0


def pairs_and_powers(x):
    pairs = zip(x, x[1:])
    scale = 2.0
    powers = (v ** 2 * scale for v in x)
    a, b = next(pairs)
    total = a * b * next(powers)
    scale = 3.0                             # the generator reads it when it is asked
    for a, b in pairs:
        total = total + a * b
    return total * next(powers)


def in_a_loop(x):
    total = 0.0
    y = x.copy()
    for k in range(3):
        it = iter(y * k)
        a = next(it)
        y[1] = y[1] * 1.1
        total = total + a * next(it) + sum(it)
    return total


def first_over(items, limit):
    return next(v for v in items if v > limit)


def first_of_generators(x):
    k = next(k for k, v in enumerate(x) if v > 0.8)
    both = next((a * b for a in x if a > 0.2 for b in x if b < a), 1.0)
    none = next((v for v in x if v > 10.0), None)
    if next(v * v for v in x if v < 10.0) > 0.1:
        both = both * next(iter({"a": x[0], "b": x[1]}.values()))
    return k * both * first_over(x, 0.5) + (x[1] if none is None else none)


def caught(x):
    try:
        v = next(w for w in x if w > 5.0)
    except StopIteration:
        v = x[0] * 3.0
    return v * v


PROGRAMS = [first_and_rest, left_and_gone_on, until_it_stops, pairs_and_powers, in_a_loop,
            first_of_generators, caught]


@pytest.mark.parametrize("function", PROGRAMS)
def test_by_names(function):
    is_right(function)
    is_by_names(function)


def list_that_grows(x):
    items = [x[0], x[1]]
    total = 0.0
    it = iter(items)
    for v in it:
        if len(items) < 4:
            items.append(v * v)
        total = total + v * len(items)
    return total


def left_halfway(x):
    it = iter(x)
    total = 0.0
    for _ in range(3):
        try:
            v = next(it)
            total = total + math.sqrt(v)
        except ValueError:
            total = total + v
    return total


def ended_by_next(x):
    return sum(map(lambda limit: first_over(x, limit), [0.1, 0.4, 5.0, 0.1])) * x[0]


def asked_or_not(x):
    it = iter(x)
    first = next(it) if x[0] > 0.0 else x[1]
    return first * next(it)


def of_a_dict(x):
    values = {"b": x[0], "a": x[1] * 2.0}
    it = iter(values)
    next(it)
    return values[next(it)] ** 2


def computed_in_front(x):
    seen = []

    def note(v):
        seen.append(v)
        return v
    return (note(x[0]) + next(v for v in x if note(v) > 0.5)) * len(seen)


@pytest.mark.parametrize("function", [list_that_grows, left_halfway, ended_by_next, asked_or_not,
                                      of_a_dict, computed_in_front])
def test_left_to_identity(function):
    is_right(function)
    with by_names(), pytest.raises(tl.TangentError):
        tl.grad(function)(np.array([0.7, -1.1, 0.4, 1.3]))


@pytest.mark.parametrize("f", [lambda x: next(v for v in x if v > 9.0),
                               lambda x: first_over(x, 9.0)])
def test_nothing_there_raises_as_in_python(f):
    with pytest.raises(StopIteration):
        tl.grad(f)(np.ones(3))
    with by_identity(), pytest.raises(StopIteration):
        tl.grad(f)(np.ones(3))
