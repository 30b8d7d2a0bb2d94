"""What is added through either side of a choice is chosen once, and is what it was."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, -1.2, 0.8, 0.0, 2.5])
Y = np.array([0.4, 1.0, 0.8, 0.0, -2.0])


def pinball(x, q):
    return np.mean(np.where(x >= 0.0, q * x, (q - 1.0) * x))


def pinball_by_maximum(x, q):
    return np.mean(np.maximum(q * x, (q - 1.0) * x))


def huber(x, q):
    a = np.abs(x)
    return np.mean(np.where(a <= q, 0.5 * x ** 2, q * (a - 0.5 * q)))


def by_rows(x, q):
    rows = np.outer(Y, x)
    return np.sum(np.where(rows > q, rows * x, -rows * Y[:, None]))


def minima(x, q):
    return np.sum(np.minimum(x * Y, q * x + Y) * Y)


def bound_anew(x, q):
    total = 0.0
    for k in range(3):
        x = np.where(x > q, x * Y, -x * q)
        total = total + np.sum(np.maximum(x, q * x) * x)
    return total


def three_sides(x, q):
    return np.sum(np.where(x > q, x * 3.0, np.where(x > 0.0, x * q, x * Y)))


def two_conditions(x, q):
    return np.sum(np.where(x > q, x * 3.0, 2.0)) + np.sum(np.where(x < q, 2.0, x * Y))


def taken_off(x, q):
    p = 1.0 / (1.0 + np.exp(-x))
    return -np.mean(np.log(np.where(x > q, p, 1.0 - p)) * Y[:len(x)])


def taken_off_twice(x, q):
    y = x * q
    return np.sum(y * Y) - np.sum(np.where(x > q, 3.0 - y, 1.0 - y * Y))


@pytest.mark.parametrize("length", [5, 2, 1])
@pytest.mark.parametrize("fun", [pinball, pinball_by_maximum, huber, by_rows, minima, bound_anew,
                                 three_sides, two_conditions, taken_off, taken_off_twice],
                         ids=lambda f: f.__name__)
def test_derivatives_are_right(fun, length):
    if fun in (minima, bound_anew, three_sides, two_conditions, taken_off_twice) and length != 5:
        pytest.skip("as long as Y")
    tl.check_grads(fun, (X[:length] + 0.01, 0.3))


def test_no_elements():
    def summed(x, q):
        return np.sum(np.maximum(q * x, (q - 1.0) * x) + np.where(x > q, q * x, x * x))

    assert tl.grad(summed)(X[:0], 0.3).shape == (0,)


def test_ties_share():
    """At 0 both sides of the maximum are 0: half the sum of both slopes."""
    gradient = tl.grad(pinball_by_maximum)(np.array([0.0, 1.0, -1.0]), 0.3)
    assert np.allclose(gradient * 3.0, [0.5 * (0.3 - 0.7), 0.3, -0.7])


def test_texts():
    text = tl.grad(pinball).source_for(X, 0.3)
    assert "bx = np.where(t, bwhere * q, bwhere * (q - 1.0))\n" in text
    assert "bx = of_larger(bmaximum * t, bmaximum * q, tx, qx)\n" in tl.grad(
        pinball_by_maximum).source_for(X, 0.3)
    assert "bx = np.where(t, bwhere * x, bwhere * q * np.sign(x))\n" in tl.grad(
        huber).source_for(X, 0.3)


def test_single_precision():
    for fun in (pinball, pinball_by_maximum, huber):
        gradient = tl.grad(fun)(X.astype(np.float32), 0.3)
        assert gradient.dtype == np.float32
        assert np.allclose(gradient, tl.grad(fun)(X, 0.3), rtol=1e-6)


@pytest.mark.parametrize("fun", [pinball, pinball_by_maximum, huber, bound_anew])
@pytest.mark.sweep(2)
def test_compiled(fun):
    pytest.importorskip("numba")
    assert np.allclose(tl.grad(fun, backend="numba")(X, 0.3), tl.grad(fun)(X, 0.3))


def test_jacobians():
    def each(x):
        return np.maximum(0.3 * x, -0.7 * x) * np.where(x > 0.1, x * 2.0, x * Y)

    assert np.allclose(tl.jacrev(each)(X), tl.jacfwd(each)(X))
