"""The loop that is open, what its statements added to it, and its text.

Order is kept where it matters. A loop reads and writes an array that is written in it at one and
the same place, and other arrays must lie apart from it (asked when the code runs). Numbers that a
loop reads are bound before it, and numbers that it sums up are read behind it.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np
from numba import types

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions
from tangent_lite.backends import (
    numba_blocks,
    numba_elements,
    numba_exponentials,
    numba_memory,
    numba_scratch,
)
from tangent_lite.backends.numba_groups import Group
from tangent_lite.backends.numba_loop_families import families
from tangent_lite.backends.numba_loop_parts import Draft
from tangent_lite.backends.numba_loop_ranks import (
    NUMBER,
    Array,
    ByStatement,
    NextLoop,
    Places,
)
from tangent_lite.backends.numba_loop_reads import Later
from tangent_lite.backends.numba_words import DOTS, Means
from tangent_lite.emit import emit_expression

# What the text of a loop calls.
WORDS: dict[str, Any] = {
    name: getattr(numba_elements, name) for name in (
        "item", "put", "shifted", "stepped", "place", "first_of", "length_from", "length_to_end",
        "in_order", "in_whole_steps", "OtherShapes")}
WORDS |= {"extent": numba_memory.extent, "meet": numba_memory.meet, "empty": np.empty,
           "zeros": np.zeros, "divide": np.divide, "power": np.power, "square": np.square,
           "real": np.float64, "exponential": numba_exponentials.exponential,
           "hyperbolic_tangent": numba_exponentials.hyperbolic_tangent,
           "hollow": numba_memory.hollow, "empty_in": numba_scratch.empty_in,
           "room": numba_scratch.room, "empties": numba_blocks.empties}
AXES = 3                       # of the largest arrays that loops are written for


def _kind(kind: Any) -> Any:
    """What is known of a parameter of a type: None if it is nothing that loops know."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, (types.Boolean, types.Integer, types.Float)):
        return NUMBER
    if not isinstance(kind, types.Array) or not kind.aligned:
        return None
    if kind.dtype == types.float64 and 0 < kind.ndim <= AXES and (
            kind.ndim == 1 or kind.layout != "F"):
        return Array(kind.ndim, "", origin="given", is_mutable=kind.mutable,
                     may_have_steps=kind.layout == "A")
    return Places(kind.ndim) if kind.dtype == types.int64 and kind.ndim else None


class OpenLoop:
    """The loop that is open: the drafts of its statements, one behind the other."""

    def __init__(self, rank: int, number: int) -> None:
        self.rank, self.number = rank, number
        self.drafts: list[Draft] = []
        self.statements: list[gast.stmt] = []
        self.early: dict[str, str] = {}
        self.reads: list[tuple[Array, str]] = []
        self.writes: list[tuple[Array, str]] = []
        self.names: set[str] = set()
        self.bound: set[str] = set()


@dataclass
class Kept:
    """Lines that keep what a loop makes: in front of it, in it and behind it, and, in plain, behind
    the statements as they are."""
    allocated: list[str] = field(default_factory=list)
    stores: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)


class LoopWriter:
    """Writes the function behind a group: the loop that is open, and what stands before it.

    is_whole: where shapes are others than a loop is for, the statements run as they are; else
    OtherShapes is raised there, and Numba has half as much to compile; or, if there is a function
    `otherwise` that does the same for all shapes, that is called. is_fast: it is compiled with
    fastmath, in which sums are taken in any order.
    """

    def __init__(self, group: Group, kinds: dict[str, Any], means: Means, taken: set[str],
                 is_whole: bool = True, is_fast: bool = False,
                 otherwise: str | None = None) -> None:
        self.group, self.means = group, means
        self.is_whole, self.is_fast, self.otherwise = is_whole, is_fast, otherwise
        self.taken = taken | {group.name} | {
            n.id for one in group.statements for n in gast.walk(one) if isinstance(n, gast.Name)}
        self.words: dict[str, str] = {}
        self.env: dict[str, Any] = {}
        for name in group.parameters:
            known = self.env[name] = _kind(kinds[name])
            if isinstance(known, Array):
                known.owner = name
                axis = group.thin.get(name)
                if axis is not None and -known.rank <= axis < known.rank:
                    known.thin = frozenset({axis % known.rank})
        self.families = families(group.statements, {
            name for name, known in self.env.items() if known is NUMBER}, means)
        self.lines: list[str] = []
        self.loop: OpenLoop | None = None
        self.loops = 0
        self.at = 0                             # the statement that is next
        self.kept: set[str] = set()             # made here, and read later

    # Names ------------------------------------------------------------------------------------
    def fresh(self, wish: str) -> str:
        name, number = wish, 0
        while name in self.taken:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        return name

    def word(self, name: str) -> str:
        """The name of what a text calls, or of a place of a loop."""
        if name not in self.words:
            self.words[name] = self.fresh(name)
        return self.words[name]

    def early_name(self, text: str) -> str | None:
        return None if self.loop is None else self.loop.early.get(text)

    def known(self, name: str) -> Any:
        """What a name means: NUMBER or an Array; ByStatement if that is not known."""
        found = self.env.get(name)
        if found is None or isinstance(found, Places):
            raise ByStatement
        if found is NUMBER and self.loop is not None and any(
                name in draft.pending for draft in self.loop.drafts):
            raise NextLoop
        return found

    def means_places(self, name: str) -> bool:
        """Whether a name means a vector of ints, an index of rows."""
        return self.rank_of_places(name) == 1

    def rank_of_places(self, name: str) -> int:
        """How many axes an array of ints has, 0 for what is none."""
        found = self.env.get(name)
        return found.rank if isinstance(found, Places) else 0

    # Loops ------------------------------------------------------------------------------------
    def draft(self, rank: int) -> Draft:
        """What a statement is to add to the loop that is open, or to the next."""
        if not 0 < rank <= AXES:
            raise ByStatement
        if self.loop is not None and self.loop.rank == rank:
            return Draft(self, rank, self.loop.number)
        return Draft(self, rank, self.loops)

    def settled(self, arrays: list[Array]) -> None:
        """What is read of arrays in front of the loop that is open is not written in it."""
        if self.loop is not None and any(
                may_meet(array, other) for array in arrays for other, _ in self.loop.writes):
            raise NextLoop

    def clashes(self, reads: list[tuple[Array, str]], writes: list[tuple[Array, str]]) -> bool:
        """Whether an array is written at one place and read or written at another."""
        return any(array is other and place != another and not (
            place.startswith("rows") and another.startswith("rows"))    # both only add
            for array, place in writes for other, another in [*reads, *writes])

    def are_related(self, loop: OpenLoop, node: gast.stmt) -> bool:
        """Whether a statement has to do with what a loop does."""
        family = self.families.get(id(node))
        return any(self.families.get(id(one)) == family for one in loop.statements)

    def join(self, draft: Draft, node: gast.stmt) -> None:
        """Put what a statement adds into the loop."""
        loop = self.loop
        if loop is not None and (loop.rank != draft.rank or not self.are_related(loop, node)):
            raise NextLoop
        reads = [*(loop.reads if loop else ()), *draft.reads]
        writes = [*(loop.writes if loop else ()), *draft.writes]
        if self.clashes(reads, writes):
            raise NextLoop if loop is not None else ByStatement
        if not draft.is_full and not all(draft.sizes):
            raise ByStatement                   # an axis of one item, made by None
        self.settle_copies([array for array, _ in draft.writes])
        if loop is None:
            loop = self.loop = OpenLoop(draft.rank, self.loops)
            self.loops += 1
        loop.drafts.append(draft)
        loop.statements.append(node)
        loop.early.update(draft.early_names)
        loop.reads, loop.writes = reads, writes
        loop.names |= draft.names | syntax.read_names(node)
        loop.bound.update(definitions(node))

    def line(self, name: str, text: str, known: Any) -> None:
        """Bind a name in front of the loop that is open."""
        if self.loop is not None and name in self.loop.names | self.loop.bound:
            raise NextLoop
        self.before_binding(name)
        self.lines.append(f"    {text}")
        self.bind(name, known)

    def before_binding(self, name: str) -> None:
        """Take out what is read by way of a name that is to mean something else."""
        for other, array in list(self.env.items()):
            if not isinstance(array, Array):
                continue
            if array.view is not None and name in syntax.read_names(array.view):
                array.view = None
            if array.access is not None and other != name \
                    and name in syntax.read_names(array.access):
                self.bring_back(other)

    def bind(self, name: str, known: Any) -> None:
        """A name means something else from here on."""
        self.before_binding(name)
        old = self.env.get(name)
        if isinstance(old, Array) and old.owner == name and old is not known:
            others = [n for n, array in self.env.items() if array is old and n != name]
            if others:
                old.owner = others[0]
        self.env[name] = known

    def close(self) -> None:
        """End the loop that is open, and write it."""
        loop, self.loop = self.loop, None
        if loop is None:
            return
        drafts = loop.drafts
        sizes = [self.fresh(f"size{loop.number}") for _ in range(loop.rank)]
        spans = [list(dict.fromkeys(size for d in drafts for size in d.sizes[k]))
                 for k in range(loop.rank)]
        self.lines += [f"    {line}" for d in drafts for line in d.before]
        self.lines += [f"    {size} = {known[0]}" for size, known in zip(sizes, spans)]
        tests = [f"{other} == {size}" for size, known in zip(sizes, spans) for other in known[1:]]
        tests += dict.fromkeys(test for d in drafts for test in d.tests)
        tests += dict.fromkeys(f"{self.word('in_whole_steps')}({array.owner})" for array, _ in
                               [*loop.reads, *loop.writes] if array.may_have_steps)
        tests += self._lie_apart(loop)
        gone = self.gone_in(loop)
        kept = self._kept(loop, sizes)
        body = self._body(loop, sizes, kept)
        if not tests:
            self.lines += [f"    {line}" for line in body]
        elif self.is_whole:
            plain = [*gone, *map(text_of, loop.statements), *kept.plain]
            self.lines += [f"    if {' and '.join(tests)}:", *[f"        {line}" for line in body],
                           "    else:", *[f"        {line}" for line in plain]]
        else:
            leave = f"raise {self.word('OtherShapes')}({self.group.name!r})"
            if self.otherwise is not None:
                leave = f"return {self.otherwise}({', '.join(self.group.parameters)})"
            self.lines += [f"    if not ({' and '.join(tests)}):", f"        {leave}",
                           *[f"    {line}" for line in body]]

    def _body(self, loop: OpenLoop, sizes: list[str], kept: Kept) -> list[str]:
        """The lines of a loop, with what stands in front of it and behind."""
        drafts = loop.drafts
        body = [*kept.allocated, *(text.format(*sizes) for d in drafts for text in d.allocated)]
        body += [line for d in drafts for line in d.hoisted]
        for k, (i, size) in enumerate(zip(drafts[0].indices, sizes)):
            body.append(f"{'    ' * k}for {i} in range({size}):")
            if k == 0:
                body += [f"    {line}" for d in drafts for line in d.rows]
        inside = "    " * loop.rank
        body += [inside + line for d in drafts for line in d.inner]
        body += [inside + line for line in kept.stores]
        body += [f"    {line}" for d in drafts for line in d.row_ends]
        body += [line for d in drafts for line in d.behind]
        return [*body, *kept.ends]

    def _kept(self, loop: OpenLoop, sizes: list[str]) -> Kept:
        """What a loop leaves to later statements: arrays that they read, shapes that they ask."""
        later, word, kept = self.later(), self.word, Kept()
        index = ", ".join(loop.drafts[0].indices)
        bound = list(dict.fromkeys(n for node in loop.statements for n in definitions(node)))
        for array in [array for d in loop.drafts for array in d.made]:
            names = [name for name in bound if self.env.get(name) is array]
            asked = [name for name in names if later.shape_is_needed(name)]
            element, array.element = array.element, ""
            if element and not any(n in self.kept or later.is_needed(n) for n in names):
                if asked:
                    # The statements as they are may have given it another shape than the loop's.
                    array.sizes = [self.fresh("size") for _ in range(array.rank)]
                    kept.ends += [f"{own} = {size}" for own, size in zip(array.sizes, sizes)]
                    kept.plain.append(f"{', '.join(array.sizes)}, = {names[0]}.shape")
                continue
            if element:
                kept.allocated.append(f"{array.owner} = {word('empty')}(({', '.join(sizes)},))")
                kept.stores.append(f"{word('put')}({array.owner}, {element}, {index})")
            needed = [n for n in names if n in asked or n in self.kept or later.is_needed(n)] \
                or names[:1]
            kept.ends += [f"{name} = {array.owner}" for name in needed]
            for name in set(names) - set(needed):
                del self.env[name]              # read no more, and not bound
            if needed:
                kept.plain.append(f"{needed[0]} = {word('in_order')}({needed[0]})")
                kept.plain += [f"{name} = {needed[0]}" for name in needed[1:]]
                array.owner = needed[0]
            array.stored = True
        return kept

    def _lie_apart(self, loop: OpenLoop) -> list[str]:
        """Tests that what is written shares no memory with what else is read or written."""
        tests: dict[str, None] = {}
        for array, _ in loop.writes:
            for other, _ in [*loop.reads, *loop.writes]:
                if other is array or not may_meet(array, other):
                    continue
                pair = sorted([array.owner, other.owner])
                extents = ", ".join(f"{self.word('extent')}({name})" for name in pair)
                tests[f"not {self.word('meet')}({extents})"] = None
        return list(tests)

    # Statements as they are -------------------------------------------------------------------
    def as_it_is(self, node: gast.stmt) -> None:
        """A statement that stays; what is known of the name that it binds."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            self.settle_copies(None)
        for name in sorted(syntax.read_names(node) | set(definitions(node))):
            self.bring_back(name)
        known = self.kind_of(node) if definitions(node) else None
        for name in definitions(node):
            self.before_binding(name)
        self.lines.append(f"    {text_of(node)}")
        for name in definitions(node):
            self.bind(name, known)

    def kind_of(self, node: Any) -> Any:
        """What a statement binds its name to, if that is plain."""
        if isinstance(node, gast.AugAssign):
            return self.env.get(node.target.id)
        try:
            rank = self.draft(1).rank_of(node.value)
        except (ByStatement, NextLoop):
            return None
        if rank == 0:
            return NUMBER
        # Of another layout perhaps, and perhaps one that is known already.
        computes = isinstance(node.value, (gast.BinOp, gast.UnaryOp)) or (
            isinstance(node.value, gast.Call) and self.means(node.value.func) in DOTS)
        return Array(rank, definitions(node)[0], origin="other", thin=self.thin_of(
            node.value, rank)) if rank <= AXES and computes else None

    def thin_of(self, node: gast.expr, rank: int) -> frozenset[int]:
        """The axes of one item of what an operation on arrays of a rank, and on numbers, gives."""
        found = frozenset(range(rank))
        for part in gast.walk(node):
            if isinstance(part, (gast.Call, gast.Subscript)):
                return frozenset()
            if isinstance(part, gast.Name):
                known = self.env.get(part.id)
                if known is not NUMBER:
                    found &= known.thin if isinstance(known, Array) and known.rank == rank \
                        else frozenset()
        return found

    def bring_back(self, name: str) -> None:
        """Make an array of a name that stands for one."""
        array = self.env.get(name)
        if not isinstance(array, Array) or array.stored:
            return
        if array.access is not None:
            self.lines.append(f"    {name} = {emit_expression(array.access)}")
            self.env[name] = Array(array.rank, name)
        elif array.sizes:
            self.lines.append(f"    {name} = {self.word('empty')}(({', '.join(array.sizes)},))")

    def gone_in(self, loop: OpenLoop) -> list[str]:
        """Lines that make the arrays that statements read, and that no loop needed."""
        lines = []
        bound = {name for node in loop.statements for name in definitions(node)}
        for name in sorted({n for node in loop.statements for n in syntax.read_names(node)}):
            array = self.env.get(name)
            if not isinstance(array, Array) or array.stored or name in bound:
                continue
            if array.access is not None:
                lines.append(f"{name} = {emit_expression(array.access)}")
            elif array.sizes:
                lines.append(f"{name} = {self.word('empty')}(({', '.join(array.sizes)},))")
        return lines

    def settle_copies(self, written: list[Array] | None) -> None:
        """Take out the rows that are read where they lie, before something is written: into arrays
        that are given, or into any."""
        for name, array in list(self.env.items()):
            access: Any = array.access if isinstance(array, Array) else None
            if access is None or not any(isinstance(p, gast.Name) and self.means_places(p.id)
                                         for p in syntax.shown_parts(access.slice)):
                continue
            base: Any = self.env.get(access.value.id)
            if written is None or any(may_meet(base, one) for one in written):
                self.bring_back(name)

    # What is read later -----------------------------------------------------------------------
    def later(self) -> Later:
        return Later(self.group.statements[self.at:], self.group.results, self.group.hollow,
                     self.means)


def may_meet(array: Array, other: Array) -> bool:
    """Whether two arrays may share memory, by where they come from."""
    if array is other:
        return True
    origins = {array.origin, other.origin}
    return origins != {"fresh"} and origins != {"fresh", "given"}


def emit_statements(block: list[gast.stmt]) -> str:
    """The statements of a group as text."""
    return "\n".join(map(text_of, block))


def text_of(node: Any) -> str:
    if isinstance(node, gast.Assign):
        return f"{emit_expression(node.targets[0])} = {emit_expression(node.value)}"
    if isinstance(node, gast.AugAssign):
        return f"{emit_expression(node.target)} {_OPERATORS_IN_PLACE[type(node.op)]}= " \
               f"{emit_expression(node.value)}"
    return emit_expression(node.value)


_OPERATORS_IN_PLACE = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.Pow: "**",
                       gast.FloorDiv: "//", gast.Mod: "%", gast.MatMult: "@", gast.BitAnd: "&",
                       gast.BitOr: "|", gast.BitXor: "^", gast.LShift: "<<", gast.RShift: ">>"}
