"""Objects that are called and live outside, or are defaults: functions with a name for what they
hold, and those that hold nothing."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import slope
from tests.held_to_both import is_by_names, is_right


class Leaky:
    """Holds nothing but what its class says."""
    factor = 0.1

    def __call__(self, x, scale=1.0):
        return np.where(x > 0.0, x, self.factor * x) * scale

    def smooth(self, x):
        return np.log1p(np.exp(x)) * self.factor


class Table:
    """Holds what it looks up."""

    def __init__(self, places, values):
        self.places, self.values = places, values

    def __call__(self, x):
        return np.interp(x, self.places, self.values)


class Chain:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


class Net:
    def __init__(self, w, act=Leaky()):
        self.w, self.act = w, act

    def __call__(self, x):
        return np.sum(self.act(self.w * x) + self.act.smooth(x))


leaky, table = Leaky(), Table([-2.0, 0.0, 1.0, 2.0], [0.5, -1.0, 0.3, 2.0])
chain, net = Chain(leaky, np.tanh, Leaky()), Net(1.5)


def of_no_state(x):
    return np.sum(leaky(x, scale=2.0) * leaky.smooth(x))


def looked_up(x):
    total = 0.0
    for v in x:
        total += table(v + 0.05) * v
    return total


def chained(x):
    return np.sum(chain(x) * x)


def by_default(x, act=Leaky()):
    return np.sum(act(x)) * table(x[0]) + net(x)


def in_comprehensions(x):
    return sum(leaky(v) * table(v + 0.05) for v in x) + max(map(table, x + 0.05))


@pytest.mark.parametrize(
    "function", [of_no_state, looked_up, chained, by_default, in_comprehensions])
def test_objects_that_are_called(function):
    is_right(function)
    is_by_names(function)


def called(x):
    return leaky(x) * leaky.smooth(x) * table(x)


def test_what_objects_and_their_classes_come_to_hold(monkeypatch):
    derivative = tl.value_and_grad(called)

    def is_followed():
        value, gradient = derivative(-0.7)
        assert value == called(-0.7)
        assert gradient == pytest.approx(slope(called, -0.7))

    is_followed()
    for owner, name, thing in [
            (Leaky, "factor", 0.4), (Leaky, "factor", np.float64(0.2)),
            (Leaky, "__call__", lambda self, x: x ** 3),
            (Leaky, "smooth", lambda self, x: math.exp(x)),
            (Table, "__call__", lambda self, x: x * self.values[1]), (table, "values", [2.0, 3.0]),
            (leaky, "factor", 5.0), (Leaky, "smooth", lambda self, x: x * self.factor)]:
        monkeypatch.setattr(owner, name, thing, raising=False)
        is_followed()
