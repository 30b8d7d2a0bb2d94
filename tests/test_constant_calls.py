"""Calls that nothing varies in: of libraries, which are not read then, and of cached functions,
which give the same array again to whoever asks."""
import functools
import json
import struct

import numpy as np
import pytest

from tangent_lite import grad, jvp, normal_form, value_and_grad
from tangent_lite.errors import MissingRuleError
from tangent_lite.source import source_of
from tests.closeness import close
from tests.closeness import slope as plain_slope
from tests.heap.forced import by_identity

signal = pytest.importorskip("scipy.signal")
spatial = pytest.importorskip("scipy.spatial")


@functools.lru_cache(maxsize=None)
def grid(n):
    return np.linspace(0.0, 1.0, n)


@functools.cache
def quadrature(n):
    return np.polynomial.legendre.leggauss(n)


@functools.cache
def two_arrays(n, scale=2.0):
    a = np.arange(n) * scale
    return a, a + 1.0


@functools.cache
def listed(n):
    return [float(k) for k in range(n)]


class Scales:
    unit = [2.0]


@functools.cache
def scaled(n):
    return np.arange(n) * Scales.unit[0]




def helper(n):
    return grid(n)


# By names ---------------------------------------------------------------------------------------
def read_twice(x, n):
    t = grid(n)
    s = t * x
    return np.sum(s * grid(n))


def nodes_and_weights(x, n):
    nodes, weights = quadrature(n)
    return np.dot(weights, np.exp(x * nodes))


def asked_in_a_loop(x, n):
    s = 0.0
    for k in range(n):
        a, b = two_arrays(k + 1, 3.0)
        s += x ** 2 * a[-1] * b[0]
    return s


def copied_and_written(x, n):
    w = grid(n) * x
    for _ in range(3):
        w = w + grid(n) * w
        w *= 0.5
    return np.sum(w)


BY_NAMES = read_twice, nodes_and_weights, asked_in_a_loop, copied_and_written


# What is kept is written into -------------------------------------------------------------------
def scaled_in_place(x, n):
    a = grid(n)
    a *= x
    return np.sum(grid(n) * x)


def one_element(x, n):
    a = grid(n)
    s = x * a[1]
    a[1] = 2.0
    return s * grid(n)[1] * a[1]


def one_of_two(x, n):
    a, b = two_arrays(n)
    s = np.sum(x * a * b)
    b[0] = s
    return s * two_arrays(n)[1][0]


def a_view_of_one(x, n):
    a, _ = two_arrays(n)
    part = a[1:]
    part += x
    a, b = two_arrays(n)
    return np.sum(a * x) + np.sum(b)


def an_item(x, n):
    a = listed(n)
    s = x * a[1]
    a[1] = 5.0
    return s * x * listed(n)[1]


def two_names(x, n):
    a = grid(n)
    b = grid(n)
    a[0] = x
    return b[0] * x


def in_a_list(x, n):
    both = [grid(n), grid(n)]
    both[0][1] = x
    return both[1][1] * x


def by_a_helper(x, n):
    t = helper(n)
    t *= x
    return np.sum(helper(n)) * x


def of_a_class(x, n):
    t = scaled(n)
    t[1] *= x
    return np.sum(scaled(n)) * x


# What is asked for is an object or a function, which may hold what varies -------------------------
class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness


@functools.cache
def energy(spring):
    return spring.stiffness ** 2


@functools.cache
def applied(function, n):
    return function(n)


def an_object_that_changes(x, n):
    spring = Spring(2.0)
    e = energy(spring)
    spring.stiffness = x
    e = e + x * energy(spring)              # as it was
    other = Spring(x)
    e = e + energy(other)
    other.stiffness = x * n
    return e + x * energy(other)


def a_function_that_captures(x, n):
    square = lambda k: x * x * k            # noqa: E731
    return applied(square, n) * applied(square, n) + applied(abs, n) * x


CACHED = grid, quadrature, two_arrays, listed, scaled, energy, applied
HELD = an_object_that_changes, a_function_that_captures
WRITTEN = (scaled_in_place, one_element, one_of_two, a_view_of_one, an_item, two_names, in_a_list,
           by_a_helper, of_a_class)


CASES = [(f, before) for f in (*BY_NAMES, *WRITTEN, *HELD) for before in (False, True)
         if f is not of_a_class or not before]  # what it reads may vary: it is computed anew


def told(f, x, n, before):
    """What a function gives, where it was called with 0.7 before, or was not."""
    for cached in CACHED:
        cached.cache_clear()
    if before:
        f(0.7, n)
    return f(x, n)


def slope(f, x, n, before, step=1e-6):
    return (told(f, x + step, n, before) - told(f, x - step, n, before)) / (2 * step)


@pytest.mark.parametrize("f, before", CASES)
def test_cached_functions(f, before):
    expected = told(f, 1.3, 3, before), slope(f, 1.3, 3, before)
    told(lambda x, n: f(0.7, n) if before else None, 0.0, 3, False)
    close(value_and_grad(f)(1.3, 3), expected, 1e-6)


@pytest.mark.parametrize("f", BY_NAMES)
def test_are_followed_by_names(f):
    derivative = grad(f)
    close(derivative(1.3, 3), slope(f, 1.3, 3, False), 1e-6)
    assert "tape.call" not in derivative.source
    close(jvp(f, (1.3, 3), (1.0, None))[1], slope(f, 1.3, 3, False), 1e-6)
    with by_identity():
        close(grad(f)(1.3, 3), slope(f, 1.3, 3, False), 1e-6)


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.cache
    def points(self):
        return np.linspace(0.0, 1.0, self.n)


def test_objects_are_kept_by_nobody():
    """By identity there are copies of them, which a cache would keep for good."""
    def f(x, grid):
        t = grid.points()
        t[0] += x
        return np.sum(t) * x

    Grid.points.cache_clear()
    with by_identity():
        close(grad(f)(1.3, Grid(3)), 1.5 + 2.0 * 1.3)
    assert Grid.points.cache_info().currsize == 0


# Libraries --------------------------------------------------------------------------------------
def filtered(x, cutoff, rate):
    b, a = signal.butter(2, cutoff / (0.5 * rate))
    window = signal.get_window("hann", 8)
    return np.sum(b * x * x) * a[1] + np.sum(window * np.sin(x)) \
        + np.sum(signal.firwin(5, 0.3) * x)


def read_from_text(x, text):
    known = json.loads(text)
    return x * x * known["mass"] + x * known["weights"][1]


PROGRAMS = [(filtered, (1.3, 2.0, 10.0)), (read_from_text, (1.3, '{"mass": 2, "weights": [1, 4]}'))]


@pytest.mark.parametrize("f, arguments", PROGRAMS)
def test_libraries_are_not_read_for_constants(f, arguments, monkeypatch):
    def read(function):
        assert function.__module__ == __name__, function
        return source_of(function)

    monkeypatch.setattr(normal_form, "source_of", read)
    x, *others = arguments
    derivative = grad(f)
    close(derivative(*arguments), plain_slope(lambda v: f(v, *others), x))
    assert "tape.call" not in derivative.source
    moved = jvp(f, arguments, (1.0, *[None] * len(others)))[1]
    close(moved, plain_slope(lambda v: f(v, *others), x))


# Calls of which nothing is known may change what they are given ----------------------------------
def packed(x, y):
    return x * x * struct.unpack("d", struct.pack("d", 0.5))[0]


def nearest(x, y):
    tree = spatial.KDTree(y[:, None])
    distance, place = tree.query(0.3)
    return x * x * y[place] * distance


def of_an_object(x, y):
    return np.sum(np.polynomial.Polynomial([1.0, 2.0])(y) * x * x)


def changed_before(x, y):
    a = y.copy()
    struct.pack_into("d", a, 0, 5.0)
    s = x * x * a[0]
    return s * a[1]


def changed_after(x, y):
    a = y.copy()
    s = x * x * a[0]
    struct.pack_into("d", a, 0, 5.0)
    return s * a[1]


def changed_by_the_next_step(x, y):
    a, s = y.copy(), 0.0
    for k in range(3):
        s += x * x * a[0]
        struct.pack_into("d", a, 0, float(k))
    return s


def changed_by_a_condition(x, y):
    a, s = y.copy(), x
    while struct.pack_into("d", a, 0, a[0] + 1.0) is None and a[0] < 4.0:
        s = s * x * a[0]
    return s


def read_by_another_name(x, y):
    a = y.copy()
    rest = a[1:]
    s = x * x * rest
    struct.pack_into("d", a, 8, 5.0)
    return np.sum(s * s * rest)


def pack_five(held):
    struct.pack_into("d", held[0], 8, 5.0)


def changed_by_a_helper(x, y):
    a = y.copy()
    s = x * x * a
    pack_five((a, 1))
    return np.sum(s * s * a)


HARMLESS = (packed, nearest, of_an_object, changed_before, changed_after, changed_by_the_next_step,
            changed_by_a_condition)
Y = np.array([0.2, 0.5, 0.9])


@pytest.mark.parametrize("f", HARMLESS)
def test_numbers_and_what_is_read_behind_the_call(f):
    derivative = value_and_grad(f)
    close(derivative(1.3, Y), (f(1.3, Y), plain_slope(lambda x: f(x, Y), 1.3)), 1e-7)
    assert "tape.call" not in derivative.source


@pytest.mark.parametrize("f, name", [(read_by_another_name, "rest"), (changed_by_a_helper, "a")])
def test_a_call_behind_an_array_that_is_read(f, name):
    with pytest.raises(MissingRuleError, match="no adjoint rule for pack_into") as found:
        value_and_grad(f)(1.3, Y)
    assert f"the derivative reads {name}, which a call changes" in str(found.value.__cause__)
