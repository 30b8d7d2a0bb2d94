"""Functions of elements and powers in compiled code, against NumPy and Python, bit for bit."""
import subprocess
import sys
import warnings

import numba
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.backends import numba as _registered  # noqa: F401
from tangent_lite.backends.numba_functions import ORIGINALS
from tangent_lite.backends.numba_own_elements import own_power, own_square

RNG = np.random.default_rng(0)
X = 2.0 * RNG.normal(size=(5, 37))
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e308, -1e308, 1e-310,
                    709.9, -746.0, 1e22, 0.5, 1.0, -1.0, 3.0])
OF_ONE = [(own, plain) for own, plain in ORIGINALS.items()
          if isinstance(plain, np.ufunc) and plain.nin == 1 and own is not own_square]
OF_TWO = {plain.__name__: own for own, plain in ORIGINALS.items()
          if isinstance(plain, np.ufunc) and plain.nin == 2 and own is not own_power}


def bits(x):
    x = np.asarray(x)
    x = np.where(np.isnan(x), np.nan, x)                # of nan any
    return x.shape, np.ascontiguousarray(x).view(np.int64).tolist()


ARRAYS = [X[0], SPECIAL, np.zeros(0)]
LYING_OTHERWISE = [X, np.asfortranarray(X), X[:, 3], X[0, ::-1], X[::2, 1:], X[::-1, ::-1],
                   X.reshape(5, 1, 37), np.arange(9)]
QUICKLY = ("exp", "log10", "tanh", "sin")


def of_one(own, plain, arrays):
    run = numba.njit(lambda x: own(x))
    with np.errstate(all="ignore"):
        for x in [*arrays, *map(float, X[1]), *map(float, SPECIAL), 3]:
            assert bits(run(x)) == bits(plain(x)), x


@pytest.mark.parametrize("own, plain", [pytest.param(
    own, plain, marks=[] if plain.__name__ in QUICKLY else [pytest.mark.slow], id=plain.__name__)
    for own, plain in OF_ONE])
def test_functions_of_one_number(own, plain):
    of_one(own, plain, ARRAYS)


@pytest.mark.parametrize("own, plain", [pytest.param(
    own, plain, marks=[] if plain.__name__ == "exp" else [pytest.mark.slow], id=plain.__name__)
    for own, plain in OF_ONE])
def test_arrays_that_lie_otherwise(own, plain):
    of_one(own, plain, LYING_OTHERWISE)


def test_the_loops_of_numpy_are_found():
    assert len(OF_ONE) == 20 and len(OF_TWO) == 6


@pytest.mark.parametrize("name", ["power", pytest.param("arctan2", marks=pytest.mark.slow),
                                  pytest.param("hypot", marks=pytest.mark.slow),
                                  pytest.param("logaddexp", marks=pytest.mark.slow),
                                  pytest.param("logaddexp2", marks=pytest.mark.slow)])
def test_functions_of_two_numbers(name):
    own, plain = OF_TWO[name], getattr(np, name)
    run = numba.njit(lambda x, y: own(x, y))
    x = np.abs(X)
    with np.errstate(all="ignore"):
        for pair in ((x[0], x[1]), (x[0], 2.5), (x[0], 3), (2.5, x[0]), (x, x + 1.0), (x, x[0]),
                     (x[:, 0], x[:, 1]), (SPECIAL, SPECIAL[::-1]), (2.5, 3.5), (2.0, -1.5),
                     (x[0, ::-1], x[1]), (x[0], np.arange(37))):
            assert bits(run(*pair)) == bits(plain(*pair)), pair


EXPONENTS = (2, 3, -1, -2, 0, 1, 0.5, 2.0, 1.7, -1.0, 7)


def test_powers_of_arrays():
    run = numba.njit(lambda x, y: own_power(x, y))
    x = np.abs(X)
    with np.errstate(all="ignore"):
        for y in EXPONENTS:
            for array in (x[0], x, x[:, 2], x[0, ::-1], SPECIAL):
                assert bits(run(array, y)) == bits(array ** y), (array, y)
        assert bits(run(x, np.asfortranarray(x))) == bits(x ** x)
        assert bits(run(1.5, x)) == bits(1.5 ** x)


def test_powers_of_numbers_are_those_of_the_c_library():
    run = numba.njit(lambda x, y: own_power(x, y))
    for x in map(float, np.abs(X[0])):
        for y in EXPONENTS:
            assert run(x, y) == x ** y, (x, y)
    assert run(3, 4) == 81 and run(0.0, 0) == 1.0
    for x, y in ((-8.0, 0.5), (0.0, -1.0), (1e200, 2.0)):
        with pytest.raises(ArithmeticError):            # Python raises, or has a complex number
            run(x, y)


@pytest.mark.parametrize("exponent", [3, 4])
def test_whole_powers_that_products_tell(exponent):
    powered = numba.njit(lambda x: own_power(x, exponent))
    near_two = [step(2.0 ** k) ** (1.0 / exponent) for k in range(-40, 40)
                for step in (float, lambda x: np.nextafter(x, 0.0))]
    numbers = [*near_two, *X[0], *(1e60 * X[0]), *(1e-70 * X[0]), *(1.0 + 1e-9 * X[0]),
               0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 1e-200, np.inf, -np.inf, np.nan]
    for x in map(float, numbers):
        assert bits(powered(x)) == bits(x ** exponent), x
    assert powered(-3) == (-3) ** exponent
    with pytest.raises(ArithmeticError):
        powered(1e200)


def test_squares_of_numbers():
    run = numba.njit(lambda x: own_square(x))
    near_one = RNG.random(20000) + 0.5
    other = RNG.normal(size=2000) * 10.0 ** RNG.integers(-150, 150, 2000)
    at_limits = 2.0 ** RNG.choice([-33, -32, -31, 31, 32, 33], 20000) * (RNG.random(20000) + 0.5)
    for x in map(float, [*near_one, *other, *at_limits, 1e-155, 1e-162, 5e-324, 0.0]):
        assert run(x) == x ** 2, x
    assert any(x * x != x ** 2 for x in map(float, near_one))       # so there is something to see
    assert run(7) == 49 and bits(run(X)) == bits(X ** 2)
    with pytest.raises(ArithmeticError):
        run(1e200)


def test_the_power_of_the_c_library_is_there_before_anything_is_compiled():
    code = "import tangent_lite.backends.numba_own_elements as e; assert e._POW is not None"
    subprocess.run([sys.executable, "-c", code], check=True)


def of_one_number(x, s, n):
    total = 0.0
    for k in range(n):
        if s < 1e100:
            total += x[k] * s ** 2 * s ** 3.5 * np.exp(-s)
    return total


@pytest.mark.parametrize("s, n", [(0.2, 4), (1.7, 0), (1e200, 4), (1e200, 0)])
def test_what_does_not_change_in_a_loop_raises_only_where_it_stands(s, n):
    x = np.arange(4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)      # nothing stops
        value, gradient = tl.value_and_grad(of_one_number, wrt=("x", "s"), backend="numba")(x, s, n)
    assert value == of_one_number(x, s, n)
    for found, wanted in zip(gradient, tl.grad(of_one_number, wrt=("x", "s"))(x, s, n)):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("form", [tl.grad, tl.value_and_grad])
def test_functions_of_truth_values_are_refused(form):
    def f(x):
        return np.sum(np.exp(x > 0.0) * x)              # NumPy's exp is of half precision there

    with pytest.raises(tl.TangentError) as refusal:
        form(f, backend="numba")(X[0])
    assert "np.exp(x > 0.0)" in str(refusal.value)
