"""What a list holds many times, and is taken off it alone, needs no list.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> tree = gast.parse('''
... def f(bs, xs):
...     bparts = spread_over(bs / 2.0, xs)
...     for k in range(len(xs) - 1, -1, -1):
...         bt = bparts.pop()
...         bx = bt * xs[k]
... ''').body[0]
>>> for node in syntax.statements(tree.body):
...     del node.lineno                                     # it is not the user's
>>> unlisted(tree.body, SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={"xs": kinds.ListKind(kinds.FLOAT)}),
...     adjoint_kinds={"bs": kinds.FLOAT}))
>>> print(emit(tree), end="")
def f(bs, xs):
    bparts = bs / 2.0
    for k in range(len(xs) - 1, -1, -1):
        bt = bparts
        bx = bt * xs[k]

It is what `sum(v * v for v in xs)` leaves: each part has the adjoint of the sum. As many are taken
off as there are, since the loop that takes them mirrors the one that made the parts.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.mentions import Mentions


def unlisted(body: list[gast.stmt], context: Derived, mentions: Mentions | None = None) -> None:
    """Do so in a body, in place; mentions: what the statements mention."""
    lists = {node.targets[0].id: node for node in syntax.every_statement(body)
             if node.__class__ is gast.Assign and node.value.__class__ is gast.Call
             and getattr(node.value.func, "id", "") == "spread_over"
             and not getattr(node, "lineno", None) and isinstance(node.targets[0], gast.Name)}
    if not lists:
        return
    counts = Counter(n.id for node in body for n in syntax.names_in(node))
    typer = context.typer
    typer.names = Scopes(context.facts.names, context.adjoint_kinds)
    for node in syntax.statements(body):
        taken = _taken_off(node)
        made = lists.get(taken) if taken is not None else None
        if made is None or taken is None or counts[taken] != 2:
            continue
        item, parts = made.value.args
        kind, holds = typer.kind(item), typer.kind(parts)
        if not (isinstance(kind, kinds.Number) and isinstance(holds, kinds.ListKind)
                and isinstance(holds.item, kinds.Number)        # arrays may be written into
                and (kind.type == "float" or holds.item.type == "complex")):
            continue
        made.value, node.value = item, syntax.load(taken)
        context.adjoint_kinds[taken] = kind
        for changed in (made, node):
            if mentions is not None:
                mentions.rewritten(changed)


def _taken_off(node: Any) -> str | None:
    """xs of `x = xs.pop()`"""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(value, gast.Call) and not value.args \
            and isinstance(value.func, gast.Attribute) and value.func.attr == "pop" \
            and isinstance(value.func.value, gast.Name):
        found: str = value.func.value.id
        return found
    return None
