"""Intermediate arrays: what one statement makes and the adjoint of one other statement knows."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.steps import Step
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.kinds import Array


def may_be_any(facts: Inferred) -> bool:
    """Whether a function has arrays of floats at all: without, nothing has to be looked at."""
    return any(isinstance(kind, Array) and kind.dtype == "float" for kind in facts.names.values())


class Temporaries:
    """Tells which names of a planned function are arrays of floats with one definition and one use.

    bindings: how often each name is bound; uses: how many contributions its adjoint gets.
    """

    def __init__(self, tree: gast.FunctionDef, planned: Any, facts: Inferred, aliases: Any,
                 adjoints: dict[str, str]) -> None:
        self.facts, self.aliases, self.adjoints = facts, aliases, adjoints
        steps: dict[int, Step] = planned.steps
        self.bindings: dict[str, int] = {}
        self.uses: dict[str, int] = {}          # by how many statements and how often in each
        for node in syntax.statements(tree.body):
            for name in definitions(node):
                self.bindings[name] = self.bindings.get(name, 0) + 1
        for step in steps.values():
            names = [c.name for c in step.contributions]
            for name in [*names, *(step.operands - set(names))]:
                self.uses[name] = self.uses.get(name, 0) + 1
        self.result = syntax.read_names(tree.body[-1])

    def has(self, name: str | None) -> bool:
        """Whether a name is such an array, of which nobody holds a view or writes into it."""
        if name is None:
            return False
        kind = self.facts.names.get(name)
        return isinstance(kind, Array) and kind.dtype == "float" and kind.ndim is not None \
            and self.bindings.get(name) == 1 and self.uses.get(name) == 1 \
            and name not in self.result and name in self.adjoints \
            and not self.aliases.is_written(name) and name not in self.aliases.views
