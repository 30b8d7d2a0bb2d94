"""scipy.signal: convolutions of any number of dimensions, and linear filters."""
import numpy as np
from scipy import signal

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import elementwise_float, unknown
from tangent_lite.result_kinds.of_scipy import (
    convolved,
    convolved_by_transforms,
    elementwise_complex,
    like_first,
    like_third_argument,
)
from tangent_lite.runtime.scipy_signal import (
    along_axis,
    convolution_adjoint,
    convolved_part,
    convolving_part,
    filter_input,
    filter_lags,
    filter_residual,
    filter_tangent,
    later,
    part_of_full,
    place_in_full,
    savgol_matrix,
)

AXIS = "it is an axis"
WHOLE = "it is a whole number"


@adjoint(place_in_full, kind=like_first, constant=("mode",))
def place_in_full_(z, dy, a, v, mode):
    d[dy] = part_of_full(d[z], a, v, mode)
    d[a] = None
    d[v] = None


@tangent(place_in_full, constant=("mode",))
def place_in_full_tangent(z, dy, a, v, mode):
    d[z] = place_in_full(d[dy], a, v, mode)
    d[a] = None
    d[v] = None


@adjoint(part_of_full, kind=like_first, constant=("mode",), view="maybe")
def part_of_full_(y, full, a, v, mode):
    d[full] = place_in_full(d[y], a, v, mode)
    d[a] = None
    d[v] = None


@tangent(part_of_full, constant=("mode",))
def part_of_full_tangent(y, full, a, v, mode):
    d[y] = part_of_full(d[full], a, v, mode)
    d[a] = None
    d[v] = None


@adjoint(signal.convolve, kind=convolved)
def convolve(y, in1, in2, mode="full", method="auto"):
    d[in1] = convolution_adjoint(d[y], in1, in2, in1, in2, mode)
    d[in2] = convolution_adjoint(d[y], in2, in1, in1, in2, mode)


@tangent(signal.convolve)
def convolve_tangent(y, in1, in2, mode="full", method="auto"):
    d[y] = signal.convolve(d[in1], in2, mode, method) + signal.convolve(in1, d[in2], mode, method)


@adjoint(signal.fftconvolve, kind=convolved_by_transforms)
def fftconvolve(y, in1, in2, mode="full"):
    d[in1] = convolution_adjoint(d[y], in1, in2, in1, in2, mode)
    d[in2] = convolution_adjoint(d[y], in2, in1, in1, in2, mode)


@tangent(signal.fftconvolve)
def fftconvolve_tangent(y, in1, in2, mode="full"):
    d[y] = signal.fftconvolve(d[in1], in2, mode) + signal.fftconvolve(in1, d[in2], mode)


@adjoint(signal.oaconvolve, kind=convolved_by_transforms)
def oaconvolve(y, in1, in2, mode="full"):
    d[in1] = convolution_adjoint(d[y], in1, in2, in1, in2, mode)
    d[in2] = convolution_adjoint(d[y], in2, in1, in1, in2, mode)


@tangent(signal.oaconvolve)
def oaconvolve_tangent(y, in1, in2, mode="full"):
    d[y] = signal.oaconvolve(d[in1], in2, mode) + signal.oaconvolve(in1, d[in2], mode)


# correlate(x, v) is convolve(x, w) with w = conj(v) backwards.
@adjoint(signal.correlate, kind=convolved)
def correlate(y, in1, in2, mode="full", method="auto"):
    d[in1] = convolution_adjoint(d[y], in1, np.flip(np.conj(in2)), in1, in2, mode)
    d[in2] = np.conj(np.flip(convolution_adjoint(d[y], in2, in1, in1, in2, mode)))


@tangent(signal.correlate)
def correlate_tangent(y, in1, in2, mode="full", method="auto"):
    d[y] = signal.correlate(d[in1], in2, mode, method) + signal.correlate(in1, d[in2], mode, method)


nondifferentiable(later, kind=unknown)


# What lies beyond in1 is what is put there, or in1 again: as if it had been padded.
BOUNDARY = {"fillvalue": "what lies outside is taken as constant"}


@adjoint(signal.convolve2d, kind=convolved, constant=BOUNDARY)
def convolve2d(y, in1, in2, mode="full", boundary="fill", fillvalue=0):
    d[in1] = convolved_part(d[y], in2, in1, in2, mode, boundary)
    d[in2] = convolving_part(d[y], in1, in2, mode, boundary, fillvalue)


@tangent(signal.convolve2d, constant=BOUNDARY)
def convolve2d_tangent(y, in1, in2, mode="full", boundary="fill", fillvalue=0):
    d[y] = signal.convolve2d(d[in1], in2, mode, boundary) \
        + signal.convolve2d(in1, d[in2], mode, boundary, fillvalue)


@adjoint(signal.correlate2d, kind=convolved, constant=BOUNDARY)
def correlate2d(y, in1, in2, mode="full", boundary="fill", fillvalue=0):
    d[in1] = convolved_part(d[y], np.flip(np.conj(in2)), in1, in2, later(mode), boundary)
    d[in2] = np.conj(np.flip(
        convolving_part(d[y], in1, in2, later(mode), boundary, fillvalue)))


@tangent(signal.correlate2d, constant=BOUNDARY)
def correlate2d_tangent(y, in1, in2, mode="full", boundary="fill", fillvalue=0):
    d[y] = signal.correlate2d(d[in1], in2, mode, boundary) \
        + signal.correlate2d(in1, d[in2], mode, boundary, fillvalue)


# Filters ----------------------------------------------------------------------------------------
@adjoint(signal.lfilter, kind=like_third_argument, constant={"axis": AXIS})
def lfilter(y, b, a, x, axis=-1):
    residual = filter_residual(d[y], a, axis)
    d[b] = filter_lags(residual, x, b, axis)
    d[a] = -filter_lags(residual, y, a, axis)
    d[x] = filter_input(residual, b, axis)


@tangent(signal.lfilter, constant={"axis": AXIS})
def lfilter_tangent(y, b, a, x, axis=-1):
    d[y] = filter_tangent(d[b], d[a], d[x], y, b, a, x, axis)


# A projection onto what is orthogonal to straight lines: it is its own adjoint.
@adjoint(signal.detrend, kind=elementwise_float, constant={"axis": AXIS, "bp": WHOLE})
def detrend(y, data, axis=-1, type="linear", bp=0):
    d[data] = signal.detrend(d[y], axis, type, bp)


@tangent(signal.detrend, constant={"axis": AXIS, "bp": WHOLE})
def detrend_tangent(y, data, axis=-1, type="linear", bp=0):
    d[y] = signal.detrend(d[data], axis, type, bp)


# x + i H x, with the transform H of Hilbert, which is antisymmetric.
@adjoint(signal.hilbert, kind=elementwise_complex, constant={"axis": AXIS})
def hilbert(y, x, N=None, axis=-1):
    d[x] = np.real(d[y]) + np.imag(signal.hilbert(np.imag(d[y]), N, axis))


@tangent(signal.hilbert, constant={"axis": AXIS})
def hilbert_tangent(y, x, N=None, axis=-1):
    d[y] = signal.hilbert(d[x], N, axis)


SAVGOL = {"window_length": WHOLE, "polyorder": WHOLE, "deriv": WHOLE, "axis": AXIS,
          "delta": "the distance of the points is taken as constant",
          "cval": "what lies outside is taken as constant"}


@adjoint(signal.savgol_filter, kind=unknown, constant=SAVGOL)
def savgol_filter(y, x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp",
                  cval=0.0):
    d[x] = along_axis(savgol_matrix(np.shape(x)[axis], window_length, polyorder, deriv, delta,
                                    mode).T, d[y], axis)


@tangent(signal.savgol_filter, constant=SAVGOL)
def savgol_filter_tangent(y, x, window_length, polyorder, deriv=0, delta=1.0, axis=-1,
                          mode="interp", cval=0.0):
    d[y] = signal.savgol_filter(d[x], window_length, polyorder, deriv, delta, axis, mode, 0.0)


nondifferentiable(savgol_matrix, kind=unknown)
