"""Masks that are added or multiplied are masks again.

    ((x > 0.0) + (y > 0.0)) * z         =>      ((x > 0.0) | (y > 0.0)) * z

So NumPy has it: True + True is True. Element by element Numba adds two numbers, and gets 2. What
two truth values that are numbers add up to is not known: 2 where they are Python's, and True where
they are NumPy's, as those of elements are. That is refused.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import head
from tangent_lite.errors import TangentError
from tangent_lite.kinds import Array, Kind, Number, dtype_of

_AS_MASKS = {gast.Add: gast.BitOr, gast.Mult: gast.BitAnd}


def combine_masks(tree: gast.FunctionDef, kind: Callable[[gast.expr], Kind],
                  refuse: Callable[[gast.AST, str, str], TangentError]) -> bool:
    """Rewrite a function in place; whether there was something to do."""
    masks = _Masks(kind)
    for node in syntax.statements(tree.body):
        before = len(masks.numbers)
        masks.visit(head(node))
        if len(masks.numbers) > before:
            raise refuse(node, "the sum of two truth values is 2 in Python and True in NumPy",
                         "write int(...) around each, or np.logical_or")
    return masks.is_changed


class _Masks(gast.NodeTransformer):
    def __init__(self, kind: Callable[[gast.expr], Kind]) -> None:
        self.kind, self.is_changed = kind, False
        self.numbers: list[gast.BinOp] = []             # sums of truth values that are numbers

    def visit_BinOp(self, node: gast.BinOp) -> Any:
        self.generic_visit(node)
        sides = self.kind(node.left), self.kind(node.right)
        if type(node.op) in _AS_MASKS and all(dtype_of(side) == "bool" for side in sides) \
                and any(isinstance(side, Array) for side in sides):
            node.op = _AS_MASKS[type(node.op)]()
            self.is_changed = True
        elif isinstance(node.op, gast.Add) and all(
                isinstance(side, Number) and side.type == "bool" for side in sides):
            self.numbers.append(node)
        return node
