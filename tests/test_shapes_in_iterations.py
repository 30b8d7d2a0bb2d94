"""Shapes that are others in each iteration: parts that counters bound, and what is kept of them."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_lite as tl


def complex_step(function, x, *more):
    """The gradient with respect to x, each element of which gets a small imaginary part."""
    slopes = []
    for k in range(len(x)):
        moved = x.astype(complex)
        moved[k] += 1e-30j
        slopes.append(function(moved, *more).imag / 1e-30)
    return np.array(slopes)


def window(x, k):
    out = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        low = max(0, i - k)
        high = min(len(x), i + k + 1)
        out[i] = np.sum(x[low:high] * x[low:high] ** 2) / (high - low)
    return np.sum(out ** 2)


def elimination(x, k):
    a = np.outer(x, x) + 2.0 * np.eye(len(x))
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            a[j, i:] -= a[j, i] / a[i, i] * a[i, i:]
    return np.sum(np.log(np.diag(a)))


def shrinking(x, k):
    total, m = 0.0, len(x)
    y = x * x
    while m > k:
        total += np.sum(x[:m] * y[:m])
        m -= 1
    return total


def left_early(x, k):
    """v is of the iteration before, whose part was longer."""
    for i in range(len(x)):
        u = x[i:] * 2.0
        if i == len(x) - 1:
            break
        v = x[i:] * 3.0
    return np.sum(u * v)


def masked_before(x, k):
    """v is of some iteration before."""
    for i in range(3):
        u = x[x.real > 0.8 * i]
        if i == 2:
            continue
        v = u * 3.0
    return np.sum(u * v)


def made_of_the_last(x, k):
    """w is made of what v was at the head of the last iteration."""
    v = x[:1]
    for i in range(len(x)):
        w = v + 1.0
        v = x[i:]
    return np.sum(v * w)


def kept(x, k):
    total = 0.0
    for i in range(len(x)):
        if i == len(x) - 1:
            total += np.sum((w + x[i:]) ** 2)       # noqa: F821 - bound by then
        w = x[i:] * x[i:]
    return total


def kept_in_a_list(x, k):
    total, held = 0.0, []
    for i in range(len(x)):
        part = x[i:] * x[i:]
        if held:
            total += np.sum(held[-1][:1] * part)
        held.append(part)
    return total


def moved_bound(x, k):
    """A part before and behind the change of its bound."""
    total, m = 0.0, 0
    for i in range(len(x) - 1):
        u = x[m:] * x[0]
        m = m + 1
        total += np.sum(u[:1] * x[m:])
    return total


def of_inner_counts(x, k):
    total = 0.0
    u = x
    for i in range(2):
        for j in range(len(x)):
            u = x[j:] * 2.0
            v = u * x[j:]
        total += np.sum(u * v) + np.sum(x[i:][:1] * v)
    return total


def counted_behind(x, k):
    for i in range(len(x)):
        u = x[i:] * x[0]
    i = 0
    return np.sum(u * x[i:])


PROGRAMS = [window, elimination, shrinking, left_early, masked_before, made_of_the_last, kept,
            kept_in_a_list, moved_bound, of_inner_counts, counted_behind]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("size", [3, 2, 4])
def test_gradient(program, size):
    x = np.linspace(0.7, 1.9, size)
    expected = complex_step(program, x, 1)
    value, gradient = tl.value_and_grad(program)(x, 1)
    np.testing.assert_allclose(gradient, expected, rtol=1e-10)
    direction = np.linspace(-1.0, 0.5, size)
    primal, slope = tl.jvp(lambda x: program(x, 1), (x,), (direction,))
    np.testing.assert_allclose(slope, expected @ direction, rtol=1e-10)
    np.testing.assert_allclose([value, primal], program(x, 1), rtol=1e-12)


@pytest.mark.parametrize("program", [window, elimination, shrinking])
def test_parts_of_one_size_are_not_looked_at(program):
    """Nor summed: within an iteration they have one shape."""
    text = tl.grad(program).source_for(np.linspace(0.7, 1.9, 3), 1)
    assert "unbroadcast" not in text
    assert "unreduce" not in text or program is shrinking   # whose bound is another one behind it


@pytest.mark.parametrize("program", [left_early, made_of_the_last, kept, counted_behind])
def test_parts_of_two_iterations_are_looked_at(program):
    text = tl.grad(program).source_for(np.linspace(0.7, 1.9, 3), 1)
    assert "unbroadcast" in text


def test_what_differs_anyway_is_not_assumed():
    """`x[:k]` and `y[i:]` are no one slice, so that x is as long as y is of no account."""
    def crossed(x, y, n):
        total = 0.0
        for i in range(n):
            total += np.sum(x[i:i + 1] * y[i:])
        return total

    x, y = np.array([0.3, 1.2, 0.7]), np.array([1.1, -0.4, 0.8])
    derivative = tl.grad(crossed)
    assert "x.shape[0] == y.shape[0]" not in derivative.source_for(x, y, 2)
    np.testing.assert_allclose(derivative(x, y, 2), [np.sum(y), np.sum(y[1:]), 0.0])
