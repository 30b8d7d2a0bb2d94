"""What emitted code may call for grids, blocks and axes that are rolled. Only NumPy is imported."""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.shapes import numbered


def grid_part(dy, k, x, indexing="xy"):
    """Adjoint of the k-th argument x of np.meshgrid, dy being that of the k-th result: summed over
    all axes but its own. Also of a sparse grid, which has one element along the others."""
    own = _axis_of(dy, k, indexing)
    return np.reshape(np.sum(dy, axis=tuple(a for a in range(np.ndim(dy)) if a != own)),
                      np.shape(x))[()]


def grid_spread(dx, k, y, indexing="xy"):
    """dx along its own axis of the k-th result y of np.meshgrid: the adjoint of dy in grid_part,
    and the tangent of y."""
    shape = [1] * np.ndim(y)
    shape[_axis_of(y, k, indexing)] = -1
    return np.broadcast_to(np.reshape(dx, shape), np.shape(y))


def _axis_of(y, k, indexing):
    return 1 - k if indexing == "xy" and k < 2 <= np.ndim(y) else k


def broadcast_tangent(dxs, ys):
    """Tangents of the results ys of np.broadcast_arrays along those of its arguments."""
    return tuple(np.broadcast_to(dx, np.shape(y)) for dx, y in zip(dxs, ys))


def open_grid_tangent(dxs, ys):
    """Tangents of the results ys of np.ix_ along those of its arguments. Of truth values, which do
    not vary, ys has the positions, which may be fewer."""
    return tuple(np.reshape(dx, np.shape(y)) if np.size(dx) == np.size(y) else np.zeros(np.shape(y))
                 for dx, y in zip(dxs, ys))


def only_axis(axis):
    """The axis that a number or a tuple of one names."""
    return axis[0] if isinstance(axis, tuple) else axis


def unrollaxis(dy, axis, start=0):
    """Adjoint of x in y = np.rollaxis(x, axis, start)."""
    order = np.rollaxis(np.empty(range(1, np.ndim(dy) + 1)), axis, start).shape
    return np.transpose(dy, np.argsort(order))


def block_parts(dy, arrays):
    """Adjoints of the arrays in y = np.block(arrays), in lists as they were given."""
    leaves = list(_leaves(arrays))
    starts = np.cumsum([0, *(np.size(leaf) for leaf in leaves)])
    flat = np.zeros(starts[-1], np.result_type(dy))
    flat[np.block(_filled(arrays, [start + numbered(leaf)
                                   for start, leaf in zip(starts, leaves)]))] = dy
    return _filled(arrays, [flat[start:start + np.size(leaf)].reshape(np.shape(leaf))[()]
                            for start, leaf in zip(starts, leaves)])


def block_of(layout, parts):
    """np.block of the parts, as layout tells: ((0, 1), (2, 3)) is [[a, b], [c, d]]."""
    return np.block(_laid_out(layout, parts))


def block_spots(k, layout, parts):
    """For each element of block_of(layout, parts) its number in parts[k], -1 for those of other
    parts."""
    marks = [numbered(part) if j == k else np.full(np.shape(part), -1)
             for j, part in enumerate(parts)]
    return np.block(_laid_out(layout, marks))


def _laid_out(layout, parts):
    return [_laid_out(one, parts) for one in layout] if isinstance(layout, tuple) \
        else parts[layout]


def _leaves(arrays):
    if isinstance(arrays, list):
        for part in arrays:
            yield from _leaves(part)
    else:
        yield arrays


def _filled(arrays, values):
    """The lists of arrays, with values in the places of the arrays; values is used up."""
    return [_filled(part, values) for part in arrays] if isinstance(arrays, list) \
        else values.pop(0)
