"""What emitted code may call for parts of arrays that belong together: the segments of
np.maximum.reduceat, and positions that an index names several times (np.multiply.at).

Elements with the same number in `groups` are one *group*. The numbers may have several axes; x then
has these in front, and what stands behind them goes along. Only NumPy is imported.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.reductions import products_along, products_of_others


def segment_numbers(count, indices):
    """For np.add.reduceat: which segments each of count elements is added to, as (segment, element)
    pairs. A segment that ends where it begins, or before, is the one element there."""
    sizes = _segment_sizes(count, indices)
    segments = np.repeat(np.arange(len(sizes)), sizes)
    elements = np.arange(len(segments)) + np.repeat(indices - np.cumsum(sizes) + sizes, sizes)
    return segments, elements


def _segment_sizes(count, indices):
    return np.maximum(np.append(indices[1:], count) - indices, 1)


def reduceat_adjoint(dy, x, indices, axis=0):
    """Adjoint of x in y = np.add.reduceat(x, indices, axis)."""
    return from_segments(over_segments(dy, x, indices, axis), x, indices, axis)


def in_segments(x, indices, axis=0):
    """The elements that np.add.reduceat(x, indices, axis) adds up, one segment after the other."""
    return np.take(x, segment_numbers(np.shape(x)[axis], indices)[1], axis)


def over_segments(y, x, indices, axis=0):
    """For each element of in_segments(x, indices, axis) that of y, which has one a segment."""
    return np.repeat(y, _segment_sizes(np.shape(x)[axis], indices), axis)


def sums_of_segments(parts, x, indices, axis=0):
    """The adjoint of y in over_segments(y, x, indices, axis): parts added up, segment by segment.
    """
    sizes = _segment_sizes(np.shape(x)[axis], indices)
    return np.add.reduceat(parts, np.cumsum(sizes) - sizes, axis)


def from_segments(parts, x, indices, axis=0):
    """The adjoint of x in in_segments(x, indices, axis): parts added up, element by element."""
    lines = np.moveaxis(np.asarray(parts), axis, 0)
    total = np.zeros((np.shape(x)[axis], *lines.shape[1:]), lines.dtype)
    if np.all(np.diff(indices) > 0):
        total[len(total) - len(lines):] = lines     # each element is in one segment, in its order
    else:
        np.add.at(total, segment_numbers(len(total), indices)[1], lines)
    return np.moveaxis(total, 0, axis)


def shares_in_segments(y, x, indices, axis=0):
    """Where an element of in_segments(x, indices, axis) is the extreme y of its segment: equal
    shares, which sum to 1 in each segment."""
    hits = in_segments(x, indices, axis) == over_segments(y, x, indices, axis)
    counts = over_segments(sums_of_segments(hits.astype(int), x, indices, axis), x, indices, axis)
    return (hits / counts).astype(np.real(x).dtype)


def segments_of(x, indices, axis=0):
    """For each element of in_segments(x, indices, axis) the number of its segment, along axis."""
    return segment_numbers(np.shape(x)[axis], indices)[0]


# Groups -----------------------------------------------------------------------------------------
def same_places(x, index):
    """Numbers with which elements of x[index] are one group if they are the same element of x. For
    whole numbers they have the axes that the index makes, for any other all of x[index]."""
    parts = index if isinstance(index, tuple) else (index,)
    parts = tuple(np.asarray(part) if isinstance(part, (list, range)) else part for part in parts)
    front = np.shape(x)[:len(parts)]
    if parts and all((isinstance(part, np.ndarray) and part.dtype.kind in "iu")
                     or (isinstance(part, (int, np.integer)) and not isinstance(part, bool))
                     for part in parts):
        return np.ravel_multi_index(
            np.broadcast_arrays(*[np.where(np.less(part, 0), np.add(part, count), part)
                                  for part, count in zip(parts, front)]), front)
    return np.arange(np.size(x)).reshape(np.shape(x))[index]


def sums_in_groups(x, groups):
    """For each element of x the sum over its group; shape of x. It is its own adjoint."""
    lines, numbers = _as_lines(x, groups)
    if lines.ndim == 1 and lines.dtype == float:
        return np.bincount(numbers, lines)[numbers].reshape(np.shape(x))
    total = np.zeros((np.max(numbers, initial=-1) + 1, *lines.shape[1:]), lines.dtype)
    np.add.at(total, numbers, lines)
    return total[numbers].reshape(np.shape(x))


def products_in_groups(x, groups, axis=0):
    """For each element of x the product of the others of its group, the numbers of which stand
    along axis; shape of x. Right when some are zero."""
    return _products_along(x, (), groups, axis)


def products_in_groups_along(x, dxs, groups, axis=0):
    """The derivative of products_in_groups(x, groups, axis) along each of dxs, one after the other,
    which has an axis for the directions in front."""
    return _products_along(x, dxs, groups, axis)


def products_in_groups_along_each(x, dxs, dy, groups, axis=0):
    """Adjoint of dxs in products_in_groups_along(x, dxs, groups, axis): dy takes the place of one
    after the other."""
    return np.array([products_in_groups_along(x, np.concatenate((
        dxs[:k], np.expand_dims(dy, 0), dxs[k + 1:])), groups, axis) for k in range(len(dxs))])


def products_in_groups_along_tangent(x, dxs, ddxs, groups, axis=0):
    """Tangent of products_in_groups_along(x, dxs, groups, axis) along ddxs, in dxs."""
    total = np.zeros_like(x)
    for k in range(len(dxs)):
        total = total + products_in_groups_along(x, np.concatenate((
            dxs[:k], ddxs[k:k + 1], dxs[k + 1:])), groups, axis)
    return total


def _products_along(x, dxs, groups, axis):
    """Groups with as many elements are taken at once, as the rows of a table."""
    moved = np.moveaxis(x, axis, 0) if axis else np.asarray(x)
    lines, numbers = _as_lines(moved, groups)
    along = [np.reshape(np.moveaxis(dx, axis, 0) if axis else dx, lines.shape) for dx in dxs]
    made = np.zeros(lines.shape, np.result_type(lines, *along))
    order = np.argsort(numbers, kind="stable")
    sizes = np.bincount(numbers) if len(numbers) else numbers
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes[sizes > 0]):
        table = order[starts[sizes == size][:, None] + np.arange(size)]
        made[table] = products_of_others(lines[table], 1) if not along else \
            products_along(lines[table], [one[table] for one in along], 1)
    made = made.reshape(np.shape(moved))
    return np.moveaxis(made, 0, axis) if axis else made


def _as_lines(x, groups):
    """x with one axis for the groups, and their numbers along it, of which none is very large."""
    groups = np.asarray(groups)
    numbers = np.ravel(groups)
    if np.max(numbers, initial=0) > 4 * numbers.size + 100:
        numbers = np.unique(numbers, return_inverse=True)[1].reshape(-1)
    return np.reshape(x, (groups.size, *np.shape(x)[groups.ndim:])), numbers


# Universal functions at positions that may repeat -------------------------------------------------
def maximum_at(parts, values, groups):
    """What np.maximum.at(x, index, values) makes of parts = x[index], groups being
    same_places(x, index); shape of parts."""
    return _at(np.maximum, parts, values, groups)


def minimum_at(parts, values, groups):
    """As maximum_at, of np.minimum."""
    return _at(np.minimum, parts, values, groups)


def fmax_at(parts, values, groups):
    """As maximum_at, of np.fmax."""
    return _at(np.fmax, parts, values, groups)


def fmin_at(parts, values, groups):
    """As maximum_at, of np.fmin."""
    return _at(np.fmin, parts, values, groups)


def multiply_at(parts, values, groups):
    """As maximum_at, of np.multiply."""
    return _at(np.multiply, parts, values, groups)


def divide_at(parts, values, groups):
    """As maximum_at, of np.divide."""
    return _at(np.divide, parts, values, groups)


def logaddexp_at(parts, values, groups):
    """As maximum_at, of np.logaddexp."""
    return _at(np.logaddexp, parts, values, groups)


def _at(ufunc, parts, values, groups):
    lines, numbers = _as_lines(parts, groups)
    made = np.zeros((np.max(numbers, initial=-1) + 1, *lines.shape[1:]), lines.dtype)
    made[numbers] = lines
    if 0 < np.ndim(values) < np.ndim(parts):        # NumPy 2.4 reads behind these, as it seems
        values = np.broadcast_to(values, np.shape(parts))
    ufunc.at(made, np.reshape(numbers, np.shape(groups)), values)
    return made[numbers].reshape(np.shape(parts))


AT: dict = {np.maximum: maximum_at, np.minimum: minimum_at, np.fmax: fmax_at, np.fmin: fmin_at,
            np.multiply: multiply_at, np.divide: divide_at, np.logaddexp: logaddexp_at}


def are_at(values, y):
    """Where values are what stands at their place, y, in the type of that: it may be a shorter one.
    """
    return np.asarray(values).astype(y.dtype, copy=False) == y


def share_at(y, parts, values, groups):
    """One over the number of those that are the extreme y at their place: parts is one of them,
    values are the others; shape and type of y."""
    hits = np.broadcast_to(are_at(values, y), np.shape(y)).astype(int)
    counts = sums_in_groups(hits, groups) + np.equal(parts, y)
    return np.divide(1.0, counts).astype(np.asarray(y).dtype)


def products_at(values, parts, groups):
    """The product over each group of the values that np.multiply.at multiplies its place by, at
    each place; shape of parts."""
    spread = np.broadcast_to(values, np.shape(parts))
    return _at(np.multiply, np.ones(np.shape(parts), np.result_type(spread)), spread, groups)
