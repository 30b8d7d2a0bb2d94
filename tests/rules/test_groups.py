"""Positions that repeat in np.maximum.at and its like, and the segments of np.maximum.reduceat."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.passes.test_effects import function
from tests.rules.support import check

rng = np.random.default_rng(4)
V, X, C = (rng.uniform(0.4, 1.5, shape) for shape in ((6,), (4, 3), (2, 4, 3)))
W = rng.uniform(0.4, 1.5, (4, 3))
ZEROS = np.array([0.0, 2.0, 3.0, 0.0, 0.0, 1.5])
UFUNCS = (np.maximum, np.minimum, np.fmax, np.fmin, np.multiply, np.divide, np.logaddexp)
EXTREMES = (np.maximum, np.minimum, np.fmax, np.fmin, np.multiply)


# Segments ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("ufunc", EXTREMES)
@pytest.mark.parametrize("x, indices, axis", [
    (V, [0, 2, 3], 0), (V, [2], 0), (V, [3, 0, 0, 5, 1], 0), (V, [], 0), (X, [1, 3], 0),
    (X, [2, 0], 1), (C, [0, 2], -2), (V.astype(np.float32), [0, 4], 0), (X.T, [0, 1], 0),
    (V[::-2], [0, 1], 0)])
def test_segments(ufunc, x, indices, axis):
    check(ufunc.reduceat, x, np.array(indices, int), axis)


def test_products_of_segments_with_zeros():
    for indices in ([0, 3], [0, 1, 4], [2, 0]):
        check(np.multiply.reduceat, ZEROS, indices)
    check(np.multiply.reduceat, V + 0.5j * ZEROS, [0, 2, 1])
    check(np.multiply.reduceat, V.astype(np.float32), [0, 2, 1], dtype=float)


def test_ties_in_a_segment():
    x = np.array([1.0, 3.0, 3.0, 2.0, 2.0, 3.0])
    slope = tl.grad(lambda x: np.sum(np.array([1.0, 10.0]) * np.maximum.reduceat(x, [0, 3])))(x)
    np.testing.assert_array_equal(slope, [0, 0.5, 0.5, 0, 0, 10])
    slope = tl.grad(lambda x: np.sum(np.maximum.reduceat(x, [4, 1, 1])))(x)
    np.testing.assert_allclose(slope, [0, 1 + 1 / 3, 1 / 3, 0, 1, 1 / 3])


# Positions --------------------------------------------------------------------------------------
PLACES = [
    ("[0, 0, 1, 3]", "w"), ("([0, 0, -1, 3], 1)", "w[:, 0]"),
    ("([[0, 1], [0, 0]],)", "w[:2, None] * w[:2]"),
    ("(slice(0, 2), [0, 0, 2])", "w[:2]"), ("[0, 0]", "w[0, 0]"), ("[0, 0, 2, 1]", "y[::-1]"),
    ("np.array([], int)", "w[0]"), ("...", "w"), ("y[:, 0] > 0.8", "w[0]"), ("1", "w[2]"),
    ("np.ix_([0, 0], [1, 1])", "w[:2, :2]")]


def program(ufunc, place, value):
    """A function that writes twice, and reads what was there before."""
    return function(f"def f(x, w):\n    y = x * x\n    q = np.sum(y * y)\n    for k in range(2):\n"
                    f"        np.{ufunc.__name__}.at(y, {place}, {value})\n"
                    "    return np.sum(np.sin(y) * np.cos(x)) + q\n")


@pytest.mark.parametrize("ufunc", UFUNCS)
@pytest.mark.sweep(2)
def test_positions(ufunc):
    dx, dw = rng.normal(size=(2, 4, 3))
    for place, value in PLACES if ufunc in (np.maximum, np.multiply) else PLACES[:2]:
        f = program(ufunc, place, value)
        g = tl.grad(f, wrt=(0, 1))
        assert "tape.call" not in g.source_for(X, W)
        bx, bw = g(X, W)
        slope = (f(X + 1e-6 * dx, W + 1e-6 * dw) - f(X - 1e-6 * dx, W - 1e-6 * dw)) / 2e-6
        np.testing.assert_allclose(np.sum(bx * dx) + np.sum(bw * dw), slope, rtol=1e-5)
        assert tl.jvp(f, (X, W), (dx, dw))[0] == f(X, W)
        np.testing.assert_allclose(tl.jvp(f, (X, W), (dx, dw))[1], slope, rtol=1e-5)
        single = g(X.astype(np.float32), W.astype(np.float32))
        assert single[0].dtype == single[1].dtype == np.float32
        with by_identity():
            for one, other in zip(tl.grad(f, wrt=(0, 1))(X, W), (bx, bw)):
                np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("ufunc", UFUNCS)
def test_second_derivatives(ufunc):
    tl.check_grads(program(ufunc, "([0, 0, 2, 0], slice(None))", "w"), (X, W), order=2,
                   modes=("fwd", "rev"))


def test_products_of_zeros():
    def f(x, w):
        y = 1.0 * x
        np.multiply.at(y, [0, 0, 1, 1, 1, 2], w)
        return y[0] + 10.0 * y[1] + 100.0 * y[2]
    bx, bw = tl.grad(f, wrt=(0, 1))(np.array([2.0, 3.0, 0.0]), ZEROS)
    np.testing.assert_array_equal(bx, [0.0, 0.0, 150.0])
    np.testing.assert_array_equal(bw, [4.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def test_complex_products():
    def f(x, w):
        y = x * (1.0 + 0.5j)
        np.multiply.at(y, [0, 0, 2], w)
        np.divide.at(y, [1, 1, 2], w)
        return np.sum(np.abs(y) ** 2)
    tl.check_grads(f, (V[:3], V[3:] * (0.3 - 1.0j)), order=1)
    tl.check_grads(f, (V[:3], V[3:]), order=2)


def test_ties_are_shared():
    """With what was there, however often a position is named."""
    def f(x, w):
        y = 1.0 * x
        np.maximum.at(y, [0, 0, 1], w)
        return y[0] + 10.0 * y[1]
    bx, bw = tl.grad(f, wrt=(0, 1))(np.array([2.0, 1.0]), np.array([2.0, 2.0, 1.0]))
    np.testing.assert_allclose(bx, [1 / 3, 5.0])
    np.testing.assert_allclose(bw, [1 / 3, 1 / 3, 5.0])


def test_not_a_number():
    def f(x, w):
        y = 1.0 * x
        np.fmax.at(y, [0, 0, 1], w)
        return y[0] + 10.0 * y[1]
    bx, bw = tl.grad(f, wrt=(0, 1))(np.array([2.0, np.nan]), np.array([np.nan, 3.0, 1.0]))
    np.testing.assert_array_equal(bx, [0.0, 0.0])
    np.testing.assert_array_equal(bw, [0.0, 1.0, 10.0])


@pytest.mark.parametrize("y, values", [
    ("np.zeros(3, int) + 1", "x"), ("np.ones(3)", "x * (1.0 + 2.0j)"),
    ("np.ones(3)", "[x * (1.0 + 2.0j), x]")])
@pytest.mark.filterwarnings("ignore:Casting complex")
def test_what_is_cut_at_each_position(y, values):
    """NumPy casts after each of them: whole numbers do not vary, and imaginary parts are lost."""
    f = function(f"def f(x):\n    y = {y}\n    np.multiply.at(y, [0, 0, 2][:np.size({values})], "
                 f"{values})\n    return y[0] * 1.0\n")
    value, slope = tl.value_and_grad(f)(2.5)
    assert value == f(2.5)
    assert slope == pytest.approx(0.0 if "int" in y else (f(2.5 + 1e-6) - f(2.5 - 1e-6)) / 2e-6)


@pytest.mark.parametrize("ufunc", UFUNCS)
def test_values_of_a_longer_type(ufunc):
    """What lies in the array is rounded: it is none of the values any more, and yet one of them."""
    def f(w):
        y = np.array([0.1, 0.9, 0.3], np.float32)
        ufunc.at(y, [0, 1, 1, 2], w)
        return np.sum(y * np.array([1.0, 2.0, 3.0]))

    def longer(w):
        y = np.array([0.1, 0.9, 0.3])
        ufunc.at(y, [0, 1, 1, 2], w)
        return np.sum(y * np.array([1.0, 2.0, 3.0]))
    w = np.array([1.1, 0.7, 0.6, 0.2])
    slope = tl.grad(f)(w)
    assert slope.dtype == float
    np.testing.assert_allclose(slope, tl.grad(longer)(w), rtol=1e-6)
    np.testing.assert_allclose(tl.jvp(f, (w,), (np.arange(4.0),))[1], slope @ np.arange(4.0), 1e-6)
    with by_identity():
        np.testing.assert_array_equal(tl.grad(f)(w), slope)
