"""Functions inside that call themselves and bind variables around them: counters, sums, the best so
far.
"""
import math

import numpy as np
import pytest

from tests.reference.modes import hold_curvature_to_differences, hold_to_differences


def adaptive_simpson(x):
    calls = 0

    def f(t):
        nonlocal calls
        calls += 1
        return math.exp(-x[0] * t * t) * math.cos(x[1] * t)

    def simpson(a, fa, b, fb):
        m = 0.5 * (a + b)
        fm = f(m)
        return m, fm, (b - a) / 6 * (fa + 4 * fm + fb)

    def go(a, fa, b, fb, m, fm, whole, eps):
        lm, flm, left = simpson(a, fa, m, fm)
        rm, frm, right = simpson(m, fm, b, fb)
        delta = left + right - whole
        if abs(delta) < 15 * eps:
            return left + right + delta / 15
        return go(a, fa, m, fm, lm, flm, left, eps / 2) + go(m, fm, b, fb, rm, frm, right, eps / 2)
    a, b = 0.0, x[2]
    fa, fb = f(a), f(b)
    m, fm, whole = simpson(a, fa, b, fb)
    return go(a, fa, b, fb, m, fm, whole, 1e-5)


def aug_old(x):
    total = 0.0

    def walk(k, v):
        nonlocal total
        total += v * 0.5
        if k == 0:
            return v
        total += walk(k - 1, v * x[1])
        return total * 0.1 + v
    r = walk(3, x[0])
    return r * total


def visit_only(x):
    total, count = 0.0, 0

    def visit(k, v):
        nonlocal total, count
        count += 1
        total = total + v * v / count
        if k > 0:
            visit(k - 1, v * 0.5)
            visit(k - 1, math.sin(v) * total)
    visit(3, x[0])
    return total * x[1] + count


def single_none(x):
    best = 0.0

    def visit(k, v):
        nonlocal best
        if v > best:
            best = v
        if k == 0:
            return
        visit(k - 1, v * x[1])
        visit(k - 1, v * 0.3)
    visit(3, x[0])
    return best * best


def order_read(x):
    n = 1.0

    def g(k):
        nonlocal n
        n = n * x[0] + 0.1
        return n if k == 0 else g(k - 1) * n + n * g(k - 1)
    return n + g(2) * n + (g(1) if n > 0.5 else n) * (n - g(0))


def short_circuit(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        if k == 0 or v > 5.0:
            return v
        return g(k - 1, v * 1.1) + (v if v > 1.0 and g(k - 1, v * 0.9) > 0.8 else 0.3 * v)
    y = g(3, x[0]) if x[1] > 0.5 else 0.0
    return y * n


def reader(x):
    n = 0.5

    def peek():
        return n * x[1]

    def g(k):
        nonlocal n
        n = n * 0.9 + 0.1 * x[0]
        return n if k == 0 else g(k - 1) + peek()
    s = g(3) + peek()
    n = n * 2.0
    return s * g(2) + peek()


def in_loop(x):
    n = 0
    acc = 0.0

    def g(k, v):
        nonlocal n
        n = n + 1
        return v if k == 0 else g(k - 1, v * x[k]) + 0.1 * n * v
    for j in range(3):
        if n > 6:
            break
        acc += g(j, x[0])
    return acc + n


def in_while(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        return v if k == 0 else g(k - 1, v * 0.5)
    v = x[0]
    while g(2, v) > 0.05:
        v = v * 0.6
    return v * n


def in_comprehension(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        if k == 0:
            return v
        return sum(g(k - 1, v * x[j]) for j in range(2)) * n
    return g(2, x[0]) + n


def in_lambda(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        return v if k == 0 else g(k - 1, v * 0.5)
    h = lambda v: g(2, v) * 2.0     # noqa: E731
    return h(x[0]) * n


def through_helper(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        return v if k == 0 else g(k - 1, v * 0.5)

    def start(v):
        return g(2, v) + n
    return start(x[0]) * start(x[1])


def caught(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        if k == 0:
            return math.sqrt(v - 1.0)
        return g(k - 1, v * 0.5) + v
    try:
        y = g(2, x[0])
    except ValueError:
        y = x[1]
    return y * n


def array_bound(x):
    acc = np.zeros(4)

    def g(k, h):
        nonlocal acc
        acc = acc + h * k
        return np.sum(h) if k == 0 else g(k - 1, np.tanh(h)) * 0.5 + acc[0]
    return g(3, x) + np.sum(acc ** 2)


def array_in_place(x):
    acc = np.zeros(4)
    keep = acc

    def g(k, h):
        nonlocal acc
        acc += h * k
        return np.sum(h) if k == 0 else g(k - 1, np.tanh(h)) * 0.5
    return g(3, x) + np.sum(acc ** 2) + np.sum(keep)


def list_kept(x):
    log = []
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        log.append(v * n)
        return v if k == 0 else g(k - 1, v * x[1])
    return g(3, x[0]) + sum(log) + n


def matched(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        match k:
            case 0:
                return v * n
            case 1:
                return v * 2.0
            case _:
                return g(k - 1, v * 0.5) + g(k - 2, v) + n
    return g(4, x[0])


def nested_args(x):
    n = 0.0

    def g(k, v):
        nonlocal n
        n = n + v
        return v * n if k == 0 else g(k - 1, g(k - 1, v * 0.5) * x[1])
    return g(2, x[0]) + n


def keyword_call(x):
    n = 0

    def g(k, v=0.7):
        nonlocal n
        n += 1
        return v * x[0] if k == 0 else g(k=k - 1, v=v * x[1]) + g(0) * n
    return g(3) + n


def shadow(x):
    n = 1.0

    def g(k, v):
        nonlocal n
        n = n * v
        def inner(n):
            return n * 2.0
        return inner(v) if k == 0 else g(k - 1, v * 0.9) + inner(n)
    return g(2, x[0]) * n


def limit(x):
    evals = 0

    def f(t):
        nonlocal evals
        evals += 1
        return math.exp(-x[0] * t) * math.sin(x[1] * t)

    def quad(a, b, fa, fb, tol):
        if evals > 200:
            raise RuntimeError("too many")
        m = 0.5 * (a + b)
        fm = f(m)
        if abs(fa + fb - 2 * fm) < tol:
            return (b - a) * fm
        return quad(a, m, fa, fm, tol / 2) + quad(m, b, fm, fb, tol / 2)
    r = quad(0.0, 2.0, f(0.0), f(2.0), 1e-1)
    return r, evals


def limit_value(x):
    r, n = limit(x)
    return r * x[2] + n


def early_exit(x):
    steps, found = 0, None

    def search(lo, hi, depth):
        nonlocal steps, found
        steps += 1
        m = 0.5 * (lo + hi)
        if depth == 0:
            found = m
            return
        if m * m > x[0]:
            search(lo, m, depth - 1)
        else:
            search(m, hi, depth - 1)
    search(0.0, x[1] * 2.0, 6)
    return found * steps


def places(x):
    n = 0.0

    def g(k, v):
        nonlocal n
        n = n + 0.1 * v
        return v * n if k == 0 else g(k - 1, v * 0.8) + n
    a = np.zeros(4)
    a[int(g(1, x[0])) % 4] = g(1, x[1])
    a[2] += g(1, x[0]) * n
    a[int(n) % 4] *= g(0, x[1])
    y = z = g(1, x[2])
    if 0.0 < g(0, 0.5) < g(1, 0.7):
        y = y * 2.0
    elif g(0, x[0]) > 0:
        y = y * 3.0
    p, (q, r) = g(0, x[0]), (g(1, x[1]), n)
    return np.sum(a * x) + y * z * n + p * q * r


def fstring(x):
    n = 0.0

    def g(k, v):
        nonlocal n
        n = n + 0.1 * v
        return v * n if k == 0 else g(k - 1, v * 0.8) + n
    s = f"{g(1, x[0]):.3f} and {n:.2f}"
    return len(s) * n * x[1]


def asserted(x):
    n = 0.0

    def g(k, v):
        nonlocal n
        n = n + 0.1 * v
        return v * n if k == 0 else g(k - 1, v * 0.8) + n
    assert g(1, x[0]) > 0 and n > 0
    return n * x[1]


def ranged(x):
    n = 1.0

    def g(k, v):
        nonlocal n
        n = n + 0.1 * v
        return v * n if k == 0 else g(k - 1, v * 0.8) + n
    s = 0.0
    for j in range(int(g(2, x[0]))):
        s += g(j % 2, x[1]) * n
    return s * n


def rebinding_args(x):
    n = 1.0

    def g(k, v, w=0.5):
        nonlocal n
        n = n + 0.1 * v * w
        return v * n if k == 0 else g(k - 1, (u := v * 0.8) + g(0, u), w=n) + u
    return g(2, x[0], w=g(1, x[1])) * n


def unbound_first(x):

    def g(k, v):
        nonlocal n
        n = v * 2.0
        return v if k == 0 else g(k - 1, v * n)
    n = 0.0
    return g(2, x[0]) + n


def early_loop(x):
    n, out = 0, 0.0

    def g(k, v):
        nonlocal n
        for j in range(3):
            n += 1
            if n > 4:
                return v * j
            if k > 0 and j != 1:
                v = v + g(k - 1, v * x[1])
                continue
            v = v * 1.1
        return v
    for j in range(3):
        out += g(j, x[0])
        if n > 9:
            break
    return out + n


def two_calls_in_sum(x):
    n = 0

    def g(k, v):
        nonlocal n
        n += 1
        s = 0.0
        for j in range(k):
            s = s + n * g(j, v * 0.5) - g(0, v) * n
        return s + v
    return g(3, x[0]) * x[1] + n


def read_when_it_is_called(x):
    n = 0.5


    def g(k, v):
        nonlocal n
        n = n * x[1] + v
        return v if k == 0 else h(g(k - 1, v * 0.5))


    def h(u):
        return u * n + x[2]

    return g(2, x[0])


BY_NAMES = [adaptive_simpson, aug_old, visit_only, single_none, order_read, short_circuit, reader,
            in_loop, array_bound, matched, nested_args, keyword_call, shadow, limit_value,
            early_exit, places, fstring, asserted, ranged, rebinding_args, unbound_first,
            early_loop, two_calls_in_sum, read_when_it_is_called]
# What stands in a condition of a loop, in a function or a comprehension, or may be caught; lists.
BY_IDENTITY = [in_while, in_comprehension, in_lambda, through_helper, caught, array_in_place,
               list_kept]
X, V = np.array([0.93, 1.1, 0.7, 1.3]), np.array([1.0, 0.5, -0.3, 0.2])


@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY)
@pytest.mark.sweep(3)
def test_all_modes(f):
    hold_to_differences(f, X, V, f in BY_IDENTITY)


@pytest.mark.parametrize("f", [adaptive_simpson, order_read])
def test_second_order(f):
    hold_curvature_to_differences(f, X, V, rtol=1e-5, atol=1e-5)
