"""What functions of NumPy do that call a function of the user, or that write into an array, written
as Python that is followed like the user's own code. The values are NumPy's, to the bit: the same
lines are handed to the same function, and elements are only moved.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.runtime.groups import same_places
from tangent_lite.runtime.shapes import _along


def ufunc_at(ufunc: Any, x: Any, index: Any, *values: Any) -> None:
    """np.multiply.at(x, index, v) and its like: one position after the other, also those that
    repeat."""
    numbers = np.arange(x.size).reshape(x.shape)[index]
    spots = np.unravel_index(np.ravel(numbers), x.shape)
    given = [np.ravel(np.broadcast_to(v, np.shape(numbers))) for v in values]
    for k in range(np.size(numbers)):
        spot = tuple([int(one[k]) for one in spots])
        x[spot] = ufunc(x[spot], *[v[k] for v in given])


def combined_at(combined: Any, x: Any, index: Any, values: Any) -> None:
    """The same for those that have a rule of their own (`runtime.groups.AT`)."""
    x[index] = combined(x[index], values, same_places(x, index))


# Functions of functions -------------------------------------------------------------------------
def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    lines = np.moveaxis(np.asarray(arr), axis, -1)
    parts = []
    for spot in np.ndindex(lines.shape[:-1]):
        parts.append(np.array(func1d(lines[spot], *args, **kwargs)))    # which may be its argument
    if len(parts) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    shape, dtype = np.shape(parts[0]), parts[0].dtype
    made = np.reshape(np.array(parts, dtype), lines.shape[:-1] + shape)
    front = lines.ndim - 1
    axis = axis % lines.ndim
    return np.moveaxis(made, tuple(range(front, front + len(shape))),
                       tuple(range(axis, axis + len(shape))))


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    found = np.asarray(a)
    count = found.ndim
    for axis in (axes,) if np.ndim(axes) == 0 else axes:
        if axis < 0:
            axis = count + axis
        part = func(found, axis)
        if np.ndim(part) != found.ndim:
            part = np.expand_dims(part, axis)
            if part.ndim != found.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        found = part
    return found


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    x = np.asarray(x)
    if np.isscalar(condlist) or (not isinstance(condlist[0], (list, np.ndarray)) and x.ndim != 0):
        condlist = [condlist]
    conditions = np.asarray(condlist, dtype=bool)
    if len(conditions) == len(funclist) - 1:
        rest = ~np.any(conditions, axis=0, keepdims=True)
        conditions = np.concatenate([conditions, rest], axis=0)
    elif len(conditions) != len(funclist):
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or "
                         f"{len(conditions) + 1} functions are expected")
    y = np.zeros_like(x)
    for k in range(len(conditions)):
        condition, function = conditions[k], funclist[k]
        if not callable(function):
            y[condition] = function
        elif np.any(condition):
            y[condition] = function(x[condition], *args, **kw)
    return y


def fromiter(items: Any, dtype: Any, count: int = -1) -> Any:
    values: list[Any] = []
    for item in items:
        if len(values) == count:
            break
        values.append(item)
    return np.array(values, dtype)


# Functions that write ---------------------------------------------------------------------------
def place(arr: Any, mask: Any, vals: Any) -> None:
    hit = np.reshape(np.asarray(mask, dtype=bool), arr.shape)
    count = np.count_nonzero(hit)
    if count:
        arr[hit] = np.resize(np.asarray(vals), count)


def putmask(a: Any, mask: Any, values: Any) -> None:
    hit = np.reshape(np.asarray(mask, dtype=bool), a.shape)
    a[hit] = np.resize(np.asarray(values), a.shape)[hit]


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    if axis is None:
        arr[np.unravel_index(indices, arr.shape)] = values
    else:
        arr[_along(arr, indices, axis)] = values


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    index = on_diagonal(a, wrap)
    a[index] = np.resize(np.asarray(val), index[0].shape)


def on_diagonal(a: Any, wrap: bool) -> Any:
    """The places that np.fill_diagonal writes to."""
    end = None
    if a.ndim == 2:
        step = a.shape[1] + 1
        if not wrap:
            end = a.shape[1] * a.shape[1]
    else:
        if not np.all(np.diff(a.shape) == 0):
            raise ValueError("All dimensions of input must be of equal length")
        step = 1 + int(np.cumprod(a.shape[:-1]).sum())
    return np.unravel_index(np.arange(a.size)[:end:step], a.shape)


def partition(a: Any, kth: Any, axis: int = -1, kind: Any = "introselect") -> None:
    a[...] = np.partition(a, kth, axis, kind)


# What generators of random numbers put in another order -----------------------------------------
def rows(x: Any, order: Any) -> Any:
    return np.asarray(x)[order]


def fill(x: Any, values: Any) -> None:
    x[...] = values


def reorder_list(x: Any, order: Any) -> None:
    x[:] = [x[k] for k in order]


def reorder_array(x: Any, order: Any) -> None:
    x[...] = x[order]
