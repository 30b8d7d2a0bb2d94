"""Rules of covariances, correlations and histograms."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check

rng = np.random.default_rng(9)


def draw(*shape):
    return rng.uniform(-1.5, 1.5, shape)


X, Y, V, W = draw(3, 5), draw(3, 5), draw(5), draw(5)
COUNTS, WEIGHTS = np.array([1, 2, 1, 3, 1]), np.array([0.5, 1.0, 0.3, 2.0, 0.7])
# Data that stay in their bins when they move a little.
DATA = np.array([0.05, 0.23, 0.37, 0.61, 0.88, 0.93, 0.17, 0.25])
SHARES = rng.uniform(0.5, 1.5, 8)
EDGES = np.array([0.0, 0.2, 0.5, 0.55, 1.0])

CASES = [
    (np.cov, (X,), {}), (np.cov, (V,), {}), (np.cov, (V, W), {}), (np.cov, (X, Y), {}),
    (np.cov, (X, V), {}), (np.cov, (X, None, False), {}), (np.cov, (X, Y), {"rowvar": False}),
    (np.cov, (X,), {"bias": True}), (np.cov, (X,), {"ddof": 2}),
    (np.cov, (X,), {"ddof": 2, "fweights": [2, 1, 3, 1, 2][:X.shape[1]]}), (np.cov, (X[:1],), {}),
    (np.cov, (X,), {"fweights": COUNTS}), (np.cov, (X,), {"aweights": WEIGHTS, "wrt": [0]}),
    (np.cov, (X,), {"fweights": COUNTS, "aweights": WEIGHTS, "wrt": [0]}),
    (np.cov, (X,), {"aweights": WEIGHTS, "ddof": 0, "wrt": [0]}),
    (np.cov, (X + 1j * Y,), {}), (np.cov, (X + 1j * Y, V), {}), (np.cov, (V + 1j * W,), {}),
    (np.cov, (X.astype(np.float32),), {"atol": 1e-3}), (np.cov, (X[:, ::-2],), {}),
    (np.corrcoef, (X,), {}), (np.corrcoef, (V, W), {}), (np.corrcoef, (X, Y), {}),
    (np.corrcoef, (X, None, False), {}), (np.corrcoef, (X, Y), {"rowvar": False}),
    (np.corrcoef, (X + 1j * Y,), {}),
    (np.histogram, (DATA, 3), {}), (np.histogram, (DATA, EDGES), {"wrt": [0]}),
    (np.histogram, (DATA, 3), {"weights": SHARES}),
    (np.histogram, (DATA, EDGES), {"weights": SHARES, "wrt": [0, "weights"]}),
    (np.histogram, (DATA, 3, (0.1, 0.9)), {"weights": SHARES, "wrt": [0, "weights"]}),
    (np.histogram, (DATA, 3), {"density": True}),
    (np.histogram, (DATA, 3), {"weights": SHARES, "density": True}),
    (np.histogram, (DATA, EDGES), {"weights": SHARES, "density": True, "wrt": [0, "weights"]}),
    (np.histogram, (DATA.reshape(2, 4), 3), {"weights": SHARES.reshape(2, 4)}),
    (np.histogram_bin_edges, (DATA, 4), {}), (np.histogram_bin_edges, (DATA, EDGES), {"wrt": [0]}),
    (np.histogram_bin_edges, (DATA, 4, (0.0, 1.0)), {"wrt": [0]}),
    (np.histogram2d, (DATA, DATA[::-1], 2), {}),
    (np.histogram2d, (DATA, DATA[::-1], 2), {"weights": SHARES}),
    (np.histogram2d, (DATA, DATA[::-1], EDGES), {"weights": SHARES, "wrt": [0, 1, "weights"]}),
    (np.histogram2d, (DATA, DATA[::-1], [2, EDGES]), {"weights": SHARES,
                                                      "wrt": [0, 1, "weights"]}),
    (np.histogramdd, (np.stack((DATA, DATA[::-1]), 1), 2), {"weights": SHARES}),
    (np.histogramdd, (np.stack((DATA, DATA[::-1], DATA), 1), (2, 1, 3)), {"weights": SHARES}),
]


@pytest.mark.parametrize("fun, args, options", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_case(fun, args, options):
    check(fun, *args, **options)


def spectrum(x, w):
    h, edges = np.histogram(x, 3, weights=w * w, density=True)
    return np.sum(h ** 2) + np.sum(edges ** 3)


def weighted(x, w):
    h, edges = np.histogram(x, EDGES, weights=w * x)
    return np.sum(h ** 3)


def plane(x, y, w):
    h, xs, ys = np.histogram2d(x, y, 2, weights=w * w)
    return np.sum(h ** 2) + np.sum(xs ** 3) * np.sum(ys ** 2)


FUNCTIONS = [
    (lambda x: np.sum(np.cov(x * x) ** 2), (X,)), (lambda x, y: np.sum(np.cov(x, y) ** 2), (X, Y)),
    (lambda x: np.cov(x) ** 2, (V,)),
    (lambda x: np.sum(np.arange(9.0).reshape(3, 3) * np.corrcoef(x)), (X,)),
    (lambda x, y: np.corrcoef(x, y)[0, 1] ** 2, (V, W)),
    (spectrum, (DATA, SHARES)), (weighted, (DATA, SHARES)), (plane, (DATA, DATA[::-1], SHARES)),
]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.sweep(3)
def test_second_order(number):
    function, args = FUNCTIONS[number]
    tl.check_grads(function, args, order=2, modes=("fwd", "rev"))
