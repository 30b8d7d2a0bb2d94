"""What emitted code may call for functions that only move elements: where each came from.

The *places* of a result are the numbers of the elements of an argument in the order of the result,
-1 for what is no element of it: of y = np.delete(x, 1) they are np.delete(numbered(x), 1). From
them follow the adjoint, `gathered_back`, and the tangent, `gathered`; each is the adjoint of the
other. Only NumPy is imported.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.shapes import numbered, undiff


def gathered(dx, places):
    """The elements of dx that places numbers, zero where it is negative; shape of places."""
    places, dx = np.asarray(places), np.asarray(dx)
    if dx.size == 0:
        return np.zeros(places.shape, np.result_type(dx))
    return np.where(places < 0, np.zeros((), np.result_type(dx)),
                    np.ravel(dx)[np.maximum(places, 0)])


def gathered_back(dy, places, x):
    """Zeros of the shape of x, with dy added at the elements that places numbers, nothing where
    it is negative: the adjoint of dx in gathered(dx, places)."""
    places = np.asarray(places)
    inside = places >= 0
    total = np.zeros(np.size(x), np.asarray(dy).dtype)
    np.add.at(total, places[inside], np.asarray(dy)[inside])
    return total.reshape(np.shape(x))[()]


# np.r_ and np.c_ --------------------------------------------------------------------------------
def joined_rows(*parts):
    """np.r_[parts], written as a call."""
    return np.r_[parts]


def joined_columns(*parts):
    """np.c_[parts], written as a call."""
    return np.c_[parts]


def joined_tangent(dparts, parts, how):
    """Tangent of np.r_[parts] ("r") or np.c_[parts] ("c") along dparts: slices and directives do
    not vary."""
    read = tuple(part if isinstance(part, str) else 0.0 * np.r_[part] if isinstance(part, slice)
                 else dpart for dpart, part in zip(dparts, parts))
    return np.r_[read] if how == "r" else np.c_[read]


def joined_spots(k, parts, how):
    """For each element of np.r_[parts] ("r") or np.c_[parts] ("c") its number in parts[k], -1 for
    those of other parts."""
    read = tuple(part if isinstance(part, str) else np.full(np.shape(
        np.r_[part] if isinstance(part, slice) else part), -1) if j != k else numbered(part)
        for j, part in enumerate(parts))
    return np.r_[read] if how == "r" else np.c_[read]


# Parts taken out, put in, and set together --------------------------------------------------------
def trimmed_places(x, trim="fb", axis=None):
    """The numbers of the elements that np.trim_zeros(x, trim, axis) keeps: those of the smallest
    box around all that is not zero, cut along axis (all axes for None)."""
    places, hits = numbered(x), np.argwhere(np.asarray(x))
    axes = tuple(range(places.ndim)) if axis is None else axis if isinstance(axis, tuple) else (
        axis,)
    for a in (a % places.ndim for a in axes):
        first = hits[:, a].min() if len(hits) and "f" in trim.lower() else 0
        last = hits[:, a].max() + 1 if len(hits) and "b" in trim.lower() else \
            places.shape[a] if len(hits) else 0
        places = np.take(places, np.arange(first, last), a)
    return places


def inserted_part(dy, places, values, x):
    """Adjoint of what np.insert puts into x, places being its numbers; zero for an x of integers,
    which makes integers of it."""
    if np.asarray(x).dtype.kind not in "fc":
        return np.zeros(np.shape(values))
    return gathered_back(dy, places, values)


def inserted_tangent(dvalues, places, values, x):
    """Tangent of np.insert(x, obj, values) along that of the values alone; shape of places."""
    if np.asarray(x).dtype.kind not in "fc":
        return np.zeros(np.shape(places))
    return gathered(np.broadcast_to(dvalues, np.shape(values)), places)


def ediff1d_inner(dx, to_end=None, to_begin=None):
    """Tangent of np.ediff1d(x, to_end, to_begin) along that of x: zeros where the ends stand."""
    return np.pad(np.diff(np.ravel(dx)), (_size(to_begin), _size(to_end)))


def ediff1d_adjoint(dy, x, to_end=None, to_begin=None):
    """Adjoint of x in y = np.ediff1d(x, to_end, to_begin), without the ends."""
    inner = np.ravel(dy)[_size(to_begin):np.size(dy) - _size(to_end)]
    return np.reshape(undiff(inner), np.shape(x)) if np.size(x) > 1 else np.zeros(np.shape(x))


def _size(x):
    return 0 if x is None else np.size(x)


def end_part(dy, x, at_front):
    """Adjoint of x, the elements of which stand at the front or at the end of y."""
    part = dy[:np.size(x)] if at_front else dy[np.size(dy) - np.size(x):]
    return np.reshape(part, np.shape(x))[()]


def end_tangent(dx, x, y, at_front):
    """Tangent of y along that of x, which stands at its front or at its end: zeros elsewhere."""
    rest = np.size(y) - np.size(x)
    return np.pad(np.ravel(np.broadcast_to(dx, np.shape(x))), (0, rest) if at_front else (rest, 0))


def picked_places(y, *xs):
    """For each element of y the number of the first equal one in the arrays xs, taken together.

    y: what a function made of elements of xs (np.unique, np.union1d); those of xs are numbered one
    array after the other.
    """
    items = np.concatenate([np.ravel(x) for x in xs])
    order = np.argsort(items, kind="stable")
    return order[np.searchsorted(items[order], y)] if len(items) else np.zeros(np.shape(y), int)


def places_outside(y, x, other, assume_unique=False):
    """The numbers of the elements of x in y = np.setdiff1d(x, other, assume_unique): with
    assume_unique it is a selection of x, in which elements may repeat."""
    if not assume_unique:
        return picked_places(y, x)
    return np.flatnonzero(np.isin(np.ravel(x), other, assume_unique=True, invert=True))


def picked_part(dy, places, first, x):
    """Adjoint of x, the elements of which have numbers from first on, in what places picks."""
    return gathered_back(dy, np.where(places < first + np.size(x), places - first, -1), x)


def picked_tangent(dx, places, first, x):
    """Tangent of what places picks along that of x, whose elements have numbers from first on."""
    return gathered(np.broadcast_to(dx, np.shape(x)),
                    np.where(places < first + np.size(x), places - first, -1))


# Choices ----------------------------------------------------------------------------------------
def chosen_parts(dy, hits, xs):
    """Adjoints of all choices xs: a list, or an array if xs is one; hits: one mask for each."""
    parts = [unbroadcast(np.where(hit, dy, 0.0), x) for hit, x in zip(hits, xs)]
    return np.array(parts) if isinstance(xs, np.ndarray) else parts


def chosen_tangent(dxs, hits, y):
    """Tangent of a selection along those of all choices; shape of y."""
    total = np.zeros(np.shape(y), np.result_type(*map(np.asarray, dxs)))
    for dx, hit in zip(dxs, hits):
        total = np.where(hit, dx, total)
    return total


def chosen_back(by, hits, dxs):
    """Adjoints of dxs in chosen_tangent(dxs, hits, y): by where each was taken."""
    return [unbroadcast(np.where(hit, by, 0.0), dx) for dx, hit in zip(dxs, hits)]


def select_hits(condlist, count):
    """Where np.select takes each of count choices: the first condition that holds counts; the last
    mask is that of the default."""
    conditions = np.broadcast_arrays(*condlist)
    free = np.ones_like(conditions[0], dtype=bool)
    hits = []
    for condition in conditions[:count]:
        hits.append(condition & free)
        free = free & ~condition
    return [*hits, free]


def choose_hits(a, count, mode="raise"):
    """Where np.choose(a, choices, mode=mode) takes each of count choices."""
    a = np.asarray(a)
    number = a % count if mode == "wrap" else np.clip(a, 0, count - 1) if mode == "clip" else a
    return [number == k for k in range(count)]
