"""Cached functions that are followed keep what the cache keeps: what it tells apart, or has
forgotten, is computed anew, from what is captured then."""
import functools

import numpy as np
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


# Numbers that may vary ----------------------------------------------------------------------------
def floats(x):
    """What is captured changes, and the cache does not see it."""
    s = [x]

    @functools.cache
    def times(k):
        return s[0] * k
    total = times(1.0)
    s[0] = x * x
    return total + times(1.0)


def floats_and_ints(x):
    s = [x]

    @functools.cache
    def times(k, j):
        return s[0] * k + j
    total = times(1, 0)
    s[0] = x * x
    return total + times(1.0, False)


def results_written_into(x):
    @functools.cache
    def row(k):
        return np.array([k * x, x])
    a = row(2.0)
    a[0] = 5.0 * x
    return np.sum(row(2.0) * a)


@pytest.mark.parametrize("f", [floats, floats_and_ints, results_written_into])
def test_other_results_than_those_of_the_cache(f):
    for derivative in (lambda: tl.grad(f)(1.3), lambda: tl.jvp(f, (1.3,), (1.0,))):
        with pytest.raises(tl.UnsupportedSyntaxError, match="would give now what it does not give"):
            derivative()


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


def test_the_same_results_as_those_of_the_cache():
    def f(x):
        @functools.cache
        def found(k):
            return {"pair": Pair(k * x, [x, (k, "text", None)]), "row": np.array([x, np.nan])}
        return found(2.0)["pair"].a * found(2.0)["pair"].b[0] \
            + found(x)["row"][0] * found(x)["pair"].a
    assert tl.value_and_grad(f)(1.3) == (f(1.3), pytest.approx(4.0 * 1.3 + 3.0 * 1.3 ** 2))


def test_bools_and_ints_in_a_loop():
    def f(x, n):
        s = [x]

        @functools.cache
        def times(k):
            return s[0] * k
        total = 0.0
        for k in range(n):
            total += times(k) + times(k == 1) + times(k != 1)
            s[0] = s[0] * x
        return total
    for n in (0, 1, 4):
        value, slope = tl.value_and_grad(f)(1.3, n)
        assert value == f(1.3, n)
        assert slope == pytest.approx((f(1.3 + 1e-5, n) - f(1.3 - 1e-5, n)) / 2e-5, rel=1e-8)
