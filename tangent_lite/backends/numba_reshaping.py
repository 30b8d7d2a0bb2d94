"""np.reshape for Numba, whose own takes arrays that lie in order.

As with NumPy the result is a view wherever strides can say it, since what is written through it
shows in the array; else it is a copy.
"""
from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_functions import (
    is_array,
    is_integer,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_overloads import compiled_for


@compiled_for(np.reshape, methods=("reshape",), prefer_literal=True)
def np_reshape(a, shape, order="C"):
    parts = shape.types if isinstance(shape, types.BaseTuple) else [shape]
    if not is_array(a) or not a.ndim or not parts or not all(map(is_integer, parts)) \
            or value_of(order) != "C":
        return None
    if a.layout == "C":
        return lambda a, shape, order="C": a.reshape(shape)
    places = range(len(parts))
    each = "".join(f"shape[{k}], " for k in places) if isinstance(
        shape, types.BaseTuple) else "shape"
    lines = ["def run(a, shape, order='C'):", f"    sizes = _sizes(np.array([{each}]), a.size)",
             f"    strides = np.zeros({len(parts)}, np.int64)",
             f"    new = ({''.join(f'sizes[{k}], ' for k in places)})",
             "    if _in_strides(a, sizes, strides):",
             f"        return as_strided(a, new, ({''.join(f'strides[{k}], ' for k in places)}))",
             "    return np.ascontiguousarray(a).reshape(new)"]
    return written_function(lines, {
        "_sizes": _sizes, "_in_strides": _in_strides, "np": np,
        "as_strided": np.lib.stride_tricks.as_strided})


@register_jitable
def _sizes(sizes, count):
    """The sizes of a new shape, with -1 for one that the others say."""
    known, open_at = 1, -1
    for k in range(sizes.size):
        if sizes[k] >= 0:
            known *= sizes[k]
        elif open_at >= 0:
            raise ValueError("can only specify one unknown dimension")
        else:
            open_at = k
    if open_at >= 0 and known:
        sizes[open_at] = count // known
        known *= sizes[open_at]
    if known != count or (open_at >= 0 and sizes[open_at] < 0):
        raise ValueError("cannot reshape an array into a shape of another size")
    return sizes


@register_jitable
def _in_strides(x, sizes, strides):
    """Whether strides can say the new shape, and these: axes that become others together lie one
    behind the other. As NumPy does it (`_attempt_nocopy_reshape`)."""
    if not x.size:
        return False
    old = [(x.shape[k], x.strides[k]) for k in range(x.ndim) if x.shape[k] != 1]
    at, new_at = 0, 0
    while at < len(old) and new_at < sizes.size:
        end, new_end = at + 1, new_at + 1
        size, new_size = old[at][0], sizes[new_at]
        while size != new_size:
            if new_size < size:
                new_size *= sizes[new_end]
                new_end += 1
            else:
                size *= old[end][0]
                end += 1
        for k in range(at, end - 1):
            if old[k][1] != old[k + 1][0] * old[k + 1][1]:
                return False
        step = old[end - 1][1]
        for k in range(new_end - 1, new_at - 1, -1):
            strides[k] = step
            step *= sizes[k]
        at, new_at = end, new_end
    for k in range(new_at, sizes.size):         # of one item each
        strides[k] = x.itemsize
    return True
