"""Lists of functions or objects that may be one list: what is put into one is in the others.

    names = Together()
    names.meet(["fs", "gs"], environment)           # gs = fs
    names.grown("gs", Known(np.tanh), environment)  # gs.append(np.tanh)

What a call calls is known from the kinds of the items, so no name may miss one. Of numbers and
arrays the code says the same whichever they are.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import gast

from tangent_lite import kinds
from tangent_lite.analyses.dict_sites import seen
from tangent_lite.kinds import Kind
from tangent_lite.records import DEEPEST
from tangent_lite.tangles import MOST_PARTS, TooManyParts, Walk

_HOLDING = (kinds.ListKind, kinds.TupleKind, kinds.DictKind, kinds.MapKind, kinds.RecordKind)
_FUNCTIONS = (kinds.Known, kinds.Choice)


class Together:
    """Which names of containers were met in one statement, directly or by others.

    >>> import math
    >>> of = kinds.ListKind
    >>> sin, cos = kinds.Known(math.sin), kinds.Known(math.cos)
    >>> known = {"fs": of(sin), "gs": of(sin), "hs": of(sin), "xs": of(kinds.FLOAT)}
    >>> together = Together()
    >>> together.meet(["fs", "gs", "xs"], known)
    >>> together.grown("gs", cos, known)
    >>> [name for name, kind in known.items() if isinstance(kind.item, kinds.Choice)]
    ['fs']
    """

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def meet(self, names: Iterable[str], environment: dict[str, Kind]) -> None:
        """Some of these names may be bound to one list, or to what holds it."""
        found = [self.find(name) for name in names
                 if isinstance(environment.get(name), _HOLDING)]
        for name in found[1:]:
            one, other = self.find(name), self.find(found[0])
            if one != other:
                self.first[one] = other

    def find(self, name: str) -> str:
        while name in self.first:
            name = self.first[name]
        return name

    def grown(self, name: str, item: Kind, environment: dict[str, Kind]) -> None:
        """An item is put into the list that a name is bound to."""
        if not isinstance(item, (*_FUNCTIONS, kinds.RecordKind)):
            return
        item = _no_deeper(item)
        for other, kind in environment.items():
            if other != name and isinstance(kind, _HOLDING) \
                    and self.find(other) == self.find(name):
                environment[other] = _no_deeper(_with_item(kind, item))


def _no_deeper(kind: Kind) -> Kind:
    """A kind without what objects hold that are held by many of their own class, as `kind_of` has
    it of values: an object in a list that may be its own would hold twice as much each time around
    a loop.

    >>> class Node: pass
    >>> node = kinds.RecordKind(Node, ("rest",), (kinds.ListKind(kinds.EMPTY),))
    >>> for _ in range(20):
    ...     node = kinds.RecordKind(Node, ("rest",), (kinds.ListKind(node),))
    >>> repr(node).count("RecordKind"), repr(_no_deeper(node)).count("RecordKind")
    (21, 8)
    """
    if not isinstance(kind, _HOLDING):
        return kind
    for deepest in (DEEPEST, 1):
        try:
            return _cut(kind, (), deepest, Walk(MOST_PARTS))
        except TooManyParts:
            pass
    return kinds.ANY


def _cut(kind: Kind, around: tuple[type, ...], deepest: int, walk: Walk) -> Kind:
    """A kind, without what objects hold that `deepest` of their class are around."""
    walk.enter()
    if isinstance(kind, kinds.RecordKind):
        if around.count(kind.type) >= deepest:
            return kinds.ANY
        around = (*around, kind.type)
    if isinstance(kind, (kinds.ListKind, kinds.MapKind)):
        item = _cut(kind.item, around, deepest, walk)
        return kind if item is kind.item else dataclasses.replace(kind, item=item)
    parts = kind.items if isinstance(kind, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)) \
        else ()
    return kinds.with_parts(kind, [_cut(part, around, deepest, walk) for part in parts])


class ListsInside:
    """Lists of dicts and objects under names of their own: what is put into such a list is put into
    that which the object holds.

    >>> class Run: pass
    >>> run = kinds.RecordKind(Run, ("log",), (kinds.ListKind(kinds.EMPTY),))
    >>> known = {"run": run, "log": run.items[0]}
    >>> lists = ListsInside()
    >>> lists.note("log", gast.parse("run.log").body[0].value, known)
    True
    >>> lists.grown("log", kinds.FLOAT, known)
    >>> known["run"].items
    (ListKind(item=Number(type='float', value=NO_VALUE)),)
    """

    def __init__(self) -> None:
        self.parts: dict[str, tuple[str, object]] = {}

    def note(self, name: str, value: gast.expr, environment: dict[str, Kind]) -> bool:
        """What a name is bound to; whether that is such a list."""
        if self.parts:
            self.parts.pop(name, None)
        owner = getattr(value, "value", None)
        if not isinstance(owner, gast.Name) or not isinstance(
                environment.get(name), (kinds.ListKind, kinds.RecordKind)):
            return False
        if isinstance(value, gast.Attribute):
            self.parts[name] = owner.id, value.attr
        elif isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Constant):
            self.parts[name] = owner.id, value.slice.value
        return name in self.parts

    def grown(self, name: str, item: Kind, environment: dict[str, Kind]) -> None:
        """An item is put into the list that a name is bound to."""
        now: Kind = kinds.ListKind(item)
        met: set[str] = set()
        while name in self.parts and name not in met:
            met.add(name)
            name, key = self.parts[name]
            kind = environment.get(name)
            if not isinstance(kind, (kinds.RecordKind, kinds.DictKind)):
                return
            keys: tuple[object, ...] = kind.fields if isinstance(kind, kinds.RecordKind) \
                else kind.keys
            was, now = kind, kinds.with_parts(kind, [
                kinds.join(part, now) if (type(one), one) == (type(key), key)
                and type(part) is type(now) else part for one, part in zip(keys, kind.items)])
            environment[name] = now
            if isinstance(was, kinds.DictKind):
                seen(was, now, environment, [name])


def _with_item(kind: Kind, item: Kind, inside: bool = False) -> Kind:
    """The kind of a container, if any list in it that may hold such an item holds this one."""
    if isinstance(kind, kinds.ListKind):
        held = kind.item
        if isinstance(held, _HOLDING):
            held = _with_item(held, item, True)
        is_new = held is kinds.EMPTY and (not inside or isinstance(item, _FUNCTIONS))
        if is_new or isinstance(held, (*_FUNCTIONS, kinds.RecordKind)):
            held = kinds.join(held, item)
        return dataclasses.replace(kind, item=held)
    if isinstance(kind, kinds.MapKind):
        return dataclasses.replace(kind, item=_with_item(kind.item, item, True))
    parts = kind.items if isinstance(kind, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)) \
        else ()
    return kinds.with_parts(kind, [_with_item(part, item, True) for part in parts])
