"""Kinds of dicts whose keys are not written out: what they are made by, and what is taken of them.
"""
from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite.kinds import (
    EMPTY,
    FLOAT,
    INT,
    UNKNOWN,
    Constants,
    DictKind,
    Kind,
    Known,
    ListKind,
    MapKind,
    RangeKind,
    TupleKind,
    any_key,
    can_vary,
    join,
)

# What a loop takes of the views of such a dict.
VIEWS: dict[Any, Callable[[Any], Kind]] = {
    dict.keys: lambda owner: ListKind(owner.key),
    dict.values: lambda owner: ListKind(owner.item),
    dict.items: lambda owner: ListKind(TupleKind((owner.key, owner.item)))}


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
    """The kind of `collections.Counter()`."""
    return UNKNOWN if given or options else MapKind(INT, EMPTY, collections.Counter)


def listed(*given: Kind, **options: Kind) -> Kind:
    """The kind of `list(d)` and `sorted(d)` of a dict whose keys are not written out, of a range,
    and of a list of what cannot vary; of others it is not known."""
    if len(given) == 1 and keys_at_hand(given[0]):
        return ListKind(given[0].key)                                   # type: ignore[attr-defined]
    if len(given) == 1 and isinstance(given[0], Constants):
        return ListKind(given[0].item)
    if len(given) == 1 and isinstance(given[0], RangeKind):
        return ListKind(INT)
    return given[0] if len(given) == 1 and isinstance(given[0], ListKind) \
        and not can_vary(given[0]) else UNKNOWN
