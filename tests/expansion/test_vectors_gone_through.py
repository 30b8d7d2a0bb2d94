"""Classes of vectors that say by `__iter__` what their components are, or are named tuples: their
operators go through two of them at once, and give one of the same class."""
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import X, is_by_names, is_right


class Vector:
    """Gives the iterator of a tuple."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        return iter((self.x, self.y))

    def __add__(self, other):
        return type(self)(*(a + b for a, b in zip(self, other)))

    def scaled(self, factor):
        return type(self)(*(factor * a for a in self))

    def dot(self, other):
        return sum(a * b for a, b in zip(self, other))


class Yielding(Vector):
    """Yields one component after the other."""

    def __iter__(self):
        """The components."""
        yield self.x
        yield self.y


class Both(Vector):
    """Gives an iterator that is no more than that, and one that is more."""

    def __iter__(self):
        return iter([self.x * self.y, self.y, self.x])


def added(x, cls=Vector):
    return (cls(x[0], x[1]) + cls(x[2], 2.0)).dot(cls(x[0] * x[3], x[4]).scaled(3.0))


def yielded(x):
    return added(x, Yielding)


def counted(x):
    total = 0.0
    for k, a in enumerate(Both(x[0], x[1])):
        total += (k + 1) * a * a
    return total * Both(x[1], x[2]).dot([x[3], x[4], 1.0])


class Pair(NamedTuple):
    x: float
    y: float

    def plus(self, other):
        return type(self)(*(a + b for a, b in zip(self, other)))

    def bent(self):
        return self.__class__(*(np.sin(a) for a in self))


def named(x):
    total = 0.0
    for a in Pair(x[0], x[1]).plus(Pair(x[2], 2.0)).bent():
        total += a * x[3]
    return total


class Rectangle(Vector):
    """Has a shape that is no array's."""

    @property
    def shape(self):
        return self.x * 2.0, np.sin(self.y)


def shaped(x):
    total = 0.0
    for one in [Rectangle(x[0], x[1]), Rectangle(x[2], x[3])]:
        if one.shape[0] > -10.0:
            total += one.shape[0] * one.shape[-1]
    return total


@pytest.mark.parametrize("function", [added, yielded, counted, named, shaped])
def test_components(function):
    is_right(function)
    is_by_names(function)


def changed_on_the_way(x):
    one, other = Yielding(x[0], x[1]), Yielding(x[2], x[3])
    total = 0.0
    for a, b in zip(one, other):
        total += a * b
        one.y = one.y * a
        other.x = 0.0
    return total * one.y


def changed_behind(x):
    one = Vector(x[0], x[1])
    total = 0.0
    for a in one:
        one.y = one.y * a
        total += a * one.y
    return total


@pytest.mark.parametrize("function", [changed_on_the_way, changed_behind])
def test_what_is_not_as_it_seems(function):
    is_right(function)


class Liar(Vector):
    """Says that it is of another class, which is not the one that `type` gives."""

    @property
    def __class__(self):
        return Pair

    def scaled(self, factor):
        return type(self)(self.x, factor * self.y)


def lied(x):
    one = Liar(x[0], x[1]).scaled(x[2])
    return one.x * one.y + (1.0 if one.__class__ is Pair else x[3])


def test_objects_that_are_not_what_they_say():
    with pytest.raises(tl.UnsupportedSyntaxError, match="says itself of which class it is"):
        tl.grad(lied)(X)
