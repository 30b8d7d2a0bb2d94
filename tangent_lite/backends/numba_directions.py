"""Loops that go back go forward where the order of their steps does not matter.

    for j in range(n - 1, -1, -1):          for j in range(n):
        bx[j] += by_part * A[i, j]    =>        bx[j] += by_part * A[i, j]
        bA[i, j] += by_part * x[j]              bA[i, j] += by_part * x[j]

A backward pass undoes the last step first. Where steps do nothing but add to numbers and to
elements that none of them reads, any order will do, and the processor takes several elements at a
time more easily from the first to the last. What you add up yourself is added up in your order.
That two arrays are not the same memory is asked where the indices are looked at (`numba_inside`).
"""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions, live_around
from tangent_lite.analyses.name_sets import NameSet
from tangent_lite.backends.numba_lists import ends
from tangent_lite.backends.numba_number_names import IsKind

# Whether a call computes a number of numbers, and nothing else.
IsPure = Callable[[gast.Call], bool]
_EXPRESSIONS = (gast.Constant, gast.Name, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Tuple,
                gast.Compare, gast.IfExp, gast.operator, gast.unaryop, gast.cmpop,
                gast.expr_context)


def live_behind_loops(tree: gast.FunctionDef) -> dict[int, NameSet]:
    """By id of each loop that goes back, the names that are read behind it."""
    markers: dict[int, Any] = {}
    for block in syntax.all_blocks(tree):
        for node in [one for one in block if _goes_back(one)]:
            markers[id(node)] = gast.Pass()
            block.insert(next(k for k, one in enumerate(block) if one is node) + 1,
                         markers[id(node)])
    live = live_around(tree.body, {id(marker) for marker in markers.values()})
    put_in = {id(marker) for marker in markers.values()}
    for block in syntax.all_blocks(tree):
        block[:] = [node for node in block if id(node) not in put_in]
    return {loop: live[id(marker)] for loop, marker in markers.items() if id(marker) in live}


def turn_around(node: gast.For, live: dict[int, NameSet], is_pure: IsPure,
                is_number: IsKind) -> dict[tuple[str, str], None]:
    """Let a loop and those in it go forward where they may; pairs of names that must not be the
    same memory for that.

    live: see `live_behind_loops`; is_number: whether an expression is a number, as far as is known.
    """
    apart: dict[tuple[str, str], None] = {}
    inside = {name for one in [node, *syntax.statements(node.body)]
              for name in (syntax.bound_names(one.target) if isinstance(one, gast.For)
                           else definitions(one) if not isinstance(one, syntax.COMPOUND) else ())}
    for loop in [node, *[one for one in syntax.statements(node.body)
                         if isinstance(one, gast.For)]]:
        if not _goes_back(loop) or id(loop) not in live:
            continue
        steps = _Steps(loop, is_pure)
        if not steps.are_in_any_order() or live[id(loop)] & steps.bound:
            continue
        changed, read = ([name for name in names if not is_number(syntax.load(name))]
                         for names in ([*steps.added_to, *sorted(steps.sums)], steps.read))
        if not inside.isdisjoint([*changed, *read]):
            continue                            # nobody can ask in front where those lie
        start, stop, _ = ends(loop)                         # type: ignore[misc]
        loop.iter.args = _range(_after(stop), _after(start))
        apart |= dict.fromkeys(itertools.product(changed, read))
    return apart


def _goes_back(node: Any) -> bool:
    found = ends(node) if isinstance(node, gast.For) else None
    return found is not None and found[2] == -1


def _after(end: gast.expr) -> gast.expr:
    """One more than an end of a range."""
    if isinstance(end, gast.Constant):
        return syntax.constant(end.value + 1)
    if isinstance(end, gast.UnaryOp) and isinstance(end.op, gast.USub) \
            and isinstance(end.operand, gast.Constant):
        return syntax.constant(1 - end.operand.value)
    if isinstance(end, gast.BinOp) and isinstance(end.op, gast.Sub) \
            and isinstance(end.right, gast.Constant) and end.right.value == 1:
        return syntax.copy(end.left)
    return syntax.binary(syntax.copy(end), "+", syntax.constant(1))


def _range(start: gast.expr, stop: gast.expr) -> list[gast.expr]:
    is_zero = isinstance(start, gast.Constant) and start.value == 0
    return [stop] if is_zero else [start, stop]


class _Steps:
    """What the steps of a loop do: added_to: the arrays of which they change elements; sums: the
    names of numbers that they change; bound: those that each step binds for itself; read: all that
    they read from around the loop."""

    def __init__(self, loop: gast.For, is_pure: IsPure) -> None:
        self.loop, self.is_pure = loop, is_pure
        self.added_to: dict[str, None] = {}
        self.sums: set[str] = set()
        self.bound: set[str] = set(syntax.bound_names(loop.target))
        self.read: dict[str, None] = {}
        self.known_now: set[str] = set()        # bound by now, whichever way the step has gone

    def are_in_any_order(self) -> bool:
        return self.block(self.loop.body) and not (
            self.read.keys() & (self.added_to.keys() | self.sums | self.bound)
            or self.sums & self.bound or self.added_to.keys() & (self.sums | self.bound))

    def block(self, block: list[gast.stmt]) -> bool:
        """Whether the statements of a block bind what they read before they read it, and add; what
        they bind is not known behind the block."""
        here: set[str] = set()
        for node in block:
            if not self.statement(node, here):
                return False
        self.known_now = self.known_now - here
        return True

    def statement(self, node: gast.stmt, here: set[str]) -> bool:
        if isinstance(node, gast.Pass) or syntax.is_comment(node):
            return True
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if len(node.targets) > 1 or not isinstance(target, gast.Name) \
                    or not self.expression(node.value):
                return False
            self.bind(target.id, here)
            return True
        if isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)):
            if getattr(node, "lineno", None):
                return False            # the user's own, whose last digits are those of this order
            if isinstance(node.target, gast.Name):
                self.sums.add(node.target.id)
                return self.expression(node.value)
            if isinstance(node.target, gast.Subscript) and isinstance(node.target.value, gast.Name):
                self.added_to[node.target.value.id] = None
                return self.expression(node.target.slice) and self.expression(node.value)
            return False
        if isinstance(node, gast.For) and not node.orelse and isinstance(node.target, gast.Name) \
                and ends(node) is not None:
            if not all(map(self.expression, node.iter.args)):
                return False
            inside: set[str] = set()
            self.bind(node.target.id, inside)
            added = self.block(node.body)
            self.known_now = self.known_now - inside
            return added
        if isinstance(node, gast.If):
            return self.expression(node.test) and self.block(node.body) and self.block(node.orelse)
        return False

    def bind(self, name: str, here: set[str]) -> None:
        self.bound.add(name)
        here.add(name)
        self.known_now = self.known_now | {name}

    def expression(self, node: gast.expr) -> bool:
        """Whether an expression only computes; what it reads that the step has not bound is read
        from around the loop."""
        counter = syntax.bound_names(self.loop.target)
        functions: set[str] = set()
        for part in gast.walk(node):
            if isinstance(part, gast.Call):
                if not self.is_pure(part):
                    return False
                functions.add(syntax.root_name(part.func) or "")
                functions.add(getattr(part.func, "id", ""))
            elif isinstance(part, gast.Attribute):
                if part.attr != "shape" and syntax.root_name(part) not in functions:
                    return False
            elif not isinstance(part, _EXPRESSIONS):
                return False
        for name in sorted(syntax.read_names(node) - self.known_now - functions):
            if name not in counter:
                self.read[name] = None
        return True
