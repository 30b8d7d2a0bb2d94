"""Linear algebra of matrices and its adjoints, for Numba.

Stacks of matrices are not here, and neither are vectors that are only determined up to their sign
(eigenvectors, singular vectors), which Numba's LAPACK may turn otherwise than NumPy's.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_axes import reduction
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    is_array,
    is_number,
    stop,
    value_of,
)
from tangent_lite.backends.numba_lines import one_axis
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.runtime import factors as runtime_factors
from tangent_lite.runtime import linalg as runtime_linalg
from tangent_lite.runtime import reductions as runtime_reductions


def is_matrix(*kinds: Any) -> bool:
    return all(is_array(k) and k.ndim == 2 and k.dtype == types.float64 for k in kinds)


def is_vector(*kinds: Any) -> bool:
    return all(is_array(k) and k.ndim == 1 and k.dtype == types.float64 for k in kinds)


@overload(runtime_linalg.transposed)
@overload(runtime_linalg.dagger)
def _transposed(x):
    return (lambda x: x.T) if is_matrix(x) else None


@overload(runtime_linalg.hermitian_part)
def _hermitian_part(x):
    return (lambda x: 0.5 * (x + x.T)) if is_matrix(x) else None


@overload(runtime_linalg.solve_transposed)
def _solve_transposed(a, dz, b):
    if is_matrix(a) and (is_vector(dz, b) or is_matrix(dz, b)):
        return lambda a, dz, b: np.linalg.solve(a.T, dz)
    return None


@overload(runtime_linalg.solve_outer)
def _solve_outer(t, z, b):
    if is_vector(t, z, b):
        return lambda t, z, b: np.outer(t, z)
    return (lambda t, z, b: np.dot(t, z.T)) if is_matrix(t, z, b) else None


@overload(runtime_linalg.cofactors)
def _cofactors(y, a):
    if not is_matrix(a) or not is_number(y):
        return None

    def run(y, a):
        if y == 0:
            stop()                          # by singular values, in Python
        return y * np.linalg.inv(a).T
    return run


@overload(runtime_linalg.pinv_adjoint)
def _pinv_adjoint(dy, y, a, hermitian=False):
    if not is_matrix(dy, y, a) or value_of(hermitian):
        return None

    def run(dy, y, a, hermitian=False):
        yt, w = np.ascontiguousarray(y.T), np.ascontiguousarray(dy.T)
        rows = w - a @ (y @ w)
        columns = w - (w @ y) @ a
        return -yt @ dy @ yt + rows @ y @ yt + yt @ y @ columns
    return run


@overload(runtime_factors.cholesky_adjoint)
def _cholesky_adjoint(dfactor, factor, upper=False):
    if not is_matrix(dfactor, factor) or value_of(upper):
        return None

    def run(dfactor, factor, upper=False):
        low = np.ascontiguousarray(factor)
        lowt = np.ascontiguousarray(low.T)
        inner = np.tril(lowt @ dfactor)
        for k in range(inner.shape[0]):
            inner[k, k] *= 0.5
        inner = 0.5 * (inner + inner.T)
        half = np.linalg.solve(lowt, np.ascontiguousarray(np.linalg.solve(lowt, inner).T))
        return np.ascontiguousarray(half.T)
    return run


# Norms ------------------------------------------------------------------------------------------
def _order_of_norm(ord: Any, is_vector: bool) -> Any:
    """1 or 2 for the norm of vectors, 2 for that of all elements, else None."""
    ord = value_of(ord)
    if ord is None or (ord == "fro" and not is_vector) or (ord == 2 and is_vector):
        return 2
    return 1 if is_vector and ord == 1 else None


@compiled_for(np.linalg.norm, prefer_literal=True)
def np_norm(x, ord=None, axis=None, keepdims=False):
    way = _way(x, ord, axis)
    if way is None:
        return None
    order, axes = way
    keepdims = value_of(keepdims)
    if len(axes) == x.ndim and not keepdims:
        if order == 2:
            return lambda x, ord=None, axis=None, keepdims=False: np.sqrt(np.sum(x * x))
        return lambda x, ord=None, axis=None, keepdims=False: np.sum(np.abs(x))
    loop = register_jitable(reduction("sum", x.ndim, axes, bool(keepdims)))
    if order == 2:
        return lambda x, ord=None, axis=None, keepdims=False: np.sqrt(loop(x * x))
    return lambda x, ord=None, axis=None, keepdims=False: loop(np.abs(x))


def _way(x, ord, axis):
    """The order of a norm and the axes it takes together; None for norms by singular values and
    others that are not here."""
    if not is_array(x) or x.dtype != types.float64 or not x.ndim:
        return None
    axis = value_of(axis)
    if isinstance(axis, tuple):
        found = [one_axis(a, x.ndim) for a in axis]
        if None in found or len(set(found)) != len(found) or not 1 <= len(found) <= 2:
            return None
        axes: tuple[Any, ...] = tuple(sorted(found))
    elif axis is None:
        if x.ndim > 2 and value_of(ord) is not None:
            return None
        axes = tuple(range(x.ndim))
    else:
        one = one_axis(axis, x.ndim)
        if one is None:
            return None
        axes = (one,)
    order = _order_of_norm(ord, len(axes) == 1)
    return None if order is None else (order, axes)


@overload(runtime_reductions.norm_slope, prefer_literal=True)
def _norm_slope(y, x, ord=None, axis=None, keepdims=False):
    way = _way(x, ord, axis)
    if way is None:
        return None
    order, axes = way
    if order == 1:
        return lambda y, x, ord=None, axis=None, keepdims=False: np.sign(x) * 1.0
    total = register_jitable(reduction("sum", x.ndim, axes, True))

    def along_it(y, x, ord=None, axis=None, keepdims=False):
        length = np.sqrt(total(x * x))
        # 0 where the norm is 0.
        return x / np.where(length == 0.0, 1.0, length)
    return along_it
