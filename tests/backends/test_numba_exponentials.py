"""exp and tanh of loops against those of NumPy: in units of the last place, and at the edges."""
import numpy as np
import pytest

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_exponentials import (  # noqa: E402
    exponential,
    hyperbolic_tangent,
)


@numba.njit(error_model="python")
def exponentials(x, out):
    for i in range(x.shape[0]):
        out[i] = exponential(x[i])


@numba.njit(error_model="python")
def tangents(x, out):
    for i in range(x.shape[0]):
        out[i] = hyperbolic_tangent(x[i])


RANGES = [(-1, 1), (-5, 5), (-30, 30), (-700, 700), (-746, -700), (700, 712), (1e-9, 1e-3),
          (-1e-12, 1e-12), (0.6, 0.65)]


@pytest.mark.parametrize("low, high", RANGES)
@pytest.mark.parametrize("ours, numpys", [(exponentials, np.exp), (tangents, np.tanh)])
def test_units_in_the_last_place(ours, numpys, low, high):
    x = np.random.default_rng(0).uniform(low, high, 100_000)
    found = np.empty_like(x)
    ours(x, found)
    with np.errstate(all="ignore"):
        expected = numpys(x)
    finite = np.isfinite(expected)
    assert np.array_equal(found[~finite], expected[~finite])
    units = np.abs(found[finite] - expected[finite]) / np.spacing(np.abs(expected[finite]))
    assert units.max(initial=0.0) <= 2.0


EDGES = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 709.782712893384, 709.79, -745.13, -745.14,
                  -746.0, 1e308, -1e308, 5e-324, -5e-324, 0.625, -0.625, 22.0, -22.0])


@pytest.mark.parametrize("ours, numpys", [(exponentials, np.exp), (tangents, np.tanh)])
def test_edges(ours, numpys):
    found = np.empty_like(EDGES)
    ours(EDGES, found)
    with np.errstate(all="ignore"):
        expected = numpys(EDGES)
    assert np.allclose(found, expected, rtol=5e-16, atol=0.0, equal_nan=True)
    assert np.array_equal(np.signbit(found[1:]), np.signbit(expected[1:]))
