"""Calls that fail and are given up for a default, or for the end of a loop."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.held_to_both import X


class Powers:
    def __init__(self, x):
        self.x, self.left, self.power = x, 3, 1.0

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        self.power = self.power * self.x
        return self.power


class Body:
    """Its mass turns out to be missing after something has changed, or with nothing changed."""

    def __init__(self, x, changes):
        self.x, self.changes = x, changes

    @property
    def mass(self):
        if self.changes:
            self.x = self.x * 2.0
        raise AttributeError("mass")

    @property
    def doubled(self):
        self.x = self.x * 2.0
        return self.x


class Table:
    def __init__(self, x, changes):
        self.x, self.changes, self.scale = x, changes, 1.0

    def __getitem__(self, k):
        if self.changes:
            self.scale = self.scale * self.x[0]
        return self.x[k]


class Pairs:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.items) * next(self.items)


def next_of_an_object(x):
    powers, total = Powers(x[0]), 0.0
    for _ in range(5):
        total = total * x[1] + next(powers, x[2])
    return total


def until_none(x):
    powers, total = Powers(x[0]), 0.0
    while (power := next(powers, None)) is not None:
        total = total * x[1] + power
    return total


def attribute(x, changes):
    body = Body(x[0], changes)
    return getattr(body, "mass", x[1]) * body.x


def whether_there_is_one(x, name, changes):
    body = Body(x[0], changes)
    return (x[1] if hasattr(body, name) else x[2]) * body.x


def by_position(x, changes):
    table, total = Table(x, changes), 0.0
    for v in table:
        total = total * 0.5 + v
    return total * table.scale


def growing(x):
    total = 1.0
    for v in x:
        total = total * 1.3 + v
        yield total * v


def pairs(x):
    total = 0.0
    for v in Pairs(growing(x)):
        total = total * 0.5 + v
    return total


def pairs_until_none(x):
    items = growing(x)
    return sum(iter(lambda: next(items) * next(items), None)) * x[0]


def pairs_in_a_helper(x, running):
    items = itertools.accumulate(x, lambda a, b: a * b + a) if running else growing(x)
    total = 0.0
    while True:
        try:
            total += pair(items)
        except StopIteration:
            return total * x[0]


def pair(items):
    return next(items) * next(items)


def closed(x):
    items = growing(x)
    first = next(items)
    items.close()
    return first


def by_differences(function, x, *args):
    def at(step):
        return (function(x + step, *args) - function(x - step, *args)) / (2e-6)
    return np.array([at(step) for step in 1e-6 * np.eye(len(x))])


@pytest.mark.parametrize("function, args", [
    (next_of_an_object, ()), (until_none, ()), (attribute, (False,)),
    (whether_there_is_one, ("mass", False)), (whether_there_is_one, ("doubled", False)),
    (whether_there_is_one, ("x", False)), (whether_there_is_one, ("changes", False)),
    (by_position, (False,)), (pairs_in_a_helper, (False,)), (pairs_in_a_helper, (True,))])
def test_nothing_is_lost(function, args):
    value, slope = tl.value_and_grad(function)(X, *args)
    assert value == function(X, *args)
    np.testing.assert_allclose(slope, by_differences(function, X, *args), rtol=1e-6, atol=1e-7)
    _, tangent = tl.jvp(lambda x: function(x, *args), (X,), (np.cos(X),))
    np.testing.assert_allclose(tangent, slope @ np.cos(X), rtol=1e-10)


@pytest.mark.parametrize("function", [pairs, pairs_until_none])
def test_a_generator_in_pairs(function):
    even = X[:6]
    np.testing.assert_allclose(tl.grad(function)(even), by_differences(function, even),
                               rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function, args, reason", [
    (attribute, (True,), "before an attribute turns out to be missing"),
    (whether_there_is_one, ("mass", True), "before an attribute turns out to be missing"),
    (by_position, (True,), "__getitem__ changes before it ends a loop"),
    (pairs, (), "__next__ changes before it stops"),
    (pairs_until_none, (), "a function changes before it stops the loop"),
    (closed, (), "the method close of an iterator")])
def test_what_has_changed_is_not_lost(function, args, reason):
    with pytest.raises(tl.TangentError) as caught:
        tl.grad(function)(X, *args)
    assert reason in str(getattr(caught.value, "by_identity", caught.value))


class StopsByPosition:
    """Python ends a loop by position at a StopIteration as well."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, k):
        if k == 3:
            raise StopIteration
        return self.x * (k + 1.0)


def test_positions_that_end_by_stop_iteration():
    def f(x):
        return sum(v * v for v in StopsByPosition(x))

    assert f(2.0) == 56.0
    assert np.isclose(tl.grad(f)(2.0), 56.0)
    with by_identity():
        assert np.isclose(tl.grad(f)(2.0), 56.0)
