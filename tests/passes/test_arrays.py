"""Lists that are given to NumPy: their derivatives are those of the arrays that NumPy makes."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import world

# What is said of f and h, lists of three numbers, and of w, an array of three.
CALLS = """
np.sum(f * w)
np.sum(w / f - f)
np.sum(w ** f)
np.sum((w - f) * (f + w))
np.array(h) @ f
w @ np.array(f) + f @ w
np.sum([f[0], f[1] * f[2], 1.0] * w)
np.sum((f[0], f[1] * f[2], 1.0) * w)
np.sum([v * v for v in f] * w)
np.sum(np.exp(f) * w)
np.sum(np.square(f) + np.log1p(h))
np.sum(np.power(f, 2) + np.power(2.0, f) + np.power(f, h))
np.sum(np.multiply(2, f) * w)
np.sum(np.multiply(f, 2))
np.add(f, h)[1]
np.sum(np.subtract(f, h) * np.divide(f, h))
np.sum(np.maximum(f, h) * w)
np.sum(np.minimum(f, 0.6) * np.fmax(h, f))
np.sum(np.clip(f, 0.4, 0.69) * w)
np.sum(np.hypot(f, h) + np.arctan2(f, h))
np.sum(np.where(w > 0.6, f, h))
np.sum(np.where(np.array(f) > 0.5, f, 2.0))
np.convolve(f, h)[1]
np.einsum("i,i->", f, h)
np.einsum("i,j->ij", f, h)[0, 1]
np.outer(f, h)[0, 1]
np.average(f, weights=h)
np.interp(0.4, [0, 1, 2], f)
np.interp(0.4, [0, 1, 2], [f[0], h[1], 2.0])
np.trapezoid(f, [0.0, 1.0, 2.5])
np.polyval(f, 1.5)
np.linalg.norm(f)
np.linalg.det([f, h, [0.0, 1.0, 0.5]])
np.linalg.solve([[2.0, f[0]], [h[0], 3.0]], [f[1], 1.0])[0]
np.linalg.lstsq([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], f)[0][1]
np.sum(np.array([f, f]) * np.array([w, 2.0 * w]))
np.sum(np.stack([f, h, f]) * w)
np.sum(np.concatenate([f, [h[0], 2.0]])[1:])
np.ravel([f, h, f])[4]
np.mean([f, f], axis=0)[1]
np.cumsum([f, f], axis=1)[1, 1]
np.transpose([f, h])[0, 1] * np.rot90([f, f])[0, 1]
np.cumsum(f)[1] * np.std(f) + np.median(h)
np.sum(np.cross(f, h))
np.logaddexp.reduce(f)
w.dot(f)
np.sum(np.diff(f, prepend=[h[0]]))
""".strip().splitlines()

FUNCTION = "def fun(f, h, w):\n    return {}\n"
PLACES = [np.array([0.31, 0.64, 0.72]), np.array([0.83, 0.53, 0.92]), np.array([0.5, 1.5, 0.7])]


def lists(f, h, w):
    return f.tolist(), h.tolist(), w


def central(function, places):
    """Central differences of a function of arrays, by what is in each of them."""
    found = []
    for number, place in enumerate(places):
        for k in range(place.size):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [p.copy() for p in places]
                moved[number][k] += step
                ends.append(np.asarray(function(*lists(*moved)), float))
            found.append((ends[0] - ends[1]) / 2e-6)
    return np.array(found)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.sweep(8)
def test_derivatives(call):
    fun = world(FUNCTION.format(call))["fun"]
    want = central(fun, PLACES)
    gradient = tl.grad(fun, wrt=(0, 1, 2))
    with_names = np.concatenate(gradient(*lists(*PLACES)))
    assert not gradient._latest.by_identity
    np.testing.assert_allclose(with_names, want, rtol=1e-6, atol=1e-7)
    with by_identity():
        by_objects = np.concatenate(tl.grad(fun, wrt=(0, 1, 2))(*lists(*PLACES)))
    np.testing.assert_allclose(by_objects, want, rtol=1e-6, atol=1e-7)
    directions = [np.array([1.0, -0.5, 2.0]), np.array([0.3, 1.0, 1.0]), np.array([1.0, 2.0, -1.0])]
    moved = tl.jvp(fun, lists(*PLACES), lists(*directions))[1]
    np.testing.assert_allclose(moved, np.concatenate(directions) @ want, rtol=1e-6)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.sweep(8)
def test_second_order(call):
    fun = world(FUNCTION.format(call))["fun"]
    direction = [1.0, -0.5, 2.0]
    gradient = tl.grad(fun)
    f, h, w = PLACES
    ends = [np.array(gradient(*lists(f + step * np.array(direction), h, w)))
            for step in (1e-6, -1e-6)]
    found = tl.hvp(fun)(*lists(f, h, w), direction)
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / 2e-6, rtol=1e-4, atol=1e-6)


def test_in_place():
    def total(x):
        f = [v * v for v in x]
        y = x.copy()
        y += f
        y[1:] *= f[1:]
        f *= y                  # an array from here on
        f += x
        return np.sum(f * f)

    x = np.array([0.4, 1.2, 0.7])
    gradient = tl.grad(total)
    want = [(total(x + step) - total(x - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(gradient(x), want, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(total, (x,), (np.ones(3),))[1], np.sum(want), rtol=1e-7)
    assert not gradient._latest.by_identity


def test_a_list_times_a_number_is_repeated_or_refused_by_python():
    def repeated(x, n):
        return np.sum(np.array(n * [x[0], 2.0 * x[1]]) ** 2)

    x = np.array([0.4, 1.2])
    np.testing.assert_allclose(tl.grad(repeated)(x, 3), 3 * 2 * np.array([1, 4]) * x)
    np.testing.assert_allclose(tl.jvp(repeated, (x, 3), (np.ones(2), None))[1],
                               np.sum(3 * 2 * np.array([1, 4]) * x))

    def scaled(x, s):
        return np.sum([x[0], x[1]] * s)

    for derivative in (tl.grad(scaled), lambda *a: tl.jvp(scaled, a, (np.ones(2), None))):
        with pytest.raises(TypeError, match="can't multiply sequence by non-int"):
            derivative(x, 0.5)

    def divided(x):                     # numbers of NumPy make arrays of lists
        return np.sum([x[0], x[1]] / np.sum(x) * x)

    want = [(divided(x + step) - divided(x - step)) / 2e-6 for step in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(tl.grad(divided)(x), want, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(divided, (x,), (np.ones(2),))[1], np.sum(want), rtol=1e-7)


def test_what_is_written():
    def f(x):
        return np.sum(np.exp([v * v for v in x]))

    text = tl.grad(f).source_for(np.ones(3))
    assert "np.exp(np.array(parts))" in text
    assert "bparts = (bf * exp).tolist()" in text


@pytest.mark.parametrize("call", [
    "np.sum(np.maximum(f, h) * w)", "np.sum([f[0], f[1] * f[2], 1.0] * w)"])
def test_compiled(call):
    pytest.importorskip("numba")
    fun = world(FUNCTION.format(call))["fun"]
    found = tl.grad(fun, wrt=2, backend="numba")(*lists(*PLACES))
    np.testing.assert_allclose(found, tl.grad(fun, wrt=2)(*lists(*PLACES)))


def joined(x):
    f = [x[0], x[1]]
    f += x * x                  # no longer list: NumPy adds the two
    f *= 2.0
    return np.sum(f * x)


def joined_tuples(x):
    f = x[0], x[1] * x[0]
    f += x * x
    f -= (1.0, x[0])
    return np.sum(f * x)


def extended(x):
    f = [x[0], x[1]]
    f.extend(x * x)             # a list of four
    f += [x[0] * x[1]]
    f *= 2
    return np.sum(np.array(f)[1:] * np.arange(9.0))


@pytest.mark.parametrize("function", [joined, joined_tuples, extended])
def test_lists_that_become_arrays(function):
    x = np.array([0.4, 1.2])
    want = [(function(x + step) - function(x - step)) / 2e-6 for step in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(tl.grad(function)(x), want, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(function, (x,), (np.ones(2),))[1], np.sum(want), rtol=1e-7)
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(x), want, rtol=1e-7)
