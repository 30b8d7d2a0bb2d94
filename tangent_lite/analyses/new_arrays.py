"""New arrays that nobody else holds: where they are made, and where they get into other hands.

    for t in range(n):
        w = np.zeros(m)                 made
        for i in range(m):
            w[i] = u[i] + u[i - 1]      written to
        u = w                           in other hands

What an adjoint reads under another name lies in other memory, as long as `w` is nobody else's; so
what is written over in w need not be kept for it.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.indexing import is_element
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.reaching import reached
from tangent_lite.analyses.same_memory import makes_array
from tangent_lite.kinds import Array, Number
from tangent_lite.syntax import COMPOUND

_OPERATIONS = (gast.BinOp, gast.UnaryOp, gast.Compare)


class NewArrays:
    """What statements do to names of new arrays, by the facts about a function."""

    def __init__(self, facts: Inferred) -> None:
        self.facts = facts
        self.given: dict[int, set[str]] = {}        # by id of a simple statement
        self.later: dict[str, set[str]] = {}        # the names that a name handed its array over to

    def made_by(self, node: gast.stmt) -> set[str]:
        """The name that a statement binds to an array that it makes."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or type(self.facts.after[id(node)].get(node.targets[0].id)) is not Array:
            return set()
        return {node.targets[0].id} if self.is_new(node.value, node) else set()

    def handed_over(self, node: gast.stmt, own: set[str]) -> set[str]:
        """The name that `w = w_1` gives what w_1 holds, if that is one of `own`: from there on both
        names are of one array."""
        value: Any = getattr(node, "value", None)
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if not isinstance(target, gast.Name) or getattr(value, "id", None) not in own:
            return set()
        self.later.setdefault(value.id, set()).add(target.id)
        return {target.id}

    def all_names(self, names: set[str]) -> set[str]:
        """Names, and those to which they may have handed their arrays over."""
        return names if self.later.keys().isdisjoint(names) else reached(names, self.later)

    def is_new(self, value: Any, node: gast.stmt) -> bool:
        """Whether an expression makes a new array, or a number, of arrays and numbers."""
        if isinstance(value, _OPERATIONS):
            return all(isinstance(self.kind(n, node), (Array, Number)) for n in
                       gast.iter_child_nodes(value) if isinstance(n, gast.Name))
        if not isinstance(value, gast.Call):
            return False
        if isinstance(value.func, gast.Attribute) and value.func.attr == "copy":
            return not value.args and type(self.kind(value.func.value, node)) is Array
        function, _ = self.facts.callees.get(id(value), (None, None))
        return makes_array(function, value)

    def kind(self, value: Any, node: gast.stmt) -> Any:
        return self.facts.before[id(node)].get(getattr(value, "id", ""))

    def given_away(self, node: gast.stmt) -> set[str]:
        """Names of what a simple statement may give another name, or to somebody else."""
        found = self.given.get(id(node))
        if found is None:
            found = self.given[id(node)] = self.find(node)
        return found

    def find(self, node: gast.stmt) -> set[str]:
        value: Any = getattr(node, "value", None)
        kept: set[int] = set()              # names of which but a number is taken, or a new array
        for part in syntax.walk(node):
            if isinstance(part, (gast.Subscript, gast.Attribute)) and (
                    not isinstance(part.ctx, gast.Load) or self.is_number(part, node)):
                kept.add(id(part.value))
            elif isinstance(part, gast.Call) and getattr(part.func, "id", None) == "len":
                kept.update(map(id, part.args))
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
                    and self.is_new(value, node):
                kept.update(map(id, (value.func.value, *value.args)))
            elif isinstance(value, _OPERATIONS) and self.is_new(value, node):
                kept.update(map(id, gast.iter_child_nodes(value)))
        return {n.id for n in syntax.names_in(node)
                if isinstance(n.ctx, gast.Load) and id(n) not in kept}

    def is_number(self, part: gast.Subscript | gast.Attribute, node: gast.stmt) -> bool:
        """Whether what is read of an array is an element, or says how large it is."""
        if isinstance(part, gast.Attribute):
            return part.attr in ("shape", "ndim", "size")
        owner = self.kind(part.value, node)
        return type(owner) is Array and is_element(part.slice, owner, node, self.facts)

    def lost_in(self, block: list[gast.stmt]) -> set[str]:
        """Names that statements, and those in them, bind or give away."""
        found = set(bound_in(block))
        for node in syntax.statements(block):
            if isinstance(node, COMPOUND):
                found |= syntax.read_names(node.iter if isinstance(node, gast.For) else node.test)
            else:
                found |= self.given_away(node)
        return self.all_names(found)
