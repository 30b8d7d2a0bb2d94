"""Remainders of ints, looked at before they are divided, against Python."""
import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_checks import CheckedCompiler  # noqa: E402
from tests.backends.comparing import held  # noqa: E402

NUMBERS = [0, 1, -1, 2, 3, -3, 4, 5, -5, 6, 11, -12, 2 ** 40, -2 ** 40]


@numba.njit(pipeline_class=CheckedCompiler, error_model="python")
def remainder(x, y):
    return (x + 1) % y


@numba.njit(pipeline_class=CheckedCompiler, error_model="python")
def in_place(x, y):
    x %= y
    return x


def test_remainders_of_all_signs():
    for x in NUMBERS:
        for y in NUMBERS:
            for compiled, plain in ((remainder, (x + 1).__mod__), (in_place, x.__mod__)):
                try:
                    expected = plain(y)
                except ZeroDivisionError:
                    with pytest.raises(ZeroDivisionError):
                        compiled(x, y)
                else:
                    assert compiled(x, y) == expected, (x, y)


def lattice(u, k, n, m):
    total = 0.0
    for i in range(n):
        left, right = (i - 1) % m, (i + 1) % m
        total += u[left] * u[right] * k - np.cos(u[(i + 7) % m] - u[i % m]) * (i % m)
        right %= m
        total += u[right]
    return total


def test_a_ring():
    u = np.linspace(0.2, 1.7, 5)
    held(lattice, [(u, 0.3, n, m) for n in (0, 1, 5, 13) for m in (1, 2, 5)])
    step = 1e-6
    bu, bk = tl.grad(lattice, wrt=(0, 1), backend="numba")(u, 0.3, 7, 5)
    for place in range(5):
        moved = np.eye(5)[place] * step
        slope = (lattice(u + moved, 0.3, 7, 5) - lattice(u - moved, 0.3, 7, 5)) / (2.0 * step)
        assert np.isclose(bu[place], slope, rtol=1e-6)


def test_nothing_is_divided_by_zero():
    held(lattice, [(np.ones(3), 0.3, 2, 0)])
