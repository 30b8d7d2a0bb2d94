"""Kinds of duck arrays: what an operation makes of them is what it makes of NumPy's arrays, but
none of NumPy's.

A derivative one of whose arguments is a duck array takes all its arrays for such: the adjoint of an
array of NumPy that is multiplied by one is a duck array too.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    DictKind,
    DuckArray,
    Kind,
    ListKind,
    MapKind,
    Number,
    Numeric,
    OneOf,
    RecordKind,
    TupleKind,
    parts,
    with_each_item,
    with_parts,
)
from tangent_lite.modules import package_of
from tangent_lite.runtime.duck import lies_in_memory

# What makes numbers of Python of an array of whatever type.
MAKE_NUMBERS: set[Any] = {np.shape, np.ndim, np.size, len, bool, int, float, complex}
# What asks for the types of arrays: in their libraries.
ASK_FOR_TYPES: set[Any] = set()


def replaced(kind: Kind, make: Callable[[Kind], Kind]) -> Kind:
    """The kind with make(part) for each part that is no container; the kind itself where that
    changes none."""
    if isinstance(kind, (TupleKind, DictKind, RecordKind, OneOf)):
        return with_parts(kind, [replaced(part, make) for part in parts(kind)])
    if isinstance(kind, (ListKind, MapKind)):
        found: Kind = with_each_item(kind, lambda item: replaced(item, make))
        return found
    return make(kind)


def holds_duck(kind: Kind) -> bool:
    """Whether a value is a duck array or holds one."""
    if kind.__class__ is Number or kind.__class__ is Array:
        return False
    return isinstance(kind, DuckArray) or any(map(holds_duck, parts(kind)))


def duck_in(kind: Kind) -> Any:
    """The type of the duck arrays that a value holds, None where it is not known or there are
    none; arrays of NumPy next to them do not count."""
    found: set[Any] = set()

    def look(part: Kind) -> Kind:
        if isinstance(part, DuckArray) and part.type is not np.ndarray:
            found.add(part.type)
        return part

    replaced(kind, look)
    return found.pop() if len(found) == 1 else None


def in_memory(found: Any) -> bool:
    """Whether the duck arrays that values of some kinds hold are of known types, of which none is
    lazy."""
    types: set[Any] = set()

    def look(part: Kind) -> Kind:
        if isinstance(part, DuckArray) and part.type is not np.ndarray:
            types.add(part.type)
        return part

    for kind in found:
        replaced(kind, look)
    return bool(types) and None not in types and all(map(lies_in_memory, types))


def named(found: Any) -> str:
    """The types of duck arrays that values of some kinds hold, for messages."""
    types = [duck_in(kind) for kind in found if holds_duck(kind)]
    return ", ".join(dict.fromkeys(map(_title, filter(None, types)))) \
        or "another type than NumPy's"


def _title(kind: Any) -> str:
    """The name of a type of arrays, with its library where it has the name of NumPy's."""
    name: str = kind.__name__
    return f"{package_of(kind)}.{name}" if name == "ndarray" else name


def next_to_ducks(kind: Kind) -> Kind:
    """The kind of a value in a derivative one of whose arguments is a duck array."""
    return replaced(kind, lambda k: DuckArray(k.dtype, k.ndim, np.ndarray, k.shape)
                    if isinstance(k, Array) else k)


def as_arrays(kind: Kind) -> Kind:
    """The kind with arrays of NumPy for duck arrays."""
    return replaced(kind, lambda k: Array(k.ndim, k.dtype, k.shape)
                    if isinstance(k, DuckArray) else k)


def made_of_ducks(function: Any, kind: Callable[..., Kind], args: list[Kind],
                  options: dict[str, Kind]) -> Kind:
    """What a function makes of arguments of which some are duck arrays.

    >>> made_of_ducks(np.sum, lambda x: Number("float"), [DuckArray("float", 2)], {})
    DuckArray(dtype='float', ndim=0, type=None, shape=None)
    """
    if function in ASK_FOR_TYPES:
        return kind(*args, **options)
    owner = duck_in(TupleKind((*args, *options.values())))
    found = kind(*map(as_arrays, args), **{n: as_arrays(k) for n, k in options.items()})
    if function in MAKE_NUMBERS:
        return found
    return replaced(found, lambda k: _duck(k, owner))


def made_by_library(kind: Kind, array: Any) -> Kind:
    """What a function of another library makes, from what NumPy's of the same name makes; array:
    the type of the arrays of that library."""
    return replaced(kind, lambda k: _duck(k, array))


def _duck(kind: Kind, owner: Any) -> Kind:
    if isinstance(kind, DuckArray):
        return kind
    if isinstance(kind, Array):
        return DuckArray(kind.dtype, kind.ndim, owner, kind.shape)
    if isinstance(kind, Number):
        return DuckArray(kind.type, 0, owner)
    if isinstance(kind, Numeric):
        return DuckArray(kind.dtype, None, owner)
    return UNKNOWN if kind is UNKNOWN else kind


def part_of_duck(found: Kind, owner: DuckArray) -> Kind:
    """The kind of an element, slice or attribute of a duck array, from that of NumPy's array."""
    return _duck(found, owner.type)
