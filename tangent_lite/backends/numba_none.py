"""What compiled code cannot tell: whether a part of a tuple that a call returned is None.

    t, hit_saved = hit_fwd(x)
    if t is None:                   # never, as Numba compiles it
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.units import Derivative


def refuse_tests_of_results(derivative: Derivative, fix: str) -> None:
    """Refuse to compile what asks whether a helper returned None, beside what its backward half
    needs."""
    for unit in derivative.units:
        tests = [node for node in syntax.all_of(unit.tree, gast.Compare)
                 if isinstance(node.ops[0], (gast.Is, gast.IsNot))
                 and getattr(node.comparators[0], "value", ...) is None]
        if not tests:
            continue
        bound = list(syntax.all_of(unit.tree, gast.Assign))
        found = {name for node in bound if isinstance(node.value, gast.Call)
                 and isinstance(node.targets[0], gast.Tuple)
                 for name in syntax.bound_names(node.targets[0])}
        while True:
            more = {node.targets[0].id for node in bound if isinstance(node.targets[0], gast.Name)
                    and getattr(node.value, "id", None) in found}
            if more <= found:
                break
            found |= more
        for node in tests:
            if getattr(node.left, "id", None) in found:
                raise UnsupportedSyntaxError(
                    "whether what a helper returns is None cannot be told in compiled code",
                    unit.source.place(node), f"return a number that says so, or {fix}")
