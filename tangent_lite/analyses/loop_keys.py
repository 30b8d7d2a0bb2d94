"""Names that mean keys of a dict while a loop over it is not written out yet.

    for name in params:                         name is "W" or "b"
    for name in params.keys():                  so it is
    for name, p in params.items():              and here
        params[name] = p - rate * grads[name]   puts no other key into params
        fresh[name] = 0.9 * p                   and behind the loop, fresh has these, too
"""
from __future__ import annotations

import dataclasses
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.dict_sites import sites_in
from tangent_lite.kinds import Kind

_VIEWS = {dict.keys: "keys", dict.items: "items"}


def _is_view(function: Any) -> bool:
    """Whether a function gives a view of a dict; some functions (those of ctypes) have no hash."""
    return any(function is one for one in _VIEWS)


class LoopKeys:
    """Which names mean a key, and of which keys it is one.

    >>> W = kinds.Number("float")
    >>> known = {"params": kinds.DictKind(("W", "b"), (W, W))}
    >>> found = LoopKeys()
    >>> pairs, pair, both = gast.parse("pairs = params.items(); pair = pairs[k]; n, p = pair").body
    >>> pair.value.iterates = True
    >>> for node, function in ((pairs, dict.items), (pair, None), (both, None)):
    ...     noted = found.note(node.targets[0], node.value, function, known)
    >>> found.of("n"), found.of("p")
    (('W', 'b'), None)
    """

    def __init__(self) -> None:
        self.keys: dict[str, tuple[Any, ...]] = {}
        # Names of views of a dict ("keys", "items"), with the name of that, and of pairs of key and
        # value ("pair").
        self.views: dict[str, tuple[str, tuple[Any, ...], str]] = {}
        # Names of lengths, `stop = len(params)`: of what.
        self.lengths: dict[str, str] = {}
        # By target, `fresh[name] = item`: the keys, and what the item is.
        self.puts: dict[int, tuple[tuple[Any, ...], Kind]] = {}

    def of(self, name: str) -> tuple[Any, ...] | None:
        return self.keys.get(name)

    def forget(self, name: str) -> None:
        """A name is bound anew."""
        if not self.keys and not self.views and not self.lengths:
            return                              # as in most functions
        self.keys.pop(name, None)
        self.lengths.pop(name, None)
        for length in [one for one, owner in self.lengths.items() if owner == name]:
            del self.lengths[length]
        self.views.pop(name, None)
        for view in [view for view, (*_, owner) in self.views.items() if owner == name]:
            del self.views[view]

    def note(self, target: gast.expr, value: Any, function: Any,
             environment: dict[str, Kind]) -> bool:
        """What a statement binds; function: what its value calls. Whether it is a key, or what
        leads to one."""
        if not self.keys and not self.views and not self.lengths \
                and not _is_view(function) \
                and function is not len and not getattr(value, "iterates", False):
            return False
        if isinstance(target, gast.Tuple):
            for part in target.elts:
                self.forget(getattr(part, "id", ""))
            what, keys = self.item_of(value, environment)
            first = target.elts[0] if target.elts else None
            if what == "pair" and len(target.elts) == 2 and isinstance(first, gast.Name):
                self.keys[first.id] = keys
                return True
            return False
        if not isinstance(target, gast.Name):
            return False
        what, keys = self.item_of(value, environment)
        self.forget(target.id)
        if what == "key":
            self.keys[target.id] = keys
        elif what:
            self.views[target.id] = what, keys, ""
        elif _is_view(function) and not value.args and isinstance(value.func, gast.Attribute):
            known = environment.get(getattr(value.func.value, "id", ""))
            if isinstance(known, kinds.DictKind):
                self.views[target.id] = _VIEWS[function], known.keys, value.func.value.id
        elif function is len and len(value.args) == 1 and isinstance(
                environment.get(getattr(value.args[0], "id", "")), kinds.DictKind):
            self.lengths[target.id] = value.args[0].id
        return target.id in self.keys or target.id in self.views or target.id in self.lengths

    def item_of(self, value: Any, environment: dict[str, Kind]) -> tuple[str, tuple[Any, ...]]:
        """Whether an expression is a "key" or a "pair", and of which keys; "" if neither."""
        if isinstance(value, gast.Name):
            what, keys, _ = self.views.get(value.id, ("", (), ""))
            return (what, keys) if what == "pair" else ("", ())
        if not getattr(value, "iterates", False):
            return "", ()
        name = getattr(value.value, "id", "")
        owner = environment.get(name)
        if isinstance(owner, kinds.DictKind):
            return "key", owner.keys
        what, keys, viewed = self.views.get(name, ("", (), ""))
        now = environment.get(viewed)           # which may have got others since
        if not isinstance(now, kinds.DictKind) or now.keys != keys:
            return "", ()
        return {"keys": "key", "items": "pair"}.get(what, ""), keys

    def note_put(self, target: gast.Subscript, item: Kind) -> None:
        """An item is put into a dict."""
        keys = self.of(getattr(target.slice, "id", ""))
        if keys is None:
            self.puts.pop(id(target), None)
        else:
            self.puts[id(target)] = keys, item

    def filled(self, loop: gast.For | gast.While, before: dict[str, Kind],
               environment: dict[str, Kind]) -> dict[str, Kind]:
        """The dicts into which a loop over the keys of another one has put something at each of
        them, which nobody else has a name for; before: what was known in front of the loop."""
        found: dict[str, Kind] = {}
        if not self.puts or not isinstance(loop, gast.For) or syntax.may_leave(loop.body):
            return found
        for node in loop.body:
            target: Any = node.targets[0] if isinstance(node, gast.Assign) else None
            if id(target) not in self.puts or not isinstance(target.value, gast.Name):
                continue
            name, keys = target.value.id, self.puts[id(target)][0]
            known = before.get(name)
            if not isinstance(known, kinds.DictKind) or known.makes or name in found \
                    or not self.runs_over(loop, target.slice.id, keys, before):
                continue
            items = self.items_put(loop, name, keys)
            if items is None or any(other != name and not sites_in(kind).isdisjoint(known.sites)
                                    for other, kind in environment.items()):
                continue
            parts = dict(zip(known.keys, known.items)) | dict.fromkeys(keys, kinds.join_all(items))
            found[name] = dataclasses.replace(known, keys=tuple(parts),
                                              items=tuple(parts.values()))
        return found

    def items_put(self, loop: gast.For, name: str, keys: tuple[Any, ...]) -> list[Kind] | None:
        """What a loop puts into a dict at these keys; None if it does anything else with it but to
        read an item."""
        found: list[Kind] = []
        mentioned = 0
        for statement in loop.body:
            for node in syntax.walk(statement):
                if isinstance(node, gast.Name) and node.id == name:
                    mentioned += 1
                elif isinstance(node, gast.Subscript) and getattr(node.value, "id", "") == name:
                    mentioned -= 1
                    if isinstance(node.ctx, gast.Load):
                        continue
                    if self.puts.get(id(node), ((), None))[0] != keys:
                        return None
                    found.append(self.puts[id(node)][1])
                elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Subscript) \
                        and getattr(node.target.value, "id", "") == name:
                    return None
        return None if mentioned else found

    def runs_over(self, loop: gast.For, name: str, keys: tuple[Any, ...],
                  before: dict[str, Kind]) -> bool:
        """Whether a loop goes through all of these keys, each under this name:
        `for n in range(len(params)): k = params[n]`."""
        bounds: list[Any] = getattr(loop.iter, "args", [])
        bound: Any = bounds[0] if len(bounds) == 1 else None
        owner = self.lengths.get(getattr(bound, "id", ""), "")
        if isinstance(bound, gast.Call) and getattr(bound.func, "id", "") == "len" \
                and len(bound.args) == 1:
            owner = getattr(bound.args[0], "id", "")
        if not _is_item(loop, name, owner):
            return False
        what, its, viewed = self.views.get(owner, ("", keys, owner))
        over = before.get(viewed)
        return what in ("", "keys", "items") and isinstance(over, kinds.DictKind) \
            and over.keys == keys == its


def _is_item(loop: gast.For, name: str, owner: str) -> bool:
    """Whether a name means in a loop what it takes of its owner, or the first part of that, and is
    bound to nothing else there."""
    counter = getattr(loop.target, "id", "")
    bound = [part.id for node in loop.body for part in syntax.names_in(node)
             if not isinstance(part.ctx, gast.Load)]
    taken: set[str] = set()
    for node in loop.body:
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        first = target.elts[0] if isinstance(target, gast.Tuple) and target.elts else target
        if not isinstance(first, gast.Name):
            continue
        value: Any = node.value
        if getattr(value, "id", "") in taken or (
                getattr(value, "iterates", False) and getattr(value.value, "id", "") == owner
                and getattr(value.slice, "id", "") == counter):
            taken.add(first.id)
    return name in taken and bound.count(name) == 1 and counter not in bound
