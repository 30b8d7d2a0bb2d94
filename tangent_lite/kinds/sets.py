"""Kinds of sets, of which only those of whole numbers are known: free places, visited ones.

What may hold a float, a text or an object is no such set: that may vary, or carry what does.
"""
from __future__ import annotations

import operator
from dataclasses import replace

from tangent_lite.kinds.classes import (
    EMPTY,
    INT,
    UNKNOWN,
    DictKind,
    Kind,
    ListKind,
    MapKind,
    Number,
    RecordKind,
    SetKind,
    TupleKind,
)

# Methods that give another set, and change nothing.
GIVING = ("union", "intersection", "difference", "symmetric_difference", "copy")
# Methods that put something into a set.
PUTTING = ("add", "update", "symmetric_difference_update")


def set_of(item: Kind) -> Kind:
    """The kind of a set of such items, UNKNOWN if these are not whole numbers.

    >>> set_of(Number("bool")), set_of(Number("float")) is UNKNOWN
    (SetKind(item=Number(type='int', value=NO_VALUE)), True)
    """
    item = _whole(item)
    return UNKNOWN if item is UNKNOWN else SetKind(item)


def _whole(item: Kind) -> Kind:
    """An item that a set may have, as any of its items is; UNKNOWN for others."""
    if item is EMPTY:
        return item
    if isinstance(item, Number):
        return INT if item.type in ("int", "bool") else UNKNOWN
    if isinstance(item, TupleKind) and item.type is tuple:
        parts = tuple(map(_whole, item.items))
        return UNKNOWN if UNKNOWN in parts else TupleKind(parts)
    return UNKNOWN


def join(a: SetKind, b: SetKind) -> Kind:
    """What holds of a set that is the one or the other, or both."""
    if b.item is EMPTY or a.item == b.item:
        return a
    return b if a.item is EMPTY else UNKNOWN


def given_by(method: str, owner: Kind, *others: Kind) -> Kind:
    """What a method of GIVING gives."""
    found = owner
    for other in () if method == "difference" else others:
        found = join(found, other) if isinstance(found, SetKind) and isinstance(
            other, SetKind) else UNKNOWN
    return found


def with_items(kind: Kind, more: Kind) -> Kind:
    """The kind of what may hold a set into which the items of another one are put."""
    if isinstance(kind, SetKind):
        return join(kind, more) if isinstance(more, SetKind) else UNKNOWN
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        items = tuple(with_items(item, more) for item in kind.items)
        return kind if all(map(operator.is_, items, kind.items)) else replace(kind, items=items)
    if isinstance(kind, (ListKind, MapKind)):
        item = with_items(kind.item, more)
        return kind if item is kind.item else replace(kind, item=item)
    return kind
