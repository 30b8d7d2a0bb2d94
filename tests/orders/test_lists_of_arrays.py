"""Second derivatives of functions that hand on lists of arrays of several shapes."""

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 0.4, 0.8, 0.2])


def two(x):
    return [x[:2] * x[0], x[1:] * x[1]]


def tails(x):
    found = []
    for k in range(3):
        found.append(x[k:] * x[k])
    return found


def unpacked(x, n):
    total = 0.0
    for _ in range(n):
        a, b = two(x)
        total = total + np.sum(a * a) * np.sum(b)
        x = x * 0.9
    return total


def by_numbers(x, n):
    total = 0.0
    for _ in range(n):
        parts = two(x)
        total = total + np.sum(parts[0] * parts[0]) * np.sum(parts[1])
        x = x * 0.9
    return total


def in_a_loop(x, n):
    total = 0.0
    for _ in range(n):
        parts = tails(x)
        for part in parts:
            total = total + np.sum(part * part)
        x = x * 0.9
    return total


def carried(x, n):
    parts = tails(x)
    total = 0.0
    for _ in range(n):
        for part in parts:
            total = total + np.sum(part * part) * (1.0 + total)
        parts = [part * 0.5 for part in parts]
    return total + np.sum(parts[0])


@pytest.mark.parametrize("function", (unpacked, by_numbers, in_a_loop, carried))
@pytest.mark.parametrize("steps", (0, 1, 3))
@pytest.mark.sweep(5)
def test_second_derivatives(function, steps):
    tl.check_grads(function, (X, steps), order=2)
    v = np.array([1.0, -2.0, 0.5, 3.0])
    forward = tl.jacfwd(lambda x: tl.jacfwd(function)(x, steps))(X) @ v
    assert np.allclose(tl.hvp(function)(X, steps, v), forward, rtol=1e-10, atol=1e-12)
    assert np.allclose(tl.grad(lambda x: tl.grad(function)(x, steps) @ v)(X), forward, rtol=1e-10)
