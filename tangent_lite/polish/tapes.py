"""What statements of emitted code put on tapes, and take from them.

>>> appended_to(gast.parse("x_tape.append(x)").body[0])
'x_tape'
>>> popped_from(syntax.parse_expression("x_tape.pop()"))
'x_tape'
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax


def appended_to(node: Any) -> str | None:
    """The name of the list to which a statement appends something."""
    return _called_on(node.value, "append") if isinstance(node, gast.Expr) else None


def popped_from(value: Any) -> str | None:
    """The name of the list of which an expression takes off the last item."""
    return None if getattr(value, "args", None) else _called_on(value, "pop")


def _called_on(call: Any, method: str) -> str | None:
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) \
            and call.func.attr == method and isinstance(call.func.value, gast.Name) \
            and not call.keywords:
        name: str = call.func.value.id
        return name
    return None


def made_tape(node: Any) -> str | None:
    """The name of the list that a statement makes, still empty."""
    if isinstance(node, gast.Assign) and isinstance(node.value, gast.List) and not node.value.elts:
        name: str | None = getattr(node.targets[0], "id", None)
        return name
    return None


def laid_by(tree: gast.FunctionDef, makes_new: Callable[[Any], bool]) -> set[int]:
    """By id, statements by which a name lays its array by, and gets it back.

        for t in range(n):
            w = np.empty(m)
            ...
            w_tape.append(w)
        for t in range(n - 1, -1, -1):
            w = w_tape.pop()

    Each array is laid by once, since it is made in front of that in the same block, and the tape,
    which is for nothing else, has it no longer when the name means it again: so nobody else
    holds it. makes_new: whether an expression makes an array that nobody holds.
    """
    laid: dict[str, tuple[str, gast.stmt]] = {}         # by tape: the name, and where
    taken: dict[str, tuple[str, gast.stmt]] = {}
    made: set[str] = set()
    for block in syntax.all_blocks(tree):
        new: set[str] = set()                           # names of arrays made in this block
        for node in block:
            tape = appended_to(node)
            if tape is not None and getattr(node.value.args[0], "id", None) in new:
                laid[tape] = node.value.args[0].id, node
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                name, tape = node.targets[0].id, popped_from(node.value)
                if tape is not None:
                    taken[tape] = name, node
                elif (tape := made_tape(node)) is not None:
                    made.add(tape)
                new.discard(name)
                if makes_new(node.value):
                    new.add(name)
            elif new:
                new -= _bound_below(node)
    found: set[int] = set()
    if laid and taken:
        often = Counter(n.id for n in syntax.names_in(tree))
        for tape in made & laid.keys() & taken.keys():
            if laid[tape][0] == taken[tape][0] and often[tape] == 3:
                found |= {id(laid[tape][1]), id(taken[tape][1])}
    return found


def _bound_below(node: gast.stmt) -> set[str]:
    return {n.id for n in syntax.names_in(node) if not isinstance(n.ctx, gast.Load)}
