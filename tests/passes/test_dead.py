"""What nothing needs is not written, nor recorded."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def wrapped(theta, omega, dt, n):
    """The branch does nothing to slopes, and decides what comes after."""
    energy = 0.0
    for _ in range(n):
        omega = omega - dt * math.sin(theta)
        theta = theta + dt * omega
        if theta > 1.0:
            theta = theta - 2.0
        energy = energy + 0.5 * omega * omega
    return energy


def counted(x, n):
    """What is counted in the branch is read behind it."""
    steps = 0
    for _ in range(n):
        x = x * x + 0.1
        if x > 0.5:
            steps = steps + 1
    return x * steps


def scaled(x, n):
    """The branch is needed backwards."""
    for _ in range(n):
        x = x * x + 0.1
        if x > 0.5:
            x = 0.5 * x
    return x


def tried(x, n):
    for _ in range(n):
        x = x * x + 0.1
        try:
            if x > 0.5:
                x = x - 0.3
            if x > 5.0:
                raise ValueError
        except ValueError:
            x = x * 2.0
    return x


@pytest.mark.parametrize(("function", "args", "recorded"), [
    (wrapped, (0.9, 0.4, 0.3), False),
    (wrapped, (0.1, 0.4, 0.3), False),
    (counted, (0.9,), False),
    (counted, (0.1,), False),
    (scaled, (0.9,), True),
    (scaled, (0.3,), True),
    (tried, (0.9,), None),
])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_conditions_that_do_nothing_backwards_are_not_recorded(function, args, recorded, n):
    d = tl.grad(function, wrt=tuple(range(len(args))))
    assert recorded is None or ("cond" in d.source_for(*args, n)) is recorded
    found = d(*args, n)
    for k, slope in enumerate(found):
        h = 1e-6
        up, down = list(args), list(args)
        up[k] += h
        down[k] -= h
        np.testing.assert_allclose(
            slope, (function(*up, n) - function(*down, n)) / (2.0 * h), rtol=1e-6, atol=1e-8)
    _, tangents = zip(*(tl.jvp(lambda *a: function(*a, n), args, tuple(float(i == k) for i in range(
        len(args)))) for k in range(len(args))), strict=True)
    np.testing.assert_allclose(found, tangents, rtol=1e-12)
