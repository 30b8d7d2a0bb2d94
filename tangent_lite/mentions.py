"""What the statements of a body read and call, found out once for all that ask.

>>> tree = gast.parse('y = f(x) * x')
>>> found = Mentions()
>>> sorted(found.reads(tree.body[0])), found.names(tree.body[0]).count("x")
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
from tangent_lite.syntax import read_names


class Mentioned(NamedTuple):
    """What one statement mentions; of a compound statement, what its head does."""
    names: list[str]            # that are read, each as often as it stands there
    reads: set[str]             # those that are read from around it
    uses: set[str]              # those that count as live before it
    calls: list[gast.Call]      # in the value of an assignment


class Mentions:
    """The table, filled as it is asked. What it gives is not to be changed."""

    def __init__(self) -> None:
        # By the statements themselves, not by ids, which others may get that are made later.
        self.known: dict[gast.stmt, Mentioned] = {}

    def of(self, node: gast.stmt) -> Mentioned:
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = _mentioned(node)
        return found

    def names(self, node: gast.stmt) -> list[str]:
        return self.of(node).names

    def reads(self, node: gast.stmt) -> set[str]:
        return self.of(node).reads

    def uses(self, node: gast.stmt) -> set[str]:
        return self.of(node).uses

    def calls(self, node: gast.Assign) -> list[gast.Call]:
        return self.of(node).calls


def _mentioned(node: gast.stmt) -> Mentioned:
    kind = node.__class__
    names: list[str] = []
    calls: list[gast.Call] = []
    if kind is gast.Assign:
        plain = _look([node.value], names, calls)
        target = node.targets[0]
        if target.__class__ is not gast.Name or len(node.targets) > 1 or hasattr(node, "casting"):
            plain &= _look([*node.targets, getattr(node, "casting", None)], names, [])
    elif kind is gast.For:
        plain = _look([node.iter], names, calls)
    elif kind is gast.If or kind is gast.While:
        plain = _look([node.test], names, calls)
    else:
        plain = _look([node], names, calls)
    reads = set(names) if plain else read_names(liveness.head(node))
    # What was noted beside the parts of a statement is read, but not where it stands.
    same = plain and kind is not gast.AugAssign and not hasattr(node, "casting")
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
SCOPES = frozenset({gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp})
