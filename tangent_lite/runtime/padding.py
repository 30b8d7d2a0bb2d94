"""What emitted code may call for what np.pad puts beside an array. Only NumPy is imported."""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import unbroadcast


def padding_part(dy, x, pad_width, values):
    """Adjoint of values in y = pad(x, pad_width, constant_values=values); an array of their shape.

    NumPy spreads them to one pair for each axis. Ints take the whole part of what is put beside
    them, which does not vary.
    """
    ends = np.arange(2 * np.ndim(x)).reshape(-1, 2)
    places = np.pad(np.full(np.shape(x), -1), pad_width, constant_values=ends)
    inside = (places >= 0) & (np.asarray(x).dtype.kind in "fc")
    total = np.zeros(ends.size, dy.dtype)
    np.add.at(total, places[inside], dy[inside])
    return unbroadcast(total.reshape(ends.shape), np.empty(np.shape(values)))


def padding(dvalues, x, pad_width):
    """Tangent of pad(x, pad_width, constant_values=values) along dvalues."""
    dtype = np.result_type(np.asarray(dvalues), float)
    dy = np.pad(np.zeros(np.shape(x), dtype), pad_width, constant_values=dvalues)
    return dy if np.asarray(x).dtype.kind in "fc" else np.zeros_like(dy)
