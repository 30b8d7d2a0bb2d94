"""Loops whose first and last steps are others than those between: neighbours in a ring, boundaries.

    for i in range(n):                          low, high = min(max(0, 1), n), ...
        v[i] = u[(i + 1) % n] - u[(i - 1) % n]  for side in range(3):
                                        =>          if side == 1:
                                                        for i in range(low, high):
                                                            v[i] = u[i + 1] - u[i - 1]
                                                    else:
                                                        (the loop as it is, over the rest)

A remainder that is nearly always what is divided, and a comparison that nearly always says the same
(`if i == 0`, `i + 1 if i < n - 1 else 0`), keep the processor from taking several elements at a
time. Between the first steps and the last neither is there. The order of the steps is as before.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends.numba_index_sums import Sum, plus
from tangent_lite.backends.numba_lists import ends
from tangent_lite.backends.numba_number_names import IsKind

_NEAR = 4                   # how far from an end of a loop a comparison may tell steps apart
_MOST = 8                   # ends that are asked for
_BELOW = {gast.Eq: False, gast.NotEq: True, gast.Lt: True, gast.LtE: True, gast.Gt: False,
          gast.GtE: False}
_ABOVE = {gast.Eq: False, gast.NotEq: True, gast.Lt: False, gast.LtE: False, gast.Gt: True,
          gast.GtE: True}


def peel(loop: gast.For, fresh: Callable[[str], str], name_of: Callable[[str], str],
         is_whole: IsKind) -> tuple[list[gast.stmt], gast.For] | None:
    """What stands in place of a loop without loops in it, and the loop in that for the steps
    between; None where these are no others.

    name_of: the names that `min` and `max` have in the module; is_whole: whether an expression is
    an int, as far as is known.
    """
    found = ends(loop)
    if found is None or any(isinstance(one, (gast.For, gast.While, gast.Break))
                            for one in syntax.statements(loop.body)):
        return None
    start, stop, step = found
    first, behind = (start, stop) if step == 1 else (plus(stop, 1), plus(start, 1))
    between = _Between(loop, first, behind, is_whole)
    if between.bound & (syntax.read_names(first) | syntax.read_names(behind)):
        return None
    body = between.block(loop.body)
    if not 0 < len(between.lowest) + len(between.highest) <= _MOST:
        return None
    between.require(between.lowest, between.first)
    between.require(between.highest, between.behind)
    low, high, side = fresh("low"), fresh("high"), fresh("side")

    def extreme(name: str, *given: gast.expr) -> gast.expr:
        return given[0] if len(given) == 1 else syntax.call(syntax.load(name_of(name)), *given)

    def at_side(one: gast.expr, other: gast.expr) -> gast.expr:
        return gast.IfExp(gast.Compare(syntax.load(side), [gast.Eq()], [syntax.constant(0)]),
                          one, other)

    def steps(begin: gast.expr, end: gast.expr, block: list[gast.stmt]) -> gast.For:
        over = [begin, end] if step == 1 else [
            plus(end, -1), plus(begin, -1), syntax.minus(syntax.constant(1))]
        made = gast.For(syntax.copy(loop.target), syntax.call(syntax.load("range"), *over), block,
                        [], None)
        return syntax.copy_place(made, loop)

    lowest, highest = ([one.written() for one in limits]
                       for limits in (between.lowest, between.highest))
    bounds = [
        syntax.assign(low, extreme("min", extreme("max", *lowest), syntax.copy(behind))),
        syntax.assign(high, extreme("max", extreme("min", *highest), syntax.load(low)))]
    middle = steps(syntax.load(low), syntax.load(high), body)
    one, other = (syntax.copy(first), syntax.load(low)), (syntax.load(high), syntax.copy(behind))
    if step == -1:
        one, other = other, one
    begin, end = map(at_side, one, other)
    rest = steps(begin, end, loop.body)
    chosen = gast.If(gast.Compare(syntax.load(side), [gast.Eq()], [syntax.constant(1)]),
                     [middle], [rest])
    sides = gast.For(syntax.store(side), syntax.call(syntax.load("range"), syntax.constant(3)),
                     [chosen], [], None)
    made: list[gast.stmt] = [*bounds, sides]
    syntax.serve(made, loop)
    return made, middle


def hoist(loop: gast.For, fresh: Callable[[str], str], is_whole: IsKind) -> gast.stmt | None:
    """What stands in place of a loop without loops in it, with the remainders that are the same at
    all its steps in front of it, `row = (i + 1) % n`; None where there are none.

    A remainder may be one by zero, so it is taken if there is a step.
    """
    found = ends(loop)
    if found is None or any(isinstance(one, (gast.For, gast.While))
                            for one in syntax.statements(loop.body)):
        return None
    bound = {loop.target.id} | {name for one in syntax.statements(loop.body)
                                for name in _targets(one)}
    hoisting = _Hoisting(bound, fresh, is_whole)
    loop.body = [node if isinstance(node, gast.If) else hoisting.visit(node) for node in loop.body]
    if not hoisting.made:
        return None
    start, stop, step = found
    how = gast.Lt() if step == 1 else gast.Gt()
    made = gast.If(gast.Compare(syntax.copy(start), [how], [syntax.copy(stop)]),
                   [*hoisting.made, loop], [])
    syntax.serve([made], loop)
    return made


class _Hoisting(syntax.Transformer):
    """Takes what does not change out of a statement, in place."""

    def __init__(self, bound: set[str], fresh: Callable[[str], str], is_whole: IsKind) -> None:
        self.bound, self.fresh, self.is_whole = bound, fresh, is_whole
        self.made: list[gast.stmt] = []
        self.known: dict[Any, str] = {}

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        if not isinstance(node.op, gast.Mod) or not all(
                self.bound.isdisjoint(side.names()) and all(
                    isinstance(one, gast.Name) and self.is_whole(one)
                    for _, one in side.terms.values())
                for side in (Sum.of(node.left), Sum.of(node.right))):
            return self.generic_visit(node)
        key = syntax.key(node)
        if key not in self.known:
            self.known[key] = self.fresh("row")
            self.made.append(syntax.assign(self.known[key], node))
        return syntax.load(self.known[key])

    def visit_IfExp(self, node: gast.IfExp) -> gast.expr:
        node.test = self.visit(node.test)
        return node

    def visit_BoolOp(self, node: gast.BoolOp) -> gast.expr:
        node.values[0] = self.visit(node.values[0])
        return node


class _Between:
    """The body of a loop for the steps between.

    lowest: what the number of a step there is not below; highest: what it is below.
    """

    def __init__(self, loop: gast.For, first: gast.expr, behind: gast.expr,
                 is_whole: IsKind) -> None:
        self.counter, self.is_whole = loop.target.id, is_whole
        self.first, self.behind = Sum.of(first), Sum.of(behind)
        self.bound = {self.counter} | {
            name for one in syntax.statements(loop.body) for name in _targets(one)}
        self.lowest: list[Sum] = []
        self.highest: list[Sum] = []
        # What names of the step stand for, at a place: the number of the step and what the loop
        # does not change, or True or False.
        self.values: dict[str, gast.expr] = {}

    # Statements -------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for node in block:
            made += self.statement(node)
        return made

    def statement(self, node: gast.stmt) -> list[gast.stmt]:
        if isinstance(node, gast.If):
            return self.branches(node)
        reads = node.value if isinstance(node, (gast.Assign, gast.AugAssign)) else None
        made = _Rewriting(self).visit(syntax.copy(node))
        for name in _targets(node):
            self.values.pop(name, None)
        if isinstance(node, gast.Assign) and len(node.targets) == 1 \
                and isinstance(node.targets[0], gast.Name) and reads is not None:
            value = syntax.substitute(made.value, self.values)
            if _truth(value) is not None or self.offset(value) is not None:
                self.values[node.targets[0].id] = value
        return [made]

    def branches(self, node: gast.If) -> list[gast.stmt]:
        test = self.expression(node.test)
        truth = _truth(syntax.substitute(test, self.values))
        if truth is not None:
            taken = self.block(node.body if truth else node.orelse)
            return taken or [gast.Pass()]
        before = dict(self.values)
        body = self.block(node.body)
        self.values = dict(before)
        orelse = self.block(node.orelse)
        self.values = before
        for one in syntax.statements([*node.body, *node.orelse]):
            for name in _targets(one):
                self.values.pop(name, None)
        return [syntax.copy_place(gast.If(test, body, orelse), node)]

    # Expressions ------------------------------------------------------------------------------
    def expression(self, node: gast.expr) -> gast.expr:
        """An expression without what says the same at all steps between."""
        return _Rewriting(self).visit(syntax.copy(node))

    def offset(self, node: gast.expr) -> Sum | None:
        """What an expression adds to the number of the step; None if it is something else."""
        found = Sum.of(syntax.substitute(node, self.values))
        count, rest = found.without(self.counter)
        return rest if count == 1 and self.is_steady(rest) else None

    def is_steady(self, found: Sum) -> bool:
        """Whether a sum is of ints that the loop does not change."""
        return self.bound.isdisjoint(found.names()) and all(
            self.is_whole(node) and isinstance(node, (gast.Name, gast.Subscript))
            for _, node in found.terms.values())

    def remainder(self, node: gast.BinOp) -> gast.expr | None:
        """What a remainder is at the steps between."""
        added = self.offset(node.left)
        divisor = Sum.of(node.right)
        if added is None or not divisor.terms or not self.is_steady(divisor):
            return None
        # `i - 1 + n` is `i - 1` in a ring of n.
        key, (count, _) = next(iter(divisor.terms.items()))
        if len(divisor.terms) == 1 and count == 1 and not divisor.number:
            added = added.plus(divisor, -added.terms.get(key, (0, None))[0])
        if not added.number and not added.terms:
            return None                             # a table that is gone through again and again
        self.require(self.lowest, Sum().plus(added, -1))
        self.require(self.highest, divisor.plus(added, -1))
        return Sum(0, {(): (1, syntax.load(self.counter))}).plus(added).written()

    def comparison(self, left: gast.expr, how: type, right: gast.expr) -> bool | None:
        """What a comparison says at the steps between."""
        difference = Sum.of(syntax.substitute(right, self.values)).plus(
            Sum.of(syntax.substitute(left, self.values)), -1)
        count, limit = difference.without(self.counter)
        if count == 1:                              # 0 < i
            limit = Sum().plus(limit, -1)
        says = {-1: (_ABOVE, _BELOW), 1: (_BELOW, _ABOVE)}.get(count)
        if says is None or how not in _BELOW or not self.is_steady(limit):
            return None
        above, below = says
        from_first, to_end = limit.plus(self.first, -1), limit.plus(self.behind, -1)
        if not from_first.terms and 0 <= from_first.number <= _NEAR:
            self.require(self.lowest, limit.plus(Sum(1)))
            return above[how]
        if not to_end.terms and -_NEAR <= to_end.number < 0:
            self.require(self.highest, limit)
            return below[how]
        return None

    def require(self, limits: list[Sum], limit: Sum) -> None:
        """Note an end of the steps between; of those that differ by a number the narrower one."""
        sign = 1 if limits is self.lowest else -1
        for at, known in enumerate(limits):
            difference = limit.plus(known, -1)
            if not difference.terms:
                limits[at] = limit if sign * difference.number > 0 else known
                return
        limits.append(limit)


class _Rewriting(syntax.Transformer):
    """Rewrites expressions for the steps between, in place."""

    def __init__(self, between: _Between) -> None:
        self.between = between

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        node = self.generic_visit(node)
        found = self.between.remainder(node) if isinstance(node.op, gast.Mod) else None
        return node if found is None else syntax.copy_place(found, node)

    def visit_Compare(self, node: gast.Compare) -> gast.expr:
        node = self.generic_visit(node)
        sides = [node.left, *node.comparators]
        found = [self.between.comparison(left, type(how), right)
                 for left, how, right in zip(sides, node.ops, sides[1:])]
        if False in found and None not in found[:found.index(False)]:
            return gast.Constant(False, None)
        return gast.Constant(True, None) if all(found) else node

    def visit_UnaryOp(self, node: gast.UnaryOp) -> gast.expr:
        node = self.generic_visit(node)
        truth = self.truth(node.operand) if isinstance(node.op, gast.Not) else None
        return node if truth is None else gast.Constant(not truth, None)

    def visit_BoolOp(self, node: gast.BoolOp) -> gast.expr:
        node = self.generic_visit(node)
        if not all(isinstance(part, (gast.Compare, gast.UnaryOp)) or _truth(part) is not None
                   for part in node.values):
            return node                             # one of the parts is what comes out
        decisive = isinstance(node.op, gast.Or)
        parts: list[gast.expr] = []
        for part in node.values:
            truth = self.truth(part)
            if truth is decisive and not parts:
                return gast.Constant(decisive, None)
            if truth is None or truth is decisive:
                parts.append(part)
        if not parts:
            return gast.Constant(not decisive, None)
        node.values = parts
        return parts[0] if len(parts) == 1 else node

    def visit_IfExp(self, node: gast.IfExp) -> gast.expr:
        node.test = self.visit(node.test)
        truth = self.truth(node.test)
        if truth is not None:
            return self.visit(node.body if truth else node.orelse)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def truth(self, node: gast.expr) -> bool | None:
        return _truth(syntax.substitute(node, self.between.values))


def _truth(node: gast.expr) -> bool | None:
    return node.value if isinstance(node, gast.Constant) and isinstance(node.value, bool) else None


def _targets(node: gast.stmt) -> list[str]:
    """The names that a statement binds itself."""
    if isinstance(node, gast.Assign):
        return [name for one in node.targets for name in syntax.bound_names(one)]
    if isinstance(node, (gast.AugAssign, gast.AnnAssign)):
        return syntax.bound_names(node.target)
    return []
