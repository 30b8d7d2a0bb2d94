"""Functions of NumPy that Numba lacks, or has for some arguments only."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_axes import counting, normal_axes, reduction
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    instead_of,
    is_array,
    is_integer,
    is_none,
    is_number,
    stop,
    value_of,
)


# Reductions -----------------------------------------------------------------------------------
def _reducer(kind: str, numpy_function: Any, on_number: Any) -> Any:
    """sum, prod, max, min, any or all, with axis and keepdims."""
    def stub(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return numpy_function(x, axis=axis, keepdims=keepdims)

    of_all = _OF_ALL[kind]

    @overload(stub, prefer_literal=True)
    def reduced(x, axis=None, keepdims=False):
        axis, keepdims = value_of(axis), value_of(keepdims)
        if is_number(x):
            return (lambda x, axis=None, keepdims=False: on_number(x)) if axis is None else None
        if not is_array(x):
            return None
        if isinstance(x.dtype, (types.Integer, types.Boolean)) and kind in ("sum", "prod"):
            axes = normal_axes(axis, x.ndim)
            if len(axes) == x.ndim and not keepdims:
                return _count(kind)
            loop = register_jitable(reduction(kind, x.ndim, axes, bool(keepdims)))
            return lambda x, axis=None, keepdims=False: loop(x.astype(np.int64))
        if isinstance(x.dtype, types.Complex) and kind in ("max", "min"):
            return None
        axes = normal_axes(axis, x.ndim)
        if len(axes) == x.ndim and not keepdims:
            return lambda x, axis=None, keepdims=False: of_all(x)
        loop = register_jitable(reduction(kind, x.ndim, axes, bool(keepdims)))
        return lambda x, axis=None, keepdims=False: loop(x)

    stub.__name__ = stub.__qualname__ = f"np_{kind}"
    return stub


def _count(kind: str) -> Callable[..., Any]:
    if kind == "prod":
        return lambda x, axis=None, keepdims=False: np.prod(x.astype(np.int64))
    return lambda x, axis=None, keepdims=False: np.sum(x.astype(np.int64))


@register_jitable
def _sum_of_all(x):
    return np.sum(x)


@register_jitable
def _prod_of_all(x):
    return np.prod(x)


@register_jitable
def _max_of_all(x):
    return np.max(x)


@register_jitable
def _min_of_all(x):
    return np.min(x)


@register_jitable
def _any_of_all(x):
    return np.any(x)


@register_jitable
def _all_of_all(x):
    return np.all(x)


@register_jitable
def _same(x):
    return x


@register_jitable
def _is_true(x):
    return x != 0


_OF_ALL = {"sum": _sum_of_all, "prod": _prod_of_all, "max": _max_of_all, "min": _min_of_all,
           "any": _any_of_all, "all": _all_of_all}
np_sum = instead_of(np.sum, methods=("sum",))(_reducer("sum", np.sum, _same))
np_prod = instead_of(np.prod, methods=("prod",))(_reducer("prod", np.prod, _same))
np_max = instead_of(np.max, np.amax, methods=("max",))(_reducer("max", np.max, _same))
np_min = instead_of(np.min, np.amin, methods=("min",))(_reducer("min", np.min, _same))
np_any = instead_of(np.any, methods=("any",))(_reducer("any", np.any, _is_true))
np_all = instead_of(np.all, methods=("all",))(_reducer("all", np.all, _is_true))


@instead_of(np.mean, methods=("mean",))
def np_mean(x, axis=None, keepdims=False):
    return np.mean(x, axis=axis, keepdims=keepdims)


@overload(np_mean, prefer_literal=True)
def _np_mean(x, axis=None, keepdims=False):
    axis, keepdims = value_of(axis), value_of(keepdims)
    if is_number(x):
        return lambda x, axis=None, keepdims=False: x * 1.0
    if not is_array(x):
        return None
    axes = normal_axes(axis, x.ndim)
    if len(axes) == x.ndim and not keepdims:
        if isinstance(x.dtype, (types.Integer, types.Boolean)):
            return lambda x, axis=None, keepdims=False: np.mean(x.astype(np.float64))
        return lambda x, axis=None, keepdims=False: np.mean(x)
    if not isinstance(x.dtype, (types.Float, types.Complex)):
        return None
    loop = register_jitable(reduction("sum", x.ndim, axes, bool(keepdims)))
    if len(axes) == 1:
        one = axes[0]
        return lambda x, axis=None, keepdims=False: loop(x) / x.shape[one]
    count = register_jitable(counting(x.ndim, axes))
    return lambda x, axis=None, keepdims=False: loop(x) / count(x)


def _spread(numpy_function: Any, is_root: bool) -> Any:
    """var or std."""
    def stub(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
        return numpy_function(x, axis, ddof=ddof, keepdims=keepdims)

    @overload(stub, prefer_literal=True)
    def typed(x, axis=None, ddof=0, keepdims=False):
        axis, keepdims = value_of(axis), value_of(keepdims)
        if not is_array(x) or x.dtype != types.float64 or not x.ndim:
            return None
        axes = normal_axes(axis, x.ndim)
        total = register_jitable(reduction("sum", x.ndim, axes, True))
        count = register_jitable(counting(x.ndim, axes))
        is_one = len(axes) == x.ndim and not keepdims
        of_squares = _sum_of_all if is_one else register_jitable(
            reduction("sum", x.ndim, axes, bool(keepdims)))

        def run(x, axis=None, ddof=0, keepdims=False):
            n = count(x)
            if n - ddof <= 0:
                stop()
            apart = x - total(x) / n
            found = of_squares(apart * apart) / (n - ddof)
            return np.sqrt(found) if is_root else found
        return run

    stub.__name__ = stub.__qualname__ = f"np_{numpy_function.__name__}"
    return stub


np_var = instead_of(np.var, methods=("var",))(_spread(np.var, False))
np_std = instead_of(np.std, methods=("std",))(_spread(np.std, True))


# Numbers or arrays ----------------------------------------------------------------------------
@instead_of(np.where)
def np_where(condition, x=None, y=None):
    return np.where(condition) if x is None else np.where(condition, x, y)


@overload(np_where)
def _np_where(condition, x=None, y=None):
    if is_none(x):
        return lambda condition, x=None, y=None: np.nonzero(condition)
    if is_number(condition) and is_number(x) and is_number(y):
        if is_integer(x) and is_integer(y):
            return lambda condition, x=None, y=None: x if condition else y
        return lambda condition, x=None, y=None: x * 1.0 if condition else y * 1.0
    if is_number(condition):
        # An array may be what is chosen; the result has the shape of both.
        return lambda condition, x=None, y=None: np.where(np.full(np_shape(x + y), condition), x, y)
    return lambda condition, x=None, y=None: np.where(condition, x, y)


@instead_of(np.shape)
def np_shape(x):
    return np.shape(x)


@overload(np_shape)
def _np_shape(x):
    if is_number(x):
        return lambda x: ()
    return (lambda x: x.shape) if is_array(x) else None


@instead_of(np.size)
def np_size(x):
    return np.size(x)


@overload(np_size)
def _np_size(x):
    if is_number(x):
        return lambda x: 1
    return (lambda x: x.size) if is_array(x) else None


@instead_of(np.ndim)
def np_ndim(x):
    return np.ndim(x)


@overload(np_ndim)
def _np_ndim(x):
    if is_number(x):
        return lambda x: 0
    return (lambda x: x.ndim) if is_array(x) else None


@instead_of(np.zeros_like)
def np_zeros_like(x):
    return np.zeros_like(x)


@overload(np_zeros_like)
def _np_zeros_like(x):
    if is_number(x):
        if isinstance(x, types.Complex):
            return lambda x: 0j
        return (lambda x: 0) if is_integer(x) else (lambda x: 0.0)
    return (lambda x: np.zeros_like(x)) if is_array(x) else None


@instead_of(np.add.at)
def np_add_at(x, index, values):
    np.add.at(x, index, values)


@overload(np_add_at)
def _np_add_at(x, index, values):
    from tangent_lite.backends.numba_helpers import _add_at
    implementation = _add_at(x, index, values)
    if implementation is None:
        return None
    inner = register_jitable(implementation)
    return lambda x, index, values: inner(x, index, values)
