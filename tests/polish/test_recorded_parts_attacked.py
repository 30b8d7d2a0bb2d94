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
