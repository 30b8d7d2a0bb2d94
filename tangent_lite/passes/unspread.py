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
...     bx += x * (2.0 * bt)
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
    bx += x * (2.0 * bt)

NumPy spreads a number itself, beside an array of the shape that it was spread to, and so it does to
elements that it is added to, to rows (`bt[:, None] * y`), and in a choice.
"""
from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.mentions import Mentions

_ARITHMETIC = (gast.Mult, gast.Div, gast.Add, gast.Sub)


def unspread(body: list[gast.stmt], context: Any, mentions: Mentions | None = None) -> None:
    """Do so in a body, in place; mentions: what the statements mention."""
    spread = {node.targets[0].id: node for node in syntax.statements(body)
              if node.__class__ is gast.Assign and _is_spread(node.value)
              and not getattr(node, "lineno", None) and isinstance(node.targets[0], gast.Name)}
    if not spread:
        return
    typer = context.typer
    typer.names = ChainMap(context.facts.names, context.adjoint_kinds)
    spread = {name: node for name, node in spread.items()
              if isinstance(typer.kind(node.value.args[0]), kinds.Number)}
    named: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    columns: list[tuple[str, Any, str]] = []            # where a name stands as one: `bt[:, None]`
    uses = _Uses(spread, typer)
    for part in [part for node in body for part in syntax.walk(node)]:
        if isinstance(part, gast.Name):
            named[part.id] += 1
        else:
            for name, place in uses.of(part):
                beside[name] += 1
                if place is not None:
                    columns.append((name, *place))
    for name, node in spread.items():
        if named[name] == beside[name] + 1:             # it is bound once
            node.value = node.value.args[0]
            if mentions is not None:
                mentions.rewritten(node)
            context.adjoint_kinds[name] = typer.kind(node.value)
            for column, owner, field in columns:
                if column == name:
                    setattr(owner, field, syntax.load(name))


class _Uses:
    """Finds names that a number may stand for, where they stand."""

    def __init__(self, spread: dict[str, Any], typer: Any) -> None:
        self.spread, self.typer = spread, typer

    def of(self, part: Any) -> Iterator[tuple[str, tuple[Any, str] | None]]:
        """Those in an expression or a statement; of those with an axis more, where they stand."""
        if isinstance(part, gast.BinOp) and isinstance(part.op, _ARITHMETIC):
            for side, other in (("left", part.right), ("right", part.left)):
                yield from self.operand(part, side, other)
        elif isinstance(part, gast.AugAssign) and isinstance(part.target, gast.Subscript) \
                and isinstance(part.op, (gast.Add, gast.Sub)):
            name = self.name_of(part.value)
            if name is not None and self.is_like(part.target, name):
                yield name, None
        elif isinstance(part, gast.Call) and not part.keywords and len(part.args) == 3:
            if self.typer.object_of(part.func) is np.where:
                given, like = part.args[1:], part.args[:1]
            elif getattr(part.func, "id", "") == "where_larger":
                given, like = part.args[:1], part.args[1:]
            else:
                return
            for name in map(self.name_of, given):
                if name is not None and any(self.is_like(one, name) for one in like):
                    yield name, None

    def operand(self, part: gast.BinOp, side: str,
                other: gast.expr) -> Iterator[tuple[str, tuple[Any, str] | None]]:
        owner: Any = part
        one = getattr(part, side)
        if isinstance(one, gast.UnaryOp) and isinstance(one.op, gast.USub):
            owner, side, one = one, "operand", one.operand
        name = self.name_of(one)
        if name is not None:
            if self.name_of(other) is None and self.is_like(other, name):
                yield name, None
        elif isinstance(one, gast.Subscript) and getattr(one.value, "id", "") in self.spread \
                and syntax.is_column(one.slice):
            kind = self.typer.kind(other)
            if isinstance(kind, kinds.Array) and kind.ndim == 2 and self.is_like(
                    syntax.subscript(other, syntax.tuple_of([
                        gast.Slice(None, None, None), syntax.constant(0)])), one.value.id):
                yield one.value.id, (owner, side)

    def name_of(self, node: gast.expr) -> str | None:
        """The name that an expression is, or a number times it."""
        if isinstance(node, gast.BinOp) and isinstance(node.op, _ARITHMETIC):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                name = self.name_of(one)
                if name is not None and isinstance(self.typer.kind(other), kinds.Number):
                    return name
        return node.id if isinstance(node, gast.Name) and node.id in self.spread else None

    def is_like(self, node: gast.expr, name: str) -> bool:
        """Whether something has the shape that the number of this name is spread to."""
        return kinds.same_shape(self.typer.kind(node),
                                self.typer.kind(self.spread[name].value.args[1]))


def _is_spread(value: gast.expr) -> bool:
    """Whether an expression looks like `unreduce(number, x)`."""
    return isinstance(value, gast.Call) and getattr(value.func, "id", "") == "unreduce" \
        and len(value.args) == 2 and not value.keywords
