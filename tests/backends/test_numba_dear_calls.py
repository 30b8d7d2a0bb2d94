"""Functions of numbers in loops are recorded for compiled code, and computed again for Python."""
import cmath
import math

import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tests.backends.comparing import held  # noqa: E402

Z = np.random.default_rng(4).normal(size=(3, 5))


def paths(x, z):
    total = 0.0
    for i in range(z.shape[0]):
        s = x
        for t in range(z.shape[1]):
            s *= np.exp(0.1 * x * z[i, t])
            total += s
    return total


def left_early(x, z):
    s = x
    for row in range(z.shape[0]):
        e = math.exp(-s * x)
        if e > 0.95:
            break
        for t in range(z.shape[1]):
            p = math.sin(s * z[row, t])
            if p > 0.8:
                continue
            s = s + e * p * x
        s = s * e
    return s * x


def by_turns(x, z):
    s = x
    n = 0
    while n < z.shape[0]:
        if z[n, 0] > 0.0:
            a = (s * s + 0.1) ** x
            s = a * s
        else:
            b = math.tanh(s)
            s = b * s + x
        n += 1
    return s


def curve(a, b):
    return math.exp(-a * b) * a


def by_a_helper(x, z):
    s = x
    for row in range(z.shape[0]):
        s = s + curve(s, x) * curve(x, s) * z[row, 0]
    return s


def of_a_fixed_number(x, z):
    s = 0.0
    for row in range(z.shape[0]):
        s = s + math.exp(x) * z[row, 1] * s + x
    return s


PROGRAMS = [paths, left_early, by_turns, by_a_helper, of_a_fixed_number]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f):
    held(f, [(x, z) for x in (0.4, 1.3) for z in (Z, Z[:1], Z[:0], -Z, Z[:, :1])])
    for x in (0.4, 1.3):
        step = 1e-6
        slope = (f(x + step, Z) - f(x - step, Z)) / (2.0 * step)
        assert np.isclose(tl.grad(f, backend="numba")(x, Z), slope, rtol=1e-6)


def test_a_complex_step():
    def of(exp):
        def walk(x, n):
            s = x
            for _ in range(n):
                s = s * exp(-0.1 * s) + x
            return s
        return walk
    expected = of(cmath.exp)(0.7 + 1e-30j, 9).imag / 1e-30
    assert np.isclose(tl.grad(of(np.exp), backend="numba")(0.7, 9), expected, rtol=1e-14)


def test_it_is_computed_once():
    compiled, plain = (tl.grad(paths, backend=b).source_for(0.4, Z) for b in ("numba", "python"))
    assert compiled.count("exp_t = np.exp(") == 1
    assert plain.count("exp_t = np.exp(") == 1 and plain.count("*= np.exp(") == 2   # and a comment


def test_roots_are_computed_again():
    def roots(x, n):
        s = x
        for _ in range(n):
            s = s * math.sqrt(s + x)
        return s
    held(roots, [(0.3, 4), (0.3, 0)])
    assert "sqrt_t_tape" not in tl.grad(roots, backend="numba").source_for(0.3, 4)
