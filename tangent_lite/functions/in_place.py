"""Halves of pairs that work in arrays of their caller, for functions that call themselves.

    sweep(a, k)         =>      sweep_saved = sweep_fwd(a, k)
                         and    sweep_bwd(sweep_saved, ba)

The forward half changes the array as the function does. The backward half puts back what the array
held before the call, and turns the adjoint of what it held behind it into that of what it held
before, where it lies. So a call costs what it does itself, however long the array is, and nothing
is run again.

Until the text is tidied each call stands there with what it does, as plain values that are written
into the arrays at once; every pass takes it for that, and `bare` leaves it out in the end:

    changed, sweep_saved = sweep_fwd(a, k)          ba_1, a_1 = sweep_bwd(sweep_saved, ba, a)
    a[...] = changed                                ba[...] = ba_1
                                                    a[...] = a_1
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.units import InPlace, Prepared

_FIX = "hand on an array of its own: a copy, or a slice with a name"


@dataclass
class GivenArrays:
    """The arrays that a half is given to work in: the names of the copies in whose place they are,
    by their parameters; the names under which the backward half is given adjoints."""
    copies: dict[str, str]
    entries: dict[str, gast.Assign]         # where these are made
    adjoints: dict[str, str] = field(default_factory=dict)

    def active(self, active: set[str]) -> dict[str, str]:
        """The names that have adjoints here, and those under which these are given."""
        return {copy: self.adjoints[name] for name, copy in self.copies.items()
                if copy in active and name in self.adjoints}

    def keep_none(self) -> None:
        """Let the arrays be what they were copied from."""
        for parameter, node in self.entries.items():
            node.value = gast.copy_location(syntax.load(parameter), node.value)


def given_arrays(prepared: Prepared, fresh: Any) -> GivenArrays:
    """The arrays of a twin that has been brought into normal form: it makes a copy of each when it
    starts, and reads what it was given no more."""
    copies: dict[str, str] = {}
    entries: dict[str, gast.Assign] = {}
    function: Any = prepared.source.function
    changes: tuple[str, ...] = function.changes
    for node in prepared.tree.body:
        of = _copied(node)
        if of is not None and of in changes and of not in copies:
            copies[of], entries[of] = node.targets[0].id, node
    # `u += v` writes into an array.
    bound = [name for node in syntax.statements(prepared.tree.body) for name in _bound(node)]
    read = [n.id for n in syntax.names_in(prepared.tree) if isinstance(n.ctx, gast.Load)]
    original = prepared.names.versions
    for name in changes:
        copy = copies.get(name)
        if copy is None or bound.count(copy) != 1 or read.count(name) != 1 or name in bound \
                or any(original.get(one, one) == name for one in set(bound) - {copy}):
            raise not_alone(prepared.source.name, prepared.source.place(prepared.source.tree))
    adjoints = {name: fresh(f"b{name}_given") for name in changes
                if kinds.can_vary(prepared.kinds[name])}
    return GivenArrays({name: copies[name] for name in changes}, entries, adjoints)


def _copied(node: gast.stmt) -> str | None:
    """The name of what a statement makes a copy of."""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and isinstance(value, gast.Call) and not value.args \
            and isinstance(value.func, gast.Attribute) and value.func.attr == "copy" \
            and isinstance(value.func.value, gast.Name):
        return value.func.value.id
    return None


def given_as(block: list[gast.stmt], name: str, given: str) -> str:
    """The name under which a block is given what it is going to call by a name: that one itself,
    where it begins with binding it."""
    first = block[0] if block else None
    if isinstance(first, gast.Assign) and _bound(first) == [name] \
            and getattr(first.value, "id", None) == given:
        del block[0]
        return name
    return given


def stays(block: list[gast.stmt], name: str, given: str) -> bool:
    """Whether a name means what was given under another one wherever it is read."""
    bound = [node for node in syntax.every_statement(block) if name in _bound(node)]
    return all(isinstance(node, gast.Assign) and isinstance(node.value, gast.Name)
               and node.value.id == given for node in bound) and (
        name == given or len(bound) == 1)


def _bound(node: gast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, gast.Assign) else \
        [node.target] if isinstance(node, gast.For) else []
    return [name for target in targets for name in syntax.bound_names(target)]


def bare(body: list[gast.stmt], external: dict[str, Any]) -> None:
    """Leave out what calls of such halves do, in place: they do it."""
    halves = {name: thing.in_place for name, thing in external.items()
              if getattr(thing, "in_place", None) is not None}
    left_out = {name for block in (syntax.blocks_in(body) if halves else ())
                for name in _bare(block, halves)}
    if left_out and any(name.id in left_out and isinstance(name.ctx, gast.Load)
                        for node in body for name in syntax.names_in(node)):
        raise _moved()


def _bare(block: list[gast.stmt], halves: dict[str, InPlace]) -> set[str]:
    """The names of what is left out in a block."""
    number, names = 0, set[str]()
    while number < len(block):
        node = block[number]
        number += 1
        half = None if isinstance(node, syntax.COMPOUND) else _half_in(node, halves)
        if half is None:
            continue
        target, call = node.targets[0], node.value
        parts = list(target.elts) if isinstance(target, gast.Tuple) else [target]
        for place, argument in half.written:
            at = _behind_records(block, number, parts)
            if at < len(block) and _writes(block[at], parts[place], call.args[argument]):
                del block[at]
        left_out = {place for place, _ in half.written}
        names |= {part.id for k, part in enumerate(parts) if k in left_out}
        parts = [part for k, part in enumerate(parts) if k not in left_out]
        call.args = [one for k, one in enumerate(call.args) if k not in half.mentioned]
        if not parts:
            block[number - 1] = syntax.copy_place(gast.Expr(call), node)
        else:
            node.targets = [parts[0] if len(parts) == 1 else syntax.tuple_of(parts, gast.Store())]
    return names


def _half_in(node: gast.stmt, halves: dict[str, InPlace]) -> InPlace | None:
    """The half that a statement calls; it calls it plainly."""
    found = [call for call in syntax.all_of(node, gast.Call)
             if isinstance(call.func, gast.Name) and call.func.id in halves]
    if not found:
        return None
    half = halves[found[0].func.id]
    if len(found) > 1 or not isinstance(node, gast.Assign) or node.value is not found[0] \
            or len(node.targets) > 1:
        raise _moved()
    return half


def _behind_records(block: list[gast.stmt], number: int, parts: list[Any]) -> int:
    """The number of the first statement that does more than to put what a call gives on tapes:
    `sweep_saved_tape.append(sweep_saved)`, which reads no array."""
    given = {part.id for part in parts}
    while number < len(block):
        call: Any = getattr(block[number], "value", None)
        if not isinstance(block[number], gast.Expr) or not isinstance(call, gast.Call) \
                or getattr(call.func, "attr", None) != "append" or len(call.args) != 1 \
                or getattr(call.args[0], "id", None) not in given:
            break
        number += 1
    return number


def _writes(node: gast.stmt, part: gast.expr, array: gast.expr) -> bool:
    """Whether a statement writes a part of what a call gives into an array that it was given."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Subscript) \
            or not isinstance(node.value, gast.Name) or node.value.id != part.id:
        return False
    if not syntax.same(node.targets[0].value, array):
        raise _moved()
    return True


def not_alone(name: str, place: Any) -> UnsupportedSyntaxError:
    """The error for a function that does not do all in the arrays that it is given."""
    return UnsupportedSyntaxError(f"{name} does not work in the arrays that it is given", place,
                                  _FIX)


def _moved() -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError("something came between a call and what it writes", None, _FIX)
