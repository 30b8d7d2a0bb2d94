"""Numbers that are recorded or put back get a name: not where another name of the array, or a later
write, would make it stale."""
import numpy as np
import pytest

import tangent_lite as tl


def _by_a_view(x):
    v = x[1:]
    total, i = 0.0, 0
    while i < len(v):
        a = v[i]
        x[i] = x[i] * a + v[i]
        if a < 0.2:
            i += 2
            continue
        v[i] = np.sin(x[i]) * a
        total += v[i] * x[i]
        i += 1
        if total > 3.0:
            break
    return total + np.sum(x * x)


def _turned_around(x):
    y = x.copy()
    total = 0.0
    for _ in range(3):
        for i in range(1, len(y) - 1):
            left, centre, right = y[i - 1], y[i], y[i + 1]
            y[i] = centre + 0.1 * (left - 2.0 * centre + right) * centre
            if y[i] < 0.01:
                break
        z = y[::-1]
        z[0] = z[0] * y[0]
        total += y[-1] * z[-1]
    return total


def _rows_of_two_names(x):
    rows = [[x[0] * i + j for j in range(3)] for i in range(2)]
    first, total = rows[0], 0.0
    for k in range(4):
        a = rows[0][k % 3]
        first[k % 3] = a * 0.5 + rows[1][0]
        total += a * rows[0][k % 3]
        for j in range(3):
            rows[1][j], rows[0][j] = rows[0][j] * a, rows[1][j]
        total += first[0] * rows[1][2]
    return total


@pytest.mark.parametrize("f", [_by_a_view, _turned_around, _rows_of_two_names])
@pytest.mark.parametrize("x", [[0.5, 1.2, 0.1, 0.8, 0.6], [0.5], [0.3, 0.9]])
def test_against_differences(f, x):
    x = np.array(x)
    v = np.cos(np.arange(len(x)))

    def along(g):
        return (g(x + 1e-5 * v) - g(x - 1e-5 * v)) / 2e-5

    gradient = tl.grad(f)
    assert gradient(x) @ v == pytest.approx(along(lambda y: f(y.copy())), rel=1e-6)
    assert tl.hvp(f)(x, v) == pytest.approx(along(gradient), rel=1e-5, abs=1e-7)


# New zeros, which may mean another array by the time their parts are put back -------------------
def _another_array_in_a_branch(x):
    b = x * 1.0
    a = np.zeros(len(x))
    if x[0] > -9.0:
        a = b
    total = 0.0
    for i in range(len(x) - 1):
        total += b[i + 1] * b[i + 1] * a[i] * a[i]
        a[i] = 3.0 * x[i]
    return total


def _another_array_in_a_loop(x):
    b = x * 1.0
    a = np.zeros(len(x))
    for _ in range(2):
        a = b
    total = 0.0
    for i in range(len(x) - 1):
        total += b[i + 1] * b[i + 1]
        a[i] = 3.0 * x[i]
    return total


def _a_view_in_a_branch(x):
    b = x * 1.0
    a = np.zeros(len(x))
    if x[0] > -9.0:
        a = b[:]
    total = 0.0
    for i in range(len(x) - 1):
        total += np.sin(b[i])
        a[i] = 3.0 * x[i] * x[i]
        total += np.sin(b[i])
    return total


def _another_array_by_a_name(x):
    b = x * 1.0
    a = np.zeros(len(x))
    if x[0] > -9.0:
        a = b
    total = 0.0
    for i in range(len(x) - 1):
        total += np.sin(b[i])
        t = a[i]
        a[i] = 3.0 * t * t
        b[i] = b[i] * b[i] + a[i]
        total += np.sin(a[i]) * t
    return total


@pytest.mark.parametrize("f", [_another_array_in_a_branch, _another_array_in_a_loop,
                               _a_view_in_a_branch, _another_array_by_a_name])
@pytest.mark.parametrize("x", [[0.7, 1.1, -0.4, 0.9], [0.5], [0.3, 0.9]])
def test_zeros_that_become_another_array(f, x):
    test_against_differences(f, x)
    x, v = np.array(x), np.cos(np.arange(len(x)))
    assert tl.grad(f)(x) @ v == pytest.approx(tl.jvp(f, (x,), (v,))[1])
