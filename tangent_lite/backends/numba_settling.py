"""Gradients of lists, tuples, dicts and objects as a call from Python returns them.

The derivative returns the adjoint of an argument: a list where that is a tuple, arrays that others
may hold. What is returned has the structure of the argument, arrays of its shapes, and memory of
its own: what `trees.finish` makes in Python.
"""
from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_boxing import leaves_by_copy
from tangent_lite.backends.numba_cells import (
    CellsType,
    TupleCellsType,
    cells_type,
    maker,
    named_cells_type,
)
from tangent_lite.backends.numba_containers import is_record
from tangent_lite.backends.numba_functions import is_array, is_number, written_function
from tangent_lite.backends.numba_memory import all_apart, extent
from tangent_lite.backends.numba_passing import is_list_of_several
from tangent_lite.backends.numba_structures import Parts, part_of, parts_of, stands_for_tuple


def holds_parts(kind: Any) -> bool:
    """Whether an argument has parts."""
    return isinstance(kind, types.BaseTuple)


def arrays_in(kind: Any) -> int:
    """How many arrays are in an argument."""
    if is_array(kind):
        return 1
    return sum(map(arrays_in, kind.types)) if isinstance(kind, types.BaseTuple) else 0


def _gradients_in(kind: Any) -> int:
    """How many arrays are in the gradient of an argument."""
    if is_array(kind):
        return int(isinstance(kind.dtype, types.Float))
    return sum(map(_gradients_in, kind.types)) if isinstance(kind, types.BaseTuple) else 0


def gradient_type(kind: Any) -> Any:
    """The type of the gradient that is returned for an argument; None if Python has to make it."""
    if is_array(kind):
        return types.Array(types.float64, kind.ndim, "C") if isinstance(kind.dtype, types.Float) \
            else types.none
    if isinstance(kind, types.Float):
        return types.float64
    if is_number(kind) or isinstance(kind, (types.UnicodeType, types.NoneType)):
        return types.none
    if isinstance(kind, types.List):
        item = gradient_type(kind.dtype)
        return None if item in (None, types.none) else types.List(item)
    if not isinstance(kind, types.BaseTuple):
        return None
    parts = [gradient_type(part) for part in parts_of(kind).kinds]
    if not parts or None in parts:
        return None
    if is_list_of_several(kind):
        return cells_type(parts)
    if is_record(kind):                         # of an object too: see `numba_dressing`
        return named_cells_type(parts_of(kind).names, parts)
    return types.BaseTuple.from_types(tuple(parts), getattr(kind, "instance_class", None))


# The structure ----------------------------------------------------------------------------------
def settled_structure(gradient: Any, argument: Any) -> Any:
    """A gradient in the structure and the shapes of its argument."""


@overload(settled_structure)
def _settled_structure(gradient, argument):
    if _is_settled(gradient, argument):
        def look(gradient, argument):
            if not fits_parts(gradient, argument):
                raise ValueError("a gradient of another shape")
            return gradient
        return look
    settling = _settling(gradient, argument)
    return None if settling is None else lambda gradient, argument: settling(gradient, argument)


def _is_settled(gradient: Any, argument: Any) -> bool:
    """Whether a gradient is returned as what its argument is."""
    target = gradient_type(argument)
    if target is None or isinstance(target, types.NoneType):
        return False
    if not isinstance(target, (types.List, types.BaseTuple, CellsType)):
        return bool(gradient == target)
    if isinstance(target, types.List):
        return isinstance(gradient, types.List) and _is_settled(gradient.dtype, argument.dtype)
    if isinstance(target, types.BaseTuple):
        same = isinstance(gradient, TupleCellsType) and stands_for_tuple(argument)
    else:
        same = type(gradient) is type(target) and gradient.names == target.names
    own = parts_of(argument).kinds
    return same and len(gradient.parts) == len(own) and all(map(_is_settled, gradient.parts, own))


def fits_parts(gradient: Any, argument: Any) -> Any:
    """Whether all arrays of a gradient have the shapes of those of its argument."""


@overload(fits_parts)
def _fits_parts(gradient, argument):
    if is_array(argument):
        return lambda gradient, argument: gradient.shape == argument.shape
    if isinstance(argument, types.List):
        if is_number(argument.dtype):
            return lambda gradient, argument: len(gradient) == len(argument)

        def of_list(gradient, argument):
            if len(gradient) != len(argument):
                return False
            fit = True
            for k in range(len(argument)):
                fit = fit and fits_parts(gradient[k], argument[k])
            return fit
        return of_list
    parts = parts_of(argument).kinds
    tests = [f"fits({part_of(gradient, 'gradient', k)}, {part_of(argument, 'argument', k)})"
             for k, part in enumerate(parts) if not is_number(part)]
    space: dict[str, Any] = {"fits": fits_parts}
    exec(f"def of_parts(gradient, argument): return {' and '.join(tests) or 'True'}", space)
    return space["of_parts"]


@functools.cache
def _settling(gradient: Any, argument: Any) -> Any:
    """The function that settles a gradient of one type for an argument of another, or None."""
    target = gradient_type(argument)
    if target is None:
        return None
    head = "def settling(gradient, argument):"
    if target == types.none:
        return written_function([head, "    return None"], {})
    if target == types.float64:
        return written_function([head, "    return float(gradient)"], {}) \
            if is_number(gradient) else None
    if is_array(argument):
        return _settled_array(gradient, argument)
    if isinstance(gradient, types.List) and isinstance(argument, types.List):
        settle = _settling(gradient.dtype, argument.dtype)
        return None if settle is None else written_function(
            [head, "    if len(gradient) != len(argument):",
             "        raise ValueError('a gradient of another length')",
             "    return [settle(one, own) for one, own in zip(gradient, argument)]"],
            {"settle": settle})
    return _settled_parts(gradient, argument, target)


def _settled_parts(gradient: Any, argument: Any, target: Any) -> Any:
    """The same where one of the two has parts of different types."""
    lists = [isinstance(kind, types.List) for kind in (gradient, argument)]
    known = parts_of(gradient if lists[1] else argument)
    lines = ["def settling(gradient, argument):"]
    kinds, texts = [], []
    for kind, name, is_list in zip((gradient, argument), ("gradient", "argument"), lists):
        if is_list:
            lines += [f"    if len({name}) != {len(known.kinds)}:",
                      "        raise ValueError('a gradient of another length')"]
            own = Parts(None, (kind.dtype,) * len(known.kinds))
        else:
            own = parts_of(kind)
        if own.names != known.names or len(own.kinds) != len(known.kinds):
            return None
        kinds.append(own.kinds)
        texts.append([f"{name}[{k}]" if is_list else part_of(kind, name, k)
                      for k in range(len(known.kinds))])
    space: dict[str, Any] = {f"settle_{k}": _settling(*pair) for k, pair in enumerate(zip(*kinds))}
    if None in space.values():
        return None
    made = ", ".join(f"settle_{k}({one}, {own})" for k, (one, own) in enumerate(zip(*texts)))
    return written_function([*lines, f"    return {_assembled(target, made, space)}"], space)


def _assembled(kind: Any, parts: str, space: dict[str, Any]) -> str:
    """The text that makes a structure of a type out of parts; what it calls is put into space."""
    if isinstance(kind, types.List):
        return f"[{parts}]"
    if isinstance(kind, CellsType):
        space["made"] = maker(kind)
    elif isinstance(kind, types.BaseNamedTuple):
        space["made"] = kind.instance_class
    else:
        return f"({parts},)"
    return f"made({parts})"


def _settled_array(gradient: Any, argument: Any) -> Any:
    if is_number(gradient):
        return written_function(
            ["def settling(gradient, argument):",
             "    return np.full(argument.shape, gradient * 1.0)"], {"np": np})
    if not is_array(gradient) or gradient.ndim != argument.ndim \
            or gradient.dtype != types.float64:
        return None
    made = "gradient" if gradient.layout == "C" and gradient.mutable else "gradient.copy()"
    return written_function(
        ["def settling(gradient, argument):", "    if gradient.shape != argument.shape:",
         "        raise ValueError('a gradient of another shape')", f"    return {made}"], {})


# Memory -------------------------------------------------------------------------------------------
def note_extents(value: Any, table: Any, row: Any) -> Any:
    """Write the extents of the arrays in a value into a table, from a row on; the next row."""


@overload(note_extents)
def _note_extents(value, table, row):
    if is_array(value):
        def of_array(value, table, row):
            table[row, 0], table[row, 1] = extent(value)
            return row + 1
        return of_array
    if isinstance(value, types.List):
        def of_list(value, table, row):
            for item in value:
                row = note_extents(item, table, row)
            return row
        return of_list
    parts = parts_of(value).kinds
    lines = [f"    row = note({part_of(value, 'value', k)}, table, row)"
             for k, part in enumerate(parts)]
    space: dict[str, Any] = {"note": note_extents}
    exec("\n".join(["def of_parts(value, table, row):", *lines, "    return row"]), space)
    return space["of_parts"]


def duplicate(value: Any) -> Any:
    """The same with copies of the arrays."""


@overload(duplicate)
def _duplicate(value):
    if is_array(value):
        return lambda value: value.copy()
    if isinstance(value, types.List):
        return lambda value: [duplicate(item) for item in value]
    parts = parts_of(value).kinds
    if not parts:
        return lambda value: value
    copies = ", ".join(f"duplicate({part_of(value, 'value', k)})" for k in range(len(parts)))
    space: dict[str, Any] = {"duplicate": duplicate}
    return written_function(
        ["def run(value):", f"    return {_assembled(value, copies, space)}"], space)


def settling_lines(gradients: list[tuple[str, str, Any]], held: list[tuple[str, Any]],
                   leaves: bool) -> tuple[list[str], list[str]]:
    """(lines of a function that settle gradients, the names of what they make).

    gradients: for each the text that reads it, the argument's name and type; held: names and types
    of all that the caller holds; leaves: the gradients go to Python.
    """
    lines, made = [], []
    for number, (one, argument, _) in enumerate(gradients):
        lines.append(f"    g{number} = settled_structure({one}, {argument})")
        made.append(f"g{number}")
    count = sum(_gradients_in(kind) for _, _, kind in gradients)
    if count:
        rows = count + sum(arrays_in(kind) for _, kind in held)
        by_copy = " and ".join([f"leaves_by_copy({name})" for name in made]) if leaves else "False"
        lines += [f"    if not ({by_copy}):",
                  f"        extents = np.empty(({rows}, 2), np.int64)", "        row = 0"]
        lines += [f"        row = note_extents({name}, extents, row)"
                  for name in [*made, *[name for name, kind in held if arrays_in(kind)]]]
        lines.append(f"        if not all_apart(extents, {count}):")
        lines += [f"            {name} = duplicate({name})" for name in made]
    return lines, made


def meanings() -> dict[str, Any]:
    """What the names in those lines mean."""
    return {"settled_structure": settled_structure, "note_extents": note_extents,
            "duplicate": duplicate, "all_apart": all_apart, "leaves_by_copy": leaves_by_copy}
