"""What is written to, and added at, places that an array names: `o[idx] = v`, `A[:, idx]`.

`numba_helpers` adds at places of the first axis. Here are tuples with arrays in them, and what the
adjoint of a written part needs to know: where a place is named twice the last number stays.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    is_array,
    is_number,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_overloads import compiled_for


@register_jitable
def _place(k, length):
    """A place counted from the front."""
    at = k + length if k < 0 else k
    if at < 0 or at >= length:
        raise IndexError("an index out of bounds")
    return at


def _is_places(kind: Any) -> bool:
    """Whether a type is that of a vector of ints."""
    return is_array(kind) and kind.ndim == 1 and isinstance(kind.dtype, types.Integer)


def _is_table(kind: Any) -> bool:
    """Whether a type is that of ints along several axes."""
    return is_array(kind) and kind.ndim > 1 and isinstance(kind.dtype, types.Integer)


def _names_once(index: Any) -> bool:
    """Whether an index names each element once: slices, positions, tuples of these."""
    parts = index.types if isinstance(index, types.BaseTuple) else [index]
    return any(isinstance(part, types.SliceType) for part in parts) and all(
        isinstance(part, (types.SliceType, types.Integer)) for part in parts)


@compiled_for(np.diag_indices, prefer_literal=True)
def np_diag_indices(n, ndim=2):
    if not isinstance(n, types.Integer) or value_of(ndim) != 2:
        return None

    def of_matrix(n, ndim=2):
        places = np.arange(n)
        return places, places
    return of_matrix


@compiled_for(np.diag_indices_from)
def np_diag_indices_from(arr):
    if not is_array(arr) or arr.ndim != 2:
        return None

    def of_matrix(arr):
        if arr.shape[0] != arr.shape[1]:
            raise ValueError("All dimensions of input must be of equal length")
        places = np.arange(arr.shape[0])
        return places, places
    return of_matrix


@overload(runtime.last_written)
def _last_written(bx, index):
    if not is_array(bx) or not bx.ndim:
        return None
    if _names_once(index):
        return lambda bx, index: bx[index].copy()
    if _is_places(index):
        def of_rows(bx, index):
            taken = bx[index]
            winner = np.zeros(bx.shape[0], np.int64)
            for k in range(index.shape[0]):
                winner[_place(index[k], bx.shape[0])] = k
            for k in range(index.shape[0]):
                if winner[_place(index[k], bx.shape[0])] != k:
                    taken[k] = 0.0
            return taken
        return of_rows
    if isinstance(index, types.BaseTuple):
        found = _ways(index, bx.ndim)
        if found is None:
            return None
        # As NumPy counts them: the numbers of the elements where they are written, and read back.
        return written_function(
            ["def of_parts(bx, index):", *found.lines, "    winner = np.zeros(bx.shape, np.int64)",
             f"    taken = np.zeros({found.shape})", "    count = 0",
             *found.loop([f"winner[{found.place}] = count", "count += 1"]), "    count = 0",
             *found.loop([f"if winner[{found.place}] == count:",
                          f"    taken[{found.spot}] = bx[{found.place}]", "count += 1"]),
             "    return taken"], {"np": np, "at": _place})
    return None


@overload(runtime.add_at)
def _add_at(bx, index, dy):
    if is_array(bx) and _names_once(index):
        def where_slices_say(bx, index, dy):
            bx[index] += dy
        return where_slices_say
    if is_array(bx) and _is_table(index) and is_array(dy) \
            and dy.ndim == index.ndim + bx.ndim - 1:
        def of_rows(bx, index, dy):
            places = np.ascontiguousarray(index).reshape(-1)
            parts = np.ascontiguousarray(dy).reshape((places.size, *bx.shape[1:]))
            runtime.add_at(bx, places, parts)
        return of_rows
    if not is_array(bx) or not isinstance(index, types.BaseTuple):
        return None
    if isinstance(index, types.UniTuple) and is_array(index.dtype) and bx.ndim == index.count == 2:
        return None                                         # of `numba_helpers`
    found = _ways(index, bx.ndim)
    if found is None or not (is_number(dy) or (is_array(dy) and dy.ndim == found.rank)):
        return None
    value = "dy" if is_number(dy) else f"dy[{found.spot}]"
    looks = [] if is_number(dy) else [
        f"    if dy.shape != {found.shape}:", "        raise ValueError('shapes that do not fit')"]
    return written_function(
        ["def run(bx, index, dy):", *found.lines, *looks,
         *found.loop([f"bx[{found.place}] += {value}"])], {"at": _place})


class _Ways:
    """How to go over the places that an index names: loops, and what stands in them.

    place: the index into the array; spot: that of the result; shape: its text.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.counts: list[str] = []
        self.places: list[str] = []

    @property
    def rank(self) -> int:
        return len(self.counts)

    @property
    def place(self) -> str:
        return ", ".join(self.places)

    @property
    def spot(self) -> str:
        return ", ".join(f"i{k}" for k in range(self.rank))

    @property
    def shape(self) -> str:
        return f"({', '.join(self.counts)},)"

    def loop(self, body: list[str]) -> list[str]:
        lines = [f"{'    ' * (k + 1)}for i{k} in range({count}):"
                 for k, count in enumerate(self.counts)]
        return lines + ["    " * (self.rank + 1) + line for line in body]


def _ways(index: Any, rank: int) -> _Ways | None:
    """The ways that a tuple says; None for what is not written here: masks, arrays of several axes,
    and ints beside slices, whose axes NumPy puts in front."""
    kinds = list(index.types)
    vectors = [k for k, kind in enumerate(kinds) if _is_places(kind)]
    slices = [k for k, kind in enumerate(kinds) if isinstance(kind, types.SliceType)]
    ints = [k for k, kind in enumerate(kinds) if isinstance(kind, types.Integer)]
    if not vectors or len(vectors) + len(slices) + len(ints) != len(kinds) or len(kinds) > rank:
        return None
    inner = bool(slices) or len(kinds) < rank
    if inner and (ints or len(vectors) > 1):
        return None
    ways = _Ways()
    for axis in range(rank):
        number = len(ways.counts)
        if axis in vectors:
            if axis == vectors[0]:
                ways.counts.append(f"index[{axis}].shape[0]")
            else:
                number = 0
                ways.lines += [f"    if index[{axis}].shape[0] != index[{vectors[0]}].shape[0]:",
                               "        raise IndexError('vectors of several lengths')"]
            ways.places.append(f"at(index[{axis}][i{number}], bx.shape[{axis}])")
        elif axis in ints:
            ways.places.append(f"at(index[{axis}], bx.shape[{axis}])")
        elif axis in slices:
            ways.lines += [f"    first{axis}, end{axis}, step{axis} = "
                           f"index[{axis}].indices(bx.shape[{axis}])"]
            ways.counts.append(f"len(range(first{axis}, end{axis}, step{axis}))")
            ways.places.append(f"first{axis} + i{number} * step{axis}")
        else:
            ways.counts.append(f"bx.shape[{axis}]")
            ways.places.append(f"i{number}")
    return ways
