"""Special methods that functions in C call, and that read what this run has changed.

They run as they are, with globals and attributes of classes as they are outside; the run changes
what stands for these.
"""
from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

from tangent_lite import registry
from tangent_lite.analyses import special_methods
from tangent_lite.analyses.special_methods import PLAIN

_MISSING = object()


def outdated(heap: Any, things: Iterable[Any], names: frozenset[str]) -> str | None:
    """The one of some special methods of things, and of what they reach, that reads what has become
    another in this run."""
    for thing, asked in special_methods.reached(things, names):
        for name, method in special_methods.in_python(type(thing), asked):
            if isinstance(method, types.FunctionType) and (
                    heap.keeps_attributes_of(thing) or _reads_changed(heap, method, set())):
                return f"{type(thing).__name__}.{name}"
    return None


def _reads_changed(heap: Any, function: types.FunctionType, seen: set[types.CodeType]) -> bool:
    code, space = function.__code__, function.__globals__
    if code in seen or registry.is_library(function):
        return False
    seen.add(code)
    read = [(space[name], heap.cell_of(("global", id(space), name)))
            for name in special_methods.names_of_globals(code) if name in space]
    read += [(cell.cell_contents, None) for cell in function.__closure__ or () if _is_bound(cell)]
    return any(_is_changed(heap, value, cell, seen) for value, cell in read)


def _is_changed(heap: Any, value: Any, cell: Any, seen: set[types.CodeType]) -> bool:
    now = value if cell is None else getattr(cell, "value", _MISSING)
    if isinstance(value, types.FunctionType):
        return now is not value or _reads_changed(heap, value, seen)
    if isinstance(value, type):
        return now is not value or heap.keeps_attributes_of(value)
    if type(value) in PLAIN and not hasattr(value, "dtype"):
        return type(now) is not type(value) or bool(now != value)
    if cell is None:
        now = heap.shared.first.get(id(value), (None, None, value))[2]
    elif heap.shared.original(now) is not value:
        return True
    return now is not value and bool(heap.shared.written or heap.shared.counted)


def _is_bound(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
