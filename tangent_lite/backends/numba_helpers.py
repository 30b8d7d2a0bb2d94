"""The helpers that emitted code calls (`tangent_lite.runtime`), for Numba.

Each overload does what the helper of that name does, for numbers and arrays.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types, vectorize
from numba.extending import register_jitable

from tangent_lite import runtime
from tangent_lite.backends.numba_axes import (
    counting,
    fitting,
    normal_axes,
    reduction,
    spreading,
)
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import instead_of, is_array, is_number, value_of
from tangent_lite.backends.numba_whole_powers import power_slope, power_slopes
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime.custom import in_shape_of


# Shapes ---------------------------------------------------------------------------------------
@overload(runtime.unbroadcast)
def _unbroadcast(dy, x):
    if is_number(x):
        if is_number(dy):
            return lambda dy, x: dy
        return lambda dy, x: np.sum(dy)
    if not is_array(x):
        return None
    if is_number(dy):
        return lambda dy, x: np.full(x.shape, dy)
    if not is_array(dy):
        return None
    fit = register_jitable(fitting(dy.ndim, x.ndim))
    if dy.ndim != x.ndim:
        return lambda dy, x: fit(dy, x)

    def same_rank(dy, x):
        return dy if dy.shape == x.shape else fit(dy, x)
    return same_rank


@overload(runtime.fitted)
def _fitted(whole, part):
    if not is_array(part):
        return lambda whole, part: whole
    if not is_array(whole) or whole.dtype != part.dtype:
        return None
    if whole.ndim != part.ndim:
        def too_many(whole, part):
            if whole.ndim != part.ndim:
                raise ValueError("an array is changed in place by one that does not fit into it")
            return part
        return too_many

    def fitting_only(whole, part):
        if whole.shape != part.shape:
            raise ValueError("an array is changed in place by one that does not fit into it")
        return whole
    return fitting_only


@overload(in_shape_of)
def _in_shape_of(dx, x, what):
    if is_number(x) and is_number(dx):
        return lambda dx, x, what: dx
    if not (is_number(x) or is_array(x)) or not (is_number(dx) or is_array(dx)):
        return None
    if is_array(x) and is_array(dx) and x.ndim == dx.ndim:
        def with_a_look(dx, x, what):
            if dx.shape != x.shape:
                raise ValueError("a rule gives an adjoint or a tangent of another shape")
            return dx
        return with_a_look

    def of_another_rank(dx, x, what):
        raise ValueError("a rule gives an adjoint or a tangent of another shape")
    return of_another_rank


@overload(runtime.match)
def _match(dx, y):
    if is_number(y):
        return lambda dx, y: dx
    if is_number(dx) and is_array(y):
        return lambda dx, y: np.full(y.shape, dx)
    if is_array(dx) and is_array(y):
        return lambda dx, y: dx + np.zeros(y.shape, dx.dtype)
    return None


@overload(runtime.spread_over)
def _spread_over(dy, xs):
    if not is_array(xs):
        return None
    if is_number(dy):
        return lambda dy, xs: np.full(xs.shape, dy)
    return lambda dy, xs: dy + np.zeros(xs.shape, dy.dtype)


@overload(runtime.broadcast)
def _broadcast(*arrays):
    if not all(map(is_array, arrays)):
        return None
    if len(arrays) == 2:
        return lambda *arrays: shaped(np.broadcast_shapes(arrays[0].shape, arrays[1].shape))
    if len(arrays) == 3:
        return lambda *arrays: shaped(np.broadcast_shapes(
            arrays[0].shape, arrays[1].shape, arrays[2].shape))
    return None


@register_jitable
def shaped(shape):
    """An array of a shape, of which all elements are one."""
    return np.broadcast_to(np.zeros(1), shape)


@overload(runtime.unreduce, prefer_literal=True)
def _unreduce(dy, x, axis=None, keepdims=False):
    axis, keepdims = value_of(axis), value_of(keepdims)
    if is_number(x):
        return lambda dy, x, axis=None, keepdims=False: dy
    if not is_array(x):
        return None
    if is_number(dy):
        return lambda dy, x, axis=None, keepdims=False: np.full(x.shape, dy)
    if not is_array(dy):
        return None
    axes = normal_axes(axis, x.ndim)
    if dy.ndim == x.ndim:
        fit = register_jitable(fitting(dy.ndim, x.ndim))
        return lambda dy, x, axis=None, keepdims=False: fit(dy, x)
    if dy.ndim != x.ndim - len(axes):
        return None
    if dy.ndim == 0:
        return lambda dy, x, axis=None, keepdims=False: np.full(x.shape, dy[()])
    spread = register_jitable(spreading(x.ndim, axes, False))
    return lambda dy, x, axis=None, keepdims=False: spread(dy, x)


@overload(runtime.reduced_size, prefer_literal=True)
def _reduced_size(x, axis=None, where=True, keepdims=False):
    axis = value_of(axis)
    if value_of(where) is not True:
        return None
    if is_number(x):
        return lambda x, axis=None, where=True, keepdims=False: 1
    axes = normal_axes(axis, x.ndim)
    if axis is None:
        return lambda x, axis=None, where=True, keepdims=False: x.size
    count = register_jitable(counting(x.ndim, axes))
    return lambda x, axis=None, where=True, keepdims=False: count(x)


@overload(runtime.mean_size, prefer_literal=True)
def _mean_size(x, axis=None, where=True, keepdims=False):
    found = _reduced_size(x, axis, where, keepdims)
    if found is None or is_number(x):
        return found
    size = register_jitable(found)
    return lambda x, axis=None, where=True, keepdims=False: max(size(x), 1)


@overload(runtime_reductions.degrees_for_each)
@overload(runtime_reductions.degrees_of_freedom)
def _degrees_of_freedom(count, ddof):
    return (lambda count, ddof: max(count - ddof, 0)) if is_number(count) else None


@overload(runtime.share_ties, prefer_literal=True)
def _share_ties(y, x, axis=None, keepdims=False, initial=None, where=True):
    axis, keepdims = value_of(axis), value_of(keepdims)
    if value_of(initial) is not None or value_of(where) is not True:
        return None
    if is_number(x):
        return lambda y, x, axis=None, keepdims=False, initial=None, where=True: 1.0
    axes = normal_axes(axis, x.ndim)
    total = register_jitable(reduction("sum", x.ndim, axes, True))
    over_all = len(axes) == x.ndim and is_number(y)
    unreduce = runtime.unreduce
    fit = register_jitable(fitting(x.ndim, x.ndim))
    if over_all:
        def of_all(y, x, axis=None, keepdims=False, initial=None, where=True):
            hit = np.where(x == y, 1.0, 0.0)
            return hit / np.sum(hit)
        return of_all
    if len(axes) == 1:
        one = axes[0]
        if x.ndim == 2:
            flat = register_jitable(
                (lambda y: y) if y.ndim == 1 else (lambda y: y[:, 0]) if one else
                (lambda y: y[0, :]))

            def of_matrix(y, x, axis=None, keepdims=False, initial=None, where=True):
                return _shares(flat(y), x, one)
            return of_matrix

        def run(y, x, axis=None, keepdims=False, initial=None, where=True):
            hit = np.where(x == unreduce(y, x, one, False), 1.0, 0.0)
            return hit / fit(total(hit), x)
        if y.ndim == x.ndim:
            def run_kept(y, x, axis=None, keepdims=False, initial=None, where=True):
                hit = np.where(x == fit(y, x), 1.0, 0.0)
                return hit / fit(total(hit), x)
            return run_kept
        return run
    if not is_array(y) or y.ndim not in (x.ndim, x.ndim - len(axes)):
        return None
    spread = register_jitable(spreading(x.ndim, axes, y.ndim == x.ndim))
    spread_kept = register_jitable(spreading(x.ndim, axes, True))

    def over_several(y, x, axis=None, keepdims=False, initial=None, where=True):
        hit = np.where(x == spread(y, x), 1.0, 0.0)
        return hit / spread_kept(total(hit), x)
    return over_several


@register_jitable
def _shares(y, x, axis):
    """For a matrix: one, by how many items of a row (axis 1) or a column (axis 0) equal the extreme
    y of it, where they do; nan where none does, since y is nan."""
    shares = np.empty(x.shape)
    counts = np.zeros(y.shape[0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            one = x[i, j] == y[i if axis else j]
            shares[i, j] = one
            counts[i if axis else j] += one
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            count = counts[i if axis else j]
            shares[i, j] = shares[i, j] / count if count else np.nan
    return shares


# Element by element ---------------------------------------------------------------------------
def _elementwise(helper: Any, kernel: Any) -> None:
    """An overload that is a function of numbers, broadcast over arrays."""
    vector = vectorize(nopython=True)(kernel)
    count = kernel.__code__.co_argcount
    scalar = register_jitable(error_model="numpy")(kernel)
    if count == 1:
        @overload(helper)
        def one(x):
            if is_number(x):
                return lambda x: scalar(x)
            return (lambda x: vector(x)) if is_array(x) else None
    elif count == 2:
        @overload(helper)
        def two(x, y):
            if is_number(x) and is_number(y):
                return lambda x, y: scalar(x, y)
            return lambda x, y: vector(x, y)
    elif count == 4:
        @overload(helper)
        def four(dx, dy, x, y):
            if is_number(dx) and is_number(dy) and is_number(x) and is_number(y):
                return lambda dx, dy, x, y: scalar(dx, dy, x, y)
            return lambda dx, dy, x, y: vector(dx, dy, x, y)
    else:
        @overload(helper)
        def three(dz, x, y):
            if is_number(dz) and is_number(x) and is_number(y):
                return lambda dz, x, y: scalar(dz, x, y)
            return lambda dz, x, y: vector(dz, x, y)


def _where_larger(dz, x, y):
    if x < y:
        return 0.0 * 1.0
    return 0.5 * dz if x == y else dz * 1.0


def _of_larger(dx, dy, x, y):
    if x < y:
        return dy * 1.0
    if y < x:
        return dx * 1.0
    return 0.5 * (dx + dy) if x == y else (dx + dy) * 1.0


def _where_positive(dz, x):
    if x < 0:
        return 0.0 * 1.0
    return 0.5 * dz if x == 0 else dz * 1.0


def _divide_or_zero(x, y):
    return x / y if y != 0 else 0.0


def _log_or_zero(x):
    return np.log(x) if x != 0 else 0.0


def _abs_slope(x):
    return np.sign(x) * 1.0


@instead_of(np.heaviside)
def np_heaviside(x, y):
    return np.heaviside(x, y)


def _heaviside(x, y):
    if x != x:
        return x * 1.0
    return y * 1.0 if x == 0 else 1.0 if x > 0 else 0.0


_elementwise(np_heaviside, _heaviside)
_elementwise(runtime.where_larger, _where_larger)
_elementwise(runtime.of_larger, _of_larger)
_elementwise(runtime.where_positive, _where_positive)
_elementwise(runtime.divide_or_zero, _divide_or_zero)
_elementwise(runtime.log_or_zero, _log_or_zero)
_elementwise(runtime.abs_slope, _abs_slope)
_elementwise(runtime.power_slope, power_slope)


_power_slopes = register_jitable(error_model="numpy")(power_slopes)
_power_slopes_of_arrays = vectorize(nopython=True)(power_slopes)


@overload(runtime.power_slopes)
def of_powers(x, y, order):
    if is_number(x) and is_number(y):
        return lambda x, y, order: _power_slopes(x, y, order)
    return lambda x, y, order: _power_slopes_of_arrays(x, y, order)


# Elements ----------------------------------------------------------------------
@overload(runtime.add_at)
def _add_at(bx, index, dy):
    if not is_array(bx):
        return None
    if isinstance(index, types.Array) and isinstance(index.dtype, types.Integer) \
            and index.ndim == 1:
        if is_number(dy) or (is_array(dy) and dy.ndim < bx.ndim):
            def same_for_all(bx, index, dy):
                for k in range(index.shape[0]):
                    bx[index[k]] += dy
            return same_for_all
        if is_array(dy) and dy.ndim == bx.ndim == 2:
            def rows(bx, index, dy):
                if dy.shape[0] != index.shape[0] or dy.shape[1] != bx.shape[1]:
                    raise ValueError("shapes that do not fit")
                for k in range(index.shape[0]):
                    i = index[k]
                    for j in range(bx.shape[1]):
                        bx[i, j] += dy[k, j]
            return rows
        if is_array(dy) and dy.ndim == bx.ndim:
            def run(bx, index, dy):
                if dy.shape[0] != index.shape[0]:
                    raise ValueError("shapes that do not fit")
                for k in range(index.shape[0]):
                    bx[index[k]] += dy[k]
            return run
        return None
    if isinstance(index, types.Array) and isinstance(index.dtype, types.Boolean) \
            and index.ndim == 1 and bx.ndim == 1:
        if is_number(dy):
            def masked_number(bx, index, dy):
                if index.shape[0] != bx.shape[0]:
                    raise IndexError("a mask of another length")
                for k in range(index.shape[0]):
                    if index[k]:
                        bx[k] += dy
            return masked_number
        if is_array(dy) and dy.ndim == 1:
            def masked(bx, index, dy):
                if index.shape[0] != bx.shape[0]:
                    raise IndexError("a mask of another length")
                n = 0
                for k in range(index.shape[0]):
                    if index[k]:
                        bx[k] += dy[n]
                        n += 1
                if n != dy.shape[0]:
                    raise ValueError("shapes that do not fit")
            return masked
        return None
    if isinstance(index, types.UniTuple) and is_array(index.dtype) and index.count == 2 \
            and bx.ndim == 2 and index.dtype.ndim == 1 \
            and isinstance(index.dtype.dtype, types.Integer):
        if is_number(dy):
            def pairs_number(bx, index, dy):
                for k in range(max(index[0].shape[0], index[1].shape[0])):
                    bx[index[0][k], index[1][k]] += dy
            return pairs_number
        if is_array(dy) and dy.ndim == 1:
            def pairs(bx, index, dy):
                if not dy.shape[0] == index[0].shape[0] == index[1].shape[0]:
                    raise ValueError("shapes that do not fit")
                for k in range(dy.shape[0]):
                    bx[index[0][k], index[1][k]] += dy[k]
            return pairs
        return None
    if is_number(index) or isinstance(index, types.SliceType):
        def plain(bx, index, dy):
            bx[index] += dy
        return plain
    return None


@overload(runtime.zeros_like)
def _zeros_like(x):
    if is_number(x):
        if isinstance(x, types.Complex):
            return lambda x: 0j
        return lambda x: 0.0
    if is_array(x):
        if isinstance(x.dtype, (types.Float, types.Complex)):
            return lambda x: np.zeros_like(x)
        return lambda x: np.zeros(x.shape)
    return None


@overload(runtime.copied)
@overload(runtime.copy_as_it_lies)
def _copied(x):
    if is_number(x):
        return lambda x: x
    return (lambda x: x.copy()) if is_array(x) or isinstance(x, types.List) else None


@overload(runtime.sum_of_structures)
def _sum_of_structures(a, b):
    if (is_number(a) or is_array(a)) and (is_number(b) or is_array(b)):
        return lambda a, b: a + b
    return None


@overload(runtime.stop_gradient)
def _stop_gradient(x):
    return lambda x: x
