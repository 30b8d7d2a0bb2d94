"""What an operator gives varies where the class of an operand says so, known or not."""
import math
import operator

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

X = 0.7


class Part:
    """Its slots keep it from being written out, so its kind is not known."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __and__(self, other):
        return Part(self.value * other.value)

    def __rshift__(self, factor):
        return Part(self.value * factor)

    def __ior__(self, other):
        self.value = self.value * other.value
        return self

    def __invert__(self):
        return Part(self.value ** 2)

    def __floordiv__(self, other):
        return self.value / other

    def __round__(self):
        return Part(2.0 * self.value)

    def __floor__(self):
        return Part(3.0 * self.value)

    def __gt__(self, other):
        return self.value * other


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __or__(self, other):
        return Slotted(self.value * other.value)


class Number:
    """What it gives is a number, and its kind is known."""

    def __init__(self, value):
        self.value = value

    def __xor__(self, other):
        return self.value * other

    def __lshift__(self, other):
        return self.value + other

    def __rshift__(self, other):
        return self.value * other

    def __rrshift__(self, other):
        return other * self.value ** 2

    def __invert__(self):
        return 1.0 / self.value

    def __lt__(self, other):
        return self.value * other

    def __gt__(self, other):
        return self.value ** 3 * other


def parts(x):
    return (Part(x) & Part(2.0 * x)).value


def parts_of_parts(x):
    both = Part(x) & (Part(3.0) & Part(x))
    return (both & Part(x)).value


def shifted(x):
    return (Part(x) >> 2.0 * x).value


def in_place(x):
    part = Part(x)
    part |= Part(3.0 * x)
    return part.value


def inverted(x):
    return (~Part(x)).value


def divided(x):
    return Part(x) // 4.0


def rounded(x):
    return round(Part(x)).value * math.floor(Part(x)).value


def of_slots(x):
    return (Slotted(x) | Slotted(x + 1.0)).value


def by_function(x):
    return operator.and_(Part(x), Part(x)).value


def numbers(x):
    return (Number(x) ^ 2.0 * x) + (Number(x) << x) * (Number(2.0) >> x) + (x >> Number(x))


def inverse(x):
    return ~Number(x)


def comparison(x):
    return (Number(x) < 2.0) * x


FOLLOWED = [parts, parts_of_parts, shifted, in_place, inverted, divided, rounded, of_slots,
            by_function, numbers, inverse, comparison]


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_operators_of_classes(f):
    wanted = (f(X + 1e-6) - f(X - 1e-6)) / 2e-6
    for _ in range(2):
        np.testing.assert_allclose(tl.grad(f)(X), wanted, rtol=1e-6)
        np.testing.assert_allclose(tl.jvp(f, (X,), (1.0,))[1], wanted, rtol=1e-6)


@pytest.mark.parametrize("f", [numbers, inverse, comparison], ids=lambda f: f.__name__)
def test_known_classes_go_by_names(f):
    with by_names():
        assert tl.grad(f)(X)


def reflected(x):
    return 2.0 < Number(x)


def comparison_by_function(x):
    return operator.lt(Number(x), 2.0)


def joined_sets(x):
    return sum({x} | {2.0 * x})


def common_to_sets(x):
    return sum({x, 1.0} & {x})


def in_one_of_two_sets(x):
    return max({x, 1.0} ^ {1.0})


@pytest.mark.parametrize("f", [reflected, comparison_by_function, joined_sets, common_to_sets,
                               in_one_of_two_sets], ids=lambda f: f.__name__)
def test_no_silent_zeros(f):
    for derivative in (lambda: tl.grad(f)(X), lambda: tl.jvp(f, (X,), (1.0,))):
        with pytest.raises(tl.TangentError, match="test_activity.py"):
            derivative()


def of_numbers(x):
    positive = (x > 0.0) & ~(x > 3.0)
    return x ** 2 * positive + (x // 0.3) * x + round(x) * x + math.floor(x) + (x == x)


def with_a_dict(x, known):
    seen = {"a": x} | known
    return x * (seen["a"] > 0.1) + 3.0 * (seen["b"] // 0.4) * x


def test_numbers_and_arrays_do_not_vary_by_them():
    with by_names():
        assert tl.grad(of_numbers)(X) == 2.0 * X + 0.6 / 0.3 + 1.0
        assert tl.grad(with_a_dict)(X, {"b": 1.0}) == 7.0
