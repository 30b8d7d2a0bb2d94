"""Functions that move elements, and their adjoints, for Numba.

Where NumPy gives a view that Numba would make a copy of, the call is refused, or stops: what is
written through a view shows in the array.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    instead_of,
    is_array,
    is_integer,
    is_number,
    stop,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_lines import one_axis
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.runtime import diagonals as runtime_diagonals
from tangent_lite.runtime import shapes as runtime_shapes


@register_jitable
def _lies_in_order(x):
    """Whether the elements of an array lie one behind the other, as in C."""
    step = x.itemsize
    for k in range(x.ndim - 1, -1, -1):
        if x.shape[k] != 1 and x.strides[k] != step:
            return False
        step *= x.shape[k]
    return True


# Views ----------------------------------------------------------------------------------------
@compiled_for(np.ravel, methods=("ravel",))
def np_ravel(x):
    if is_number(x):
        return lambda x: np.array([x])
    if not is_array(x):
        return None
    if x.layout == "C":
        return lambda x: x.reshape(x.size)

    def run(x):
        if _lies_in_order(x):
            stop()                          # a view, of which Numba makes a copy
        return x.flatten()
    return run


@instead_of(methods=("copy",))
def copy_of(x, order="K"):
    return x.copy(order)


@overload(copy_of)
def _copy_of(x, order="K"):
    if is_number(x):
        return lambda x, order="K": x
    if is_array(x) or isinstance(x, types.List):
        return lambda x, order="K": x.copy()
    return None


@compiled_for(np.copy)
def np_copy(x):
    return (lambda x: x.copy()) if is_array(x) else None


@compiled_for(np.diag)
def np_diag(x, k=0):
    if is_array(x) and x.ndim == 1:
        return lambda x, k=0: np.diag(x, k)
    if not is_array(x) or x.ndim != 2 or not (is_integer(k) or type(k) is int or isinstance(
            k, types.Omitted)):
        return None
    as_strided = np.lib.stride_tricks.as_strided

    def of_matrix(x, k=0):                  # a view, to NumPy too
        rows, columns = x.shape[0] + min(k, 0), x.shape[1] - max(k, 0)
        count = max(min(rows, columns), 0)
        if count == 0:
            return as_strided(x, (0,), (x.strides[0],))
        part = x[max(-k, 0):, max(k, 0):]
        return as_strided(part, (count,), (x.strides[0] + x.strides[1],))
    return of_matrix


@compiled_for(np.diagonal, methods=("diagonal",))
def np_diagonal(x, offset=0):
    if not is_array(x) or x.ndim != 2:
        return None
    return lambda x, offset=0: np_diag(x, offset)


@compiled_for(np.asarray)
def np_asarray(x):
    if is_array(x):
        return lambda x: x
    return (lambda x: np.array(x)) if isinstance(x, (types.List, types.UniTuple)) else None


@compiled_for(np.ascontiguousarray)
def np_ascontiguousarray(x):
    if not is_array(x) or not x.ndim:
        return None
    if x.layout == "C":
        return lambda x: x

    def run(x):
        if _lies_in_order(x):
            stop()                          # itself to NumPy, and a copy to Numba
        return x.copy()
    return run


@compiled_for(np.swapaxes, methods=("swapaxes",), prefer_literal=True)
def np_swapaxes(x, axis1, axis2):
    first, second = (one_axis(value_of(a), getattr(x, "ndim", 0) or 1) for a in (axis1, axis2))
    if not is_array(x) or not x.ndim or first is None or second is None:
        return None
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return _seen("x, axis1, axis2", order)


def _seen(parameters: str, order: list[int]) -> Any:
    """A view with the axes in another order."""
    shape = ", ".join(f"x.shape[{k}]" for k in order)
    strides = ", ".join(f"x.strides[{k}]" for k in order)
    return written_function([f"def run({parameters}):",
                             f"    return as_strided(x, ({shape},), ({strides},))"],
                            {"as_strided": np.lib.stride_tricks.as_strided})


@compiled_for(np.squeeze, methods=("squeeze",), prefer_literal=True)
def np_squeeze(x, axis=None):
    axis = value_of(axis)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if not is_array(x) or any(one_axis(a, x.ndim or 1) is None for a in axes):
        return None                         # without an axis the lengths say how many are left
    gone = [one_axis(a, x.ndim) for a in axes]
    kept = [k for k in range(x.ndim) if k not in gone]
    if not kept:
        return None
    shape = ", ".join(f"x.shape[{k}]" for k in kept)
    strides = ", ".join(f"x.strides[{k}]" for k in kept)
    looks = [f"    if x.shape[{k}] != 1:\n        stop()" for k in gone]
    return written_function(["def run(x, axis=None):", *looks,
                             f"    return as_strided(x, ({shape},), ({strides},))"],
                            {"as_strided": np.lib.stride_tricks.as_strided, "stop": stop})


# Adjoints -------------------------------------------------------------------------------------
@overload(runtime_shapes.reshape_like)
def _reshape_like(dy, x, order="C"):
    if value_of(order, "C") != "C" and not isinstance(order, str):
        return None
    if is_number(x):
        return (lambda dy, x, order="C": dy) if is_number(dy) else None
    if is_array(dy) and is_array(x):
        return lambda dy, x, order="C": np.ascontiguousarray(dy).reshape(x.shape)
    return None


@overload(runtime_shapes.transpose_back, prefer_literal=True)
def _transpose_back(dy, axes=None):
    if not is_array(dy):
        return None
    order = value_of(axes)
    if order is None or order == ():
        return lambda dy, axes=None: dy.T
    if len(order) == 1 and isinstance(order[0], tuple):
        order = order[0]
    places = [one_axis(a, dy.ndim) for a in order]
    if set(places) != set(range(dy.ndim)) or len(places) != dy.ndim:
        return None
    shape = ", ".join(f"dy.shape[{places.index(k)}]" for k in range(dy.ndim))
    strides = ", ".join(f"dy.strides[{places.index(k)}]" for k in range(dy.ndim))
    return written_function(["def run(dy, axes=None):",
                             f"    return as_strided(dy, ({shape},), ({strides},))"],
                            {"as_strided": np.lib.stride_tricks.as_strided})


@overload(runtime_shapes.trace_adjoint)
def _trace_adjoint(dy, x, offset=0, axis1=0, axis2=1):
    if not (is_number(dy) and is_array(x) and x.ndim == 2):
        return None

    def run(dy, x, offset=0, axis1=0, axis2=1):
        if offset != 0 or axis1 != 0 or axis2 != 1:
            stop()
        dx = np.zeros(x.shape)
        for i in range(min(x.shape[0], x.shape[1])):
            dx[i, i] = dy
        return dx
    return run


@overload(runtime_diagonals.diagonal_matmul)
def _diagonal_matmul(d, m, x):
    if not (is_array(m) and is_array(x) and m.ndim == 2 == x.ndim):
        return None
    if not is_number(d) and not (is_array(d) and d.ndim == 1):
        return None
    is_one = is_number(d)

    def run(d, m, x):
        if m.shape[1] != x.shape[1]:
            raise ValueError("matmul: sizes do not fit each other")
        z = np.zeros(x.shape)
        for i in range(min(m.shape[0], x.shape[0])):
            factor = d if is_one else d[i]
            for j in range(x.shape[1]):
                z[i, j] = m[i, j] * factor
        return z
    return run


@overload(runtime_diagonals.matmul_diagonal)
def _matmul_diagonal(m, d, x):
    if not (is_array(m) and is_array(x) and m.ndim == 2 == x.ndim):
        return None
    if not is_number(d) and not (is_array(d) and d.ndim == 1):
        return None
    is_one = is_number(d)

    def run(m, d, x):
        if m.shape[0] != x.shape[0]:
            raise ValueError("matmul: sizes do not fit each other")
        z = np.zeros(x.shape)
        for i in range(x.shape[0]):
            for j in range(min(m.shape[1], x.shape[1])):
                z[i, j] = m[i, j] * (d if is_one else d[j])
        return z
    return run


@overload(runtime_shapes.undiag)
def _undiag(dy, x, k=0):
    if not is_array(x) or not is_array(dy):
        return None
    if x.ndim == 1:
        return lambda dy, x, k=0: np_diag(dy, k).copy()
    return lambda dy, x, k=0: back_on_diagonal(dy, x, k)


@overload(runtime_shapes.undiagonal)
def _undiagonal(dy, x, offset=0):
    return lambda dy, x, offset=0: back_on_diagonal(dy, x, offset)


def back_on_diagonal(dy, x, k):
    """Zeros like a matrix x, with dy on its k-th diagonal."""


@overload(back_on_diagonal)
def _back_on_diagonal(dy, x, k):
    if not is_array(x) or x.ndim != 2 or not is_array(dy) or dy.ndim != 1:
        return None

    def run(dy, x, k):
        dx = np.zeros(x.shape)
        for i in range(dy.shape[0]):
            dx[i + max(-k, 0), i + max(k, 0)] = dy[i]
        return dx
    return run


@overload(runtime_shapes.concatenated_part, prefer_literal=True)
def _concatenated_part(dy, k, arrays, axis=0):
    if not is_array(dy) or not isinstance(arrays, types.BaseTuple) \
            or not all(is_array(a) and a.ndim == dy.ndim for a in arrays.types):
        return None
    one, number = one_axis(value_of(axis), dy.ndim), value_of(k)
    if one is None:
        return None
    return _part_of("dy, k, arrays, axis=0", number, dy.ndim, one,
                    [f"arrays[{j}].shape[{one}]" for j in range(number + 1)], False)


def _part_of(parameters: str, number: int, ndim: int, axis: int, sizes: list[str],
             is_element: bool) -> Any:
    """What lies behind the first so many sizes along an axis: as many elements as the next size
    says, or one, without the axis."""
    first = " + ".join(["0", *sizes[:number]])
    at = f"{first}" if is_element else f"{first}:{first} + {sizes[number]}"
    index = ", ".join(at if k == axis else ":" for k in range(ndim))
    return written_function([f"def run({parameters}):", f"    return dy[{index}]"], {})


@overload(runtime_shapes.joined_part, prefer_literal=True)
def _joined_part(dy, k, arrays, how):
    if not is_array(dy) or not isinstance(arrays, types.BaseTuple) \
            or not all(is_array(a) and 0 < a.ndim <= dy.ndim for a in arrays.types):
        return None
    how, number = value_of(how), value_of(k)
    axis = {"v": 0, "h": min(1, dy.ndim - 1), "c": 1}.get(how)
    if axis is None or dy.ndim > 2:
        return None
    # A vector is a row to vstack and a column to column_stack.
    sizes = [f"arrays[{j}].shape[{axis}]" if a.ndim == dy.ndim else "1"
             for j, a in enumerate(arrays.types)]
    return _part_of("dy, k, arrays, how", number, dy.ndim, axis, sizes,
                    arrays.types[number].ndim < dy.ndim)


@overload(runtime_shapes.stacked_part, prefer_literal=True)
def _stacked_part(dy, k, axis=0):
    if not is_array(dy):
        return None
    one = one_axis(value_of(axis), dy.ndim)
    if one is None:
        return None
    index = ", ".join("k" if j == one else ":" for j in range(dy.ndim))
    return written_function(["def run(dy, k, axis=0):", f"    return dy[{index}]"], {})

