"""Lists that arguments hold, taken as the items that these have at the call.

Of a list as such it is known what holds of all of its items, whichever they are: code for it goes
through it. Where the items are objects that change, which one is which has to be told apart: code
for these very items has a name for each. It serves calls with as many of the same classes.

>>> from tangent_lite.kinds import FLOAT, UNKNOWN
>>> class Dense: pass
>>> class Tanh: pass
>>> dense, tanh = RecordKind(Dense, ("w",), (FLOAT,)), RecordKind(Tanh, (), ())
>>> assumed = Assumptions(tells_items=True)
>>> given = GivenItems((dense, tanh), "layers", assumed, (Dense, Tanh))
>>> by_items({"layers": ListKind(UNKNOWN, given)})["layers"].type
<class 'list'>
>>> assumed.noted
['[*map(type, layers)] == [Dense, Tanh]']
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tangent_lite.kinds import (
    DictKind,
    Kind,
    ListKind,
    OneOf,
    RecordKind,
    TupleKind,
    with_parts,
)
from tangent_lite.shapes.assumptions import Assumptions

MOST_ITEMS = 40             # beyond them the code would be longer than anybody reads


class GivenItems(NamedTuple):
    """items: the kind of each; text: how Python gets at the list; classes, path, keys: what tells
    them from those of other calls, as for `Assumptions.note_items`."""
    items: tuple[Kind, ...]
    text: str
    assumed: Assumptions
    classes: tuple[type, ...]
    path: tuple[Any, ...] = ()
    keys: tuple[Any, ...] | None = None

    def noted(self) -> Kind:
        """The kind of the list as that of its items: it is noted that this is assumed."""
        self.assumed.note_items(self.text, self.classes, self.path, self.keys)
        return TupleKind(tuple(map(_by_items, self.items)), list)


def by_items(known: Mapping[str, Kind]) -> dict[str, Kind] | None:
    """The kinds of parameters of which lists are the items that they are given with, where that is
    known, which is noted as assumed; None if it is known of none."""
    told = {name: _by_items(kind) for name, kind in known.items()}
    return told if any(told[name] is not kind for name, kind in known.items()) else None


def holds_objects(kind: Kind) -> bool:
    """Whether there is a list of objects in something, of which the items might be told."""
    if isinstance(kind, ListKind):
        return isinstance(kind.item, (OneOf, RecordKind))
    return isinstance(kind, (TupleKind, DictKind, RecordKind)) and any(
        map(holds_objects, kind.items))


def _by_items(kind: Kind) -> Kind:
    if isinstance(kind, ListKind):
        return kind if kind.given is None else kind.given.noted()
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return with_parts(kind, list(map(_by_items, kind.items)))
    return kind
