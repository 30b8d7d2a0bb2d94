"""Calls of functions that call themselves and are handed functions that are defined inside: as
calls of a twin that has these inside, and is handed what they read (`functions/taking_in`).

    tree_map(lambda a: c * a, t)        =>          tree_map(c, t)
"""
from __future__ import annotations

import types

import gast

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Scene, Written
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.functions.taking_in import taking_in
from tangent_lite.modules import fitted_by


class FunctionsTakenIn(Scene):
    """What takes the place of such a call."""

    def with_functions_inside(self, value: gast.Call, plain: gast.Call,
                              function: types.FunctionType) -> Written | None:
        """The call of the twin; None where there is none, or what is read is bound by others."""
        parameters = list(fitted_by(function).parameters)
        if len(value.args) > len(parameters):
            return None
        given = [*zip(parameters, value.args), *((k.arg, k.value) for k in value.keywords)]
        handed: dict[str, LocalFunction] = {}
        for name, seen in given:
            kind = self.typer.kind(seen)
            if isinstance(kind, kinds.Known) and isinstance(kind.object, LocalFunction):
                handed[name] = kind.object
        if not handed:
            return None
        found = taking_in(function, handed, self.bound, self.context.inliner.resolver.free)
        if found is None or not self.shared.isdisjoint(found.first):
            return None
        made = self.calling(
            self.inject(found.function, found.function.__name__), plain,
            [*map(syntax.load, found.first),
             *(a for name, a in zip(parameters, plain.args) if name not in handed)],
            [k for k in plain.keywords if k.arg not in handed])
        syntax.place_within(made, plain)
        return [], made
