"""What emitted code may call for quantiles: which two elements each lies between, and how far.

A quantile is (1 - t) a[low] + t a[high], where low and high are neighbours in the order of the
elements. All methods of NumPy are of that form; which position q has, the method says, and it is
asked for the quantile of 0, 1, 2, ..., n - 1. Only NumPy is imported.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.reductions import as_lines, kept_and_reduced
from tangent_lite.runtime.shapes import numbered

# Continuous methods: the position n q + alpha + q (1 - alpha - beta) - 1 (Hyndman and Fan 1996).
_ALPHA_BETA = {"interpolated_inverted_cdf": (0.0, 1.0), "hazen": (0.5, 0.5), "weibull": (0.0, 0.0),
               "linear": (1.0, 1.0), "median_unbiased": (1 / 3, 1 / 3),
               "normal_unbiased": (3 / 8, 3 / 8)}


def _lines(x, axis):
    """x with the axes of a reduction taken together as the last one."""
    x = np.asarray(x)
    return as_lines(x, *kept_and_reduced(x, axis))


def _position(count, q, method, percent, dtype):
    """Where the quantile of count elements lies in their order, a number between 0 and
    count - 1: the same computation as NumPy's, of positions in the place of elements."""
    ranks = np.arange(count).astype(dtype)
    return np.percentile(ranks, q, method=method) if percent else \
        np.quantile(ranks, q, method=method)


def _counts(lines, skip_nan):
    """How many elements of each line count."""
    if skip_nan:
        return np.sum(lines == lines, axis=-1)
    return np.full(lines.shape[:-1], lines.shape[-1])


def _positions(a, q, axis, method, percent, skip_nan):
    """The position of each quantile in the order of its line; shape of q, then of the lines."""
    lines = _lines(a, axis)
    counts = _counts(lines, skip_nan)
    found = np.zeros(np.shape(q) + counts.shape)
    for count in np.unique(counts):
        if count:
            at = _position(count, q, method, percent, lines.dtype)
            hit = np.broadcast_to(counts == count, found.shape)
            spread = np.reshape(at, np.shape(q) + (1,) * counts.ndim)
            found = np.where(hit, spread, found)
    return found


def _shaped(found, a, axis, keepdims):
    """One entry for each quantile, in the shape that the result of NumPy has."""
    if not keepdims:
        return found
    ndim = np.ndim(a)
    axes = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    front = found.ndim - (ndim - len(tuple(axes)))
    return np.expand_dims(found, tuple(front + i % ndim for i in axes))


def quantile_places(a, q, axis=None, method="linear", keepdims=False, percent=False,
                    skip_nan=False, weights=None):
    """The numbers of the two elements of a that each quantile lies between: (2, shape of the
    result). Among equal elements the order of a stable sort decides."""
    if np.iscomplexobj(a):
        raise NotImplementedError("the derivative of a quantile of complex numbers")
    lines, numbers = _lines(a, axis), _lines(numbered(a), axis)
    order = np.argsort(lines, axis=-1, kind="stable")
    if weights is not None:
        at = _weighted_positions(lines, order, q, axis, a, weights, percent)
    else:
        at = _positions(a, q, axis, method, percent, skip_nan)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, np.maximum(_counts(lines, skip_nan) - 1, 0))
    places = []
    for rank in (low, high):
        flat = rank.reshape((np.size(q), *rank.shape[np.ndim(q):]))
        found = [np.take_along_axis(numbers, np.take_along_axis(order, one[..., None], -1), -1)
                 if lines.size else one for one in flat]
        places.append(_shaped(np.array(found, int).reshape(rank.shape), a, axis, keepdims))
    return np.array(places)


def _weighted_positions(lines, order, q, axis, a, weights, percent):
    """Where an element with a weight is the quantile: the first of those in order that has the
    quantile's value (weights count with the method inverted_cdf only, which picks elements)."""
    given = np.percentile(a, q, axis, weights=weights, method="inverted_cdf") if percent else \
        np.quantile(a, q, axis, weights=weights, method="inverted_cdf")
    ordered = np.take_along_axis(lines, order, -1)
    return np.argmax(ordered == np.asarray(given)[..., None], axis=-1)


def quantile_share(q, a, axis=None, method="linear", keepdims=False, percent=False,
                   skip_nan=False, weights=None):
    """How far each quantile lies between its two elements, from 0 to 1; NaN where a NaN takes
    part."""
    lines = _lines(a, axis)
    if weights is not None:
        at = np.zeros(np.shape(q) + lines.shape[:-1])
    else:
        at = _positions(a, q, axis, method, percent, skip_nan)
    share = at - np.floor(at)
    gone = ~np.any(lines == lines, axis=-1) if skip_nan else np.any(lines != lines, axis=-1)
    share = np.where(gone, np.nan, share).astype(lines.dtype if lines.dtype.kind == "f" else float)
    return _shaped(share, a, axis, keepdims)[()]


def quantile_rate(q, a, axis=None, method="linear", keepdims=False, percent=False,
                  skip_nan=False, weights=None):
    """The derivative of each quantile's position with respect to q: zero beyond the first and the
    last element, and for the methods that jump; shape of the result."""
    lines = _lines(a, axis)
    counts = _counts(lines, skip_nan)
    level = np.reshape(np.asarray(q) / 100.0 if percent else q, np.shape(q) + (1,) * counts.ndim)
    if weights is not None or method not in _ALPHA_BETA:
        rate = np.zeros(np.shape(q) + counts.shape)
    else:
        alpha, beta = _ALPHA_BETA[method]
        slope = counts + (1.0 - alpha - beta)
        at = slope * level + (alpha - 1.0)
        rate = np.where((at < 0.0) | (at > counts - 1.0), 0.0, slope)
    return _shaped(rate / 100.0 if percent else rate, a, axis, keepdims)[()]


def between(x, places, share):
    """(1 - share) x[low] + share x[high], the elements being those that places numbers."""
    flat = np.ravel(x) if np.size(x) else np.full(1, np.nan)
    return (1.0 - share) * flat[places[0]] + share * flat[places[1]]


def between_back(dy, places, share, x):
    """Adjoint of x in between(x, places, share); shape of x."""
    total = np.zeros(np.size(x), np.result_type(dy, share))
    if not total.size:
        return total.reshape(np.shape(x))
    np.add.at(total, places[0], (1.0 - share) * dy)
    np.add.at(total, places[1], share * dy)
    return total.reshape(np.shape(x))[()]


def apart(x, places):
    """x[high] - x[low]: the derivative of between(x, places, share) with respect to share."""
    flat = np.ravel(x) if np.size(x) else np.full(1, np.nan)
    return flat[places[1]] - flat[places[0]]


def apart_back(dy, places, x):
    """Adjoint of x in apart(x, places); shape of x."""
    total = np.zeros(np.size(x), np.result_type(dy))
    if not total.size:
        return total.reshape(np.shape(x))
    np.add.at(total, places[0], -dy)
    np.add.at(total, places[1], dy)
    return total.reshape(np.shape(x))[()]


def summed_for(dy, q):
    """dy summed over the axes of each quantile's result: the adjoint of q, which stands in front
    in that shape."""
    return np.sum(dy, axis=tuple(range(np.ndim(q), np.ndim(dy))))


def spread_for(dq, y):
    """dq for each element of the results y of its quantile: the adjoint of dy in summed_for."""
    if np.ndim(y) < np.ndim(dq):                # NaN, of no elements, however many q there are
        return np.zeros(np.shape(y))
    return np.broadcast_to(np.reshape(dq, np.shape(dq) + (1,) * (np.ndim(y) - np.ndim(dq))),
                           np.shape(y))
