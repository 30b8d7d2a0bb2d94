"""Tapes are made in the order in which something is first put on them.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     t_tape = []
...     x_tape = []
...     for i in range(n):
...         x_tape.append(x)
...         t = x * x
...         x = x + t * i
...         t_tape.append(t)
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> order_tapes(tree.body)
>>> print(emit(tree), end="")
def f(x, n):
    x_tape = []
    t_tape = []
    for i in range(n):
        x_tape.append(x)
        t = x * x
        x = x + t * i
        t_tape.append(t)

They were found in the order of the backward pass, or in that of their names.
"""
from __future__ import annotations

import itertools

import gast

from tangent_lite import syntax
from tangent_lite.polish.tapes import appended_to, made_tape


def order_tapes(body: list[gast.stmt]) -> None:
    """Put statements that make tapes, and stand one behind the other, into that order, in place."""
    for block in syntax.blocks_in(body):
        start = 0
        for are_tapes, nodes in itertools.groupby([*block], _makes_tape):
            run = list(nodes)
            end = start + len(run)
            if are_tapes and len(run) > 1:
                places: dict[str, int] = {}
                for place, node in enumerate(syntax.every_statement(block[end:end + 1])):
                    places.setdefault(appended_to(node) or "", place)
                run.sort(key=lambda node: places.get(made_tape(node) or "", len(places)))
                block[start:end] = run
            start = end


def _makes_tape(node: gast.stmt) -> bool:
    return made_tape(node) is not None and not hasattr(node, "lineno")
