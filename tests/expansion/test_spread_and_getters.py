"""Getters of the operator module, OrderedDicts, and what stands behind a star in calls that take
any number of arguments."""
import math
import operator
from collections import OrderedDict
from operator import attrgetter, itemgetter

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.held_to_both import is_by_names, is_right


class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b


def getters(x):
    first, last = itemgetter(0, -1)(x)
    point = Point(x[0], x[1] * last)
    a, b = attrgetter("a", "b")(point)
    get = operator.itemgetter("u")
    ordered = sorted([(v, k % 3) for k, v in enumerate(x)], key=itemgetter(1))
    return first * last + a * b * get({"u": x[2]}) + ordered[0][0] * ordered[-1][0] ** 2


def ordered_dict(x):
    parts = OrderedDict(zip(["b", "a", "c"], x))
    parts["d"] = parts["a"] * x[3]
    total = parts.get("b", 0.0)
    for name, v in parts.items():
        total = total * 0.5 + (v if name == "a" else v * v)
    sums = OrderedDict()
    for k, v in enumerate(x):
        sums[k % 3] = sums.get(k % 3, 0.0) + v * v
    for v in sums.values():
        total = total * 0.5 + v
    return total * len(sums)


def spread(x):
    items = [v * v for v in x]
    return math.hypot(*x) * math.hypot(*(x[1:] - x[:-1])) + math.hypot(*items) \
        + sum([*x, *x[1:], *items]) * max([*items, *x]) * min((*x, 5.0))


@pytest.mark.parametrize("function", [getters, ordered_dict, spread])
def test_by_names(function):
    is_right(function)
    is_by_names(function)


def in_another_order(x):
    parts = OrderedDict([("a", x[0]), ("b", x[1])])
    parts.move_to_end("a")
    total = 0.0
    for v in parts.values():
        total = total * 0.5 + v * v
    return total


def compared(x):
    one, other = OrderedDict(a=x[0], b=x[1]), OrderedDict(b=x[1], a=x[0])
    return x[0] * 2.0 if one == other else x[1] ** 2


def handed_on(x):
    return is_ordered(OrderedDict(a=x[0])) * x[0]


def is_ordered(parts):
    return 2.0 if isinstance(parts, OrderedDict) else 3.0


@pytest.mark.parametrize("function", [in_another_order, compared, handed_on])
def test_what_only_an_ordered_dict_does(function):
    is_right(function)


def test_of_nothing_and_of_zeros():
    def f(x):
        return math.hypot(*x)
    with by_names():
        assert tl.grad(f)(np.zeros(2)).tolist() == [0.0, 0.0]
        assert tl.value_and_grad(f)(np.array([]))[0] == 0.0


class Battery:
    def __init__(self, r, c=2.0, last=None, *, soc=0.9):
        self.r, self.c, self.last, self.soc = r, c, last, soc

    @classmethod
    def of(cls, v, **kw):
        return cls(*v, **kw)

    def voltage(self):
        past = 1.0 if self.last is None else self.last
        return self.soc * past - self.r * self.c ** 2


def decay(t, a, b=1.5, *, c=1.0):
    return a * np.exp(-b * t) + c


def with_defaults(x):
    pair = (0.3, x[0])
    return Battery(*x[:3]).voltage() * Battery(*x[:1], last=x[3]).voltage() \
        + Battery.of(x[1:3], soc=x[0]).voltage() + decay(0.3, *x[:2], c=x[4]) \
        + decay(*pair, *x[2:3]) + decay(0.2, *x[:1], b=x[1])


def test_as_many_as_there_are():
    """Parameters that may be left out get what is there, or their defaults."""
    is_right(with_defaults)
    is_by_names(with_defaults)

    def f(x):
        return Battery(*x).voltage()
    with by_names():
        d = tl.grad(f)
        for size in (1, 2, 3):
            x = np.array([0.3, 0.7, 1.1])[:size]
            tl.check_grads(f, (x,), order=1)
        for size in (0, 4):
            with pytest.raises((TypeError, IndexError)):
                d(np.ones(size))


def test_an_argument_that_is_given_twice():
    def scaled(x, scale):
        return x * scale

    def f(x):
        return scaled(x, **{"scale": x}, scale=2.0)

    with by_names(), pytest.raises(tl.TangentError, match="multiple values for the argument"):
        tl.grad(f)(3.0)
    with pytest.raises(TypeError, match="multiple values"):
        tl.grad(f)(3.0)
