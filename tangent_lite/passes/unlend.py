"""A value that is lent to another name and handed back keeps its own name.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(bw, g, rate):
...     bw_1 = bw
...     bt = -bw_1
...     bg = bt * rate
...     bw = bw_1
...     return bw, bg
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> unlend(tree.body)
>>> print(emit(tree), end="")
def f(bw, g, rate):
    bt = -bw
    bg = bt * rate
    return bw, bg

In between its own name is not mentioned, so it does not matter what is done to the value there; the
other one is mentioned nowhere else.
"""
from __future__ import annotations

from collections import Counter

import gast

from tangent_lite import syntax
from tangent_lite.syntax import COMPOUND


def unlend(body: list[gast.stmt]) -> None:
    """Drop such pairs of statements of ours, in place."""
    counts = Counter(part.id for node in body for part in syntax.names_in(node))
    _unlend(body, counts)


def _unlend(block: list[gast.stmt], counts: Counter[str]) -> None:
    for node in block:
        if isinstance(node, COMPOUND):
            _unlend(node.body, counts)
            _unlend(node.orelse, counts)
    lent: dict[str, tuple[int, str, int]] = {}      # own name -> where, the other, mentions of it
    gone: set[int] = set()
    for number, node in enumerate(block):
        pair = _copied(node)
        # What nests is walked again for each block around it, so only where it matters.
        mentioned = [part.id for part in syntax.names_in(node)] if lent else []
        if pair is not None and pair[1] in {other for _, other, _ in lent.values()} \
                and lent.get(pair[0], (0, "", 0))[1] == pair[1]:
            own, other = pair
            start, _, left = lent.pop(own)
            if left == 1:                           # here it is mentioned for the last time
                swap = syntax.Rename({other: own})
                for place in range(start + 1, number):
                    block[place] = swap.visit(block[place])
                counts[own] += counts.pop(other) - 4
                gone |= {start, number}
                continue
        for own, (start, other, left) in list(lent.items()):
            if own in mentioned:
                del lent[own]
            elif other in mentioned:
                lent[own] = start, other, left - mentioned.count(other)
        if pair is not None and pair[0] != pair[1]:
            lent[pair[1]] = number, pair[0], counts[pair[0]] - 1
    block[:] = [node for number, node in enumerate(block) if number not in gone]


def _copied(node: gast.stmt) -> tuple[str, str] | None:
    """(x, y) of a statement `x = y` of ours."""
    if isinstance(node, gast.Assign) and not getattr(node, "lineno", None) \
            and isinstance(node.targets[0], gast.Name) and isinstance(node.value, gast.Name):
        return node.targets[0].id, node.value.id
    return None
