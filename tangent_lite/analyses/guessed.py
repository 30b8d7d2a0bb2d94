"""What the text of a function says of parameters of which nothing else is known."""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import Kind


def guessed(parameter_kinds: dict[str, Kind], tree: gast.FunctionDef) -> dict[str, Kind]:
    """The kinds of the parameters, where what arithmetic is done with counts as numeric, and what
    is subscripted as a container or an array."""
    operands = _arithmetic(tree)
    subscripted = {name for node in syntax.all_of(tree, gast.Subscript)
                   if (name := getattr(node.value, "id", None)) is not None}

    def guess(name: str, kind: Kind) -> Kind:
        if kind != kinds.UNKNOWN or isinstance(kind, kinds.MatrixKind):
            return kind
        return kinds.Numeric(None) if name in operands else \
            kinds.MIXED if name in subscripted else kind
    return {name: guess(name, kind) for name, kind in parameter_kinds.items()}


def _arithmetic(tree: gast.FunctionDef) -> set[str]:
    """Names that are certainly numbers or arrays: operands of what lists cannot do."""
    found: set[str] = set()
    for node in syntax.all_of(tree, gast.BinOp, gast.UnaryOp, gast.Call):
        if isinstance(node, gast.BinOp) and not isinstance(node.op, gast.Add):
            parts = [node.left, node.right]
            if isinstance(node.op, gast.Mult):
                parts = [p for p, other in ((node.left, node.right), (node.right, node.left))
                         if not isinstance(other, gast.Constant) or isinstance(other.value, float)]
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            parts = [node.operand]
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and isinstance(
                node.func.value, gast.Name) and node.func.value.id in ("np", "numpy", "math") \
                and len(node.args) == 1:
            parts = node.args
        else:
            continue
        found |= {p.id for p in parts if isinstance(p, gast.Name)}
    return found
