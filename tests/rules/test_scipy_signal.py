"""scipy.signal."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import MissingRuleError
from tests.rules.support import check

signal = pytest.importorskip("scipy.signal")
rng = np.random.default_rng(5)


def draw(*shape):
    return rng.standard_normal(shape)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "fftconvolve", "oaconvolve", "correlate"])
def test_convolutions(name, mode):
    call = getattr(signal, name)
    for a, v in (((5,), (3,)), ((5,), (2,)), ((3,), (5,)), ((4, 5), (2, 3)), ((1,), (1,)),
                 ((3, 4, 2), (2, 2, 1))):
        check(call, draw(*a), draw(*v), mode)
    check(call, draw(5) + 1j * draw(5), draw(2) + 1j * draw(2), mode=mode)
    check(call, draw(6)[::2], draw(4)[::-2], mode)
    if name in ("convolve", "correlate"):
        check(call, draw(5), draw(3), mode, "direct")
        check(call, draw(5), draw(3), mode=mode, method="fft")


@pytest.mark.parametrize("boundary", ["fill", "wrap", "symm"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve2d", "correlate2d"])
def test_convolutions_with_boundaries(name, mode, boundary):
    call = getattr(signal, name)
    for a, v in (((4, 5), (2, 3)), ((5, 4), (3, 2)), ((2, 3), (2, 3)), ((1, 4), (1, 1))):
        check(call, draw(*a), draw(*v), mode, boundary)
    check(call, draw(4, 5)[::-1, ::2], draw(2, 3)[:, ::-1], mode=mode, boundary=boundary)
    if mode == "valid":
        check(call, draw(2, 2), draw(3, 5), mode, boundary)
    elif name == "convolve2d":
        check(call, draw(2, 2), draw(3, 4), mode, boundary)         # reads around several times
    check(call, draw(4, 3) + 1j * draw(4, 3), draw(2, 2) + 1j * draw(2, 2), mode, boundary)
    check(call, draw(4, 3).astype(np.float32), draw(2, 2).astype(np.float32), mode, boundary)
    check(call, draw(4, 3), draw(3, 2), mode, boundary, 0.7, wrt=[0, 1])
    tl.check_grads(lambda a, v: np.sum(call(a, v, mode, boundary) ** 3), (draw(3, 3), draw(2, 2)),
                   order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("name", ["convolve2d", "correlate2d"])
@pytest.mark.parametrize("boundary", ["pad", "circular", "symmetric"])
def test_other_names_of_boundaries(name, boundary):
    check(getattr(signal, name), draw(4, 5), draw(2, 3), "same", boundary)


def test_filters():
    b, a, x = np.array([0.5, 0.2, 0.1]), np.array([1.2, -0.4]), draw(6)
    check(signal.lfilter, b, a, x)
    check(signal.lfilter, b[:1], np.array([1.0, -0.4, 0.1, 0.2]), x)
    check(signal.lfilter, b, a, draw(4, 3), 0)
    check(signal.lfilter, b, a, draw(4, 3), axis=1)
    check(signal.lfilter, b, a, draw(2))
    check(signal.detrend, x)
    check(signal.detrend, draw(4, 6), 0, "constant")
    check(signal.detrend, draw(4, 6), type="linear", bp=[3])
    check(signal.hilbert, x)
    check(signal.hilbert, draw(3, 5), axis=0)
    for mode in ("interp", "mirror", "constant", "nearest", "wrap"):
        check(signal.savgol_filter, draw(9), 5, 2, mode=mode)
        check(signal.savgol_filter, draw(3, 9), 5, 3, 1, 0.5, 1, mode, 0.7, wrt=[0])
    with pytest.raises(MissingRuleError, match="zi"):
        tl.grad(lambda x: np.sum(signal.lfilter(b, a, x, zi=np.ones(2))[0]))(x)


def test_second_order():
    b, a, x = np.array([0.5, 0.2]), np.array([1.2, -0.4]), draw(4)
    tl.check_grads(lambda b, a, x: np.sum(signal.lfilter(b, a, x) ** 2), (b, a, x), order=2,
                   modes=("fwd", "rev"))
    for mode in ("full", "same", "valid"):
        tl.check_grads(lambda b, x: np.sum(signal.convolve(x, b, mode) ** 3
                                           + signal.correlate(x, b, mode)), (b, x), order=2,
                       modes=("fwd", "rev"))
    tl.check_grads(lambda x: np.sum(np.abs(signal.hilbert(x)) ** 2 + signal.detrend(x) ** 3
                                    + signal.savgol_filter(x, 3, 1) ** 2), (x,), order=2,
                   modes=("fwd", "rev"))


def smoothed(x, taps):
    for k in range(2):
        x = signal.convolve(x, taps / (k + 1.0), mode="same")
    return np.sum(x * x)


def test_in_a_loop():
    tl.check_grads(smoothed, (draw(5), draw(3)), order=2, modes=("fwd", "rev"))
