"""What the plan of a backward pass is made of, and what all parts of the planner need."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.increments import increments
from tangent_lite.adjoints.steps import Step
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.errors import Place, UnsupportedSyntaxError
from tangent_lite.filling import Filling
from tangent_lite.inference import Typer
from tangent_lite.syntax import load


@dataclass(eq=False, repr=False)
class Context:
    """What the pass is given."""
    facts: Inferred
    aliases: Aliases
    activity: Any
    typer: Typer
    adjoints: dict[str, str]                            # variable -> name of its adjoint
    fresh: Callable[[str], str]
    external: Callable[[Any, str], gast.expr]           # how emitted code spells an object
    place: Callable[[gast.AST], Place]
    pair: Callable[..., Any]                            # a user function -> its pair
    check_pair: Callable[[gast.Call, Any], None]        # raises why a call cannot be of a pair
    is_helper: bool = False                             # other functions call it
    is_ours: bool = False                               # it is a derivative that is read again
    is_general: bool = False                            # kinds say little: what is shown, not run


@dataclass
class Plan:
    """What each active statement adds to adjoints, and of which kinds these are."""
    steps: dict[int, Step] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)       # tuples that are read as lists are
    kinds: dict[str, kinds.Kind] = field(default_factory=dict)      # of adjoint names


class Planning:
    """The context of a plan that is being made, and the plan."""

    def __init__(self, body: list[gast.stmt], context: Context) -> None:
        self.context = context
        self.plan = Plan()
        self.filling = Filling(context.typer, context.activity.active, context.external,
                               context.fresh, context.place)
        self.filling.kinds = self.plan.kinds
        self.increments = increments(body, context.facts, context.typer)
        self.kept: list[gast.stmt] = []     # replaced statements: their ids must stay theirs
        self.body = body
        self.bound = _bound_once(body)

    @property
    def listed(self) -> set[str]:
        return self.plan.listed

    def active(self, name: str) -> bool:
        return name in self.context.activity.active

    def any_active(self, names: Any) -> bool:
        return any(map(self.active, names))

    def refuse(self, node: gast.AST, reason: str, fix: str) -> UnsupportedSyntaxError:
        return self.filling.refuse(node, reason, fix)

    def adjoint(self, name: str) -> gast.expr:
        return load(self.context.adjoints[name])


def _bound_once(body: list[gast.stmt]) -> dict[str, gast.expr]:
    """What names are bound to that are bound in one place."""
    found: dict[str, gast.expr] = {}
    again: set[str] = set()
    for node in syntax.statements(body):
        for name in definitions(node):
            again |= {name} & found.keys()
            found[name] = node.value
    return {name: value for name, value in found.items() if name not in again}
