"""Shorten the formulas of the backward pass, where that changes no value.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> tree = gast.parse('''
... def f(x, y, bx, by):
...     bx += 1.0 * by * y
...     by += -x * bx
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> simplify(tree.body, SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={}), adjoint_kinds={}))
>>> print(emit(tree), end="")
def f(x, y, bx, by):
    bx += by * y
    by -= x * bx

The rules of arithmetic are those of `algebra`; what NumPy spreads itself is not spread by a helper;
signs move into `+=` and `-=`.
"""
from __future__ import annotations

from collections import ChainMap
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.algebra import algebra
from tangent_lite.syntax import COMPOUND

OPERATIONS = (gast.BinOp, gast.UnaryOp)


def simplify(block: list[gast.stmt], context: Any) -> None:
    """Shorten the formulas of a block in place; statements of the user stay as they are."""
    for node in block:
        if isinstance(node, COMPOUND):
            simplify(node.body, context)
            simplify(node.orelse, context)
        elif isinstance(node, (gast.Assign, gast.AugAssign)) and not getattr(node, "lineno", None):
            shorter = algebra(node.value)
            # `dx * 1.0` is an array of its own, dx is not.
            if not (isinstance(node.value, OPERATIONS) and not isinstance(shorter, OPERATIONS)
                    and isinstance(node, gast.Assign) and _is_written(node, context)):
                node.value = shorter
            _spread(node, context)
            if isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)):
                _sign(node)
        elif getattr(context, "beside", False):
            _beside(node)


def _beside(node: gast.stmt) -> None:
    """Tangents that stand in a return, or in a call that changes a list."""
    if isinstance(node, gast.Return) and isinstance(node.value, gast.Tuple):
        node.value.elts[-1] = algebra(node.value.elts[-1])
    elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call) \
            and not getattr(node, "lineno", None):
        node.value.args = [algebra(a) for a in node.value.args]


def _is_written(node: gast.Assign, context: Any) -> bool:
    """Whether a statement binds the adjoint or tangent of an array that is written to."""
    name = getattr(node.targets[0], "id", None)
    return any(b == name and context.aliases.is_written(v) and not isinstance(
        context.facts.names.get(v), kinds.Number) for v, b in context.adjoints.items())


def _spread(node: gast.Assign | gast.AugAssign, context: Any) -> None:
    """`unreduce(s, y) * a` is `s * a` where a has the shape of y: NumPy spreads s itself."""
    typer = context.typer
    typer.names = ChainMap(context.facts.names, context.adjoint_kinds)
    if isinstance(node, gast.AugAssign) and _is_spread(node.value, typer):
        node.value = node.value.args[0]
        return
    for part in syntax.walk(node.value):
        if not isinstance(part, gast.BinOp) or not isinstance(part.op, (gast.Mult, gast.Div,
                                                                        gast.Add, gast.Sub)):
            continue
        for side, other in (("left", "right"), ("right", "left")):
            spread = getattr(part, side)
            parents: list[tuple[Any, str]] = [(part, side)]
            while isinstance(spread, gast.BinOp) and isinstance(spread.op, (gast.Mult, gast.Div)):
                left = _has_spread(spread.left, typer)
                parents.append((spread, "left" if left else "right"))
                spread = spread.left if left else spread.right
            if not _is_spread(spread, typer):
                continue
            like = typer.kind(spread.args[1])
            if kinds.same_shape(typer.kind(getattr(part, other)), like) and \
                    not _is_spread(getattr(part, other), typer):
                setattr(*parents[-1], spread.args[0])


def _has_spread(node: gast.expr, typer: Any) -> bool:
    return any(_is_spread(n, typer) for n in syntax.walk(node))


def _is_spread(node: gast.expr, typer: Any) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and node.func.id == "unreduce" and len(node.args) == 2 and not node.keywords \
        and isinstance(typer.kind(node.args[0]), kinds.Number)


def _sign(node: gast.AugAssign) -> None:
    """`b += -a * c` is written `b -= a * c`."""
    spine, parent = node.value, None
    while isinstance(spine, gast.BinOp) and isinstance(
            spine.op, (gast.Mult, gast.Div, gast.MatMult)):
        parent, spine = spine, spine.left
    if parent is not None and isinstance(spine, gast.Constant) \
            and isinstance(parent.right, gast.UnaryOp) and isinstance(parent.right.op, gast.USub):
        parent.right = parent.right.operand             # 0.5 * -b
        node.op = gast.Sub() if isinstance(node.op, gast.Add) else gast.Add()
        return
    if isinstance(spine, gast.UnaryOp) and isinstance(spine.op, gast.USub) \
            and not (parent is None and isinstance(spine.operand, gast.Constant)):
        if parent is None:
            node.value = spine.operand
        else:
            parent.left = spine.operand
        node.op = gast.Sub() if isinstance(node.op, gast.Add) else gast.Add()
