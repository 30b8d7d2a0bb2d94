"""Backward halves of functions that return several things: one parameter for the adjoint of each.

    def rates_bwd(saved, brates):               def rates_bwd(saved, bt, bt_1):
        t, x = saved                                t, x = saved
        bt = brates[0]                  =>          bx = bt * t + bt_1 * x
        bt_1 = brates[1]
        bx = bt * t + bt_1 * x

    bx = rates_bwd(saved, (bu, bv))             bx = rates_bwd(saved, bu, bv)

It takes that all calls pass a tuple that is written there, and that the function reads nothing but
parts of it. No tuple is then made to be taken apart at once.
"""
from __future__ import annotations

from collections.abc import Iterable

import gast

from tangent_lite import syntax
from tangent_lite.functions.units import Unit
from tangent_lite.names import Names


def seeds_apart(units: list[Unit], halves: Iterable[Unit]) -> None:
    """Hand over the parts of seeds one by one; the trees are changed in place.

    halves: the backward halves that are called by units, and by nobody else.
    """
    ours = {id(unit) for unit in units}
    for half in halves:
        calls = _calls(units, half) if id(half) in ours and not half.defaults else None
        if not calls:
            continue
        place, changed = 1, False
        while place < len(half.tree.args.args):
            count = _count(calls, place)
            parts = _part_names(half.tree, place, count) if count else None
            if parts is None:
                place += 1
                continue
            changed = True              # what stands there now may be a tuple in turn
            _take_apart(half.tree, place, parts)
            for call in calls:
                call.args[place:place + 1] = [
                    one for one, part in zip(call.args[place].elts, parts) if part is not None]
        if changed:
            for unit in units:          # what only made a part that nobody reads
                if any(thing is half for thing in unit.external.values()):
                    unit.leave_unread()


def _calls(units: list[Unit], half: Unit) -> list[gast.Call] | None:
    """The calls of a function; None if something else is done with it."""
    calls: list[gast.Call] = []
    for unit in units:
        names = {name for name, thing in unit.external.items() if thing is half}
        if not names:
            continue
        found = [node for node in syntax.all_of(unit.tree, gast.Call)
                 if isinstance(node.func, gast.Name) and node.func.id in names]
        called = {id(node.func) for node in found}
        if not all(id(name) in called for name in syntax.names_in(unit.tree) if name.id in names):
            return None
        calls += found
    return calls


def _count(calls: list[gast.Call], place: int) -> int:
    """How many parts the tuples have that are passed there; 0 if that is not so in all calls."""
    counts = {len(call.args[place].elts) if len(call.args) > place and not call.keywords
              and isinstance(call.args[place], gast.Tuple) and not any(
                  isinstance(e, gast.Starred) for e in [*call.args, *call.args[place].elts])
              else 0 for call in calls}
    return counts.pop() if len(counts) == 1 else 0


def _part_names(tree: gast.FunctionDef, place: int, count: int) -> list[str | None] | None:
    """The names for the parts of a seed, None for one that is not read; None for all if more is
    done with the seed than to read its parts."""
    seed = tree.args.args[place].id
    parts: list[str | None] = [None] * count
    reads = [0] * count
    total = 0
    for node in syntax.walk(tree):
        if isinstance(node, gast.Name) and node.id == seed and not isinstance(node.ctx, gast.Param):
            total += 1
        elif _is_part(node, seed, count):
            reads[node.slice.value] += 1
            parts[node.slice.value] = ""
    if total != sum(reads):
        return None
    for node in tree.body:
        if isinstance(node, gast.Assign) and _is_part(node.value, seed, count) \
                and isinstance(node.targets[0], gast.Name) and len(node.targets) == 1:
            name, number = node.targets[0].id, node.value.slice.value
            # The parameter may be called so if it is read there only, or keeps its value.
            if not parts[number] and name not in parts \
                    and (reads[number] == 1 or _stores(tree, name) == 1):
                parts[number] = name
    names = Names(syntax.all_names(tree) | {p for p in parts if p})
    return [names.fresh(f"{seed}_{k}") if part == "" else part for k, part in enumerate(parts)]


def _stores(tree: gast.FunctionDef, name: str) -> int:
    return sum(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Store)
               for n in syntax.walk(tree))


def _is_part(node: gast.AST, seed: str, count: int) -> bool:
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) \
        and node.value.id == seed and isinstance(node.ctx, gast.Load) \
        and isinstance(node.slice, gast.Constant) and type(node.slice.value) is int \
        and 0 <= node.slice.value < count


class _Parts(syntax.Transformer):
    """Reads the parameters in place of the parts of the seed."""

    def __init__(self, seed: str, parts: list[str | None]) -> None:
        self.seed, self.parts = seed, parts

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if _is_part(node, self.seed, len(self.parts)):
            name = self.parts[node.slice.value]
            assert name is not None, "what is read has a name"
            return syntax.load(name)
        self.generic_visit(node)
        return node


def _take_apart(tree: gast.FunctionDef, place: int, parts: list[str | None]) -> None:
    """Let a function have a parameter for each part of a seed that it reads."""
    seed = tree.args.args[place].id
    tree.args.args[place:place + 1] = [gast.Name(p, gast.Param(), None, None)
                                       for p in parts if p is not None]
    body = [n for n in tree.body if not (
        isinstance(n, gast.Assign) and _is_part(n.value, seed, len(parts))
        and isinstance(n.targets[0], gast.Name) and len(n.targets) == 1
        and n.targets[0].id == parts[n.value.slice.value])]
    tree.body[:] = [_Parts(seed, parts).visit(n) for n in body]
