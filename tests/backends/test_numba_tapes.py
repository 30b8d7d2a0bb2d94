"""Tapes of compiled code: what is written to them changes no element of an array."""
import math
import re

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_checks import CheckedCompiler  # noqa: E402


def compiled(function):
    return numba.njit(pipeline_class=CheckedCompiler, error_model="python")(function)


def test_memory_of_tapes_is_told_from_that_of_arrays():
    def back_and_forth(x, n):
        one = []
        other = []
        one.room(n)
        for i in range(n):
            one.put(x[0] * i)
            other.append(i)
            x[1] = 2.0 * x[0]
        total = 0.0
        one.hold(n)
        for _ in range(n):
            total += one.take() * other.pop() + x[1]
        return total

    run = compiled(back_and_forth)
    x = np.array([1.5, 0.0])
    assert run(x, 50) == sum(1.5 * i * i + 3.0 for i in range(50))
    text = next(iter(run.inspect_llvm().values()))
    assert re.search(r"!alias\.scope", text) and "tape 0" in text and "tape 1" in text


def growing(x, stop):
    """Nobody knows how long the tapes become; elements are read, and overwritten, in between."""
    y = x[0]
    k = 0
    while y < stop:
        x[k % 3] = math.sin(y) * x[(k + 1) % 3]
        y = y + 1.0 + x[k % 3] ** 2
        for j in range(k % 4):
            y = y + 0.01 * math.exp(-x[j % 3] * y) * x[2]
        k += 1
    return y + np.sum(x)


def swapped(x, n):
    """Arrays made anew while tapes are there, and given back."""
    u = x.copy()
    for _ in range(n):
        v = np.zeros_like(u)
        for i in range(len(u)):
            v[i] = math.tanh(u[i] * u[i - 1]) + 0.5 * u[i]
        u = v
    return np.sum(u * u)


@pytest.mark.parametrize("function, rest", [(growing, [40.0]), (growing, [-5.0]),
                                            (swapped, [30]), (swapped, [0])])
def test_against_python_and_differences(function, rest):
    x = np.array([0.3, 0.7, -0.4])
    value, found = tl.value_and_grad(function, backend="numba")(x, *rest)
    assert value == function(x.copy(), *rest)
    np.testing.assert_allclose(found, tl.grad(function)(x, *rest), rtol=1e-9, atol=1e-12)
    for k in range(3):
        step = np.zeros(3)
        step[k] = 1e-6
        slope = (function(x + step, *rest) - function(x - step, *rest)) / 2e-6
        assert abs(found[k] - slope) <= 1e-5 * max(1.0, abs(slope))
