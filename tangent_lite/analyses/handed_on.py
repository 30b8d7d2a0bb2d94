"""What is handed to derivatives of functions that write into their arguments.

Such a derivative copies what is written to, each argument by itself, and refuses arguments that are
the same memory (see sharing.py). Called by name, it looks at the arguments that it is given; in
differentiated code nothing looks at them, so they have to be apart as far as the text tells.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import (
    Aliases,
    containers_of,
    holds_numbers,
    may_hold_buffer,
)
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.momentary import roots_of
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.errors import AliasError
from tangent_lite.inference import NO_OBJECT, Typer


def check_handed_on(tree: gast.FunctionDef, facts: Inferred, typer: Typer, aliases: Aliases,
                    held: list[tuple[gast.stmt, str, str]], names_inside: Callable[[], set[str]],
                    place: Callable[[gast.AST], Any]) -> None:
    """AliasError for a call of a derivative whose arguments may share what is written to.

    held: (statement, list, what goes into it); names_inside: the names that the function binds, and
    no parameters but those that it is going to copy: what others are called may be the memory of
    any other, for all that is known.
    """
    calls = [(call, *facts.callees.get(id(call), (NO_OBJECT, None)))
             for node in syntax.statements(tree.body) for call in facts.mentions[node].calls]
    calls = [one for one in calls
             if getattr(getattr(one[1], "sharing", None), "is_needed", False) is True]
    inside = names_inside()
    found = Aliases(parent=dict(aliases.parent))
    for _, name, item in held:
        if may_hold_buffer(facts.names.get(item, kinds.UNKNOWN)):       # no number is elsewhere
            found.union(name, item)
    # Names that are bound nowhere here are globals, and variables of functions around.
    known = {node.id: typer.kind(syntax.load(node.id)) for node in syntax.walk(tree) if isinstance(
        node, gast.Name) and node.id not in inside and node.id not in facts.names}
    known.update(facts.names)
    outside = {found.find(name) for name in known if name not in inside}
    made = _Made(tree, facts, typer)
    for call, function, receiver in calls:
        given = [*([] if receiver is None else [receiver]), *call.args]
        names = dict(zip(function.sharing.parameters, given))
        names.update({k.arg: k.value for k in call.keywords if k.arg is not None})
        for one in function.sharing.chain():
            _check(one, names, known, found, outside, made, call, place)


class _Made:
    """Which arrays, and lists and dicts of numbers, of a function are made where, as far as its
    text says so at once."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> None:
        self.kinds = facts.names
        self.memory = SameMemory(tree.body, (), typer, facts.names)
        self.bound: dict[str, list[gast.stmt]] = {}
        for node in syntax.statements(tree.body):
            for name in () if isinstance(node, gast.AugAssign) else facts.mentions[node].binds:
                self.bound.setdefault(name, []).append(node)

    def are_apart(self, one: gast.expr, other: gast.expr) -> bool:
        """Whether two names surely mean arrays that were made by different statements, or parts of
        such: whatever else may hold these, they share nothing."""
        made = self.maker(one), self.maker(other)
        return None not in made and made[0] is not made[1]

    def maker(self, node: gast.expr) -> gast.stmt | None:
        """The one statement that makes the array a name means, or is a part of."""
        if isinstance(node, gast.Name) and holds_numbers(self.kinds.get(node.id)):
            bound = self.bound.get(node.id, [])
            value = getattr(bound[0], "value", None) if len(bound) == 1 else None
            return bound[0] if isinstance(value, (gast.List, gast.Dict)) or (
                isinstance(value, gast.Call) and not value.args
                and getattr(value.func, "attr", None) == "copy") else None
        seen: set[str] = set()
        while isinstance(node, gast.Name) and node.id not in seen \
                and isinstance(self.kinds.get(node.id), kinds.Array):
            seen.add(node.id)
            bound = self.bound.get(node.id, [])
            value = getattr(bound[0], "value", None) if len(bound) == 1 else None
            if not isinstance(value, gast.Subscript):
                return bound[0] if isinstance(value, gast.Call) and self.memory.is_fresh(value) \
                    else None
            node = value.value
        return None


def _check(sharing: Any, given: dict[str, gast.expr], known: dict[str, kinds.Kind],
           found: Aliases, outside: set[str], made: _Made, call: gast.Call,
           place: Callable[[gast.AST], Any]) -> None:
    held = {name: {found.find(root) for root in _buffers(value, known)}
            for name, value in given.items()}
    written = [sharing.parameters[k] for k in (*sharing.written, *sharing.changed,
                                               *sharing.in_place)]
    for name in written:
        mine = held.get(name, set())
        if mine & outside and sharing.read:
            raise _refusal(sharing, name, sharing.read[0][1], call, place)
        for other, theirs in held.items():
            if other != name and (mine & theirs or (mine & outside and theirs & outside)) \
                    and not made.are_apart(given[name], given[other]):
                raise _refusal(sharing, name, other, call, place)
    for name in sharing.outside:
        for number, other, _ in sharing.read:
            if (number, other) != (0, name):
                raise _refusal(sharing, name, other, call, place)
        for other, theirs in held.items():
            if theirs & outside:
                raise _refusal(sharing, name, other, call, place)
    for k in sharing.changed:
        name = sharing.parameters[k]
        if name in given and sum(containers_of(known.get(root, kinds.UNKNOWN))
                                 for root in _buffers(given[name], known)) > 1:
            raise _refusal(sharing, name, "another part of it", call, place)
    for k in sharing.in_place:
        name = sharing.parameters[k]
        roots = list(_buffers(given[name], known)) if name in given else []
        if len({found.find(root) for root in roots}) < len(roots) or any(
                _arrays_in(known.get(root, kinds.UNKNOWN)) > 1 for root in roots):
            raise _refusal(sharing, name, "another part of it", call, place)


def _arrays_in(kind: kinds.Kind) -> int:
    """How many arrays there are in something, as far as is known: two stands for many."""
    if isinstance(kind, kinds.Array):
        return 1
    if isinstance(kind, (kinds.DictKind, kinds.RecordKind, kinds.TupleKind)):
        return sum(map(_arrays_in, kind.items))
    return 2 if may_hold_buffer(kind) else 0


def _buffers(value: gast.expr, known: dict[str, kinds.Kind]) -> Iterator[str]:
    """The names in an argument that may hold what can be written to."""
    return (root for root in roots_of(value)
            if may_hold_buffer(known.get(root, kinds.UNKNOWN)))


def _refusal(sharing: Any, name: str, other: str, call: gast.Call,
             place: Callable[[gast.AST], Any]) -> AliasError:
    return AliasError(f"{sharing.function} writes into {name}, which may share memory with {other} "
                      "here", place(call), "hand on a copy")
