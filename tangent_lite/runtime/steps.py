"""What emitted code may call for finite differences along axes (np.gradient) and for running
extremes. Only NumPy is imported."""
from __future__ import annotations

import numpy as np


def slope_weights(count, spacing=1.0, edge_order=1):
    """The three (or two) weights with which each of count points takes its neighbours in
    np.gradient, and where the first of them stands: arrays (points, width) and (points,).

    spacing: a number or the coordinates of the points. Inside, with steps h in front and k behind,
    the weights are -k / (h (h + k)), (k - h) / (h k), h / (k (h + k)), as in Fornberg 1988; at the
    edges they are those of a line or, for edge_order=2, of a parabola.
    """
    width = min(count, 3)
    first = np.clip(np.arange(count) - 1, 0, count - width)
    steps = np.full(count - 1, spacing, dtype=float) if np.ndim(spacing) == 0 else \
        np.diff(np.asarray(spacing, dtype=float))
    weights = np.zeros((count, width))
    if width == 3:
        h, k = steps[:-1], steps[1:]
        weights[1:-1, 0] = -k / (h * (h + k))
        weights[1:-1, 1] = (k - h) / (h * k)
        weights[1:-1, 2] = h / (k * (h + k))
    if edge_order == 1:
        weights[0, :2] = -1.0 / steps[0], 1.0 / steps[0]
        weights[-1, -2:] = -1.0 / steps[-1], 1.0 / steps[-1]
    else:
        h, k = steps[0], steps[1]
        weights[0] = -(2.0 * h + k) / (h * (h + k)), (h + k) / (h * k), -h / (k * (h + k))
        h, k = steps[-2], steps[-1]
        weights[-1] = k / (h * (h + k)), -(h + k) / (h * k), (2.0 * k + h) / (k * (h + k))
    return weights, first


def gradient_axes(f, varargs, axis=None):
    """The axes along which np.gradient(f, *varargs, axis=axis) differs, each with its spacing."""
    ndim = np.ndim(f)
    axes = tuple(range(ndim)) if axis is None else \
        tuple(a % ndim for a in (axis if isinstance(axis, tuple) else (axis,)))
    if not varargs:
        return [(a, 1.0) for a in axes]
    if len(varargs) == 1 and np.ndim(varargs[0]) == 0:
        return [(a, varargs[0]) for a in axes]
    return list(zip(axes, varargs))


def _line_adjoint(dy, axis, spacing, edge_order):
    lines = np.moveaxis(np.asarray(dy), axis, -1)
    weights, first = slope_weights(lines.shape[-1], spacing, edge_order)
    weights = weights.astype(np.real(lines).dtype)
    total = np.zeros(lines.shape, lines.dtype)
    for j in range(weights.shape[1]):
        np.add.at(np.moveaxis(total, -1, 0), first + j, np.moveaxis(weights[:, j] * lines, -1, 0))
    return np.moveaxis(total, -1, axis)


def gradient_adjoint(dy, f, varargs, axis=None, edge_order=1):
    """Adjoint of f in np.gradient(f, *varargs, axis=axis, edge_order=edge_order): a linear map;
    dy: one array for each axis, or the only one."""
    along = gradient_axes(f, varargs, axis)
    parts = [dy] if len(along) == 1 else dy
    total = np.zeros(np.shape(f))
    for (a, spacing), part in zip(along, parts):
        total = total + _line_adjoint(np.broadcast_to(part, np.shape(f)), a, spacing, edge_order)
    return total.astype(np.asarray(parts[0]).dtype)


def gradient_again(df, varargs, axis=None, edge_order=1):
    """np.gradient with its spacings as a tuple: the adjoint of dy in gradient_adjoint."""
    return np.gradient(df, *varargs, axis=axis, edge_order=edge_order)


def running_places(y, x, axis=0):
    """For each element of the running extreme y of x along axis, the number of the element of x
    that it is: the latest one that was as extreme."""
    x = np.moveaxis(np.asarray(x), axis, 0)
    y = np.moveaxis(np.asarray(y), axis, 0)
    steps = np.reshape(np.arange(len(x)), (-1,) + (1,) * (x.ndim - 1))
    last = np.maximum.accumulate(np.where(x == y, steps, 0), axis=0)
    numbers = np.moveaxis(np.arange(x.size).reshape(
        np.moveaxis(np.empty(x.shape), 0, axis).shape), axis, 0)
    return np.moveaxis(np.take_along_axis(numbers, last, 0), 0, axis)
