"""Loops over ranges that have another name, Numba's `prange` among them."""
import math

import numpy as np
import pytest

import tangent_lite as tl

counted = range


def listed(n):
    return [2.0, 3.0]


def by_another_name(x, n):
    total = 0.0
    for k in counted(1, n):
        total += math.sin(k * x)
    return total + sum([x * k for k in counted(n)])


def of_a_variable(x, n):
    counted = listed
    total = 0.0
    for k in counted(n):
        total += x * k
    return total


def test_gradients_are_central_differences():
    for n in (0, 1, 5):
        slope = (by_another_name(0.3 + 1e-6, n) - by_another_name(0.3 - 1e-6, n)) / 2e-6
        assert np.isclose(tl.grad(by_another_name)(0.3, n), slope, rtol=1e-8, atol=1e-9)
        assert np.isclose(tl.jvp(by_another_name, (0.3, n), (1.0, None))[1], slope, rtol=1e-8,
                          atol=1e-9)
    assert "in range(n - 1, 0, -1)" in tl.grad(by_another_name).source_for(0.3, 3)


def test_a_variable_of_that_name_is_what_it_is_bound_to():
    assert tl.grad(of_a_variable)(1.0, 4) == 5.0


def test_the_name_is_looked_up_at_the_call(monkeypatch):
    d = tl.grad(by_another_name)
    assert d(0.0, 3) == 1 + 2 + 3
    monkeypatch.setitem(by_another_name.__globals__, "counted", lambda *bounds: [4.0])
    assert d(0.0, 3) == 8.0


def parallel(x, w):
    total = 0.0
    for i in prange(len(x)):                                    # noqa: F821
        inner = 0.0
        for k in numba.prange(1, len(w)):                       # noqa: F821
            inner += x[i] * w[k] ** 2
        total += inner * inner
    return total


@pytest.mark.parametrize("backend", ["python", "numba"])
def test_loops_that_numba_may_run_at_once(backend, monkeypatch):
    numba = pytest.importorskip("numba")
    monkeypatch.setitem(parallel.__globals__, "numba", numba)
    monkeypatch.setitem(parallel.__globals__, "prange", numba.prange)
    x, w = np.array([0.3, -0.5, 0.7]), np.array([1.0, 0.4, 0.6])
    for function in (parallel, numba.njit(parallel=True)(parallel)):
        bx, bw = tl.grad(function, wrt=(0, 1), backend=backend)(x, w)
        inner = np.sum(w[1:] ** 2)
        assert np.allclose(bx, 2.0 * x * inner ** 2, rtol=1e-12)
        assert np.allclose(bw, np.sum(x ** 2) * 4.0 * inner * w * [0, 1, 1], rtol=1e-12)
    if backend == "python":
        tl.check_grads(parallel, (x, w))
