"""Sums in place, `x += v`: which stand in text that was emitted, and which keep the shape of x."""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.source import Source


def sums_of_ours(source: Source, facts: Inferred, typer: Typer) -> Callable[[gast.AugAssign], bool]:
    """Whether a sum in place stands in text that was emitted, and its array has the shape of the
    sum: of what was the user's statement before that may be an error."""
    def is_ours(node: gast.AugAssign) -> bool:
        function = getattr(node, "origin", source).function
        if not hasattr(function, "rests_on"):
            return False
        if node.lineno not in getattr(function, "sums_of_user", frozenset)():
            return True
        typer.names = facts.before[id(node)]
        kind = typer.kind(syntax.load(node.target.id))
        return not isinstance(kind, (kinds.Array, kinds.Numeric)) or keeps_shape(node)

    keeps_shape = sums_of_one_shape(facts, typer)
    return is_ours


def sums_of_one_shape(facts: Inferred, typer: Typer) -> Callable[[gast.AugAssign], bool]:
    """Whether the array of a sum in place has the shape of the sum."""
    def keeps_shape(node: gast.AugAssign) -> bool:
        typer.names = facts.before[id(node)]
        old = syntax.load(node.target.id)
        return kinds.same_shape(typer.kind(old),
                                typer.kind(gast.BinOp(old, node.op, node.value)))
    return keeps_shape
