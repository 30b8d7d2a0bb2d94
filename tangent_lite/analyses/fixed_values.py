"""What no call that is yet to be written out can make something else: literals, under whichever
names, and parts of tuples of such.

    items = ("W", W), ("b", b)
    item = items[0]
    k, v = item                     k is "W"
    n = options["name"]             is what the dict holds by then
"""
from __future__ import annotations

import functools

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.functions.local_functions import bound_around


class Fixed:
    """Which texts are fixed in one tree; numbered: its later form, which facts are about."""

    def __init__(self, tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred) -> None:
        self.tree, self.numbered, self.facts = tree, numbered, facts
        self.known: dict[str, bool] = {}

    @functools.cached_property
    def bindings(self) -> dict[str, list[gast.expr | None]]:
        """What each name is bound to, or unpacked from; None for what a loop binds, and for all
        that functions defined inside may bind."""
        found: dict[str, list[gast.expr | None]] = {
            name: [None] for name in syntax.parameter_names(self.numbered.args)}
        anything = bool(bound_around(self.tree))
        for node in syntax.statements(self.numbered.body):
            if isinstance(node, gast.For):
                for name in syntax.bound_names(node.target):
                    found.setdefault(name, []).append(None)
            elif isinstance(node, (gast.Assign, gast.AugAssign)):
                value = node.value if isinstance(node, gast.Assign) and not anything else None
                for target in getattr(node, "targets", None) or [node.target]:
                    whole = value if isinstance(target, gast.Name) or self.is_tuple(value) else None
                    for name in syntax.bound_names(target):
                        found.setdefault(name, []).append(whole)
        return found

    def is_fixed(self, node: gast.expr | None) -> bool:
        """Whether a text, or what one is taken from, is what it is."""
        if isinstance(node, gast.Constant):
            return True
        if isinstance(node, gast.Tuple):
            return all(map(self.is_no_other_text, node.elts))
        if isinstance(node, gast.Subscript):
            return isinstance(node.slice, gast.Constant) and self.is_tuple(node.value) \
                and self.is_fixed(node.value)
        if not isinstance(node, gast.Name) or node.id not in self.bindings:
            return False
        if node.id not in self.known:
            self.known[node.id] = False         # what is bound to itself
            self.known[node.id] = all(map(self.is_fixed, self.bindings[node.id]))
        return self.known[node.id]

    def is_tuple(self, value: gast.expr | None) -> bool:
        return isinstance(value, gast.Tuple) or (isinstance(value, gast.Name) and isinstance(
            self.facts.names.get(value.id), kinds.TupleKind))

    def is_no_other_text(self, part: gast.expr) -> bool:
        """Whether a part of a tuple is fixed, or surely no text and no tuple."""
        return self.is_fixed(part) or (isinstance(part, gast.Name) and isinstance(
            self.facts.names.get(part.id), _NO_TEXTS))


_NO_TEXTS = (kinds.Number, kinds.Numeric, kinds.Array, kinds.ListKind, kinds.DictKind,
             kinds.RecordKind)
