"""A loop and the one that goes back over what it recorded, made one where nothing is carried along.

    tape = []
    for i in range(n):
        t = f(x[i])
        tape.append(t)                          bx = np.zeros_like(x)
    bx = np.zeros_like(x)               =>      for i in range(n - 1, -1, -1):
    for i in range(n - 1, -1, -1):                  t = f(x[i])
        t = tape.pop()                              bx[i] += t * b
        bx[i] += t * b

What a step of the first loop computes must not depend on the steps before it, so that it may as
well be computed when its record is read; then there is no record. So a person would write a sum of
terms. What the first loop reads must still be the same then: between and in the second loop only
arrays are written to that were made behind the first one.

Loops inside of the first one may record as well, for loops inside of the second one: what they put
on a tape in a step is taken off in the same step, so the tape holds what one step needs.
"""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.adjoints.ranges import backwards
from tangent_lite.analyses.liveness import bound_in, live_before
from tangent_lite.analyses.mentions import uses_here
from tangent_lite.backends.numba_functions import METHODS, ORIGINALS, REPLACED, unbound
from tangent_lite.backends.numba_lists import list_of
from tangent_lite.backends.numba_memory import apart
from tangent_lite.backends.numba_numpy import np_add_at
from tangent_lite.backends.numba_products import np_cross, np_dot
from tangent_lite.backends.numba_words import ADD_AT, ZEROS, Means
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import shapes as runtime_shapes

_FRESH = {*ZEROS, np.zeros, np.ones, np.empty, np.full}
_ADDING = {ADD_AT, np_add_at}
_NEW = {runtime_products.cross_adjoint_left, runtime_products.cross_adjoint_right, np_cross,
        np_dot}


def fuse_loops(tree: gast.FunctionDef, means: Means, fresh: Callable[[str], str],
               changes_arguments: bool = True) -> None:
    """Make one loop of two such loops, in place, wherever they stand in a function.

    changes_arguments: it may write into what it is given, as halves do.
    """
    kept = set() if changes_arguments else set(syntax.parameter_names(tree.args))
    todo = [tree.body]
    while todo:                             # loops in loops that were made one come behind these
        block = todo.pop()
        for first in [node for node in block if isinstance(node, gast.For)]:
            _Pair(tree, block, first, means, fresh, kept).fuse()
        todo += [inner for node in block for inner in syntax.blocks_of(node)]


class _Pair:
    """The loop that records, and the one that goes back over its tapes."""

    def __init__(self, tree: gast.FunctionDef, block: list[gast.stmt], first: gast.For,
                 means: Means, fresh: Callable[[str], str], kept: set[str]) -> None:
        self.tree, self.block, self.first, self.means, self.fresh = tree, block, first, means, fresh
        self.counts = Counter(node.id for node in syntax.walk(tree) if isinstance(node, gast.Name))
        self.bindings = _bindings(tree.body)
        for name in syntax.parameter_names(tree.args):
            self.bindings.setdefault(name, []).append(None)
        self.kept = {name for name in kept if self.bindings[name] == [None]}

    def fuse(self) -> None:
        tapes = self._tapes()
        if tapes is None:
            return
        self.tapes = tapes
        self.inner = {tape for node in syntax.statements(self.first.body)
                      if (tape := _taped(node)) is not None} - set(tapes)
        second = self._second(tapes) if tapes or self.inner else None
        if second is None or not all(self._is_of_a_step(tape, second) for tape in self.inner):
            return
        start, end = syntax.place_in(self.block, self.first), syntax.place_in(self.block, second)
        between = self.block[start + 1:end]
        body = [node for node in self.first.body if _taped(node) not in tapes]
        if not self._is_apart(body, between, second):
            return
        names = {name: self.fresh(name) for name in sorted(bound_in(body))}
        names[self.first.target.id] = second.target.id
        values = {tape: syntax.Rename(names).visit(value) for tape, value in tapes.items()}
        body = [syntax.Rename(names).visit(node) for node in body]
        for node in second.body[:len(tapes)]:
            node.value = values[node.value.func.value.id]
        second.body[:0] = body
        self.block.remove(self.first)
        for block in syntax.all_blocks(self.tree) if tapes else ():
            block[:] = [node for node in block if not (
                isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
                and node.targets[0].id in tapes)] or [gast.Pass()]

    # The shape of the two ---------------------------------------------------------------------
    def _tapes(self) -> dict[str, gast.expr] | None:
        """What the first loop puts on tapes at the end of its body, by the names of the tapes."""
        first = self.first
        if first.orelse or not isinstance(first.target, gast.Name) or not _is_plain(first):
            return None
        found: dict[str, gast.expr] = {}
        for node in reversed(first.body):
            tape = _taped(node)
            if tape is None or tape in found:
                break
            # Made once, put on here, taken off once.
            if self.counts[tape] != 3 or not self._is_made_once(tape):
                return None
            found[tape] = node.value.args[0]
        return found

    def _second(self, tapes: dict[str, gast.expr]) -> gast.For | None:
        """The loop that begins by taking all of them off, the other way round."""
        for node in self.block[syntax.place_in(self.block, self.first) + 1:]:
            if not isinstance(node, gast.For):
                continue
            taken = [_popped(one) for one in node.body[:len(tapes)]]
            if set(taken) == set(tapes) and not node.orelse and isinstance(node.target, gast.Name) \
                    and syntax.same(node.iter, backwards(self.first)):
                return node
        return None

    def _is_made_once(self, tape: str) -> bool:
        made = self.bindings.get(tape, [])
        return len(made) == 1 and isinstance(made[0], gast.List) and not made[0].elts

    def _is_of_a_step(self, tape: str, second: gast.For) -> bool:
        """Whether a tape is put on in the first loop alone, and taken off in the second one."""
        uses = _uses(self.first.body, tape, "append", 1) + _uses(second.body, tape, "pop", 0)
        return self._is_made_once(tape) and self.counts[tape] == 1 + uses

    # What may stand in them -------------------------------------------------------------------
    def _is_apart(self, body: list[gast.stmt], between: list[gast.stmt], second: gast.For) -> bool:
        """Whether the first loop does the same in the second one."""
        counters = {self.first.target.id, second.target.id}
        bound = bound_in(body)
        if counters & bound or bound & live_before(body):       # it goes on from the last step
            return False
        behind = self.block[syntax.place_in(self.block, self.first) + 1:]
        if (bound | counters) & live_before(behind) \
                or any(map(_is_left, (body, between, second.body))):
            return False
        if self.block is not self.tree.body and bound & _read_outside(
                self.tree, [*behind, self.first]):
            return False                                        # in the next step of a loop around
        read = {name for node in [*body, self.first]
                for name in syntax.read_names(node)} - bound - counters
        later = [*between, gast.For(second.target, second.iter, second.body[len(self.tapes):], [],
                                    None)]
        return not read & bound_in([*between, *second.body]) and self._only_computes(body, set()) \
            and self._only_computes(later, self._of_one_name(bound_in(self.tree.body) - read))

    def _of_one_name(self, names: set[str]) -> set[str]:
        """Those of the names that mean nothing but new arrays, which have no other name: parts of
        them are computed with, written to and returned."""
        found = {name for name in names if all(
            isinstance(value, gast.Call) and self.means(value.func) in _FRESH
            for value in self.bindings.get(name, [None]))}
        known: set[int] = set()
        for node in syntax.walk(self.tree):
            if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
                known.add(id(node.value))
            elif isinstance(node, (gast.BinOp, gast.UnaryOp)):
                known.update(id(child.value) for child in gast.iter_child_nodes(node)
                             if isinstance(child, gast.Subscript))
            elif isinstance(node, gast.Call) and self.means(node.func) is apart:
                known.update(map(id, node.args[1:]))
            elif isinstance(node, gast.Return):
                known.update(map(id, syntax.walk(node)))
        return found - {node.id for node in syntax.walk(self.tree) if isinstance(node, gast.Name)
                        and isinstance(node.ctx, gast.Load) and id(node) not in known}

    def _only_computes(self, block: list[gast.stmt], before: set[str]) -> bool:
        """Whether statements write into nothing but what they made themselves, and what is their
        own before."""
        own = _Own(block, self.bindings, self.means, self.inner, self.kept, before)
        return all(isinstance(node, (gast.Assign, gast.AugAssign, gast.If, gast.For, gast.While,
                                     gast.Expr, gast.Pass, gast.Raise, gast.Break,
                                     gast.Continue))
                   for node in syntax.statements(block)) \
            and own.writes_only_that() \
            and all(own.computes(call) for node in block for call in syntax.walk(node)
                    if isinstance(call, gast.Call))


class _Own:
    """What the statements of a block made themselves: nothing in front of them has its memory."""

    def __init__(self, block: list[gast.stmt], everywhere: dict[str, list[Any]],
                 means: Means, tapes: set[str], kept: set[str],
                 before: set[str]) -> None:
        self.here, self.everywhere, self.means = _bindings(block), everywhere, means
        self.block, self.tapes, self.kept, self.before = block, tapes, kept, before

    def is_own(self, name: str) -> bool:
        """Whether a name means nothing but arrays that were made for it here, or before."""
        if name in self.before:
            return True
        here = self.here.get(name, [])
        return bool(here) and len(here) == len(self.everywhere[name]) and all(
            isinstance(value, gast.Call) and self.means(value.func) in _FRESH for value in here)

    def makes(self, value: gast.expr, own: set[str]) -> bool:
        """Whether an expression gives a number, or an array that was made here."""
        if isinstance(value, gast.Name):
            return value.id in own
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            # What is written into, or added to, is no part of what nobody writes into.
            return value.value.id in own | self.kept
        return isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Constant)) or (
            isinstance(value, gast.Call) and _is_new(self.means(value.func)))

    def writes_only_that(self) -> bool:
        """Whether all that the statements write into are arrays that are theirs."""
        self.is_looking, self.found = True, True
        self.run(self.block, self.before)
        return self.found

    def run(self, block: list[gast.stmt], own: set[str]) -> set[str]:
        """The names that mean a number or an array made here when a block has run; own: before.

        What is written into then, and is none, is noted.
        """
        own = set(own)
        for node in block:
            if isinstance(node, gast.If):
                own = self.run(node.body, own) & self.run(node.orelse, own)
            elif isinstance(node, (gast.For, gast.While)):
                own -= set(syntax.bound_names(node.target)) if isinstance(node, gast.For) else set()
                own = self.repeat(node, own)
            elif isinstance(node, gast.AugAssign):
                self.write(node.target, own)
            elif isinstance(node, gast.Assign):
                for target in node.targets:
                    if isinstance(target, gast.Name):
                        (own.add if self.makes(node.value, own) else own.discard)(target.id)
                        continue
                    for part in getattr(target, "elts", [target]):
                        if isinstance(part, gast.Name):
                            own.discard(part.id)
                        else:
                            self.write(part, own)
        return own

    def repeat(self, loop: gast.For | gast.While, own: set[str]) -> set[str]:
        """The same for a loop: what is own at the head of each of its steps, is so behind it."""
        was_looking, self.is_looking = self.is_looking, False
        while True:
            left = own & self.run(loop.body, own)
            if left == own:
                break
            own = left
        self.is_looking = was_looking
        self.run(loop.body, own)
        return own & self.run(loop.orelse, own)

    def write(self, target: gast.expr, own: set[str]) -> None:
        if isinstance(target, gast.Subscript):
            target = target.value
        if self.is_looking and getattr(target, "id", None) not in own:
            self.found = False

    def computes(self, call: gast.Call) -> bool:
        """Whether a call does no more than to give a value, or adds to what was made here."""
        if any(keyword.arg == "out" for keyword in call.keywords):
            return False
        if isinstance(call.func, gast.Name) and call.func.id in _PLAIN:
            return True
        if isinstance(call.func, gast.Attribute) and (
                call.func.attr in _METHODS or getattr(call.func.value, "id", None) in self.tapes):
            return True
        function = self.means(call.func)
        if function in _ADDING:
            return isinstance(call.args[0], gast.Name) and self.is_own(call.args[0].id)
        return is_pure(function)


def _is_new(function: Any) -> bool:
    """Whether a function gives a number, or an array that nobody else has."""
    return isinstance(function, np.ufunc) or function in _FRESH or function in _NEW


def _bindings(block: list[gast.stmt]) -> dict[str, list[Any]]:
    """What names are bound to in a block; None for a part of something."""
    found: dict[str, list[Any]] = {}
    for node in syntax.statements(block):
        targets = node.targets if isinstance(node, gast.Assign) else \
            [node.target] if isinstance(node, gast.For) else []
        for target in targets:
            is_whole = isinstance(target, gast.Name) and isinstance(node, gast.Assign)
            for name in syntax.bound_names(target):
                found.setdefault(name, []).append(node.value if is_whole else None)
    return found


def _read_outside(tree: gast.FunctionDef, block: list[gast.stmt]) -> set[str]:
    """Names that a function reads in other statements than these."""
    inside = {id(node) for node in syntax.statements(block)}
    return {name for node in syntax.statements(tree.body) if id(node) not in inside
            for name in uses_here(node)}


_PLAIN = {"abs", "range", "float", "bool", "tuple", "UnboundLocalError"}    # builtins
_METHODS = {"copy", "astype", "reshape", "ravel", "flatten", "transpose"}
_HELPERS = {apart, unbound} | {getattr(helpers, name) for helpers, names in (
    (runtime, "unbroadcast match broadcast unreduce reduced_size mean_size share_ties clip_inner "
              "zeros_like copied copy_as_it_lies sum_of_structures stop_gradient where_larger "
              "of_larger where_positive divide_or_zero log_or_zero abs_slope power_slope"),
    (runtime_shapes, "reshape_like roll_back transpose_back trace_adjoint undiag concatenated_part "
                     "stacked_part parts_like"),
    (runtime_reductions, "uncumsum products_of_others"),
    (runtime_products, "cross_adjoint_left cross_adjoint_right outer_adjoint_left "
                       "outer_adjoint_right dot_adjoint_left dot_adjoint_right"),
) for name in names.split()}


def is_pure(function: Any) -> bool:
    """Whether a function computes a value and writes into nothing; None is no function that is
    known."""
    if function is None:
        return False
    if function in _HELPERS or function in _FRESH or isinstance(function, np.ufunc):
        return True
    return getattr(math, getattr(function, "__name__", ""), None) is function \
        or any(function is one for one in (*REPLACED.values(), *METHODS.values(), *ORIGINALS))


def _taped(node: gast.stmt) -> str | None:
    return list_of(node.value, "append", 1) if isinstance(node, gast.Expr) else None


def _popped(node: gast.stmt) -> str | None:
    return list_of(node.value, "pop", 0) if isinstance(node, gast.Assign) else None


def _uses(block: list[gast.stmt], tape: str, method: str, count: int) -> int:
    """How often something is put on a tape, or taken off, by the statements of a block."""
    return sum(list_of(node, method, count) == tape for statement in block
               for node in syntax.walk(statement))


def _is_left(block: list[gast.stmt]) -> bool:
    """Whether the statements of the body of a loop may leave the loop, or a step of it."""
    return any(isinstance(node, (gast.Return, gast.Break, gast.Continue))
               or (isinstance(node, gast.If) and (_is_left(node.body) or _is_left(node.orelse)))
               or (isinstance(node, (gast.For, gast.While)) and any(
                   isinstance(one, gast.Return) for one in syntax.statements([node])))
               for node in block)


def _is_plain(loop: gast.For) -> bool:
    """Whether a loop goes over a range of numbers that are at hand."""
    head: Any = loop.iter
    return isinstance(head, gast.Call) and getattr(head.func, "id", None) == "range" \
        and not head.keywords and not any(
            isinstance(node, gast.Call) for argument in head.args for node in syntax.walk(argument))
