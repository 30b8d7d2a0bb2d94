"""Numbers and arrays that may be ints where floats are expected, and what is computed of them."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tangent_lite import result_kinds, runtime
from tangent_lite.kinds import (
    Array,
    DictKind,
    Dtype,
    Kind,
    Known,
    ListKind,
    Number,
    RecordKind,
    TupleKind,
    dtype_named,
    dtype_of,
)

# Floats of whatever they are given.
_FLOATS = (result_kinds.elementwise_float, result_kinds.reduction_float, result_kinds.scalar_float)


def of_operands(function: Any, made_by: Any, found: Kind, operands: Iterable[Kind]) -> Kind:
    """The kind of a result, which may hold ints where all that decides it may.

    >>> y = Array(1, "float", None, True)
    >>> of_operands(np.add, None, Array(1, "float"), [y, Number("int")]).is_mixed
    True
    >>> of_operands(np.add, None, Array(1, "float"), [y, Number("float")]).is_mixed
    False
    """
    if not isinstance(found, (Array, Number)) or found.is_mixed \
            or dtype_of(found) not in ("float", "complex"):
        return found
    parts = [part for one in operands for part in _parts(one)]
    asked = [part for part in parts if dtype_asked(part) is not None]
    if asked:
        parts = asked                           # whatever else there is becomes of this type
    if not any(getattr(part, "is_mixed", False) for part in parts) \
            or made_by in _FLOATS or function is runtime.zeros_like \
            or (isinstance(function, np.ufunc) and any(map(_is_float, parts))):
        return found
    return dataclasses.replace(found, is_mixed=True)


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


def _is_float(kind: Kind) -> bool:
    return dtype_of(kind) in ("float", "complex") and not getattr(kind, "is_mixed", False)
