"""Functions of NumPy that Numba lacks, or has for some arguments only."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_axes import counting, normal_axes, reduction
from tangent_lite.backends.numba_functions import (
    is_array,
    is_integer,
    is_none,
    is_number,
    stop,
    value_of,
)
from tangent_lite.backends.numba_overloads import compiled_for


# Reductions -----------------------------------------------------------------------------------
def _reducer(kind: str, *originals: Any, of_number: Any) -> Any:
    """sum, prod, max, min, any or all, with axis and keepdims."""
    of_all = _OF_ALL[kind]

    @compiled_for(*originals, methods=(kind,), name=f"np_{kind}", prefer_literal=True)
    def reduced(x, axis=None, keepdims=False):
        axis, keepdims = value_of(axis), value_of(keepdims)
        if is_number(x):
            return (lambda x, axis=None, keepdims=False: of_number(x)) if axis is None else None
        if not is_array(x) or (isinstance(x.dtype, types.Complex) and kind in ("max", "min")):
            return None
        axes = normal_axes(axis, x.ndim)
        is_one = len(axes) == x.ndim and not keepdims
        if isinstance(x.dtype, (types.Integer, types.Boolean)) and kind in ("sum", "prod"):
            if is_one:
                return _count(kind)
            loop = register_jitable(reduction(kind, x.ndim, axes, bool(keepdims)))
            return lambda x, axis=None, keepdims=False: loop(x.astype(np.int64))
        if is_one:
            return lambda x, axis=None, keepdims=False: of_all(x)
        loop = register_jitable(reduction(kind, x.ndim, axes, bool(keepdims)))
        return lambda x, axis=None, keepdims=False: loop(x)
    return reduced


def _count(kind: str) -> Callable[..., Any]:
    if kind == "prod":
        return lambda x, axis=None, keepdims=False: np.prod(x.astype(np.int64))
    return lambda x, axis=None, keepdims=False: np.sum(x.astype(np.int64))


@register_jitable
def _same(x):
    return x


@register_jitable
def _is_true(x):
    return x != 0


def _of_all(function: Any) -> Any:
    return register_jitable(lambda x: function(x))


_OF_ALL = {"sum": _of_all(np.sum), "prod": _of_all(np.prod), "max": _of_all(np.max),
           "min": _of_all(np.min), "any": _of_all(np.any), "all": _of_all(np.all)}
np_sum = _reducer("sum", np.sum, of_number=_same)
np_prod = _reducer("prod", np.prod, of_number=_same)
np_max = _reducer("max", np.max, np.amax, of_number=_same)
np_min = _reducer("min", np.min, np.amin, of_number=_same)
np_any = _reducer("any", np.any, of_number=_is_true)
np_all = _reducer("all", np.all, of_number=_is_true)


@compiled_for(np.mean, methods=("mean",), prefer_literal=True)
def np_mean(x, axis=None, keepdims=False):
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


def _spread(function: Any, is_root: bool) -> Any:
    """var or std."""
    name = function.__name__

    @compiled_for(function, methods=(name,), name=f"np_{name}", prefer_literal=True)
    def spread(x, axis=None, ddof=0, keepdims=False):
        axis, keepdims = value_of(axis), value_of(keepdims)
        if not is_array(x) or x.dtype != types.float64 or not x.ndim:
            return None
        axes = normal_axes(axis, x.ndim)
        total = register_jitable(reduction("sum", x.ndim, axes, True))
        is_one = len(axes) == x.ndim and not keepdims
        of_squares = _OF_ALL["sum"] if is_one else register_jitable(
            reduction("sum", x.ndim, axes, bool(keepdims)))
        return spreading_around(total, of_squares, counting(x.ndim, axes), is_root)
    return spread


def spreading_around(total: Any, of_squares: Any, counting: Any, is_root: bool) -> Any:
    """What is compiled for a variance, or its root: of the sums of what is spread, kept as axes of
    one, of the sums of the squares, and of what counts what is summed."""
    count = register_jitable(counting)

    def run(x, axis=None, ddof=0, keepdims=False):
        n = count(x)
        if n - ddof <= 0:
            stop()
        apart = x - total(x) / n
        found = of_squares(apart * apart) / (n - ddof)
        return np.sqrt(found) if is_root else found
    return run


np_var = _spread(np.var, False)
np_std = _spread(np.std, True)


# Numbers or arrays ----------------------------------------------------------------------------
@compiled_for(np.where)
def np_where(condition, x=None, y=None):
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


def _of_number_or_array(original: Any, of_number: Any, of_array: Any) -> Any:
    @compiled_for(original, name=f"np_{original.__name__}")
    def chosen(x):
        return of_number if is_number(x) else of_array if is_array(x) else None
    return chosen


np_shape = _of_number_or_array(np.shape, lambda x: (), lambda x: x.shape)
np_size = _of_number_or_array(np.size, lambda x: 1, lambda x: x.size)
np_ndim = _of_number_or_array(np.ndim, lambda x: 0, lambda x: x.ndim)


@compiled_for(np.zeros_like)
def np_zeros_like(x):
    if is_number(x):
        if isinstance(x, types.Complex):
            return lambda x: 0j
        return (lambda x: 0) if is_integer(x) else (lambda x: 0.0)
    return (lambda x: np.zeros_like(x)) if is_array(x) else None


@compiled_for(np.add.at)
def np_add_at(x, index, values):
    from tangent_lite.backends.numba_helpers import _add_at
    implementation = _add_at(x, index, values)
    if implementation is None:
        return None
    inner = register_jitable(implementation)
    return lambda x, index, values: inner(x, index, values)
