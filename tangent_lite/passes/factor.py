"""A number by which both terms of a sum of arrays are multiplied is multiplied once.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(bf, y, s):
...     bt = -bf
...     bs = -(bt * (1.0 - y) / (1.0 - s))
...     bs += bt * y / s
...     return bs
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float")
>>> factor(tree.body, SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={"y": vector, "s": vector}),
...     adjoint_kinds={"bs": vector, "bt": FLOAT, "bf": FLOAT}))
True
>>> print(emit(tree), end="")
def f(bf, y, s):
    bt = -bf
    bs = bf * ((1.0 - y) / (1.0 - s) - y / s)
    return bs

The terms are arrays of floats: sums of small integers may be too large for what holds them. A name
that is the negative of another one is needed no more then, if nothing else reads it.
"""
from __future__ import annotations

from typing import NamedTuple

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.liveness import BoundIn
from tangent_lite.syntax import COMPOUND


def factor(block: list[gast.stmt], context: Derived) -> bool:
    """Join statements of a block that make an adjoint, in place; whether there were such."""
    return _factor(block, context, BoundIn())


def _factor(block: list[gast.stmt], context: Derived, bound_in: BoundIn) -> bool:
    out: list[gast.stmt] = []
    negatives: dict[str, str] = {}          # b where it is -a, for names that mean what they meant
    inside = False
    for node in block:
        if isinstance(node, COMPOUND):
            inside |= _factor(node.body, context, bound_in)
            inside |= _factor(node.orelse, context, bound_in)
        total = _joined(out[-1], node, context, negatives) if out else None
        if total is None:
            out.append(node)
        else:
            out[-1].value = total
        if negatives:
            bound = set(bound_in.by(node))
            negatives = {b: a for b, a in negatives.items() if not {a, b} & bound}
        if isinstance(node, gast.Assign) and not getattr(node, "lineno", None) \
                and isinstance(node.targets[0], gast.Name) \
                and isinstance(node.value, gast.UnaryOp) and isinstance(node.value.op, gast.USub) \
                and isinstance(node.value.operand, gast.Name) \
                and node.value.operand.id not in bound_in.by(node):
            negatives[node.targets[0].id] = node.value.operand.id
    joined = inside or len(out) < len(block)
    block[:] = out
    return joined


class _Product(NamedTuple):
    """What a value is: a number by its name, times an array; or the negative of that."""
    negative: bool
    number: str
    rest: gast.expr


def _joined(first: gast.stmt, second: gast.stmt, context: Derived,
            negatives: dict[str, str]) -> gast.expr | None:
    """The value of a statement together with what the next one adds to it; negatives: of which
    names some are the negatives."""
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
    typer.names = Scopes(context.facts.names, context.adjoint_kinds)
    factor = typer.kind(syntax.load(one.number))
    if not isinstance(factor, kinds.Number) or factor.type != "float" or not all(
            isinstance(kind, kinds.Array) and kind.dtype == "float"
            for kind in (typer.kind(one.rest), typer.kind(other.rest))):
        return None
    # Which of the two terms is taken off, the number or its opposite being in front.
    opposite = one.number in negatives
    less = [one.negative != opposite,
            (other.negative != isinstance(second.op, gast.Sub)) != opposite]
    number: gast.expr = syntax.load(negatives.get(one.number, one.number))
    if less == [True, False]:
        total = syntax.binary(other.rest, "-", one.rest)
    else:
        total = syntax.binary(one.rest, "+" if less[0] == less[1] else "-", other.rest)
        number = syntax.minus(number) if less[0] else number
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
