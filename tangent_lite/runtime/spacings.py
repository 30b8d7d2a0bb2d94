"""What emitted code may call for the spacings of np.gradient. Only NumPy is imported."""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.steps import gradient_axes, slope_weights


def _steps(spacing, count):
    """The distances between neighbours, for a number or for the coordinates of the points."""
    return np.full(count - 1, spacing, dtype=float) if np.ndim(spacing) == 0 else \
        np.diff(np.asarray(spacing, dtype=float))


def _slopes_along(count, spacing, dspacing, edge_order):
    """Tangent of the weights of slope_weights(count, spacing, edge_order) along dspacing.

    With steps h and k, and t = h + k, the outer weights are made of 1 / h, 1 / k and 1 / t alone
    (1 / t - 1 / h and 1 / k - 1 / t inside), and the one in the middle is minus their sum.
    """
    steps, dsteps = _steps(spacing, count), _steps(dspacing, count)
    over = -dsteps / steps ** 2                                 # of 1 / step
    weights = np.zeros((count, min(count, 3)))
    both = -(dsteps[:-1] + dsteps[1:]) / (steps[:-1] + steps[1:]) ** 2
    if count > 2:
        weights[1:-1, 0], weights[1:-1, 2] = both - over[:-1], over[1:] - both
    if edge_order == 2:
        weights[0, 0], weights[0, 2] = -over[0] - both[0], both[0] - over[1]
        weights[-1, 0], weights[-1, 2] = over[-2] - both[-1], over[-1] + both[-1]
    if count > 2:
        weights[:, 1] = -weights[:, 0] - weights[:, 2]
    if edge_order == 1:
        weights[0], weights[-1] = 0.0, 0.0
        weights[0, :2] = -over[0], over[0]
        weights[-1, -2:] = -over[-1], over[-1]
    return weights


def _steps_adjoint(dweights, spacing, edge_order):
    """Adjoint of spacing in slope_weights(count, spacing, edge_order); dweights: (count, width)."""
    count = len(dweights)
    steps = _steps(spacing, count)
    over = np.zeros(count - 1)                                  # adjoints of 1 / step
    both = np.zeros(max(count - 2, 0))
    if count > 2:
        front, behind = dweights[:, 0] - dweights[:, 1], dweights[:, 2] - dweights[:, 1]
        over[:-1] -= front[1:-1]
        over[1:] += behind[1:-1]
        both += front[1:-1] - behind[1:-1]
    if edge_order == 2:
        over[0] -= front[0]
        over[1] -= behind[0]
        over[-2] += front[-1]
        over[-1] += behind[-1]
        both[0] += behind[0] - front[0]
        both[-1] += behind[-1] - front[-1]
    else:
        over[0] += dweights[0, 1] - dweights[0, 0]
        over[-1] += dweights[-1, -1] - dweights[-1, -2]
    dsteps = -over / steps ** 2
    both = -both / (steps[:-1] + steps[1:]) ** 2
    dsteps[:-1] += both
    dsteps[1:] += both
    if np.ndim(spacing) == 0:
        return np.sum(dsteps)
    return -np.diff(dsteps, prepend=0.0, append=0.0)


def gradient_spacing(dy, number, f, varargs, axis=None, edge_order=1):
    """Adjoint of varargs[number] in np.gradient(f, *varargs, axis=axis, edge_order=edge_order).

    dy: one array for each axis, or the only one; the result is a number, or has the shape of the
    coordinates (points,).
    """
    along = gradient_axes(f, varargs, axis)
    parts = [dy] if len(along) == 1 else dy
    total = 0.0
    for place, ((a, spacing), part) in enumerate(zip(along, parts)):
        if len(varargs) > 1 and place != number:
            continue
        lines = np.moveaxis(np.asarray(f), a, 0)
        part = np.moveaxis(np.broadcast_to(part, np.shape(f)), a, 0)
        width, first = min(len(lines), 3), slope_weights(len(lines), spacing, edge_order)[1]
        dweights = np.stack([np.sum(np.real(part * lines[first + j]), axis=tuple(
            range(1, lines.ndim))) for j in range(width)], axis=1)
        total = total + _steps_adjoint(dweights, spacing, edge_order)
    return total


def gradient_along(df, f, varargs, dvarargs, axis=None, edge_order=1):
    """Tangent of np.gradient(f, *varargs, axis=axis, edge_order=edge_order) along df and dvarargs:
    one array for each axis, or the only one."""
    found = []
    moved = gradient_axes(f, dvarargs if varargs else (0.0,), axis)
    for (a, spacing), (_, dspacing) in zip(gradient_axes(f, varargs, axis), moved):
        lines = np.moveaxis(np.asarray(f), a, -1)
        weights = _slopes_along(lines.shape[-1], spacing, dspacing, edge_order)
        first = slope_weights(lines.shape[-1], spacing, edge_order)[1]
        change = sum(weights[:, j] * lines[..., first + j] for j in range(weights.shape[1]))
        found.append(np.gradient(df, spacing, axis=a, edge_order=edge_order)
                     + np.moveaxis(change, -1, a))
    return found[0] if len(found) == 1 else tuple(found)
