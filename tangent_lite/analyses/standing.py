"""Names that are bound once and stay what they are, and which of them count: 0, 1, 2, ..."""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.bound_once import BoundOnce, Place
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Number


class Standing(BoundOnce):
    """Knows which names mean one thing wherever they are read."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, aliases: Aliases,
                 typer: Typer) -> None:
        super().__init__(tree, facts)
        self.aliases, self.typer = aliases, typer
        self.parameters = set(syntax.parameter_names(tree.args))
        self.counters = {name for place in self.places if isinstance(place.node, gast.For)
                         for name in syntax.bound_names(place.node.target)}

    def stands(self, name: str, place: Place) -> bool:
        """Whether a name is bound once, before, and what it holds stays what it is."""
        first = self.place(name)
        return first is not None and name not in self.counters and self.follows(place, first) \
            and not self.aliases.may_change(name)

    def keeps(self, name: str, place: Place) -> bool:
        """The same of a parameter, too."""
        return self.stands(name, place) or (
            name in self.parameters and name not in self.bound and name not in self.counters
            and not self.aliases.may_change(name))

    def counts(self, node: gast.expr, place: Place) -> bool:
        """Whether a name is `np.arange(n)`, no two items of which are the same."""
        if not isinstance(node, gast.Name) or not self.stands(node.id, place):
            return False
        value: Any = self.binding(node.id)
        return self.calls(value, (np.arange,)) and self.facts.names.get(node.id) == Array(1, "int")

    def counted(self, index: gast.expr, place: Place) -> gast.Name | None:
        """What counts in an index that names no element twice, since the arrays of whole numbers in
        it are as long as one that counts: `rows` of `x[rows, labels]`, where rows = np.arange(n).
        """
        self.typer.names = self.facts.names
        parts: list[Any] = syntax.shown_parts(index)
        found = next((part for part in parts if self.counts(part, place)), None)
        if found is None:
            return None
        like: Any = self.typer.kind(found)
        return found if all(self.goes_along(part, like) for part in parts) else None

    def goes_along(self, part: gast.expr, like: Array) -> bool:
        """Whether a part of an index is an array of whole numbers like another one, or none."""
        if isinstance(part, gast.Slice):
            return True
        kind = self.typer.kind(part)
        if isinstance(kind, Array):
            return kind == Array(1, "int") and kinds.same_shape(kind, like)
        return isinstance(kind, kinds.Nothing) or (isinstance(kind, Number) and kind.type == "int")
