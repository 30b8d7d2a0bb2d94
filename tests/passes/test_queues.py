"""Deques that are lists, and lists from which items are dropped."""

from collections import deque

import numpy as np
import pytest

import tangent_lite as tl

T = np.sin(np.arange(20.0))


def window(x):
    kept = deque(maxlen=3)
    total = 0.0
    for v in T:
        kept.append(v * x)
        total += (sum(kept) / len(kept)) ** 2
    return total * kept[0]


def line_of_delays(x):
    kept = deque([0.0] * 4, maxlen=4)
    total = 0.0
    for v in T:
        kept.append(v * x)
        total += kept[0] * kept[-1]
    return total


def longer_than_it_may_be(x):
    kept = deque([x, 2.0 * x, 3.0 * x], 2)
    kept.appendleft(x * x)
    return kept[0] * kept[1] * len(kept)


def both_ends(x):
    kept, total = deque(), 0.0
    kept.append(x)
    kept.appendleft(x * x)
    kept.append(x + 1.0)
    while kept:
        total = total * x + kept.pop()
        if len(kept) > 0:
            total += kept.popleft()
    return total


def a_limit_that_changes_later(x):
    n = 3
    kept = deque(maxlen=n)
    n = 100
    for k in range(10):
        kept.appendleft(k * x * x)
    return sum(v * v for v in kept) + len(kept) * x + n


def of_arrays(x):
    kept = deque(maxlen=3)
    for k in range(5):
        kept.append(np.array([x * k, x]))
    return np.sum(np.stack(kept)) * np.mean(kept)


def of_no_length(x):
    kept = deque(maxlen=0)
    for k in range(5):
        kept.append(k * x)
    return len(kept) * x + x


def in_a_loop(x):
    total = 0.0
    for r in range(3):
        kept = deque(maxlen=2)
        for k in range(4):
            kept.append(k * x * r)
            if len(kept) == 2:
                total += kept[0] * kept[1]
    return total


def written(x):
    kept = deque(maxlen=3)
    for k in range(5):
        kept.append(x * k)
        kept[0] = kept[0] * x
    return kept[0] + kept[1] * kept[2]


def of_a_generator(x):
    kept = deque((v * x for v in range(5)), maxlen=3)
    kept.append(x)
    return kept[0] * kept[2]


def dropped(x):
    kept, total = [], 0.0
    for v in T:
        kept.append(v * x)
        if len(kept) > 5:
            kept.pop(0)
        total += kept[0] * kept[-1]
    return total


def dropped_arrays(x):
    kept, total = [], 0.0
    for k in range(9):
        kept.append(np.array([x, k * x]))
        if len(kept) > 5:
            kept.pop(0)
        total += np.sum(kept[0] * kept[-1])
    return total


def dropped_from_the_middle(x):
    kept, total = [x * k for k in range(9)], 0.0
    while len(kept) > 2:
        total += kept[0] * kept[-1] * kept[1]
        kept.pop(1)
        kept.pop()
        kept[0] = kept[0] + x * kept[-1]
    return total


def dropped_at_computed_places(x):
    kept, total = [x * k for k in range(9)], 0.0
    for k in range(3):
        total += sum(kept) ** 2
        kept.pop(k)
    kept.pop(-2)
    return total * sum(kept)


def all_dropped(x):
    kept = [x, 2.0 * x]
    kept.pop()
    kept.pop()
    kept.append(x * x)
    return kept[0]


# By identity, as nobody but a deque does it.
def turned(x):
    kept = deque(maxlen=3)
    for k in range(5):
        kept.append(k * x)
        kept.rotate(1)
    return kept[0] * kept[1]


def with_two_names(x):
    kept = deque(maxlen=3)
    other = kept
    for k in range(5):
        kept.append(k * x * x)
    return sum(other)


def first_and_last(kept):
    return kept[0] * kept[-1]


def given_away(x):
    kept = deque(maxlen=3)
    for k in range(5):
        kept.append(x * k + 1.0)
    return first_and_last(kept)


def in_an_object(x):
    class_of = {"kept": deque(maxlen=2)}
    for k in range(5):
        class_of["kept"].append(x * k)
    return class_of["kept"][0] * class_of["kept"][1]


def of_pairs(x):
    kept = deque(maxlen=3)
    for k in range(5):
        kept.append((k, x * k + 1.0))
    return sum(k * v for k, v in kept)


BY_NAMES = [window, line_of_delays, longer_than_it_may_be, both_ends, a_limit_that_changes_later,
            of_arrays, of_pairs, of_no_length, in_a_loop, written, of_a_generator, dropped,
            dropped_arrays, dropped_from_the_middle, dropped_at_computed_places, all_dropped]
OTHERS = [turned, with_two_names, given_away, in_an_object]


@pytest.mark.parametrize("f", BY_NAMES + OTHERS)
@pytest.mark.sweep(4)
def test_windows(f):
    wanted = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    derivative = tl.grad(f)
    for _ in range(2):
        np.testing.assert_allclose(derivative(1.3), wanted, rtol=1e-6)
    np.testing.assert_allclose(tl.jvp(f, (1.3,), (1.0,))[1], wanted, rtol=1e-6)
    pullback = tl.vjp(f, 1.3)[1]
    for seed in (1.0, 2.0):
        np.testing.assert_allclose(pullback(seed)[0], seed * wanted, rtol=1e-6)
    assert ("tape.pull" in derivative.source_for(1.3)) == (f in OTHERS)


@pytest.mark.parametrize("f", [window, both_ends, dropped, dropped_from_the_middle])
def test_second_derivatives(f):
    h = 1e-5
    slope = tl.grad(f)
    np.testing.assert_allclose(tl.grad(slope)(1.3), (slope(1.3 + h) - slope(1.3 - h)) / (2.0 * h),
                               rtol=1e-6)


def test_an_empty_one_has_nothing_to_give():
    def f(x):
        kept = deque()
        kept.append(x)
        kept.pop()
        return kept.popleft()

    with pytest.raises(IndexError):
        tl.grad(f)(2.0)


def test_what_does_not_vary_stays_a_deque():
    def f(x):
        todo = deque([1, 2, 3])
        total = 0.0
        while todo:
            k = todo.popleft()
            if k == 1:
                todo.append(5)
            total += k * x
        return total

    derivative = tl.grad(f)
    assert derivative(2.0) == 11.0
    assert "todo.popleft()" in derivative.source_for(2.0)
