"""Rules of quantiles: all methods, NaNs, weights, levels that vary."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import quantiles as helpers
from tests.rules.support import check

rng = np.random.default_rng(8)
V = np.array([0.4, -1.0, 1.2, 0.1, -0.3, 0.8, 2.0])
X = rng.permutation(np.arange(12.0)).reshape(3, 4)
C = rng.permutation(np.arange(24.0)).reshape(2, 3, 4)
HOLES = X.copy()
HOLES[0, 1] = HOLES[2, 0] = HOLES[2, 3] = np.nan
METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased",
           "normal_unbiased", "lower", "higher", "midpoint", "nearest"]
LEVELS = np.array([[0.21, 0.77], [0.37, 0.52]])

CASES = [
    (np.quantile, (V, 0.3), {}), (np.quantile, (V, LEVELS), {}), (np.quantile, (X, 0.3, 0), {}),
    (np.quantile, (X, LEVELS, -1), {}), (np.quantile, (C, 0.4), {"axis": (0, 2)}),
    (np.quantile, (C, LEVELS[0], (1, 2)), {"keepdims": True}),
    (np.quantile, (C, LEVELS), {"axis": 1, "keepdims": True}),
    (np.quantile, (X, 0.3), {"keepdims": True}), (np.quantile, (X.T, 0.3), {"axis": 0}),
    (np.quantile, (V[::-2], 0.3), {}), (np.quantile, (np.array([2.0]), 0.3), {}),
    (np.quantile, (V.astype(np.float32), 0.3), {"wrt": [0]}),
    (np.quantile, (V, np.array([0.1, 0.9])), {}), (np.quantile, (V, []), {"wrt": [0]}),
    (np.percentile, (V, 30.0), {}), (np.percentile, (X, 100.0 * LEVELS, 0), {}),
    (np.percentile, (X, 40.5), {"axis": 1, "keepdims": True}), (np.percentile, (V, 30), {}),
    (np.nanquantile, (HOLES, 0.3), {}), (np.nanquantile, (HOLES, LEVELS, 0), {}),
    (np.nanquantile, (HOLES, 0.3), {"axis": 1, "keepdims": True}), (np.nanquantile, (V, 0.3), {}),
    (np.nanpercentile, (HOLES, 33.0, 1), {}), (np.nanpercentile, (HOLES, 100.0 * LEVELS), {}),
    (np.nanmedian, (HOLES,), {}), (np.nanmedian, (HOLES, 0), {}),
    (np.nanmedian, (HOLES,), {"axis": 1, "keepdims": True}), (np.nanmedian, (V[:4],), {}),
    (np.nanmedian, (HOLES.astype(np.float32), 1), {}),
    (helpers.between, (V, np.array([[0, 1], [2, 2]]), np.array([0.3, 0.4])), {}),
    (helpers.between_back, (np.array([1.0, 2.0]), np.array([[0, 1], [2, 2]]), np.array([0.3, 0.4]),
                            V), {}),
    (helpers.apart, (V, np.array([[0, 1], [2, 2]])), {}),
    (helpers.apart_back, (np.array([1.0, 2.0]), np.array([[0, 1], [2, 2]]), V), {}),
    (helpers.summed_for, (X, V[:3]), {}), (helpers.spread_for, (V[:3], X), {}),
    (helpers.summed_for, (1.5, 2.0), {}), (helpers.quantile_share, (0.3, V), {"wrt": [0]}),
]


@pytest.mark.parametrize("fun, args, options", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_case(fun, args, options):
    check(fun, *args, **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fun", [np.quantile, np.nanquantile])
def test_methods(fun, method):
    check(fun, V, 0.33, method=method)
    check(fun, HOLES if fun is np.nanquantile else X, LEVELS, axis=1, method=method)
    check(fun, V, np.array([0.02, 0.98]), method=method, step=1e-4)


if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
    @pytest.mark.parametrize("fun, scale", [(np.quantile, 1.0), (np.percentile, 100.0)])
    def test_weights(fun, scale):
        weights = np.array([0.2, 1.0, 0.3, 0.7, 0.1, 0.4, 2.0])
        check(fun, V, scale * 0.33, weights=weights, method="inverted_cdf", wrt=[0, 1])
        check(fun, X, scale * LEVELS, axis=1, weights=weights[:4], method="inverted_cdf",
              wrt=[0, 1])


FUNCTIONS = [
    (lambda x, q: np.quantile(x * x, q) ** 2, (V, 0.3)),
    (lambda x, q: np.sum(np.percentile(x * x, q, axis=0) ** 2), (X, 30.0)),
    (lambda x: np.nanmedian(x * x) ** 2, (V,)),
    (lambda x: np.sum(np.nanquantile(x * x, LEVELS, axis=1) ** 2), (X,)),
    (lambda x: sum(np.nanpercentile(x * x[k], 10.0 * k) for k in range(1, 4)), (V,)),
    (lambda x: np.median(x * x) ** 3, (V,)),
]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.sweep(3)
def test_second_order(number):
    function, args = FUNCTIONS[number]
    tl.check_grads(function, args, order=2, modes=("fwd", "rev"))


def test_a_nan_takes_part():
    x = np.array([1.0, np.nan, 2.0])
    assert np.isnan(tl.grad(lambda x: np.quantile(x, 0.3))(x)).any()
    assert tl.grad(lambda x: np.nanquantile(x, 0.5))(x).tolist() == [0.5, 0.0, 0.5]


OLD = np.lib.NumpyVersion(np.__version__) < "2.4.0"     # these know `interpolation=`


@pytest.mark.filterwarnings("ignore:the `interpolation=`:DeprecationWarning")
def test_what_is_not_covered_is_refused():
    """Where the call itself fails, its own error is what is seen."""
    with pytest.raises(tl.MissingRuleError if OLD else TypeError, match="interpolation"), \
            np.errstate(all="ignore"):
        tl.grad(lambda x: np.quantile(x, 0.3, interpolation="linear"))(V)
