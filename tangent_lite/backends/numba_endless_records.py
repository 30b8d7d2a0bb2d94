"""Records that hold a record like themselves, as those of most recursions do: they have no type.

    def power_fwd(x, n):
        value, saved = power_fwd(x, n - 1)
        return x * value, (value, saved)

What `saved` is a tuple of would have to be said by itself. Numba finds that out by trying, which
takes minutes where a function calls itself twice; here the text says it at once.
"""
from __future__ import annotations

from collections.abc import Iterable

import gast

from tangent_lite import syntax
from tangent_lite.functions.units import Unit


def endless_record(units: Iterable[Unit]) -> tuple[Unit, gast.stmt] | None:
    """A call of which the record lies in a record that lies in it again, and the function that it
    stands in; None if there is no such call."""
    halves = {id(unit.forward): unit.forward for unit in units if unit.forward is not None}
    held = {spot: list(_held(half, set(halves))) for spot, half in halves.items()}
    beside = {spot: {found for _, found in calls} for spot, calls in held.items()}
    for spot, calls in held.items():
        for call, found in calls:
            if spot in _reached(found, beside):
                return halves[spot], call
    return None


def _reached(spot: int, beside: dict[int, set[int]]) -> set[int]:
    """A forward half, and those whose records its own holds at any depth."""
    found, todo = {spot}, [spot]
    while todo:
        new = beside[todo.pop()] - found
        found |= new
        todo += new
    return found


def _held(half: Unit, halves: set[int]) -> Iterable[tuple[gast.stmt, int]]:
    """The calls in a forward half whose records its own record holds, and which half is called."""
    statements = list(syntax.statements(half.tree.body))
    inside: set[str] = set()                    # but a record that is returned as it is
    for node in statements:
        if isinstance(node, gast.Return) and isinstance(node.value, gast.Tuple):
            saved = node.value.elts[-1]
            inside |= set() if isinstance(saved, gast.Name) else syntax.all_names(saved)
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            function = node.value.func          # what lies on a tape that is saved
            if isinstance(function, gast.Attribute) and function.attr == "append":
                inside.update(*map(syntax.all_names, node.value.args))
    for node in statements:
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Call) \
                and isinstance(node.value.func, gast.Name):
            called = id(half.external.get(node.value.func.id))
            target = node.targets[0]
            if called in halves and isinstance(target, gast.Tuple) \
                    and isinstance(target.elts[-1], gast.Name) and target.elts[-1].id in inside:
                yield node, called
