"""A number that is recorded, or put back, has a name where it is read again.

    u_i_tape.append(u[i])                       u_i = u[i]
    u[i] = u[i] + 0.5 * u[i - 1] * u[i]         u_i_tape.append(u_i)
    ...                                 =>      u[i] = u_i + 0.5 * u[i - 1] * u_i
    u[i] = u_i_tape.pop()                       ...
    bu[i - 1] += 0.5 * bu_part * u[i]           u_i = u_i_tape.pop()
                                                bu[i - 1] += 0.5 * bu_part * u_i

An element of an array costs as much to read as a sum of two numbers. Whether it has to be put back
all the same, since others read it, is asked in spent.py.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses import spans
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.spans import Least
from tangent_lite.names import Names
from tangent_lite.polish.array_parts import Unit, is_ours, is_part
from tangent_lite.polish.tapes import appended_to, popped_from

MOST = 300                      # statements behind a part that is put back that are looked at


class RecordedParts:
    """The numbers that tapes keep of arrays, in one unit.

    records: the statements that put something on a tape, by tape.
    """

    def __init__(self, unit: Unit, records: dict[str, list[gast.stmt]]) -> None:
        self.unit, self.records = unit, records
        self.names = Names(syntax.all_names(unit.unit.tree))
        self.named: dict[str, str] = {}                 # tape -> what its numbers are called

    def read_behind(self, node: Any, block: list[gast.stmt], least: Least) \
            -> list[gast.Subscript]:
        """What reads the number that `u[i] = u_i_tape.pop()` puts back, as long as it surely is
        still in its place; nobody else writes into the array by another name."""
        part, tape = node.targets[0], popped_from(node.value)
        if tape is None or not self.is_number(part, tape):
            return []
        return [*self._read_behind(part, block, block.index(node), least)]

    def name_put_back(self, node: Any, block: list[gast.stmt], reads: list[gast.Subscript],
                      stays: bool) -> None:
        """Let what reads the number read it by a name; stays: it is put back all the same."""
        part, tape = node.targets[0], str(popped_from(node.value))
        name = self._name(tape)
        replaced = _Named(reads, name)
        for statement in block[block.index(node) + 1:]:
            replaced.visit(statement)
        node.targets = [syntax.store(name)]
        if stays:
            block.insert(block.index(node) + 1, gast.Assign([part], syntax.load(name), None))
        self._leave_second_name(name, block)

    def _leave_second_name(self, name: str, block: list[gast.stmt]) -> None:
        """Leave out `c_i_1 = c_i`, which gave the part a name before it had one; in place."""
        for node in block:
            if isinstance(node, gast.Assign) and is_ours(node) \
                    and syntax.is_name(node.value, name) \
                    and isinstance(node.targets[0], gast.Name):
                other = node.targets[0].id
                everywhere = [n for n in syntax.names_in(self.unit.unit.tree) if n.id == other]
                here = [n for one in block[block.index(node) + 1:]
                        for n in syntax.names_in(one) if n.id == other]
                if len(everywhere) == len(here) + 1 \
                        and all(isinstance(n.ctx, gast.Load) for n in here):
                    block.remove(node)
                    for one in here:
                        one.id = name
                    return

    def name_recorded(self, tape: str) -> None:
        """Let the statement behind `u_i_tape.append(u[i])` read the number by its name."""
        for block in syntax.all_blocks(self.unit.unit.tree):
            for record, after in [*itertools.pairwise(block)]:
                if not any(record is one for one in self.records[tape]):
                    continue
                part = _recorded(record)
                reads = _reads(after.value, part) \
                    if isinstance(after, (gast.Assign, gast.AugAssign)) else []
                if reads and self.is_number(part, tape):
                    name = self._name(tape)
                    after.value = _Named(reads, name).visit(after.value)
                    record.value.args[0] = syntax.load(name)
                    block.insert(block.index(record),
                                 gast.Assign([syntax.store(name)], part, None))

    def is_number(self, part: Any, tape: str) -> bool:
        """Whether a part is a number, of the array whose numbers are on a tape: an array would be
        copied in front of the record."""
        return all(is_part(one) and one.value.id == part.value.id
                   and len(syntax.shown_parts(one.slice)) == len(syntax.shown_parts(part.slice))
                   and self.unit.is_place(one.slice)
                   for one in [part, *map(_recorded, self.records[tape])])

    def _name(self, tape: str) -> str:
        if tape not in self.named:
            self.named[tape] = self.names.fresh(tape.removesuffix("_tape"))
        return self.named[tape]

    def _read_behind(self, part: Any, block: list[gast.stmt], spot: int,
                     least: Least) -> Iterator[gast.Subscript]:
        """What reads a part in the statements behind a place, until it may have changed."""
        fixed, where = syntax.all_names(part), spans.spans(part.slice, least)
        for node in block[spot + 1:spot + 1 + MOST]:
            if not fixed.isdisjoint(bound_in([node])):
                return
            written = {id(n.slice) for n in syntax.all_of(node, gast.Subscript)
                       if not isinstance(n.ctx, gast.Load)}
            for index, known in self.unit.accesses(node, part.value.id, least):
                if index is None or (id(index) in written and not spans.apart(
                        where, spans.spans(index, known), known)):
                    return
            yield from _reads(node, part)


def records_of(statements: list[gast.stmt], tapes: set[str]) -> dict[str, list[gast.stmt]]:
    """The statements that put something on these tapes, by tape."""
    found: dict[str, list[gast.stmt]] = {tape: [] for tape in tapes}
    for node in statements:
        tape = appended_to(node)
        if tape in tapes:
            found[tape].append(node)
    return found


def _recorded(record: Any) -> Any:
    return record.value.args[0]


def _reads(node: gast.AST, part: gast.Subscript) -> list[gast.Subscript]:
    """What reads a part in a statement or an expression."""
    return [one for one in syntax.all_of(node, gast.Subscript)
            if isinstance(one.ctx, gast.Load) and syntax.same(one, part)]


class _Named(syntax.Transformer):
    """A name in the place of some expressions."""

    def __init__(self, expressions: list[gast.Subscript], name: str) -> None:
        self.numbers, self.name = {*map(id, expressions)}, name

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if id(node) in self.numbers:
            return syntax.load(self.name)
        found: gast.expr = self.generic_visit(node)
        return found
