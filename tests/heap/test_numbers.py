"""Operators of numbers of several types, and attributes that are plainly read or not: steps that
most operations take, and those for which more has to be asked."""
import gc
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def found(f, *values, wrt=0):
    """The gradient by identity, twice: the second time all calls are known."""
    with by_identity():
        first, second = (tl.grad(f, wrt=wrt)(*values) for _ in range(2))
    assert np.array_equal(first, second)
    return second


TWO, HALF, TRUTH = 2, np.float32(0.5), np.True_


def of_types(x, y):
    whole = len((x, y)) + 1
    s = x * whole - whole / y + (whole - x) * (y / whole)
    s += whole
    s *= y
    s -= x / TWO
    s /= TWO
    return s + whole * TWO - whole / TWO


def of_numpy(x, y):
    a = np.array([x, y, 2.0])
    s = a[0] * a[1] - a[2] / a[1] + (a[0] - y) * (x / a[2])
    s += a[1]
    s *= HALF
    return s * TRUTH + a[0] / TWO + 3 * a[1] - 1 / a[0]


def compared(x, y):
    a = np.array([x, y])
    s = x if x < y else y
    s = s * 2.0 if a[0] <= y else s * 3.0
    s = s * 2.0 if 1 != TWO and a[0] != a[1] and "b" > "a" else s * 5.0
    return s if x >= 3 else s * y


def with_constants(x, y):
    s = x ** 2 + y ** TWO + x ** -1 + max(x, 1) * min(0, y) + max(x, y, 2)
    for k in range(4):
        s = s + x ** k * y ** (k - 2)
    return s + round(x, 1) * y + abs(y) + math.pow(x, 3) + math.hypot(x, y) + 7 % TWO * x


def by_floor(x, y):
    return np.floor(x) * y + x // 1 + y % 1 + x % y


@pytest.mark.parametrize("f", [of_types, of_numpy, compared, with_constants, by_floor])
@pytest.mark.parametrize("values", [(0.7, 1.9), (2.4, 1.3), (np.float64(0.7), 1.3)])
def test_numbers(f, values):
    gradient = found(f, *values, wrt=(0, 1))
    step = 1e-6
    for k, part in enumerate(gradient):
        up, down = ([v + sign * step * (n == k) for n, v in enumerate(values)] for sign in (1, -1))
        assert np.isclose(part, (f(*up) - f(*down)) / (2 * step), atol=1e-7), k


class Described:
    """A descriptor that is asked first, whatever an object holds by its name."""

    def __get__(self, owner, kind=None):
        return 3.0 * owner.__dict__["value"]

    def __set__(self, owner, value):
        owner.__dict__["value"] = value


class Doubling:
    value = Described()

    def __init__(self, value):
        self.value = value


class WithDefault:
    value = 5.0
    other = None


class Asked:
    __slots__ = ("_value",)

    def __init__(self, value):
        self._value = value

    def __getattr__(self, name):
        if name == "value":
            return self._value * 4.0
        raise AttributeError(name)


class Cached:
    def __init__(self, x):
        self.x = x

    @property
    def value(self):
        return self.x * self.x


def described(x):
    return Doubling(x).value


def defaulted(x):
    held = WithDefault()
    s = held.value * x
    held.value, held.other = x * x, x
    return s + held.value + held.other


def asked(x):
    return Asked(x).value


def cached(x):
    held = Cached(x)
    held.__dict__["value"] = 100.0              # a property comes first
    return held.value


def shared(x):
    def scaled():
        return x * rate
    rate = x * 2.0
    return scaled()


@pytest.mark.parametrize(("f", "slope"), [
    (described, 3.0), (defaulted, 5.0 + 2 * 0.7 + 1.0), (asked, 4.0), (cached, 1.4), (shared, 2.8)])
def test_attributes(f, slope):
    assert np.isclose(found(f, 0.7), slope)
    assert np.isclose(tl.jvp(f, (0.7,), (1.0,))[1], slope)


def test_not_bound_yet():
    def f(x):
        def scaled():
            return x * rate
        y = scaled()
        rate = x
        return y * rate
    with pytest.raises(NameError):
        found(f, 0.7)


def test_recorded_calls_serve_other_constants():
    def f(x, n):
        return x ** n + np.sum(np.ones(3) * x, axis=0)
    with by_identity():
        d = tl.grad(f)
        for n in (0, 1, 2, 3, -1, True, 30, 31, 2, *range(40)):
            assert np.isclose(d(0.7, n), n * 0.7 ** (n - 1) + 3.0)


def test_the_collector_rests_meanwhile():
    def f(x, fails=False):
        if fails:
            raise ValueError("as asked")
        return x * x, 1.0 * gc.isenabled()

    with by_identity():
        d = tl.grad(f, has_aux=True)
        assert d(0.7) == (1.4, 0.0)
        with pytest.raises(ValueError, match="as asked"):
            d(0.7, True)
        (_, was_on), pullback = tl.vjp(f, 0.7)
        assert was_on == 0.0
        assert gc.isenabled()
        assert pullback((1.0, 0.0))[0] == 1.4
    assert gc.isenabled()
