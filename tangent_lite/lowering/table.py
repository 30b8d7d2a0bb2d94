"""Which helper is written how where kinds are known: the table that the `lowering_...` fill."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite.inference import Typer
from tangent_lite.lowering.words import External, Lowering

_lowerings: dict[Any, Lowering] = {}


def lowering(*functions: Any) -> Callable[[Lowering], Lowering]:
    """Register how calls of helpers are written where kinds are known; None: as they are."""
    def register(definition: Lowering) -> Lowering:
        for function in functions:
            _lowerings[function] = definition
        return definition
    return register


def lower(function: Any, call: gast.Call, typer: Typer, external: External) -> gast.expr:
    """The call, or the shorter expression that does the same for the kinds at hand."""
    try:
        definition = _lowerings.get(function)
    except TypeError:
        definition = None
    return (definition(call, typer, external) if definition else None) or call
