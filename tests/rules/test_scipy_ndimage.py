"""scipy.ndimage: filters and linear interpolation."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check

ndimage = pytest.importorskip("scipy.ndimage")
rng = np.random.default_rng(12)
X, LINE = rng.uniform(-1.0, 1.0, (5, 4)), rng.uniform(-1.0, 1.0, 7)
WEIGHTS, EVEN, BLOCK = rng.uniform(0.2, 1.0, 3), rng.uniform(0.2, 1.0, 4), rng.uniform(0, 1, (3, 2))
MODES = ["reflect", "mirror", "nearest", "wrap", "constant"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fun", [ndimage.correlate, ndimage.convolve])
def test_filters(fun, mode):
    check(fun, X, BLOCK, mode=mode, cval=0.5, wrt=[0, 1])
    check(fun, LINE, EVEN, mode=mode, origin=1, wrt=[0, 1])
    check(fun, X, BLOCK, None, mode, 0.25, (1, -1), wrt=[0, 1])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fun", [ndimage.correlate1d, ndimage.convolve1d])
def test_filters_along_an_axis(fun, mode):
    check(fun, X, WEIGHTS, mode=mode, cval=0.5, wrt=[0, 1])
    check(fun, X, EVEN, 0, mode=mode, origin=-1, wrt=[0, 1])
    check(fun, LINE, EVEN, mode=mode, wrt=[0, 1])


@pytest.mark.parametrize("mode", MODES)
def test_gaussian(mode):
    check(ndimage.gaussian_filter, X, 0.6, mode=mode, cval=0.5, wrt=[0])
    check(ndimage.gaussian_filter, X, (0.5, 0.9), (1, 0), mode=mode, truncate=3.0, wrt=[0])
    check(ndimage.gaussian_filter, X, (0.0, 0.9), mode=mode, wrt=[0])
    check(ndimage.gaussian_filter1d, X, 0.7, 0, mode=mode, wrt=[0])
    check(ndimage.gaussian_filter1d, LINE, 1.5, order=2, mode=mode, wrt=[0])


@pytest.mark.parametrize("mode", MODES)
def test_uniform(mode):
    check(ndimage.uniform_filter, X, 3, mode=mode, cval=0.5, wrt=[0])
    check(ndimage.uniform_filter, X, (2, 3), mode=mode, origin=(0, -1), wrt=[0])
    check(ndimage.uniform_filter1d, LINE, 4, mode=mode, wrt=[0])
    check(ndimage.uniform_filter1d, X, 2, 0, mode=mode, wrt=[0])


def test_filters_of_long_windows():
    check(ndimage.gaussian_filter1d, LINE[:3], 2.0, wrt=[0])
    check(ndimage.uniform_filter1d, LINE[:2], 5, mode="mirror", wrt=[0])
    check(ndimage.correlate1d, LINE[:1], WEIGHTS, mode="reflect", wrt=[0, 1])


@pytest.mark.parametrize("mode", ["constant", "nearest"])
def test_linear_interpolation(mode):
    points = np.array([[0.3, 1.7, 3.2, -0.6, 4.4], [0.4, 2.6, 1.1, 1.3, 5.0]])
    check(ndimage.map_coordinates, X, points, order=1, mode=mode, wrt=[0, 1])
    check(ndimage.map_coordinates, X, points, order=0, mode=mode, wrt=[0])
    check(ndimage.map_coordinates, LINE, points[:1] + 1.0, None, 1, mode, wrt=[0, 1])


def smoothed(x, w):
    return np.sum(ndimage.correlate1d(ndimage.gaussian_filter(x, 0.8), w, 0, mode="nearest") ** 3)


def sampled(x, at):
    return np.sum(ndimage.map_coordinates(x * x, at, order=1, mode="nearest") ** 2)


def test_second_order():
    tl.check_grads(smoothed, (X, WEIGHTS))
    tl.check_grads(sampled, (X, np.array([[0.3, 1.7], [0.4, 2.6]])), order=1)


def test_single_precision_stays():
    found = tl.grad(lambda x: np.sum(ndimage.uniform_filter(x, 3)))(X.astype(np.float32))
    assert found.dtype == np.float32


def zoomed(x):
    return np.sum(ndimage.zoom(x, 2.0))


def edges(x):
    return np.sum(ndimage.sobel(x))


def ordered(x):
    return np.sum(ndimage.median_filter(x, 3))


def wide(x):
    return np.sum(ndimage.gaussian_filter(X, x[0, 0]))


@pytest.mark.parametrize("fun, word", [(zoomed, "order=1"), (edges, "correlate1d"),
                                       (ordered, "slices"), (wide, "how wide")])
def test_refused(fun, word):
    with pytest.raises(tl.TangentError, match=word):
        tl.grad(fun)(X)


def cubic(x):
    return np.sum(ndimage.map_coordinates(x, [[0.5], [0.5]]))


def test_splines_are_refused():
    with pytest.raises(NotImplementedError, match="order=1"):
        tl.grad(cubic)(X)
