"""Lines of numbers and open grids whose ends and points vary, through the public interface."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([0.31, 1.73, 0.234, 1.1])
POSITIONS, MASK = np.array([0, 2]), np.array([True, False, True, True])


def line(x):
    return np.sum(np.sin(np.arange(x[0], x[1] * 2.0, x[2])))


def started(x):
    return np.sum(np.arange(x[0], 3.0) ** 3)


def stopped(x):
    return np.sum(np.arange(x[1] * 4.0) ** 2) + x[0] ** 2


def by_keyword(x):
    return np.sum(np.sin(np.arange(start=x[0], stop=2.0, step=x[2]) * x[1]))


def step_alone(x):
    return np.sum(np.arange(0.0, stop=2.0, step=x[2]) ** 2)


def of_integers(x):
    return np.sum(np.arange(x[0], 4, dtype=int) * x[1] ** 2)


def frequencies(x):
    return np.sum(np.sin(np.fft.fftfreq(6, x[2]) * x[0])) \
        + np.sum(np.fft.rfftfreq(5, d=x[1]) ** 3)


def spacings(x):
    return np.sum(np.sin(np.fft.fftfreq(4, x)))


def grid(x):
    a, b = np.ix_(x, x * 2.0)
    return np.sum(np.sin(a * b))


def grid_as_one(x):
    g = np.ix_(x, np.sin(x), POSITIONS)
    return np.sum(g[0] * g[1] ** 2 * g[2])


def grid_with_mask(x):
    a, b, c = np.ix_(x, x[:2] ** 2, MASK)
    return np.sum(np.sin(a * b) * c)


def grid_written_to(x):
    a, = np.ix_(x)
    a = a * x
    a[1] = x[0]
    return np.sum(a ** 3)


PROGRAMS = [line, started, stopped, by_keyword, step_alone, of_integers, frequencies, spacings,
            grid, grid_as_one, grid_with_mask, grid_written_to]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.sweep(4)
def test_what_varies_is_followed(f):
    tl.check_grads(f, (X,), order=2, modes=("fwd", "rev"))
    with by_identity():
        tl.check_grads(f, (X,), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("f", PROGRAMS)
def test_single_precision_stays(f):
    found = tl.grad(f)(X.astype(np.float32))
    assert found.dtype == np.float32
    assert np.allclose(found, tl.grad(f)(X), rtol=1e-3, atol=1e-3)


def test_a_line_in_single_precision():
    def f(x):
        return np.sum(np.arange(0.25, 2.0, x, dtype=np.float32) ** 2)
    step = 0.3
    k = np.arange(6)
    assert tl.grad(f)(step) == pytest.approx(np.sum(2.0 * (0.25 + k * step) * k), rel=1e-5)


def test_integers_are_constant():
    def f(x, n):
        k = np.zeros((3, 3))
        k[np.ix_(POSITIONS, POSITIONS)] += x[0] ** 2
        return np.sum(np.arange(n) * x) + np.sum(k)
    source = tl.grad(f).source_for(X, 4)
    assert "arange_n = np.arange(n)" in source and "np.ix_(POSITIONS, POSITIONS)" in source
    assert "grid" not in source and "start" not in source


@pytest.mark.parametrize("window", [np.bartlett, np.blackman, np.hamming, np.hanning])
def test_numbers_of_points_are_whole(window):
    assert np.allclose(tl.grad(lambda x: np.sum(x * window(4)))(X), window(4))
    with pytest.raises(tl.TangentError, match="takes a number of points"):
        tl.grad(lambda x: np.sum(window(10.0 * x[0])))(X)
    with by_identity(), pytest.raises(tl.TangentError):
        tl.grad(lambda x: np.sum(window(10.0 * x[0])))(X)


def test_numbers_of_numpy_are_followed_by_names():
    def smoothed(x):
        level = np.float64(0.0)
        for v in x:
            level = np.float64(0.5) * level + np.float64(v * v)
        return level + np.float64()

    tl.check_grads(smoothed, (X,))
    assert "tape." not in tl.grad(smoothed).source_for(X)


def test_types_of_numpy_convert():
    def f(x):
        turns, rest = np.int64(3.0 * x[1]), np.complex64(x[0] * 1j)
        short = np.float32(x[1] * x[1]) * np.float16(x[2])
        return turns * x[0] + short + rest.imag + np.sum(np.uint8(x) * x)

    given, moved = np.array([0.3, 1.25, 2.5]), np.array([0.5, 1.0, -0.25])
    by_hand = np.array([4.0, 2.5 * 2.5 + 1.0, 1.25 ** 2 + 2.0])
    assert np.allclose(tl.grad(f)(given), by_hand)
    assert np.isclose(tl.jvp(f, (given,), (moved,))[1], by_hand @ moved)
    assert tl.value_and_grad(f)(given)[0] == f(given)
    assert "tape." not in tl.grad(f).source_for(given)
    assert tl.grad(lambda x: np.float32(np.sum(x * x)))(np.ones(2, np.float32)).dtype == np.float32


def test_grids_are_arrays():
    def f(a):
        y, x = np.mgrid[0:3, 0:1:3j].astype(float)
        across, down = np.ogrid[0:2, 0:2:3j]
        line = np.mgrid[0:1:3j]
        line[0] = a[1]
        x = x * line
        return np.sum((a[0] * x + a[1] * y) ** 2 + a[0] * np.mgrid[:a.size + 1]) \
            + np.sum((a[1] * across + down) ** 2)

    a = np.array([0.3, -0.5])
    tl.check_grads(f, (a,))
    assert "tape." not in tl.grad(f).source_for(a)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(a), np.squeeze(tl.jacfwd(f)(a)))
    with pytest.raises(tl.TangentError):
        tl.grad(lambda a: np.sum(np.mgrid[0:a[0]:3j]))(a)
