"""Sums, means, extremes, products, spreads."""
import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check, gradient

rng = np.random.default_rng(5)
CUBE = rng.uniform(0.5, 2.0, (2, 3, 4))
MATRIX = rng.uniform(-2.0, 2.0, (3, 4))
VECTOR = rng.uniform(-2.0, 2.0, 5)
FORMS = [
    (VECTOR, {}), (VECTOR, {"axis": 0}), (VECTOR, {"axis": -1, "keepdims": True}),
    (MATRIX, {}), (MATRIX, {"axis": 0}), (MATRIX, {"axis": 1}), (MATRIX, {"axis": -1}),
    (MATRIX, {"axis": 1, "keepdims": True}), (MATRIX, {"keepdims": True}),
    (MATRIX, {"axis": (0, 1)}), (CUBE, {"axis": (0, 2)}), (CUBE, {"axis": (-1, 0)}),
    (CUBE, {"axis": (1, 2), "keepdims": True}), (CUBE, {"axis": None}), (CUBE, {"axis": -2}),
    (MATRIX.T, {"axis": 0}), (MATRIX[:, ::-1], {"axis": 1}), (CUBE[:, ::2], {"axis": 1}),
    (MATRIX.astype(np.float32), {"axis": 0}), (MATRIX.astype(np.float32), {}),
    (MATRIX[:1], {"axis": 0}),
]
REDUCTIONS = [np.sum, np.mean, np.max, np.min, np.prod, np.var, np.std, np.ptp, np.median,
              np.nansum, np.nanmean, np.nanmax, np.nanmin, np.average]
METHODS = [np.ndarray.sum, np.ndarray.mean, np.ndarray.max, np.ndarray.min, np.ndarray.prod,
           np.ndarray.var, np.ndarray.std]


@pytest.mark.parametrize("fun", [*REDUCTIONS, *METHODS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("case", range(len(FORMS)))
def test_reduction(fun, case):
    x, options = FORMS[case]
    spread = fun in (np.std, np.var, np.ptp, np.ndarray.std, np.ndarray.var)
    check(fun, x, zero=spread and np.shape(x)[0] == 1, **options)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy 2 has mean=")
@pytest.mark.parametrize("fun", [np.var, np.std, np.ndarray.var, np.ndarray.std])
def test_a_mean_that_is_given(fun):
    for axis, mean in ((None, 0.3), (0, MATRIX[:1] * 0.2), (1, MATRIX[:, :1] + 0.1),
                       (None, np.full((1, 1), 0.2)), ((0, 1), MATRIX[:1, :1])):
        check(fun, MATRIX, axis=axis, mean=mean, wrt=[0, "mean"])
        check(fun, MATRIX, axis=axis, mean=mean, ddof=1, keepdims=True, wrt=["mean"])
        check(fun, MATRIX, axis=axis, mean=mean, where=MATRIX > -1.5, wrt=[0, "mean"])
    check(fun, MATRIX.astype(np.float32), axis=0, mean=MATRIX[:1].astype(np.float32))
    check(fun, MATRIX + 0.5j * MATRIX, axis=0, mean=0.2j * MATRIX[:1], wrt=[0, "mean"])
    tl.check_grads(lambda x: np.sum(fun(x, axis=0, mean=np.mean(x, axis=0, keepdims=True))),
                   (MATRIX,), order=2)


@pytest.mark.parametrize("fun", [np.sum, np.mean, np.prod, np.max, np.var, np.std, np.median])
def test_numbers(fun):
    zero = fun in (np.var, np.std)
    for x in (1.5, np.float64(1.5), np.array(1.5)):
        check(fun, x, zero=zero)


@pytest.mark.parametrize("fun", [np.sum, np.prod, np.nansum])
def test_empty(fun):
    check(fun, np.zeros(0))
    check(fun, np.zeros((0, 3)), axis=0)
    check(fun, np.zeros((3, 0)), axis=0)


def test_positions_and_dtypes():
    check(np.sum, MATRIX, 0)
    check(np.sum, MATRIX, 1, np.float64)
    check(np.sum, MATRIX, dtype=np.float64)
    check(np.sum, MATRIX, dtype="float64")
    check(np.mean, MATRIX, 1, float)
    check(np.max, MATRIX, 0)
    check(np.amax, MATRIX, 0)
    check(np.amin, MATRIX, axis=1, keepdims=True)
    check(np.var, MATRIX, 0, ddof=1)
    check(np.std, MATRIX, 1, ddof=1, keepdims=True)
    check(np.sum, MATRIX, dtype=int, zero=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("fun", [np.var, np.std, np.nanvar, np.nanstd, np.ndarray.var])
@pytest.mark.parametrize("x", [np.ones(0), np.ones(1), np.array([1.5, 2.0]), np.eye(2)], ids=str)
@pytest.mark.parametrize("axis", [None, 0])
@pytest.mark.parametrize("ddof", [0, 1, 2, 3, 2.5])
def test_degrees_of_freedom(fun, x, axis, ddof):
    """Where none are left NumPy divides by zero, whatever the count less ddof is: so no derivative
    of what is inf or nan is a number other than zero."""
    def f(x):
        return np.sum(fun(x, axis=axis, ddof=ddof))
    value, slope = tl.value_and_grad(f)(x)
    np.testing.assert_equal(value, f(x))
    tangent = tl.jvp(f, (x,), (np.ones_like(x),))[1]
    if np.isfinite(value):
        step = 1e-6 * np.ones_like(x)
        assert np.sum(slope) == pytest.approx((f(x + step) - f(x - step)) / 2e-6, abs=1e-6)
        assert tangent == pytest.approx(np.sum(slope), abs=1e-9)
    else:
        assert not np.any(np.isfinite(slope) & (slope != 0.0))
        assert x.size == 0 or not np.isfinite(tangent)
        assert slope.size == 0 or not np.all(np.isfinite(slope))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", [
    lambda x: np.var(x, ddof=1), lambda x: x.std(ddof=1), lambda x: np.var(x, axis=0, ddof=1),
    lambda x: np.var(x, ddof=1, keepdims=True), lambda x: np.var(x, ddof=1, where=x > 9.0),
    lambda x: np.var(x), lambda x: np.std(x), lambda x: np.mean(x), lambda x: np.cov(x),
    lambda x: np.median(x), lambda x: np.mean(x, where=x > 9.0)])
@pytest.mark.parametrize("size", [0, 1])
def test_of_so_few_the_tangent_is_what_the_value_is(f, size):
    """Where NumPy has nan, the tangent of -0.0 would say that nothing depends on anything."""
    x = np.full(size, 1.5)
    value, tangent = tl.jvp(f, (x,), (np.ones(size),))
    np.testing.assert_equal(np.isnan(tangent), np.isnan(value))
    np.testing.assert_equal(value, f(x))


def test_degrees_of_freedom_where_some_count():
    x = np.array([[1.0, 2.0, 4.0], [3.0, 4.0, 5.0]])
    def f(x):
        return np.sum(np.var(x, axis=1, ddof=2, where=x > 1.5)[1:])
    with np.errstate(all="ignore"):
        found = tl.grad(f)(x)
    np.testing.assert_allclose(found[1], 2.0 * (x[1] - 4.0))
    tl.check_grads(lambda x: np.nanvar(x, ddof=2), (np.array([1.0, np.nan, 2.0, 4.0]),))


def test_complex():
    z = MATRIX + 1j * MATRIX[::-1]
    for fun in (np.sum, np.mean, np.prod, np.var, np.std):
        check(fun, z, axis=0)
        check(fun, z)
    check(np.cumsum, z, 0)
    check(np.cumprod, z, 1)


@pytest.mark.parametrize("fun", [np.cumsum, np.cumprod, np.ndarray.cumsum, np.ndarray.cumprod])
def test_cumulative(fun):
    check(fun, VECTOR)
    check(fun, MATRIX)
    for axis in (0, 1, -1):
        check(fun, MATRIX, axis)
        check(fun, MATRIX.T, axis=axis)
    check(fun, CUBE[:, :, ::-1], -2)
    check(fun, MATRIX.astype(np.float32), 0)
    check(fun, np.zeros(0))
    check(fun, np.array([1.5, 0.0, 2.0, 0.0, 3.0]))


def test_average():
    weights = rng.uniform(0.5, 1.5, (3, 4))
    check(np.average, MATRIX, weights=weights)
    check(np.average, MATRIX, 0, weights)
    check(np.average, MATRIX, axis=1, weights=weights[0])
    check(np.average, MATRIX, axis=1, weights=weights[0], keepdims=True)
    check(np.average, VECTOR, None, rng.uniform(1, 2, 5))


def test_products_of_zeros():
    check(np.prod, np.array([2.0, 0.0, 3.0]))
    check(np.prod, np.array([0.0, 0.0, 3.0]))
    check(np.prod, np.array([[2.0, 0.0], [0.0, 3.0]]), axis=1)


def test_trace():
    for x in (MATRIX, CUBE, MATRIX.T):
        check(np.trace, x)
        check(np.trace, x, 1)
        check(np.trace, x, -1, 1, 0)
    check(np.ndarray.trace, MATRIX)


def test_without_nan():
    x = MATRIX.copy()
    x[1, 2] = np.nan
    for fun in (np.nansum, np.nanmean, np.nanmax, np.nanmin):
        check(fun, x)
        check(fun, x, axis=0)
        check(fun, x, 1, keepdims=True)


ORDERS = [(VECTOR, {}), (MATRIX, {}), (CUBE, {}), (MATRIX, {"axis": 0}), (MATRIX, {"axis": 1}),
          (MATRIX, {"axis": 1, "keepdims": True}), (CUBE, {"axis": (0, 1)}),
          *[(VECTOR, {"ord": p}) for p in (1, 2, 3, 2.5, np.inf, -np.inf, 0, -1)],
          *[(MATRIX, {"ord": p, "axis": 1}) for p in (1, 2, 3, np.inf)],
          *[(MATRIX, {"ord": p}) for p in (1, -1, 2, -2, np.inf, -np.inf, "fro", "nuc")],
          (CUBE, {"ord": "nuc", "axis": (0, 2)}), (CUBE, {"ord": 1, "axis": (2, 0)}),
          (VECTOR + 1j, {}), (MATRIX + 1j * MATRIX[::-1], {"ord": "fro"}),
          (VECTOR + 1j, {"ord": 1}), (VECTOR.astype(np.float32), {})]


@pytest.mark.parametrize("case", range(len(ORDERS)))
def test_norm(case):
    x, options = ORDERS[case]
    check(np.linalg.norm, x, **options)


@pytest.mark.parametrize("fun, args, options, expected", [
    (np.max, ([1.0, 3.0, 3.0],), {}, [0.0, 0.5, 0.5]),
    (np.min, ([1.0, 1.0, 3.0],), {}, [0.5, 0.5, 0.0]),
    (np.linalg.norm, ([0.0, 0.0],), {}, [0.0, 0.0]),
    (np.std, ([2.0, 2.0],), {}, [0.0, 0.0]),
    (np.ptp, ([2.0, 2.0],), {}, [0.0, 0.0]),
])
def test_kinks(fun, args, options, expected):
    for known in (False, True):
        found, = gradient(fun, *map(np.array, args), known=known, **options)
        np.testing.assert_allclose(found, expected)


def test_nan_is_passed_on():
    for fun in (np.sum, np.max, np.prod, np.median, np.linalg.norm, np.std):
        found, = gradient(fun, np.array([1.0, np.nan, 2.0]))
        assert fun is np.sum or np.isnan(found).any(), fun


MASK = np.array([[True, False, True], [False, True, True]])
FIRST = np.array([[True, True, False], [False, False, False]])
PARTS = np.array([[0.3, -1.2, 0.9], [1.4, 0.5, -0.2]])


@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": (0, 1), "keepdims": True},
                                     {"axis": 0, "keepdims": True}])
@pytest.mark.parametrize("fun", [np.sum, np.mean, np.prod, np.var, np.std, np.ndarray.sum])
def test_where(fun, options):
    with np.errstate(all="ignore"):
        check(fun, PARTS, where=MASK, **options)
        if options.get("axis") != 0:
            check(fun, PARTS, where=MASK[1], **options)
    if fun in (np.sum, np.prod):
        check(fun, PARTS, initial=2.5, wrt=[0], **options)
        check(fun, PARTS, where=MASK, initial=2.5, wrt=[0], **options)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", [
    lambda x: np.mean(x, axis=1, where=FIRST), lambda x: np.var(x, axis=1, where=FIRST),
    lambda x: np.std(x, axis=1, where=FIRST), lambda x: np.nanmean(x, axis=1, where=FIRST),
    lambda x: np.nanvar(x, axis=1, where=FIRST), lambda x: np.nanstd(x, axis=1, where=FIRST)])
def test_where_all_is_left_out_the_derivative_is_nan_as_the_value_is(function):
    """Of the second row nothing counts; the first is as if it were alone."""
    def total(x):
        return np.sum(function(x))
    found = tl.grad(total)(PARTS)
    assert np.isnan(found[1]).all()
    np.testing.assert_allclose(found[0], tl.grad(lambda x: function(x)[0])(PARTS)[0])
    tl.check_grads(lambda x: function(x)[0], (PARTS,), order=1)
    assert np.isnan(tl.jvp(function, (PARTS,), (PARTS,))[1]).tolist() == [False, True]


@pytest.mark.parametrize("fun", [np.max, np.min, np.ndarray.max])
def test_initial_of_extremes(fun):
    check(fun, PARTS, initial=0.1, wrt=[0])
    check(fun, PARTS, axis=0, initial=0.7, wrt=[0])
    check(fun, PARTS, axis=1, initial=-0.4, where=MASK, keepdims=True, wrt=[0])
    check(fun, np.zeros((2, 0)), axis=1, initial=1.0, wrt=[0])


def test_an_initial_value_takes_its_share_of_a_tie():
    found = tl.grad(lambda x: np.max(x, initial=2.0))(np.array([2.0, 1.0, 2.0]))
    assert np.allclose(found, [1 / 3, 0.0, 1 / 3])
    assert tl.grad(lambda x: np.max(x, initial=3.0))(np.array([2.0, 1.0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("function", [
    lambda x: np.sum(x * x, where=x > 0.0) ** 2, lambda x: np.mean(x * x, where=x > 0.0) ** 2,
    lambda x: np.sum(np.prod(x * x, axis=0, where=MASK, initial=2.0) ** 2),
    lambda x: np.sum(np.var(x, axis=1, where=MASK) ** 2), lambda x: np.std(x, where=MASK) ** 3,
    lambda x: np.max(x * x, where=MASK, initial=0.01) ** 2])
def test_second_order_with_where(function):
    tl.check_grads(function, (PARTS,), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("first", [0.7, -0.4, 2.5])
@pytest.mark.parametrize("function", [
    lambda x, a: np.sum(np.sum(x * x, axis=1, initial=a) ** 2) + np.sum(x, initial=a * a) ** 3,
    lambda x, a: np.sum(np.prod(x, axis=0, initial=a, keepdims=True) ** 2),
    lambda x, a: np.prod(x, initial=a * a, where=MASK) ** 2 + x.prod(axis=1, initial=a)[0],
    lambda x, a: np.max(x, axis=1, initial=a) @ np.min(x[:2, :2], axis=0, initial=a) * a,
    lambda x, a: np.sum(np.add.reduce(x, axis=1, initial=a, where=MASK) ** 2),
    lambda x, a: np.sum(np.multiply.reduce(x, initial=a, where=MASK) ** 2),
    lambda x, a: np.maximum.reduce(x, axis=None, initial=a) ** 2 * np.fmin.reduce(x, initial=a)[1],
    lambda x, a: np.sum(x[:0], initial=a) ** 2 + np.max(x[:, :0], initial=a) ** 3])
def test_an_initial_value_that_varies(function, first):
    tl.check_grads(function, (PARTS, first), order=2, modes=("fwd", "rev"))


def test_an_initial_value_that_varies_and_is_cut_to_a_whole_number():
    for function in (lambda a: np.sum(np.arange(3), initial=a),
                     lambda a: np.maximum.reduce(np.arange(3), initial=a),
                     lambda a: np.prod(np.ones(3), dtype=int, initial=a)):
        assert tl.value_and_grad(function)(5.5) == (function(5.5), 0.0)


def test_an_initial_value_shares_a_tie_in_its_own_derivative():
    found = tl.grad(lambda a: np.max(np.array([2.0, 1.0, 2.0]), initial=a))(2.0)
    assert np.isclose(found, 1 / 3)


def mean_of_masked(x, n):
    m = np.mean(x[x > 9.0])
    return np.sum(x * x) if np.isnan(m) else m


def mean_of_first(x, n):
    m = np.mean(x[:n] ** 2 + 1.0)
    return np.sum(x * x) if np.isnan(m) else m


def mean_of_joined(x, n):
    m = np.mean(np.concatenate((x[:n], x[n + 4:])))
    return np.sum(x * x) if np.isnan(m) else m


@pytest.mark.parametrize("backend", ["python", "numba"])
@pytest.mark.parametrize("f", [mean_of_masked, mean_of_first, mean_of_joined])
@pytest.mark.sweep(2)
def test_means_of_nothing(f, backend):
    d = tl.grad(f, backend=backend)
    x = np.append(VECTOR[:3], 10.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(d(VECTOR[:3], 0), 2.0 * VECTOR[:3])
        expected = [(f(x + h, 2) - f(x - h, 2)) / 2e-6 for h in np.eye(4) * 1e-6]
        np.testing.assert_allclose(d(x, 2), expected, atol=1e-7)


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": 0, "keepdims": True}])
def test_the_mean_of_an_empty_argument(options):
    d = tl.grad(lambda x: np.sum(np.mean(x, **options)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert d(np.zeros(0)).shape == (0,)
        assert d(np.zeros((0, 3))).shape == (0, 3)
    assert d(np.ones(4)).tolist() == [0.25] * 4


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", [
    lambda x: np.sum(x ** 2, where=False) + np.sum(x), lambda x: x.sum(where=False) * 2.0,
    lambda x: np.nansum(x, where=False, keepdims=False), lambda x: np.mean(x, where=False)])
def test_where_nothing_counts(function):
    x = np.array([0.5, -1.5])
    value, along = tl.jvp(function, (x,), (np.ones(2),))
    step = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    np.testing.assert_equal(value, function(x))
    np.testing.assert_allclose(along, step, atol=1e-8)
    np.testing.assert_allclose(np.sum(tl.grad(function)(x)), step, atol=1e-8)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "x"), [
    (lambda x: np.prod(x, axis=0), np.array(2.0)),
    (lambda x: np.nanprod(x, axis=-1, keepdims=True), np.array(2.0)),
    (lambda x: np.nanmedian(x, axis=0), np.zeros((2, 0))),
    (lambda x: np.percentile(x, [10, 50], axis=-1), np.zeros((0, 3)))])
def test_an_axis_of_no_dimensions_and_lines_that_are_none(function, x):
    value, pullback = tl.vjp(function, x)
    np.testing.assert_array_equal(pullback(np.ones_like(value))[0], np.ones_like(x))
    np.testing.assert_array_equal(tl.jvp(function, (x,), (np.ones_like(x),))[1],
                                  np.ones_like(value))
