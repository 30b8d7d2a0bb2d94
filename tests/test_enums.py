"""Members of enumerations: names for options, and those that are whole numbers."""
import enum

import numpy as np
import pytest

from tangent_lite import UnsupportedSyntaxError, jvp, value_and_grad
from tests.closeness import close, slope
from tests.heap.forced import by_identity


class Power(enum.IntEnum):
    LINEAR = 1
    SQUARE = 2


class Parts(enum.IntFlag):
    INNER = 1
    OUTER = 2


class Mode(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


class Sevenfold(enum.IntEnum):
    ONE = 1

    def __mul__(self, other):
        return 7.0 * other


def as_numbers(x, power):
    return power * x ** Power.SQUARE + Power["LINEAR"] * x


def of_its_own_product(x, power):
    return Sevenfold.ONE * x * power


def as_flags(x, power):
    return x * Parts.OUTER + (Parts.INNER | Parts.OUTER) * x * power


def as_flags_by_operators(x, power):
    flags = Parts(int(power))
    flags |= Parts.OUTER
    return x * (flags ^ Parts.INNER) * (x if flags & Parts.OUTER else 2.0)


def as_places(x, power):
    v = np.array([x, x * x, 1.0])
    v[Power.LINEAR] *= power
    return np.sum(v) * v[Power.SQUARE]


def as_a_condition(x, power):
    if power == Power.SQUARE:
        return x * x
    return x * power.value * len(power.name)


def as_keys(x, power):
    rates = {Mode.FAST: x, Mode.SLOW: 0.5, Power.SQUARE: 3.0}
    return rates[Mode.FAST] * rates[Mode.SLOW] * rates[Power.SQUARE] * power


def as_a_count(x, power):
    for _ in range(power):
        x = x * Power.SQUARE
    return x * x


def matched(x, power):
    match power:
        case Power.LINEAR:
            return 3.0 * x
        case Power.SQUARE:
            return x * x


def all_of_them(x, power):
    s = 0.0
    for one in Power:
        s += x ** one * power
    return s


PROGRAMS = (as_numbers, of_its_own_product, as_flags, as_flags_by_operators, as_places,
            as_a_condition, as_keys, as_a_count, matched, all_of_them)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("power", Power)
def test_members(f, power):
    expected = f(1.3, power), slope(lambda x: f(x, power), 1.3)
    derivative = value_and_grad(f)
    close(derivative(1.3, power), expected)
    assert "tape.call" not in derivative.source or f in (all_of_them, as_flags_by_operators)
    with by_identity():
        close(value_and_grad(f)(1.3, power), expected)
    if f is not all_of_them:
        close(jvp(f, (1.3, power), (1.0, None))[1], expected[1])


class Unit(float, enum.Enum):
    HALF = 0.5


def test_members_of_their_own_class_are_refused():
    with pytest.raises(UnsupportedSyntaxError, match="an operator does with an object"):
        value_and_grad(lambda x: x * Unit.HALF)(1.3)
