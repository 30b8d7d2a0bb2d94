"""What the helpers promise by their docstrings, beyond their part in rules."""
import ast
import inspect
import itertools
import math

import numpy as np
import pytest

from tangent_lite import runtime
from tangent_lite.runtime import bands as runtime_bands
from tangent_lite.runtime import factors as runtime_factors
from tangent_lite.runtime import fourier as runtime_fourier
from tangent_lite.runtime import linalg as runtime_linalg
from tangent_lite.runtime import matrices as runtime_matrices
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import shapes as runtime_shapes
from tangent_lite.runtime import slopes as runtime_slopes

MODULES = [runtime, runtime_bands, runtime_factors, runtime_fourier, runtime_linalg,
           runtime_matrices, runtime_products, runtime_reductions, runtime_shapes, runtime_slopes]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_only_numpy_is_imported(module):
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Import):
            assert [a.name for a in node.names] == ["numpy"]
        elif isinstance(node, ast.ImportFrom):
            assert node.module == "__future__" or node.module.startswith("tangent_lite.runtime")


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_every_helper_is_described(module):
    for name, thing in vars(module).items():
        if inspect.isfunction(thing) and not name.startswith("_"):
            assert thing.__doc__, name


@pytest.mark.parametrize("dy, x, expected", [
    (np.ones((2, 3)), np.ones(3), np.full(3, 2.0)), (np.ones((2, 3)), 1.0, 6.0),
    (np.ones((2, 3)), np.ones((2, 1)), np.full((2, 1), 3.0)), (2.0, np.ones(2), np.full(2, 2.0)),
    (np.ones((2, 0)), np.ones((2, 1)), np.zeros((2, 1))),
    (np.ones((0, 3)), np.ones(3), np.zeros(3)),
    (np.float64(2.0), np.array(1.0), 2.0),
])
def test_unbroadcast(dy, x, expected):
    found = runtime.unbroadcast(dy, x)
    assert np.shape(found) == np.shape(x)
    np.testing.assert_array_equal(found, expected)


def test_float32_stays():
    x = np.ones(3, np.float32)
    for value in (runtime.power_slope(x, x), runtime.log_or_zero(x), runtime.divide_or_zero(x, x),
                  runtime.where_larger(x, x, x), runtime.abs_slope(x), runtime.sinc_slope(x),
                  runtime_reductions.median_weights(x), runtime.share_ties(x[0], x),
                  runtime_reductions.products_of_others(x)):
        assert value.dtype == np.float32


def _others(x, axis):
    """For each element the product of all others that it is taken together with."""
    axes = tuple(range(x.ndim)) if axis is None else np.atleast_1d(axis) % x.ndim
    found = np.empty_like(x)
    for spot in np.ndindex(*x.shape):
        found[spot] = np.prod([x[other] for other in np.ndindex(*x.shape) if other != spot and all(
            other[a] == spot[a] for a in range(x.ndim) if a not in axes)])
    return found


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (1,)])
@pytest.mark.parametrize("change", [
    {}, {(1, 2): 0.0}, {(0, 0): 0.0, (0, 1): 0.0}, {(0, 0): -3.0}, {(0, 0): 1e-120, (1, 0): 1e120},
    {(0, 0): 1e90, (0, 1): 1e90, (1, 0): 1e90, (1, 1): 1e90}, {(1, 1): np.inf}, {(0, 2): np.nan},
    {(0, 0): 5e-324}, {(0, 1): -0.0}], ids=str)
def test_products_of_others(axis, change):
    x = np.random.default_rng(0).normal(size=(2, 3))
    for spot, value in change.items():
        x[spot] = value
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(runtime_reductions.products_of_others(x, axis),
                                   _others(x, axis), rtol=1e-14)
        for turned in (x.T, x[::-1]):
            np.testing.assert_allclose(runtime_reductions.products_of_others(turned, axis),
                                       _others(turned, axis), rtol=1e-14)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 3), (3, 1), (0,)])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_products_of_few_others(shape, axis):
    found = runtime_reductions.products_of_others(np.full(shape, 2.0), axis)
    assert found.shape == shape and np.array_equal(found, _others(np.full(shape, 2.0), axis))


def test_numbers_stay_numbers():
    for value in (runtime.power_slope(1.5, 2.5), runtime.log_or_zero(1.5),
                  runtime.divide_or_zero(1.0, 2.0), runtime.where_larger(1.0, 2.0, 1.0),
                  runtime.abs_slope(1.0), runtime.sinc_slope(0.5), runtime.sinc_curve(0.5),
                  runtime.polygamma(0, 1.5), runtime.bessel_moment(0.5, 1)):
        assert not isinstance(value, np.ndarray)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_polygamma_of_a_number_is_that_of_an_array(n):
    for x in (1e-200, 0.3, -0.7, -5.25, 15.5, 16.0, 40.0, 1e200, math.inf, math.nan):
        with np.errstate(all="ignore"):
            of_array = runtime.polygamma(n, np.array([x, x]))
            np.testing.assert_allclose(runtime.polygamma(n, x), of_array[0], rtol=1e-14)
            np.testing.assert_allclose(runtime.polygamma(n, np.float64(x)), of_array[0], rtol=1e-14)


def test_polygamma_against_known_values():
    euler = 0.5772156649015329
    assert runtime.polygamma(0, 1.0) == pytest.approx(-euler, rel=1e-14)
    assert runtime.polygamma(0, 0.5) == pytest.approx(-euler - 2 * math.log(2), rel=1e-14)
    assert runtime.polygamma(1, 1.0) == pytest.approx(math.pi ** 2 / 6, rel=1e-14)
    assert runtime.polygamma(2, 1.0) == pytest.approx(-2.4041138063191886, rel=1e-13)
    assert runtime.polygamma(0, -0.5) == pytest.approx(0.03648997397857652, rel=1e-12)


def test_bessel_moment_against_known_values():
    assert runtime.bessel_moment(1.0, 1) == pytest.approx(0.5651591039924851, rel=1e-14)
    assert runtime.bessel_moment(30.0, 0) == pytest.approx(np.i0(30.0), rel=1e-13)


def test_sinc_near_zero_has_full_precision():
    for x in (1e-9, 1e-4, 0.0189, 0.0192):
        series = -math.pi ** 2 * x / 3 * (1 - (math.pi * x) ** 2 / 10 + (math.pi * x) ** 4 / 280)
        assert runtime.sinc_slope(x) == pytest.approx(series, rel=1e-10)


def test_last_written():
    bx = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(runtime.last_written(bx, [0, 2, 0]), [0.0, 3.0, 1.0])


def test_helpers_leave_their_arguments_alone():
    x = np.array([[2.0, 0.0], [1.0, 3.0]])
    x.flags.writeable = False
    runtime_reductions.products_of_others(x, 1)
    runtime_reductions.cumprod_adjoint(x, x, 0)
    runtime_reductions.median_weights(x)
    runtime_shapes.untake(x, x, [[0, 1], [1, 0]])
    runtime_shapes.unpad(x, x[1:, 1:], ((1, 0), (1, 0)))
    runtime.last_written(x, 0)


def test_unknown_modes_of_pad_are_refused():
    with pytest.raises(NotImplementedError, match="mean"):
        runtime_shapes.unpad(np.ones(5), np.ones(3), 1, "mean")


@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3), (0, 3), (1, 3), (2, 1, 3)], ids=str)
@pytest.mark.parametrize("dtype", [float, np.float32, complex, int, object])
def test_stretched_is_broadcast_to(shape, dtype):
    for narrow in [(), (3,), (1, 3), (2, 1), (1, 1), (2, 3), (0, 3), (1,), (1, 1, 1)]:
        for order in "CF":
            dy = np.ones(narrow).astype(dtype, order=order)
            try:
                want = np.broadcast_to(dy, shape)
            except ValueError:
                with pytest.raises(ValueError):
                    runtime.stretched(dy, shape)
                continue
            got = runtime.stretched(dy, shape)
            assert got.shape == want.shape and got.dtype == want.dtype
            assert np.array_equal(got, want) and not got.flags.writeable
            assert not got.size or np.shares_memory(got, dy)


def test_where_larger_is_where():
    nan, inf = np.nan, np.inf
    x = np.array([1.0, 2.0, 3.0, nan, 1.0, 2.0])
    y = np.array([2.0, 2.0, 2.0, 2.0, nan, 2.0])
    for dz in (np.array([inf, 4.0, nan, 5.0, 6.0, inf]), np.float32([1, 2, 3, 4, 5, 6]),
               np.broadcast_to(1.0, 6), np.ones((3, 6)), 2.0):
        want = np.where(x < y, 0.0, np.where(x == y, 0.5 * dz, dz))
        got = runtime.where_larger(dz, x, y)
        assert got.dtype == want.dtype and np.array_equal(got, want, equal_nan=True)
        with np.errstate(invalid="ignore"):
            sum_of_sides = want + runtime.where_larger(2.0 * dz, y, x)
            got = runtime.of_larger(dz, 2.0 * dz, x, y)
        finite = np.isfinite(sum_of_sides)
        assert np.array_equal(got[finite], sum_of_sides[finite])
        if isinstance(dz, np.ndarray):
            # So many that it is done by products, as long as all are finite.
            wide = np.tile(dz, 1000), np.tile(x, 1000), np.tile(y, 1000)
            got = runtime.where_larger(*wide)
            assert got.dtype == want.dtype
            assert np.array_equal(got, np.tile(want, 1000), equal_nan=True)
    with np.errstate(all="raise"):
        large = np.full(5000, 1e306)
        assert np.array_equal(runtime.where_larger(large, large, 0.0), large)
    for times, kind, more in itertools.product((1, 1000), (float, np.float32), ((), (None,))):
        # relu, of few and of many; of a batch of one direction too
        x = np.tile(np.array([1.0, 0.0, -0.0, nan, -2.0, inf, -3.0], kind), times)
        dz = np.tile(np.array([1.0, 4.0, inf, 5.0, inf, nan, 2.0], kind), times)[more]
        want = np.where(x < 0, 0, np.where(x == 0, dz / 2, dz))
        for got in (runtime.where_larger(dz, x, 0.0), runtime.where_positive(dz, x)):
            assert got.dtype == want.dtype and np.array_equal(got, want, equal_nan=True)
    for shape in ((0,), (1,), (2, 3), (60, 70), (0, 3)):
        x, dz = np.random.default_rng(7).normal(size=(2, *shape))
        x[::2] = 0.0
        for x, dz in ((x, dz), (x.T, dz.T), (x[::-1], dz), (x, dz[::-1]), (x.T, dz.T.copy())):
            assert np.array_equal(runtime.where_positive(dz, x), runtime.where_larger(dz, x, 0.0))
    kept = np.ones(6)
    runtime.where_larger(kept, np.ones(6), 0.0)
    runtime.where_positive(kept, np.ones(6))
    assert kept.tolist() == [1.0] * 6
    assert runtime.where_larger(np.float64(2.0), np.float64(1.0), 0.0) == 2.0


@pytest.mark.parametrize("dy", [2.0, np.float64(2.0), np.array(2.0)])
@pytest.mark.parametrize("x", [3.0, np.float64(3.0)])
def test_adjoints_of_numbers_are_numbers(dy, x):
    for dx in (runtime.unbroadcast(dy, x), runtime.unreduce(dy, x)):
        assert dx == 2.0 and not isinstance(dx, np.ndarray)
    assert runtime.unbroadcast(np.array(2.0), np.array(3.0)).shape == ()
    assert runtime.unreduce(2.0, np.array(3.0)).shape == ()
