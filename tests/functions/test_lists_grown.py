"""Functions that call themselves and append to lists they are given, or take out of them."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.functions.recursive_slopes import W, X, check_slopes


def appends(out, x, k):
    if k == len(x):
        return
    out.append(x[k] * 2.0)
    appends(out, x, k + 1)
    out[0] = out[0] + out[-1]


def g_never_read(x, w):
    out = []
    appends(out, x, 0)
    return x[0] * w[0]


def g_twice(x, w):
    out = []
    appends(out, x, 3)
    a = out[1] * w[0]
    appends(out, w, 2)
    out.append(a)
    return sum(v * v for v in out) * len(out)


def g_len(x, w):
    out = []
    appends(out, x, 2)
    return len(out) * x[0] + out[0] * w[0]


def g_two_lists(x, w):
    a, b = [], [1.0]
    for k in range(3):
        appends(a, x, 4)
        appends(b, w, 4)
    return sum(p * q for p, q in zip(a, b)) + a[0] * b[-1]


def rec_pop(out, w, k):
    if k == 0:
        return 0.0
    v = out.pop()
    out.append(v * w[k])
    out.append(v + w[0])
    r = rec_pop(out, w, k - 1)
    return r + out.pop() * v


def g_pops(x, w):
    out = [v for v in x]
    r = rec_pop(out, w, 3)
    return r * sum(out)


def g_local(x, w):
    out = []
    def rec(v, d):
        if d == 0:
            out.append(v)
            return
        rec(math.sin(v), d - 1)
        rec(v * w[d], d - 1)
    rec(x[0], 3)
    return sum(out) * out[0]


def g_local2(x, w):
    out, ws = [], []
    def rec(v, d):
        if d == 0:
            out.append(v)
            ws.append(v * v + len(out))
            return
        rec(math.sin(v), d - 1)
        rec(v * w[d], d - 1)
    rec(x[0], 3)
    return sum(a * b for a, b in zip(out, ws))


def g_zero(x, w):
    out = []
    appends(out, x, len(x))
    return sum(out) + x[0] * w[0] + len(out)


def g_alias(x, w):
    out = []
    keep = out
    appends(out, x, 3)
    keep.append(w[0])
    return sum(out) * sum(keep)


def g_held(x, w):
    out = []
    h = {"o": out}
    appends(out, x, 3)
    return sum(h["o"]) * out[0]


def rec_reads(v, d, out, xs):
    if d == len(xs):
        return
    out.append(v * xs[d] + (out[-1] if out else 0.0))
    rec_reads(math.sin(v) * out[-1], d + 1, out, xs)


def g_reads(x, w):
    out = []
    rec_reads(w[0], 0, out, x)
    return out[3] * out[-1] + max(out)


def rec_extend(v, d, out):
    if d == 0:
        return
    out.extend([v, v * v])
    rec_extend(v * 0.5, d - 1, out)


def g_extend(x, w):
    out = []
    rec_extend(x[0], 3, out)
    return sum(out) * out[1] * w[0]


def rec_plus(v, d, out):
    if d == 0:
        return
    out += [v, v * v]
    rec_plus(v * 0.5, d - 1, out)


def g_plus(x, w):
    out = []
    rec_plus(x[0], 3, out)
    return sum(out) * out[1] * w[0]


def rec_ints(v, d, out):
    if d == 0:
        out.append(3)
        return
    rec_ints(v, d - 1, out)
    rec_ints(v, d - 1, out)


def g_ints(x, w):
    out = []
    rec_ints(x[0], 2, out)
    return sum(out) * x[0] * w[0]


def rec_mixed(v, d, out):
    if d == 0:
        out.append(3 if len(out) % 2 else v)
        return
    rec_mixed(v, d - 1, out)
    rec_mixed(v * v, d - 1, out)


def g_mixed(x, w):
    out = []
    rec_mixed(x[0], 2, out)
    return out[0] * out[1] * w[0]


def rec_loop(v, d, out):
    for k in range(d):
        out.append(v * k)
        rec_loop(v * 0.5, d - 1 - k, out)
        if len(out) > 9:
            break
        v = v * out[-1] + 1.0


def g_loop(x, w):
    out = []
    rec_loop(x[0], 3, out)
    t = 0.0
    for k, v in enumerate(out):
        t += math.sin(v) * w[k % 6]
    return t


def rec_while(v, out):
    while len(out) < 5:
        out.append(v)
        v = v * 1.1
        rec_while(v, out)


def g_while(x, w):
    out = []
    rec_while(x[0], out)
    return sum(v ** 2 for v in out) * w[1]


def g_inner_none(x, w):
    out = []
    def rec(v, d):
        if d > 0:
            rec(v * w[0], d - 1)
            out.append(v)
            rec(v * w[1], d - 1)
    rec(x[0], 3)
    a = np.array(out)
    return (a * a).sum()


def g_given(x, w):
    a = list(x)
    appends(a, w, 2)
    return sum(a) * a[-1]


def rec_ins(out, w, k):
    if k == 0:
        return
    out.insert(k // 2, w[k] * out[0])
    rec_ins(out, w, k - 1)
    out.insert(0, out.pop(1) * 2.0)


def g_inserts(x, w):
    out = [x[0], x[1]]
    rec_ins(out, w, 4)
    t = 0.0
    for k, v in enumerate(out):
        t += k * v * v
    return t


def rec_val(v, d, out):
    if d == 0:
        return v
    a = rec_val(math.sin(v), d - 1, out)
    out.append(a * v)
    b = rec_val(v * a, d - 1, out)
    out.append(b + out[0])
    return a + b


def g_value(x, w):
    out = []
    r = rec_val(x[0], 3, out)
    return r * out[-1] + sum(out) * w[0]


def rec_arr(v, d, out):
    out.append(v)
    if d:
        rec_arr(np.tanh(v), d - 1, out)
        rec_arr(v * v, d - 1, out)


def g_arrays(x, w):
    out = []
    rec_arr(x, 2, out)
    return sum((a * w).sum() * k for k, a in enumerate(out))


def rec_tup(a, b, d, out):
    if d == 0:
        out.append((a, a * b))
        return
    m = 0.5 * (a + b)
    rec_tup(a, m, d - 1, out)
    rec_tup(m, b, d - 1, out)


def g_tuples(x, w):
    out = []
    rec_tup(x[0], w[0], 3, out)
    return sum(p * q for p, q in out)


BY_NAMES = [g_never_read, g_twice, g_len, g_two_lists, g_pops, g_local, g_local2, g_zero,
            g_alias, g_held, g_reads, g_extend, g_plus, g_ints, g_mixed, g_loop, g_while,
            g_inner_none, g_given]
# Places that may be counted from the end, values that go in before they are known, arrays, tuples.
BY_IDENTITY = [g_inserts, g_value, g_arrays, g_tuples]


@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY)
@pytest.mark.sweep(4)
def test_slopes(f):
    check_slopes(f, by_identity=f in BY_IDENTITY)


def test_tangents_and_second_derivatives():
    tl.check_grads(lambda x: g_local(x, W), (X.copy(),), order=2)


def test_text():
    """The halves work in the list, and in that of its adjoints."""
    text = tl.grad(g_local).source_for(X, W)
    assert "bv = bout.pop()" in text and ".copy()" not in text
