"""Loops over a tape, written as loops over a list.

    for i in range(n - 1, -1, -1):              for x in reversed(x_tape):
        x = x_tape.pop()                =>          bx = 2.0 * bx * x
        bx = 2.0 * bx * x

That is what one writes by hand, and takes less time than to count and to pop. It is done in the
text that is shown, saved and run. Code that is read again (to be differentiated, batched, compiled)
pops: an append and a pop undo each other, which the passes know.

A loop is written so if it stands in no other loop, takes off one tape only, at its head, and does
not ask for the number of the iteration; what it takes off was put there by one append in each
iteration of a loop of the forward pass.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.polish.array_parts import is_ours
from tangent_lite.polish.tapes import appended_to, popped_from
from tangent_lite.syntax import call, is_comment, load


def reverse_lists(derivative: Any) -> None:
    """Write loops over tapes as loops over lists; the trees are changed in place."""
    for unit in derivative.units:
        if not any(_tape_of(node) is not None for node in unit.tree.body):
            continue
        resolver = next((r for r in derivative.resolvers if r.source is unit.source), None)
        if resolver is None or resolver.now("reversed") is not reversed:
            continue
        about = _About(unit.tree)
        if "reversed" in (unit.tree.name, *about.uses):
            continue
        written = [_over_list(about, place, node) for place, node in enumerate(unit.tree.body)
                   if isinstance(node, gast.For)]
        if any(written):
            resolver.free("reversed")           # which has to go on meaning that


class _About:
    """What is asked of each loop of a function, found in one walk; places are those of the
    statements of its body."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        uses = [n.id for n in syntax.names_in(tree.args)]
        self.last: dict[str, int] = {}              # the last statement that mentions a name
        self.bound: dict[str, list[tuple[int, bool]]] = {}      # where; whether to an empty list
        self.appended: dict[str, list[int]] = {}    # to which lists the loops append, themselves
        for place, node in enumerate(tree.body):
            names = [n.id for n in syntax.names_in(node)]
            uses += names
            self.last.update(dict.fromkeys(names, place))
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                is_empty = isinstance(node.value, gast.List) and not node.value.elts
                self.bound.setdefault(node.targets[0].id, []).append((place, is_empty))
            elif isinstance(node, (gast.For, gast.While)):
                for tape in map(appended_to, node.body):
                    if tape is not None:
                        self.appended.setdefault(tape, []).append(place)
        self.uses = Counter(uses)


def _over_list(about: _About, place: int, loop: gast.For) -> bool:
    """Write a loop as one over a list, if it is one over a tape."""
    tape = _tape_of(loop)
    if tape is None:
        return False
    head = next(k for k, n in enumerate(loop.body) if not is_comment(n))
    first: Any = loop.body[head]
    if len(loop.body) == head + 1 or not _counts(loop.iter, tape) \
            or sum(getattr(n.func, "attr", "") == "pop"
                   for n in syntax.all_of(loop, gast.Call)) > 1 \
            or not _is_put_once(about, place, loop, tape) \
            or _is_read(about, place, loop, loop.target.id) \
            or first.targets[0].id == loop.target.id:
        return False
    about.uses.subtract([n.id for part in (loop.target, loop.iter, first)
                         for n in syntax.names_in(part)])
    loop.target = gast.Name(first.targets[0].id, gast.Store(), None, None)
    loop.iter = call(load("reversed"), load(tape))
    del loop.body[head]
    about.uses.update([n.id for part in (loop.target, loop.iter) for n in syntax.names_in(part)])
    return True


def _tape_of(loop: gast.stmt) -> str | None:
    """The tape from which a loop takes a value first of all; None if it is no such loop, or if
    its statements take values off others as well."""
    if not isinstance(loop, gast.For) or loop.orelse or not isinstance(loop.target, gast.Name):
        return None
    head = next((k for k, n in enumerate(loop.body) if not is_comment(n)), 0)
    first: Any = loop.body[head]
    if not isinstance(first, gast.Assign) or not is_ours(first) \
            or not isinstance(first.targets[0], gast.Name):
        return None
    tape = popped_from(first.value)
    return None if tape is not None and any(
        popped_from(n.value) is not None for n in loop.body[head + 1:]
        if n.__class__ is gast.Assign) else tape


def _counts(iterated: gast.expr, tape: str) -> bool:
    """Whether a loop runs over a range, and reads the tape for its length at most."""
    if not isinstance(iterated, gast.Call) or getattr(iterated.func, "id", "") != "range":
        return False
    backwards = len(iterated.args) == 3 and isinstance(iterated.args[2], gast.UnaryOp) \
        and isinstance(iterated.args[2].op, gast.USub)
    as_long = len(iterated.args) == 1 and isinstance(iterated.args[0], gast.Call) \
        and getattr(iterated.args[0].func, "id", "") == "len" \
        and getattr(iterated.args[0].args[0], "id", "") == tape
    return as_long or (backwards and tape not in syntax.read_names(iterated))


def _is_put_once(about: _About, place: int, loop: gast.For, tape: str) -> bool:
    """Whether each iteration of one loop of the forward pass, in no other, appends to the tape, and
    nothing else has to do with it."""
    bound = [is_empty for at, is_empty in about.bound.get(tape, []) if at < place]
    appended = [at for at in about.appended.get(tape, []) if at < place]
    inside = sum(n.id == tape for n in syntax.names_in(loop))
    return bound == [True] and len(appended) == 1 and about.uses[tape] == 2 + inside \
        and inside == 1 + (tape in syntax.read_names(loop.iter))


def _is_read(about: _About, place: int, loop: gast.For, name: str) -> bool:
    """Whether a loop, or what comes behind it, reads the number of its iteration."""
    return about.last[name] > place \
        or any(n.id == name for node in loop.body for n in syntax.names_in(node))
