"""Loops over numbers, written as loops over items, or as mere repetitions.

    for k in range(len(xs)):                        for x in xs:
        x = xs[k]                           =>          total += x * x
        total += x * x
    for _ in range(n - 1, -1, -1):                  for _ in range(n):
        bx = bx * r                         =>          bx = bx * r

The passes know one kind of loop, that over a range. In the text that is shown, saved and run, what
the user wrote over items stands so again: over one sequence, several by `zip`, or by `enumerate`. A
loop is written so if its number serves for nothing but to take the items, which is done first, and
if the sequences are only looked at in it. Code that is read again keeps the numbers.
"""
from __future__ import annotations

import builtins
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.ranges import shifted
from tangent_lite.syntax import call, load, store

_BUILTINS = ("len", "range", "min", "zip", "enumerate")


def iterate(derivative: Any) -> None:
    """Write the loops of a derivative as one does by hand; the trees are changed in place."""
    for unit in derivative.units:
        loops = [n for n in syntax.every_statement(unit.tree.body) if isinstance(n, gast.For)]
        users = set(unit.source.names)
        takes_items = any(_takes_items(node, users) for node in loops)
        if not takes_items and not any(map(_is_repetition, loops)):
            continue
        resolver = next((r for r in derivative.resolvers if r.source is unit.source), None)
        bound = {n.id for n in syntax.names_in(unit.tree) if not isinstance(n.ctx, gast.Load)}
        if resolver is None or not bound.isdisjoint(_BUILTINS) or any(
                resolver.now(n) is not getattr(builtins, n) for n in _BUILTINS):
            continue
        written = _Loops(unit, loops, users, takes_items)
        for node in loops:
            if takes_items:
                written.over_items(node)
            written.repetition(node)
        for name in written.called:
            resolver.free(name)             # which has to go on meaning that


class _Loops:
    """The loops of one emitted function."""

    def __init__(self, unit: Any, loops: list[gast.For], users: set[str],
                 takes_items: bool) -> None:
        self.users = users
        self.called: set[str] = set()
        self.read = _reads(unit.tree)
        self.can_leave_out = "_" not in self.read
        if not takes_items:
            return
        # Names of numbers that are read nowhere but in loops over them.
        inside: dict[str, int] = {}
        self.reads = {id(node): _reads(node) for node in loops}
        for node in loops:
            name = getattr(node.target, "id", None)
            if name is not None:
                inside[name] = inside.get(name, 0) + self.reads[id(node)].get(name, 0)
        self.numbers = {n for n, count in inside.items() if count == self.read.get(n, 0)}
        self.lengths = _named_lengths(unit.tree.body)
        self.pairs = {(node.lineno, *(t.id for t in node.target.elts))
                      for node in syntax.all_of(unit.source.tree, gast.For)
                      if isinstance(node.target, gast.Tuple) and _is_call(node.iter, "enumerate")
                      and len(node.iter.args) == 1 and not node.iter.keywords
                      and all(isinstance(t, gast.Name) for t in node.target.elts)}

    def over_items(self, node: gast.For) -> None:
        """Write a loop over numbers as one over items, if it is that."""
        sequences = _measured(node.iter, self.lengths.get(id(node)))
        name = getattr(node.target, "id", None)
        if sequences is None or name is None:
            return
        taken: dict[str, gast.expr] = {}
        body = _items_first(node.body, name, self.users)
        for one in body:
            owner = _taken(one, name)
            if owner not in sequences or owner in taken:
                break
            taken[owner] = one.targets[0]
        targets = [taken.get(owner) for owner in sequences]
        count = self.reads[id(node)].get(name, 0)
        if not taken or len(set(sequences)) != len(sequences) \
                or not _are_looked_at(node.body, set(sequences)):
            return
        if name in self.users:
            pair = (getattr(node, "lineno", 0), name, getattr(targets[0], "id", ""))
            if len(sequences) > 1 or pair not in self.pairs:
                return
            numbered = gast.Tuple([node.target, targets[0]], gast.Store())
            self.write(node, numbered, call(load("enumerate"), load(sequences[0])), body[1:])
        elif count == len(taken) and name in self.numbers \
                and (self.can_leave_out or None not in targets):
            if len(sequences) == 1:
                self.write(node, targets[0], load(sequences[0]), body[1:])
                return
            several = gast.Tuple([store("_") if t is None else t for t in targets], gast.Store())
            self.called.add("zip")
            self.write(node, several, call(load("zip"), *map(load, sequences)), body[len(taken):])

    def write(self, node: gast.For, target: Any, iterated: gast.expr,
              body: list[gast.stmt]) -> None:
        node.target, node.iter = target, iterated
        node.body[:] = body or [gast.Pass()]

    def repetition(self, node: gast.For) -> None:
        """Count up where nothing reads the number."""
        if not _is_repetition(node) or self.read.get(node.target.id):
            return
        args = node.iter.args
        if len(args) == 3 and _is_minus_one(args[2]):
            args = [shifted(args[1], 1), shifted(args[0], 1)]
        if len(args) == 2 and getattr(args[0], "value", None) == 0:
            args = args[1:]
        node.iter = call(load("range"), *args)
        if self.can_leave_out:
            node.target = store("_")


def _takes_items(node: gast.For, users: set[str]) -> bool:
    """Whether a loop begins with `x = xs[k]`, where k is its number."""
    name = getattr(node.target, "id", None)
    return name is not None and _taken(_items_first(node.body, name, users)[0], name) is not None


def _items_first(block: list[gast.stmt], number: str, users: set[str]) -> list[gast.stmt]:
    """The statements of a loop with those that take items in front of what counts its steps and
    records what it begins with; users: names of the user, of whom nothing is known."""
    start = 0
    read: set[str] = set()
    while start < len(block) and _keeps_books(block[start], users):
        read |= syntax.all_names(block[start])
        start += 1
    end = start
    while end < len(block) and start and _taken(block[end], number) is not None \
            and read.isdisjoint(syntax.all_names(block[end])):
        end += 1
    return [*block[start:end], *block[:start], *block[end:]]


def _keeps_books(node: gast.stmt, users: set[str]) -> bool:
    """`n_steps += 1` and `x_tape.append(x)`, of ours."""
    if isinstance(node, gast.AugAssign):
        return isinstance(node.target, gast.Name) and node.target.id not in users \
            and isinstance(node.value, gast.Constant)
    call = getattr(node, "value", None)
    return isinstance(node, gast.Expr) and isinstance(call, gast.Call) and len(call.args) == 1 \
        and isinstance(call.args[0], gast.Name) and isinstance(call.func, gast.Attribute) \
        and call.func.attr == "append" and isinstance(call.func.value, gast.Name) \
        and call.func.value.id.endswith("_tape") and call.func.value.id not in users


def _is_repetition(node: Any) -> bool:
    """Whether a loop over a range has a number that serves for nothing but to count."""
    return getattr(node.target, "id", "").startswith("_") and _is_call(node.iter, "range")


def _reads(node: gast.AST) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in syntax.names_in(node):
        if isinstance(one.ctx, gast.Load):
            found[one.id] = found.get(one.id, 0) + 1
    return found


def _is_call(node: Any, name: str) -> bool:
    return isinstance(node, gast.Call) and getattr(node.func, "id", "") == name


def _is_minus_one(node: gast.expr) -> bool:
    return isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
        and getattr(node.operand, "value", None) == 1


def _named_lengths(body: list[gast.stmt]) -> dict[int, gast.expr]:
    """By id of a loop, the length that was given a name in front of it: nothing lies between but
    numbers, and lists with nothing in them."""
    found: dict[int, gast.expr] = {}
    for block in syntax.blocks_in(body):
        name, length = "", None
        for node in block:
            if isinstance(node, gast.For) and length is not None \
                    and [getattr(a, "id", "") for a in getattr(node.iter, "args", ())] == [name]:
                found[id(node)] = length
            if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
                length = None
            elif _is_call(node.value, "len") or _is_call(node.value, "min"):
                name, length = node.targets[0].id, node.value
            elif not isinstance(node.value, gast.Constant) and not (
                    isinstance(node.value, gast.List) and not node.value.elts):
                length = None
    return found


def _measured(iterated: gast.expr, named: gast.expr | None) -> list[str] | None:
    """The names of which a range has the length, or the least of the lengths; named: what its bound
    is a name of."""
    if not _is_call(iterated, "range") or len(iterated.args) != 1:
        return None
    length: Any = named or iterated.args[0]
    lengths = length.args if _is_call(length, "min") else [length]
    if not all(_is_call(n, "len") and isinstance(n.args[0], gast.Name) for n in lengths):
        return None
    return [n.args[0].id for n in lengths]


def _taken(node: gast.stmt, number: str) -> str | None:
    """xs, of `x = xs[k]`, where the number is k, and x a name or a tuple of names."""
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Subscript) \
            or not isinstance(node.value.value, gast.Name) \
            or getattr(node.value.slice, "id", None) != number or len(node.targets) != 1:
        return None
    target = node.targets[0]
    parts = syntax.shown_parts(target)
    owner: str = node.value.value.id
    return owner if all(isinstance(p, gast.Name) and p.id not in (owner, number)
                        for p in parts) else None


def _are_looked_at(block: list[gast.stmt], sequences: set[str]) -> bool:
    """Whether in a block sequences are but asked for items and lengths, and are not bound."""
    names = items = 0
    for part in (p for node in block for p in syntax.walk(node)):
        if isinstance(part, gast.Name):
            names += part.id in sequences
        elif isinstance(part, gast.Subscript) and isinstance(part.ctx, gast.Load):
            items += getattr(part.value, "id", None) in sequences
        elif _is_call(part, "len"):
            items += getattr(part.args[0], "id", None) in sequences
    return names == items
