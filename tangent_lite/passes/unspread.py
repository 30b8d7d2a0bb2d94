"""Leave a number a number where it is spread to an array for nothing but arithmetic with others.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> vector = kinds.Array(1, "float", kinds.new_shape())
>>> tree = gast.parse('''
... def f(bs, x, y):
...     bt = unreduce(bs, x)
...     bx = bt * y
...     bx += bt / x
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> unspread(tree.body, SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={"x": vector, "y": vector}),
...     adjoint_kinds={"bs": kinds.FLOAT, "bt": vector, "bx": vector}))
>>> print(emit(tree), end="")
def f(bs, x, y):
    bt = bs
    bx = bt * y
    bx += bt / x

NumPy spreads a number itself, beside an array of the shape that it was spread to.
"""
from __future__ import annotations

from collections import ChainMap, Counter
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.mentions import Mentions


def unspread(body: list[gast.stmt], context: Any, mentions: Mentions | None = None) -> None:
    """Do so in a body, in place; mentions: what the statements mention."""
    spread = {node.targets[0].id: node for node in syntax.statements(body)
              if isinstance(node, gast.Assign) and not getattr(node, "lineno", None)
              and isinstance(node.targets[0], gast.Name) and _is_spread(node.value)}
    if not spread:
        return
    typer = context.typer
    typer.names = ChainMap(context.facts.names, context.adjoint_kinds)
    spread = {name: node for name, node in spread.items()
              if isinstance(typer.kind(node.value.args[0]), kinds.Number)}
    named: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    for part in [part for node in body for part in syntax.walk(node)]:
        if isinstance(part, gast.Name):
            named[part.id] += 1
        elif isinstance(part, gast.BinOp) and isinstance(
                part.op, (gast.Mult, gast.Div, gast.Add, gast.Sub)):
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, gast.UnaryOp) and isinstance(one.op, gast.USub):
                    one = one.operand
                if isinstance(one, gast.Name) and one.id in spread \
                        and getattr(other, "id", "") not in spread and kinds.same_shape(
                            typer.kind(other), typer.kind(spread[one.id].value.args[1])):
                    beside[one.id] += 1
    for name, node in spread.items():
        if named[name] == beside[name] + 1:             # it is bound once
            node.value = node.value.args[0]
            if mentions is not None:
                mentions.rewritten(node)
            context.adjoint_kinds[name] = typer.kind(node.value)


def _is_spread(value: gast.expr) -> bool:
    """Whether an expression looks like `unreduce(number, x)`."""
    return isinstance(value, gast.Call) and getattr(value.func, "id", "") == "unreduce" \
        and len(value.args) == 2 and not value.keywords
