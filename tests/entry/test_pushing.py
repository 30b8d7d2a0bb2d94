"""The way in along directions: the same as without it, and what it hands on."""

import threading

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling.keys import ELSEWHERE

X = np.array([0.3, -0.7, 1.1])
V = np.array([1.0, 0.5, -2.0])
RATE = 2.0


def cube(x):
    return np.sum(x ** 3) * RATE


def two(x, y, n=2):
    total = 0.0
    for _ in range(n):
        total = total + np.sum(x * x) * y ** 3
    return total


def number(t):
    return np.sin(t) * t


def alike(x):
    return np.sum(x)


def itself(x):
    return x


def along(function, x, v):
    """The derivative of the gradient along v, by differences of the gradient."""
    gradient = tl.grad(function)
    return (gradient(x + 1e-6 * v) - gradient(x - 1e-6 * v)) / 2e-6


def test_products_with_hessians():
    hvp = tl.hvp(cube)
    for x, v in ((X, V), (V, X), (X[:1], V[:1]), (X[:0], V[:0]), (X[::-1], V), (X, V[::-1])):
        for _ in range(3):
            found = hvp(x, v)
            assert np.allclose(found, 6.0 * x * v * RATE) and found.flags.owndata
            found[...] = 9.0


def test_it_is_taken():
    hvp = tl.hvp(cube)
    hvp(X, V)
    assert hvp._forward._push((X,), [V]) is not ELSEWHERE
    assert hvp._forward._push((X.astype(np.float32),), [V]) is ELSEWHERE
    assert hvp._forward._push((X,), [V[:2]]) is ELSEWHERE
    assert hvp._forward._push((X,), [V, V]) is ELSEWHERE


@pytest.mark.parametrize("vector", [V.astype(np.float32), V.astype(int), [*V], V.tolist()])
def test_vectors_of_other_types(vector):
    hvp = tl.hvp(cube)
    outcomes = []
    for _ in range(2):
        try:
            outcomes.append(hvp(X, vector))
        except tl.TangentError as error:
            outcomes.append(str(error))
        hvp(X, V)
    first, second = outcomes
    assert type(first) is type(second)
    assert first == second if isinstance(first, str) else (
        np.array_equal(first, second) and first.dtype == second.dtype)


def test_errors_are_the_same():
    hvp = tl.hvp(cube)
    for _ in range(3):
        hvp(X, V)
        tl.jvp(cube, (X,), (V,))
        for wrong in (V[:2], np.ones((3, 3)), V * 1j):
            with pytest.raises(tl.TangentError, match="tangent of x"):
                hvp(X, wrong)
            with pytest.raises(tl.TangentError, match="tangent of x"):
                tl.jvp(cube, (X,), (wrong,))


def test_single_precision_and_numbers():
    hvp = tl.hvp(cube)
    for dtype in (np.float64, np.float32, np.float64, np.longdouble, np.float32):
        for _ in range(2):
            found = hvp(X.astype(dtype), V.astype(dtype))
            assert found.dtype == dtype and np.allclose(found, 6.0 * X * V * RATE, rtol=1e-5)
    for t in (0.5, np.float64(0.5), np.float32(0.5), np.array(0.5)):
        for _ in range(2):
            value, moved = tl.jvp(number, (t,), (1.0,))
            assert np.allclose(value, number(0.5), rtol=1e-6)
            assert np.allclose(moved, np.cos(0.5) * 0.5 + np.sin(0.5), rtol=1e-6)


def test_a_global_that_changes(monkeypatch):
    hvp = tl.hvp(cube)
    for _ in range(2):
        assert np.allclose(hvp(X, V), 12.0 * X * V)
    for rate in (3.0, 5, np.float32(0.5), np.ones(3)[0]):
        monkeypatch.setitem(cube.__globals__, "RATE", rate)
        for _ in range(2):
            assert np.allclose(hvp(X, V), 6.0 * rate * X * V)


def test_several_arguments_and_defaults():
    hvp = tl.hvp(two)
    for n in (0, 1, 2, 3):
        for _ in range(2):
            assert np.allclose(hvp(X, 0.5, n, V), 2.0 * n * V * 0.125)
    assert np.allclose(hvp(X, 0.5, V, n=2), 4.0 * V * 0.125)
    for _ in range(3):
        value, moved = tl.jvp(two, (X, 0.5), (V, 2.0))
        assert np.isclose(value, two(X, 0.5))
        assert np.isclose(moved, 4.0 * X @ V * 0.125 + 2.0 * X @ X * 3.0 * 0.25 * 2.0)
    both = tl.hvp(two, wrt=("x", "y"))
    first = both(X, 0.5, 2, (V, 1.0))
    for _ in range(2):
        for one, other in zip(both(X, 0.5, 2, (V, 1.0)), first):
            assert np.array_equal(one, other)


def test_nothing_that_is_given_comes_back():
    for _ in range(3):
        x, v = X.copy(), V.copy()
        _, moved = tl.jvp(itself, (x,), (v,))
        assert np.array_equal(moved, v) and not np.shares_memory(moved, v)
    hvp = tl.hvp(lambda x: 0.5 * np.sum(x * x))
    for _ in range(3):
        found = hvp(X, V)
        assert np.array_equal(found, V) and not np.shares_memory(found, V)


def test_a_gradient_that_does_not_vary():
    hvp = tl.hvp(alike)
    for _ in range(3):
        found = hvp(X, V)
        assert np.array_equal(found, np.zeros(3)) and found.dtype == float


class Model:
    rate = 3.0

    def loss(self, x):
        return self.rate * np.sum(x ** 3)


def test_methods():
    model = Model()
    hvp = tl.hvp(model.loss)
    for rate in (3.0, 2.0):
        model.rate = rate
        for _ in range(3):
            assert np.allclose(hvp(X, V), 6.0 * rate * X * V)


def divided(x, y):
    return x ** 2 / y


def test_division_by_zero():
    hvp = tl.hvp(divided)
    for _ in range(3):
        assert hvp(2.0, 4.0, 1.0) == 0.5
    with pytest.raises(ZeroDivisionError):
        hvp(2.0, 0.0, 1.0)


def test_threads():
    hvp = tl.hvp(cube)
    wrong = []

    def work(dtype):
        for _ in range(200):
            found = hvp(X.astype(dtype), V.astype(dtype))
            if found.dtype != dtype or not np.allclose(found, 6.0 * X * V * RATE, rtol=1e-4):
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(dtype,)) for dtype in (float, np.float32) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert np.allclose(hvp(X, V), along(cube, X, V), rtol=1e-5)
