"""Arrays that are None on some ways: what a helper returns, what a loop has at first."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient

DOWN = np.array([0.0, 0.0, -1.0])


def refract(d, n, eta):
    c = -(d @ n)
    k = 1.0 - eta ** 2 * (1.0 - c * c)
    if k < 0.0:
        return None
    return eta * d + (eta * c - math.sqrt(k)) * n


def once(x):
    out = refract(x[:3] / np.linalg.norm(x[:3]), DOWN, x[3])
    if out is None:
        return 0.0
    return np.sum(out * out * np.arange(3.0))


def both(x):
    total = 0.0
    for k in range(6):
        out = refract(x[:3] / np.linalg.norm(x[:3]), DOWN, 0.4 + 0.3 * k * x[3])
        if out is not None:
            total = total + (out[0] - 2.0 * out[1]) * x[2] + np.sum(out ** 2 * np.arange(3.0))
        else:
            total = total * x[1]
    return total


def written(x):
    total = 0.0
    for k in range(6):
        out = refract(x[:3] / np.linalg.norm(x[:3]), DOWN, 0.4 + 0.3 * k * x[3])
        if out is not None:
            out[0] = out[1] * x[0]
            out += x[:3]
            total = total + np.sum(out ** 2 * np.arange(3.0))
    return total


def pick(a, flag):
    return a if flag else None


def view_written(x):
    total = 0.0
    base = x * x
    for k in range(4):
        part = base[k:k + 2] if k % 2 == 0 else None
        if part is not None:
            part[0] *= 2.0
            total = total + np.sum(part ** 2)
    return total + np.sum(base)


def alias_written(x):
    base = x * x
    total = 0.0
    for k in range(4):
        q = pick(base, k > 1)
        if q is not None:
            q[k] = q[k - 1] * x[0]
            q *= 1.1
        total = total + np.sum(base ** 2)
    return total


def momentum(x):
    v = None
    w = x.copy()
    for k in range(4):
        g = 2.0 * w * (k + 1.0) * 0.1
        v = g if v is None else 0.9 * v + g
        w = w - 0.1 * v
    return np.sum(w ** 3)


def momentum_in_place(x):
    v = None
    w = x.copy()
    for k in range(4):
        g = 2.0 * w * (k + 1.0) * 0.1
        if v is None:
            v = g.copy()
        else:
            v *= 0.9
            v += g
        w -= 0.1 * v
    return np.sum(w ** 3)


def accumulate(x):
    acc = None
    for k in range(3):
        t = np.outer(x, x) * k
        if acc is None:
            acc = t
        else:
            acc += t
    return np.sum(acc @ x)


def accumulate_maybe_none(x):
    acc = None
    for k in range(4):
        if x[k] > 1.0:
            t = x * k
            acc = t if acc is None else acc + t
    if acc is None:
        return x[0]
    return np.sum(acc * acc)


def lagged(x):
    prev = None
    total = 0.0
    for k in range(4):
        cur = np.tanh(x * k)
        if prev is not None:
            total += np.sum((cur - prev) ** 2)
        prev = cur
    return total


def lookup(x):
    table = {"a": x[:2] * 2.0}
    total = 0.0
    for key in ("a", "b", "a"):
        got = table.get(key)
        if got is not None:
            total += np.sum(got * got) * x[3]
        else:
            total += x[2]
    return total


def newton_maybe(a, b):
    y = a
    for _ in range(20):
        g = y ** 3 - b
        if np.max(np.abs(g)) < 1e-12:
            return y
        y = y - g / (3 * y ** 2)
    return None


def newton(x):
    s = newton_maybe(np.ones(4), x)
    if s is None:
        raise RuntimeError("no convergence")
    return np.sum(s * s)


def guard_and(x):
    best = None
    for k in range(4):
        c = np.roll(x, k) * (1.0 + 0.1 * k)
        if best is None or np.sum(c * x) > np.sum(best * x):
            best = c
    return np.sum(best * best * x)


def summed(x, least):
    acc = None
    for k in range(3):
        if x[k] > least:
            t = x * (k + 1.0)
            if acc is None:
                acc = t
            else:
                acc += t * t
    return acc


def returned(x):
    first, second = summed(x, 0.5), summed(x, 1.2)
    if second is not None:
        second[0] = x[1]
        return np.sum(second ** 3)
    if first is None:
        return x[2]
    first += x
    return np.sum(first * first)


BY_NAMES = [once, both, written, momentum, momentum_in_place, accumulate_maybe_none, lagged, lookup,
            newton, guard_and, view_written, accumulate, returned]
OTHERS = [alias_written]
POINTS = [np.array([0.93, 1.1, 0.7, 1.3]), np.array([0.3, 0.2, 0.6, 0.9])]


@pytest.mark.parametrize("f", BY_NAMES + OTHERS)
@pytest.mark.sweep(2)
def test_arrays_that_may_be_none(f):
    derivative = tl.value_and_grad(f)
    for x in POINTS:
        x.flags.writeable = False
        value, slope = derivative(x)
        assert value == f(x.copy())
        (wanted,), _ = numeric_gradient(f, (x.copy(),), (0,))
        np.testing.assert_allclose(slope, wanted, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(tl.jvp(f, (x,), (POINTS[0],))[1], slope @ POINTS[0])
        pullback = tl.vjp(f, x)[1]
        for _ in range(2):
            np.testing.assert_allclose(pullback(1.0)[0], slope)
    assert not derivative._latest.by_identity or f in OTHERS
