"""Lists that arguments hold, taken as the items that these have at the call.

Of a list as such it is known what holds of all of its items, whichever they are: code for it goes
through it. Where the items are objects that change, which one is which has to be told apart: code
for these very items has a name for each. It serves calls with as many of the same classes.

>>> from tangent_lite.kinds import FLOAT, UNKNOWN
>>> class Dense: pass
>>> class Tanh: pass
>>> dense, tanh = RecordKind(Dense, ("w",), (FLOAT,)), RecordKind(Tanh, (), ())
>>> assumed = Assumptions(tells_items=True)
>>> given = GivenItems((dense, tanh), "layers", assumed)
>>> net = by_items(ListKind(UNKNOWN, given))
>>> net.type, len(net.items), assumed.noted
(<class 'list'>, 2, [])
>>> note_items(ListKind(UNKNOWN, given))
>>> assumed.noted
['[*map(type, layers)] == [Dense, Tanh]']
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tangent_lite.kinds import DictKind, Kind, ListKind, RecordKind, TupleKind, with_parts
from tangent_lite.shapes.assumptions import Assumptions

MOST_ITEMS = 40             # beyond them the code would be longer than anybody reads


class GivenItems(NamedTuple):
    """items: the kind of each, an object of a class; text: how Python gets at the list."""
    items: tuple[Any, ...]
    text: str
    assumed: Assumptions


def by_items(kind: Kind) -> Kind:
    """A kind in which lists are the items that they are given with, where that is known."""
    if isinstance(kind, ListKind):
        return kind if kind.given is None else TupleKind(
            tuple(map(by_items, kind.given.items)), list)
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        parts = list(map(by_items, kind.items))
        is_same = all(part is item for part, item in zip(parts, kind.items))
        return kind if is_same else with_parts(kind, parts)
    return kind


def note_items(kind: Kind) -> None:
    """Let code that rests on the items of lists serve calls alone that have such items."""
    for given in _given(kind):
        given.assumed.note_items(given.text, [item.type for item in given.items])


def _given(kind: Kind) -> Iterator[GivenItems]:
    parts: Any = ()
    if isinstance(kind, ListKind) and kind.given is not None:
        yield kind.given
        parts = kind.given.items
    elif isinstance(kind, (TupleKind, DictKind, RecordKind)):
        parts = kind.items
    for part in parts:
        yield from _given(part)
