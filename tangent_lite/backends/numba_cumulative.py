"""Sums and products from the front, products of others, differences, along an axis, for Numba."""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import instead_of, is_array, value_of
from tangent_lite.backends.numba_lines import (
    along,
    cumulated,
    cumulated_back,
    for_each_line,
    is_float_array,
    is_int_array,
    multiplied,
    multiplied_back,
    one_axis,
    products_of_all_others,
)
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.runtime import reductions as runtime_reductions


def _from_the_front(numpy_function: Any, line: Any) -> Any:
    """cumsum or cumprod."""
    def stub(x: Any, axis: Any = None) -> Any:
        return numpy_function(x, axis)

    @overload(stub, prefer_literal=True)
    def typed(x, axis=None):
        if is_array(x) and x.ndim and isinstance(x.dtype, types.Boolean):   # counts them
            return lambda x, axis=None: stub(x.astype(np.int64), axis)
        return for_each_line(line, x, axis, flat=True, of_ints=True)

    stub.__name__ = stub.__qualname__ = f"np_{numpy_function.__name__}"
    return stub


np_cumsum = instead_of(np.cumsum, methods=("cumsum",))(_from_the_front(np.cumsum, cumulated))
np_cumprod = instead_of(np.cumprod, methods=("cumprod",))(_from_the_front(np.cumprod, multiplied))


@overload(runtime_reductions.uncumsum, prefer_literal=True)
def _uncumsum(dy, x, axis=None):
    if not (is_array(dy) and is_array(x)) or not x.ndim:
        return None
    where = value_of(axis)
    if where is None:
        flat = along(cumulated_back, 1, 0, dtype="np.float64")
        return lambda dy, x, axis=None: flat(dy.flatten(), x.size).reshape(x.shape)
    one = one_axis(where, x.ndim)
    if one is None or dy.ndim != x.ndim:
        return None
    lifted = along(cumulated_back, x.ndim, one, dtype="np.float64")
    return lambda dy, x, axis=None: lifted(dy, x.shape[one])


@overload(runtime_reductions.cumprod_adjoint, prefer_literal=True)
def _cumprod_adjoint(dy, x, axis=None):
    if not (is_array(dy) and is_float_array(x)):
        return None
    where = value_of(axis)
    if where is None:
        flat = along(multiplied_back, 1, 0, 2)
        return lambda dy, x, axis=None: flat(dy.flatten(), x.flatten(), x.size).reshape(x.shape)
    one = one_axis(where, x.ndim)
    if one is None or dy.ndim != x.ndim:
        return None
    lifted = along(multiplied_back, x.ndim, one, 2)
    return lambda dy, x, axis=None: lifted(dy, x, x.shape[one])


@overload(runtime_reductions.products_of_others, prefer_literal=True)
def _products_of_others(x, axis=None):
    return for_each_line(products_of_all_others, x, axis)


# Differences ------------------------------------------------------------------------------------
@register_jitable
def differences(x, out):
    for k in range(out.shape[0]):
        out[k] = x[k + 1] - x[k]


@register_jitable
def differences_between_zeros(x, out):
    before = 0.0
    for k in range(x.shape[0]):
        out[k] = x[k] - before
        before = x[k]
    out[x.shape[0]] = 0.0 - before


@compiled_for(np.diff, prefer_literal=True)
def np_diff(a, n=1, axis=-1, prepend=None, append=None):
    times, one = value_of(n), one_axis(value_of(axis), getattr(a, "ndim", 0) or 1)
    if not (is_float_array(a) or is_int_array(a)) or one is None or type(times) is not int \
            or times < 0:
        return None
    if times == 1 and is_float_array(a) and all(
            isinstance(end, types.IntegerLiteral) and end.literal_value == 0
            for end in (prepend, append)):      # as adjoints of differences are
        ended = along(differences_between_zeros, a.ndim, one)
        return lambda a, n=1, axis=-1, prepend=None, append=None: ended(a, a.shape[one] + 1)
    if not all(isinstance(end, types.Omitted) or end is None for end in (prepend, append)):
        return None                             # with other ends it is NumPy's own (numba_called)
    lifted = along(differences, a.ndim, one)

    def run(a, n=1, axis=-1, prepend=None, append=None):
        y = a.copy()
        for _ in range(times):
            y = lifted(y, max(y.shape[one] - 1, 0))
        return y
    return run
