"""What names mean on one way through a function, as far as it is known: which object, which tuple.

>>> known = Known({"box": "a", "pair": Row(("a", Atom(syntax.load("w"))))})
>>> known.forget("w")                   # it is bound anew
>>> known.names["pair"].parts
('a', None)
>>> known.call("a", "first")            # a is bound anew, and what it was has another name
>>> known.names["box"], known.names["pair"].parts
('first', ('first', None))
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax

UNKNOWN: Any = object()         # a key that is computed


@dataclass(frozen=True)
class Row:
    """A tuple, by what stands at its places: the name of an object, a row, an `Atom`; None for
    what has no name that lasts."""
    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Atom:
    """A constant, or the name of something else."""
    node: gast.expr


@dataclass
class Known:
    """names: by name, the object that it is another name of, or a row; held: by object and
    step - (".", attribute) or ("[", key) - the same of what is held there."""
    names: dict[str, Any] = field(default_factory=dict)
    held: dict[tuple[str, tuple[str, Any]], Any] = field(default_factory=dict)

    def copy(self) -> Known:
        return Known(dict(self.names), dict(self.held))

    def others(self) -> dict[str, str]:
        """The second names, and of what they are those."""
        return {name: one for name, one in self.names.items() if isinstance(one, str)}

    def forget(self, name: str) -> None:
        """A name is bound anew: to a thing of its own, as far as is known."""
        self.names = {one: without(meant, name) for one, meant in self.names.items()
                      if one != name and meant != name}
        self.held = {(owner, key): without(meant, name)
                     for (owner, key), meant in self.held.items() if name not in (owner, meant)}

    def call(self, name: str, other: str) -> None:
        """What has one name has another one from here on."""
        def renamed(meant: Any) -> Any:
            if isinstance(meant, Row):
                return Row(tuple(map(renamed, meant.parts)))
            return other if meant == name else meant

        self.names = {one: renamed(meant) for one, meant in self.names.items()}
        self.held = {(other if owner == name else owner, step): renamed(meant)
                     for (owner, step), meant in self.held.items()}

    def forget_parts(self, step: tuple[str, Any]) -> None:
        """What is held by this attribute, or behind this key, is another one now, whoever holds it.
        """
        self.held = {(one, own): meant for (one, own), meant in self.held.items()
                     if own[0] != step[0] or (own != step and step[1] is not UNKNOWN)}

    def forget_all_of(self, owners: set[str]) -> None:
        """What these hold may be other things now."""
        self.held = {(one, own): meant for (one, own), meant in self.held.items()
                     if one not in owners}


def without(meant: Any, name: str) -> Any:
    if isinstance(meant, Row):
        return Row(tuple(without(one, name) for one in meant.parts))
    return None if meant == name or getattr(getattr(meant, "node", None), "id", None) == name \
        else meant


def expression(meant: Any) -> gast.expr:
    """What is written for what is meant."""
    if isinstance(meant, str):
        return syntax.load(meant)
    return syntax.copy(meant.node) if isinstance(meant, Atom) \
        else syntax.tuple_of(map(expression, meant.parts))


def mentions(meant: Any, name: str) -> bool:
    return without(meant, name) != meant
