"""Views that a loop makes complex while their array is written: the shadow is a view of real
adjoints as long as the view is real."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient


def turned(p):
    a = p * 1.0
    v = a[1:]
    for i in range(3):
        a[i] = p[i] * 2.0
        v = v * (1j * p[0] + 1.0)
    return np.sum(v.real) ** 2 + np.sum(a * a) + np.sum(np.abs(v))


def rotating(p):
    state = p * 1.0
    row = state[:2]
    for k in range(3):
        state[0] = state[0] * 1.1 + p[1]
        row = row * np.exp(1j * p[2] * k)
        state[1] += row[0].real
    return abs(row[0]) + state[1] * state[0]


def no_iteration(p):
    a = p * 1.0
    v = a[:]
    for i in range(int(p[0] > 50.0)):
        a[i] = 2.0
        v = v * 1j
    v = v - 0.5j * p
    return np.sum(np.abs(v)) + a[0]


def in_another_loop(p):
    total = 0.0
    for j in range(2):
        a = p * 1.0
        v = a[1:]
        for i in range(1, 3):
            a[i] = a[i - 1] * p[j]
            if i > 1:
                v = v * (2j + p[0])
            total += np.sum(np.abs(v) ** 2)
    return total


def in_one_branch(p):
    a = np.zeros(4)
    v = a[1:]
    for i in range(3):
        a[i] = p[i] * 2.0
        v = v * (1.0 + 1j * p[0]) if i else v + 0j
    return np.sum(np.abs(v) ** 2) + a @ a


@pytest.mark.parametrize("f", [turned, in_one_branch, rotating, no_iteration, in_another_loop])
def test_views_made_complex(f):
    p = np.array([1.0, 2.0, 0.7])
    (wanted,), _ = numeric_gradient(f, (p,), (0,))
    np.testing.assert_allclose(tl.grad(f)(p), wanted, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tl.jacfwd(f)(p), wanted, rtol=1e-6, atol=1e-7)


def test_second_order():
    p, v = np.array([1.0, 2.0, 0.7]), np.array([0.3, -1.0, 0.5])
    wanted = tl.jvp(tl.grad(turned), (p,), (v,))[1]
    np.testing.assert_allclose(tl.hvp(turned)(p, v), wanted, rtol=1e-9)
