"""What a kind says of one iteration only: shapes and sizes that are others each time.

An item of a list, or the part of an array that a loop counter bounds, has one shape within an
iteration, which is compared with others there; of two iterations it says nothing.
"""
from __future__ import annotations

import dataclasses
import operator
from collections.abc import Sequence
from typing import Any

from tangent_lite.kinds.classes import (
    NO_VALUE,
    Array,
    Constants,
    DictKind,
    DuckArray,
    Kind,
    ListKind,
    MapKind,
    Number,
    OneOf,
    RecordKind,
    TupleKind,
)
from tangent_lite.kinds.reading import parts
from tangent_lite.kinds.shapes import new_shape
from tangent_lite.shapes.sizes import Each, Sizes, new_reading, unknown_int, unknown_size


def read_item(kind: ListKind | MapKind) -> Kind:
    """The kind of an item that is read of a list or a dict: its arrays have shapes of their own."""
    return kind.item if isinstance(kind.item, Number) else _taken(kind.item, new_reading())


def _taken(kind: Kind, reading: Any) -> Kind:
    if isinstance(kind, Array) and isinstance(kind.shape, Each):
        return dataclasses.replace(kind, shape=kind.shape.taken(reading))
    if isinstance(kind, Array):
        return with_own_shape(kind)
    return kind if isinstance(kind, (ListKind, MapKind, Constants)) \
        else with_parts(kind, [_taken(part, reading) for part in parts(kind)])


def with_own_shape(kind: Array) -> Array:
    """The kind of an array with a shape that equals no other, if nothing is known of it."""
    return kind if kind.shape is not None else dataclasses.replace(
        kind, shape=new_shape() if kind.ndim is None
        else Sizes(unknown_size() for _ in range(kind.ndim)))


def in_any_iteration(kind: Kind) -> Kind:
    """The kind of what each iteration makes: an array has the shape that it has in all of them, if
    it has one, and so is it with ints that are sizes."""
    if isinstance(kind, Number):
        return kind if kind.size is None or not kind.size.is_free \
            else dataclasses.replace(kind, size=None)
    shape = getattr(kind, "shape", None)
    return kind if shape is None or (isinstance(shape, Sizes) and not shape.is_free) \
        else dataclasses.replace(kind, shape=None)                      # type: ignore[call-arg]


def with_parts(kind: Kind, parts: Sequence[Kind]) -> Kind:
    """A container with parts of other kinds; the kind itself where these are its own, or none."""
    if not parts:
        return kind
    if isinstance(kind, OneOf):
        return kind if _are(parts, kind.options) else OneOf(tuple(parts), kind.path)
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return kind if _are(parts, kind.items) else dataclasses.replace(kind, items=tuple(parts))
    return kind


def _are(parts: Sequence[Kind], own: Sequence[Kind]) -> bool:
    return len(parts) == len(own) and all(map(operator.is_, parts, own))


def is_passing(kind: Kind) -> bool:
    """Whether a value, or what it holds, has a shape or a size that may be another each time.

    >>> from tangent_lite.kinds.reading import int_of
    >>> from tangent_lite.shapes.sizes import Size
    >>> [is_passing(TupleKind((int_of(size),))) for size in (Size(3), unknown_size(), None)]
    [False, True, False]
    """
    if isinstance(kind, (Number, Array, DuckArray)):
        return in_any_iteration(kind) is not kind
    return any(map(is_passing, parts(kind)))


def in_some_iteration(kind: Kind) -> Kind:
    """The kind of a number or an array that was made in an iteration, whichever it was: a shape or
    a size that it has there is none of another's."""
    made = in_any_iteration(kind)
    return kind if made is kind else with_own_shape(made) if isinstance(made, Array) else made


def numbered(kind: Kind) -> Kind:
    """The kind of an int that is given a name: if nothing is known of it, it is a number of its
    own, so that parts of arrays that it bounds are of one size as long as it is the same."""
    return dataclasses.replace(kind, size=unknown_int()) \
        if isinstance(kind, Number) and kind.type == "int" and kind.size is None \
        and kind.value is NO_VALUE else kind
