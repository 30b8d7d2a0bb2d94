"""Functions of math that Numba lacks, and loops over places of arrays, against Python."""
import math
import warnings

import numpy as np
import pytest

pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite import runtime  # noqa: E402
from tests import test_places  # noqa: E402


def series(x, n):
    s = 0.0
    for k in range(n):
        s = s + x ** k / math.factorial(k)
    return s


def bernstein(x, n):
    s = 0.0
    for k in range(n):
        s = s + math.comb(n, k) * x ** k * (1.0 - x) ** (n - k) / math.perm(n, 2)
    return s


def babylonian(x, n):
    y = x
    while not math.isclose(y * y, x + n, rel_tol=1e-12):
        y = 0.5 * (y + (x + n) / y)
    return y


def wrapped(x, n):
    s = 0.0
    for k in range(n):
        part, whole = math.modf(x * k)
        s = s + math.fmod(x * k, 0.7) * x + math.remainder(x * k + 0.1234, 0.3) ** 2 + part * whole
    return s


def counted(x, n):
    s = 0.0
    for k in range(math.isqrt(n * n + 1)):
        s = s + x * math.isqrt(k)
    return s


@pytest.mark.parametrize("f", [series, bernstein, babylonian, wrapped, counted])
def test_gradients(f):
    with warnings.catch_warnings():
        warnings.simplefilter("error")                  # it is compiled, and stays so
        value, got = tl.value_and_grad(f, backend="numba")(0.61, 7)
    np.testing.assert_allclose(value, f(0.61, 7), rtol=1e-14)
    h = 1e-7
    np.testing.assert_allclose(got, (f(0.61 + h, 7) - f(0.61 - h, 7)) / (2.0 * h), rtol=1e-6)


@pytest.mark.skipif(not hasattr(math, "cbrt"), reason="from Python 3.11 on")
def test_cube_root():
    def f(x):
        return math.cbrt(x) * x

    assert np.isclose(tl.grad(f, backend="numba")(-0.3), tl.grad(f)(-0.3), rtol=1e-14)


def plain(x, kind, n, k):
    """What Python's functions give, times x, which has to be their derivative."""
    if kind == 0:
        return x * math.fmod(n, k)
    if kind == 1:
        return x * math.remainder(n, k)
    if kind == 2:
        return x * (10.0 if math.isclose(n, k, abs_tol=0.5) else 3.0)
    part, whole = math.modf(n / k)
    return x * (part + 100.0 * whole)


VALUES = [(5.0, 3.0), (-5.0, 3.0), (5.0, -3.0), (0.5, 1.0), (1.5, 1.0), (2.5, 1.0), (-0.5, 1.0),
          (7.0, 2.0), (1e300, 3.0), (3.0, 1e300), (-0.0, 2.0), (1e-320, 1e-323),
          (2.0, math.inf), (-2.0, math.inf)]


def test_values_are_those_of_python():
    derivative = tl.grad(plain, backend="numba")
    for kind in range(4):
        for n, k in VALUES:
            if kind == 3 and abs(n / k) > 1e15:
                continue
            assert derivative(1.0, kind, n, k) == plain(1.0, kind, n, k), (kind, n, k)


def whole(x, kind, n, k):
    if kind == 0:
        return x * math.comb(n, k)
    if kind == 1:
        return x * math.perm(n, k)
    if kind == 2:
        return x * math.factorial(n)
    return x * math.isqrt(n)


def test_whole_numbers():
    derivative = tl.grad(whole, backend="numba")
    for kind in range(4):
        for n in (0, 1, 2, 5, 17, 18):
            for k in (0, 1, 3, 6, 20):
                assert derivative(1.0, kind, n, k) == whole(1.0, kind, n, k), (kind, n, k)
    for root in (2 ** 26, 94906267, 3037000499 // 2):
        for n in (root * root - 1, root * root, root * root + 1):
            if n < 2 ** 53:
                assert derivative(1.0, 3, n, 0) == math.isqrt(n)


@pytest.mark.parametrize("call", [lambda x: math.fmod(x, 0.0), lambda x: x * math.factorial(-1),
                                  lambda x: math.remainder(x, 0.0), lambda x: x * math.comb(-1, 2)])
def test_what_python_raises(call):
    def f(x):
        return call(x)

    with pytest.raises(ValueError):
        f(1.0)
    with pytest.raises(ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tl.grad(f, backend="numba")(1.0)


def test_large_counts_run_in_python():
    """25! is no int64: the call runs in Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = tl.grad(series, backend="numba")(0.6, 25)
    np.testing.assert_allclose(got, tl.grad(series)(0.6, 25), rtol=1e-14)


@pytest.mark.parametrize("f", [test_places.by_sizes, test_places.numbered_into,
                               test_places.of_three_axes, test_places.three_times,
                               test_places.left_early])
@pytest.mark.sweep(3)
def test_places(f):
    for shape in ((2, 3), (2, 2)):
        x = np.random.default_rng(9).normal(size=shape) * 0.7
        np.testing.assert_allclose(tl.grad(f, backend="numba")(x), tl.grad(f)(x), rtol=1e-12)


def test_slopes_of_the_gamma_function():
    def f(x):
        return math.lgamma(x) + 0.1 * math.gamma(x)

    def slope(x):
        return math.log(abs(runtime.polygamma(0, x))) + runtime.polygamma(2, x)

    for function in (f, slope):
        python, compiled = tl.grad(function), tl.grad(function, backend="numba")
        for x in (0.1, 1.0, 2.5, 15.99, 16.0, 40.0, 150.0, -0.5, -3.25):
            assert compiled(x) == pytest.approx(python(x), rel=1e-12)
    with pytest.raises(ValueError):
        tl.grad(f, backend="numba")(0.0)
