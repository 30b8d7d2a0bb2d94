"""Halves of pairs that work in arrays of their caller, for functions that call themselves.

    sweep(a, k)         =>      sweep_saved = sweep_fwd(a, k)
                         and    sweep_bwd(sweep_saved, ba)

The forward half changes the array as the function does. The backward half puts back what the array
held before the call, and turns the adjoint of what it held behind it into that of what it held
before, where it lies. To the adjoint of an array that is read alone it adds. So a call costs what
it does itself, however long the arrays are that it hands on, and nothing is run again.

Until the text is tidied each call stands there with what it does, as plain values that are written
into the arrays at once; every pass takes it for that, and `bare` leaves it out in the end:

    changed, sweep_saved = sweep_fwd(a, k)          ba_1, a_1 = sweep_bwd(sweep_saved, ba, a)
    a[...] = changed                                ba[...] = ba_1
                                                    a[...] = a_1

Lists and dicts of numbers are such arrays too, also those that get more items (`out.append(v)`,
`memo[n] = v`): what goes in comes out of the adjoint again. There `memo[:] = changed` stands for
all that a dict holds, which is never run.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.units import InPlace, Pair, Prepared
from tangent_lite.kinds import Kind
from tangent_lite.modules import fitted_by
from tangent_lite.structures.lists import is_all_of_dict, list_change

_FIX = "hand on an array of its own: a copy, or a slice with a name"


@dataclass
class GivenArrays:
    """The arrays that halves are given to work in, or in whose adjoints they work: the names of the
    copies in whose place they are, by their parameters; the names under which the backward half is
    given adjoints."""
    copies: dict[str, str] = field(default_factory=dict)
    entries: dict[str, gast.Assign] = field(default_factory=dict)   # where these are made
    adjoints: dict[str, str] = field(default_factory=dict)

    def active(self, active: set[str]) -> dict[str, str]:
        """The names that have adjoints here, and those under which these are given."""
        return {self.copies.get(name, name): given for name, given in self.adjoints.items()
                if self.copies.get(name, name) in active}

    def keep_none(self) -> None:
        """Let the arrays be what they were copied from."""
        for parameter, node in self.entries.items():
            node.value = gast.copy_location(syntax.load(parameter), node.value)


def given_arrays(prepared: Prepared, adds: tuple[str, ...], fresh: Any) -> GivenArrays:
    """The arrays of a function that has been brought into normal form. A twin makes a copy of each
    that it changes when it starts, and reads what it was given no more; adds: those to whose
    adjoints it adds."""
    copies: dict[str, str] = {}
    entries: dict[str, gast.Assign] = {}
    function: Any = prepared.source.function
    changes: tuple[str, ...] = getattr(function, "changes", ())
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
        if copy is None or _is_cut(copy, prepared) or bound.count(copy) != 1 \
                or read.count(name) != 1 or name in bound \
                or any(original.get(one, one) == name for one in set(bound) - {copy}):
            raise not_alone(prepared.source.name, prepared.source.place(prepared.source.tree))
    adjoints = {name: fresh(f"b{name}_given") for name in (*changes, *adds)
                if kinds.can_vary(prepared.kinds[name])}
    return GivenArrays({name: copies[name] for name in changes}, entries, adjoints)


def _is_cut(name: str, prepared: Prepared) -> bool:
    """Whether parts of a list may change their lengths, of which nobody knows how long they were:
    what is appended, inserted or taken out is so one by one."""
    changes = [(node, list_change(node, prepared.facts.before.get(id(node), {})))
               for node in syntax.statements(prepared.tree.body)]
    return any(change is not None and change.name == name and not hasattr(node, "gives_back")
               and change.what == "set" and isinstance(change.index, gast.Slice)
               for node, change in changes)


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
    """The name under which a block is given what it calls by a name: that one itself, where it
    binds it."""
    found = _binding(block, name, given)
    if found is None:
        return given
    block.remove(found)
    return name


def _binding(block: list[gast.stmt], name: str, given: str) -> gast.Assign | None:
    """The statement of a block that gives what was given a name."""
    return next((node for node in block if isinstance(node, gast.Assign) and _bound(node) == [name]
                 and getattr(node.value, "id", None) == given), None)


def added_at_last(block: list[gast.stmt], name: str, given: str, zeros: gast.expr,
                  fresh: Any, add: Any = None) -> str | None:
    """Let a block that binds an adjoint anew, in place of adding to the one that it is given, add
    all of it in the end: the name under which it is given that; None if it reads it in between.

    zeros: the function that makes them; add: how what is no array is added.
    """
    reads = sum(one.id == given for node in block for one in syntax.names_in(node)
                if isinstance(one.ctx, gast.Load))
    found = _binding(block, name, given)
    total = fresh(f"{name}_sum") if name == given else given
    if name != given and (found is None or reads != 1):
        return None
    start = syntax.assign(name, syntax.call(zeros, syntax.load(total)))
    if found is None:
        block.insert(0, start)
    else:
        block[block.index(found)] = start
    block.append(add(syntax.load(total), syntax.load(name)) if add is not None
                 else syntax.augment(total, "+", syntax.load(name)))
    return total


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


def in_texts(function: Any, parameter_kinds: dict[str, Kind],
             pair: Pair) -> tuple[InPlace, InPlace]:
    """How calls of the halves of a pair that work in arrays stand in a text. The forward half gives
    the value, if there is one, the arrays, and what is saved; the backward half is given that, the
    adjoint of the value, those of the arrays, and the arrays."""
    parameters = list(fitted_by(function).parameters)
    has_value = getattr(function, "has_value", True)
    varying = [name for name in pair.changes if kinds.can_vary(parameter_kinds[name])]
    forward = InPlace([(has_value + k, parameters.index(name))
                       for k, name in enumerate(pair.changes)], [])
    varying += pair.adds
    first, given = len(pair.active), 1 + has_value
    count = len(varying) + len(pair.changes)
    backward = InPlace([(first + k, given + k) for k in range(count)],
                       [given + k for k in range(len(varying), count)])
    return forward, backward


def holds_floats(kind: Kind) -> bool:
    """Whether something is an array of NumPy's with elements that are real numbers, or a list of
    such numbers."""
    if isinstance(kind, kinds.ListKind):
        return isinstance(kind.item, kinds.Number) and kind.item.type == "float"
    return type(kind) is kinds.Array and bool(kind.ndim) and kind.dtype == "float"


def bare(body: list[gast.stmt], external: dict[str, Any]) -> None:
    """Leave out what calls of such halves do, in place: they do it."""
    halves = {name: thing.in_place for name, thing in external.items()
              if getattr(thing, "in_place", None) is not None}
    left_out = {name for block in (syntax.blocks_in(body) if halves else ())
                for name in _bare(block, halves)}
    if left_out and any(name.id in left_out and isinstance(name.ctx, gast.Load)
                        for node in body for name in syntax.names_in(node)):
        raise _moved()
    for node in syntax.statements(body):        # what no half does, as nothing that varies goes in
        if any(is_all_of_dict(target.slice) for target in getattr(node, "targets", ())
               if isinstance(target, gast.Subscript)):
            raise UnsupportedSyntaxError("a dict is changed by a call through which nothing varies",
                                         None, "compute what it holds before, or in a loop")


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
            part, array = parts[place], call.args[argument]
            at = _behind_records(block, number, parts)
            if isinstance(part, gast.Subscript):        # `ba[...] = sweep_bwd(sweep_saved, ba)`
                if not syntax.same(part.value, array):
                    raise _moved()
            elif at < len(block) and _writes(block[at], part, array):
                del block[at]
        left_out = {place for place, _ in half.written}
        names |= {part.id for k, part in enumerate(parts)
                  if k in left_out and isinstance(part, gast.Name)}
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
    given = {part.id for part in parts if isinstance(part, gast.Name)}
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
