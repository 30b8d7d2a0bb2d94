"""Numbers of fewer bits than 64 (`numba_narrow`): as NumPy computes them, or refused."""
from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("numba")

import tangent_lite as tl

SMALL = np.array([1, 3], np.int32)


def sparse(data, indices, indptr, x):
    """As scipy.sparse keeps its matrices."""
    total = 0.0
    for i in range(len(indptr) - 1):
        row = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            row += data[k] * x[indices[k]]
        total += row * row
    return total


def segments(x, starts):
    total = 0.0
    for i in range(len(starts) - 1):
        part = x[starts[i]:starts[i + 1]]
        count = starts[i + 1] - starts[i]
        total += np.sum((part - np.sum(part) / count) ** 2) / max(count - 1, 1)
    return total


def rows(table, index, weights):
    """Rows that an array of ints along two axes names, some of them twice."""
    part = table[index]
    return np.sum(part * part * part) + np.sum(table[weights] ** 2)


def of_module(x, n):
    total = 0.0
    for k in SMALL:
        total += x[k] ** n
    return total


def checked(function, args, wrt=0):
    found = tl.value_and_grad(function, wrt=wrt, backend="numba")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value, gradient = found(*args)
    assert value == function(*args)
    parts = gradient if isinstance(wrt, tuple) else (gradient,)
    spots = wrt if isinstance(wrt, tuple) else (wrt,)
    for spot, part in zip(spots, parts):
        direction = np.random.default_rng(3).normal(size=np.shape(args[spot]))

        def along(t, spot=spot, direction=direction):
            moved = list(args)
            moved[spot] = moved[spot] + t * direction
            return function(*moved)
        slope = (along(1e-6) - along(-1e-6)) / 2e-6
        assert np.allclose(np.sum(part * direction), slope, rtol=1e-6, atol=1e-8)
    expected = tl.grad(function, wrt=wrt)(*args)
    for one, other in zip(parts, expected if isinstance(wrt, tuple) else (expected,)):
        assert np.allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("function, args, wrt", [
    (sparse, (np.arange(1.0, 7.0), np.array([0, 2, 1, 0, 1, 2], np.int32),
              np.array([0, 2, 3, 6], np.int32), np.array([0.5, -1.0, 2.0])), (0, 3)),
    (segments, (np.array([0.3, 1.0, -2.0, 4.0, 0.1, 0.2, 7.0]), np.array([0, 1, 3, 6], np.int16)),
     0),
    (rows, (np.arange(10.0).reshape(5, 2) / 7.0, np.array([[0, 1, -1], [1, 1, 2]], np.int32),
            np.array([0, 0, 4], np.uint8)), 0),
    (of_module, (np.array([0.3, 1.5, -2.0, 4.0]), 3), 0)],
    ids=["sparse", "segments", "rows", "of_module"])
def test_indices_of_fewer_bits(function, args, wrt):
    checked(function, args, wrt)


# What wraps around --------------------------------------------------------------------------------
def wraps_at_once(x, n):
    kept = np.zeros(2, np.int32)
    kept[0] = n
    return x * x * (kept[0] * 4 + 1)


def wraps_below_zero(x, n):
    kept = np.zeros(2, np.uint8)
    kept[0] = n - n
    return x * x * (kept[0] - 1)


def wraps_later(x, e):
    k = e[0]
    j = k * 2
    for _ in range(2):
        j = j * k
    return x * x * j


def wraps_behind_a_list(x, e):
    kept = []
    for i in range(2):
        kept.append(e[i] + 1)
    total = 0.0
    for k in kept:
        total += x * x * (k * 70000)
    return total


def wraps_behind_a_choice(x, e):
    pair = (e[0] + 1, 2)
    k = 1
    if x > 0.0:
        k = max(pair[0], 3)
    return x * x * (k * 70000)


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("function, argument", [
    (wraps_at_once, 2 ** 30), (wraps_below_zero, 3), (wraps_later, np.array([70000, 5], np.int32)),
    (wraps_behind_a_list, np.array([70000, 5], np.int32)),
    (wraps_behind_a_choice, np.array([70000, 5], np.int32))])
def test_ints_that_wrap_around(function, argument):
    """Numba alone takes 64 bits, and has another value."""
    expected = function(1.5, argument)
    found = tl.value_and_grad(function, backend="numba")
    with pytest.warns(RuntimeWarning, match="the compiled derivative stopped"):
        value, gradient = found(1.5, argument)
    assert value == expected
    assert gradient == pytest.approx(2.0 * expected / 1.5, rel=1e-12)     # all go with x * x


def test_ints_that_fit_stay_compiled():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value, gradient = tl.value_and_grad(wraps_later, backend="numba")(
            1.5, np.array([10, 5], np.int32))
    assert value == 2.25 * 2000 and gradient == 3.0 * 2000


# What is refused ----------------------------------------------------------------------------------
def shifted_places(x, index):
    return np.sum(x[index + 1] ** 2)


def root(x, index):
    small = index.astype(np.int16)
    return x[0] * np.sqrt(small[0])


def summed_in_single(x, index):
    y = x.astype(np.float32)
    total = 0.0
    for i in range(len(y)):
        total += y[i] * y[i]
    return total


def repeated(x, k):
    total = 0.0
    for _ in range(3):
        total += x * (k * 70000)
    return total


def handed_on(x, index):
    return repeated(x[0], index[0] + 1) * repeated(x[1], index[1])


@pytest.mark.parametrize("function, words", [
    (shifted_places, "arithmetic with an array of int32"), (root, "sqrt of a number of type int16"),
    (summed_in_single, "arithmetic with float32"), (handed_on, "handed on to another function")])
def test_what_is_of_other_types_is_refused(function, words):
    with pytest.raises(tl.UnsupportedSyntaxError, match=words) as caught:
        tl.grad(function, backend="numba")(np.ones(3), np.array([0, 1], np.int32))
    assert "test_numba_narrow.py" in str(caught.value)
