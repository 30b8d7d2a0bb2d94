"""Products of compiled adjoints beside NumPy's: all layouts, sizes 0 and 1, into an array."""
import itertools

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_multiplying import add_product, dot_times, times  # noqa: E402

SHAPES = [((3,), (3,)), ((0,), (0,)), ((1,), (1,)), ((300,), (300,)), ((3, 4), (4,)),
          ((30, 40), (40,)), ((0, 4), (4,)), ((4, 0), (0,)), ((4,), (4, 3)), ((40,), (40, 30)),
          ((0,), (0, 3)), ((2, 3), (3, 4)), ((20, 30), (30, 40)), ((0, 3), (3, 4)),
          ((3, 0), (0, 4)), ((3, 2), (2, 0)), ((1, 1), (1, 1)), ((1, 300), (300, 1)),
          ((300, 1), (1, 300))]


def in_order(x):
    return np.ascontiguousarray(x)


def in_steps(x):
    whole = np.zeros(tuple(2 * n for n in x.shape))
    part = whole[tuple(slice(None, None, 2) for _ in x.shape)]
    part[...] = x
    return part


def backwards(x):
    return in_order(x[tuple(slice(None, None, -1) for _ in x.shape)])[
        tuple(slice(None, None, -1) for _ in x.shape)]


LAYOUTS = [in_order, np.asfortranarray, in_steps, backwards]
product = numba.njit(lambda x, y: times(x, y))
dot = numba.njit(lambda x, y: dot_times(x, y))
plus = numba.njit(lambda out, x, y: add_product(out, x, y, 1.0))
minus = numba.njit(lambda out, x, y: add_product(out, x, y, -1.0))


@pytest.mark.slow
def test_products_of_all_layouts():
    rng = np.random.default_rng(0)
    for (m, n), *layouts in itertools.product(SHAPES, LAYOUTS, LAYOUTS):
        x, y = (lay(rng.normal(size=shape)) for lay, shape in zip(layouts, (m, n)))
        expected = x @ y
        for function in (product, dot):
            np.testing.assert_allclose(function(x, y), expected, rtol=1e-12, atol=1e-13)
        for lay in LAYOUTS[:3] if expected.ndim else []:
            start = rng.normal(size=expected.shape)
            out = lay(start.copy())
            plus(out, x, y)
            np.testing.assert_allclose(out, start + expected, rtol=1e-12, atol=1e-12)
            minus(out, x, y)
            np.testing.assert_allclose(out, start, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("size", [3, 20])
def test_what_is_added_to_may_be_a_factor(size):
    """The product is what it was before anything is written, as in `A += A @ A`."""
    start = np.random.default_rng(1).normal(size=(size, size))
    out = start.copy()
    plus(out, out, out)
    np.testing.assert_allclose(out, start + start @ start, rtol=1e-12)


def test_a_product_that_is_stretched():
    out = np.ones((3, 4))
    plus(out, np.ones((1, 2)), np.ones((2, 4)))
    np.testing.assert_array_equal(out, np.full((3, 4), 3.0))


def test_what_was_there_is_not_read():
    """An array that was just made may hold nan."""
    x, y = np.full((2, 3), 2.0), np.full((3, 2), 3.0)
    np.testing.assert_array_equal(product(x, y), np.full((2, 2), 18.0))
    x[0, 0] = np.nan
    assert np.isnan(product(x, y)[0]).all() and not np.isnan(product(x, y)[1]).any()


@pytest.mark.parametrize("x, y", [
    (np.ones(3), np.ones(2)), (np.ones((3, 2)), np.ones(3)), (np.ones((3, 2)), np.ones((3, 2)))])
def test_sizes_that_do_not_fit(x, y):
    with pytest.raises(ValueError):
        product(x, y)
