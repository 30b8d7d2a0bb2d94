"""What emitted code may call for scipy.signal, scipy.interpolate and scipy.sparse.

Nearly all of it is linear: adjoints are filters of the same kind that run backward.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from tangent_lite.runtime import zeros_like
from tangent_lite.runtime.shapes import unpad


# Convolutions -----------------------------------------------------------------------------------
def place_in_full(dy, a, v, mode):
    """dy, a part of the full convolution of a and v, in zeros of the shape of all of it."""
    full = np.zeros([n + m - 1 for n, m in zip(np.shape(a), np.shape(v))], np.asarray(dy).dtype)
    full[_part(np.shape(a), np.shape(v), mode)] = dy
    return full


def part_of_full(full, a, v, mode):
    """That part: where convolve(a, v, mode) lies in the full convolution."""
    return full[_part(np.shape(a), np.shape(v), mode)]


def _part(a, v, mode):
    if mode == "full":
        return tuple(slice(0, n + m - 1) for n, m in zip(a, v))
    if mode == "same":
        return tuple(slice((m - 1) // 2, (m - 1) // 2 + n) for n, m in zip(a, v))
    if mode == "same, later":
        return tuple(slice(m // 2, m // 2 + n) for n, m in zip(a, v))
    return tuple(slice(min(n, m) - 1, max(n, m)) for n, m in zip(a, v))


def later(mode):
    """The mode of correlate2d: where the middle is between two places it takes the later one."""
    return "same, later" if mode == "same" else mode


def convolution_adjoint(dy, x, other, a, v, mode):
    """Adjoint of x, one of a and v, in convolve(a, v, mode): the other one runs backward."""
    if np.size(a) == 0 or np.size(v) == 0:
        return zeros_like(x)
    return signal.convolve(place_in_full(dy, a, v, mode), np.flip(other), "valid")


def convolved_part(dy, other, a, v, mode, boundary):
    """Adjoint of a in convolve2d(a, v, mode, boundary), where other is v, or what is convolved
    with in its place: that of a with what lies beyond it, brought back to where it came from."""
    if np.size(a) == 0 or np.size(v) == 0:
        return zeros_like(a)
    if mode == "valid":
        return convolution_adjoint(dy, a, other, a, v, mode)
    around = signal.convolve(place_in_full(dy, a, v, mode), np.flip(other))
    return unpad(around, a, reach(v), BEYOND[boundary])


def convolving_part(dy, a, v, mode, boundary, fillvalue=0):
    """Adjoint of v in convolve2d(a, v, mode, boundary, fillvalue)."""
    if np.size(a) == 0 or np.size(v) == 0:
        return zeros_like(v)
    if mode == "valid":
        return convolution_adjoint(dy, v, a, a, v, mode)
    mode_of_pad = BEYOND[boundary]
    around = np.pad(a, reach(v), mode_of_pad, **(
        {"constant_values": fillvalue} if mode_of_pad == "constant" else {}))
    return signal.convolve(place_in_full(dy, a, v, mode), np.flip(around), "valid")


# As np.pad calls it; SciPy has other names for each.
BEYOND: dict[str, Any] = {"fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap",
                          "symm": "symmetric", "symmetric": "symmetric"}


def reach(v):
    """How far convolving with v reads beyond an array, along each axis."""
    return [(size - 1, size - 1) for size in np.shape(v)]


# Filters ----------------------------------------------------------------------------------------
def filter_residual(dy, a, axis=-1):
    """Adjoint of the residual B(q) x - A(q) y of a filter: dy through 1 / A, backward in time."""
    return np.flip(signal.lfilter(np.ones_like(np.take(a, [0])), a, np.flip(dy, axis), axis), axis)


def filter_input(residual, b, axis=-1):
    """Adjoint of x in B(q) x."""
    return np.flip(signal.lfilter(b, np.ones(1), np.flip(residual, axis), axis), axis)


def filter_lags(residual, x, like, axis=-1):
    """Adjoint of the coefficients in B(q) x: the sum of residual[t] x[t - k] for each lag k."""
    count = np.shape(x)[axis]
    sums = []
    for k in range(np.size(like)):
        left = np.take(residual, range(min(k, count), count), axis)
        right = np.take(x, range(max(count - k, 0)), axis)
        sums.append(np.sum(left * right))
    return np.stack(sums)


def filter_tangent(db, da, dx, y, b, a, x, axis=-1):
    """Tangent of y = lfilter(b, a, x): what moves the residual, through 1 / A."""
    one = np.ones(1)
    moved = signal.lfilter(db, one, x, axis) + signal.lfilter(b, one, dx, axis) \
        - signal.lfilter(da, one, y, axis)
    return signal.lfilter(np.ones_like(np.take(a, [0])), a, moved, axis)


def savgol_matrix(n, window_length, polyorder, deriv, delta, mode):
    """The matrix that savgol_filter is for lines of n values."""
    return signal.savgol_filter(np.eye(n), window_length, polyorder, deriv, delta, 0, mode, 0.0)


def along_axis(matrix, x, axis):
    """A matrix times all lines of x along an axis."""
    return np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)
