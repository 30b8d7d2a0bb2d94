"""What emitted code calls that computes many tangents at once: helpers for a leading axis.

A batch of tangents has an axis in front, with one place for each direction: the tangents of an
array of shape (3, 2) along n directions are an array of shape (n, 3, 2), those of a number an array
of shape (n,).
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.tangents import attributes, is_record


def count_of(batch):
    """How many directions a batch of tangents has: the length of the first array in it."""
    if isinstance(batch, np.ndarray):
        return len(batch)
    parts = batch.values() if isinstance(batch, dict) else batch \
        if isinstance(batch, (tuple, list)) else \
        attributes(batch).values() if is_record(batch) else ()
    for part in parts:
        found = count_of(part)
        if found is not None:
            return found
    return None


def spread(x, count):
    """x for each of count directions: numbers and arrays get a leading axis, with memory of its
    own; text and None stay."""
    if isinstance(x, (tuple, list)):
        parts = [spread(part, count) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    if isinstance(x, dict):
        return {key: spread(part, count) for key, part in x.items()}
    if isinstance(x, (np.ndarray, np.generic, int, float, complex)):
        return np.repeat(np.asarray(x)[np.newaxis], count, 0)
    if is_record(x):
        made = object.__new__(type(x))
        for name, part in attributes(x).items():
            object.__setattr__(made, name, spread(part, count))
        return made
    return x


def spread_back(batch):
    """The sum over all directions: the adjoint of spread."""
    if isinstance(batch, np.ndarray):
        return np.sum(batch, axis=0)
    if isinstance(batch, (tuple, list)):
        parts = [spread_back(part) for part in batch]
        return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)
    if isinstance(batch, dict):
        return {key: spread_back(part) for key, part in batch.items()}
    return batch


def row_of(batch, number):
    """The tangent along one of the directions of a batch."""
    if isinstance(batch, np.ndarray):
        return batch[number]
    if isinstance(batch, (tuple, list)):
        parts = [row_of(part, number) for part in batch]
        return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)
    if isinstance(batch, dict):
        return {key: row_of(part, number) for key, part in batch.items()}
    return batch


def row_by_row(function, batched, *args, **keywords):
    """function(*args) for each direction, put together; batched: the positions of the arguments
    that are batches."""
    count = count_of(args[batched[0]])
    return np.array([function(*[row_of(a, k) if i in batched else a for i, a in enumerate(args)],
                              **keywords) for k in range(count)])


def unbroadcast_each(dy, x):
    """Sum each dy over the axes along which x was broadcast; the result: (count, *shape of x)."""
    return _summed(dy, np.shape(x))


def match_each(dx, y):
    """Each dx spread to the shape that it and y have together."""
    return _spread(dx, np.shape(y))


def each_like(dz, dx):
    """Each dz in the shape of one dx: spread along axes on which that is longer, summed over those
    on which it has one place or none. The adjoint of match_each, of unbroadcast_each, of itself."""
    shape = dx.shape[1:]
    return _summed(_spread(dz, shape), shape)


def _summed(dy, shape):
    """Each dy in a shape that it was broadcast from, or that it is broadcast to."""
    if dy.shape[1:] == shape:
        return dy
    extra = dy.ndim - 1 - len(shape)
    if extra > 0:
        dy = np.sum(dy, axis=tuple(range(1, 1 + extra)))
    elif extra < 0:
        dy = dy.reshape(dy.shape[:1] + (1,) * -extra + dy.shape[1:])
        return np.broadcast_to(dy, (len(dy), *shape))
    stretched = tuple(i for i, n in enumerate(shape, 1) if n == 1 and dy.shape[i] != 1)
    if stretched:
        dy = np.sum(dy, axis=stretched, keepdims=True)
    return dy if dy.shape[1:] == shape else np.broadcast_to(dy, (len(dy), *shape))


def _spread(dx, other):
    """Each dx spread to the shape that it and another one have together."""
    shape = np.broadcast_shapes(dx.shape[1:], other)
    if dx.shape[1:] == shape:
        return dx
    dx = dx.reshape(dx.shape[:1] + (1,) * (len(shape) - dx.ndim + 1) + dx.shape[1:])
    return np.broadcast_to(dx, (len(dx), *shape))


def unreduce_each(dy, x, axis=None, keepdims=False):
    """Spread each dy back over the axes of x that a reduction removed: (count, *shape of x)."""
    dy = _with_axes(dy, x, axis, keepdims)
    return np.broadcast_to(dy, (len(dy), *np.shape(x)))


def reduce_each(dz, dy, x, axis=None, keepdims=False):
    """Each dz, of the shape of x, summed over the axes that a reduction removed: in the shape of
    dy. The adjoint of unreduce_each."""
    return _summed(dz, _with_axes(dy, x, axis, keepdims).shape[1:]).reshape(dy.shape)


def _with_axes(dy, x, axis, keepdims):
    """Each dy with an axis of one place for each axis that a reduction removed."""
    shape = np.shape(x)
    if axis is None and dy.ndim == 1:
        return dy.reshape(dy.shape + (1,) * len(shape))
    if axis is not None and not keepdims and dy.ndim - 1 < len(shape):
        axes = axis if isinstance(axis, tuple) else (axis,)
        return np.expand_dims(dy, tuple(a % len(shape) + 1 for a in axes))
    return dy
