"""An adjoint is bound anew behind the last use of what it was; what cannot move stays."""

import numpy as np
import pytest

import tangent_lite as tl


def smoothed(a, xs):
    s = 0.1
    for x in xs:
        s = a * x + (1.0 - a) * s
    return s * s


def regression(p, x):
    s = 0.1
    for k in range(len(x)):
        s = p[0] + p[1] * s + x[k]
    return s


def of_matrices(A, b):
    s = b
    for _ in range(3):
        s = b + A @ s
    return np.sum(s * s)


def in_place(u, c):
    u = u.copy()
    for _ in range(2):
        v = u * 1.0
        u = c * u + v
        u[1:] = u[:-1] + u[1:] * u[1:]
    return np.sum(u)


def swapped(a, b):
    for _ in range(3):
        a, b = b, a + 0.5 * b
    return a * b


def swapped_back(a, b):
    """Nothing is left of the backward loop but comments."""
    for _ in range(3):
        a, b = b, a
        b, a = a, b
    while True:
        a, b = b, a
        b, a = a, b
        break
    return a * b * a


def with_exits(a, b):
    s = a
    for k in range(6):
        s = b + s * a * 0.5
        if s > 1.2:
            continue
        s = s + b * s
        if k == 4:
            break
    return s


def itself(x, n):
    for _ in range(n):
        x = x * 0.5 + x * x * 0.1 + x
    return x


CASES = [(smoothed, (0.3, [0.2, 0.7, -0.4])), (smoothed, (0.3, [])),
         (regression, ([0.4, 0.7], np.array([0.1, -0.2, 0.5]))),
         (of_matrices, (np.arange(9.0).reshape(3, 3) * 0.1, np.array([0.3, -0.2, 0.5]))),
         (in_place, (np.array([0.4, 0.1, -0.3]), 0.7)), (swapped, (0.4, -0.7)),
         (swapped_back, (0.4, -0.7)),
         (with_exits, (0.9, 0.3)), (itself, (0.4, 3)), (itself, (0.4, 0))]


@pytest.mark.parametrize("function, args", CASES, ids=lambda part: getattr(part, "__name__", ""))
def test_gradients(function, args):
    tl.check_grads(function, args, order=2)


@pytest.mark.parametrize("function, args, lines", [
    (smoothed, (0.3, [0.2]), ["ba -= bs * s", "ba += bs * x", "bs = bs * (1.0 - a)"]),
    (regression, ([0.4, 0.7], np.ones(2)), ["bp[1] += bs * s", "bp[0] += bs", "bs = bs * p[1]"]),
], ids=lambda part: getattr(part, "__name__", ""))
def test_texts(function, args, lines):
    text = tl.grad(function).source_for(*args)
    found = [line.strip() for line in text.splitlines()]
    spots = [found.index(line) for line in lines]
    assert spots == sorted(spots), text
