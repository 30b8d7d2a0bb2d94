"""Calls like one before, which are not looked into again: what tells them apart, and what makes
what is known of them void."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.reference.dual import numeric_gradient

X = np.array([0.3, 0.7, 1.1]) * 1.01            # no ties


def slopes(f, x):
    return numeric_gradient(f, (x,), (0,))[0][0]


def of_any_rank(x):
    total = 0.0
    for one in (x, x.reshape(3, 1), x[0], float(x[1]), x[:0], (x * 1j).imag):
        total = total + float(np.sum(np.sin(one) * np.sum(one)))
    return total


def products(x):
    square = np.outer(x, x + 1.0)
    total = 0.0
    for one, other in ((x, x), (square, x), (x, square), (square, square.T)):
        total = total + np.sum(np.dot(one, other))
    for places in (np.array([0, 2]), np.array([[0, 1], [2, 2]]), np.array([1])):
        total = total + np.sum(np.take(x, places) ** 2) * np.take(x, places).mean()
    for mask in (x > 0.5, np.array([[True], [False]])):
        total = total + np.sum(np.where(mask, x, x * x))
    return total


def views_and_copies(x):
    square = np.outer(x, x)
    total = 0.0
    for one in (square, square.T, square[:, 1:], square[0]):
        flat = np.ravel(one)                    # a view of the first and of the last
        flat[0] = flat[0] * flat[-1]
        total = total + flat.sum() * one[0, 0] if one.ndim > 1 else total + flat.sum()
    return total + np.sum(square)


def written_out(x):
    y = np.zeros(3)
    total = 0.0
    for _ in range(2):
        total = total + np.sum(np.multiply(x, x) * y)
        np.multiply(x, x + y, y)
    return total + y.sum() * y.sum(0)


def largest(x):
    total = 0.0
    for k in range(3):
        total = total + max(x[k], 0.7) * max(float(x[k]), x[1], 1) - min([x[k], x[0] * 2])
    return total


def of_kinds(x):
    total = abs(x[0] * 1j + x[1]) + abs(float(x[2])) + abs(x[1] - 1.0)
    for one in (x * 1j + 1.0, x - 0.5):
        total = total + np.sum(np.abs(one)) + np.sum(np.square(one)).real
    return total


@pytest.mark.parametrize("f", [of_any_rank, products, views_and_copies, written_out, largest,
                               of_kinds])
def test_they_are_told_apart(f):
    x = X
    with by_identity():
        for _ in range(2):
            np.testing.assert_allclose(tl.grad(f)(x), slopes(f, x), rtol=2e-5, atol=1e-6)
        direction = np.array([0.2, -1.0, 0.5])
        for f_again in (f, lambda x: f(x) * 1.0):
            _, along = tl.jvp(f_again, (x,), (direction,))
            np.testing.assert_allclose(along, tl.grad(f)(x) @ direction, rtol=1e-5)


def test_zero_divided_by():
    def f(x):
        total = 0.0
        for y in (2.0, 1.0, 0.0):
            total = total + math.atan2(x * x, y) + np.hypot(x, y)
        return total

    with by_identity():
        for _ in range(2):
            assert tl.grad(f)(0.4) == pytest.approx(slopes(f, 0.4), rel=1e-6)


def test_a_rule_that_is_registered_afterwards_holds():
    def weighed(x):
        return x * 2.0

    @tl.adjoint(weighed)
    def rule(y, x):
        d[x] = d[y] * 2.0                       # noqa: F821

    def f(x):
        return weighed(x) * weighed(x)

    with by_identity():
        assert tl.grad(f)(3.0) == 24.0

        @tl.adjoint(weighed)
        def another(y, x):
            d[x] = d[y] * 100.0                 # noqa: F821

        assert tl.grad(f)(3.0) == 1200.0
        tl.nondifferentiable(weighed)
        assert tl.grad(f)(3.0) == 0.0


def test_a_rule_for_a_function_that_was_followed():
    def doubled(x):
        return x * 2.0

    def f(x):
        return doubled(x) + x

    with by_identity():
        assert tl.grad(f)(3.0) == 3.0

        @tl.adjoint(doubled)
        def rule(y, x):
            d[x] = d[y] * 10.0                  # noqa: F821

        assert tl.grad(f)(3.0) == 11.0


def test_special_attributes_are_asked_for():
    class Held:
        calls = 0

        def __init__(self, x):
            self.x = x

        def scaled(self):
            return self.x * 2.0

        def __getattr__(self, name):
            return self.x * 5.0

    def f(x):
        held = Held(x)
        total = held.scaled() + held.other
        held.scaled = lambda: held.x * 7.0
        return total + held.scaled() + held.x

    with by_identity():
        for _ in range(2):
            assert tl.grad(f)(1.5) == 15.0
