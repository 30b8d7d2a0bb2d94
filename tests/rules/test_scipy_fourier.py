"""scipy.fft: its transforms, and those of cosines and sines of all types."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check

sf = pytest.importorskip("scipy.fft")
rng = np.random.default_rng(51)
START = rng.bit_generator.state


@pytest.fixture(autouse=True)
def same_numbers():
    """Each test draws the same numbers, whatever runs before it."""
    rng.bit_generator.state = START


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


def complex_draw(*shape):
    return draw(*shape) + 1j * draw(*shape)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("length, n", [(4, None), (5, None), (5, 3), (4, 7), (4, 6)])
def test_along_one_axis(length, n, norm):
    for fun in (sf.fft, sf.ifft, sf.irfft, sf.hfft):
        check(fun, complex_draw(2, length), n, norm=norm, workers=1)
        check(fun, complex_draw(length, 2), n, 0, norm)
    for fun in (sf.rfft, sf.ihfft):
        check(fun, draw(length), n, norm=norm)


SIZES = [{}, {"s": (3, 5)}, {"s": (2, 3), "axes": (0, 1)}, {"axes": (1, 0), "norm": "ortho"},
         {"axes": (-1, 0), "norm": "forward"}]


@pytest.mark.parametrize("options", SIZES)
def test_along_several_axes(options):
    for fun in (sf.fftn, sf.ifftn, sf.fft2, sf.ifft2, sf.irfftn, sf.irfft2, sf.hfftn, sf.hfft2):
        check(fun, complex_draw(2, 3, 4), **options)
    for fun in (sf.rfftn, sf.rfft2, sf.ihfftn, sf.ihfft2):
        check(fun, draw(2, 3, 5), **options)


TRIGONOMETRIC = [sf.dct, sf.idct, sf.dst, sf.idst]


@pytest.mark.parametrize("fun", TRIGONOMETRIC, ids=lambda f: f.__name__)
@pytest.mark.parametrize("norm", [None, "ortho", "forward", "backward"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_cosines_and_sines(fun, norm, kind):
    for n in (None, 3, 7):
        check(fun, draw(5), kind, n, norm=norm)
        check(fun, complex_draw(5, 2), kind, n, 0, norm)
    check(fun, draw(4).astype(np.float32), kind, norm=norm)
    several = getattr(sf, fun.__name__ + "n")
    for options in ({}, {"s": (3, 6)}, {"axes": (1,)}, {"s": (4,), "axes": (-2,)}):
        check(several, draw(4, 5), kind, norm=norm, **options)


def test_shifts():
    for axes in (None, 0, (0, 1)):
        check(sf.fftshift, draw(5, 4), axes)
        check(sf.ifftshift, draw(5, 4), axes)


@pytest.mark.parametrize("fun", [sf.fftfreq, sf.rfftfreq])
def test_frequencies(fun):
    for n in (4, 5):
        check(fun, n, 0.7, wrt=[1])


def compressed(x):
    y = sf.dct(x ** 2, norm="ortho")
    return np.sum(sf.idct(y * np.sin(y), n=6) ** 3) + np.sum(sf.dst(x, 3) ** 3)


def spectral(x):
    z = sf.fft(x * np.sin(x))
    w = sf.rfft2(np.outer(x, x))
    h = sf.hfftn(sf.ihfftn(np.outer(x, np.cos(x))) * (1.0 + 0.3j))
    return np.sum(np.abs(z) ** 3) + np.sum(sf.irfft2(w * w) ** 2) + np.sum(h ** 3)


def in_two_dimensions(x):
    return np.sum(sf.idctn(sf.dctn(np.outer(x, x), s=(3, 5)) ** 2, 3) ** 2) \
        + np.sum(sf.dstn(np.outer(x, x), 1) ** 3)


@pytest.mark.parametrize("f", [compressed, spectral, in_two_dimensions], ids=lambda f: f.__name__)
@pytest.mark.sweep(2)
def test_second_order(f):
    tl.check_grads(f, (draw(4),), order=2, modes=("fwd", "rev"))


def test_overwriting_is_refused():
    with pytest.raises(tl.TangentError):
        tl.grad(lambda x: np.sum(np.abs(sf.fft(x * 2.0, overwrite_x=True))))(draw(4))
