"""What emitted code may call for convolutions of two sequences.

All modes are a part of the full convolution, which is linear in both sequences and the same with
them exchanged: so one helper gives both adjoints, and its own adjoints are such parts again. Only
NumPy is imported.
"""
from __future__ import annotations

import numpy as np


def convolution_front(a, v, mode):
    """Where the result of np.convolve(a, v, mode) begins in the full convolution.

    >>> convolution_front([1, 2, 3, 4], [1, 2, 3], "same")
    1
    """
    if mode == "full":
        return 0
    shorter = min(np.size(a), np.size(v)) - 1
    return shorter if mode == "valid" else shorter // 2


def correlation_front(a, v, mode):
    """The same of np.correlate, which is read backwards where v is the longer one."""
    if mode == "same" and np.size(v) > np.size(a):
        return np.size(a) // 2
    return convolution_front(a, v, mode)


def convolution_part(a, v, front, like):
    """As much of the full convolution as there is of like."""
    return np.convolve(np.ravel(a), np.ravel(v))[front:front + np.size(like)]


def convolve_adjoint(dy, x, other, front):
    """Adjoint of x in that part of np.convolve(x, other) which begins at front; shaped like x."""
    full = np.zeros(np.size(x) + np.size(other) - 1, np.result_type(dy, other))
    full[front:front + np.size(dy)] = dy
    return np.reshape(np.convolve(full, np.ravel(other)[::-1], "valid"), np.shape(x))
