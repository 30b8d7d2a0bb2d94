"""Which special methods may change something, of a class and of what its objects hold."""
import dataclasses
import functools
import math

import numpy as np

from tangent_lite.analyses.special_methods import (
    changing,
    changing_in,
    names_of_globals,
    reaches_outside,
    says,
)
from tangent_lite.analyses.special_names import ALL, HASH, INDEX, ORDER, TEXT
from tangent_lite.analyses.stopping import may_stop

COUNTS = [0]


class Counted:
    def __init__(self):
        self.n = 0

    def __index__(self):
        self.n += 1
        return self.n

    def __repr__(self):
        return f"Counted({self.n})"


class Outside:
    def __bool__(self):
        COUNTS[0] += 1
        return True


class Key:
    def __init__(self, *parts):
        self.parts = parts

    def all(self):
        return tuple(self.parts)

    def __eq__(self, other):
        return isinstance(other, Key) and self.all() == other.all()

    def __hash__(self):
        return hash(self.all())


class ByAnother(Counted):
    def __int__(self):
        return range(5)[self]

    def __str__(self):
        return super().__repr__()


class ByProperty:
    n = 0

    @property
    def next(self):
        self.n += 1
        return self.n

    def __hash__(self):
        return self.next


@dataclasses.dataclass(frozen=True)
class Held:
    item: object


@functools.total_ordering
class Ordered(Key):
    def __lt__(self, other):
        return self.parts < other.parts


def test_of_a_class():
    assert changing(Counted, ALL) == changing(Counted, INDEX) == "Counted.__index__"
    assert changing(Counted, TEXT) is None
    assert changing(Key, ALL) is changing(Ordered, ORDER) is None


def test_by_what_they_call():
    assert changing(ByAnother, frozenset(("__int__",))) == "ByAnother.__int__"
    assert changing(ByAnother, TEXT) is None
    assert changing(ByProperty, HASH) == "ByProperty.__hash__"


def test_of_what_is_held():
    assert changing_in([{"a": (1.0, [Counted()])}], INDEX) == "Counted.__index__"
    assert changing_in([Held(ByProperty())], HASH) == "ByProperty.__hash__"
    assert changing_in([Held(Key("a")), np.ones(3), "a", 1.0], HASH) is None


def test_what_has_none_is_not_gone_into():
    assert changing_in([Key(Counted())], TEXT) is None      # that of object: where it lies


def test_says():
    assert says([1.0, [Key("a")]], ORDER)
    assert not says([1.0, "a", np.ones(2), Outside()], ORDER)


def test_reaches_outside():
    assert reaches_outside(Outside)
    assert not reaches_outside(Counted)


def test_may_stop():
    def plain(v):
        return v * v

    def stops(v):
        raise StopIteration

    assert may_stop(stops) and not may_stop(plain) and not may_stop(len)


def test_names_of_globals_are_no_names_of_attributes():
    def f(x):
        return math.sqrt(x.count) + sum(x.weights for _ in x)

    assert names_of_globals(f.__code__) == {"math", "sum"}
