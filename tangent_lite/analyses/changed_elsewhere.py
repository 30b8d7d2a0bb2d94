"""Functions that objects hold, and get anew under another name than that by which they are called.

In `m = M(f)`, `n = m`, `n.g = h`, `m.g(x)` calls `h`, while the kind of `m` still says `f` as long
as nobody has told that both names are of one object.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.structures.updates import change_of, changed_parts

Step = tuple[str, Any]


class ChangedElsewhere:
    """What the statements of a function change of objects, by the names of these; makes: whether an
    expression makes an object that has no parts yet."""

    def __init__(self, tree: gast.FunctionDef, makes: Callable[[gast.expr], bool]) -> None:
        self.makes = makes
        self.values: dict[str, list[gast.expr]] = {}
        self.steps: dict[Step, list[str]] = {}
        for node in syntax.statements(tree.body):
            if not isinstance(node, gast.Assign):
                continue
            target, owner = node.targets[0], change_of(node.value)
            if owner is not None:
                for step, _ in changed_parts(node.value):
                    self.steps.setdefault(step, []).append(owner)
            elif isinstance(target, gast.Name):
                self.values.setdefault(target.id, []).append(node.value)
            elif isinstance(target, gast.Attribute):
                self.steps.setdefault((".", target.attr), []).append(
                    syntax.root_name(target) or "")

    def may_be(self, called: gast.expr) -> bool:
        """Whether what is called may be another function than its kind says."""
        seen: set[str] = set()
        todo = [called]
        while todo:
            one = todo.pop()
            if isinstance(one, gast.Name) and one.id not in seen:
                seen.add(one.id)
                todo += self.values.get(one.id, [])
            elif isinstance(one, gast.Attribute) and self.is_changed(
                    (".", one.attr), syntax.root_name(one)):
                return True
        return False

    def is_changed(self, step: Step, root: str | None) -> bool:
        """Whether a part of an object of that name may be changed under another name: one that is
        no object made here that gets the part once, as `__init__` gives it."""
        owners = self.steps.get(step, [])
        return any(owner != root and not (owners.count(owner) == 1 and self.is_made(owner))
                   for owner in owners)

    def is_made(self, name: str) -> bool:
        """Whether a name means objects that are made where it is bound, and no others."""
        return name in self.values and all(map(self.makes, self.values[name]))
