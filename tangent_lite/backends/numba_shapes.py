"""Functions that move elements, and their adjoints, for Numba.

Where NumPy gives a view that Numba would make a copy of, the call is refused, or stops: what is
written through a view shows in the array.
"""
from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from tangent_lite import (
    runtime,
    runtime_diagonals,
    runtime_products,
    runtime_reductions,
    runtime_shapes,
)
from tangent_lite.backends.numba_functions import (
    instead_of,
    is_array,
    is_integer,
    is_number,
    stop,
    value_of,
)


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
@instead_of(np.ravel, methods=("ravel",))
def np_ravel(x):
    return np.ravel(x)


@overload(np_ravel)
def _np_ravel(x):
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


@instead_of(np.copy)
def np_copy(x):
    return np.copy(x)


@overload(np_copy)
def _np_copy(x):
    return (lambda x: x.copy()) if is_array(x) else None


@instead_of(np.diag)
def np_diag(x, k=0):
    return np.diag(x, k)


@overload(np_diag)
def _np_diag(x, k=0):
    # Of a matrix NumPy gives a view.
    return (lambda x, k=0: np.diag(x, k)) if is_array(x) and x.ndim == 1 else None


@instead_of(np.asarray, np.ascontiguousarray)
def np_asarray(x):
    return np.asarray(x)


@overload(np_asarray)
def _np_asarray(x):
    return (lambda x: x) if is_array(x) and x.layout == "C" else None


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


@overload(runtime_shapes.transpose_back)
def _transpose_back(dy, axes=None):
    if is_array(dy) and ((dy.ndim < 3 and value_of(axes) is None) or dy.ndim == 1):
        return lambda dy, axes=None: dy.T
    return None


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
    if is_array(x) and x.ndim == 1 and value_of(k) == 0:
        return lambda dy, x, k=0: np.diag(dy)
    return None


@overload(runtime_shapes.concatenated_part)
def _concatenated_part(dy, k, arrays, axis=0):
    if not is_array(dy) or not isinstance(arrays, types.BaseTuple) or dy.ndim > 2:
        return None
    if dy.ndim == 1:
        def of_vectors(dy, k, arrays, axis=0):
            first, n = 0, 0
            for number, one in enumerate(_sizes(arrays)):
                if number < k:
                    first += one
                elif number == k:
                    n = one
            return dy[first:first + n]
        return of_vectors if all(is_array(a) and a.ndim == 1 for a in arrays) else None
    return None


def _sizes(arrays):
    return tuple(a.shape[0] for a in arrays)


@overload(_sizes)
def _overload_sizes(arrays):
    if len(arrays) == 1:
        return lambda arrays: (arrays[0].shape[0],)
    return lambda arrays: (arrays[0].shape[0],) + _sizes(arrays[1:])


@overload(runtime_shapes.stacked_part)
def _stacked_part(dy, k, axis=0):
    if is_array(dy) and value_of(axis, 0) == 0:
        return lambda dy, k, axis=0: dy[k]
    return None


@overload(runtime_shapes.parts_like)
def _parts_like(dy, x):
    if is_array(dy) and is_array(x):
        return lambda dy, x: dy
    return None
