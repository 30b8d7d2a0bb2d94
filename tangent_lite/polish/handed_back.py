"""What a backward half returns is its caller's own, under the name that it is for.

    by_1, bp = step_bwd(saved, by)              by, bp = step_bwd(saved, by)
    by = by_1                           =>      bmu += bp["mu"]
    bmu += bp["mu"]
    by = by.copy()

When the caller is written nobody knows yet what its callees return: arrays of their own, or the
very one that they were passed. Here their text is there to be read. An array is a half's own if the
statement that made it is found above the `return`, an operation that makes a new array, and if
nothing in between may keep it; then a copy of it is written for nobody.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.functions.units import Unit as Function
from tangent_lite.polish.array_parts import Unit, blocks, is_copy, is_ours
from tangent_lite.syntax import COMPOUND

NEAR = 60                       # statements that are looked at behind a call, or above a `return`
_DISPLAYS = (gast.List, gast.Tuple, gast.Dict, gast.Set)
_LEAVE = (gast.Break, gast.Continue, gast.Return)


def take_results(derivative: Any) -> None:
    """Name results as what they are for, and leave out copies of them; the trees are changed in
    place."""
    results = _Results()
    for unit in derivative.units:
        if any(isinstance(thing, Function) for thing in unit.external.values()):
            _Taker(Unit(unit), results).take()


class _Names:
    """The names in the statements of a unit: found out once, for each is asked of many times."""

    def __init__(self, unit: Unit) -> None:
        self.counts = Counter(n.id for n in syntax.names_in(unit.unit.tree))
        self.known: dict[int, tuple[gast.stmt, set[str]]] = {}

    def of(self, node: gast.stmt) -> set[str]:
        if id(node) not in self.known:
            self.known[id(node)] = node, syntax.all_names(node)
        return self.known[id(node)][1]


class _Results:
    """What is known of what units return, found out once for each."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Function, list[bool]]] = {}

    def own(self, function: Function) -> list[bool]:
        """For each thing that a unit returns, whether it surely is an array that nobody else has,
        or a number."""
        if id(function) not in self.known:
            self.known[id(function)] = function, []         # of one that calls itself
            self.known[id(function)] = function, self._own(function)
        return self.known[id(function)][1]

    def _own(self, function: Function) -> list[bool]:
        body = function.tree.body
        if not body or not isinstance(body[-1], gast.Return) or sum(
                isinstance(node, gast.Return) for node in syntax.statements(body)) != 1:
            return []
        last: Any = body[-1].value
        parts = syntax.shown_parts(last)
        makers = _Makers(Unit(function), self)
        found = [makers.of(part, len(body) - 1) for part in parts]
        named = Counter(n.id for n in syntax.names_in(last))
        often = Counter(map(id, found))
        return [maker is not None and often[id(maker)] == 1 and (
            not isinstance(part, gast.Name) or named[part.id] == 1)
            for maker, part in zip(found, parts)]

    def of_call(self, node: Any, unit: Unit) -> list[bool] | None:
        """The same for what a call gives; None if it is no call of a unit."""
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
            return None
        function = unit.means(node.func.id)
        return self.own(function) if isinstance(function, Function) else None


class _Makers:
    """The statements that make what a unit returns."""

    def __init__(self, unit: Unit, results: _Results) -> None:
        self.unit, self.results, self.names = unit, results, _Names(unit)

    def of(self, part: gast.expr, end: int) -> Any:
        """What made an expression above a statement of the unit: an expression that makes a new
        array, or a name that a call binds. None if it may be anything."""
        if self.unit.makes_new(part):
            return part
        if not isinstance(part, gast.Name):
            return None
        for spot in range(end - 1, max(end - 1 - NEAR, -1), -1):
            node: Any = self.unit.body[spot]
            if part.id not in self.names.of(node):
                continue
            if isinstance(node, gast.Assign) and part.id in syntax.bound_names(node.targets[0]):
                return self.bound(node, part.id, spot)
            if _keeps(node, part.id, self.unit, self.names):
                return None
        return None

    def bound(self, node: gast.Assign, name: str, spot: int) -> Any:
        target = node.targets[0]
        given = self.results.of_call(node.value, self.unit)
        if isinstance(target, gast.Tuple):
            places = [k for k, one in enumerate(target.elts) if getattr(one, "id", "") == name]
            if given is None or len(given) != len(target.elts) or len(places) != 1:
                return None
            return target.elts[places[0]] if given[places[0]] else None
        if not isinstance(target, gast.Name) or len(node.targets) != 1:
            return None
        if given is not None:
            return node.value if given == [True] else None
        if isinstance(node.value, gast.Name):
            # Under the other name as well: that must be all that is done with that.
            return self.of(node.value, spot) if self.names.counts[node.value.id] == 2 else None
        return node.value if self.unit.makes_new(node.value) else None


class _Taker:
    """A unit that calls others."""

    def __init__(self, unit: Unit, results: _Results) -> None:
        self.unit, self.results, self.names = unit, results, _Names(unit)

    def take(self) -> None:
        for block in blocks(self.unit.body):
            gone: set[int] = set()
            for place, node in enumerate(block):
                given = self.results.of_call(getattr(node, "value", None), self.unit)
                if given is None or not isinstance(node, gast.Assign) or len(node.targets) != 1 \
                        or not is_ours(node):
                    continue
                near = [one for one in block[place + 1:place + 1 + NEAR] if id(one) not in gone]
                target: Any = node.targets[0]
                targets = syntax.shown_parts(target)
                for number, one in enumerate(targets):
                    if not isinstance(one, gast.Name):
                        continue
                    is_own = len(given) == len(targets) and given[number]
                    for leave in (self.name, self.copy) if is_own else (self.name,):
                        other = leave(near, node, one)
                        if other is not None:
                            gone.add(id(other))
                            near.remove(other)
            if gone:
                block[:] = [node for node in block if id(node) not in gone]

    def name(self, near: list[gast.stmt], call: gast.Assign,
             target: gast.Name) -> gast.stmt | None:
        """Let a result that gets another name, and is read nowhere else, have that name at once.
        The statement that gave it the name, which is left out."""
        if self.names.counts[target.id] != 2:
            return None
        between: list[gast.stmt] = []
        for node in near:
            if target.id not in self.names.of(node):
                if any(isinstance(part, _LEAVE) for part in syntax.walk(node)):
                    return None
                between.append(node)
                continue
            if not isinstance(node, gast.Assign) or not is_ours(node) or len(node.targets) != 1 \
                    or not isinstance(node.value, gast.Name) \
                    or not isinstance(node.targets[0], gast.Name):
                return None
            name = node.targets[0].id
            if name in syntax.bound_names(call.targets[0]) \
                    or any(name in self.names.of(one) for one in between):
                return None
            target.id = name
            self.names.known.pop(id(call), None)
            return node
        return None

    def copy(self, near: list[gast.stmt], call: gast.Assign,
             target: gast.Name) -> gast.stmt | None:
        """A copy of what nobody else has, which is left out."""
        name = target.id
        for node in near:
            if isinstance(node, gast.Assign) and is_ours(node) and is_copy(node.value) \
                    and getattr(node.targets[0], "id", "") == name \
                    and getattr(node.value.func.value, "id", "") == name:
                return node
            if _keeps(node, name, self.unit, self.names):
                return None
        return None


def _keeps(node: gast.stmt, name: str, unit: Unit, names: _Names) -> bool:
    """Whether a statement may let something else hold what a name holds."""
    if name not in names.of(node):
        return False
    if isinstance(node, COMPOUND):
        head = node.iter if isinstance(node, gast.For) else node.test
        return name in syntax.all_names(head) or any(
            _keeps(one, name, unit, names) for one in (*node.body, *node.orelse))
    if not isinstance(node, (gast.Assign, gast.AugAssign)) or any(
            isinstance(part, _DISPLAYS) and name in syntax.all_names(part)
            for part in syntax.walk(node.value)):
        return True
    if isinstance(node, gast.AugAssign):            # what is added to an array is copied
        return not isinstance(node.value, (gast.Name, gast.Subscript)) \
            and not unit.makes_new(node.value)
    return name in syntax.bound_names(node.targets[0]) or not unit.makes_new(node.value)
