"""A number by which both terms of a sum of arrays are multiplied is multiplied once.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(bt, y, s):
...     bs = -(bt * (1.0 - y) / (1.0 - s))
...     bs += bt * y / s
...     return bs
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float")
>>> factor(tree.body, SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={"y": vector, "s": vector}),
...     adjoint_kinds={"bs": vector, "bt": FLOAT}))
>>> print(emit(tree), end="")
def f(bt, y, s):
    bs = bt * (y / s - (1.0 - y) / (1.0 - s))
    return bs

The terms are arrays of floats: sums of small integers may be too large for what holds them.
"""
from __future__ import annotations

from collections import ChainMap
from typing import Any, NamedTuple

import gast

from tangent_lite import kinds, syntax
from tangent_lite.syntax import COMPOUND


def factor(block: list[gast.stmt], context: Any) -> None:
    """Join statements of a block that make an adjoint, in place."""
    out: list[gast.stmt] = []
    for node in block:
        if isinstance(node, COMPOUND):
            factor(node.body, context)
            factor(node.orelse, context)
        total = _joined(out[-1], node, context) if out else None
        if total is None:
            out.append(node)
        else:
            out[-1].value = total
    block[:] = out


class _Product(NamedTuple):
    """What a value is: a number by its name, times an array; or the negative of that."""
    negative: bool
    number: str
    rest: gast.expr


def _joined(first: gast.stmt, second: gast.stmt, context: Any) -> gast.expr | None:
    """The value of a statement together with what the next one adds to it."""
    if not isinstance(first, gast.Assign) or getattr(first, "lineno", None) \
            or not isinstance(second, gast.AugAssign) or getattr(second, "lineno", None) \
            or not isinstance(second.op, (gast.Add, gast.Sub)) \
            or not isinstance(second.target, gast.Name) \
            or [getattr(t, "id", None) for t in first.targets] != [second.target.id]:
        return None
    name = second.target.id
    one, other = _product(first.value), _product(second.value)
    if one is None or other is None or one.number != other.number or name in \
            syntax.read_names(first.value) | syntax.read_names(second.value):
        return None
    typer = context.typer
    typer.names = ChainMap(context.facts.names, context.adjoint_kinds)
    factor = typer.kind(syntax.load(one.number))
    if not isinstance(factor, kinds.Number) or factor.type != "float" or not all(
            isinstance(kind, kinds.Array) and kind.dtype == "float"
            for kind in (typer.kind(one.rest), typer.kind(other.rest))):
        return None
    less = other.negative != isinstance(second.op, gast.Sub)
    number: gast.expr = syntax.load(one.number)
    if one.negative and not less:
        total = syntax.binary(other.rest, "-", one.rest)
    else:
        total = syntax.binary(one.rest, "+" if one.negative == less else "-", other.rest)
        number = syntax.minus(number) if one.negative else number
    return syntax.binary(number, "*", total)


def _product(value: gast.expr) -> _Product | None:
    """A value that begins with a number by its name: `bt * y / s`, `-(bt * y)`, `-bt * y`."""
    negative = False
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        negative, value = True, value.operand
    parents: list[gast.BinOp] = []
    while isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
        parents.append(value)
        value = value.left
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        negative, value = not negative, value.operand
    if not parents or not isinstance(value, gast.Name) or not isinstance(parents[-1].op, gast.Mult):
        return None
    rest = parents[-1].right
    for parent in reversed(parents[:-1]):
        rest = gast.BinOp(rest, parent.op, parent.right)
    return _Product(negative, value.id, rest)
