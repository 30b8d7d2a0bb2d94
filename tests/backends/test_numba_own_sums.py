"""Sums, means and spreads in compiled code, against NumPy, bit for bit."""
import numba
import numpy as np
import pytest

from tangent_lite.backends import numba as _registered  # noqa: F401
from tangent_lite.backends.numba_numpy import np_sum
from tangent_lite.backends.numba_own_sums import own_mean, own_norm, own_std, own_sum, own_var

RNG = np.random.default_rng(0)
X = RNG.normal(size=(33, 300))
STACK = RNG.normal(size=(4, 50, 30))


def compiled(own, more=""):
    space = {"own": own}
    exec(f"def run(x): return own(x{more})", space)
    return numba.njit(space["run"])


def held(own, plain, arrays, **options):
    run = compiled(own, "".join(f", {name}={value!r}" for name, value in options.items()))
    for x in arrays:
        found, expected = run(x), plain(x, **options)
        assert np.shape(found) == np.shape(expected)
        assert np.array_equal(found, expected), (x.shape, options)


def test_sums_of_vectors():
    x = RNG.normal(size=100001)
    lengths = (0, 1, 2, 7, 8, 9, 15, 16, 127, 128, 129, 136, 1000, 1023, 8193, 100001)
    held(own_sum, np.sum, [x[:n] for n in lengths])
    held(own_sum, np.sum, [x[::2], x[::-1], x[999:0:-3]])


def test_zeros_below_zero():
    """NumPy adds them to a zero."""
    for n in (1, 3, 200):
        assert not np.signbit(compiled(own_sum)(np.full(n, -0.0)))
        assert not np.signbit(compiled(own_sum, ", axis=1")(np.full((2, n), -0.0))).any()
    assert not np.signbit(np.sum(np.full(3, -0.0)))


def test_sums_of_all_elements():
    held(own_sum, np.sum, [X, STACK])
    held(own_sum, np.sum, [np.asfortranarray(X), X[:, :200], X[::-1, ::-1], STACK[:, :, 3:9]])


@pytest.mark.parametrize("axis", [0, pytest.param(1, marks=pytest.mark.slow), -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_along_an_axis(axis, keepdims):
    held(own_sum, np.sum, [X, np.asfortranarray(X), X[:, :200], STACK],
         axis=axis, keepdims=keepdims)


@pytest.mark.slow
@pytest.mark.parametrize("own, plain", [(own_mean, np.mean), (own_var, np.var), (own_std, np.std)])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_means_and_spreads(own, plain, axis):
    held(own, plain, [X, np.asfortranarray(X), X[:, :200]], axis=axis)
    held(own, plain, [X], axis=axis, keepdims=True)


def test_a_mean_a_spread_and_a_norm():
    held(own_mean, np.mean, [X, X[3], X[:, 3]])
    held(own_var, np.var, [X, X[3]], axis=-1)
    held(own_norm, np.linalg.norm, [X, X[3]])
    held(own_norm, np.linalg.norm, [X], axis=1)


def test_ints_are_summed_as_ever():
    for own in (own_sum, np_sum):
        held(own, np.sum, [np.arange(9)], axis=0)       # the one axis that there is
        assert compiled(own)(3) == 3
