"""Numbers and arrays that may be ints where floats are expected, and what is computed of them."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tangent_lite import result_kinds, runtime
from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    DictKind,
    Dtype,
    DuckArray,
    Kind,
    Known,
    ListKind,
    Number,
    Numeric,
    RecordKind,
    TupleKind,
    dtype_named,
    dtype_of,
)
from tangent_lite.result_kinds.shapes import eye, from_shape

# Floats of whatever they are given.
_BY_SIZE = (eye, from_shape)                    # floats, whatever the size is computed with
_FLOATS = (result_kinds.elementwise_float, result_kinds.reduction_float, result_kinds.scalar_float)


def of_operands(function: Any, made_by: Any, found: Kind, operands: Sequence[Kind]) -> Kind:
    """The kind of a result, which may hold ints where all that decides it may.

    >>> from tangent_lite.kinds import FLOAT, INT
    >>> y = Array(1, "float", None, True)
    >>> of_operands(np.add, None, Array(1, "float"), [y, INT]).is_mixed
    True
    >>> of_operands(np.add, None, Array(1, "float"), [y, FLOAT]).is_mixed
    False
    """
    if not any(map(_may_be_ints, operands)) or not any(map(_is_float, _parts(found))):
        return found
    parts = [part for one in operands for part in _parts(one)]
    asked = [part for part in parts if dtype_asked(part) is not None]
    if asked or made_by in _BY_SIZE:
        parts = asked                           # whatever else there is becomes of this type
    if not any(getattr(part, "is_mixed", False) for part in parts) \
            or made_by in _FLOATS or function is runtime.zeros_like \
            or (_joins_all(function) and any(map(_is_float, parts))):
        return found
    return _with_mixed(found)


def _joins_all(function: Any) -> bool:
    """Whether a function gives numbers of the highest class of its operands'."""
    return isinstance(function, np.ufunc) or getattr(function, "__module__", None) == "_operator"


def _with_mixed(kind: Kind) -> Kind:
    """A kind of which no float is one for certain."""
    if isinstance(kind, ListKind):
        return dataclasses.replace(kind, item=_with_mixed(kind.item))
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return dataclasses.replace(kind, items=tuple(map(_with_mixed, kind.items)))
    if not _is_float(kind):
        return kind
    number: Any = kind                          # a number, an array, or one of both
    return dataclasses.replace(number, is_mixed=True)


def may_round(owner: Kind, is_general: bool) -> str | None:
    """Why what is written into an array may be rounded there, and so has no derivative; None where
    it is one of floats. is_general: kinds say little, and the code is shown, not run.

    >>> may_round(Array(1, "float"), False), may_round(Array(1, None), True)
    (None, None)
    """
    if isinstance(owner, Array) and owner.dtype in ("int", "bool"):
        return "an active value is written into an array of integers, which rounds it"
    is_open = owner.is_mixed or owner.dtype is None if isinstance(owner, (Array, Numeric)) \
        else owner == UNKNOWN
    if is_open and not is_general and not isinstance(owner, DuckArray):
        return "an active value is written into an array that may be one of integers, which " \
            "round it"
    return None


def _parts(kind: Kind) -> Iterator[Kind]:
    """What a container holds, or the kind itself."""
    if isinstance(kind, ListKind):
        yield from _parts(kind.item)
    elif isinstance(kind, (TupleKind, DictKind, RecordKind)):
        for item in kind.items:
            yield from _parts(item)
    else:
        yield kind


def dtype_asked(kind: Kind) -> str | None:
    """The class of numbers that an argument asks for, if it is a dtype."""
    return dtype_named(kind) if isinstance(kind, (Dtype, Known)) else None


def _may_be_ints(kind: Kind) -> bool:
    """Whether anything in a value may be ints where floats are expected."""
    if kind.__class__ is Number or kind.__class__ is Array:             # as most often
        return kind.is_mixed
    return any(getattr(part, "is_mixed", False) for part in _parts(kind))


def _is_float(kind: Kind) -> bool:
    return dtype_of(kind) in ("float", "complex") and not getattr(kind, "is_mixed", False)
