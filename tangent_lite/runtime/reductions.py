"""What emitted code may call for reductions other than sums: products, medians, norms, averages.

Only NumPy is imported besides the first helpers.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import abs_slope, divide_or_zero, unreduce
from tangent_lite.runtime.duck import as_array, is_duck


def kept_and_reduced(x, axis=None):
    """The axes of x that a reduction over axis keeps, and those that it takes away."""
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = tuple(a % x.ndim for a in (axis if isinstance(axis, tuple) else (axis,)) if x.ndim)
    return tuple(a for a in range(x.ndim) if a not in axes), axes


def as_lines(x, kept, axes):
    """x with the axes that are kept in front, and all that are reduced as the last one."""
    x = np.transpose(x, kept + axes)
    return x.reshape(x.shape[:len(kept)] + (int(np.prod(x.shape[len(kept):])),))


def from_lines(lines, x, kept, axes):
    """What as_lines(x, kept, axes) became, in the shape of x again."""
    shape = tuple(x.shape[a] for a in kept + axes)
    order = sorted(range(len(shape)), key=(kept + axes).__getitem__)
    return np.transpose(lines.reshape(shape), order)


def products_of_others(x, axis=None):
    """For each element the product of all others that a reduction over axis takes with it.

    Right when some are zero; the result has the shape of x.
    """
    x = as_array(x)
    if type(x) is np.ndarray and x.dtype == float and _products_are_plain(x, axis):
        return np.prod(x, axis=axis, keepdims=True) / x
    kept, axes = kept_and_reduced(x, axis)
    lines = as_lines(x, kept, axes)
    ones = np.ones_like(lines[..., :1])
    before = np.cumprod(np.concatenate((ones, lines[..., :-1]), axis=-1), axis=-1)
    after = np.flip(np.cumprod(np.concatenate((ones, lines[..., :0:-1]), axis=-1), axis=-1), -1)
    others = before * after if x.size else np.ones_like(lines)
    return from_lines(others, x, kept, axes)


def _products_are_plain(x, axis):
    """Whether no product of elements that a reduction takes together is too small or too large to
    divide by each of them."""
    count = x.size if axis is None or not x.ndim else \
        np.prod([x.shape[a] for a in np.atleast_1d(axis)])
    if not x.size or not count:
        return False
    sizes = np.abs(x)
    smallest, largest = np.min(sizes), np.max(sizes)
    return bool(smallest > 1e-100 and largest < 1e100
                and count * max(np.log10(largest), -np.log10(smallest)) < 200.0)


def products_along(x, dxs, axis=None):
    """The derivative of products_of_others(x, axis) along each of dxs, one after the other.

    dxs has an axis for the directions in front. For each element i it is the sum, over distinct
    other elements j, k, ..., of dxs[0][j] * dxs[1][k] * ... times the product of all the rest. With
    sums[s] of the elements in front of i, for which the directions of the set s are used up, and
    the same behind it, the sets are put together; a set is a number, whose bits are its members.
    """
    x, dxs = np.asarray(x), np.asarray(dxs)
    kept, axes = kept_and_reduced(x, axis)
    dtype = np.result_type(x, dxs)
    lines, *along = (as_lines(one, kept, axes) for one in (x, *dxs))
    count = lines.shape[-1]
    sets = range(2 ** len(along))
    before, after = (np.zeros((len(sets), *lines.shape), dtype) for _ in range(2))
    for table, order in ((before, range(count)), (after, range(count - 1, -1, -1))):
        sums = np.zeros((len(sets), *lines.shape[:-1]), dtype)
        sums[0] = 1
        for i in order:
            table[..., i] = sums
            for s in reversed(sets):
                sums[s] = sums[s] * lines[..., i]
                for k, one in enumerate(along):
                    if s >> k & 1:
                        sums[s] += sums[s - 2 ** k] * one[..., i]
    total = sum(before[s] * after[len(sets) - 1 - s] for s in sets)
    return from_lines(total, x, kept, axes)


def products_along_each(x, dxs, dy, axis=None):
    """Adjoint of dxs in products_along(x, dxs, axis): dy takes the place of one after the other."""
    found = []
    for k in range(len(dxs)):
        others = np.concatenate((dxs[:k], np.expand_dims(dy, 0), dxs[k + 1:]))
        found.append(products_along(x, others, axis))
    return np.array(found)


def products_along_tangent(x, dxs, ddxs, axis=None):
    """Tangent of products_along(x, dxs, axis) along ddxs, in dxs."""
    total = np.zeros_like(x)
    for k in range(len(dxs)):
        others = np.concatenate((dxs[:k], ddxs[k:k + 1], dxs[k + 1:]))
        total = total + products_along(x, others, axis)
    return total


def cumprod_adjoint(dy, x, axis=None):
    """Adjoint of x in y = cumprod(x, axis); right when some x are zero; shape of x.

    With s[k] = dy[k] + x[k + 1] * s[k + 1] it is s[k] times the product of all x before k; where
    no product is too small or too large, the sum of dy * y from k on over x[k].
    """
    flat = np.ravel(x) if axis is None else np.moveaxis(np.atleast_1d(x), axis, 0)
    dy = np.ravel(dy) if axis is None else np.moveaxis(dy, axis, 0)
    before = _running_products(flat)
    if before.dtype == float and before.size and _smallest_size(before) > 1e-50 \
            and np.max(before) < 1e50 and np.min(before) > -1e50:
        if type(before) is np.ndarray and dy.dtype == float:
            before *= dy
        else:
            before = dy * before
        sums = _sums_from_the_end(before, before)
        sums /= flat
    else:
        sums = dy.astype(np.result_type(dy, flat))
        for k in range(len(sums) - 2, -1, -1):
            sums[k] += flat[k + 1] * sums[k + 1]
        sums[1:] *= before[:-1]
    return np.reshape(sums, np.shape(x)) if axis is None or np.ndim(x) == 0 \
        else np.moveaxis(sums, 0, axis)


def cumprod_adjoint_tangent(dy, x, dx, axis=None):
    """Tangent of cumprod_adjoint(dy, x, axis) along dx; in x it is its own adjoint."""
    flat = np.ravel(x) if axis is None else np.moveaxis(np.atleast_1d(x), axis, 0)
    dy = np.ravel(dy) if axis is None else np.moveaxis(dy, axis, 0)
    dflat = np.ravel(dx) if axis is None else np.moveaxis(np.atleast_1d(dx), axis, 0)
    sums = np.array(dy, dtype=np.result_type(dy, flat))
    slopes = np.zeros(sums.shape, np.result_type(dy, flat, dflat))
    for k in range(len(sums) - 2, -1, -1):
        slopes[k] = dflat[k + 1] * sums[k + 1] + flat[k + 1] * slopes[k + 1]
        sums[k] += flat[k + 1] * sums[k + 1]
    before = np.cumprod(flat, axis=0)
    slopes[1:] = slopes[1:] * before[:-1] + sums[1:] * cumprod_tangent(dflat, flat, 0)[:-1]
    return np.reshape(slopes, np.shape(x)) if axis is None else np.moveaxis(slopes, 0, axis)


def cumprod_tangent(dx, x, axis=None):
    """Tangent of cumprod(x, axis) along dx."""
    flat = np.ravel(x) if axis is None else np.moveaxis(np.atleast_1d(x), axis, 0)
    dy = np.ravel(dx) if axis is None else np.moveaxis(np.atleast_1d(dx), axis, 0)
    dy = dy.astype(np.result_type(dy, flat))
    before = np.cumprod(flat, axis=0)
    for k in range(1, len(dy)):
        dy[k] = dy[k] * before[k - 1] + dy[k - 1] * flat[k]
    return dy if axis is None else np.moveaxis(dy, 0, axis)


def cumprod_curvature(dx, ex, x, axis=None):
    """Tangent of cumprod_tangent(dx, x, axis) along ex in x, in which dx and ex are alike."""
    flat = np.ravel(x) if axis is None else np.moveaxis(np.atleast_1d(x), axis, 0)
    dflat = np.ravel(dx) if axis is None else np.moveaxis(np.atleast_1d(dx), axis, 0)
    eflat = np.ravel(ex) if axis is None else np.moveaxis(np.atleast_1d(ex), axis, 0)
    before = np.cumprod(flat, axis=0)
    along, other = cumprod_tangent(dflat, flat, 0), cumprod_tangent(eflat, flat, 0)
    total = np.zeros(flat.shape, np.result_type(dflat, eflat, before))
    for k in range(1, len(total)):
        total[k] = total[k - 1] * flat[k] + along[k - 1] * eflat[k] + other[k - 1] * dflat[k]
    return total if axis is None else np.moveaxis(total, 0, axis)


def uncumsum(dy, x, axis=None):
    """Adjoint of x in y = cumsum(x, axis): sums of dy from each element on; shape of x."""
    if axis is None or np.ndim(x) == 0:
        return np.reshape(np.cumsum(np.ravel(dy)[::-1])[::-1], np.shape(x))
    axis = _one_axis(axis)
    if axis in (0, -np.ndim(dy)):
        return _sums_from_the_end(dy)
    return np.flip(np.cumsum(np.flip(dy, axis), axis), axis)


def _sums_from_the_end(rows, out=None):
    """Sums of rows, from each on; out: what they may be written into."""
    if not _has_long_rows(rows):
        return np.flip(np.cumsum(np.flip(rows, 0), 0), 0)
    sums = rows.copy() if out is None else out
    for k in range(len(sums) - 2, -1, -1):
        sums[k] += sums[k + 1]
    return sums


def _running_products(rows):
    """np.cumprod(rows, axis=0)"""
    if not _has_long_rows(rows):
        return np.cumprod(rows, axis=0)
    products = rows.copy()
    for k in range(1, len(products)):
        products[k] *= products[k - 1]
    return products


def _smallest_size(x):
    """The smallest absolute value."""
    smallest = np.min(x)
    return smallest if smallest > 0.0 else np.min(np.abs(x))


def _has_long_rows(rows):
    """Whether rows are better added one to the next: along the first axis NumPy goes from element
    to element, which are far from each other."""
    return type(rows) is np.ndarray and rows.ndim > 1 and rows.dtype == float \
        and rows.flags.c_contiguous and rows.size >= 128 * len(rows) > 0


def median_weights(x, axis=None):
    """1 at the middle element of a reduction over axis, 0.5 at the two of an even number.

    Shape of x. Where elements are equal, the order of a stable sort decides.
    """
    x = np.asarray(x)
    kept, axes = kept_and_reduced(x, axis)
    lines = as_lines(x, kept, axes)
    count = lines.shape[-1]
    ranks = np.argsort(np.argsort(lines, axis=-1, kind="stable"), axis=-1)
    weights = 0.5 * (ranks == (count - 1) // 2) + 0.5 * (ranks == count // 2)
    weights = np.where(np.any(lines != lines, axis=-1, keepdims=True), np.nan, weights)
    weights = weights.astype(x.dtype if x.dtype.kind == "f" else float)
    return from_lines(weights, x, kept, axes)


def median_along(dx, x, axis=None, keepdims=False):
    """Tangent of median(x, axis) along dx; NaN of no elements, as the median is."""
    total = np.sum(dx * median_weights(x, axis), axis=axis, keepdims=keepdims)
    return total if np.size(x) else np.full_like(total, np.nan)[()]


def count_numbers(x, axis=None, keepdims=False, where=True):
    """How many elements of a reduction over axis are no NaN, in the dtype of x."""
    counted = ~np.isnan(x) if where is True else ~np.isnan(x) & where
    return np.sum(counted, axis=axis, keepdims=keepdims, dtype=np.real(x).dtype)


def degrees_of_freedom(count, ddof):
    """What a sum of squares is divided by for a variance of count elements: count - ddof, and zero
    if that is negative, as numpy.var does."""
    freedom = count - ddof
    return max(freedom, 0) if isinstance(freedom, int) else np.maximum(freedom, 0)


def degrees_for_each(count, ddof):
    """The same, to divide what each of the elements gets: where there are none, nothing is."""
    return degrees_of_freedom(count, ddof)


def some_degrees_of_freedom(count, ddof):
    """count - ddof, and NaN if that is not positive, as numpy.nanvar does."""
    return np.where(count > ddof, count - ddof, np.nan)


def times_initial(dx, initial=None):
    """dx times the initial factor of a product, if there is one."""
    return dx if initial is None else dx * initial


def ones_outside(x, where=True):
    """x with 1 where a product leaves the element out."""
    return x if where is True else np.where(where, x, np.ones((), np.asarray(x).dtype))


def ones_for_nan(x):
    """x with 1 in the place of NaN: what a product without NaNs multiplies."""
    return np.where(np.isnan(x), np.ones((), np.asarray(x).dtype), x)


def without_nans(dx, x):
    """dx, and 0 where x is NaN."""
    return np.where(np.isnan(x), np.zeros((), np.asarray(dx).dtype), dx)


def without_initial(dy, x, axis=None):
    """dy without the initial element that a cumulative sum or product of x may have in front."""
    axis = _one_axis(axis)
    length = np.shape(np.atleast_1d(x))[axis]
    if np.shape(dy)[axis] == length:
        return dy
    return np.take(dy, np.arange(1, length + 1), axis)


def with_initial(dx, y, axis=None):
    """dx with a zero in front if y has one element more along axis: adjoint of without_initial."""
    axis = _one_axis(axis)
    if np.shape(dx)[axis] == np.shape(y)[axis]:
        return dx
    return np.insert(dx, 0, 0, axis)


def _one_axis(axis):
    """The axis of what takes one only: the first if it is not said; it may stand in a tuple."""
    return 0 if axis is None else axis[0] if isinstance(axis, tuple) else axis


def full_weights(a, axis, weights):
    """The weights of an average over axis, spread to the shape of a (ones for None)."""
    if weights is None:
        return np.ones_like(a) if is_duck(a) else np.ones(np.shape(a), np.result_type(a, 0.0))
    if np.shape(weights) == np.shape(a):
        return weights
    axes = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(i % np.ndim(a) for i in axes)
    moved = np.transpose(weights, np.argsort(axes))
    others = tuple(i for i in range(np.ndim(a)) if i not in axes)
    return np.broadcast_to(np.expand_dims(moved, others), np.shape(a))


def weights_part(dfull, a, axis, weights):
    """Adjoint of weights in full_weights(a, axis, weights); shape of weights."""
    if np.shape(weights) == np.shape(a):
        return dfull
    axes = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(i % np.ndim(a) for i in axes)
    part = np.sum(dfull, axis=tuple(i for i in range(np.ndim(a)) if i not in axes))
    return np.transpose(part, np.argsort(np.argsort(axes)))


def norm_slope(y, x, ord=None, axis=None, keepdims=False):
    """Derivative of y = norm(x, ord, axis) with respect to x, shape of x; 0 where y is 0."""
    y = unreduce(y, x, axis, keepdims)
    matrix = np.ndim(x) == 2 if axis is None else isinstance(axis, tuple) and len(axis) == 2
    if ord is None or ord == "fro" or (ord == 2 and not matrix):
        return divide_or_zero(np.conj(x), y)
    if not matrix:
        size = np.abs(x)
        if ord in (np.inf, -np.inf):
            extreme = np.max if ord > 0 else np.min
            hit = size == extreme(size, axis=axis, keepdims=True)
            return abs_slope(x) * hit / np.sum(hit, axis=axis, keepdims=True)
        if ord == 0:
            return 0.0 * x
        return abs_slope(x) * np.where(y == 0, 0.0, divide_or_zero(size, y) ** (ord - 1.0))
    rows, columns = axis if axis is not None else (0, 1)
    if ord in (1, -1, np.inf, -np.inf):
        along = rows if ord in (1, -1) else columns
        sums = np.sum(np.abs(x), axis=along, keepdims=True)
        extreme = np.max if ord > 0 else np.min
        hit = sums == extreme(sums, axis=(rows, columns), keepdims=True)
        count = np.sum(hit, axis=(rows, columns), keepdims=True)
        return abs_slope(x) * hit / count
    moved = np.moveaxis(x, (rows, columns), (-2, -1))
    u, s, vh = np.linalg.svd(moved, full_matrices=False)
    if ord == "nuc":
        weights = np.ones_like(s)
    elif ord == 2:
        weights = (s == s[..., :1]) / np.sum(s == s[..., :1], axis=-1, keepdims=True)
    else:
        weights = (s == s[..., -1:]) / np.sum(s == s[..., -1:], axis=-1, keepdims=True)
    slope = np.conj((u * weights[..., None, :]) @ vh)
    return np.moveaxis(slope, (-2, -1), (rows, columns))
