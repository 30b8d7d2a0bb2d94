"""Where a minus stands in a formula: in front of a product, or as the sign of what is added.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.syntax import parse_expression
>>> node = parse_expression("-a * b")
>>> emit_expression(leading_minus(node))
'a * b'
"""
from __future__ import annotations

import gast

from tangent_lite.once import may_be_one


def negated(node: gast.expr) -> gast.expr | None:
    """x where node is -x."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and not isinstance(node.operand, gast.Constant):
        return node.operand
    return None


def leading_minus(node: gast.expr) -> gast.expr | None:
    """b * c where node is -b * c; nothing is changed if there is no minus."""
    spine = node
    parents = []
    while isinstance(spine, gast.BinOp) and isinstance(spine.op, (gast.Mult, gast.Div,
                                                                  gast.MatMult)):
        parents.append(spine)
        spine = spine.left
    inner = negated(spine)
    if inner is None or not parents:
        return None
    parents[-1].left = inner
    return node


def positive_first(node: gast.BinOp) -> gast.BinOp:
    """`-a * b + c` as `c - a * b`, and `-2.0 * a + c` as `c - 2.0 * a`, to the bit the same; what
    it is made of is changed.

    >>> from tangent_lite.emit import emit_expression
    >>> from tangent_lite.syntax import parse_expression
    >>> emit_expression(positive_first(parse_expression("-a * b + c * d")))
    'c * d - a * b'
    """
    if not isinstance(node.op, gast.Add) or getattr(node, "joins", False) or not may_be_one(node) \
            or _starts_with_minus(node.right):
        return node
    minus = opposite(node.left)
    return node if minus is None else gast.BinOp(node.right, gast.Sub(), minus)


def opposite(node: gast.expr) -> gast.expr | None:
    """What node is the negative of, where a minus stands in front of it: b of -b, b * c of -b * c,
    2.0 * b of -2.0 * b. What it is made of is changed."""
    minus = negated(node) or leading_minus(node)
    if minus is None and isinstance(node, gast.BinOp) and _starts_with_minus(node):
        minus = spine = node
        while isinstance(spine.left, gast.BinOp):
            spine = spine.left
        spine.left = spine.left.operand
    return minus


def _starts_with_minus(node: gast.expr) -> bool:
    """Whether a product has a minus in front, be it that of a number."""
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div, gast.MatMult)):
        node = node.left
    return isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub)


def signed(value: gast.expr) -> tuple[str, gast.expr]:
    """The operator that adds a value, and what stands behind it: `-v` is added by `-= v`."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        return "-", value.operand
    return "+", value
