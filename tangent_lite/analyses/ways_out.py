"""What a flag behind a loop tells of how the loop was left.

>>> body = gast.parse('''
... returned = False
... for k in range(n):
...     x = x * x
...     if x > 9.0:
...         result = x
...         returned = True
...         break
... if not returned:
...     result = -x
... ''').body
>>> way, = ways_out(body).values()
>>> way.at_end, list(way.breaks.values())
(True, [False])

Behind the last iteration the branch is taken, and behind the `break` it is not: so nobody reads
`result` in the loop. A flag is a name that is bound to True and False alone.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions
from tangent_lite.markers import marker_of

Flags = dict[str, bool]                 # what flags are; of those that are left out it is not known


@dataclass
class WayOut:
    """Whether the branch that stands behind a loop is taken: if the loop ran to its end, and behind
    each `break`, by id of that; those are left out of which it is not known."""
    test: gast.If
    at_end: bool | None = None
    breaks: dict[int, bool] = field(default_factory=dict)


def ways_out(body: list[gast.stmt]) -> dict[int, WayOut]:
    """By id, the loops of a function's body behind which a flag decides, in A-normal form."""
    flags = _flags(body)
    if not flags:
        return {}
    walk = _Walk(flags)
    walk.block(body, {})
    return walk.found


def _flags(body: list[gast.stmt]) -> set[str]:
    """The names that the function binds to True and False alone."""
    bound: Counter[str] = Counter()
    for node in syntax.statements(body):
        if marker_of(node) is not None:
            return set()                # of a handler it is not known from where it is reached
        if _flag_of(node) is not None:
            bound[node.targets[0].id] += 1
    if not bound:
        return set()
    every: Counter[str] = Counter()
    for root in body:
        for part in syntax.walk(root):
            if isinstance(part, (gast.Global, gast.Nonlocal)):
                every.update(part.names)
            elif isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
                every[part.id] += 1
    return {name for name, count in bound.items() if every[name] == count}


def _flag_of(node: Any) -> bool | None:
    """What a statement `flag = True` binds."""
    if node.__class__ is gast.Assign and node.value.__class__ is gast.Constant \
            and isinstance(node.value.value, bool) and len(node.targets) == 1 \
            and isinstance(node.targets[0], gast.Name):
        value: bool = node.value.value
        return value
    return None


def _meant(node: gast.expr, known: dict[str, tuple[str, bool]],
           flags: set[str]) -> tuple[str, bool] | None:
    """The flag that an expression is, and whether it is that or its opposite; known: of names."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        inner = _meant(node.operand, known, flags)
        return None if inner is None else (inner[0], not inner[1])
    if not isinstance(node, gast.Name):
        return None
    return (node.id, True) if node.id in flags else known.get(node.id)


class _Walk:
    """One walk forwards; a loop is walked until what flags are at its head does not change."""

    def __init__(self, flags: set[str]) -> None:
        self.flags = flags
        self.found: dict[int, WayOut] = {}

    def block(self, block: list[gast.stmt], state: Flags | None,
              breaks: list[tuple[gast.stmt, Flags]] | None = None) -> Flags | None:
        """What flags are behind a block, None where that is not reached; breaks: of the loop
        around, and what flags are there."""
        means: dict[str, tuple[str, bool]] = {}     # names of conditions, bound in this block
        left: tuple[gast.stmt, Flags | None, list[tuple[gast.stmt, Flags]]] | None = None
        for node in block:
            if state is None:
                return None
            if isinstance(node, gast.If):
                meant = _meant(node.test, means, self.flags)
                if left is not None and meant is not None:
                    self.note(node, meant, *left)
                left = None
                state = self.branches(node, meant, state, breaks)
                means = {}
            elif isinstance(node, (gast.For, gast.While)):
                end, inner = self.loop(node, state)
                left = node, end, inner
                state = _joined([end, *(flags for _, flags in inner)])
                means = {}
            elif isinstance(node, gast.Break):
                if breaks is not None:
                    breaks.append((node, state))
                return None
            elif isinstance(node, (gast.Return, gast.Raise)):
                return None
            else:
                state = self.bind(node, state, means)
                if left is not None and _flag_of(node) is not None:
                    left = None
        return state

    def bind(self, node: gast.stmt, state: Flags, means: dict[str, tuple[str, bool]]) -> Flags:
        """What flags are behind a simple statement; means: changed."""
        value = _flag_of(node)
        name = node.targets[0].id if value is not None else None
        if value is not None and name in self.flags:
            for other in [n for n, (flag, _) in means.items() if flag == name]:
                del means[other]
            return {**state, name: value}
        meant = _meant(node.value, means, self.flags) if isinstance(node, gast.Assign) else None
        for bound in definitions(node):
            means.pop(bound, None)
        if meant is not None and isinstance(node.targets[0], gast.Name):
            means[node.targets[0].id] = meant
        return state

    def branches(self, node: gast.If, meant: tuple[str, bool] | None, state: Flags,
                 breaks: list[tuple[gast.stmt, Flags]] | None) -> Flags | None:
        if meant is None:
            return _joined([self.block(node.body, state, breaks),
                            self.block(node.orelse, state, breaks)])
        flag, is_so = meant
        ways = []
        for block, value in (node.body, is_so), (node.orelse, not is_so):
            if state.get(flag, value) == value:
                ways.append(self.block(block, {**state, flag: value}, breaks))
        return _joined(ways)

    def loop(self, node: gast.For | gast.While, state: Flags) \
            -> tuple[Flags | None, list[tuple[gast.stmt, Flags]]]:
        """What flags are where the loop ends by itself, and at each `break`."""
        while True:
            breaks: list[tuple[gast.stmt, Flags]] = []
            behind = self.block(node.body, state, breaks)
            head = _joined([state, behind]) or {}
            if head == state:
                break
            state = head
        # `while True` is left by a `break` alone; that it might end costs nothing but precision.
        return state, breaks

    def note(self, test: gast.If, meant: tuple[str, bool], loop: gast.stmt, end: Flags | None,
             breaks: list[tuple[gast.stmt, Flags]]) -> None:
        """Keep what a branch behind a loop does on each way out of it."""
        flag, is_so = meant
        way = self.found[id(loop)] = WayOut(test)
        if end is not None and flag in end:
            way.at_end = end[flag] == is_so
        way.breaks = {id(node): flags[flag] == is_so for node, flags in breaks if flag in flags}


def _joined(ways: list[Flags | None]) -> Flags | None:
    """What holds of flags on all ways that are reached; None if none is."""
    reached = [flags for flags in ways if flags is not None]
    if not reached:
        return None
    first, *others = reached
    return {flag: value for flag, value in first.items()
            if all(other.get(flag) is value for other in others)}
