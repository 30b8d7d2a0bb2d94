"""Kinds of dicts whose keys are not written out: what they are made by, and what is taken of them.
"""
from __future__ import annotations

import collections
import enum
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite.kinds import (
    EMPTY,
    FLOAT,
    INT,
    TEXT,
    UNKNOWN,
    Constants,
    DictKind,
    Kind,
    Known,
    ListKind,
    MapKind,
    RangeKind,
    SetKind,
    Text,
    TupleKind,
    any_key,
    can_vary,
    item_of,
    join,
    join_all,
    key_of,
    kind_of,
    names_of,
    value_of,
)

# What a loop takes of the views of such a dict.
VIEWS: dict[Any, Callable[[Any], Kind]] = {
    dict.keys: lambda owner: ListKind(owner.key, is_view=True),
    dict.values: lambda owner: ListKind(owner.item, is_view=True),
    dict.items: lambda owner: ListKind(TupleKind((owner.key, owner.item)), is_view=True)}


def with_item(kind: DictKind | MapKind, item: Kind, key: Kind) -> Kind:
    """The kind of a dict into which something is put by a key that is not written out."""
    return join(kind, MapKind(item, any_key(key), getattr(kind, "missing", None)))


def keys_at_hand(kind: Kind) -> bool:
    """Whether a dict has keys that are not written out, and none of them can vary."""
    return isinstance(kind, MapKind) and not can_vary(kind.key)


def with_default(*given: Kind, **options: Kind) -> Kind:
    """The kind of `collections.defaultdict(float)`, and of one that makes what stands behind a
    lambda; of others it is not known what they make."""
    made: Any = given[0].object if len(given) == 1 and isinstance(given[0], Known) else None
    first = {float: FLOAT, int: INT, list: ListKind(EMPTY)}.get(made) if not options else None
    if first is None and not options and made_by(made) is not None:
        first = EMPTY                   # what is put where a key is missing is written out
    return UNKNOWN if first is None else MapKind(first, EMPTY, made)


def made_by(function: Any) -> gast.expr | None:
    """The expression behind `lambda: ...`, where it reads no variables of the function around it;
    None for others. function: a LocalFunction."""
    tree = getattr(function, "tree", None)
    if not isinstance(tree, gast.FunctionDef) or function.defaults or len(tree.body) != 1 \
            or not isinstance(tree.body[0], gast.Return) \
            or any(isinstance(part, gast.Name) for part in gast.walk(tree.args)):
        return None
    around = {part.id for part in gast.walk(function.origin.tree) if isinstance(part, gast.Name)
              and not isinstance(part.ctx, gast.Load)} if function.captured else set()
    return tree.body[0].value if around.isdisjoint(function.captured) else None


def counter(*given: Kind, **options: Kind) -> Kind:
    """The kind of `collections.Counter()`, and of one of what does not vary."""
    if options or len(given) > 1:
        return UNKNOWN
    counted = given[0] if given else ListKind(EMPTY)
    item = TEXT if isinstance(counted, Text) else counted.item \
        if isinstance(counted, (ListKind, Constants)) else None
    return UNKNOWN if item is None or (item is not EMPTY and can_vary(item)) \
        else MapKind(INT, any_key(item), collections.Counter)


def is_enumeration(thing: Any) -> bool:
    """Whether something is a class of members that can be looped over, as enum.Enum has it."""
    return isinstance(thing, enum.EnumMeta) and type(thing).__iter__ is enum.EnumMeta.__iter__ \
        and len(thing) > 0


def of_member(cls: type, name: str) -> Kind:
    """The kind of `member.value` or `member.name` of a member of an enumeration; of what has these
    from elsewhere it is not known, nor of flags, which are joined to others without names."""
    if not is_enumeration(cls) or issubclass(cls, enum.Flag) or any(
            name in vars(one) for one in cls.__mro__ if one is not enum.Enum):
        return UNKNOWN
    found = [kind_of(getattr(member, name)) for member in cls]      # type: ignore[attr-defined]
    return any_key(join_all(found))


def listed(*given: Kind, **options: Kind) -> Kind:
    """The kind of `list(d)` and `sorted(d)` of a dict, of a range, and of a list of what cannot
    vary; of others it is not known."""
    if len(given) == 1 and keys_at_hand(given[0]):
        return ListKind(given[0].key)                                   # type: ignore[attr-defined]
    if len(given) == 1 and isinstance(given[0], DictKind) \
            and not (given[0].keys and can_vary(key_of(given[0]))):
        return ListKind(key_of(given[0]))
    if len(given) == 1 and isinstance(given[0], Constants):
        return ListKind(given[0].item)
    if len(given) == 1 and isinstance(given[0], RangeKind):
        return ListKind(INT)
    if len(given) == 1 and isinstance(given[0], SetKind):
        return ListKind(given[0].item)
    if len(given) == 1 and isinstance(given[0], Known) and is_enumeration(given[0].object):
        return ListKind(join_all(map(kind_of, given[0].object)))
    return given[0] if len(given) == 1 and isinstance(given[0], ListKind) \
        and not can_vary(given[0]) else UNKNOWN


def with_names(kind: DictKind) -> MapKind:
    """The kind of the dict where it is computed which of its keys is read."""
    return MapKind(item_of(kind), key_of(kind), None, kind.sites, tuple(names_of(kind).items()))


def item_at(kind: DictKind | MapKind, key: Kind) -> Kind:
    """What a dict with known keys holds at a key: of a computed one, at all that it may be."""
    named, value = names_of(kind), value_of(key)
    if value in named:
        return named[value]
    found = [item for name, item in named.items() if not isinstance(key, Text) or key.may_be(name)]
    return join_all(found or named.values())
