"""Steps that add to several neighbours become steps that take from several.

    for i in range(1, n - 1):           for i in range(2, n - 2):
        bu[i - 1] += k * bv[i]              bu[i] += k * bv[i + 1]
        bu[i] -= 2.0 * k * bv[i]    =>      bu[i] -= 2.0 * k * bv[i]
        bu[i + 1] += k * bv[i]              bu[i] += k * bv[i - 1]
                                        (and what is left of the first and the last steps)

What a stencil reads from its neighbours, its adjoint adds to them: three sums into one element, in
three steps, each of which waits for the one before. By hand one writes down for an element what it
is given. That is a loop over elements that are independent, and the processor takes several at a
time. What a step computes is computed once for each neighbour then, so it is done where that is
cheap. The order of the sums is another one; the values of the user's function are no such sums.
Of an array of several axes each line has a loop of its own: the compiler asks of lines whether they
meet in front of the loop over all of them, where they do.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import head
from tangent_lite.backends.numba_index_sums import Sum, folded
from tangent_lite.backends.numba_lists import ends

_FAR = 4                    # the most distant neighbour
_MOST = 9                   # neighbours
_CHEAP = ("abs", "min", "max", "sqrt", "range")


@dataclass
class _Effect:
    """A statement that adds to something, or writes what no other step reads (is_last: behind all
    that is added); shift: to the element so far from that of the step, None for any; row: of which
    line of its array, by number."""
    statement: gast.stmt
    shift: int | None
    row: int = 0
    is_last: bool = False


def scatters(loop: gast.For, sums: set[str]) -> bool:
    """Whether the steps of a loop add to several neighbours."""
    return len(_bodies(_effects(loop, sums) or ())) > 1


def gather(loop: gast.For, sums: set[str], fresh: Callable[[str], str]) -> list[gast.stmt] | None:
    """What stands in place of a loop without loops in it, whose steps do nothing but add to numbers
    and elements that none of them reads, in any order; None where it stays.

    sums: the names of those numbers.
    """
    found = ends(loop)
    if found is None or found[2] != 1:
        return None
    effects = _effects(loop, sums) or []
    parts = _bodies(effects)
    if not 1 < len(parts) <= _MOST:
        return None
    shifts = [shift for _, shift in parts]
    anywhere = 0 if 0 in shifts else shifts[0]
    for one in effects:
        one.shift = anywhere if one.shift is None and not one.is_last else one.shift
    parts = _bodies(effects)
    bodies = {(row, shift): _alone(loop.body, {
        id(one.statement) for one in effects
        if one.is_last or (one.row, one.shift) != (row, shift)}, sums) for row, shift in parts}
    behind = _alone(loop.body, {id(one.statement) for one in effects if not one.is_last}, sums) \
        if any(one.is_last for one in effects) else []
    if sum(map(_calls, [*bodies.values(), behind])) > _calls(loop.body):
        return None
    return _Written(loop, effects, bodies, behind, fresh).statements()


def _bodies(effects: Iterable[_Effect]) -> list[tuple[int, int]]:
    """The lines and the distances from the step of what is added to."""
    return sorted({(one.row, one.shift) for one in effects if one.shift is not None})


def _effects(loop: gast.For, sums: set[str]) -> list[_Effect] | None:
    """What a loop adds to; None if it adds at places that are no fixed distance from the step."""
    counter = loop.target.id
    bound = {counter} | {name for one in syntax.statements(loop.body) for name in _targets(one)}
    found: list[_Effect] = []
    at: dict[str, set[int]] = {}                # by array, how far from the step
    rows: dict[str, list[Any]] = {}             # by array, its lines
    places: list[tuple[str, _Effect]] = []
    written: set[str] = set()

    def read(block: list[gast.stmt], values: dict[str, gast.expr]) -> bool:
        for node in block:
            if not written.isdisjoint(_reads(node)):
                return False                    # what this step has written
            if isinstance(node, gast.If):
                if not read(node.body, dict(values)) or not read(node.orelse, dict(values)):
                    return False
                for one in syntax.statements([node]):
                    for name in _targets(one):
                        values.pop(name, None)
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Subscript):
                shift, line = _place(node.target, counter, bound, values)
                array = syntax.root_name(node.target)
                if shift is None or array is None or abs(shift) > _FAR:
                    return False
                lines = rows.setdefault(array, [])
                if line not in lines:
                    lines.append(line)
                found.append(_Effect(node, shift, lines.index(line)))
                places.append((array, found[-1]))
                at.setdefault(array, set()).add(shift)
            elif isinstance(node, gast.AugAssign):
                if _is_sum(node, sums):
                    found.append(_Effect(node, None))
                for name in _targets(node):
                    values.pop(name, None)
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript):
                found.append(_Effect(node, None, is_last=True))
                written.update(_written_to(node))
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                name = node.targets[0].id
                values.pop(name, None)
                value = syntax.substitute(node.value, values)
                if _distance(value, counter, bound) is not None:
                    values[name] = value
            elif not isinstance(node, gast.Pass) and not syntax.is_comment(node):
                return False
        return True

    if not read(loop.body, {}):
        return None
    for name, effect in places:
        if len(at[name]) == len(rows[name]) == 1:       # independent as it stands
            effect.shift = None
    return found


def _written_to(node: gast.stmt) -> set[str]:
    """The array of which a statement writes an element."""
    target = node.targets[0] if isinstance(node, gast.Assign) else None
    return {syntax.root_name(target) or ""} if isinstance(target, gast.Subscript) else set()


def _reads(node: gast.stmt) -> set[str]:
    """What a statement reads where it stands, but for the array of which it writes an element."""
    found = head(node)
    if isinstance(found, gast.Assign) and isinstance(found.targets[0], gast.Subscript):
        return syntax.read_names(found.value) | syntax.read_names(found.targets[0].slice)
    return syntax.read_names(found)


def _is_sum(node: gast.stmt, sums: set[str]) -> bool:
    return isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
        and node.target.id in sums


def _place(target: gast.Subscript, counter: str, bound: set[str],
           values: dict[str, gast.expr]) -> tuple[int | None, Any]:
    """How far from the step an element lies, on the one axis on which that is not always one, and
    what is equal for elements of one line along that axis."""
    if not isinstance(target.value, gast.Name):
        return None, None
    found = None
    line: list[Any] = []
    for part in syntax.key_parts(target.slice):
        part = syntax.substitute(part, values)
        if bound.isdisjoint(syntax.read_names(part)):
            line.append(syntax.key(part))
            continue
        distance = _distance(part, counter, bound)
        if distance is None or found is not None:
            return None, None
        found = distance
        line.append(None)
    return found, tuple(line)


def _distance(node: gast.expr, counter: str, bound: set[str]) -> int | None:
    """k, where an expression is `i + k`."""
    count, rest = Sum.of(node).without(counter)
    return rest.number if count == 1 and not rest.terms else None


def _alone(block: list[gast.stmt], gone: set[int], sums: set[str]) -> list[gast.stmt]:
    """A copy of a block without some of its statements, and without what only these read."""
    return _needed(list(_without(block, gone)), sums)[0]


def _without(block: list[gast.stmt], gone: set[int]) -> Iterator[gast.stmt]:
    for node in block:
        if id(node) in gone or syntax.is_comment(node):
            continue
        if isinstance(node, gast.If):
            made = gast.If(syntax.copy(node.test), list(_without(node.body, gone)),
                           list(_without(node.orelse, gone)))
            yield syntax.copy_place(made, node)
        else:
            yield syntax.copy(node)


def _needed(block: list[gast.stmt], read: set[str]) -> tuple[list[gast.stmt], set[str]]:
    """The statements that add, and those that bind what they read; read: what is read behind."""
    kept: list[gast.stmt] = []
    for node in reversed(block):
        if isinstance(node, gast.If):
            node.body, in_body = _needed(node.body, set(read))
            node.orelse, in_orelse = _needed(node.orelse, set(read))
            if not node.body and not node.orelse:
                continue
            node.body = node.body or [gast.Pass()]
            read = in_body | in_orelse | read | syntax.read_names(node.test)
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            name = node.targets[0].id
            if name not in read:
                continue
            read = (read - {name}) | syntax.read_names(node.value)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            if node.target.id not in read:
                continue
            read = read | syntax.read_names(node.value)
        elif isinstance(node, gast.Pass):
            continue
        else:
            read = read | syntax.read_names(node)
        kept.insert(0, node)
    return kept, read


def _calls(block: list[gast.stmt]) -> int:
    """How many functions are called that take their time."""
    return sum((isinstance(node, gast.Call) and not _is_cheap(node.func))
               or (isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow))
               for statement in block for node in syntax.walk(statement))


def _is_cheap(function: gast.expr) -> bool:
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name in _CHEAP


@dataclass
class _Written:
    """The loops in place of one."""
    loop: gast.For
    effects: list[_Effect]
    bodies: dict[tuple[int, int], list[gast.stmt]]
    behind: list[gast.stmt]
    fresh: Callable[[str], str]

    def statements(self) -> list[gast.stmt]:
        """
            count, first, last = stop - start, start + HIGH, stop + LOW
            rest = 2 * (HIGH - LOW)
            if count < rest:
                first, rest = stop + HIGH, count            # too few steps
            for j in range(first, last):                    # for each line
                (each body, of step j - SHIFT)
            for k in range(rest):
                i = start + k if k < HIGH - LOW or count < ... else stop - rest + k
                (the body, each statement if it was not done above)
            for i in range(start, stop):
                (what is written)
        """
        start, stop, _ = ends(self.loop)                    # type: ignore[misc]
        counter = self.loop.target.id
        shifts = [shift for _, shift in self.bodies]
        low, high = min(shifts), max(shifts)
        wide = high - low
        begin, end, first, last, rest, at = map(
            self.fresh, ("begin", "end", "first", "last", "rest", "at"))
        load, number = syntax.load, syntax.constant

        def sum_of(name: str, more: int) -> gast.expr:
            return Sum(more, {(): (1, load(name))}).written()

        made: list[gast.stmt] = [
            syntax.assign(begin, syntax.copy(start)), syntax.assign(end, syntax.copy(stop)),
            syntax.assign(first, sum_of(begin, high)), syntax.assign(last, sum_of(end, low)),
            syntax.assign(rest, number(2 * wide))]
        count = syntax.binary(load(end), "-", load(begin))
        too_few = gast.If(
            gast.Compare(count, [gast.Lt()], [number(2 * wide)]),
            [syntax.assign(first, sum_of(end, high)), syntax.assign(rest, syntax.copy(count))], [])
        made.append(too_few)
        for row in sorted({row for row, _ in self.bodies}):
            inner: list[gast.stmt] = []
            for (line, shift), body in self.bodies.items():
                value = {counter: Sum(-shift, {(): (1, load(counter))}).written()}
                inner += [_Folding().visit(syntax.substitute(node, value))
                          for node in body if line == row]
            made.append(self._over(counter, load(first), load(last), inner))
        # The steps that are left: the first and the last.
        where = syntax.assign(counter, gast.IfExp(
            gast.BoolOp(gast.And(), [
                gast.Compare(load(at), [gast.GtE()], [number(wide)]),
                gast.Compare(load(rest), [gast.Eq()], [number(2 * wide)])]),
            syntax.binary(syntax.binary(load(end), "-", number(2 * wide)), "+", load(at)),
            syntax.binary(load(begin), "+", load(at))))
        made.append(self._over(at, None, load(rest), [where, *self._guarded(first, last)]))
        if self.behind:
            made.append(self._over(counter, load(begin), load(end), self.behind))
        syntax.serve(made, self.loop)
        return made

    def _over(self, counter: str, begin: gast.expr | None, end: gast.expr,
              body: list[gast.stmt]) -> gast.For:
        over = [end] if begin is None else [begin, end]
        made = gast.For(syntax.store(counter), syntax.call(syntax.load("range"), *over), body, [],
                        None)
        return syntax.copy_place(made, self.loop)

    def _guarded(self, first: str, last: str) -> list[gast.stmt]:
        """The body of the loop, where each statement adds if it did not for a step between."""
        shifts = {id(one.statement): one.shift for one in self.effects if not one.is_last}
        last_ones = {id(one.statement) for one in self.effects if one.is_last}
        counter = self.loop.target.id

        def block(given: list[gast.stmt]) -> list[gast.stmt]:
            made: list[gast.stmt] = []
            for node in given:
                if isinstance(node, gast.If):
                    made.append(syntax.copy_place(gast.If(
                        syntax.copy(node.test), block(node.body) or [gast.Pass()],
                        block(node.orelse)), node))
                elif id(node) in last_ones:
                    continue
                elif id(node) in shifts:
                    element = Sum(shifts[id(node)] or 0,
                                  {(): (1, syntax.load(counter))}).written()
                    outside = gast.BoolOp(gast.Or(), [
                        gast.Compare(element, [gast.Lt()], [syntax.load(first)]),
                        gast.Compare(syntax.copy(element), [gast.GtE()], [syntax.load(last)])])
                    made.append(gast.If(outside, [syntax.copy(node)], []))
                else:
                    made.append(syntax.copy(node))
            return made
        return block(self.loop.body)


def _targets(node: gast.stmt) -> list[str]:
    """The names that a statement binds itself."""
    if isinstance(node, gast.Assign):
        return [name for one in node.targets for name in syntax.bound_names(one)]
    return syntax.bound_names(node.target) if isinstance(node, gast.AugAssign) else []


class _Folding(syntax.Transformer):
    """Writes one number in the place of several in an index, in place."""

    def visit_Subscript(self, node: gast.Subscript) -> gast.Subscript:
        node = self.generic_visit(node)
        if isinstance(node.slice, gast.Tuple):
            node.slice.elts = [folded(part) for part in node.slice.elts]
        else:
            node.slice = folded(node.slice)
        return node
