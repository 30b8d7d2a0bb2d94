"""Functions of scipy.special in compiled derivatives."""
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba")
sp = pytest.importorskip("scipy.special")

from tests.backends.comparing import held  # noqa: E402

POINTS = np.array([0.3, -1.2, 0.0, -0.0, 2.0, 30.0, -40.0, 1e300, 5e-324, np.inf, -np.inf, np.nan])
rng = np.random.default_rng(5)


def of_elements(x, w):
    """The gradient of w holds the values, that of x the slopes: each element is by itself."""
    return np.sum(w[0] * sp.erf(x[0])) + np.sum(w[1] * sp.erfc(x[1])) + np.sum(
        w[2] * sp.expit(x[2])) + np.sum(w[3] * sp.logit(x[3])) + np.sum(
        w[4] * sp.ndtr(x[4])) + np.sum(w[5] * sp.log_ndtr(x[5])) + np.sum(
        w[6] * sp.j0(x[6])) + np.sum(w[7] * sp.j1(x[7])) + np.sum(w[8] * sp.gamma(x[8])) + np.sum(
        w[9] * sp.gammaln(x[9])) + np.sum(w[10] * sp.digamma(x[10]))


def of_pairs(x, y, w):
    return np.sum(w[0] * sp.xlogy(x[0], y[0])) + np.sum(w[1] * sp.betaln(x[1], y[1])) + np.sum(
        w[2] * sp.gammainc(2.0, y[2])) + np.sum(w[3] * sp.jv(1.5, y[3]))


def of_wide_and_narrow(x, y):
    return np.sum(sp.xlogy(x, y)) + np.sum(sp.binom(y, 2))


def test_elements():
    points = np.tile(POINTS, (11, 1))
    held(of_elements, [[x, np.ones_like(x)] for x in (
        points, np.linspace(-3.0, 9.0, 44).reshape(11, 4), np.zeros((11, 0)))])


def test_pairs():
    x, y = (np.tile(one.ravel(), (4, 1)) for one in np.meshgrid(POINTS, POINTS))
    held(of_pairs, [[x, y, np.ones_like(x)]])


@pytest.mark.slow
def test_elements_of_other_arrays():
    x = rng.normal(size=(22, 6))
    held(of_elements, [[x[::2, ::-1], np.asfortranarray(x[:11])]])
    held(of_wide_and_narrow, [[np.abs(x), np.abs(x[0])], [np.ones((1, 6)), np.ones(1)]])
    held(of_wide_and_narrow, [[np.ones((2, 3)), np.ones(4)]])      # raises in both


def in_a_loop(x, n):
    total = 0.0
    for k in range(x.shape[0]):
        total = total + sp.erf(x[k]) * sp.gammaln(k + 1) + sp.jv(n, x[k] * x[k]) + sp.expit(n)
    return total


def test_numbers_in_a_loop():
    held(lambda x: in_a_loop(x, 2), [[np.linspace(0.2, 3.0, 7)], [np.zeros(1)], [np.zeros(0)]])


def of_sums(x):
    shares = sp.softmax(x, axis=-1)
    return sp.logsumexp(x) + np.sum(sp.logsumexp(x, axis=0, keepdims=True) * x) + np.sum(
        shares ** 2) + np.sum(sp.log_softmax(x, axis=0)[0]) + np.sum(
        sp.logsumexp(x, axis=(0, 1))) + np.sum(sp.logsumexp(x, axis=-1, b=np.abs(x)))


def test_sums_of_exponentials():
    spoiled = rng.normal(size=(2, 3))
    spoiled[0, 1] = np.nan
    held(of_sums, [[rng.normal(size=(2, 3))], [np.zeros((1, 1))], [spoiled],
                   [np.array([[-np.inf, 1.0], [800.0, -900.0]])]])


def of_flags(x, flags):
    return np.sum(sp.erf(flags) * x)


def test_flags_are_refused():
    """SciPy computes with them in half precision."""
    import tangent_lite as tl
    with pytest.raises(tl.TangentError, match="special_erf"):
        tl.grad(of_flags, backend="numba")(np.ones(2), np.array([True, False]))


def test_scipy_is_imported_by_the_user_only():
    text = ("import sys, numpy, numba, tangent_lite as tl; import tangent_lite.backends.numba\n"
            "assert 'scipy.special' not in sys.modules")
    subprocess.run([sys.executable, "-c", text], check=True)
