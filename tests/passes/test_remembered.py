"""Functions that are cached and defined inside, as functions that fill a dict."""
import functools
from functools import cache, lru_cache

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def two_before(x, n):
    @functools.lru_cache(maxsize=None)
    def fib(k):
        """Two before it."""
        if k < 2:
            return x * k
        return fib(k - 1) + x * fib(k - 2)
    return fib(n)


def on_a_grid(x, n):
    @cache
    def paths(i, j):
        if i == 0 or j == 0:
            return x
        down = paths(i - 1, j)
        return x * down + paths(i, j - 1)
    return paths(n, n) + paths(0, n)


def in_a_loop(x, n):
    total = 0.0
    for scale in (1.0, 2.0):
        @lru_cache(None)
        def power(k):
            if k == 0:
                return scale
            return x * power(k - 1)
        total = total + sum(power(k) for k in range(n))
    return total


def best_split(x, n):
    w = [x * k for k in range(n + 1)]

    @cache
    def cost(i, j):
        if j - i < 2:
            return w[i] * w[j]
        return min(cost(i, m) + cost(m, j) + 0.1 * m for m in range(i + 1, j))
    return cost(0, n)


@pytest.mark.parametrize("f, n", [(two_before, 9), (two_before, 0), (on_a_grid, 4), (in_a_loop, 0),
                                  (in_a_loop, 3)])
def test_by_names(f, n):
    with by_names():
        value, slope = tl.value_and_grad(f)(0.7, n)
    assert value == f(0.7, n)
    wanted = (f(0.7 + 1e-5, n) - f(0.7 - 1e-5, n)) / 2e-5
    assert slope == pytest.approx(wanted, rel=1e-7, abs=1e-9)
    assert tl.jvp(f, (0.7, n), (1.0, None))[1] == pytest.approx(wanted, rel=1e-7, abs=1e-9)


def test_second_derivatives():
    tl.check_grads(lambda x: two_before(x, 6), (0.7,), order=2)


# Others are followed by identity, or refused ------------------------------------------------------
def evicts(x, n):
    @lru_cache(maxsize=2)
    def fib(k):
        return x * k if k < 2 else fib(k - 1) + x * fib(k - 2)
    return fib(n)


def by_keyword(x, n):
    @cache
    def fib(k):
        return x * k if k < 2 else fib(k=k - 1) + x * fib(k - 2)
    return fib(n)


def bound_anew(x, n):
    @cache
    def fib(k):
        k = k - 1
        return x * k if k < 2 else fib(k) + x
    return fib(n)


def asked_for_its_cache(x, n):
    @cache
    def fib(k):
        return x * k if k < 2 else fib(k - 1) + x * fib(k - 2)
    return fib(n) * fib.cache_info().misses


def handed_on(x, n):
    @cache
    def double(k):
        return x * k
    return sum(map(double, range(n)))


def arrays(x, n):
    @cache
    def scaled(k):
        return x * np.arange(3.0) if k == 0 else 2.0 * scaled(k - 1)
    a = scaled(n)
    a[0] = 7.0
    return np.sum(scaled(n) * a)


def by_what_varies(x, n):
    @cache
    def power(y, k):
        return y if k == 0 else y * power(y, k - 1)
    return power(x * x, n)


@pytest.mark.parametrize("f", [best_split, evicts, by_keyword, bound_anew, asked_for_its_cache,
                               handed_on, arrays, by_what_varies])
def test_right_or_refused(f):
    wanted = (f(0.7 + 1e-5, 4) - f(0.7 - 1e-5, 4)) / 2e-5
    try:
        value, slope = tl.value_and_grad(f)(0.7, 4)
    except tl.TangentError:
        return
    assert value == f(0.7, 4)
    assert slope == pytest.approx(wanted, rel=1e-7)


def test_equal_numbers_from_different_places():
    """Each has its slope."""
    def f(x, y):
        @cache
        def power(v, k):
            if k == 0:
                return v
            return v * power(v, k - 1)
        return power(x, 3) + 3.0 * power(y, 3)
    np.testing.assert_allclose(tl.grad(f, wrt=(0, 1))(0.7, 0.7), (4.0 * 0.7 ** 3, 12.0 * 0.7 ** 3))


def test_what_is_counted_is_counted_as_often():
    def f(x, n):
        seen = []

        @cache
        def fib(k):
            seen.append(k)
            return x * k if k < 2 else fib(k - 1) + x * fib(k - 2)
        return fib(n) * len(seen)
    value, slope = tl.value_and_grad(f)(0.7, 5)
    assert value == f(0.7, 5)
    assert slope == pytest.approx((f(0.7 + 1e-5, 5) - f(0.7 - 1e-5, 5)) / 2e-5, rel=1e-7)
