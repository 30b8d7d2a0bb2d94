"""Parts of dicts and objects that may change under another name than that by which they are read.

>>> tree = gast.parse('''
... def f(p, x):
...     q = p
...     q.y = x
...     y = p.y
...     w = p.w
...     return y, w
... ''').body[0]
>>> sorted(changed_elsewhere(tree).names)
['y']

A name that is bound again and again, each time to what something else holds, is another name of
what it meant before: in `for box in (a, a): box.y = x`, `box.y` changes under the name `box` too.

What the kinds say of such a part is that of the one name, and decides nothing: see `passes.prune`.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.aggregates import part_of
from tangent_lite.analyses.reaching import reached
from tangent_lite.structures.updates import changed_parts, updates_of

_ANY: Any = object()                            # a part whose name is computed
_HANDS_ON = (gast.Name, gast.Compare, gast.BoolOp, gast.UnaryOp)


@dataclass
class Elsewhere:
    """parts: by container, the parts that may change under other names; names: of such parts, and
    of what is asked of them."""
    parts: dict[str, set[Any]]
    names: set[str]

    def decides(self, test: gast.expr) -> bool:
        """Whether a condition reads such a part."""
        return bool(self.parts) and any(
            self.holds(node) or (isinstance(node, gast.Name) and (
                node.id in self.names or self._is_asked(test, node.id)))
            for node in syntax.walk(test))

    def holds(self, node: gast.AST) -> bool:
        """Whether an expression reads such a part."""
        owner, key = part_of(node)
        found = self.parts.get(owner or "", ())
        return key in found or _ANY in found

    def _is_asked(self, test: gast.expr, name: str) -> bool:
        """`hasattr(p, "y")`"""
        return name in self.parts and any(
            isinstance(call.func, gast.Name) and call.func.id == "hasattr"
            for call in syntax.all_of(test, gast.Call))


def changed_elsewhere(tree: gast.FunctionDef) -> Elsewhere:
    """What changes so in a function in normal form."""
    changes: dict[Any, set[str]] = {}           # by part, the names under which it changes
    reads: dict[str, int] = {}                  # by name, how often a part of what it means is read
    held: set[str] = set()                      # names of what has others as well
    again: set[str] = set()                     # of these, those that are bound again and again
    in_loops = {id(node) for loop in syntax.all_of(tree, gast.For, gast.While)
                for node in syntax.statements(loop.body)}
    assigned = list(syntax.all_of(tree, gast.Assign))
    for node in assigned:
        target, value = node.targets[0], node.value
        owner = updates_of(value)
        if owner is not None:
            for (_, key), _ in changed_parts(value):
                changes.setdefault(key, set()).add(owner)
            if getattr(target, "id", "") == owner:
                reads[owner] = reads.get(owner, 0) + 1
        elif isinstance(target, gast.Name) and isinstance(
                value, (gast.Name, gast.Attribute, gast.Subscript)):
            if target.id in held or id(node) in in_loops:
                again.add(target.id)
            held.add(target.id)
        if isinstance(target, (gast.Attribute, gast.Subscript)) \
                and isinstance(target.value, gast.Name):
            key = target.attr if isinstance(target, gast.Attribute) else \
                target.slice.value if isinstance(target.slice, gast.Constant) else _ANY
            changes.setdefault(key, set()).add(target.value.id)
            reads[target.value.id] = reads.get(target.value.id, 0) + 1
    if not changes:
        return Elsewhere({}, set())
    mentions: dict[str, int] = {}
    for name in syntax.names_in(tree):
        if name.ctx.__class__ is gast.Load:
            mentions[name.id] = mentions.get(name.id, 0) + 1
    for part in syntax.all_of(tree, gast.Attribute, gast.Subscript):
        if part.ctx.__class__ is gast.Load and part.value.__class__ is gast.Name:
            reads[part.value.id] = reads.get(part.value.id, 0) + 1
    held |= {name for name, count in mentions.items() if count > reads.get(name, 0)}
    parts = {name: found for name in held
             if (found := {key for key, names in changes.items()
                      if name in again or names - {name}})}
    elsewhere = Elsewhere(parts, set())
    edges: dict[str, set[str]] = {}
    for node in assigned:
        if isinstance(node.targets[0], gast.Name):
            if elsewhere.holds(node.value):
                elsewhere.names.add(node.targets[0].id)
            elif isinstance(node.value, _HANDS_ON):
                for name in syntax.read_names(node.value):
                    edges.setdefault(name, set()).add(node.targets[0].id)
    elsewhere.names = reached(elsewhere.names, edges)
    return elsewhere
