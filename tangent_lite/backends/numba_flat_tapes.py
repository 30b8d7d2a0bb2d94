"""Tapes that each step of a loop makes, and puts on another tape: one tape for all steps.

    t_tape = []                             starts, flat = [], []
    for i in range(n):                      for i in range(n):
        tape = []                               start = flat.mark()
        for j in range(m):                      for j in range(m):
            tape.append(x[j])                       flat.append(x[j])
        t_tape.append(tape)         =>          starts.append(start)
    for i in range(n - 1, -1, -1):          for i in range(n - 1, -1, -1):
        tape = t_tape.pop()                     start = starts.pop()
        tape = tape.copy()
        for j in range(m - 1, -1, -1):          for j in range(m - 1, -1, -1):
            y = tape.pop()                          y = flat.pop()
            ...                                     ...
                                                flat.cut(start)

So it is once both halves of a function with loops are written out in a loop (`numba_inlining`): a
list for each call, and the copy that leaves the record as it was, take longer than what is
recorded. The one tape holds what all those on the other one hold, one behind the other: what is
taken off first is at its end. `cut` takes off what a step may have left.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends.numba_lists import leaves, list_of
from tangent_lite.backends.numba_shapes import copy_of

_Place = tuple[list[gast.stmt], Any]


def flatten_tapes(tree: gast.FunctionDef, means: Callable[[gast.expr], Any],
                  fresh: Callable[[str], str]) -> bool:
    """Rewrite such tapes of a function, in place; whether there are some."""
    counts = Counter(n.id for n in syntax.walk(tree) if isinstance(n, gast.Name))
    counts.update(syntax.parameter_names(tree.args))
    found = [_Inner(tree, outer, counts, means) for outer in _outer_tapes(tree, counts)]
    for one in found:
        if one.is_such:
            one.write(fresh)
    return any(one.is_such for one in found)


def _outer_tapes(tree: gast.FunctionDef, counts: Counter[str]) -> list[dict[str, _Place]]:
    """What makes, fills and empties each tape that is made empty once, filled in one place and
    emptied in one, in blocks that run to their ends."""
    uses: dict[str, dict[str, _Place]] = {}
    for block in syntax.all_blocks(tree):
        for node in block:
            name, use = _use(node)
            if use:
                uses.setdefault(name, {})[use] = block, node
    return [found for name, found in uses.items()
            if len(found) == counts[name] == 3
            and not leaves(found["filled"][0]) and not leaves(found["emptied"][0])]


def _use(node: Any) -> tuple[str, str]:
    """The tape that a statement makes, fills or empties, and which of these it does."""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and len(node.targets) == 1 \
            and isinstance(node.targets[0], gast.Name):
        if isinstance(value, gast.List) and not value.elts:
            return node.targets[0].id, "made"
        tape = list_of(value, "pop", 0)
        return (tape, "emptied") if tape is not None else ("", "")
    tape = list_of(value, "append", 1) if isinstance(node, gast.Expr) else None
    return (tape, "filled") if tape is not None else ("", "")


class _Inner:
    """The tapes on a tape: how each step makes and fills one, and takes it off and empties it."""

    def __init__(self, tree: gast.FunctionDef, outer: dict[str, _Place], counts: Counter[str],
                 means: Callable[[gast.expr], Any]) -> None:
        self.outer, self.means = outer, means
        self.forward, self.put = outer["filled"]
        self.back, self.taken = outer["emptied"]
        self.made: Any = None
        self.copied: Any = None
        self.fills: list[Any] = []
        self.empties: list[Any] = []
        self.is_such = not self._are_nested() and self._is_filled(counts) \
            and self._is_emptied(counts)

    def _are_nested(self) -> bool:
        """Whether a tape is taken off while another one is being filled, or the other way round:
        what is at the end of the one tape would be that of the other."""
        return any(node is self.taken for node in syntax.statements(self.forward)) \
            or any(node is self.put for node in syntax.statements(self.back))

    def _is_filled(self, counts: Counter[str]) -> bool:
        """Whether the step makes the tape, and does nothing with it but to fill it."""
        if not isinstance(self.put.value.args[0], gast.Name):
            return False
        name = self.put.value.args[0].id
        before = self.forward[:syntax.place_in(self.forward, self.put)]
        made = [node for node in before if _use(node) == (name, "made")]
        if len(made) != 1:
            return False
        self.made = made[0]
        behind = before[syntax.place_in(before, self.made) + 1:]
        self.fills = [node.value for node in syntax.statements(behind)
                      if _use(node) == (name, "filled")]
        # What is put on it does not read it.
        return counts[name] == 2 + len(self.fills)

    def _is_emptied(self, counts: Counter[str]) -> bool:
        """Whether the step takes from the tape, or from a copy, and does nothing else with it."""
        name = self.taken.targets[0].id
        behind = self.back[syntax.place_in(self.back, self.taken) + 1:]
        copies = [node for node in behind if self._copied(node) == name]
        mentions = 1
        if len(copies) == 1:
            self.copied = copies[0]
            copy = self.copied.targets[0].id
            behind = behind[syntax.place_in(behind, self.copied) + 1:]
            mentions, name = mentions + 1, copy
            if copy == self.taken.targets[0].id:
                mentions += 1
            elif counts[self.taken.targets[0].id] != 2:
                return False
            else:
                mentions = 1
        self.empties = [node.value for node in syntax.statements(behind)
                        if _use(node) == (name, "emptied")]
        return counts[name] == mentions + len(self.empties)

    def _copied(self, node: Any) -> str:
        """The name in `copy = tape.copy()`."""
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords \
                and isinstance(value.args[0], gast.Name) and self.means(value.func) is copy_of:
            return value.args[0].id
        return ""

    def write(self, fresh: Callable[[str], str]) -> None:
        name = self.put.value.args[0].id
        flat, starts = fresh(name), fresh(f"{name}_start_tape")
        start, end = fresh(f"{name}_start"), fresh(f"{name}_start")
        _replace(*self.outer["made"], [syntax.assign(one, gast.List([], gast.Load()))
                                       for one in (flat, starts)])
        _replace(self.forward, self.made,
                 [syntax.assign(start, syntax.method(syntax.load(flat), "mark"))])
        _replace(self.forward, self.put, [syntax.statement(
            syntax.method(syntax.load(starts), "append", syntax.load(start)))])
        _replace(self.back, self.taken,
                 [syntax.assign(end, syntax.method(syntax.load(starts), "pop"))])
        if self.copied is not None:
            _replace(self.back, self.copied, [])
        for call in (*self.fills, *self.empties):
            call.func.value.id = flat
        cut = [syntax.statement(syntax.method(syntax.load(flat), "cut", syntax.load(end)))]
        syntax.serve(cut, self.taken)
        self.back += cut


def _replace(block: list[gast.stmt], node: gast.stmt, made: list[gast.stmt]) -> None:
    syntax.serve(made, node)
    at = syntax.place_in(block, node)
    block[at:at + 1] = made
