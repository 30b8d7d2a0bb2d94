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
"""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, runtime_products, runtime_reductions, runtime_shapes, syntax
from tangent_lite.backends.numba_functions import REPLACED, unbound
from tangent_lite.backends.numba_memory import apart
from tangent_lite.backends.numba_numpy import np_add_at
from tangent_lite.backends.numba_words import ADD_AT, ZEROS, Means
from tangent_lite.liveness import bound_in, live_before
from tangent_lite.mentions import uses_here

_FRESH = {*ZEROS, np.zeros, np.ones, np.empty, np.full}
_ADDING = {ADD_AT, np_add_at}
_NEW = {runtime_products.cross_adjoint_left, runtime_products.cross_adjoint_right}


def fuse_loops(tree: gast.FunctionDef, means: Means, fresh: Callable[[str], str]) -> None:
    """Make one loop of two such loops, in place, wherever they stand in a function."""
    for block in syntax.all_blocks(tree):
        for first in [node for node in block if isinstance(node, gast.For)]:
            _Pair(tree, block, first, means, fresh).fuse()


class _Pair:
    """The loop that records, and the one that goes back over its tapes."""

    def __init__(self, tree: gast.FunctionDef, block: list[gast.stmt], first: gast.For,
                 means: Means, fresh: Callable[[str], str]) -> None:
        self.tree, self.block, self.first, self.means, self.fresh = tree, block, first, means, fresh
        self.counts = Counter(node.id for node in syntax.walk(tree) if isinstance(node, gast.Name))
        self.bindings = _bindings(tree.body)
        for name in syntax.parameter_names(tree.args):
            self.bindings.setdefault(name, []).append(None)

    def fuse(self) -> None:
        tapes = self.tapes = self._tapes()
        if not tapes:
            return
        second = self._second(tapes)
        if second is None:
            return
        start, end = _index(self.block, self.first), _index(self.block, second)
        between = self.block[start + 1:end]
        body = [node for node in self.first.body if _taped(node) not in tapes]
        if not self._is_apart(body, between, second):
            return
        names = {name: self.fresh(name) for name in sorted(bound_in(body))}
        values = {tape: syntax.Rename(names).visit(value) for tape, value in tapes.items()}
        body = [syntax.Rename(names).visit(node) for node in body]
        for node in second.body[:len(tapes)]:
            node.value = values[node.value.func.value.id]
        second.body[:0] = body
        makers = [node for node in self.block if isinstance(node, gast.Assign)
                  and isinstance(node.targets[0], gast.Name) and node.targets[0].id in tapes]
        self.block[:] = [node for node in self.block
                         if node is not self.first and not any(node is one for one in makers)]

    # The shape of the two ---------------------------------------------------------------------
    def _tapes(self) -> dict[str, gast.expr]:
        """What the first loop puts on tapes at the end of its body, by the names of the tapes."""
        first = self.first
        if first.orelse or not isinstance(first.target, gast.Name) or _upwards(first) is None:
            return {}
        found: dict[str, gast.expr] = {}
        for node in reversed(first.body):
            tape = _taped(node)
            if tape is None or tape in found:
                break
            # Made once, put on here, taken off once.
            made = self.bindings.get(tape, [])
            if self.counts[tape] != 3 or len(made) != 1 or not isinstance(made[0], gast.List) \
                    or made[0].elts or not any(
                        isinstance(one, gast.Assign) and one.value is made[0]
                        for one in self.block[:_index(self.block, first)]):
                return {}
            found[tape] = node.value.args[0]
        return found

    def _second(self, tapes: dict[str, gast.expr]) -> gast.For | None:
        """The loop that begins by taking all of them off, the other way round."""
        for node in self.block[_index(self.block, self.first) + 1:]:
            if not isinstance(node, gast.For):
                continue
            taken = [_popped(one) for one in node.body[:len(tapes)]]
            if set(taken) == set(tapes) and not node.orelse \
                    and syntax.same(node.target, self.first.target) \
                    and syntax.same(node.iter, _downwards(_upwards(self.first))):
                return node
        return None

    # What may stand in them -------------------------------------------------------------------
    def _is_apart(self, body: list[gast.stmt], between: list[gast.stmt], second: gast.For) -> bool:
        """Whether the first loop does the same in the second one."""
        counter = second.target.id
        bound = bound_in(body)
        if counter in bound or bound & live_before(body):       # it goes on from the last step
            return False
        behind = self.block[_index(self.block, self.first) + 1:]
        if (bound | {counter}) & live_before(behind) \
                or any(isinstance(node, (gast.Return, gast.Break, gast.Continue))
                       for block in (body, between, second.body)
                       for node in syntax.statements(block)):
            return False
        if self.block is not self.tree.body and bound & _read_outside(self.tree, behind, body):
            return False                                        # in the next step of a loop around
        read = {name for node in [*body, self.first]
                for name in syntax.read_names(node)} - bound - {counter}
        later = [*between, gast.For(second.target, second.iter, second.body[len(self.tapes):], [],
                                    None)]
        return not read & bound_in([*between, *second.body]) and self._only_computes(body) \
            and self._only_computes(later)

    def _only_computes(self, block: list[gast.stmt]) -> bool:
        """Whether statements write into nothing but what they made themselves."""
        own = _Own(block, self.bindings, self.means)
        return all(isinstance(node, (gast.Assign, gast.AugAssign, gast.If, gast.For, gast.While,
                                     gast.Expr, gast.Pass, gast.Raise))
                   for node in syntax.statements(block)) \
            and own.writes_only_that(block) \
            and all(own.computes(call) for node in block for call in syntax.walk(node)
                    if isinstance(call, gast.Call))


class _Own:
    """What the statements of a block made themselves: nothing in front of them has its memory."""

    def __init__(self, block: list[gast.stmt], everywhere: dict[str, list[Any]],
                 means: Means) -> None:
        self.here, self.everywhere, self.means = _bindings(block), everywhere, means

    def is_own(self, name: str) -> bool:
        """Whether a name means nothing but arrays that were made for it here."""
        here = self.here.get(name, [])
        return bool(here) and len(here) == len(self.everywhere[name]) and all(
            isinstance(value, gast.Call) and self.means(value.func) in _FRESH for value in here)

    def makes(self, value: gast.expr, own: set[str]) -> bool:
        """Whether an expression gives a number, or an array that was made here."""
        if isinstance(value, gast.Name):
            return value.id in own
        return isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Constant)) or (
            isinstance(value, gast.Call) and self.means(value.func) in _FRESH | _NEW)

    def writes_only_that(self, block: list[gast.stmt]) -> bool:
        """Whether all that statements write into are arrays that they made."""
        self.is_looking, self.found = True, True
        self.run(block, set())
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
        if isinstance(call.func, gast.Attribute) and call.func.attr in _METHODS:
            return True
        function = self.means(call.func)
        if function in _ADDING:
            return isinstance(call.args[0], gast.Name) and self.is_own(call.args[0].id)
        return function is not None and _is_pure(function)


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


def _read_outside(tree: gast.FunctionDef, behind: list[gast.stmt], body: list[gast.stmt]) \
        -> set[str]:
    """Names that a function reads in other statements than these."""
    inside = {id(node) for node in syntax.statements([*behind, *body])}
    return {name for node in syntax.statements(tree.body) if id(node) not in inside
            for name in uses_here(node)}


_PLAIN = {"abs", "range", "float", "bool", "tuple", "UnboundLocalError"}    # builtins
_METHODS = {"copy", "astype", "reshape", "ravel", "flatten", "transpose"}
_HELPERS = {apart, unbound} | {getattr(helpers, name) for helpers, names in (
    (runtime, "unbroadcast match broadcast unreduce reduced_size share_ties clip_inner zeros_like "
              "copied copy_as_it_lies sum_of_structures stop_gradient where_larger where_positive "
              "divide_or_zero log_or_zero abs_slope power_slope"),
    (runtime_shapes, "reshape_like roll_back transpose_back trace_adjoint undiag concatenated_part "
                     "stacked_part parts_like"),
    (runtime_reductions, "uncumsum products_of_others"),
    (runtime_products, "cross_adjoint_left cross_adjoint_right outer_adjoint_left "
                       "outer_adjoint_right dot_adjoint_left dot_adjoint_right"),
) for name in names.split()}


def _is_pure(function: Any) -> bool:
    """Whether a function computes a value and writes into nothing."""
    if function in _HELPERS or function in _FRESH or isinstance(function, np.ufunc):
        return True
    return getattr(math, getattr(function, "__name__", ""), None) is function \
        or any(function is one for one in REPLACED.values())


def _index(block: list[gast.stmt], node: gast.stmt) -> int:
    return next(k for k, other in enumerate(block) if other is node)


def _method(node: Any, name: str, count: int) -> str | None:
    """The list in `list.name(...)`."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
            and node.func.attr == name and len(node.args) == count and not node.keywords \
            and isinstance(node.func.value, gast.Name):
        return node.func.value.id
    return None


def _taped(node: gast.stmt) -> str | None:
    return _method(node.value, "append", 1) if isinstance(node, gast.Expr) else None


def _popped(node: gast.stmt) -> str | None:
    return _method(node.value, "pop", 0) if isinstance(node, gast.Assign) else None


def _upwards(loop: gast.For) -> gast.expr | None:
    """The n of `range(n)`: a name, or a size that does not change."""
    head: Any = loop.iter
    if not isinstance(head, gast.Call) or not isinstance(head.func, gast.Name) \
            or head.func.id != "range" or len(head.args) != 1 or head.keywords:
        return None
    simple = (gast.Name, gast.Attribute, gast.Constant, gast.Subscript, gast.Load)
    return head.args[0] if all(isinstance(part, simple) for part in gast.walk(head.args[0])) \
        else None


def _downwards(count: gast.expr | None) -> gast.expr | None:
    """`range(n - 1, -1, -1)`"""
    if count is None:
        return None
    last = syntax.binary(syntax.copy(count), "-", syntax.constant(1))
    return syntax.call(syntax.load("range"), last, syntax.constant(-1), syntax.constant(-1))
