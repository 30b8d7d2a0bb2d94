"""Fourier transforms: lengths odd and even, cut off and padded, in all three norms."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check

rng = np.random.default_rng(21)
START = rng.bit_generator.state
NORMS = [None, "backward", "ortho", "forward"]


@pytest.fixture(autouse=True)
def same_numbers():
    """Each test draws the same numbers, whatever runs before it."""
    rng.bit_generator.state = START


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


def complex_draw(*shape):
    return draw(*shape) + 1j * draw(*shape)


LENGTHS = [(4, None), (5, None), (1, None), (4, 4), (5, 3), (5, 4), (4, 7), (4, 6), (1, 3)]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("length, n", LENGTHS)
def test_along_one_axis(length, n, norm):
    for fun in (np.fft.fft, np.fft.ifft):
        check(fun, draw(length), n, norm=norm)
        check(fun, complex_draw(length), n, -1, norm)
    for fun in (np.fft.rfft, np.fft.ihfft):
        check(fun, draw(length), n=n, norm=norm)
    if n is not None or length > 1:
        for fun in (np.fft.irfft, np.fft.hfft):
            check(fun, complex_draw(length), n, norm=norm)
            check(fun, draw(length), n, norm=norm)


@pytest.mark.parametrize("axis", [0, 1, -2])
def test_axes(axis):
    for fun in (np.fft.fft, np.fft.ifft, np.fft.irfft, np.fft.hfft):
        check(fun, complex_draw(3, 4), 5, axis)
        check(fun, complex_draw(3, 4), axis=axis)
    for fun in (np.fft.rfft, np.fft.ihfft):
        check(fun, draw(3, 4), 5, axis)
        check(fun, draw(3, 4).T[::-1], axis=axis)


SIZES = [{}, {"s": (3, 5)}, {"s": (2, 3), "axes": (0, 1)}, {"axes": (1, 0)}, {"norm": "ortho"},
         {"axes": (-1, 0), "norm": "forward"}, {"s": (4, 2), "axes": (-3, -1)}]


@pytest.mark.parametrize("options", SIZES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_along_several_axes(options):
    for fun in (np.fft.fftn, np.fft.ifftn, np.fft.fft2, np.fft.ifft2):
        check(fun, complex_draw(2, 3, 4), **options)
    for fun in (np.fft.fftn, np.fft.rfftn, np.fft.rfft2):
        check(fun, draw(2, 3, 4), **options)
        check(fun, draw(4, 3, 3), **options)
    for fun in (np.fft.irfftn, np.fft.irfft2):
        check(fun, complex_draw(2, 3, 4), **options)
        check(fun, complex_draw(3, 4, 3), **options)


def test_along_one_of_several_axes():
    for fun in (np.fft.fftn, np.fft.irfftn):
        check(fun, complex_draw(3, 4), axes=(1,))
        check(fun, complex_draw(3, 4), (5,), (0,))
    check(np.fft.rfftn, draw(3, 4), axes=(-2,))
    check(np.fft.fftn, draw(3, 4), axes=(0, 0))             # twice


def test_sizes_of_an_axis_named_twice_are_refused():
    with pytest.raises(NotImplementedError, match="twice"):
        check(np.fft.fftn, draw(3, 4), (3, 4), (0, 0))


@pytest.mark.parametrize("fun", [np.fft.fftshift, np.fft.ifftshift])
def test_shifts(fun):
    for axes in (None, 0, (0, 1), (-1,)):
        check(fun, draw(5, 4), axes)
    check(fun, complex_draw(5))


@pytest.mark.parametrize("fun", [np.fft.fftfreq, np.fft.rfftfreq])
def test_frequencies(fun):
    for n in (1, 4, 5):
        check(fun, n, 0.7, wrt=[1])
    check(fun, 4, draw(3, 1), wrt=[1])
    assert tl.grad(lambda d: fun(4, d=d)[1])(0.5) == pytest.approx(-1.0)


def test_single_precision_stays():
    x = draw(4).astype(np.float32)
    for fun in (np.fft.fft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft):
        check(fun, x)
    gradient = tl.grad(lambda x: np.sum(np.abs(np.fft.rfft(x)) ** 2))(x)
    assert gradient.dtype == np.float32


# Through the public interface -------------------------------------------------------------------
def power(x):
    return np.sum(np.abs(np.fft.fft(x * np.sin(x))) ** 2 * np.arange(4))


def smoothed(x):
    z = np.fft.rfft(np.tanh(x), 6)
    y = np.fft.irfft(z * z * (1.0 + 0.5j), 5)
    return np.sum(y ** 2) + y[0] * x[1]


def hermitian(x):
    return np.sum(np.fft.hfft(np.fft.ihfft(x ** 2) * np.exp(0.3j), 5) ** 2)


def in_two_dimensions(x):
    z = np.fft.fft2(np.outer(x, np.sin(x)))
    w = np.fft.rfft2(np.outer(x, np.cos(x)), (3, 5))
    return np.sum(np.fft.ifft2(z * z).real ** 2) + np.sum(np.fft.irfft2(w ** 2) ** 3)


def in_many_dimensions(x):
    z = np.fft.fftn(x.reshape(2, 2, 1)) + np.fft.ifftn(np.outer(x, x)[:2, :2, None])
    w = np.fft.rfftn(np.outer(x, x), axes=(1, 0))
    return np.sum(np.abs(z) ** 4) + np.sum(np.fft.irfftn(w * w, (4, 4), (0, 1)) ** 2)


def shifted(x):
    f = np.fft.fftfreq(4) ** 2
    return np.sum(np.fft.fftshift(x ** 3) * f) + np.fft.ifftshift(x)[0] ** 2


def propagated(x):
    """A split-step method: half of each step is taken in the space of frequencies."""
    u = x + 0.2j * x ** 2
    phase = np.exp(-0.1j * np.fft.fftfreq(4) ** 2)
    for _ in range(3):
        u = np.fft.ifft(phase * np.fft.fft(u))
        u = u * np.exp(-0.05j * np.abs(u) ** 2)
    return np.sum(np.abs(u[:2]) ** 2)


def spectrum_of(x):
    return np.fft.rfft(x, norm="ortho")


def by_a_helper(x):
    return np.sum(np.abs(spectrum_of(x) * spectrum_of(x ** 2)))


def into_an_array(x):
    z = np.empty(4, dtype=complex)
    np.fft.fft(x * x, out=z)
    return np.sum(np.abs(z) ** 2)


@pytest.mark.parametrize("f", [power, smoothed, hermitian, in_two_dimensions, in_many_dimensions,
                               shifted, propagated, by_a_helper],
                         ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_second_order(f):
    tl.check_grads(f, (draw(4),), order=2, modes=("fwd", "rev"))


def test_out():
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        tl.check_grads(into_an_array, (draw(4),), order=1)


def test_complex_arguments():
    tl.check_grads(lambda z: np.sum(np.abs(np.fft.fft(z, 5)) ** 2), (complex_draw(4),), order=1)
    tl.check_grads(lambda z: np.sum(np.fft.irfft(z, 5) ** 2), (complex_draw(4),), order=1)


def test_what_is_written():
    source = tl.grad(lambda x: np.sum(np.abs(np.fft.fft(x)))).source_for(draw(4))
    assert "np.fft.fft(" in source and "fitted" not in source
