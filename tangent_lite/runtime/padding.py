"""What emitted code may call for what np.pad puts beside an array. Only NumPy is imported."""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.shapes import ramp, widths, without_ramps


def ramping(dvalues, x, pad_width):
    """Tangent of pad(x, pad_width, "linear_ramp", end_values=values) along dvalues."""
    dtype = np.result_type(np.asarray(dvalues), float)
    dy = np.pad(np.zeros(np.shape(x), dtype), pad_width, "linear_ramp", end_values=dvalues)
    return dy if np.asarray(x).dtype.kind in "fc" else np.zeros_like(dy)


def ramping_part(dy, x, pad_width, values):
    """Adjoint of values in y = pad(x, pad_width, "linear_ramp", end_values=values), in their shape.

    NumPy spreads them to one pair for each axis, and goes through the axes from the first one on.
    """
    total = np.zeros((np.ndim(x), 2), dy.dtype)
    if np.asarray(x).dtype.kind in "fc":
        for axis, (before, after) in reversed([*enumerate(widths(pad_width, np.ndim(x)))]):
            lines = np.sum(np.moveaxis(dy, axis, 0).reshape(np.shape(dy)[axis], -1), axis=1)
            size = lines.size - before - after
            total[axis, 0] = np.sum(lines[:before] * (1.0 - ramp(before)))
            total[axis, 1] = np.sum(lines[before + size:] * (1.0 - ramp(after)[::-1]))
            dy = without_ramps(dy, axis, before, after)
    return unbroadcast(total, np.empty(np.shape(values)))


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
