"""What emitted code may call for functions that move elements: reshaping, joining, taking.

Adjoints here are linear in dy. Only NumPy is imported.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.duck import added_at, as_array, is_duck, zeros_by


def order_of(order, x):
    """The order in which reshape reads x: "A" is "F" for arrays in Fortran's order."""
    if order == "A":
        return "F" if np.isfortran(np.asarray(x)) else "C"
    return order


def sizes(shape):
    """The shape that x.reshape(*shape) means: numbers one by one, or one tuple."""
    return shape[0] if len(shape) == 1 else shape


def memory_order(x, order):
    """The numbers of the elements of x in the order in which ravel(x, order) takes them."""
    places = np.empty_like(x, dtype=int)
    places[...] = numbered(x)
    return places.ravel(order)


def reshape_like(dy, x, order="C"):
    """dy in the shape of x, the elements in the order that a reshape of x took them."""
    if order == "C":
        return np.reshape(dy, np.shape(x))[()]
    if order == "K":
        dx = np.empty(np.size(x), np.result_type(dy))
        dx[memory_order(x, order)] = np.ravel(dy)
        return dx.reshape(np.shape(x))
    order = order_of(order, x)
    return np.reshape(np.ravel(dy, order), np.shape(x), order=order)


def ravel_like(dx, x, order="C"):
    """dx as a vector, the elements in the order of ravel(x, order), whatever the order of dx."""
    if order == "C":
        return np.ravel(dx)
    return np.ravel(dx)[memory_order(x, order)]


def reshape_back(by, x, dy, order="C"):
    """Adjoint of dy in reshape_like(dy, x, order); shape of dy."""
    if order == "C":
        return np.reshape(by, np.shape(dy))[()]
    places = reshape_like(numbered(dy), x, order)
    return scattered(by, places, dy)


def numbered(x):
    """The numbers of the elements of x, in its shape: what happens to them shows where from."""
    return np.arange(np.size(x)).reshape(np.shape(x))


def scattered(by, places, x):
    """Zeros of the shape of x, with by added at the elements that places numbers."""
    total = np.zeros(np.size(x), np.asarray(by).dtype)
    np.add.at(total, places, by)
    return total.reshape(np.shape(x))[()]


def join_again(parts, how):
    """vstack ("v"), hstack, dstack or column_stack of the parts."""
    arrays, axis = _as_joined(parts, how)
    return np.concatenate(arrays, axis)


def transpose_again(dy, axes=None):
    """transpose(dy, axes), the axes as x.transpose takes them: adjoint of transpose_back."""
    if isinstance(axes, tuple) and len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    return np.transpose(dy, axes if np.size(axes) else None)


def transpose_back(dy, axes=None):
    """Adjoint of x in y = transpose(x, axes)."""
    if isinstance(axes, tuple) and len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]              # x.transpose((1, 0))
    if axes is None or np.size(axes) == 0:
        return np.transpose(dy)
    return np.transpose(dy, tuple(np.argsort([a % np.ndim(dy) for a in axes])))


def roll_back(dy, shift, axis=None):
    """Adjoint of x in y = roll(x, shift, axis)."""
    back = -shift if np.ndim(shift) == 0 else tuple(-s for s in shift)
    return np.roll(dy, back, axis)


def concatenated_part(dy, k, arrays, axis=0):
    """Adjoint of arrays[k] in y = concatenate(arrays, axis): its part of dy."""
    if axis is None:
        counts = [int(np.prod(np.shape(a))) for a in arrays]
        first = sum(counts[:k])
        return np.reshape(dy[first:first + counts[k]], np.shape(arrays[k]))
    first = sum(np.shape(a)[axis] for a in arrays[:k])
    index = [slice(None)] * np.ndim(dy)
    index[axis] = slice(first, first + np.shape(arrays[k])[axis])
    return dy[tuple(index)]


def concatenated_parts(dy, arrays, axis=0):
    """Adjoint of a list of arrays in y = concatenate(arrays, axis)."""
    return [concatenated_part(dy, k, arrays, axis) for k in range(len(arrays))]


def stacked_part(dy, k, axis=0):
    """Adjoint of the k-th array in y = stack(arrays, axis)."""
    return np.moveaxis(dy, axis, 0)[k]


def stacked_parts(dy, arrays, axis=0):
    """Adjoint of a list of arrays in y = stack(arrays, axis)."""
    return [np.moveaxis(dy, axis, 0)[k] for k in range(len(arrays))]


def _as_joined(arrays, how):
    """The arrays as vstack, hstack, dstack or column_stack reads them, and the axis it joins."""
    if how == "v":
        return [np.atleast_2d(a) for a in arrays], 0
    if how == "h":
        arrays = [np.atleast_1d(a) for a in arrays]
        return arrays, 0 if arrays[0].ndim == 1 else 1
    if how == "d":
        return [np.atleast_3d(a) for a in arrays], 2
    return [np.reshape(a, (-1, 1)) if np.ndim(a) < 2 else a for a in arrays], 1


def joined_part(dy, k, arrays, how):
    """Adjoint of arrays[k] in y = vstack(arrays) ("v"), hstack ("h"), dstack, column_stack."""
    read, axis = _as_joined(arrays, how)
    return np.reshape(concatenated_part(dy, k, read, axis), np.shape(arrays[k]))[()]


def joined_parts(dy, arrays, how):
    """Adjoint of a list of arrays in y = vstack(arrays) and the like."""
    return [joined_part(dy, k, arrays, how) for k in range(len(arrays))]


def append_part(dy, k, x, values, axis=None):
    """Adjoint of x (k = 0) or of values (k = 1) in y = append(x, values, axis)."""
    part = concatenated_part(dy, k, (x, values), axis)
    return list(part) if isinstance((x, values)[k], (list, tuple)) else part[()]


def parts_like(dy, x):
    """Adjoint of x in y = array(x): dy cut into lists as x is."""
    if isinstance(x, (list, tuple)):
        return [parts_like(dy[k], part) for k, part in enumerate(x)]
    if np.ndim(x):
        return dy
    dy = np.reshape(dy, ())             # of ascontiguousarray
    return dy if isinstance(x, np.ndarray) else dy[()]


def flat_view(x):
    """The elements of x in a row, as x.flat has them, so that what is written there is in x."""
    row = np.reshape(x, -1)
    if not np.may_share_memory(row, x) and row.size:
        raise NotImplementedError("the derivative of x.flat that is written to, where the elements "
                                  "of x do not lie in a row in memory; write to x itself, or to "
                                  "a copy")
    return row


def untile(dy, x, reps):
    """Adjoint of x in y = tile(x, reps): the copies summed."""
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(reps), np.ndim(x))
    shape = (1,) * (rank - np.ndim(x)) + np.shape(x)
    reps = (1,) * (rank - len(reps)) + reps
    pairs = np.reshape(dy, [n for pair in zip(reps, shape) for n in pair])
    return np.reshape(np.sum(pairs, axis=tuple(range(0, 2 * rank, 2))), np.shape(x))[()]


def unresize(dy, x):
    """Adjoint of x in y = resize(x, shape), which takes x again and again: the copies summed."""
    total = np.zeros(np.size(x), np.result_type(dy))
    if np.size(x):
        np.add.at(total, np.arange(np.size(dy)) % np.size(x), np.ravel(dy))
    return np.reshape(total, np.shape(x))[()]


def unrepeat(dy, x, repeats, axis=None):
    """Adjoint of x in y = repeat(x, repeats, axis): the copies summed."""
    if np.ndim(x) == 0:
        axis = None                         # a number has one axis, too
    count = np.size(x) if axis is None else np.shape(x)[axis]
    places = np.repeat(np.arange(count), repeats)
    lines = np.moveaxis(as_array(dy), 0 if axis is None else axis, 0)
    total = zeros_by(lines, (count, *lines.shape[1:]))
    total = added_at(total, places, lines)
    return np.reshape(total, np.shape(x))[()] if axis is None else np.moveaxis(total, 0, axis)


def unpad(dy, x, pad_width, mode="constant"):
    """Adjoint of x in y = pad(x, pad_width, mode), for the modes that copy elements, and for ramps
    to them."""
    if mode == "empty":
        mode = "constant"
    if mode == "linear_ramp":
        for axis, (before, after) in reversed([*enumerate(widths(pad_width, np.ndim(x)))]):
            dy = without_ramps(dy, axis, before, after)
        return dy
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric"):
        raise NotImplementedError(f"the derivative of np.pad with mode={mode!r}")
    numbers = np.arange(np.size(x)).reshape(np.shape(x))
    if mode == "constant":
        places = np.pad(numbers, pad_width, constant_values=-1)
    else:
        places = np.pad(numbers, pad_width, mode)
    inside = places >= 0
    total = zeros_by(dy, np.size(x))
    return np.reshape(added_at(total, places[inside], dy[inside]), np.shape(x))


def pad_tangent(dx, pad_width, mode="constant"):
    """Tangent of pad(x, pad_width, mode) along dx: the padding of a constant does not vary."""
    if mode not in ("constant", "empty", "edge", "wrap", "reflect", "symmetric", "linear_ramp"):
        raise NotImplementedError(f"the derivative of np.pad with mode={mode!r}")
    return np.pad(dx, pad_width, "constant" if mode == "empty" else mode)


def widths(pad_width, ndim):
    """How much is put in front of each axis and behind it."""
    if isinstance(pad_width, dict):
        pairs = np.zeros((ndim, 2), int)
        for axis, width in pad_width.items():
            pairs[axis] = width
        return pairs.tolist()
    return np.broadcast_to(pad_width, (ndim, 2)).tolist()


def ramp(size):
    """How far each of the elements of a ramp is on its way from its end to the edge."""
    return np.arange(size) / max(size, 1)


def without_ramps(dy, axis, before, after):
    """Adjoint of an array from that of the array with ramps along an axis: these begin at its first
    and last elements."""
    dy = np.moveaxis(dy, axis, 0)
    size = len(dy) - before - after
    dx = dy[before:before + size].copy()
    dx[0] += np.tensordot(ramp(before), dy[:before], 1)
    dx[-1] += np.tensordot(ramp(after)[::-1], dy[before + size:], 1)
    return np.moveaxis(dx, 0, axis)


def undiag(dy, x, k=0):
    """Adjoint of x in y = diag(x, k), of a vector or of a matrix of any shape."""
    if np.ndim(x) == 1:
        return np.diagonal(dy, k)
    return undiagonal(dy, x, k)


def undiagonal(dy, x, offset=0, axis1=0, axis2=1):
    """Adjoint of x in y = diagonal(x, offset, axis1, axis2): dy on it, zeros elsewhere."""
    places = np.diagonal(np.arange(np.size(x)).reshape(np.shape(x)), offset, axis1, axis2)
    dx = zeros_by(dy, np.size(x))
    dx[places] = dy
    return dx.reshape(np.shape(x))


def trace_adjoint(dy, x, offset=0, axis1=0, axis2=1):
    """Adjoint of x in y = trace(x, offset, axis1, axis2): dy all along the diagonal."""
    if np.ndim(x) == 2 and offset == axis1 == 0 and axis2 == 1 and np.ndim(dy) == 0:
        rows, columns = np.shape(x)
        dx = zeros_by(dy, rows * columns)
        dx[:min(rows, columns) * columns:columns + 1] = dy
        return dx.reshape(rows, columns)
    places = np.diagonal(np.arange(np.size(x)).reshape(np.shape(x)), offset, axis1, axis2)
    dx = zeros_by(dy, np.size(x))
    dx[places] = np.expand_dims(dy, -1)
    return dx.reshape(np.shape(x))


def untake(dy, x, indices, axis=None, mode="raise"):
    """Adjoint of x in y = take(x, indices, axis): what was taken several times is summed."""
    count = np.size(x) if axis is None else np.shape(x)[axis]
    indices = as_array(indices)
    if mode == "wrap":
        indices = indices % count
    elif mode == "clip":
        indices = np.clip(indices, 0, count - 1)
    if axis is None:
        total = zeros_by(dy, count)
        return np.reshape(added_at(total, indices, dy), np.shape(x))
    axis = axis % np.ndim(x)
    total = zeros_by(dy, np.shape(x))
    return added_at(total, (slice(None),) * axis + (indices,), dy)


def _along(x, indices, axis):
    """The full index that take_along_axis reads."""
    axis = axis % np.ndim(x)
    shape = np.shape(indices)
    return tuple(indices if a == axis else
                 np.arange(np.shape(x)[a]).reshape([-1 if b == a else 1 for b in range(len(shape))])
                 for a in range(len(shape)))


def untake_along(dy, x, indices, axis=-1):
    """Adjoint of x in y = take_along_axis(x, indices, axis)."""
    if axis is None:
        total = zeros_by(dy, np.size(x))
        return np.reshape(added_at(total, indices, dy), np.shape(x))
    total = zeros_by(dy, np.shape(x))
    return added_at(total, _along(x, indices, axis), dy)


def unsort(dy, x, axis=-1):
    """Adjoint of x in y = sort(x, axis); among equal elements a stable sort decides."""
    if axis is None:
        dx = zeros_by(dy, np.size(x))
        dx[np.argsort(x, axis=None, kind="stable")] = dy
        return dx.reshape(np.shape(x))
    order = np.argsort(x, axis=axis, kind="stable")
    return np.take_along_axis(dy, np.argsort(order, axis=axis), axis)


def sort_tangent(dx, x, axis=-1):
    """Tangent of sort(x, axis) along dx."""
    order = np.argsort(x, axis=axis, kind="stable")
    return np.ravel(dx)[order] if axis is None else \
        np.take_along_axis(as_array(dx), order, axis)


def diff_part(dy, k, x, n=1, axis=-1, prepend=None, append=None):
    """Adjoint of prepend, x or append (k = 0, 1, 2) in y = diff(x, n, axis, prepend, append)."""
    shape = list(np.shape(x))
    sizes = [end_size(prepend, axis), shape[axis], end_size(append, axis)]
    shape[axis] = sum(sizes)
    whole = undiff(dy, n, axis) if 0 not in np.shape(dy) else zeros_by(dy, tuple(shape))
    along = slice(sum(sizes[:k]), sum(sizes[:k + 1]))
    part = whole[(slice(None),) * (axis % len(shape)) + (along,)]
    return np.sum(part) if np.ndim((prepend, x, append)[k]) == 0 else part


def diff_along(dpart, k, x, n=1, axis=-1, prepend=None, append=None):
    """Tangent of diff(x, n, axis, prepend, append) along that of prepend, x or append alone."""
    parts = []
    for number, one in enumerate((prepend, x, append)):
        shape = list(np.shape(x))
        shape[axis] = shape[axis] if number == 1 else end_size(one, axis)
        parts.append(np.broadcast_to(dpart if number == k else 0.0 * np.sum(dpart), shape))
    return np.diff(np.concatenate(parts, axis), n, axis)


def end_size(end, axis):
    """How many elements stand before or behind those of np.diff's array, along an axis."""
    return 0 if end is None else 1 if np.ndim(end) == 0 else np.shape(end)[axis]


def undiff(dy, n=1, axis=-1):
    """Adjoint of x in y = diff(x, n, axis)."""
    for _ in range(n):
        widths = [(0, 0)] * np.ndim(dy)
        widths[axis] = (1, 1)
        dy = -np.diff(np.pad(dy, widths), axis=axis)
    return dy


def line_adjoint(dy, weights, axis=0):
    """The sum of dy times weights along axis, where the points of a line of numbers lie: adjoint
    of an end of linspace."""
    return np.tensordot(weights, np.moveaxis(dy, axis, 0), 1)[()]


def line_weights(num=50, endpoint=True):
    """How far along each point of a linspace lies, from 0 to 1."""
    return np.linspace(0.0, 1.0, num, endpoint=endpoint)


def line_tangent(dx, weights, y, axis=0):
    """Tangent of y = linspace(start, stop) along that of one end; shape of y."""
    shape = np.shape(np.moveaxis(y, axis, 0))
    weights = np.reshape(weights, np.shape(weights) + (1,) * (np.ndim(y) - 1))
    return np.moveaxis(np.broadcast_to(weights * dx, shape), 0, axis)


def interp_slope(x, xp, fp):
    """Derivative of interp(x, xp, fp) with respect to x: the slope of the piece, 0 outside."""
    k = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    xp, fp = np.asarray(xp), np.asarray(fp)
    width = xp[k + 1] - xp[k]
    slope = (fp[k + 1] - fp[k]) / np.where(width == 0.0, 1.0, width)
    return np.where((x < xp[0]) | (x > xp[-1]) | (width == 0.0), 0.0, slope)[()]


def interp_values(dy, x, xp, fp, left=None, right=None):
    """Adjoint of fp in y = interp(x, xp, fp); what a given left or right replaces has none."""
    x, xp = np.ravel(x), np.asarray(xp)
    dy = np.ravel(dy)
    k = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    width = xp[k + 1] - xp[k]           # 0 of a table of one point, and of a step at an end
    t = np.where(width == 0.0, x >= xp[k], np.clip(
        (x - xp[k]) / np.where(width == 0.0, 1.0, width), 0.0, 1.0))
    if left is not None:
        dy = np.where(x < xp[0], 0.0, dy)
    if right is not None:
        dy = np.where(x > xp[-1], 0.0, dy)
    total = np.zeros(np.shape(fp), np.result_type(dy))
    np.add.at(total, k, dy * (1.0 - t))
    np.add.at(total, k + 1, dy * t)
    return total


def interp_values_along(dx, dy, x, xp, fp):
    """Tangent of interp_values(dy, x, xp, fp) along dx: what a point gives to its two neighbours
    changes with its place between them; nothing changes outside."""
    x, xp = np.ravel(x), np.asarray(xp)
    k = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    width = xp[k + 1] - xp[k]
    inside = (x >= xp[0]) & (x <= xp[-1]) & (width != 0.0)
    rate = np.where(inside, np.ravel(dx * dy) / np.where(width == 0.0, 1.0, width), 0.0)
    total = np.zeros(np.shape(fp), np.result_type(rate))
    np.add.at(total, k, -rate)
    np.add.at(total, k + 1, rate)
    return total


def interp_tangent(dfp, x, xp, left=None, right=None):
    """Tangent of interp(x, xp, fp) along dfp."""
    return np.interp(x, xp, dfp, left=None if left is None else 0.0,
                     right=None if right is None else 0.0)


def trapezoid_weights(y, x=None, dx=1.0, axis=-1):
    """Derivative of trapezoid(y, x, dx, axis) with respect to y; shape of y."""
    count = np.shape(y)[axis]
    if x is None and np.ndim(dx):           # as wide as NumPy broadcasts it, whatever the axis
        pieces = [*np.shape(y)]
        pieces[axis] = max(count - 1, 0)
        steps = np.broadcast_to(dx, pieces)
    elif x is None:
        steps = zeros_by(y, max(count - 1, 0)) + dx if is_duck(y) else \
            np.full(max(count - 1, 0), dx)
    else:
        steps = np.diff(x, axis=axis if np.ndim(x) > 1 else -1)
    if np.ndim(steps) == 1:
        steps = np.reshape(steps, [-1 if a == axis % np.ndim(y) else 1 for a in range(np.ndim(y))])
    if count < 2 or not np.shape(steps)[axis]:          # nothing is between points
        return np.zeros(np.shape(y))
    none = np.zeros_like(np.take(steps, [0], axis))
    widths = np.concatenate((none, steps), axis) + np.concatenate((steps, none), axis)
    return np.broadcast_to(0.5 * widths, np.shape(y))


def trapezoid_pieces(dz, y, x=None, axis=-1):
    """Adjoint of the width of each piece in z = trapezoid(y, dx=dx, axis=axis): the mean of its two
    ends; zeros where points x are given, which say how wide the pieces are."""
    lines = np.moveaxis(y, axis, -1)
    means = np.expand_dims(dz, -1) * 0.5 * (lines[..., 1:] + lines[..., :-1])
    return np.moveaxis(means if x is None else np.zeros_like(means), -1, axis)


def trapezoid_along(ddx, y, x=None, axis=-1):
    """Tangent of trapezoid(y, x, dx, axis) along ddx."""
    along = np.trapezoid(y, dx=ddx, axis=axis)
    return along if x is None else np.zeros_like(along)


def trapezoid_points(dz, y, x, axis=-1):
    """Adjoint of the points x in z = trapezoid(y, x, axis=axis)."""
    if np.shape(y)[axis] < 2 or np.shape(x)[axis if np.ndim(x) > 1 else -1] < 2:
        return np.zeros(np.shape(x))                    # nothing is between points
    lines = np.moveaxis(y, axis, -1)
    means = np.expand_dims(dz, -1) * 0.5 * (lines[..., 1:] + lines[..., :-1])
    points = x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1)
    extra = np.ndim(means) - np.ndim(points)
    means = np.sum(means, axis=tuple(range(extra)))
    dx = undiff(means)
    return dx if np.ndim(x) == 1 else np.moveaxis(dx, -1, axis)


def windows_sum(dy, x, window_shape, axis=None):
    """Adjoint of x in sliding_window_view(x, window_shape, axis); shape of x.

    Each element gets what the windows got that it lies in.
    """
    dx = np.zeros(np.shape(x), np.asarray(dy).dtype)
    countsof = window_shape if np.iterable(window_shape) else (window_shape,)
    axes = range(np.ndim(x)) if axis is None else axis if np.iterable(axis) else (axis,)
    for places in np.ndindex(*countsof):
        spot = [slice(None)] * dx.ndim
        for place, size, a in zip(places, countsof, axes):
            start = spot[a].start or 0          # an axis may be taken twice
            stop = dx.shape[a] if spot[a].stop is None else spot[a].stop
            spot[a] = slice(start + place, stop - size + 1 + place)
        dx[tuple(spot)] += dy[(..., *places)]
    return dx
