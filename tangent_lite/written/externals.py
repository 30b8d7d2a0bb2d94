"""How emitted code spells the objects that it uses and the user's module does not know."""
from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.calling.resolve import Resolver
from tangent_lite.names import Names

HELPERS = (FunctionType, ModuleType)


class Externals:
    """The external names of one function; called with an object, it gives its name as a node."""

    def __init__(self, names: Names, resolver: Resolver, bound: set[str]) -> None:
        self.names, self.resolver, self.bound = names, resolver, bound
        self.known: dict[str, Any] = dict(resolver.injected)    # name -> what it means

    @classmethod
    def of(cls, prepared: Any) -> Externals:
        """Those of a function that the passes have made ready (units.Prepared)."""
        return cls(prepared.names, prepared.resolver,
                   set(prepared.parameters) | bound_in(prepared.tree.body))

    def go_back(self, before: dict[str, Any]) -> None:
        """Know what was known when `before` was made as a copy of it: what was asked for meanwhile
        stood in text that is thrown away."""
        self.known.clear()              # in place, as `knowing` looks there
        self.known.update(before)

    def knowing(self, free: Callable[[str], Any]) -> Callable[[str], Any]:
        """What free names mean, in code that calls our helpers too."""
        known = self.known

        def look(name: str) -> Any:
            thing = known.get(name)
            return thing if isinstance(thing, HELPERS) else free(name)

        return look

    def __call__(self, thing: Any, wish: str) -> gast.expr:
        """The name of a thing: the user's own for it, where that is the wish, else ours."""
        for spelled, known in self.known.items():
            if known is thing:
                return syntax.load(spelled)
        if wish not in self.bound and self.resolver.now(wish) is thing \
                and not hasattr(thing, "__tangent_lite_unit__"):
            self.resolver.free(wish)
            self.names.take([wish])
            return syntax.load(wish)
        spelled = self.names.fresh(wish)
        self.known[spelled] = thing
        return syntax.load(spelled)
