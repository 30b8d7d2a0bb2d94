"""Names that mean keys of a dict while a loop over it is not written out yet.

    for name in params:                         name is "W" or "b"
    for name in params.keys():                  so it is
    for name, p in params.items():              and here
        params[name] = p - rate * grads[name]   puts no other key into params
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds
from tangent_lite.kinds import Kind

_VIEWS = {dict.keys: "keys", dict.items: "items"}


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

    def of(self, name: str) -> tuple[Any, ...] | None:
        return self.keys.get(name)

    def forget(self, name: str) -> None:
        """A name is bound anew."""
        if not self.keys and not self.views:
            return                              # as in most functions
        self.keys.pop(name, None)
        self.views.pop(name, None)
        for view in [view for view, (*_, owner) in self.views.items() if owner == name]:
            del self.views[view]

    def note(self, target: gast.expr, value: Any, function: Any,
             environment: dict[str, Kind]) -> bool:
        """What a statement binds; function: what its value calls. Whether it is a key, or what
        leads to one."""
        if not self.keys and not self.views and function not in _VIEWS \
                and not getattr(value, "iterates", False):
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
        elif function in _VIEWS and not value.args and isinstance(value.func, gast.Attribute):
            known = environment.get(getattr(value.func.value, "id", ""))
            if isinstance(known, kinds.DictKind):
                self.views[target.id] = _VIEWS[function], known.keys, value.func.value.id
        return target.id in self.keys or target.id in self.views

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
