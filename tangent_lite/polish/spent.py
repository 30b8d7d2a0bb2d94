"""Adjoints that are used up: a part that nobody looks at again is not set to zero.

    for i in range(n - 1, -1, -1):              for i in range(n - 1, -1, -1):
        by_part = by[i].copy()
        by[i] = 0.0                     =>          bx[i] = W.T @ (by[i] * (1.0 - h * h))
        bx[i] = W.T @ (by_part * (1.0 - h * h))

`y[i] = ...` moves the adjoint of y[i] out, since before it y[i] held something else. Where the loop
is done with by[i], and nothing behind the loop reads it, zeros are written for nobody, and a copy
protects from nothing. As with zeros that are filled (fills.py) it is done in the text that is
shown, saved and run.

In the same way a part of an array that was overwritten is not put back if nobody looks at it again,
and not recorded:

    hs_tape.append(hs[t + 1].copy())
    hs[t + 1] = np.tanh(hs[t] @ W)      =>      hs[t + 1] = np.tanh(hs[t] @ W)
    ...
    hs[t + 1] = hs_tape.pop()

It takes that nobody holds the array by another name, and that all that is done to it later, in this
iteration, in those that follow and behind the loops, is done to other parts (spans.py).
"""
from __future__ import annotations

import functools
from collections import Counter
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses import spans
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.spans import Least, Spans
from tangent_lite.nodes import names_in
from tangent_lite.passes.comments import comments
from tangent_lite.polish.array_parts import (
    Unit,
    is_copy,
    is_ours,
    is_part,
)
from tangent_lite.polish.recorded_parts import RecordedParts, records_of
from tangent_lite.polish.tapes import appended_to, made_tape, popped_from

MOST = 300                      # statements of a block that are looked at for one part


def leave_spent(derivative: Any) -> None:
    """Leave out zeros, copies and names of parts that are used up; the trees are changed in place.
    """
    for unit in derivative.units:
        if unit.sought.has_parts:
            _Spent(Unit(unit)).leave(names=True)
            names = _Names(unit.tree)
            for block in syntax.all_blocks(unit.tree):
                names.drop_second(block)
        comments(unit.tree.body)        # what stood under some of them is gone


def leave_put_back(unit: Any) -> None:
    """Leave out what alone puts parts of arrays back that nobody looks at again, and its records.

    unit: a function whose two passes stand one behind the other (`functions.units.Unit`), changed
    in place.
    """
    spent = _Spent(Unit(unit))
    spent.cleared = {number: name for number, name in spent.cleared.items()
                     if number in spent.put_back}
    spent.leave()


class _Frame(NamedTuple):
    """A block around a statement. node: the one of its statements that holds it, or is it; owner:
    the compound statement whose block it is; outside, least: what is known of whole numbers around
    the owner, and in the block."""
    block: list[gast.stmt]
    node: gast.stmt
    owner: gast.stmt | None
    outside: Least
    least: Least


class _Spent:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.cleared = {id(node): name for node in syntax.every_statement(unit.body)
                        if (name := unit.cleared(node)) is not None}
        # By id: so none of them may be gone while another one is made.
        self.held = [*syntax.statements(unit.body)]
        self.names, self.masks = _Names(unit.unit.tree), _Masks(unit.unit.tree)
        self.index: gast.expr               # that of the part that is looked at
        self.named: set[int] = set()        # by id, where it is read that will be done by a name
        self.put_back = {id(node): tape for node in self.held
                         if (tape := self.tape_of(node)) is not None}
        self.cleared.update((id(node), node.targets[0].value.id)
                            for node in self.held if id(node) in self.put_back)

    def tape_of(self, node: Any) -> str | None:
        """The tape from which alone a statement of ours puts back a part of an array, if that is
        all that the tape is for."""
        tape = popped_from(node.value) if isinstance(node, gast.Assign) and is_ours(node) \
            and is_part(node.targets[0]) else None
        if tape is None:
            return None
        return tape if self.names.often[tape] == self.serving[tape] + 1 else None

    @functools.cached_property
    def serving(self) -> Counter[str]:
        """How many statements make each tape, or record something on it."""
        return Counter(tape for node in self.held if (tape := _served(node)) is not None)

    def leave(self, names: bool = False) -> None:
        """names: numbers that are recorded or put back get a name where they are read again."""
        if not self.cleared:
            return
        self.names.count()                  # before anything is left out
        lengths = spans.lengths(self.unit.unit.tree)
        tapes = set(self.put_back.values())
        recorded = records_of(self.held if tapes else [], tapes)
        records = {id(node) for nodes in recorded.values() for node in nodes}
        self.parts = RecordedParts(self.unit, recorded) if names and tapes else None
        found = list(self.unit.in_order(self.cleared, records))
        for node, self.shared in reversed(found):       # zeros behind are gone for those in front
            self.visit(node, [_Frame(self.unit.body, node, None, {}, lengths)])
        if self.parts is not None:
            for tape in recorded:
                self.parts.name_recorded(tape)

    def visit(self, node: gast.stmt, around: list[_Frame]) -> None:
        """Look at a statement, and into it; around: the blocks that it stands in, outermost first.
        """
        name = self.cleared.get(id(node))
        if name is not None and name not in self.shared:
            is_put_back, block = id(node) in self.put_back, around[-1].block
            reads = self.parts.read_behind(node, block, around[-1].least) \
                if is_put_back and self.parts is not None else []
            self.named = {id(read.slice) for read in reads}
            is_spent = self.is_spent(node, name, around)
            if self.parts is not None and ((is_spent and reads) or len(reads) > 1):
                self.parts.name_put_back(node, block, reads, stays=not is_spent)
            elif is_spent and is_put_back:
                self.leave_overwritten(node, block)
                return
            elif is_spent:
                moved = _without_zeros(node, block)
                if moved is not None:
                    self.names.drop(moved, block)
        outside = around[-1].least
        for block in syntax.blocks_of(node):
            least = self.unit.within(node, outside) \
                if isinstance(node, gast.For) and block is node.body else outside
            for inner in reversed(list(block)):
                self.visit(inner, [*around, _Frame(block, inner, node, outside, least)])

    def leave_overwritten(self, node: gast.stmt, block: list[gast.stmt]) -> None:
        """Neither put back nor record what nobody reads."""
        block.remove(node)
        tape = self.put_back[id(node)]
        for one in syntax.all_blocks(self.unit.unit.tree):
            one[:] = [n for n in one if _served(n) != tape] or [gast.Pass()]

    def is_spent(self, zero: Any, name: str, around: list[_Frame]) -> bool:
        """Whether nothing reads or writes again the part that a statement sets to zero."""
        index = self.index = zero.targets[0].slice
        part = spans.spans(index, around[-1].least)     # None of elements here and there: a mask
        for frame in reversed(around):
            behind = frame.block[frame.block.index(frame.node) + 1:]
            if len(behind) > MOST:
                return False
            for node in behind:
                if _binds(node, name):
                    return True             # another array from here on
                if not self.is_elsewhere(node, name, part, frame.least):
                    return False
            owner = frame.owner
            if isinstance(owner, (gast.For, gast.While)):
                if any(name in syntax.all_names(n) for n in owner.orelse):
                    return False
                if not self.is_done_with(owner, name, part, frame):
                    return False
                loops = set(frame.least) - set(frame.outside)
                part = part and spans.widened(part, loops, frame.least)
            elif owner is not None and not isinstance(owner, gast.If):
                return False
        return True

    def is_elsewhere(self, node: gast.stmt, name: str, part: Spans | None, least: Least) -> bool:
        """Whether all that a statement does to an array, it does to other parts, or by a name."""
        return all(index is not None and (id(index) in self.named or (
            self.masks.are_opposite(self.index, index) if part is None
            else spans.apart(part, spans.spans(index, known), known)))
            for index, known in self.unit.accesses(node, name, least))

    def is_done_with(self, loop: Any, name: str, part: Spans | None, frame: _Frame) -> bool:
        """Whether all that is done to an array in later iterations is done to other parts."""
        first = next((n for n in loop.body if name in syntax.all_names(n)), None)
        if first is not None and _binds(first, name):
            return True                     # each iteration has an array of its own
        if part is None or isinstance(loop, gast.While) or frame.least is frame.outside:
            return False
        rises = spans.rises(loop.iter, frame.outside)
        if rises is None:
            return False
        for node in loop.body:
            for index, known in self.unit.accesses(node, name, frame.least):
                other = None if index is None else spans.spans(index, known)
                if other is None or not spans.elsewhere_later(part, other, loop.target.id, rises):
                    return False
        return True


def _binds(node: gast.stmt, name: str) -> bool:
    """Whether a statement binds a name to a new array, whatever it was bound to."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id == name and name not in syntax.all_names(node.value)


def _served(node: Any) -> str | None:
    """The tape that a statement makes, still empty, or on which it records something."""
    if isinstance(node, gast.Assign):
        return made_tape(node)
    tape = appended_to(node)
    return tape if tape is not None and tape not in syntax.all_names(node.value.args[0]) else None


class _Masks:
    """Comparisons that have a name: elements that one chooses are none of those that its opposite
    chooses."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        self.tree = tree

    def are_opposite(self, one: gast.expr, other: gast.expr) -> bool:
        """Whether two indices are `m` and `~m`."""
        names = sorted(filter(None, (syntax.named_mask(one), syntax.named_mask(other))))
        return len(names) == 2 and names[1] == f"~{names[0]}" and names[0] in self.steady

    @functools.cached_property
    def steady(self) -> set[str]:
        """Those that are bound once, outside of loops, and only read: nobody writes into one that
        is but an index or a part of an operation."""
        bound = Counter(syntax.parameter_names(self.tree.args))
        compared: set[str] = set()
        only_read: set[int] = set()
        for node in syntax.every_statement(self.tree.body):
            if isinstance(node, (gast.For, gast.While)):
                bound.update(2 * list(bound_in([node])))
            elif not isinstance(node, syntax.COMPOUND):
                bound.update(bound_in([node]))
            if isinstance(node, gast.Assign) and isinstance(node.value, gast.Compare) \
                    and isinstance(node.targets[0], gast.Name):
                compared.add(node.targets[0].id)
        for part in syntax.all_of(self.tree, gast.Subscript, gast.UnaryOp, gast.BinOp):
            only_read.update(id(n) for n in (
                getattr(part, name, None) for name in ("slice", "operand", "left", "right")))
        elsewhere = {n.id for n in names_in(self.tree)
                     if isinstance(n.ctx, gast.Load) and id(n) not in only_read}
        return {name for name in compared - elsewhere if bound[name] == 1}


# What is left out ------------------------------------------------------------------------------
def _without_zeros(zero: Any, block: list[gast.stmt]) -> gast.Assign | None:
    """Leave out zeros, and the copy of what was there; the statement that moved that out."""
    spot = block.index(zero)
    block.remove(zero)
    moved: Any = block[spot - 1] if spot else None
    if not isinstance(moved, gast.Assign) or not is_ours(moved) \
            or not isinstance(moved.targets[0], gast.Name):
        return None
    value: Any = moved.value.func.value if is_copy(moved.value) else moved.value
    if not syntax.same(value, zero.targets[0]):
        return None
    moved.value = value.value if syntax.means_all(value.slice) else value
    return moved


class _Names:
    """Names of parts that are read once; often: how often a name is mentioned."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        self.tree = tree

    @functools.cached_property
    def often(self) -> Counter[str]:
        """Counted where it is first asked for: most functions have no such parts."""
        return Counter([n.id for n in names_in(self.tree)])

    def count(self) -> None:
        """Have them counted as they are now."""
        assert self.often is not None

    def drop(self, moved: Any, block: list[gast.stmt]) -> None:
        """Write a part that is read once where it is read; nothing changes it until then."""
        name, part = moved.targets[0].id, moved.value
        if self.often[name] != 2:
            return
        fixed = syntax.all_names(part)
        spot = block.index(moved)
        for node in block[spot + 1:spot + MOST]:
            if name in syntax.all_names(node):
                if isinstance(node, (gast.Assign, gast.AugAssign)) \
                        and name in syntax.all_names(node.value):
                    block.remove(moved)
                    node.value = syntax.substitute(node.value, {name: part})
                    if node.value is part and isinstance(node, gast.Assign) and is_ours(node) \
                            and isinstance(node.targets[0], gast.Name):
                        self.drop(node, block)          # which was but a second name
                return
            if not fixed.isdisjoint(bound_in([node])) \
                    or syntax.root_name(syntax.target_of(node)) in fixed:
                return

    def drop_second(self, block: list[gast.stmt]) -> None:
        """`part = b[i]; b[i] = 0.0; bt = part` as `bt = b[i]; b[i] = 0.0`."""
        for moved in list(block):
            if not isinstance(moved, gast.Assign) or not is_ours(moved) \
                    or not isinstance(moved.targets[0], gast.Name) \
                    or not is_part(moved.value.func.value if is_copy(moved.value)
                                   else moved.value) \
                    or self.often[moved.targets[0].id] != 2:
                continue
            name = moved.targets[0].id
            spot = block.index(moved)
            for number, node in enumerate(block[spot + 1:spot + 4]):
                target: Any = node.targets[0] if isinstance(node, gast.Assign) else None
                if isinstance(target, gast.Name) and is_ours(node) \
                        and isinstance(node.value, gast.Name) and node.value.id == name:
                    if not any(target.id in syntax.all_names(n)
                               for n in block[spot:spot + 1 + number]):
                        moved.targets = [target]
                        block.remove(node)
                    break
