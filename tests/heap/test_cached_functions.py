"""Cached functions that are followed keep what the cache keeps: what it tells apart, or has
forgotten, is computed anew, from what is captured then."""
import functools

import pytest

import tangent_lite as tl


def true_is_not_one(x):
    @functools.cache
    def times(k):
        return x * k
    total = times(1) + times(1)
    x = x * x
    return total + times(1) + times(True) + times(1.0)      # 1 is known, the others are not


def by_types(x):
    @functools.lru_cache(maxsize=None, typed=True)
    def times(k, j):
        return x * k * j
    total = times(1, 2)
    x = x * x
    return total + times(1, 2) + times(1, 2.0) + times(1, j=2) + times(k=1, j=2)


def keeps_one(x):
    @functools.lru_cache(maxsize=1)
    def times(k):
        return x * k
    total = times(1) + times(2)
    x = x * x
    return total + times(2) + times(1) + times(2)


def keeps_those_asked_for_last(x):
    @functools.lru_cache(maxsize=2)
    def times(k):
        return x * k
    total = times(1) + times(2) + times(1) + times(3)       # forgets 2
    x = x * x
    return total + times(1) + times(2)


def keeps_nothing(x):
    @functools.lru_cache(maxsize=0)
    def times(k):
        return x * k
    total = times(1)
    x = x * x
    return total + times(1)


def numbers_that_vary_take_places(x):
    @functools.lru_cache(maxsize=2)
    def times(k):
        return x * k
    total = times(1) + times(2 * x) + times(3 * x)          # forgets 1
    x = x * x
    return total + times(1)


@pytest.mark.parametrize("f", [true_is_not_one, by_types, keeps_one, keeps_those_asked_for_last,
                               keeps_nothing, numbers_that_vary_take_places])
def test_what_is_kept(f):
    value, slope = tl.value_and_grad(f)(1.3)
    assert value == f(1.3)
    wanted = (f(1.3 + 1e-5) - f(1.3 - 1e-5)) / 2e-5
    assert slope == pytest.approx(wanted, rel=1e-8)
    assert tl.jvp(f, (1.3,), (1.0,))[1] == pytest.approx(wanted, rel=1e-8)
    assert tl.hvp(f)(1.3, 1.0) == pytest.approx(
        (tl.grad(f)(1.3 + 1e-5) - tl.grad(f)(1.3 - 1e-5)) / 2e-5, rel=1e-7)
