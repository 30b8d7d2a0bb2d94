"""Builtins, math and cmath."""
import cmath
import math

import numpy as np
import pytest

from tests.rules.support import check, gradient

MATH = [
    (math.sin, 0.7), (math.cos, 0.7), (math.tan, 0.7), (math.asin, 0.4), (math.acos, 0.4),
    (math.atan, 0.7), (math.sinh, 0.7), (math.cosh, 0.7), (math.tanh, 0.7), (math.asinh, 0.7),
    (math.acosh, 1.7), (math.atanh, 0.4), (math.exp, 0.7), (math.expm1, 0.7), (math.log, 0.7),
    (math.log2, 0.7), (math.log10, 0.7), (math.log1p, 0.7), (math.sqrt, 0.7), (math.fabs, -0.7),
    (math.degrees, 0.7), (math.radians, 40.0), (math.erf, 0.7), (math.erfc, 0.7),
    (math.gamma, 2.3), (math.gamma, -1.4), (math.lgamma, 2.3), (math.lgamma, 0.2),
    (math.lgamma, 40.0), (math.modf, 0.4), (math.frexp, 0.7),
    *[(getattr(math, n), 0.7) for n in ("cbrt", "exp2") if hasattr(math, n)],
]
PAIRS = [
    (math.atan2, 0.7, -0.4), (math.pow, 0.7, 1.3), (math.hypot, 0.7, -0.4),
    (math.copysign, 0.7, -0.4), (math.fmod, 4.7, 1.4), (math.remainder, 4.7, 1.4),
    (math.log, 0.7, 2.3),
]
CMATH = [cmath.sin, cmath.cos, cmath.tan, cmath.asin, cmath.acos, cmath.atan, cmath.sinh,
         cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh, cmath.atanh, cmath.exp, cmath.log,
         cmath.log10, cmath.sqrt, cmath.phase, cmath.polar]


@pytest.mark.parametrize("fun, x", MATH)
def test_math(fun, x):
    check(fun, x, step=1e-4, rtol=1e-6)
    check(fun, np.float64(x), step=1e-4)
    check(fun, np.array(x), step=1e-4)


@pytest.mark.parametrize("fun, x, y", PAIRS)
def test_math_of_two(fun, x, y):
    check(fun, x, y)


def test_math_others():
    check(math.hypot, 0.3, 0.4, 1.2)
    check(math.hypot, 0.3)
    check(math.ldexp, 0.7, 3)
    check(math.log, 0.7, 2)
    check(math.fsum, [0.3, 0.4])
    check(math.fsum, np.array([0.3, 0.4]))
    check(math.prod, [0.3, 0.4, 1.5])
    check(math.prod, np.array([0.3, 0.4, 1.5]))
    check(math.prod, [0.3, 0.4], start=2.0)
    check(math.dist, [0.3, 0.4], [1.0, -1.0])
    if hasattr(math, "sumprod"):
        check(math.sumprod, [0.3, 0.4], [1.0, -1.0])
    if hasattr(math, "fma"):
        check(math.fma, 0.3, 0.4, 0.5)
    assert gradient(math.hypot, 0.0, 0.0) == [0.0, 0.0]


@pytest.mark.parametrize("fun", CMATH)
def test_cmath(fun):
    check(fun, 0.4 + 0.3j)


def test_cmath_others():
    check(cmath.log, 0.4 + 0.3j, 2.0 + 0.5j)
    check(cmath.rect, 0.4, 0.3)


def test_sums():
    check(sum, [1.0, 2.0])
    check(sum, (1.0, 2.0), 3.0)
    check(sum, [np.ones(3), np.ones(3)])
    check(sum, [np.ones(3), 2.0])
    check(sum, np.arange(3.0))
    check(sum, np.arange(6.0).reshape(2, 3))
    check(sum, [1.0, 2.0], np.ones(2))


@pytest.mark.parametrize("fun", [max, min])
def test_extremes(fun):
    check(fun, 1.0, 2.0)
    check(fun, 2.0, 1.0)
    check(fun, 1.0, 3.0, 2.0)
    check(fun, 1.0, 0.0, wrt=[0])
    check(fun, [1.0, 3.0, 2.0])
    check(fun, (1.0, 3.0))
    check(fun, np.array([1.0, 3.0, 2.0]))
    check(fun, np.float64(1.0), np.float32(3.0))


def test_conversions():
    check(float, 2.0)
    check(float, np.array(2.0))
    check(np.float64, 2.0)
    check(np.float64, np.array(2.0))
    check(np.float64, np.array([0.3, 2.0]))
    check(np.complex128, 2.0)
    check(np.complex128, np.array([0.3, 2.0]))
    check(np.complex128, 1.0 + 2.0j)
    check(complex, 1.0, 2.0)
    check(complex, 1.0)
    check(pow, 2.0, 3)
    check(abs, 3 + 4j)
    check(abs, -2.0)


def test_the_gradient_of_the_squared_modulus_is_unconjugated():
    z = 3 + 4j
    by_abs, = gradient(abs, z)
    assert by_abs * 2 * abs(z) == pytest.approx(6 - 8j)
