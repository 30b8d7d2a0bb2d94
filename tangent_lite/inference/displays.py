"""The kinds of displays and comprehensions: tuples, lists, sets and dicts that are written out."""
from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import UNKNOWN, Kind, Number, can_vary, sets
from tangent_lite.kinds.duck import replaced
from tangent_lite.structures.comprehensions import dict_over_keys, tuple_by_parts


class Displays:
    """The part of a Typer that looks at displays."""

    names: MutableMapping[str, Kind]

    def kind(self, node: gast.AST | None) -> Kind:
        """The kind of an expression; see `inference`."""
        raise NotImplementedError

    if TYPE_CHECKING:
        def items_of(self, owner: Kind) -> Kind:
            """What a loop over a value hands out: of `Items`, another part of a Typer."""

    def _Tuple(self, node: gast.Tuple) -> Kind:
        if any(isinstance(e, gast.Starred) for e in node.elts):
            return UNKNOWN
        return kinds.TupleKind(tuple(self.kind(e) for e in node.elts))

    def _List(self, node: gast.List) -> Kind:
        if getattr(node, "is_told", False):
            return kinds.TupleKind(tuple(map(self.kind, node.elts)), list)
        return kinds.ListKind(kinds.join_all(
            self.items_of(self.kind(e.value)) if isinstance(e, gast.Starred) else self.kind(e)
            for e in node.elts))

    def _Set(self, node: gast.Set) -> Kind:
        return sets.set_of(kinds.join_all(UNKNOWN if isinstance(e, gast.Starred) else self.kind(e)
                                          for e in node.elts))

    def _SetComp(self, node: gast.SetComp) -> Kind:
        item, = self.in_comprehension(node.generators, node.elt)
        return sets.set_of(item)

    def _Dict(self, node: gast.Dict) -> Kind:
        found: dict[Any, Kind] = {}
        for key, value in zip(node.keys, node.values):
            if isinstance(key, gast.Constant):
                found[key.value] = self.kind(value)
                continue
            more = self.kind(value)
            if key is not None or not isinstance(more, kinds.DictKind):
                return UNKNOWN
            found.update(zip(more.keys, more.items))
        return kinds.DictKind(tuple(found), tuple(found.values()))

    def _DictComp(self, node: gast.DictComp) -> Kind:
        made = dict_over_keys(node, node, self)
        if made is not None:
            return self.kind(made)
        key, item = self.in_comprehension(node.generators, node.key, node.value)
        # What is no number may be one thing under several keys.
        return kinds.MapKind(item, kinds.any_key(key)) if isinstance(item, Number) \
            and isinstance(key, (kinds.Text, Number)) and not can_vary(key) else UNKNOWN

    def by_parts(self, node: gast.expr) -> Kind | None:
        """The kind of what a comprehension hands out one by one, where it is known how many."""
        parts = tuple_by_parts(node, node, self)
        return None if parts is None else kinds.TupleKind(tuple(map(self.kind, parts)))

    def _GeneratorExp(self, node: gast.GeneratorExp) -> Kind:
        known = self.by_parts(node) if getattr(node, "is_spread", False) else None
        return UNKNOWN if known is None else known

    def _ListComp(self, node: gast.ListComp) -> Kind:
        spread = self.by_parts(node) if getattr(node, "is_spread", False) else None
        if spread is not None:
            return spread
        item, = self.in_comprehension(node.generators, node.elt)
        return kinds.ListKind(item)

    def in_comprehension(self, generators: list[gast.comprehension],
                         *parts: gast.expr) -> list[Kind]:
        """The kinds of what is made at any step of a comprehension."""
        known, inner = self.names, dict(self.names)
        for one in generators:
            self.names = inner
            item = self.items_of(self.kind(one.iter))
            for name in syntax.bound_names(one.target):
                inner[name] = item if isinstance(one.target, gast.Name) else UNKNOWN
        self.names = inner
        found = [replaced(self.kind(part), kinds.in_any_iteration) for part in parts]
        self.names = known
        return found
