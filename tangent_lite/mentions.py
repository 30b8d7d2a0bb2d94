"""What the statements of a body read and call, found out once for all that ask.

>>> tree = gast.parse('y = f(x) * x')
>>> found = Mentions()
>>> sorted(found[tree.body[0]].reads), found[tree.body[0]].names.count("x")
(['f', 'x'], 2)

A table is good for as long as its statements stay as they are: they may be dropped or moved, but
none may be rewritten. So nobody keeps one. Whoever rewrites statements (`tidy`, between its passes)
makes a new table for what comes next; there is no way to correct one.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import gast

from tangent_lite import liveness
from tangent_lite.nodes import PARTS
from tangent_lite.syntax import COMPREHENSIONS, read_names


class Mentioned(NamedTuple):
    """What one statement mentions; of a compound statement, what its head does."""
    names: list[str]            # that are read, each as often as it stands there
    reads: set[str]             # those that are read from around it
    uses: set[str]              # those that count as live before it
    calls: list[gast.Call]      # in the value of an assignment


class Mentions(dict[gast.stmt, Mentioned]):
    """The table, filled as it is asked. What it gives is not to be changed.

    By the statements themselves, not by ids, which others may get that are made later.
    """

    def __missing__(self, node: gast.stmt) -> Mentioned:
        found = self[node] = _mentioned(node)
        return found

    def uses(self, node: gast.stmt) -> set[str]:
        return self[node].uses


def _mentioned(node: gast.stmt) -> Mentioned:
    kind = node.__class__
    names: list[str] = []
    calls: list[gast.Call] = []
    if kind is gast.Assign:
        plain = _look([node.value], names, calls)
        beside = node.__dict__.get("casting")       # what `effects` noted: read, but not live here
        if beside is not None or len(node.targets) > 1 \
                or node.targets[0].__class__ is not gast.Name:
            plain &= _look([*node.targets, beside], names, [])
        same = plain and beside is None
    else:
        plain = _look([liveness.head(node)], names, calls)
        same = plain and kind is not gast.AugAssign     # its target is read as well
    reads = set(names) if plain else read_names(liveness.head(node))
    return Mentioned(names, reads, reads if same else liveness.uses_here(node), calls)


def _look(todo: list[Any], names: list[str], calls: list[gast.Call]) -> bool:
    """Note names that are read, and calls; whether no name has a meaning of its own in there."""
    plain = True
    pop, push = todo.pop, todo.append
    parts_of, name_class, load_class = PARTS, gast.Name, gast.Load
    while todo:
        node = pop()
        kind = node.__class__
        if kind is name_class:
            if node.ctx.__class__ is load_class:
                names.append(node.id)
            continue
        if kind is gast.Call:
            calls.append(node)
        elif kind in SCOPES:
            plain = False
        for field in parts_of[kind]:
            value = node.__dict__.get(field)
            kind = value.__class__
            if kind is name_class:              # most of what there is
                if value.ctx.__class__ is load_class:
                    names.append(value.id)
            elif kind is list:
                todo += value
            elif parts_of[kind]:
                push(value)
    return plain


# In them a name may mean what is bound there.
SCOPES = COMPREHENSIONS | {gast.Lambda}
