"""The records of a function in its text: tapes that grow in the forward pass and shrink in the
backward pass, and what is kept under a name of its own.

    forward                     backward
    x_tape.append(x)            x = x_tape.pop()
    x = x * x
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions
from tangent_lite.analyses.rotations import moved, moved_back
from tangent_lite.analyses.segments import Segments
from tangent_lite.markers import is_attempt, marker_of
from tangent_lite.names import stem
from tangent_lite.runtime import MISSING, copied, copied_lists, put_back
from tangent_lite.structures.lists import last_deleted, place_back, place_in
from tangent_lite.structures.nested import swap
from tangent_lite.syntax import COMPOUND, assign, load, subscript

# Changes of lists that are undone by the opposite change: nothing is recorded of them.
UNDONE = ("append", "insert", "swap", "grow")


class Tapes:
    """Writes what the pass `record` decided; records: what that is."""

    def __init__(self, records: Any, fresh: Callable[[str], str],
                 external: Callable[[Any, str], gast.expr], kept_by_calls: bool,
                 nested: set[str], stem_of: Mapping[str, str]) -> None:
        """nested: lists of lists of which elements of the inner ones change; stem_of: the user's
        names of versions."""
        self.records, self.fresh, self.external = records, fresh, external
        self.nested, self.stem_of = nested, stem_of
        # (loops that are run again; name, or "name[n]" of parts of a buffer) -> tape
        self.tapes: dict[tuple[tuple[int, ...], str], str] = {}
        self.olds: dict[tuple[int, int], str] = {}      # (id of a statement, number) -> name
        self.made: set[str] = set()                     # tapes that have been made
        self.segments: dict[int, Segments] = {}         # by id of the loop
        self.scope: tuple[int, ...] = ()                # loops that are run again, around
        self.outer_loops: set[int] = set()              # loops that are in no loop
        # Lists and dicts whose changes are undone: what a tape holds is left as it is. Where others
        # keep the very list, it is the one to change back, and nobody goes backwards from it twice.
        self.undone = set() if kept_by_calls else {
            s.name for saves in records.saves.values() for s in saves if s.change}

    def forward(self, block: list[gast.stmt], outermost: bool = True) -> list[gast.stmt]:
        """The block with its records."""
        if outermost:
            self.outer_loops = set(_outer_loops(block))
        out: list[gast.stmt] = [
            syntax.statement(syntax.method(load(self.tape(name)), "append", load(name)))
            for name in self.records.starts.get(id(block), ())]
        together = {id(one): self.records.moved[id(node)] for node in block
                    if id(node) in self.records.moved and self.records.moved[id(node)].is_one
                    for one in self.records.moved[id(node)].nodes}
        for node in block:
            before = len(out)
            tapes: list[str] = []
            if outermost:
                tapes = self.tapes_in(node)
            out += [syntax.assign(tape, gast.List([], gast.Load())) for tape in tapes]
            for number, save in enumerate(self.records.saves.get(id(node), ())):
                kept = self.save(node, number, save)
                out += [] if kept is None else [kept]
            if id(node) in self.records.segments:
                out += self.in_segments(node)
            elif isinstance(node, COMPOUND):
                made = node.__class__.__new__(node.__class__)
                made.__dict__.update(node.__dict__)
                made.body = self.forward(node.body, False)
                made.orelse = self.forward(node.orelse, False)
                syntax.serve(made.body + made.orelse, node)
                if is_attempt(made):
                    made.tapes = self.tapes_of(node.body)
                out.append(made)
            elif id(node) in together:
                out += moved(together[id(node)]) if together[id(node)].last is node else []
            else:
                out.append(node)
                out += self.save_behind(node)
            syntax.serve(out[before:], node)
        for name in self.records.ends.get(id(block), ()):
            append = syntax.statement(syntax.method(load(self.tape(name)), "append", load(name)))
            spot = _bound_once(out, name) if out and syntax.may_leave(out[-1:]) else None
            if spot is None:
                _at_exits(out, append)
            else:
                out.insert(spot + 1, append)
        return out

    def in_segments(self, node: gast.For) -> list[gast.stmt]:
        """A loop with checkpoints: it records nothing else."""
        segments = self.segments_of(node)
        made = syntax.copy(node)
        made.body.insert(0, segments.keep())
        return [segments.measure(), made]

    def segments_of(self, node: gast.For) -> Segments:
        if id(node) not in self.segments:
            self.segments[id(node)] = Segments(node, self.records.segments[id(node)], self.fresh,
                                               self.external, self.nested)
        return self.segments[id(node)]

    def again(self, node: gast.For) -> list[gast.stmt]:
        """The steps of a loop with checkpoints, recorded: in the scope of that loop."""
        counter = getattr(node, "n_steps", None)
        counted = [n for n in node.body if isinstance(n, gast.AugAssign)
                   and syntax.bound_names(n.target) == [counter]]
        return [n for n in self.forward(node.body, False)
                if not any(n is one for one in counted)]

    def steps(self, node: gast.For | gast.While) -> gast.expr | None:
        """How many steps a loop made that may have been left: as many as a tape holds that has one
        entry for each, else what was counted; None if its range says so."""
        counted = getattr(node, "n_steps", None)
        if counted is None:
            return None
        saved = [s.name for one in node.body for s in self.records.saves.get(id(one), ())
                 if s.in_loop and not s.buffer]
        # Behind an exit nothing follows in its block (see `exits`).
        for name in (*self.records.starts.get(id(node.body), ()), *saved,
                     *self.records.ends.get(id(node.body), ())):
            if id(node) in self.outer_loops and not self.scope and self.uses(name) == 1:
                return syntax.call(load("len"), load(self.tape(name)))
        return load(counted)

    def uses(self, name: str) -> int:
        """In how many places the tape of a name grows."""
        blocks = [*self.records.starts.values(), *self.records.ends.values()]
        saves = [s for found in self.records.saves.values() for s in found if s.in_loop]
        return sum(found.count(name) for found in blocks) + sum(
            s.name == name and not s.buffer for s in saves)

    def taken(self, name: str, tape: gast.expr) -> gast.expr:
        """What comes off a tape for a name."""
        value = syntax.method(tape, "pop")
        return self.copied(name, value) if name in self.undone else value

    def copied(self, name: str, value: gast.expr) -> gast.expr:
        """A copy of what a name of a list or dict holds, or is to hold."""
        if name in self.nested:
            return syntax.call(self.external(copied_lists, "copied_lists"), value)
        if name in self.records.undefined:
            return syntax.call(self.external(copied, "copied"), value)
        return syntax.method(value, "copy")

    def tapes_in(self, node: gast.stmt) -> list[str]:
        """Tapes that are first used in a loop, in order."""
        found: list[str] = []
        todo = [node]
        while todo:
            one = todo.pop(0)
            blocks = [one.body, one.orelse] if isinstance(one, COMPOUND) else []
            for save in self.records.saves.get(id(one), ()):
                if save.in_loop and save.change not in UNDONE:
                    found.append(self.tape(save.name, save))
            if id(one) in self.records.segments:
                found += self.segments_of(one).lists.values()
                continue
            for block in blocks:
                found += self.tapes_at(block)
                todo += block
        fresh = [t for t in dict.fromkeys(found) if t not in self.made]
        self.made.update(fresh)
        return fresh

    def tapes_again(self, node: gast.For) -> list[str]:
        """Tapes of the steps that are run again, which are made in front of the backward loop."""
        found = [t for one in node.body for t in self.tapes_in(one)]
        ends = self.tapes_at(node.body)
        found += [t for t in ends if t not in self.made]
        self.made.update(ends)
        return found

    def tapes_at(self, block: list[gast.stmt]) -> list[str]:
        """Tapes that grow at the head and at the end of a block."""
        return [self.tape(name) for name in (*self.records.starts.get(id(block), ()),
                                             *self.records.ends.get(id(block), ()))]

    def tapes_of(self, block: list[gast.stmt]) -> list[str]:
        """Tapes that grow in a block and in the blocks in it."""
        found = self.tapes_at(block)
        for node in block:
            found += [self.tape(s.name, s) for s in self.records.saves.get(id(node), ())
                      if s.in_loop and s.change not in UNDONE]
            if id(node) in self.records.segments:
                found += self.segments_of(node).lists.values()
            elif isinstance(node, COMPOUND):
                found += self.tapes_of(node.body) + self.tapes_of(node.orelse)
        return list(dict.fromkeys(found))

    def tape(self, name: str, save: Any = None) -> str:
        """The tape of a name, or of a part of a buffer."""
        plain = stem(name)
        key, wish = name, f"{plain}_tape"
        if save is not None and save.buffer:
            key = f"{name}[{_places(save.index)}{save.arrays}]" if save.change is None else \
                f"{name} {save.change}"
            if isinstance(save.index, gast.Name):
                wish = f"{plain}_{stem(save.index.id)}_tape"
        if (self.scope, key) not in self.tapes:
            self.tapes[self.scope, key] = self.fresh(wish)
        return self.tapes[self.scope, key]

    def save(self, node: gast.stmt, number: int, save: Any) -> gast.stmt | None:
        if save.change == "pop" or save.change in UNDONE:
            return None             # undone by the opposite; what came out is kept behind the pop
        value: gast.expr = load(save.name)
        if save.change == "put":
            value = syntax.method(value, "get", syntax.copy(save.index),
                                  self.external(MISSING, "MISSING"))
        elif save.buffer:
            if save.index is not None and not syntax.is_whole(save.index) \
                    and not (save.change is not None and syntax.is_colon(save.index)):
                value = subscript(value, syntax.copy(save.index))
            if not save.element:
                value = self.copied(save.name, value) if save.name in self.nested else \
                    syntax.method(value, "copy")
        if save.in_loop:
            tape = load(self.tape(save.name, save))
            return syntax.statement(syntax.method(tape, "append", value))
        stem = self.stem_of.get(save.name, save.name)
        wish = f"{stem}_old"
        if save.buffer and isinstance(save.index, gast.Constant) \
                and not syntax.is_whole(save.index) \
                and f"{stem}_{save.index.value}".isidentifier():        # no key as 1.3
            wish = f"{stem}_{save.index.value}"
        name = self.olds[id(node), number] = self.fresh(wish)
        return assign(name, value)

    def save_behind(self, node: gast.stmt) -> list[gast.stmt]:
        """Keep what came out of a list."""
        out: list[gast.stmt] = []
        for number, save in enumerate(self.records.saves.get(id(node), ())):
            if save.change == "pop":
                if save.in_loop:
                    tape = load(self.tape(save.name, save))
                    out.append(syntax.statement(syntax.method(tape, "append", load(save.item))))
                else:
                    name = self.olds[id(node), number] = self.fresh(f"{save.name}_last")
                    out.append(assign(name, load(save.item)))
        return out

    def restore(self, node: gast.stmt) -> list[gast.stmt]:
        """Put back what a statement overwrote."""
        out = []
        if id(node) in self.records.moved:
            out += moved_back(self.records.moved[id(node)])
        saves = self.records.saves.get(id(node), ())
        for number in range(len(saves) - 1, -1, -1):
            save = saves[number]
            if save.change in ("append", "insert"):
                index = [] if save.index is None else [place_in(save.index, save.name)]
                out.append(syntax.statement(syntax.method(load(save.name), "pop", *index)))
                continue
            if save.change == "grow":
                out.append(last_deleted(save.name, save.index))
                continue
            if save.change == "swap":
                out.append(swap(save.name, *save.index.elts))
                continue
            if save.in_loop:
                value: gast.expr = syntax.method(load(self.tape(save.name, save)), "pop")
            else:
                value = load(self.olds[id(node), number])
            if not save.buffer:
                if save.name in self.undone:
                    value = self.copied(save.name, value)
                out.append(assign(save.name, value))
                continue
            if save.may_be_list and save.name in self.nested:
                # A list that is put back is changed there: the record stays as it is.
                value = self.copied(save.name, value)
            if save.change == "pop":
                how = "append" if save.index is None else "insert"
                index = [] if save.index is None else [place_back(save.index, save.name)]
                out.append(syntax.statement(syntax.method(load(save.name), how, *index, value)))
                continue
            if save.change == "put":
                helper = self.external(put_back, "put_back")
                out.append(syntax.statement(syntax.call(helper, load(save.name),
                                                        syntax.copy(save.index), value)))
                continue
            if save.change == "all items":      # of a dict, which changes back from there
                out.append(assign(save.name, self.copied(save.name, value)))
                continue
            if save.change == "all":
                whole = subscript(load(save.name), gast.Slice(None, None, None), gast.Store())
                out.append(assign(whole, value))
                continue
            index = syntax.copy(save.index) if save.index is not None else \
                gast.Constant(Ellipsis, None)
            out.append(assign(subscript(load(save.name), index, gast.Store()), value))
        return out


def _places(index: gast.expr | None) -> int:
    """How many axes of an array an index takes away: a row and a block are not kept on one tape,
    whose entries have one type in compiled code."""
    parts = index.elts if isinstance(index, gast.Tuple) else [] if index is None else [index]
    return sum(not isinstance(part, gast.Slice) and not syntax.is_whole(part) for part in parts)


def _outer_loops(block: list[gast.stmt]) -> list[int]:
    """The loops of a block that are in no loop, by id."""
    found: list[int] = []
    for node in block:
        if isinstance(node, gast.If):
            found += _outer_loops(node.body) + _outer_loops(node.orelse)
        elif isinstance(node, COMPOUND):
            found.append(id(node))
    return found


def _bound_once(block: list[gast.stmt], name: str) -> int | None:
    """Where the one statement stands in a block that binds a name."""
    spots = [number for number, node in enumerate(block) for one in syntax.statements([node])
             if not isinstance(one, COMPOUND) and name in definitions(one)]
    if len(spots) != 1 or isinstance(block[spots[0]], COMPOUND) \
            or marker_of(block[spots[0]]) is not None:          # where a block begins or ends
        return None
    return spots[0]


def _at_exits(block: list[gast.stmt], node: gast.stmt) -> None:
    """Put a statement at the end of a block, on each way out of it."""
    last = block[-1] if block else None
    if isinstance(last, gast.Break):
        block.insert(len(block) - 1, syntax.copy(node))
    elif isinstance(last, gast.If) and syntax.may_leave([last]):
        _at_exits(last.body, node)
        _at_exits(last.orelse, node)
    else:
        block.append(syntax.copy(node))
