"""Helpers that write into arrays of their own and keep what their backward pass needs: pullbacks
may be called again, and whoever calls them may write into what they return."""
import re

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient
from tests.reference.modes import hold_curvature_to_differences, hold_to_differences


def heated(u0, k, n):
    u = u0.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def diffused(u0, k, n):
    u = u0.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] * u[1:-1] - u[:-2])
    return u


def three(u0, k):
    u = np.zeros(3)
    u[0] = u0[0] * k
    u[1] = k * k
    u[2] = u[0] * u[1]
    return u


def filled(a, k):
    t = np.empty_like(a)
    t[:] = a * k
    return np.exp(t)


def recurrence(a, k):
    x = np.zeros(5)
    x[0] = k
    for i in range(1, 5):
        x[i] = np.sin(x[i - 1]) * a[i % 2]
    return x


def restored(a, k):
    x = a * k
    for i in range(3):
        x[i % 2] = np.sin(x[i % 2]) * x[2]
    return x


def result_written_into(x):
    k, u0 = x[0], x[1:]
    y = three(u0, k)
    y[0] = y[0] * y[2]
    return np.sum(y * three(2.0 * u0, k) * diffused(y, k, 3))


def result_added_to(x):
    k, a = x[0], x[1:]
    e = filled(a, k)
    s = np.sum(e)
    e += 1.0
    a = a.copy()
    a[0] = 7.0
    z = filled(a, k)
    z *= e
    return s * np.sum(z)


def argument_written_into(x):
    k, a = x[0], x[1:] * 1.0
    y = diffused(a, k, 2)
    a[1] = 5.0 * k
    z = diffused(a, k, 2)
    a[:] = y * z
    return np.sum(a * y)


def in_a_loop(x):
    k, a = x[0], x[1:]
    total = 0.0
    for i in range(3):
        y = three(a, k + i)
        a = y * 0.5
        y[1] = 0.0
        total = total + np.sum(y * a)
    return total


def of_each_other(x):
    k, a = x[0], x[1:]
    y, z = recurrence(a, k), recurrence(a * k, k)
    y[2] = 0.0
    z[:] = z * y
    return np.sum(recurrence(z, k)) + np.sum(y) + np.sum(restored(a, k) * restored(z[:3], k))


@pytest.mark.parametrize("f", [result_written_into, result_added_to, argument_written_into,
                               in_a_loop, of_each_other])
def test_all_modes(f):
    x, direction = np.array([0.7, 0.3, 0.8, 0.2]), np.array([1.0, -0.5, 0.3, 2.0])
    hold_to_differences(f, x, direction)
    hold_curvature_to_differences(f, x, direction)


@pytest.mark.parametrize("f", [heated, diffused, three, filled, recurrence, restored])
def test_what_the_caller_does_with_the_result(f):
    arguments = (np.array([0.3, 0.8, 0.2]), 0.7) + ((3,) if f in (diffused, heated) else ())
    value, pullback = tl.vjp(f, *arguments)
    seed = np.arange(1.0, len(value) + 1)
    value[:] = 99.0
    (expected,), _ = numeric_gradient(
        lambda k: seed @ f(arguments[0], k[0], *arguments[2:]), (np.array([0.7]),), (0,))
    for _ in range(2):
        assert pullback(seed)[1] == pytest.approx(expected[0], rel=1e-7)


def test_it_is_not_run_again():
    def loss(k, u0):
        return np.sum(heated(u0, k, 3) ** 2)

    text = tl.grad(loss).source_for(0.1, np.linspace(0.0, 1.0, 6))
    backward = re.search(r"def heated_bwd.*?(?=\ndef )", text, re.DOTALL).group()
    assert "for _ in range(n)" in backward
    assert "# Forward pass" not in backward


def noisy(a, k, rng):
    x = np.zeros(3)
    for i in range(3):
        x[i] = a[i] * np.sin(k) * rng.normal()
    return x


def test_what_draws_random_numbers_runs_once():
    def f(k, rng):
        return np.sum(noisy(np.ones(3), k, rng))

    drawn = np.random.default_rng(0).normal(size=3)
    assert tl.grad(f)(0.7, np.random.default_rng(0)) == pytest.approx(np.cos(0.7) * sum(drawn))
