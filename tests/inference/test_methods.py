"""Whose method stands behind an operator: as Python says it, also where the operands' classes are
found out step by step, one is below the other, or a method gives NotImplemented."""
import functools
from dataclasses import dataclass

import pytest

import tangent_lite as tl


class V:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __sub__(self, o):
        if isinstance(o, V):
            return V(self.a - o.a, self.b * o.a)
        return V(self.a - o, self.b)

    def __rsub__(self, o):
        return V(o - self.a, 3.0 * self.b)


class W(V):
    def __rsub__(self, o):
        if isinstance(o, V):
            return V(o.a * self.a, self.b)
        return V(7.0 * o - self.a, 3.0 * self.b)


def left_first_in_a_loop(x):
    r = V(1.0, 2.0)
    for _ in range(3):
        r = r - V(x, x * x)
    return r.a * r.b


def number_and_object(x):
    r = 2.0 - V(x, x * x)
    return r.a * r.b


def below_with_its_own(x):
    r = V(1.0, 2.0) - W(x, x * x)
    return r.a * r.b


def below_in_a_loop(x):
    r = V(1.0, 2.0)
    for k in range(3):
        r = r - (V(x, x * k) if k == 1 else V(x, 2.0))
    return r.a * r.b


def of_one_of_two_classes(x):
    r = W(x, 1.0) if x > 100 else V(x, 3.0)
    return (r - V(x * x, 2.0)).b


class Sum:
    def __init__(self, a):
        self.a = a

    def __iadd__(self, o):
        self.a = self.a + o.a * 2.0
        return self


class Term:
    def __init__(self, a):
        self.a = a

    def __radd__(self, o):
        return Sum(o.a * self.a)


def in_place_before_reflected(x):
    r = Sum(x)
    again = r
    for k in range(3):
        r += Term(x * k)
    return r.a * again.a


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    def __add__(self, o):
        if not isinstance(o, Point):
            return NotImplemented
        return Point(self.x + o.x, self.y + o.y)

    def __eq__(self, o):
        if not isinstance(o, Point):
            return NotImplemented
        return self.x == o.x


class Shift:
    def __init__(self, by):
        self.by = by

    def __radd__(self, p):
        return Point(p.x + self.by, p.y * self.by)


def has_no_answer(x):
    p = Point(x, x * x) + Point(x, 1.0)
    q = p + Shift(x)
    return q.x * q.y


def equal_to_nothing(x):
    p = Point(x, x * x)
    if p == 3.0:
        return x
    return p.x * p.y


class Above(V):
    def __lt__(self, o):
        return self.a < o.a


class Between(Above):
    def __gt__(self, o):
        return self.a > 100.0 * o.a


def compared_by_the_one_below(x):
    return x * x if Above(x, 0.0) < Between(x * 2.0, 0.0) else x * x * x


@functools.total_ordering
class Ordered:
    def __init__(self, a):
        self.a = a

    def __eq__(self, o):
        return isinstance(o, Ordered) and self.a == o.a

    def __lt__(self, o):
        return self.a < o.a if isinstance(o, Ordered) else NotImplemented


def ordered_by_functools(x):
    return x * x if Ordered(x) <= Ordered(x * x) else x


@pytest.mark.parametrize("f", [left_first_in_a_loop, below_with_its_own, below_in_a_loop,
                               ordered_by_functools])
def test_goes_by_names(f):
    assert "tape.pull" not in tl.grad(f).source_for(1.3)
