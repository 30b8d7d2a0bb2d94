"""Frozen dataclasses that check or complete themselves when they are made (`__post_init__`)."""
import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


@dataclass(frozen=True, order=True)
class Checked:
    a: float
    b: float = 1.0

    def __post_init__(self):
        if self.b < 0.0:
            raise ValueError("b is negative")


@dataclass(frozen=True, slots=True)
class WithSlots:
    a: float
    b: float

    def __post_init__(self):
        assert self.b is not None


@dataclass(frozen=True)
class Completed:
    a: float
    b: float
    area: float = dataclasses.field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "area", self.a * self.b)

    def grown(self, k):
        return Completed(self.a * k, self.b)


@dataclass(frozen=True)
class Direction:
    parts: tuple
    length: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "length", sum(v * v for v in self.parts) ** 0.5)
        object.__setattr__(self, "parts", tuple(v / self.length for v in self.parts))


class WithSetter:
    def __init__(self, a):
        self._a = a

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, v):
        self._a = 3.0 * v


def checked(x):
    p = Checked(x[0], x[1])
    return p.a * p.b * p.a


def with_slots(x):
    p = WithSlots(x[0], x[1])
    return p.a * p.b


def completed(x):
    p = Completed(x[0], x[1]).grown(x[1])
    return p.area * p.a


def normed(x):
    d = Direction((x[0], x[1]))
    return d.parts[0] * d.length ** 2 + d.parts[1]


def in_a_loop(x):
    s, p = 0.0, Checked(x[0])
    for k in range(3):
        p = Checked(p.a * x[1], p.b + 1.0)
        s += p.a * p.b
    return s


def with_other_fields(x):
    p = Checked(x[0])
    return dataclasses.replace(p, a=x[1]).a * p.a


def constant_ones_as_keys(x):
    return {Checked(1.0): x[0], Checked(2.0): x[1]}[Checked(2.0)] * x[0]


def set_in_a_loop(x):
    s = 0.0
    for k in range(1, 4):
        p = Completed(x[0] * k, x[1])
        object.__setattr__(p, "b", p.area * p.b)
        s += p.a * p.b
    return s


def set_by_a_property(x):
    p = WithSetter(x[0])
    object.__setattr__(p, "a", x[1])
    return p.a * x[0]


def set_under_two_names(x):
    p = Completed(x[0], x[1])
    q = p
    object.__setattr__(q, "a", x[1] * 3.0)
    return p.a * p.area


NAMED = (checked, with_slots, completed, normed, in_a_loop, with_other_fields,
         constant_ones_as_keys, set_in_a_loop, set_by_a_property, set_under_two_names)
X = np.array([0.4, 0.9])


@pytest.mark.parametrize("f", (*NAMED, set_under_two_names))
def test_frozen_objects(f):
    tl.check_grads(f, (X,), order=1)
    assert tl.value_and_grad(f)(X)[0] == f(X)
    assert ("tape.call" not in tl.grad(f).source_for(X)) == (f in NAMED)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(X), tl.jacfwd(f)(X), rtol=1e-12)


def sets_a_field(x):
    p = Checked(x[0])
    p.a = x[1]
    return p.a


def fails_its_check(x):
    return Checked(x[0], -x[1]).a


@pytest.mark.parametrize("f, error", [(sets_a_field, dataclasses.FrozenInstanceError),
                                      (fails_its_check, ValueError)])
def test_what_raises_in_the_function(f, error):
    with pytest.raises(error):
        f(X)
    with pytest.raises(error):
        tl.grad(f)(X)
