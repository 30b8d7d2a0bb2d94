"""What is read off a kind: its dtype, its value, its size, whether it may have a derivative, and
whether the same is known of two values.
"""
from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tangent_lite.kinds.classes import (
    ANY,
    DTYPES,
    EMPTY,
    MIXED,
    NO_VALUE,
    OBJECT,
    PENDING,
    RANK,
    UNKNOWN,
    Array,
    Constants,
    DictKind,
    Dtype,
    DuckArray,
    Kind,
    Known,
    ListKind,
    MapKind,
    MatrixKind,
    Maybe,
    Nothing,
    Number,
    Numeric,
    OneOf,
    Other,
    RecordKind,
    Text,
    TupleKind,
)
from tangent_lite.kinds.shapes import one_shape, sizes_in_common
from tangent_lite.kinds.user_classes import is_other_array
from tangent_lite.shapes.sizes import Size


def parts(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of what a value of a kind holds, and of what it may be if it is one of several;
    none for what is no container.

    >>> parts(ListKind(Number("float")))
    (Number(type='float', value=NO_VALUE),)
    """
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return kind.items
    if isinstance(kind, (ListKind, MapKind, Constants)):
        return (kind.item,)
    return kind.options if isinstance(kind, OneOf) else ()


def classes_in(kind: Kind) -> Iterator[type]:
    """The classes of the objects and tuples that a value is, and holds."""
    if isinstance(kind, (RecordKind, TupleKind)):
        yield kind.type
    for part in parts(kind):
        yield from classes_in(part)


def is_pending(kind: Kind) -> bool:
    """Whether a value, or a part of it, is what a function or a list is yet to give."""
    return kind is PENDING or (kind.__class__ is not Number and any(map(is_pending, parts(kind))))


def without_pending(kind: Kind) -> Kind:
    """The kind of a value of which nothing is known where it was left open."""
    if not is_pending(kind):
        return kind
    if kind is PENDING or isinstance(kind, (Maybe, MapKind)):
        return UNKNOWN
    if isinstance(kind, ListKind):
        return replace(kind, item=without_pending(kind.item))
    known = [without_pending(part) for part in parts(kind)]
    return replace(kind, items=tuple(known)) \
        if isinstance(kind, (TupleKind, DictKind, RecordKind)) else UNKNOWN


def join_dtype(a: str | None, b: str | None) -> str | None:
    """The type of what is computed of numbers of two types; None where that is not known."""
    if a in RANK and b in RANK:
        return a if RANK[a] >= RANK[b] else b
    return a if a == b else None


def dtype_of(kind: Kind) -> str | None:
    """The class of the numbers that a value holds, None where it is not known."""
    if isinstance(kind, Number):
        return kind.type
    if isinstance(kind, (Array, Numeric)):
        return kind.dtype
    return None


def dtype_named(kind: Kind) -> str | None:
    """The class of numbers that a dtype argument asks for."""
    if isinstance(kind, Known):
        try:
            return DTYPES.get(np.dtype(kind.object).kind)
        except TypeError:
            return None
    if isinstance(kind, Text) and kind.value is not NO_VALUE:
        return DTYPES.get(np.dtype(kind.value).kind)
    if isinstance(kind, Dtype):
        return kind.of
    return "float" if isinstance(kind, Nothing) else None


_STEPS = ("bool", "int", "other")               # what has no derivative


def can_vary(kind: Kind) -> bool:
    """Whether a value of this kind may have a derivative (floats and what holds floats)."""
    if isinstance(kind, Number):
        return kind.type not in _STEPS
    if isinstance(kind, (Array, Numeric)):
        return kind.dtype not in _STEPS
    if isinstance(kind, (TupleKind, DictKind, RecordKind, OneOf)):
        return any(map(can_vary, parts(kind)))
    if isinstance(kind, (ListKind, MapKind)):
        return kind.item is EMPTY or can_vary(kind.item)
    if isinstance(kind, Other):
        return is_other_array(kind.type)        # what is done with it is refused
    return kind in (UNKNOWN, EMPTY, PENDING)


def size_in_parts(kind: Kind) -> float:
    """How many parts a value consists of, those of its parts included; infinite where it may hold
    what is not known.

    >>> size_in_parts(TupleKind((Number("float"), ListKind(Number("float")))))
    4
    """
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return 1 + sum(map(size_in_parts, kind.items))
    if isinstance(kind, (ListKind, MapKind)):
        return 1 + size_in_parts(kind.item)
    if isinstance(kind, OneOf):
        return max(map(size_in_parts, kind.options))
    if isinstance(kind, Maybe):
        return size_in_parts(kind.other)
    return 1 if isinstance(kind, (Number, Numeric, Array, Text, Nothing, Known)) else math.inf


def kind_at_hand(kind: Kind) -> Kind:
    """What a value is that is not None.

    >>> kind_at_hand(Maybe(Number("float")))
    Number(type='float', value=NO_VALUE)
    """
    return kind.other if isinstance(kind, Maybe) else kind


def without_shapes(kind: Kind) -> Kind | None:
    """The kind of numbers and arrays, and of tuples and objects of these, with nothing said of
    shapes and values; None where there is something else in it, of which more would have to be
    followed: a function, a list, another object that may be None.

    >>> without_shapes(TupleKind((Array(1, "float", "s"), Number("int", 3)))).items
    (Array(ndim=1, dtype='float', shape=None), Number(type='int', value=NO_VALUE))
    >>> without_shapes(TupleKind((UNKNOWN,)))
    """
    if isinstance(kind, Number):
        return Number(kind.type, is_mixed=kind.is_mixed)
    if isinstance(kind, Array):
        return replace(kind, shape=None)
    if isinstance(kind, (TupleKind, RecordKind)):
        parts = [part for part in map(without_shapes, kind.items) if part is not None]
        return replace(kind, items=tuple(parts)) if len(parts) == len(kind.items) else None
    return kind if type(kind) is Numeric or isinstance(kind, Text) else None


def is_array(kind: Kind, ndim: int | None = None) -> bool:
    return isinstance(kind, Array) and (ndim is None or kind.ndim == ndim)


def value_of(kind: Kind) -> Any:
    """The value of a literal, a tuple of literals or None; NO_VALUE where it is not known."""
    if isinstance(kind, (Number, Text)):
        return kind.value
    if isinstance(kind, Nothing):
        return None
    if isinstance(kind, TupleKind):
        values = tuple(map(value_of, kind.items))
        return NO_VALUE if any(v is NO_VALUE for v in values) else values
    return NO_VALUE


def size_of(kind: Kind) -> Size | None:
    """The size that an int is, if it follows from the program and the shapes of arguments."""
    if isinstance(kind, Number) and kind.type == "int":
        return Size(kind.value) if type(kind.value) is int else kind.size
    return None


def int_of(size: Size | None) -> Number:
    """The kind of an int that is a size (None: it is not known)."""
    return Number("int", NO_VALUE, size)


def how_unknown(kind: Kind) -> Any:
    """Which of the kinds that equal UNKNOWN a kind is, None for most others, part by part: code
    that is made for one of them does not serve the others.

    >>> FLOAT = Number("float")
    >>> how_unknown(Maybe(FLOAT)) == how_unknown(UNKNOWN) or how_unknown(MIXED) == how_unknown(ANY)
    False
    """
    if isinstance(kind, Maybe):
        return kind.other, how_unknown(kind.other)
    if isinstance(kind, OneOf):
        return kind.options, *map(how_unknown, kind.options)
    if isinstance(kind, MatrixKind):
        return kind.type, kind.dtype
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return tuple(map(how_unknown, kind.items))
    if isinstance(kind, (ListKind, MapKind, Constants)):
        return how_unknown(kind.item)
    return next((n for n, one in enumerate((UNKNOWN, MIXED, ANY, OBJECT)) if kind is one), None)


def is_identical(a: Kind, b: Kind) -> bool:
    """Whether the same is known of two values, shapes and literals included."""
    if a is b:
        return True
    if a != b or getattr(a, "shape", None) != getattr(b, "shape", None):
        return False
    if isinstance(a, MatrixKind) and isinstance(b, MatrixKind):
        return True
    if isinstance(a, Number) and isinstance(b, Number):
        return type(a.value) is type(b.value) and a.value == b.value and a.size == b.size
    if getattr(a, "sites", None) != getattr(b, "sites", None) or (
            isinstance(a, MapKind) and isinstance(b, MapKind) and not is_identical(a.key, b.key)):
        return False
    if isinstance(a, (TupleKind, DictKind, RecordKind)):
        return all(map(is_identical, a.items, b.items))                 # type: ignore[attr-defined]
    if isinstance(a, (ListKind, MapKind)):
        pairs = zip(getattr(a, "named", ()), getattr(b, "named", ()))
        return is_identical(a.item, b.item) and all(                    # type: ignore[attr-defined]
            is_identical(one[1], other[1]) for one, other in pairs)
    if isinstance(a, Text) and isinstance(b, Text) and (a.start, a.end) != (b.start, b.end):
        return False
    if isinstance(a, MatrixKind) or isinstance(b, MatrixKind):
        return False                    # which were equal, if both are
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return type(a) is type(b) and all(map(is_identical, parts(a), parts(b)))
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return type(a) is type(b) and is_identical(a.other, b.other)    # type: ignore[attr-defined]
    return value_of(a) == value_of(b)


def behind_ways(one: Kind, other: Kind, joined: Kind) -> Kind:
    """What holds behind two ways, of which what is joined holds anywhere: an array has the sizes
    there that it has on both, and others that are its own."""
    if isinstance(joined, Array) and joined.shape is None:
        sizes = sizes_in_common(getattr(one, "shape", None), getattr(other, "shape", None))
        if sizes is not None:
            return replace(joined, shape=sizes)
    return joined


def same_shape(a: Kind, b: Kind) -> bool:
    """Whether two values certainly have the same shape."""
    if isinstance(a, Number) and isinstance(b, Number):
        return True
    if isinstance(a, (Array, DuckArray)) and isinstance(b, (Array, DuckArray)):
        return (a.ndim == 0 and b.ndim == 0) or (a.shape is not None
                                                 and one_shape(a.shape, b.shape))
    return False
