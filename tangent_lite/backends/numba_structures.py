"""Adjoints of lists, tuples and dicts: what `runtime` does with them, for Numba.

The adjoint of a list, and of a tuple with parts of one type, is a list of Numba; that of another
tuple, and of a dict, is one of `numba_cells`. Arrays in them are made in the order of C, whatever
order those of the arguments lie in.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_cells import (
    CellsType,
    NamedCellsType,
    TupleCellsType,
    cells_type,
    maker,
    named_cells_type,
)
from tangent_lite.backends.numba_containers import is_record, record_fields
from tangent_lite.backends.numba_functions import is_array, is_number

# What does not vary: its adjoint is a number that nobody reads.
_FIXED = (types.UnicodeType, types.NoneType, types.EnumMember)


def adjoint_type(kind: Any) -> Any:
    """The type of `zeros_like` of a value of this type; None if it is not known."""
    if isinstance(kind, types.Complex):
        return types.complex128
    if is_array(kind):
        dtype = kind.dtype if isinstance(kind.dtype, types.Complex) else types.float64
        return types.Array(dtype, kind.ndim, "C")
    if is_number(kind) or isinstance(kind, _FIXED):
        return types.float64
    if isinstance(kind, types.List):
        item = adjoint_type(kind.dtype)
        return None if item is None else types.List(item)
    parts = parts_of(kind)
    adjoints = [adjoint_type(part) for part in parts.kinds]
    if not adjoints or None in adjoints:
        return None
    if parts.names is not None:
        return named_cells_type(parts.names, adjoints)
    return types.List(adjoints[0]) if len(set(adjoints)) == 1 else \
        cells_type(adjoints, stands_for_tuple(kind))


class Parts(NamedTuple):
    """The parts of a tuple, dict, object or cells: their names if they have some, and types."""
    names: tuple[str, ...] | None
    kinds: tuple[Any, ...]


def parts_of(kind: Any) -> Parts:
    """The parts that the type of a value tells; none of a number, an array or a list of Numba."""
    if isinstance(kind, CellsType):
        return Parts(kind.names if isinstance(kind, NamedCellsType) else None, kind.parts)
    if is_record(kind):
        fields = record_fields(kind)
        return Parts(fields, tuple(kind.types[:len(fields)]))
    return Parts(None, tuple(kind.types) if isinstance(kind, types.BaseTuple) else ())


def stands_for_tuple(kind: Any) -> bool:
    """Whether Python has a plain tuple where there is a value, or the adjoint, of this type."""
    return isinstance(kind, TupleCellsType) or (
        isinstance(kind, types.BaseTuple) and not hasattr(kind, "instance_class"))


def part_of(kind: Any, value: str, number: int) -> str:
    """The text that reads a part of a value."""
    if isinstance(kind, CellsType):
        return f"{value}.{kind.names[number]}"
    return f"{value}[{number}]"


def is_structure(kind: Any) -> bool:
    return isinstance(kind, (types.List, types.BaseTuple, CellsType))


# zeros_like -----------------------------------------------------------------------------------
@overload(runtime.zeros_like)
def _zeros_like(x):
    if isinstance(x, _FIXED):
        return lambda x: 0.0
    target = adjoint_type(x) if is_structure(x) else None
    if target is None:
        return None
    if target == types.List(types.float64):
        return lambda x: [0.0] * len(x)
    if isinstance(target, types.List) and isinstance(x, (types.List, types.UniTuple)):
        zero = _zero_of_part
        return lambda x: [zero(part) for part in x]
    parts = ", ".join(f"zero({part_of(x, 'x', k)})" for k in range(len(parts_of(x).kinds)))
    return _built(target, "x", parts)


def _zero_of_part(x: Any) -> Any:
    """`zeros_like` of what is part of a structure."""


@overload(_zero_of_part)
def _zero(x):
    if is_array(x) and not isinstance(x.dtype, types.Complex):
        return lambda x: np.zeros(x.shape)
    zeros_like = runtime.zeros_like
    return lambda x: zeros_like(x)


def _built(target: Any, parameters: str, parts: str) -> Any:
    """A function that returns a list or cells of these parts; it knows `add`, `zero` and `copy`."""
    space: dict[str, Any] = {"add": runtime.sum_of_structures, "zero": _zero_of_part,
                             "copy": runtime.copied_parts}
    if isinstance(target, CellsType):
        space["cells"] = maker(target)
        made = f"cells({parts})"
    else:
        made = f"[{parts}]"
    exec(f"def built({parameters}): return {made}", space)
    return space["built"]


# Copies ---------------------------------------------------------------------------------------
@overload(runtime.copied_parts)
def _copied_parts(x):
    if is_array(x):
        return lambda x: x.copy()
    if is_number(x):
        return lambda x: x
    if isinstance(x, (types.List, types.UniTuple)):
        copy = runtime.copied_parts
        return lambda x: [copy(part) for part in x]
    target = adjoint_type(x) if is_structure(x) else None
    if target is None:
        return None
    parts = ", ".join(f"copy({part_of(x, 'x', k)})" for k in range(len(parts_of(x).kinds)))
    return _built(target, "x", parts)


@overload(runtime.copied_lists)
def _copied_lists(x):
    if isinstance(x, types.List):
        copy = runtime.copied_lists
        return lambda x: [copy(part) for part in x]
    return lambda x: x


# Sums -----------------------------------------------------------------------------------------
@overload(runtime.sum_of_structures)
def _sum_of_structures(a, b):
    if isinstance(b, types.NoneType):
        return lambda a, b: a
    if not is_structure(a) or not is_structure(b):
        return None
    if isinstance(a, (types.List, types.UniTuple)) and isinstance(b, (types.List, types.UniTuple)):
        add = runtime.sum_of_structures
        return lambda a, b: [add(x, y) for x, y in zip(a, b)]
    of_a, of_b = parts_of(a), parts_of(b)
    if of_a.names != of_b.names or len(of_a.kinds) != len(of_b.kinds):
        return None
    adjoints = [adjoint_type(part) for part in of_a.kinds]
    if not adjoints or None in adjoints:
        return None
    target = cells_type(adjoints, stands_for_tuple(a)) if of_a.names is None else \
        named_cells_type(of_a.names, adjoints)
    parts = ", ".join(f"add({part_of(a, 'a', k)}, {part_of(b, 'b', k)})"
                      for k in range(len(adjoints)))
    return _built(target, "a, b", parts)


@overload(runtime.add_parts)
def _add_parts(bx, index, by):
    if not isinstance(bx, types.List) or not isinstance(index, types.SliceType) \
            or not isinstance(by, (types.List, types.UniTuple)):
        return None
    add = runtime.sum_of_structures

    def run(bx, index, by):
        start, stop, step = index.indices(len(bx))
        positions = range(start, stop, step)
        for k in range(min(len(positions), len(by))):
            position = start + k * step
            bx[position] = add(bx[position], by[k])
    return run


@overload(runtime.spread_over)
def _spread_over(dy, xs):
    if not isinstance(xs, (types.List, types.UniTuple)):
        return None
    unbroadcast = runtime.unbroadcast
    return lambda dy, xs: [unbroadcast(dy, x) for x in xs]


@overload(runtime.repeated_parts)
def _repeated_parts(dys, xs):
    if not isinstance(dys, types.List) or not isinstance(xs, (types.List, types.UniTuple)):
        return None
    add = runtime.sum_of_structures

    def run(dys, xs):
        found = [_zero_of_part(x) for x in xs]
        for k in range(len(dys)):
            found[k % len(xs)] = add(found[k % len(xs)], dys[k])
        return found
    return run
