"""Functions that call themselves and are given what another call of theirs returned."""
import math

import numpy as np
import pytest

from tests.reference.modes import hold_curvature_to_differences, hold_to_differences


def fe(n, x, t):
    n += 1
    return math.exp(-x[0] * t * t) * math.cos(x[1] * t), n


def rec(n, x, a, b, depth):
    m = 0.5 * (a + b)
    fa, n = fe(n, x, a)
    fm, n = fe(n, x, m)
    fb, n = fe(n, x, b)
    if depth == 0 or abs(fa - 2 * fm + fb) < 1e-3:
        fm, n = fe(n, x, m)
        return (b - a) * fm, n
    l, n = rec(n, x, a, m, depth - 1)
    r, n = rec(n, x, m, b, depth - 1)
    return l + r, n


def statements(x):
    n = 0
    s, n = rec(n, x, 0.0, 2.0, 6)
    return s + 0.01 * n * x[0]


def tree_sum(depth, v, count, best):
    if depth == 0:
        return v * v, count + 1, max(best, v)
    a, count, best = tree_sum(depth - 1, 0.5 * v, count, best)
    b, count, best = tree_sum(depth - 1, 1.1 * v + 0.1 * count, count, best)
    return a + math.sin(b), count, best


def threaded(x):
    s, n, best = tree_sum(3, x[0], 0, x[1] * 0.1)
    return s * n + best * x[2]


def arr_state(h, k, acc):
    if k == 0:
        return np.sum(h), acc + h
    a, acc = arr_state(np.tanh(h), k - 1, acc)
    b, acc = arr_state(h * 0.5, k - 1, acc * 0.9)
    return a * b, acc


def array_state(x):
    s, acc = arr_state(x, 3, np.zeros(4))
    return s + np.sum(acc ** 2)


def maybe_state(k, v, best):
    if k == 0:
        return (v if best is None or v < best else best)
    best = maybe_state(k - 1, v * 0.9, best)
    best = maybe_state(k - 1, v + 0.1 * best, best)
    return best


def bnb(x):
    return maybe_state(3, x[0], None) * x[1]


X, V = np.array([0.93, 1.1, 0.7, 1.3]), np.array([1.0, 0.5, -0.3, 0.2])


@pytest.mark.parametrize("f", [statements, threaded, array_state, bnb])
@pytest.mark.sweep(3)
def test_all_modes(f):
    hold_to_differences(f, X, V, by_identity=False)


def test_second_order():
    hold_curvature_to_differences(threaded, X, V, rtol=1e-5, atol=1e-5)
