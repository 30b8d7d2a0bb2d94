"""Lists of arrays that are joined (np.concatenate, np.stack, np.vstack), and their adjoints, for
Numba, which itself joins tuples.

The arrays of a list have one type, and so the same number of axes.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.np.numpy_support import as_dtype

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import is_array, value_of, written_function
from tangent_lite.backends.numba_lines import one_axis
from tangent_lite.backends.numba_overloads import by_types
from tangent_lite.runtime import shapes as runtime_shapes


# What the user joins -----------------------------------------------------------------------------
def _rank_of_list(arrays: Any) -> int | None:
    is_list = isinstance(arrays, types.List) and is_array(arrays.dtype)
    return arrays.dtype.ndim if is_list else None


@by_types(np.stack, prefer_literal=True)
def stack_list(arrays, axis=0):
    if isinstance(arrays, types.BaseTuple):
        return lambda arrays, axis=0: np.stack(arrays, axis)
    rank = _rank_of_list(arrays)
    one = one_axis(value_of(axis), rank + 1) if rank else None
    return None if one is None else _stacked("arrays, axis=0", arrays, one)


@by_types(np.concatenate, prefer_literal=True)
def concatenate_list(arrays, axis=0):
    if isinstance(arrays, types.BaseTuple):
        return lambda arrays, axis=0: np.concatenate(arrays, axis)
    rank = _rank_of_list(arrays)
    one = one_axis(value_of(axis), rank) if rank else None
    return None if one is None else _concatenated("arrays, axis=0", arrays, one)


@by_types(np.vstack)
def vstack_list(arrays):
    return _joined(arrays, "v", lambda arrays: np.vstack(arrays))


@by_types(np.hstack)
def hstack_list(arrays):
    return _joined(arrays, "h", lambda arrays: np.hstack(arrays))


@by_types(np.column_stack)
def column_stack_list(arrays):
    return _joined(arrays, "c", lambda arrays: np.column_stack(arrays))


# Compiled code calls these where it is given no display of arrays.
OF_LISTS: dict[Any, Any] = {
    np.stack: stack_list, np.concatenate: concatenate_list, np.vstack: vstack_list,
    np.hstack: hstack_list, np.column_stack: column_stack_list}


def _joined(arrays: Any, how: str, of_tuple: Any) -> Any:
    if isinstance(arrays, types.BaseTuple):
        return of_tuple
    rank = _rank_of_list(arrays)
    if rank not in _AXIS:
        return None
    makes_rows = rank == 1 and how != "h"
    return (_stacked if makes_rows else _concatenated)("arrays", arrays, _AXIS[rank][how])


# A vector is a row to vstack, a column to column_stack, and behind the others to hstack.
_AXIS = {1: {"v": 0, "h": 0, "c": 1}, 2: {"v": 0, "h": 1, "c": 1}}


def _stacked(parameters: str, arrays: Any, axis: int) -> Any:
    ndim = arrays.dtype.ndim + 1
    sizes = [f"shape[{k}]" for k in range(ndim - 1)]
    sizes.insert(axis, "len(arrays)")
    return _filled(parameters, arrays, sizes, [
        "    for k in range(len(arrays)):", "        if arrays[k].shape != shape:",
        "            raise ValueError('all input arrays must have the same shape')",
        f"        out[{_at(ndim, axis, 'k')}] = arrays[k]"])


def _concatenated(parameters: str, arrays: Any, axis: int) -> Any:
    ndim = arrays.dtype.ndim
    sizes = [f"shape[{k}]" if k != axis else "total" for k in range(ndim)]
    others = [f"array.shape[{k}] != shape[{k}]" for k in range(ndim) if k != axis]
    looks = [f"        if {' or '.join(others)}:",
             "            raise ValueError('arrays of several shapes')"] if others else []
    return _filled(parameters, arrays, sizes, [
        "    start = 0", "    for array in arrays:", f"        stop = start + array.shape[{axis}]",
        f"        out[{_at(ndim, axis, 'start:stop')}] = array", "        start = stop"], [
        "    total = 0", "    for array in arrays:", *looks,
        f"        total += array.shape[{axis}]"])


def _filled(parameters: str, arrays: Any, sizes: list[str], filling: list[str],
            first: list[str] | None = None) -> Any:
    return written_function(
        [f"def run({parameters}):", "    if not len(arrays):",
         "        raise ValueError('need at least one array')", "    shape = arrays[0].shape",
         *(first or []), f"    out = empty(({', '.join(sizes)},), dtype=kind)", *filling,
         "    return out"], {"empty": np.empty, "kind": as_dtype(arrays.dtype.dtype)})


# Their adjoints ----------------------------------------------------------------------------------
def _rank(dy: Any, arrays: Any) -> int | None:
    """The number of axes of the arrays in a list; None if it is something else."""
    known = is_array(dy) and isinstance(arrays, (types.List, types.UniTuple)) \
        and is_array(arrays.dtype)
    return arrays.dtype.ndim if known else None


def _at(ndim: int, axis: int, part: str) -> str:
    return ", ".join(part if k == axis else ":" for k in range(ndim))


def _one_behind_the_other(parameters: str, ndim: int, axis: int) -> Any:
    """What lies along an axis, as much of it as each array takes."""
    return written_function(
        [f"def run({parameters}):", "    found = []", "    start = 0", "    for array in arrays:",
         f"        stop = start + array.shape[{axis}]",
         f"        found.append(dy[{_at(ndim, axis, 'start:stop')}].copy())",
         "        start = stop", "    return found"], {})


def _one_each(parameters: str, ndim: int, axis: int) -> Any:
    """What lies at each place of an axis."""
    return written_function(
        [f"def run({parameters}):",
         f"    return [dy[{_at(ndim, axis, 'k')}].copy() for k in range(len(arrays))]"], {})


@overload(runtime_shapes.stacked_parts, prefer_literal=True)
def _stacked_parts(dy, arrays, axis=0):
    rank = _rank(dy, arrays)
    if rank is None or dy.ndim != rank + 1:
        return None
    one = one_axis(value_of(axis), dy.ndim)
    return None if one is None else \
        _one_each("dy, arrays, axis=0", dy.ndim, one)


@overload(runtime_shapes.concatenated_parts, prefer_literal=True)
def _concatenated_parts(dy, arrays, axis=0):
    rank = _rank(dy, arrays)
    if rank is None or dy.ndim != rank:
        return None
    one = one_axis(value_of(axis), dy.ndim)
    return None if one is None else \
        _one_behind_the_other("dy, arrays, axis=0", dy.ndim, one)


@overload(runtime_shapes.joined_parts, prefer_literal=True)
def _joined_parts(dy, arrays, how):
    rank = _rank(dy, arrays)
    axis = _AXIS.get(rank or 0, {}).get(value_of(how))
    if axis is None:
        return None
    each = rank == 1 and value_of(how) != "h"
    return (_one_each if each else _one_behind_the_other)("dy, arrays, how", dy.ndim, axis)
