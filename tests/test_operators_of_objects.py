"""Operators of objects without attributes, of numbers of classes of the user's, and of what is an
object at some times only: what they mean is said by the class, never by the rules for numbers."""
import enum
import fractions

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError


class Powers:
    """Each operator gives a power of the other operand."""
    __array_ufunc__ = None

    def __add__(self, other):
        return other ** 2

    def __radd__(self, other):
        return other ** 3

    def __sub__(self, other):
        return other ** 4

    def __rsub__(self, other):
        return other ** 5

    def __mul__(self, other):
        return other ** 6

    def __rmul__(self, other):
        return other ** 7

    def __truediv__(self, other):
        return other ** 8

    def __rtruediv__(self, other):
        return other ** 9

    def __mod__(self, other):
        return other ** 10

    def __pow__(self, other):
        return other ** 11

    def __rpow__(self, other):
        return other ** 12

    def __neg__(self):
        return 5.0


class Called(Powers):
    def __call__(self, x):
        return x * x


class Kept(Powers):
    def __init__(self):
        self.rate = 2.0


class Laplacian:
    def __matmul__(self, u):
        out = np.zeros_like(u)
        out[1:-1] = u[2:] - 2.0 * u[1:-1] + u[:-2]
        return out


class Angle(float):
    def __add__(self, other):
        return 3.0 * other

    def __rmul__(self, other):
        return other * other


class Count(int):
    def __rmul__(self, other):
        return other * other


class Length(np.float64):
    def __mul__(self, other):
        return other * other


class Named(float):
    def __str__(self):
        return "named"


class Level(enum.IntEnum):
    HIGH = 3


POWERS, CALLED, KEPT, LAPLACIAN = Powers(), Called(), Kept(), Laplacian()


def all_of_them(x):
    return (POWERS + x) + (x + POWERS) * 2.0 + (POWERS - x) * 3.0 + (x - POWERS) * 4.0 \
        + POWERS * x + x * POWERS + POWERS / x + x / POWERS + POWERS % x + POWERS ** x \
        + x ** POWERS + (-POWERS) * x


def of_called(x):
    return CALLED(x) + CALLED * x + (x + CALLED)


def made_here(x):
    made = Powers()
    x += made
    return made - x


def in_steps(u, n):
    for _ in range(n):
        u = u + 0.1 * (LAPLACIAN @ u)
    return np.sum(u ** 2)


def one_of(x, kept):
    q = (KEPT if kept else POWERS) if x > 0.0 else 2.0
    return q * x


def of_items(x, items):
    total = 0.0
    for q in items:
        total = total + q * x + x * q
    return total


def once_an_object(x, n):
    q = 2.0
    for i in range(n):
        q = q * x
        if i == 1:
            q = KEPT
    return q + x


def perhaps(x, given):
    q = KEPT
    if not given:
        q = None
    return 2.0 * x if q is None else q * x


def slope_of(f, x, *rest):
    """Central differences, of the fourth order."""
    def along(step):
        return (8.0 * (f(x + step, *rest) - f(x - step, *rest))
                - (f(x + 2.0 * step, *rest) - f(x - 2.0 * step, *rest))) / 12e-3
    if isinstance(x, np.ndarray):
        return np.array([along(1e-3 * row) for row in np.eye(len(x))])
    return along(1e-3)


def agree(f, *args):
    expected = slope_of(f, *args)
    derivative = tl.grad(f)
    for _ in range(2):
        np.testing.assert_allclose(derivative(*args), expected, rtol=1e-6)
    ones = np.ones_like(args[0]) if isinstance(args[0], np.ndarray) else 1.0
    along = tl.jvp(f, args, (ones, *[None] * (len(args) - 1)))[1]
    np.testing.assert_allclose(along, np.sum(expected), rtol=1e-6)
    value, pullback = tl.vjp(f, *args, wrt=0)
    assert value == f(*args)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0), expected, rtol=1e-6)


@pytest.mark.parametrize("f", [all_of_them, of_called, made_here])
def test_of_objects_without_attributes(f):
    agree(f, 0.9)


def test_of_matrices_without_attributes():
    agree(in_steps, np.arange(5.0) ** 1.5, 3)


def test_second_derivatives():
    slope = tl.grad(all_of_them)
    np.testing.assert_allclose(tl.grad(slope)(0.9), slope_of(slope, 0.9), rtol=1e-6)


@pytest.mark.parametrize("f, given", [
    (one_of, [(0.9, False), (0.9, True), (-0.9, True)]),
    (of_items, [(0.9, [POWERS, 2.0, KEPT, 3.0]), (0.9, [2.0, KEPT]), (0.9, [POWERS, KEPT])]),
    (once_an_object, [(0.9, n) for n in range(5)]),
    (perhaps, [(0.9, True), (0.9, False)]),
])
def test_of_what_is_an_object_at_times(f, given):
    for args in given:
        agree(f, *args)


def test_operators_that_a_class_gets_later():
    class Plain:
        pass
    plain = Plain()

    def f(x):
        return plain + x

    derivative = tl.grad(f)
    for power in (3, 5):
        Plain.__add__ = lambda self, other, power=power: other ** power
        np.testing.assert_allclose(derivative(0.9), power * 0.9 ** (power - 1))


@pytest.mark.parametrize("number", [Angle(2.0), Count(2), Length(2.0)])
def test_numbers_that_compute_in_their_own_way_are_refused(number):
    def plainly(x):
        return number * x + x * number

    def by_a_function(x):
        return np.multiply(x, number)

    def by_identity(x):
        kept = {int(x): [x]}
        kept[int(x)].append(x * x)
        return sum(kept[int(x)]) * number

    for f in (plainly, by_a_function, by_identity):
        for call in (tl.grad(f), lambda x, f=f: tl.jvp(f, (x,), (1.0,))):
            with pytest.raises(UnsupportedSyntaxError, match=type(number).__name__):
                call(0.9)


@pytest.mark.parametrize("number", [Named(2.0), Level.HIGH, fractions.Fraction(1, 2), True])
def test_other_numbers_of_classes_are_numbers(number):
    def f(x):
        return number * x * x + x / number

    agree(f, 0.9)
