"""Tuples that comprehensions make of tuples, and copies of dicts by `dict`: by name."""
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([0.5, 0.8, 1.1])


class State(NamedTuple):
    x: Any
    v: Any


def runge_kutta(x, n):
    def rates(y):
        return y[1], -y[0] * x[2], y[0] * y[1]

    y = (x[0], x[1], 0.1)
    for _ in range(n):
        k1 = rates(y)
        k2 = rates(tuple(a + 0.05 / 2 * b for a, b in zip(y, k1)))
        y = tuple([a + 0.05 * (p + q) / 2 for a, p, q in zip(y, k1, k2)])
    return sum(v * v for v in y)


def numbered(x, n):
    s = (x[0], x[1], x[2])
    for _ in range(n):
        s = tuple(0.9 * v + 0.01 * k for k, v in enumerate(s))
    return s[0] * s[1] + s[2]


def spread_over_a_class(x, n):
    s = State(x, x * 0.5)
    for _ in range(n):
        d = State(s.v, -s.x)
        s = State(*(a + 0.1 * b for a, b in zip(s, d)))
    return np.sum(s.x * s.v)


def spread_over_a_list(x, n):
    s = (x[0], x[1])
    for _ in range(n):
        s = (s[1], *[v * 0.5 for v in s][:1])
    return np.sum(np.array([*(v * v for v in s), *[2.0 * v for v in x]]) * 0.3)


def of_one_name(x, n):
    s = (x[0], x[1])
    v = 3.0
    for _ in range(n):
        s = tuple(s * s + v * 0.1 for s in s)
    return s[0] * s[1] * v


def of_several_lengths(x, n):
    t = tuple([x[0], x[1] * 2])
    u = tuple([a * b for a in t for b in t])
    w = tuple(v for v in t if v > 0.1)
    z = tuple(2.0 for _ in t)
    short = tuple(a * b for a, b in zip(t, (x[2], 3.0, n)))
    return sum(u) * w[0] * z[1] * short[1] + sum(tuple(v * v for v in x))


def nested(x, n):
    rows = ((x[0], x[1]), (x[1], x[2]))
    for _ in range(n):
        rows = tuple(tuple(v * 0.9 for v in row) for row in rows)
    return rows[0][0] * rows[1][1] + rows[1][0]


def rates(s, b):
    new = b * s["S"] * s["I"]
    return {"S": -new, "I": new - 0.1 * s["I"], "R": 0.1 * s["I"]}


def dicts(x, n):
    first = {"S": 0.9, "I": 0.1, "R": 0.0}
    s = dict(first, R=x[1])
    for _ in range(n):
        k1 = rates(s, x[0])
        mid = dict(s)
        mid["S"] = mid["S"] + 0.05 * k1["S"]
        k2 = rates(mid, x[0])
        s = {k: v + 0.1 * k2[k] for k, v in s.items()}
    return s["S"] * s["I"] * x[2] + s["R"] * first["S"]


def over_ranges(x, n):
    k = 2.0
    s = tuple(0.1 * (k + 1) for k in range(3))
    m = tuple([tuple(x[i] * x[j] + j for j in range(2)) for i in range(1, 3)])
    for _ in range(n):
        s = tuple(s[k] + 0.2 * x[k] * s[(k + 1) % 3] for k in range(len(s)))
    back = tuple(s[k] * m[-1][k] for k in range(1, -2, -2))
    return sum(s) * m[0][1] + m[1][0] * k + back[0] * back[1] + len(tuple(x[k] for k in range(0)))


def a_range_of_what_is_bound_anew(x, n):
    s = (x[0], x[1])

    def bump(k):
        nonlocal s
        s = (x[2], *s)
        return s[k] * s[-1]

    t = tuple(bump(k) * s[k] for k in range(len(s)))
    return t[0] * t[1] * s[0] + len(t) * n


def doubled(a, v):
    a[1] = a[1] * 2.0
    return v * a[0]


def changed_while_run_over(x, n):
    a = x.copy()
    t = tuple(doubled(a, v) for v in (a[0], a[1], a[2]))
    u = tuple(doubled(a, v) * w for w, v in zip((1.0, 2.0), (a[2], a[1])))
    return t[0] + t[1] * t[2] * u[0] + max(*[doubled(a, v) for v in (a[0], a[1])]) * u[1] + n


def bound_anew_while_run_over(x, n):
    a, b = x[0], x[1]
    s = (b, x[2])

    def bump(v):
        nonlocal b, s
        b = b * 2.0
        s = (v * 2.0, v * 5.0)
        return v * 3.0

    t = tuple(bump(v) for v in (a, b))
    u = tuple(bump(v) for v in s)
    return t[0] * t[1] * b * u[0] + u[1] * s[1] + n


class Body:
    def __init__(self, s):
        self.s = s

    def step(self, v):
        self.s = (self.s[0] * 2.0, self.s[1] * 3.0)
        return v


def a_part_that_is_changed_while_run_over(x, n):
    body = Body((x[0], x[1] * x[2]))
    t = tuple(body.step(v) for v in body.s)
    return t[0] * t[1] * body.s[1] + n


@pytest.mark.parametrize("function", [
    changed_while_run_over, bound_anew_while_run_over, a_part_that_is_changed_while_run_over,
    runge_kutta, numbered, over_ranges, a_range_of_what_is_bound_anew,
    spread_over_a_class, spread_over_a_list, of_one_name,
    of_several_lengths, nested, dicts])
@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.sweep(5)
def test_derivatives(function, n):
    want = [(function(X + h, n) - function(X - h, n)) / 2e-6 for h in 1e-6 * np.eye(3)]
    gradient = tl.grad(function)
    np.testing.assert_allclose(gradient(X, n), want, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(tl.jvp(function, (X, n), (np.ones(3), None))[1], np.sum(want),
                               rtol=1e-6)
    assert gradient._latest.by_identity == (function is spread_over_a_list)
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(X, n), want, rtol=1e-6, atol=1e-8)
    direction = np.array([1.0, -0.5, 2.0])
    ends = [gradient(X + h * direction, n) for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(tl.hvp(function)(X, n, direction), (ends[0] - ends[1]) / 2e-6,
                               rtol=1e-5, atol=1e-7)


def test_what_is_written():
    text = tl.grad(numbered).source_for(X, 3)
    assert "s = 0.9 * s[0] + 0.01 * 0, 0.9 * s[1] + 0.01 * 1, 0.9 * s[2] + 0.01 * 2" in text


@pytest.mark.parametrize("function", [over_ranges, numbered])
def test_compiled(function):
    pytest.importorskip("numba")
    compiled = tl.value_and_grad(function, backend="numba")
    for n in (0, 3):
        value, gradient = compiled(X, n)
        want = [(function(X + h, n) - function(X - h, n)) / 2e-6 for h in 1e-6 * np.eye(3)]
        assert value == function(X, n)
        np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-8)


def test_a_tuple_of_numbers_is_compiled():
    pytest.importorskip("numba")

    def walk(x, n):
        s = tuple([0.1 * k for k in range(-1, 2)])
        for _ in range(n):
            s = tuple(a + x * s[(k + 1) % 3] for k, a in enumerate(s))
        return s[0] * s[1] + s[2]
    slope = (walk(0.3 + 1e-6, 4) - walk(0.3 - 1e-6, 4)) / 2e-6
    assert np.isclose(tl.grad(walk, backend="numba")(0.3, 4), slope, rtol=1e-6)
