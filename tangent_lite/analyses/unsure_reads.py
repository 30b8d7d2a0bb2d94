"""Where a function reads names that nothing may have bound yet.

>>> block = gast.parse('''
... for k in range(n):
...     if k > 0:
...         s = s + (x[k] - last)
...     last = x[k]
...     if x[k] > c:
...         h = x[k]
...     s = s + h
... ''').body
>>> [sorted(names) for names in unsure_reads(block, {"s", "x", "c", "n"}).values()]
[['h']]

Loops are gone through twice, once for the first round and once for all others: `last` is read in
rounds after the first one alone. What numbers and flags are is followed as far as literals tell
(`ways_taken`), and what is bound where a condition holds is bound where it holds again.
"""
from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.surely_bound import bound_behind, bounds_of_range
from tangent_lite.analyses.ways_taken import Way, joined
from tangent_lite.syntax import COMPOUND, bound_names

_LEAVING = (gast.Break, gast.Continue, gast.Raise, gast.Return)
_DEPTH = 5                      # of loops in loops that have a first round of their own


def unsure_reads(body: list[gast.stmt], parameters: Iterable[str],
                 own: Set[int] | None = None) -> dict[int, set[str]]:
    """Which names may be unbound where a statement reads them, by the id of the statement; of a
    compound one, what its head reads. What it may go without reading (`a and b`) does not count.

    own: the ids of the simple statements that are the function's; what others read, which record
    it, does not count, and where they bind None, nothing is bound.
    """
    if own is not None:
        body = [node for node in body if id(node) in own or not _binds_none(node)]
    asked = _candidates(body, set(parameters), own)
    if not asked:
        return {}
    reader = _Reader(asked, own)
    reader.block(body, Way(set(parameters) & asked))
    return reader.found


def surely_read(node: gast.AST | None) -> set[str]:
    """The names that a statement or an expression reads in any case, when it is evaluated."""
    if node is None:
        return set()
    kind = node.__class__
    if kind is gast.Name:
        return {node.id} if isinstance(node.ctx, gast.Load) else set()
    if isinstance(node, gast.BoolOp):           # what stands behind may not be reached
        return surely_read(node.values[0])
    if isinstance(node, gast.IfExp):
        return surely_read(node.test)
    if isinstance(node, gast.For):
        return surely_read(node.iter)
    if isinstance(node, (gast.If, gast.While)):
        return surely_read(node.test)
    if isinstance(node, gast.Compare):          # of a chain the first two are always asked
        return surely_read(node.left) | surely_read(node.comparators[0])
    if kind in syntax.COMPREHENSIONS:
        return surely_read(node.generators[0].iter)
    if kind is gast.Lambda:
        return set()
    found = {node.target.id} if isinstance(node, gast.AugAssign) and isinstance(
        node.target, gast.Name) else set()
    for part in gast.iter_child_nodes(node):
        found |= surely_read(part)
    return found


def _candidates(body: list[gast.stmt], parameters: Set[str],
                own: Set[int] | None) -> set[str]:
    """The names that are not bound for certain in front of each place that reads them, be it that
    only values tell that they are: no round of a loop is known from the others."""
    binds = bound_in(body)
    known = set(parameters)
    found: set[str] = set()

    def walk(block: list[gast.stmt]) -> set[str] | None:
        """What the block binds surely, None: nothing comes behind it."""
        added: set[str] = set()

        def add(names: Any) -> None:
            new = {name for name in names if name not in known}
            known.update(new)
            added.update(new)

        ends = True
        for node in block:
            if own is None or id(node) in own or isinstance(node, COMPOUND):
                unknown = {name.id for name in syntax.names_in(head(node))
                           if name.id not in known and name.id in binds and (
                               name.ctx.__class__ is gast.Load or isinstance(node, gast.AugAssign))}
                if unknown:
                    found.update(unknown & surely_read(node))
            if isinstance(node, COMPOUND):
                targets = [name for name in bound_names(node.target) if name not in known] \
                    if isinstance(node, gast.For) else []
                known.update(targets)
                ways = [walk(node.body)]
                known.difference_update(targets)
                ways.append(walk(node.orelse))
                if isinstance(node, gast.If):       # each of a chain is looked at but once
                    reached = [way for way in ways if way is not None]
                    behind = set.intersection(*reached) if reached else None
                else:
                    behind = bound_behind(node, set())
                if behind is None:
                    ends = False
                    break
                add(behind)
            elif isinstance(node, _LEAVING):
                ends = False
                break
            else:
                add(definitions(node))
        known.difference_update(added)
        return added if ends else None

    walk(body)
    return found


class _Reader:
    """Goes through a function along its ways; asked: the names that it is about."""

    def __init__(self, asked: set[str], own: Set[int] | None) -> None:
        self.asked, self.own = asked, own
        self.found: dict[int, set[str]] = {}
        self.left: list[list[Way]] = [[]]       # the ways on which the loops around are left
        self.gone_on: list[list[Way]] = [[]]    # and on which the next round is begun

    def block(self, block: list[gast.stmt], way: Way | None) -> Way | None:
        for node in block:
            if way is None:
                break
            self.reads(node, way)
            if isinstance(node, gast.If):
                way = self.branch(node, way)
            elif isinstance(node, (gast.For, gast.While)):
                way = self.loop(node, way)
            elif isinstance(node, (gast.Break, gast.Continue)):
                (self.left if isinstance(node, gast.Break) else self.gone_on)[-1].append(way)
                return None
            elif isinstance(node, (gast.Raise, gast.Return)):
                return None
            else:
                way.runs(node, self.asked)
        return way

    def reads(self, node: gast.stmt, way: Way) -> None:
        if self.own is not None and id(node) not in self.own and not isinstance(node, COMPOUND):
            return
        unsure = (surely_read(node) & self.asked) - way.bound
        if unsure:
            self.found.setdefault(id(node), set()).update(unsure)
            way.bound |= unsure                 # behind the first read it is bound, or it raised

    def branch(self, node: gast.If, way: Way) -> Way | None:
        holds = way.truth(node.test)
        ends = [None if holds is (not sort) else self.block(block, way.where(node.test, sort))
            for block, sort in ((node.body, True), (node.orelse, False))]
        if ends[0] is None or ends[1] is None:
            return ends[0] or ends[1]
        key = way.key_of(node.test)
        return joined(ends[0], ends[1], None if key is None or key.reads & bound_in([node])
                      else key)

    # Loops ------------------------------------------------------------------------------------
    def loop(self, node: gast.For | gast.While, way: Way) -> Way | None:
        runs = self.runs(node, way)
        ends: list[Way] = []                    # on which it is left by its head
        again = None                            # what held for the list of items, or the range
        if isinstance(node, gast.For):
            again = way.key_of(node.iter)
        elif runs is not True:
            ends.append(way.where(node.test, False))
        if isinstance(node, gast.For) and runs is not True:
            ends.append(way.copy())
        self.left.append([])
        behind: Way | None = None
        if runs is not False:
            behind = self.rounds(node, way)
        left = self.left.pop()
        if behind is not None and not _is_endless(node):
            if isinstance(node, gast.While):
                behind = behind.where(node.test, False)
            zero = ends[0] if ends else None
            if zero is not None and again is not None and not left:
                ends = [joined(behind, zero, again if not again.reads & bound_in([node]) else None)]
            else:
                ends.append(behind)
        out: Way | None = None
        for end in ends:
            out = end if out is None else joined(out, end, None)
        if node.orelse:
            out = self.block(node.orelse, out)
        for end in left:
            out = end if out is None else joined(end, out, None)
        return out

    def runs(self, node: gast.For | gast.While, way: Way) -> bool | None:
        """Whether a loop has a first round, None: nothing tells."""
        if isinstance(node, gast.While):
            return way.truth(node.test)
        if isinstance(node.iter, (gast.Tuple, gast.List)):
            return bool(node.iter.elts) if not any(
                isinstance(one, gast.Starred) for one in node.iter.elts) else None
        bounds = bounds_of_range(node)
        if bounds is None:
            return None
        first, last = ([gast.Constant(0, None)] + bounds)[-2:]
        return way.truth(gast.Compare(first, [gast.Lt()], [last]))

    def rounds(self, node: gast.For | gast.While, way: Way) -> Way | None:
        """The way behind a round of a loop, the first one or a later one."""
        first = self.entered(node, way.copy(), True) if len(self.left) <= _DEPTH \
            else self.entered(node, way.forgetting(bound_in([node])), False)
        end = self.once(node, first)
        if end is None:
            return None
        head = end
        for _ in range(3):
            later = self.once(node, self.entered(node, head.copy(), False))
            if later is None:
                return end
            wider = head.widened(later)
            if wider.sizes == head.sizes:
                break
            head = wider
        else:
            head = head.forgetting(bound_in([node]))
            later = self.once(node, self.entered(node, head.copy(), False))
        return end if later is None else joined(end, later, None)

    def once(self, node: gast.For | gast.While, way: Way | None) -> Way | None:
        self.gone_on.append([])
        end = self.block(node.body, way)
        for other in self.gone_on.pop():
            end = other if end is None else joined(end, other, None)
        return end

    def entered(self, node: gast.For | gast.While, way: Way, is_first: bool) -> Way | None:
        """The way at the beginning of a round."""
        if isinstance(node, gast.While):
            if not is_first:
                self.reads(node, way)
            return None if way.truth(node.test) is False else way.where(node.test, True)
        way = way.where(node.iter, True)
        before = way.sizes.get(node.target.id) if isinstance(node.target, gast.Name) else None
        for name in bound_names(node.target):
            way.binds(name, self.asked)
        bounds = bounds_of_range(node)
        if bounds is not None and isinstance(node.target, gast.Name):
            start = way.size(bounds[0]) if len(bounds) == 2 else (0, 0)
            if start is not None:
                way.sizes[node.target.id] = start if is_first else (
                    (before[0] if before else start[0]) + 1, float("inf"))
        return way


def _is_endless(node: gast.stmt) -> bool:
    return isinstance(node, gast.While) and isinstance(node.test, gast.Constant) \
        and bool(node.test.value)


def _binds_none(node: gast.stmt) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.value, gast.Constant) \
        and node.value.value is None
