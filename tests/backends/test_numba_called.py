"""Functions of NumPy that compiled derivatives call in Python: quantiles, polynomials and so on."""
import numpy as np
import pytest

pytest.importorskip("numba")

from tests.backends.comparing import held  # noqa: E402

rng = np.random.default_rng(4)


def drawn(*shape):
    return rng.normal(size=shape)


def of_quantiles(x, q):
    return np.sum(np.quantile(x, 0.3, axis=-1) ** 2) + np.percentile(x, 40) + np.quantile(
        x, q, method="hazen") ** 2 + np.sum(np.quantile(x, [0.1, 0.6], axis=(0, 1), keepdims=True))


@pytest.mark.slow
def test_quantiles():
    spoiled = drawn(3, 4)
    spoiled[1, 1] = np.nan
    held(of_quantiles, [[drawn(3, 4), 0.7], [np.zeros((2, 2)), 0.5], [np.ones((1, 1)), 0.5],
                        [spoiled, 0.2], [np.array([[np.inf, 1.0], [2.0, -np.inf]]), 0.4],
                        [np.zeros((0, 2)), 0.5], [drawn(2, 2), 1.5]])


def of_polynomials(p, x):
    fitted = np.polyfit(x, np.polyval(p, x) ** 2, 1)
    return np.sum(fitted ** 2) + np.sum(np.polyder(p) ** 2)


def of_more_polynomials(p, x):
    quotient, rest = np.polydiv(np.polymul(p, p), np.polyadd(p, 1.0)[:2])
    return np.sum(np.polyint(p) ** 2) + np.sum(quotient) + np.sum(rest ** 2) + np.sum(
        np.vander(x, 3) ** 2)


def test_polynomials():
    held(of_polynomials, [[drawn(3), drawn(5)], [np.array([0.0, 2.0, 1.0]), drawn(4)],
                          [drawn(2), np.ones(3)], [drawn(3), np.zeros(0)]], 1e-9)


@pytest.mark.slow
def test_more_polynomials():
    held(of_more_polynomials, [[drawn(3), drawn(5)], [np.array([0.0, 2.0, 1.0]), drawn(4)],
                               [drawn(2), np.zeros(0)]], 1e-9)


def of_series(c, x):
    return np.sum(np.polynomial.chebyshev.chebval(x, c) ** 2) + np.sum(
        np.polynomial.legendre.legder(c) ** 2)


def of_roots(p):
    return np.sum(np.roots(p).real ** 3)


@pytest.mark.slow
def test_series_and_roots():
    held(of_series, [[drawn(4), drawn(3)], [drawn(1), drawn(1)], [drawn(3), np.zeros(0)]])
    held(of_roots, [[np.array([1.0, -3.0, 2.0])]], 1e-9)
    held(of_roots, [[np.array([1.0, 0.0, 2.0])]], 1e-9, runs_in_python=True)


def without_nan(x):
    largest = np.nanmax(x, axis=-1, keepdims=True)
    return np.sum(np.nanmean(x, axis=0)) + np.sum(largest ** 2) + np.sum(
        np.nansum(x, axis=(0, 1))) + np.sum(np.nanstd(x, axis=0) ** 2) + np.nanmedian(x)


@pytest.mark.slow
def test_reductions_without_nan():
    spoiled = drawn(3, 4)
    spoiled[1, 1] = np.nan
    held(without_nan, [[spoiled], [drawn(2, 2)], [np.array([[np.nan, 1.0], [np.nan, 2.0]])],
                       [np.array([[np.inf, 1.0], [2.0, -np.inf]])]])


def of_reductions(x, w):
    return np.sum(np.average(x, axis=1, weights=w)) + np.sum(np.median(x, axis=(0, 1))) + np.sum(
        np.ptp(x, axis=0) ** 2) + np.sum(np.cov(x)) + np.sum(np.unwrap(x, axis=0) ** 2)


@pytest.mark.slow
def test_other_reductions():
    held(of_reductions, [[drawn(3, 4), np.arange(1.0, 5.0)], [10.0 * drawn(2, 2), np.ones(2)],
                         [np.full((2, 2), np.nan), np.ones(2)]])


def of_picked(x, v):
    y = np.insert(np.delete(x, 1, axis=0), [0, 1], v, axis=0)
    return np.sum(y ** 2) + np.sum(np.unique(x) ** 3) + np.sum(np.append(x, v) ** 2) + np.sum(
        np.partition(x, 1, axis=None)[:2] ** 2)


@pytest.mark.slow
def test_what_is_picked():
    held(of_picked, [[drawn(3, 2), drawn(2, 2)], [np.ones((2, 2)), np.ones((2, 2))]])


def of_flipped(x):
    return np.sum(np.flip(x, (0, -1)) * x)


def of_flips(x):
    y = np.flip(x, (0, -1)) * np.flip(x, 1) * np.flip(x)
    return np.sum(y * np.arange(1.0, 1.0 + x.size).reshape(x.shape))


def test_flipped():
    held(of_flipped, [[drawn(2, 3)], [drawn(1, 1)], [np.zeros((0, 2))]])


@pytest.mark.slow
def test_flips():
    held(of_flips, [[drawn(2, 3)]])
    held(of_flips, [[drawn(2, 3, 2)[:, ::-1]]])


def of_products(x, y):
    return np.sum(np.cross(x, y, axis=0) ** 2) + np.sum(np.outer(x, y) ** 2) + np.vdot(x, y)


@pytest.mark.slow
def test_products():
    held(of_products, [[drawn(3, 2), drawn(3, 2)]])
