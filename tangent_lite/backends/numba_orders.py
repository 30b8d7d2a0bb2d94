"""Sorting, taking in an order, and medians along an axis, for Numba.

Which of several equal numbers comes first NumPy leaves to its way of sorting, unless it is told: an
order in which numbers are equal is then found in Python.
"""
from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    is_array,
    is_integer,
    stop,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_lines import (
    along,
    for_each_line,
    is_float_array,
    middle,
    middle_weights,
    one_axis,
    only_order_of,
    order_of,
    sorted_line,
    unsorted_line,
)
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.runtime import order as runtime_order
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import shapes as runtime_shapes


# Orders ---------------------------------------------------------------------------------------
@compiled_for(np.argsort, methods=("argsort",), prefer_literal=True)
def np_argsort(x, axis=-1, kind=None, stable=None):
    axis, kind, stable = value_of(axis), value_of(kind), value_of(stable)
    if not is_array(x) or not x.ndim or isinstance(x.dtype, types.Complex):
        return None
    # NumPy orders equal numbers as it likes, unless it is told: then Python does it.
    function = order_of if kind in ("stable", "mergesort") or stable else only_order_of
    if axis is None:
        flat = along(function, 1, 0, 1, 0, "np.int64")
        return lambda x, axis=-1, kind=None, stable=None: flat(x.flatten(), x.size)
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    lifted = along(function, x.ndim, one, 1, 0, "np.int64")
    return lambda x, axis=-1, kind=None, stable=None: lifted(x, x.shape[one])


@compiled_for(np.sort, prefer_literal=True)
def np_sort(x, axis=-1, kind=None, stable=None):
    axis = value_of(axis)
    if not is_array(x) or not x.ndim or isinstance(x.dtype, types.Complex):
        return None
    if axis is None:
        flat = along(sorted_line, 1, 0)
        return lambda x, axis=-1, kind=None, stable=None: flat(x.flatten(), x.size)
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    lifted = along(sorted_line, x.ndim, one)
    return lambda x, axis=-1, kind=None, stable=None: lifted(x, x.shape[one])


@overload(runtime_shapes.unsort, prefer_literal=True)
def _unsort(dy, x, axis=-1):
    axis = value_of(axis)
    if not (is_array(dy) and is_array(x)) or not x.ndim:
        return None
    if axis is None:
        flat = along(unsorted_line, 1, 0, 2)
        return lambda dy, x, axis=-1: flat(dy, x.flatten(), x.size).reshape(x.shape)
    one = one_axis(axis, x.ndim)
    if one is None or dy.ndim != x.ndim:
        return None
    lifted = along(unsorted_line, x.ndim, one, 2)
    return lambda dy, x, axis=-1: lifted(dy, x, x.shape[one])


@register_jitable
def take_line(x, index, out):
    n = x.shape[0]
    for k in range(index.shape[0]):
        i = index[k]
        if i < -n or i >= n:
            stop()
        out[k] = x[i]


@register_jitable
def add_line(dy, index, out):
    out[:] = 0.0
    n = out.shape[0]
    for k in range(index.shape[0]):
        i = index[k]
        if i < -n or i >= n:
            stop()
        out[i] += dy[k]


@compiled_for(np.take_along_axis, prefer_literal=True)
def np_take_along_axis(x, indices, axis=-1):
    axis = value_of(axis)
    if not (is_array(x) and is_array(indices)) or x.ndim != indices.ndim \
            or not isinstance(indices.dtype, types.Integer):
        return None
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    lifted = along(take_line, x.ndim, one, 2)
    return lambda x, indices, axis=-1: lifted(x, indices, indices.shape[one])


@overload(runtime_shapes.untake_along, prefer_literal=True)
def _untake_along(dy, x, indices, axis=-1):
    axis = value_of(axis)
    if not (is_array(dy) and is_array(x) and is_array(indices)) \
            or not x.ndim == indices.ndim == dy.ndim \
            or not isinstance(indices.dtype, types.Integer):
        return None
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    lifted = along(add_line, x.ndim, one, 2)
    return lambda dy, x, indices, axis=-1: lifted(dy, indices, x.shape[one])


@compiled_for(np.median, prefer_literal=True)
def np_median(x, axis=None, keepdims=False):
    axis, keepdims = value_of(axis), value_of(keepdims)
    if not is_float_array(x):
        return None
    if axis is None:
        if keepdims:
            return None
        flat = along(middle, 1, 0)
        return lambda x, axis=None, keepdims=False: flat(x.flatten(), 1)[0]
    one = one_axis(axis, x.ndim)
    if one is None or (x.ndim == 1 and not keepdims):
        if one is None:
            return None
        lifted = along(middle, 1, 0)
        return lambda x, axis=None, keepdims=False: lifted(x, 1)[0]
    lifted = along(middle, x.ndim, one)
    if keepdims:
        return lambda x, axis=None, keepdims=False: lifted(x, 1)
    shape = ", ".join(f"x.shape[{k}]" for k in range(x.ndim) if k != one)
    return written_function(["def run(x, axis=None, keepdims=False):",
                             f"    return lifted(x, 1).reshape(({shape},))"], {"lifted": lifted})


@overload(runtime_reductions.median_weights, prefer_literal=True)
def _median_weights(x, axis=None):
    return for_each_line(middle_weights, x, axis)


# Places ---------------------------------------------------------------------------------------
@overload(runtime_order.places_in)
def _places_in(shape):
    if is_integer(shape):
        return lambda shape: list(np.ndindex((shape,)))
    if isinstance(shape, types.BaseTuple) and all(map(is_integer, shape.types)):
        return lambda shape: list(np.ndindex(shape))
    return None
