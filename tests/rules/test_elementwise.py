"""Functions that work element by element: operators, NumPy's ufuncs, np.where."""
import operator

import numpy as np
import pytest

from tests.rules.support import check
from tests.rules.values import pairs, variants

# function, lower and upper end of the arguments, also for complex numbers
UNARY = [
    (np.sin, -3, 3, True), (np.cos, -3, 3, True), (np.tan, -1.2, 1.2, True),
    (np.arcsin, -0.8, 0.8, True), (np.arccos, -0.8, 0.8, True), (np.arctan, -2, 2, True),
    (np.sinh, -2, 2, True), (np.cosh, -2, 2, True), (np.tanh, -2, 2, True),
    (np.arcsinh, -2, 2, True), (np.arccosh, 1.2, 3, True), (np.arctanh, -0.8, 0.8, True),
    (np.exp, -2, 2, True), (np.exp2, -2, 2, True), (np.expm1, -2, 2, True),
    (np.log, 0.3, 3, True), (np.log2, 0.3, 3, True), (np.log10, 0.3, 3, True),
    (np.log1p, -0.5, 3, True), (np.sqrt, 0.3, 3, True), (np.cbrt, 0.3, 3, False),
    (np.square, -2, 2, True), (np.reciprocal, 0.5, 2, True), (np.negative, -2, 2, True),
    (np.positive, -2, 2, True), (np.absolute, 0.3, 2, True), (np.fabs, -2, -0.3, False),
    (np.deg2rad, -90, 90, False), (np.rad2deg, -2, 2, False), (np.degrees, -2, 2, False),
    (np.radians, -90, 90, False), (np.sinc, 0.02, 1.4, False), (np.sinc, -0.01, 0.01, False),
    (np.i0, -2, 2, False), (np.real, -2, 2, True), (np.imag, -2, 2, True),
    (np.sign, 0.3, 2, True), (np.conj, -2, 2, True), (np.angle, 0.2, 2, True),
    (np.nan_to_num, -2, 2, False),
    (np.modf, 0.1, 0.9, False), (np.frexp, 0.55, 0.95, False),
    (operator.neg, -2, 2, True), (operator.pos, -2, 2, True), (operator.abs, 0.3, 2, True),
    (abs, -2, -0.3, True),
]

# function, ends of the first and of the second argument, also for complex numbers
BINARY = [
    (np.add, -2, 2, -2, 2, True), (np.subtract, -2, 2, -2, 2, True),
    (np.multiply, -2, 2, -2, 2, True), (np.divide, -2, 2, 0.5, 2, True),
    (operator.add, -2, 2, -2, 2, True), (operator.sub, -2, 2, -2, 2, True),
    (operator.mul, -2, 2, -2, 2, True), (operator.truediv, -2, 2, 0.5, 2, True),
    (np.power, 0.3, 2, -2, 2, True), (operator.pow, 0.3, 2, -2, 2, True),
    (pow, 0.3, 2, -2, 2, False), (np.float_power, 0.3, 2, -2, 2, False),
    (np.remainder, 4.1, 4.9, 1.8, 1.9, False), (operator.mod, -4.9, -4.1, 1.8, 1.9, False),
    (np.fmod, -4.9, -4.1, 1.8, 1.9, False), (divmod, 4.1, 4.9, 1.8, 1.9, False),
    (np.divmod, 4.1, 4.9, 1.8, 1.9, False),
    (np.hypot, 0.3, 2, -2, 2, False), (np.arctan2, 0.3, 2, -2, 2, False),
    (np.logaddexp, -2, 2, -2, 2, False), (np.logaddexp2, -2, 2, -2, 2, False),
    (np.maximum, 0, 1, 1.1, 2, False), (np.maximum, 1.1, 2, 0, 1, False),
    (np.minimum, 0, 1, 1.1, 2, False), (np.minimum, 1.1, 2, 0, 1, False),
    (np.fmax, 0, 1, 1.1, 2, False), (np.fmin, 0, 1, 1.1, 2, False),
    (np.copysign, 0.3, 2, -2, -0.1, False), (np.heaviside, 0.3, 2, 0, 1, False),
]


def name_of(value):
    return getattr(value, "__name__", None)


@pytest.mark.parametrize("fun, low, high, complex_too", UNARY, ids=name_of)
def test_unary(fun, low, high, complex_too):
    for x in variants(low, high, complex_too):
        if fun is np.sinc and np.asarray(x).dtype == np.float32:
            continue            # the primal itself is computed in double precision
        check(fun, x, step=1e-3 if high - low > 1 else 1e-4)


@pytest.mark.parametrize("fun, low, high, low_2, high_2, complex_too", BINARY, ids=name_of)
def test_binary(fun, low, high, low_2, high_2, complex_too):
    for x, y in pairs(low, high, low_2, high_2, complex_too):
        if fun is pow and not isinstance(x, float) and np.ndim(x) == 0:
            continue
        check(fun, x, y, step=1e-3)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, -2, 0.5, 2.0, 2.5])
def test_literal_exponents(exponent):
    for x in variants(0.4, 2.0, True):
        check(operator.pow, x, exponent, wrt=[0])
        check(np.power, x, float(exponent), wrt=[0])


def test_where():
    rng = np.random.default_rng(0)
    mask = np.array([True, False, True])
    for x, y in [(rng.random(3), rng.random(3)), (rng.random((2, 3)), rng.random(3)),
                 (rng.random(3), 2.0), (2.0, rng.random((2, 1))), (1.0, 2.0),
                 (rng.random(3) + 1j, rng.random(3)),
                 (rng.random(3).astype(np.float32), rng.random(3).astype(np.float32)),
                 (np.float64(1.0), np.array(2.0))]:
        check(np.where, mask, x, y)
    check(np.where, True, 1.0, 2.0)
    check(np.where, np.True_, np.array(1.0), 2.0)
    check(np.where, np.array([[True], [False]]), rng.random(3), rng.random(3))


def test_clip():
    x = np.array([-1.5, -0.2, 0.3, 1.7])
    check(np.clip, x, -1.0, 1.0)
    check(np.clip, x, -1.0, None)
    check(np.clip, x, None, 1.0)
    check(np.clip, x, np.full(4, -1.0), np.ones((2, 4)))
    check(np.clip, 0.3, -1.0, 1.0)
    check(np.clip, x, min=-1.0, max=1.0, wrt=[0, "min", "max"])
    check(np.ndarray.clip, x, -1.0, 1.0)
    check(np.clip, x.astype(np.float32), -1.0, 1.0)


def test_others():
    check(np.ldexp, np.array([0.5, 1.5]), np.array([2, 3]))
    check(np.ldexp, 0.5, 3)
    check(np.nextafter, np.array([0.5, 1.5]), np.array([2.0, 3.0]), wrt=[0], atol=1e-3)
    check(np.angle, np.array([1 + 2j, 2 - 1j]), deg=True)
    check(np.angle, np.array([1 + 2j, 2 - 1j]), True)
    for z in (np.array([1 + 2j, 2 - 1j]), np.array([1.0, 2.0]), np.array(1.0), np.array(1j)):
        check(np.ndarray.conj, z)
        check(np.ndarray.real, z, compare=np.real, run=np.real)
        check(np.ndarray.imag, z, compare=np.imag, run=np.imag)
        check(np.ndarray.T, z, compare=np.transpose, run=np.transpose)
    check(np.real_if_close, np.array([1.0, 2.0]))


@pytest.mark.parametrize("fun, args, expected", [
    (np.abs, (np.array([0.0]),), [[0.0]]),
    (np.abs, (np.array([0j]),), [[0.0]]),
    (np.maximum, (np.array([1.0]), np.array([1.0])), [[0.5], [0.5]]),
    (np.minimum, (np.array([1.0]), np.array([1.0])), [[0.5], [0.5]]),
    (np.fmax, (np.array([np.nan]), np.array([1.0])), [[0.0], [1.0]]),
    (np.fmin, (np.array([2.0]), np.array([np.nan])), [[1.0], [0.0]]),
    (np.maximum, (0.0, 0.0), [0.5, 0.5]),
    (np.power, (np.array([0.0, 0.0, 0.0]), np.array([0.0, 1.0, 2.0])),
     [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]),
    (operator.pow, (0.0, 0.0), [0.0, 0.0]),
    (np.hypot, (0.0, 0.0), [0.0, 0.0]),
    (max, (1.0, 1.0), [0.5, 0.5]),
    (max, (1.0, 1.0, 1.0), [1 / 3, 1 / 3, 1 / 3]),
    (min, (1.0, 1.0), [0.5, 0.5]),
    (np.clip, (np.array([0.0, 1.0]), 0.0, 1.0), [[0.5, 0.5], 0.5, 0.5]),
    (np.sinc, (np.array([0.0]),), [[0.0]]),
])
def test_kinks(fun, args, expected):
    from tests.rules.support import gradient
    for known in (False, True):
        for found, wanted in zip(gradient(fun, *args, known=known), expected):
            np.testing.assert_allclose(found, wanted)
