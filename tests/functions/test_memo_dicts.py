"""Functions that call themselves and keep what they found in a dict: they work in that dict."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.functions.recursive_slopes import W, X, check_slopes
from tests.heap.forced import refused_by_names


def fib_memo(n, x, memo):
    if n in memo:
        return memo[n]
    if n < 2:
        r = x[n]
    else:
        r = fib_memo(n - 1, x, memo) * 0.5 + math.sin(fib_memo(n - 2, x, memo))
    memo[n] = r
    return r


def m_passed(x, w):
    return fib_memo(8, x, {}) * w[0]


def m_kept(x, w):
    memo = {}
    r = fib_memo(8, x, memo)
    return r * memo[3] * w[0] + len(memo)


def m_twice(x, w):
    memo = {}
    r = fib_memo(5, x, memo) + fib_memo(8, w, memo)
    return r * memo[3]


def m_loop(x, w):
    t = 0.0
    memo = {}
    for k in range(6):
        t += fib_memo(k, x, memo) * w[k]
    return t * sum(memo.values())


def m_fresh_loop(x, w):
    t = 0.0
    for k in range(6):
        memo = {}
        t += fib_memo(k, x, memo) * w[k]
    return t


def m_local(x, w):
    memo = {}
    def f(k):
        if k in memo:
            return memo[k]
        if k < 2:
            v = x[0] * (k + 1)
        else:
            v = w[0] * f(k - 1) + math.sin(f(k - 2))
        memo[k] = v
        return v
    return f(8) * x[1]


def m_tuple(x, w):
    cache = {}
    def edit(i, j):
        if (i, j) not in cache:
            if i == 0 or j == 0:
                cache[i, j] = x[i] * (i + j) + w[j]
            else:
                best = 0.3 * edit(i - 1, j) + 0.4 * edit(i, j - 1)
                cache[i, j] = best + x[0] * math.exp(-edit(i - 1, j - 1))
        return cache[(i, j)]
    return edit(4, 4) + cache[2, 2]


def overwr(n, x, memo):
    if n == 0:
        return x[0]
    memo[n % 2] = memo.get(n % 2, 1.0) * x[n] + n
    r = overwr(n - 1, x, memo)
    memo[n % 2] = memo[n % 2] * r
    memo[n] = r
    return r + memo[n % 2] ** 2


def m_overwrite(x, w):
    memo = {}
    return overwr(4, x, memo) * w[0] + memo[1] * memo[0]


def m_get(x, w):
    memo = {}
    def f(n):
        v = memo.get(n)
        if v is not None:
            return v
        v = x[n] if n < 2 else f(n - 1) * w[n % 6] + f(n - 2)
        memo[n] = v
        return v
    return f(8)


def m_min(x, w):
    memo = {}
    def path(i, j):
        if i == 0 and j == 0:
            return x[0]
        if i < 0 or j < 0:
            return 1e9
        if (i, j) in memo:
            return memo[i, j]
        memo[i, j] = min(path(i - 1, j), path(i, j - 1)) + x[i] * w[j]
        return memo[i, j]
    return path(4, 4)


def m_loop_inside(x, w):
    best = {}
    def f(n):
        if n == 0:
            return 0.0
        if n in best:
            return best[n]
        t = 1e9
        for k in range(1, min(n, 4) + 1):
            t = min(t, f(n - k) + x[k] * w[k] * k)
        best[n] = t
        return t
    return f(9) + sum(best.values())


def m_text(x, w):
    m = {}
    def f(s):
        if s not in m:
            m[s] = x[0] if len(s) < 2 else f(s[1:]) * w[0] + f(s[:-1])
        return m[s]
    return f("abcab")


def m_len(x, w):
    memo = {}
    def f(n):
        memo[n] = len(memo) * x[n]
        if n:
            return f(n - 1) + memo[n] * w[n]
        return memo[0]
    return f(5)


def two(a, b, n, x):
    if n == 0:
        return x[0]
    if n in a:
        return a[n] * 2
    r = two(b, a, n - 1, x) * x[n]
    a[n] = r
    return r + (b[n - 1] if (n - 1) in b else 0.5)


def d_two(x, w):
    m, k = {}, {}
    return two(m, k, 5, x) * w[0] + sum(m.values()) * sum(k.values())


def d_int_first(x, w):
    m = {}
    def f(n):
        if n in m:
            return m[n]
        m[n] = 0
        r = x[0] * w[0] if n == 0 else f(n - 1) * x[n] + f(n) * w[n] + 1
        m[n] = r
        return r
    return f(4) * m[2]


def upd(n, m, x):
    if n == 0:
        return
    m[n] = x[n]
    m[0] = m.get(0, 0.0) + m[n] ** 2
    upd(n - 1, m, x)
    m[n] *= m[0]


def d_order(x, w):
    m = {}
    upd(4, m, x)
    t = 0.0
    for i, (k, v) in enumerate(m.items()):
        t += (i + 1) * k * v * w[i]
    return t + list(m)[1] * x[0]


def d_order2(x, w):
    m = {}
    upd(3, m, x)
    a = list(m.values())
    upd(5, m, w)
    b = list(m.values())
    return sum(p * q for p, q in zip(a, b)) * len(b)


def bystr(n, m, x):
    k = f"a{n}"
    if k in m:
        return m[k]
    m[k] = x[n] if n < 2 else bystr(n - 1, m, x) * x[n] + bystr(n - 2, m, x)
    return m[k]


def d_str(x, w):
    m = {}
    return bystr(5, m, x) * m["a2"] + w[0]


def d_in_obj(x, w):
    class_like = {"memo": {}, "k": w[0]}
    return bystr(4, class_like["memo"], x) * class_like["k"] + sum(class_like["memo"].values())


def d_copy(x, w):
    m = {}
    a = bystr(4, m, x)
    k = dict(m)
    b = bystr(5, k, w)
    return a * b * k["a3"] + m["a2"] * len(m)


def m_seeded(x, w):
    memo = {0: w[0], 1: w[1] * 2}
    r = fib_memo(8, x, memo)
    return r * memo[3]


def m_mutate_after(x, w):
    memo = {}
    a = fib_memo(5, x, memo)
    memo[2] = memo[2] * w[0]
    del memo[3], memo[4], memo[5]
    b = fib_memo(5, x, memo)
    return a * b


def m_alias(x, w):
    memo = {}
    m2 = memo
    a = fib_memo(5, x, memo)
    m2[9] = w[0]
    return a * memo[9] * m2[2]


def m_array(x, w):
    memo = {}
    def f(n):
        if n in memo:
            return memo[n]
        r = x if n == 0 else np.tanh(f(n - 1)) * w + f(n // 2)
        memo[n] = r
        return r
    return f(5).sum()


def d_same(x, w):
    m = {}
    return two(m, m, 5, x) * w[0] + sum(m.values())


def d_none_first(x, w):
    m = {}
    def f(n):
        if n in m:
            return 1.0 if m[n] is None else m[n]
        m[n] = None
        r = x[n] * w[n] if n == 0 else f(n - 1) * x[n] + f(n) * w[n]
        m[n] = r
        return r
    return f(4)


def popper(n, m, x):
    if n == 0:
        return x[0]
    m[n] = x[n] * n
    r = popper(n - 1, m, x)
    v = m.pop(n)
    return r * v + len(m)


def d_pop(x, w):
    m = {7: w[0]}
    return popper(4, m, x) * m[7]


def d_cond(x, w):
    m = {}
    t = x[0]
    for k in range(4):
        if t > 0.5:
            t = t * bystr(k, m, w)
        else:
            m = {}
    return t + (m["a1"] if "a1" in m else 3 * x[1])


def d_exc2(x, w):
    m = {}
    def f(n):
        m[n] = x[n] * w[n]
        if n > 3:
            raise ValueError
        return f(n + 1)
    try:
        r = f(0)
    except ValueError:
        r = 1.0
    return r * sum(m.values())


def fib_default(n, x, memo=None):
    if memo is None:
        memo = {}
    if n in memo:
        return memo[n]
    if n < 2:
        return x[n]
    memo[n] = fib_default(n - 1, x, memo) * 0.5 + fib_default(n - 2, x, memo)
    return memo[n]


def m_default_given(x, w):
    m = {}
    return fib_default(9, x, m) ** 2 * w[0] + m[4]


def m_default(x, w):
    return fib_default(9, x) ** 2 * w[0]


def inactive(x, w):
    """What varies does not reach the dict."""
    memo = {}
    return x[0] * fib_memo(5, w, memo) * memo[2]


BY_NAMES = [m_default_given, m_passed, m_kept, m_twice, m_loop, m_fresh_loop, m_local, m_tuple,
            m_overwrite, m_get, m_min, m_loop_inside, m_text, m_len, d_two, d_int_first,
            d_order, d_order2, d_str, d_in_obj, d_copy]
# Dicts that have two names or get other things than numbers, keys of which are taken out, and
# that get something by a key that is known.
BY_IDENTITY = [m_default, m_seeded, m_mutate_after, m_alias, m_array, d_same, d_none_first,
               d_pop, d_cond, d_exc2]


@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY)
@pytest.mark.sweep(4)
def test_slopes(f):
    check_slopes(f, by_identity=f in BY_IDENTITY)


def test_tangents_and_second_derivatives():
    tl.check_grads(lambda x: m_local(x, W), (X.copy(),), order=2)


def test_text():
    """The halves work in the dict, and in that of its adjoints."""
    text = tl.grad(m_passed).source_for(X, W)
    assert "bmemo_part = bmemo.pop(n)" in text and ".copy()" not in text


def test_nothing_varies_in_what_is_kept():
    """Nothing is left of the call as it stands meanwhile."""
    refused_by_names(tl.UnsupportedSyntaxError, inactive, X, W,
                     match="a dict is changed by a call through which nothing varies")
    slope = tl.grad(inactive)(X, W)
    assert slope[0] == pytest.approx(inactive(X, W) / X[0]) and not slope[1:].any()


def test_given_dict_stays():
    memo = {0: 0.5}
    value, slope = tl.value_and_grad(fib_memo, wrt="memo")(1, X, memo)
    assert memo == {0: 0.5} and value == X[1] and slope == {0: 0.0}
