"""Calls that nothing varies in: of libraries, which are not read then, and of cached functions,
which give the same array again to whoever asks."""
import functools
import json

import numpy as np
import pytest

from tangent_lite import front_half, grad, jvp, value_and_grad
from tangent_lite.source import source_of
from tests.closeness import close
from tests.closeness import slope as plain_slope
from tests.heap.forced import by_identity

signal = pytest.importorskip("scipy.signal")


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


CACHED = grid, quadrature, two_arrays, listed, scaled


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


WRITTEN = (scaled_in_place, one_element, one_of_two, a_view_of_one, an_item, two_names, in_a_list,
           by_a_helper, of_a_class)


CASES = [(f, before) for f in (*BY_NAMES, *WRITTEN) for before in (False, True)
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

    monkeypatch.setattr(front_half, "source_of", read)
    x, *others = arguments
    derivative = grad(f)
    close(derivative(*arguments), plain_slope(lambda v: f(v, *others), x))
    assert "tape.call" not in derivative.source
    moved = jvp(f, arguments, (1.0, *[None] * len(others)))[1]
    close(moved, plain_slope(lambda v: f(v, *others), x))
