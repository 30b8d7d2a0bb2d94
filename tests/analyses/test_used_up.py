"""Iterators are lists to whoever goes through them once; what may do so again goes by identity."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.7, 1.3, -0.4, 2.1])


def total(items, w=1.0):
    s = 0.0
    for v in items:
        s += v * w
    return s


def mean(items):
    xs = list(items)
    return sum(xs) / len(xs)


def twice(items):
    return sum(items) + sum(items) * 2


def again(items):
    s = 0.0
    for v in items:
        s += v
    for v in items:
        s += 3 * v
    return s


def made(x):
    return map(np.sin, x)


class Weighted:
    def __init__(self, w, items=()):
        self.w, self.items = w, items

    def total(self, items):
        return self.w * sum(items)

    def held(self):
        return self.w * sum(self.items)


# What goes through an iterator once ---------------------------------------------------------------
def by_helpers(x):
    return total(v * v for v in x) + total((v for v in x), w=2.0) + total(map(np.sin, x)) \
        + mean(v * v for v in x) + Weighted(x[0]).total(v * v for v in x)


def by_a_function_inside(x):
    def doubled(items):
        return sum(items) * 2
    return doubled(v * v for v in x)


def in_a_loop(x):
    s = 0.0
    for k in range(3):
        s += sum(v ** k for v in x) * k
        for a, b in itertools.combinations(x, 2):
            s += a * b
    return s


def with_a_name(x):
    pairs, s = zip(x, x[1:]), 0.0
    for a, b in pairs:
        s += a * b
    return s


class Held:
    """Goes through what it is given as it is made."""

    def __init__(self, items, *, weights=()):
        self.items = list(items)
        self.weights = [2.0 * w for w in weights]

    def total(self):
        return sum(w * v for w, v in zip(self.weights, self.items))


def by_objects(x):
    held = Held((v * v for v in x), weights=map(np.sin, x))
    return held.total() * Held(zip(x, x * x)).items[1][1]


ONCE = [by_helpers, by_a_function_inside, in_a_loop, with_a_name, by_objects]


# What goes through it again -----------------------------------------------------------------------
def made_before_a_loop(x):
    sines, s = map(np.sin, x), 0.0
    for k in range(3):
        for v in sines:
            s += v * (k + 1)
    return s


def left_and_gone_on_with(x):
    squares, s = (v * v for v in x), 0.0
    for k in range(3):
        for v in squares:
            s += v * (k + 1)
            break
    return s


def numbered(x):
    items, s = enumerate(x), 0.0
    for k in range(3):
        for i, v in items:
            s += i * v * v * (k + 1)
            break
    return s


def backwards(x):
    weights, s = reversed([1.0, 2.0, 3.0]), 0.0
    for k in range(3):
        for w in weights:
            s += w * x[k] ** 2
            break
    return s


def constants(x):
    weights, s = itertools.cycle([1.0, 2.0, 3.0]), 0.0
    for v in x:
        for w in weights:
            s += v * v * w
            break
    return s


def added_up_in_a_loop(x):
    squares, s = (v * v for v in x), 0.0
    for k in range(3):
        s += sum(squares) * (k + 1)
    return s


def in_a_comprehension(x):
    squares = (v * v for v in x)
    return sum([sum(squares) * k for k in (1.0, 2.0)])


def by_a_helper(x):
    return twice(map(np.sin, x)) + again(v * v for v in x)


def by_another_name(x):
    sines = map(np.sin, x)
    other, s = sines, 0.0
    for v in other:
        s += v
    for v in other:
        s += v * v
    return s


def in_a_tuple(x):
    both, s = (map(np.sin, x), 1.0), 0.0
    for v in both[0]:
        s += v
    for v in both[0]:
        s += v * v
    return s


def in_lists(x):
    several = [map(np.sin, x) for _ in range(2)]
    return sum(sum(several[k]) for k in (0, 0, 1))


def in_an_object(x):
    weighted = Weighted(x[0], (v * v for v in x))
    return weighted.held() + 2 * weighted.held()


def of_a_helper(x):
    sines, s = made(x), 0.0
    for v in sines:
        s += v
    for v in sines:
        s += v * v
    return s


def captured(x):
    squares = (v * v for v in x)

    def taken():
        return sum(squares)
    return taken() + 2 * taken()


AGAIN = [made_before_a_loop, left_and_gone_on_with, numbered, backwards, constants,
         added_up_in_a_loop, in_a_comprehension, by_a_helper, by_another_name, in_a_tuple, in_lists,
         in_an_object, of_a_helper, captured]


@pytest.mark.parametrize("function", ONCE + AGAIN)
def test_derivatives(function):
    tl.check_grads(function, (X,), order=1)
    assert tl.value_and_grad(function)(X)[0] == function(X)


@pytest.mark.parametrize("function", ONCE)
def test_by_names(function):
    gradient = tl.grad(function)
    gradient(X)
    assert not gradient._latest.by_identity
