"""What emitted code may call for filters of scipy.signal with constant coefficients.

They are linear in what they filter. Without initial states a filter is a lower triangular Toeplitz
matrix along its axis, so its transpose filters backward in time.
"""
from __future__ import annotations

import numpy as np
from scipy import signal

from tangent_lite.runtime.polynomials import real_as


def sections_adjoint(dy, sos, x, axis=-1):
    """Adjoint of x in sosfilt(sos, x, axis), of its shape."""
    return real_as(np.flip(signal.sosfilt(sos, np.flip(dy, axis), axis), axis), x)


def filtfilt_adjoint(dy, b, a, x, axis=-1, padtype="odd", padlen=None):
    """Adjoint of x in filtfilt(b, a, x, axis, padtype, padlen), of its shape."""
    b, a = np.atleast_1d(b), np.atleast_1d(a)

    def plain(u):
        return signal.lfilter(b, a, u, axis=0)

    def response(n):
        return signal.lfilter(b, a, np.zeros(n), zi=signal.lfilter_zi(b, a))[0]
    return _both_ways_adjoint(dy, x, axis, padtype, _edge(padtype, padlen, max(len(a), len(b))),
                              plain, response)


def sosfiltfilt_adjoint(dy, sos, x, axis=-1, padtype="odd", padlen=None):
    """Adjoint of x in sosfiltfilt(sos, x, axis, padtype, padlen), of its shape."""
    sos = np.atleast_2d(sos)
    taps = 2 * len(sos) + 1 - min(np.sum(sos[:, 2] == 0), np.sum(sos[:, 5] == 0))

    def plain(u):
        return signal.sosfilt(sos, u, axis=0)

    def response(n):
        return signal.sosfilt(sos, np.zeros(n), zi=signal.sosfilt_zi(sos))[0]
    return _both_ways_adjoint(dy, x, axis, padtype, _edge(padtype, padlen, taps), plain, response)


def _edge(padtype, padlen, taps):
    """By how many values SciPy extends a signal at each end."""
    if padtype is None:
        return 0
    return 3 * int(taps) if padlen is None else padlen


def _both_ways_adjoint(dy, x, axis, padtype, edge, plain, response):
    """Adjoint of the signal x that is extended, filtered forward, backward, and cut.

    Each time the filter starts in its steady state for the first value u[0], so that it adds
    response * u[0] to what it makes without a state, `plain`.
    """
    dy = np.moveaxis(np.asarray(dy), axis, 0)
    moved = np.zeros((len(dy) + 2 * edge, *dy.shape[1:]), dy.dtype)
    moved[edge:edge + len(dy)] = dy
    first = response(len(moved))
    for _ in range(2):                      # backward, then forward: turned around each time
        moved = np.flip(moved, 0)
        at_first = np.tensordot(first, moved, (0, 0))
        moved = np.flip(plain(np.flip(moved, 0)), 0).copy()
        moved[0] += at_first
    return real_as(np.moveaxis(_cut(moved, len(dy), edge, padtype), 0, axis), x)


def _cut(moved, n, edge, padtype):
    """Adjoint of n values, by that of them with `edge` values at each end that are made of them."""
    left, middle, right = moved[:edge], moved[edge:edge + n], moved[edge + n:]
    if edge and padtype != "constant":
        sign = -1.0 if padtype == "odd" else 1.0
        middle[1:edge + 1] += sign * left[::-1]
        middle[n - 1 - edge:n - 1] += sign * right[::-1]
    if edge and padtype != "even":
        weight = 2.0 if padtype == "odd" else 1.0
        middle[0] += weight * np.sum(left, axis=0)
        middle[-1] += weight * np.sum(right, axis=0)
    return middle
