"""Operators of classes that make arrays and objects: they change nothing, and are calls of their
methods; those that change something all the same."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import slope
from tests.heap.forced import by_names
from tests.held_to_both import is_by_names, is_right

MADE = []


class Rows:
    """A matrix by rows: what is not zero, and where."""

    def __init__(self, data, places, starts):
        self.data, self.places = data, places
        self.starts = starts

    def __matmul__(self, v):
        out = np.zeros(len(self.starts) - 1)
        for i in range(len(out)):
            for k in range(self.starts[i], self.starts[i + 1]):
                out[i] += self.data[k] * v[self.places[k]]
        return out


class Plain:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Pair(Plain):
    scale = 2.0

    def __init__(self, a, b):
        super().__init__(a, b)
        self.sum = a + b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __mul__(self, factor):
        if isinstance(factor, Pair):
            return Pair(self.a * factor.a, self.b * factor.b)
        return Pair(self.a * factor, self.b * factor)


def products(x):
    matrix = Rows(x, np.array([0, 1, 2, 0, 2, 1, 0]), [0, 2, 4, 7])
    v = np.sin(x[:3])
    for _ in range(3):
        v = matrix @ v
        v /= 1.0 + np.sum(v ** 2)
    return np.sum(v)


def pairs(x):
    state = Pair(x[0], x[1])
    for k in range(4):
        state = (state + Pair(x[k], 0.5)) * Pair(0.9, x[k + 1]) * 1.1
    return state.sum * state.a


@pytest.mark.parametrize("function", [products, pairs])
def test_operators_that_make_arrays_and_objects(function):
    is_right(function)
    is_by_names(function)


# Those that change something ----------------------------------------------------------------------
class Counted:
    """Each that is made changes what is outside, as do the others below."""

    def __init__(self, x):
        self.x = x
        MADE.append(x)

    def __add__(self, other):
        return Counted(self.x * other)


class Below(Counted):
    def __init__(self, x):
        super().__init__(x)


class BelowIt(Below):
    def __add__(self, other):
        return Below(self.x * other)


class Setting:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        MADE.append(value)
        super().__setattr__(name, value)

    def __add__(self, other):
        return Setting(self.x * other)


class ByProperty:
    def __init__(self, x):
        self.x = x

    @property
    def x(self):
        return self.held

    @x.setter
    def x(self, value):
        MADE.append(value)
        self.held = value

    def __add__(self, other):
        return ByProperty(self.x * other)


class Writing:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        out = np.asarray(MADE[0])
        out[0] *= other
        return Writing(self.x * out[0])


@pytest.mark.parametrize("made", [Counted, BelowIt, Setting, ByProperty, Writing])
def test_what_is_made_may_change_something(made):
    def f(x):
        MADE[:] = [np.ones(1)]
        one = made(x * x)
        for k in range(2):
            one = one + x
        return one.x * len(MADE) + np.sum(MADE[-1]) * np.sum(MADE[0])

    if made is not Counted:                     # which appends to a list, and no more
        with by_names(), pytest.raises(tl.TangentError):
            tl.grad(f)(1.3)
    value, gradient = tl.value_and_grad(f)(1.3)
    assert value == f(1.3)
    assert gradient == pytest.approx(slope(f, 1.3))
