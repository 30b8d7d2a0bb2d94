"""Masks that are added or multiplied are masks again.

    ((x > 0.0) + (y > 0.0)) * z         =>      ((x > 0.0) | (y > 0.0)) * z

So NumPy has it: True + True is True. Element by element Numba adds two numbers, and gets 2.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite.kinds import Array, Kind, dtype_of

_AS_MASKS = {gast.Add: gast.BitOr, gast.Mult: gast.BitAnd}


def combine_masks(tree: gast.FunctionDef, kind: Callable[[gast.expr], Kind]) -> bool:
    """Rewrite a function in place; whether there was something to do."""
    masks = _Masks(kind)
    masks.visit(tree)
    return masks.is_changed


class _Masks(gast.NodeTransformer):
    def __init__(self, kind: Callable[[gast.expr], Kind]) -> None:
        self.kind, self.is_changed = kind, False

    def visit_BinOp(self, node: gast.BinOp) -> Any:
        self.generic_visit(node)
        sides = self.kind(node.left), self.kind(node.right)
        if type(node.op) in _AS_MASKS and all(dtype_of(side) == "bool" for side in sides) \
                and any(isinstance(side, Array) for side in sides):
            node.op = _AS_MASKS[type(node.op)]()
            self.is_changed = True
        return node
