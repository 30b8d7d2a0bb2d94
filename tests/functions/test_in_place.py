"""Functions that call themselves and work in arrays that they are handed on whole: sorting by
parts, sweeps from both ends, search that takes back what it tried. Their halves work in place.
"""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.functions.recursive_slopes import W, X, check_slopes


def quicksort(a, lo, hi):
    if lo < hi:
        p = a[hi]
        i = lo - 1
        for j in range(lo, hi):
            if a[j] <= p:
                i += 1
                a[i], a[j] = a[j], a[i]
        a[i + 1], a[hi] = a[hi], a[i + 1]
        quicksort(a, lo, i)
        quicksort(a, i + 2, hi)


def sorted_values(x, w):
    a = x * w
    quicksort(a, 0, len(a) - 1)
    return np.sum(a ** 2 * np.arange(len(a)))


def fill(a, x, lo, hi):
    if hi - lo == 0:
        return
    if hi - lo == 1:
        a[lo] = a[lo] * 0.5 + math.sin(x[lo])
        return
    m = (lo + hi) // 2
    fill(a, x, lo, m)
    fill(a, x, m, hi)
    a[m] += a[lo] * a[hi - 1]


def seeds_shared(x, w):
    b = x * 2.0
    a = np.zeros(len(x))
    fill(a, x, 0, len(x))
    return np.sum((a + b) ** 2)


def seeds_shared2(x, w):
    a = w * 1.0
    b = a * 1.0
    fill(a, x, 0, len(x))
    fill(b, x, 0, len(x) // 2)
    c = a + b
    return np.sum(c * w)


def read_between(x, w):
    a = x * w
    t = a[0] * a[1]
    s = a.copy()
    v = a[1:3]
    fill(a, x, 0, len(x))
    r = a[0] * t + v[0]
    fill(a, w, 1, len(x) - 1)
    return r * np.sum(a * s) + v[1] * t


def in_loop(x, w):
    a = x.copy()
    total = 0.0
    for k in range(3):
        total += a[k] ** 2
        fill(a, w, k, len(a))
        if a[0] > 0.3:
            a[0] = math.cos(a[0]) * x[k]
        total *= 0.9
    return total + np.sum(a)


def in_while(x, w):
    a = x.copy()
    n = 0
    while np.sum(a) > -3.0 and n < 4:
        if n % 2 == 0:
            fill(a, w * a[0], 0, n)
        else:
            fill(a[1:], w, 0, len(a) - 1)
        a *= 0.5
        n += 1
    return np.sum(a * x)


def bound_anew_in_loop(x, w):
    a, total = x * 1.0, 0.0
    for k in range(5):
        fill(a, w, 0, k)
        total += a[0] * a[1] + value_too(a, x, k)
        if total > 40.0:
            break
        a = a * 0.5 + w
    return total * np.sum(a)


def zero_trip(x, w):
    a = x.copy()
    for k in range(0):
        fill(a, w, 0, len(a))
    fill(a, w, 2, 2)
    return np.sum(a * a)


def not_result(x, w):
    a = x.copy()
    fill(a, w, 0, len(a))
    return a[2] * w[1]


def overwritten_after(x, w):
    a = x.copy()
    fill(a, w, 0, len(a))
    s = a[1] * a[2]
    a[:] = 3.0 * w
    fill(a, x, 0, 3)
    a[2] = a[2] * s
    return np.sum(a * a) * s


def value_too(a, x, k):
    if k >= len(a):
        return 0.0
    a[k] = a[k] * x[k] + (a[k - 1] if k else 1.0)
    rest = value_too(a, x, k + 1)
    a[k] += rest * 0.1
    return rest + a[k] * x[0]


def with_value(x, w):
    a = w * x
    r = value_too(a, x, 0)
    q = value_too(a, w, 1)
    return r * q + np.sum(a) * r


def value_dropped(x, w):
    a = w * x
    value_too(a, x, 0)
    return np.sum(a * a)


def rows2(m, k, w):
    if k == m.shape[0]:
        return
    m[k] = m[k] * w + (m[k - 1] if k > 0 else 0.0)
    rows2(m, k + 1, w)
    m[k, 0] = m[k, 1] * m[k - 1, 1] if k > 0 else m[k, 0]


def matrix(x, w):
    m = np.outer(x, w)
    rows2(m, 1, w)
    return np.sum(m ** 2)


def nested_views(x, w):
    a = x * 1.0
    m = a.reshape(2, -1)
    fill(m[0], w, 0, m.shape[1])
    fill(a[::-1], w, 1, 3)
    return np.sum(a * a * w) + m[1, 0]


def idx_sort(keys, idx, lo, hi):
    if lo >= hi:
        return
    p = keys[hi]
    i = lo
    for j in range(lo, hi):
        if keys[j] < p:
            keys[i], keys[j] = (keys[j], keys[i])
            idx[i], idx[j] = (idx[j], idx[i])
            i += 1
    keys[i], keys[hi] = (keys[hi], keys[i])
    idx[i], idx[hi] = (idx[hi], idx[i])
    idx_sort(keys, idx, lo, i - 1)
    idx_sort(keys, idx, i + 1, hi)


def argsorted(x, w):
    keys = np.sin(3 * x)
    idx = np.arange(len(x))
    idx_sort(keys, idx, 0, len(x) - 1)
    return np.sum(w[idx] * x * keys)


def const_keys(x, w):
    keys = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.5])
    idx = np.arange(6)
    idx_sort(keys, idx, 0, 5)
    return np.sum(w[idx] * x * keys)


G = np.array([0.3, 0.6, 0.2, 0.5, 0.7, 0.9])


def with_global(a, lo, hi):
    if hi - lo < 1:
        return
    a[lo] = a[lo] * G[lo] + a[hi - 1]
    with_global(a, lo + 1, hi - 1)


def use_global(x, w):
    a = x * w
    with_global(a, 0, len(a))
    return np.sum(a * G)


def global_written(x, w):
    H[:] = x
    with_global(H, 0, len(x))
    return np.sum(H * w)


H = np.zeros(6)


def sub_arrays(a, w, d):
    if d == 0 or len(a) < 2:
        a *= w[0]
        return
    left = a[:len(a) // 2]
    right = a[len(a) // 2:]
    sub_arrays(left, w, d - 1)
    t = left[0] * 1.0
    sub_arrays(right, w[1:], d - 1)
    a += t * 0.1
    left *= right[0]


def sub_use(x, w):
    a = np.tanh(x)
    sub_arrays(a, w, 3)
    return np.sum(a ** 2)


def two_arrays(a, b, k):
    if k == 0:
        return
    a[k] = a[k] * b[k - 1]
    b[k] += a[k] ** 2
    two_arrays(b, a, k - 1)
    a[0] += b[k] * a[k]


def swapped(x, w):
    a, b = (x * 1.0, w * 1.0)
    two_arrays(a, b, 4)
    return np.sum(a * b)


def gauss(A, b, k):
    n = len(b)
    if k == n - 1:
        return
    for i in range(k + 1, n):
        f = A[i, k] / A[k, k]
        A[i, k:] -= f * A[k, k:]
        b[i] -= f * b[k]
    gauss(A, b, k + 1)


def solve(x, w):
    A = np.diag(w[:4] + 3.0) + np.outer(x[:4], x[:4])
    b = x[:4] * 1.0
    gauss(A, b, 0)
    y = np.zeros(4)
    for i in range(3, -1, -1):
        y[i] = (b[i] - A[i, i + 1:] @ y[i + 1:]) / A[i, i]
    return np.sum(y * y)


def given_written(a, w):
    fill(a, w, 0, len(a))
    return np.sum(a * a)


def self_written(a, w, k=0):
    if k == len(a):
        return np.sum(a * a * w)
    a[k] = math.sin(a[k]) * w[k] + a[k - 1]
    return self_written(a, w, k + 1)


def nonlocal_rec(x, w):
    a = x * 1.0

    def go(k):
        if k == len(a):
            return
        a[k] = a[k] * w[k] + a[k - 1]
        go(k + 1)
    go(1)
    return np.sum(a * a)


def perm(a, k, w):
    if k == len(a):
        return a[0] * w[0] + a[1] * w[1] * a[2]
    total = 0.0
    for i in range(k, len(a)):
        a[k], a[i] = (a[i], a[k])
        total += perm(a, k + 1, w)
        a[k], a[i] = (a[i], a[k])
    return total


def perms(x, w):
    a = x[:4].copy()
    return perm(a, 0, w) + a[0]


def backtrack(board, k, x, w):
    if k == 3:
        return np.sum(board * w[:3])
    best = 0.0
    for c in range(2):
        old = board[k]
        board[k] = x[c] * (board[k - 1] + 1.0)
        best += backtrack(board, k + 1, x, w)
        board[k] = old
    return best


def backtracking(x, w):
    return backtrack(np.zeros(3), 0, x, w)


def value_loop(x, w):
    a = w * x
    total = 0.0
    for k in range(3):
        total += value_too(a, x, k)
    return total


def value_branch(x, w):
    a = w * x
    total = x[0]
    for k in range(4):
        if k % 2:
            total = total * value_too(a, w, k)
        else:
            total += a[k]
    return total


FUNCTIONS = [sorted_values, seeds_shared, seeds_shared2, read_between, in_loop, in_while,
             zero_trip, bound_anew_in_loop, not_result, overwritten_after, with_value,
             value_dropped, matrix, nested_views, argsorted, const_keys, use_global,
             global_written, sub_use, swapped, solve, given_written, self_written, nonlocal_rec,
             perms, backtracking, value_loop, value_branch]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.sweep(5)
def test_slopes(f):
    check_slopes(f, by_identity=False)



@pytest.mark.parametrize("f", [sorted_values, read_between, with_value, self_written, perms])
@pytest.mark.sweep(2)
def test_second_order(f):
    v, step = np.array([1.0, 0.5, -0.3, 0.2, 0.4, -0.8]), 1e-5
    slope = tl.grad(f)
    wanted = (slope(X + step * v, W) - slope(X - step * v, W)) / (2.0 * step)
    np.testing.assert_allclose(tl.hvp(f)(X, W, v), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_any_length(n):
    x = np.linspace(-1.0, 2.0, n)[::-1].copy()
    w = np.ones(n)
    slope = tl.grad(sorted_values)(x, w)
    place = np.argsort(np.argsort(x))
    np.testing.assert_allclose(slope, 2.0 * x * place)


def test_of_single_precision():
    x, w = X.astype(np.float32), W.astype(np.float32)
    slope = tl.grad(sorted_values)(x, w)
    assert slope.dtype == np.float32
    np.testing.assert_allclose(slope, tl.grad(sorted_values)(X, W), rtol=1e-5)


def test_a_call_costs_what_it_does():
    """No call copies the array: what is saved of a call is what that writes over."""
    source = tl.grad(sorted_values).source_for(X, W)
    assert "quicksort_bwd(quicksort_saved, ba)" in source
    assert ".copy()" not in source and "zeros" not in source
