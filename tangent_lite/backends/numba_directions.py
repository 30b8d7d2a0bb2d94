"""Loops that go back go forward where the order of their steps does not matter.

    for j in range(n - 1, -1, -1):          for j in range(n):
        bx[j] += by_part * A[i, j]    =>        bx[j] += by_part * A[i, j]
        bA[i, j] += by_part * x[j]              bA[i, j] += by_part * x[j]

A backward pass undoes the last step first. Where steps do nothing but add to numbers and to
elements that none of them reads, and take what is no other step's (`t = bv[i]`, `bv[i] = 0.0`), any
order will do, and the processor takes several elements at a
time more easily from the first to the last. What you add up yourself is added up in your order.
That two arrays are not the same memory is asked where the indices are looked at (`numba_inside`).
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions, live_around
from tangent_lite.analyses.name_sets import NameSet
from tangent_lite.backends.numba_gathering import scatters
from tangent_lite.backends.numba_index_sums import Sum, plus
from tangent_lite.backends.numba_lists import ends
from tangent_lite.backends.numba_number_names import IsKind

# Whether a call computes a number of numbers, and nothing else.
IsPure = Callable[[gast.Call], bool]
_EXPRESSIONS = (gast.Constant, gast.Name, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Tuple,
                gast.Compare, gast.IfExp, gast.operator, gast.unaryop, gast.cmpop,
                gast.expr_context)


class AnyOrder(NamedTuple):
    """What was found of a loop and those in it.

    apart: pairs of names that must not be the same memory for what follows; free: the loops without
    loops in them whose steps may be gone through in any order, with the numbers that they sum up.
    """
    apart: dict[tuple[str, str], None]
    free: list[tuple[gast.For, set[str]]]


def live_behind_loops(tree: gast.FunctionDef) -> dict[int, NameSet]:
    """By id of each loop over a range, the names that are read behind it."""
    markers: dict[int, Any] = {}
    for block in syntax.all_blocks(tree):
        for node in [one for one in block if isinstance(one, gast.For) and ends(one)]:
            markers[id(node)] = gast.Pass()
            block.insert(next(k for k, one in enumerate(block) if one is node) + 1,
                         markers[id(node)])
    live = live_around(tree.body, {id(marker) for marker in markers.values()})
    put_in = {id(marker) for marker in markers.values()}
    for block in syntax.all_blocks(tree):
        block[:] = [node for node in block if id(node) not in put_in]
    return {loop: live[id(marker)] for loop, marker in markers.items() if id(marker) in live}


def turn_around(node: gast.For, live: dict[int, NameSet], is_pure: IsPure, is_number: IsKind,
                from_the_end: Collection[str] = ()) -> AnyOrder:
    """Let a loop and those in it go forward where they may.

    live: see `live_behind_loops`; is_number: whether an expression is a number, as far as is known;
    from_the_end: arrays of which some indices count from the end.
    """
    found = AnyOrder({}, [])
    inside = {name for one in [node, *syntax.statements(node.body)]
              for name in (syntax.bound_names(one.target) if isinstance(one, gast.For)
                           else definitions(one) if not isinstance(one, syntax.COMPOUND) else ())}
    for loop in [node, *[one for one in syntax.statements(node.body)
                         if isinstance(one, gast.For)]]:
        if id(loop) not in live:
            continue
        steps = _Steps(loop, is_pure, is_number)
        if not steps.are_in_any_order() or live[id(loop)] & steps.bound \
                or not steps.written.keys().isdisjoint(from_the_end):
            continue
        is_last = not any(isinstance(one, gast.For) for one in syntax.statements(loop.body))
        is_moved = _goes_back(loop) or (is_last and scatters(loop, steps.sums))
        changed, read = ([name for name in names if not is_number(syntax.load(name))]
                         for names in ([*steps.added_to, *sorted(steps.sums), *steps.written],
                                       [*steps.read, *steps.written]))
        if is_moved and not inside.isdisjoint([*changed, *read]):
            continue                            # nobody can ask in front where those lie
        if is_last:
            found.free.append((loop, {name for name in steps.sums if is_number(syntax.load(name))}))
        if _goes_back(loop):
            start, stop, _ = ends(loop)                     # type: ignore[misc]
            loop.iter.args = _range(plus(stop, 1), plus(start, 1))
        if is_moved:
            found.apart.update(dict.fromkeys(pair for pair in itertools.product(changed, read)
                                             if pair[0] != pair[1]))
    return found


def _goes_back(node: Any) -> bool:
    found = ends(node) if isinstance(node, gast.For) else None
    return found is not None and found[2] == -1


def _range(start: gast.expr, stop: gast.expr) -> list[gast.expr]:
    is_zero = isinstance(start, gast.Constant) and start.value == 0
    return [stop] if is_zero else [start, stop]


class _Steps:
    """What the steps of a loop do: added_to: the arrays to whose elements they add; sums: the names
    of numbers that they change; bound: those that each step binds for itself; read: all that they
    read from around the loop; written: the arrays of which each step changes an element that no
    other step reads or changes.
    """

    def __init__(self, loop: gast.For, is_pure: IsPure, is_number: IsKind) -> None:
        self.loop, self.is_pure, self.is_number = loop, is_pure, is_number
        self.added_to: dict[str, None] = {}
        self.sums: set[str] = set()
        self.bound: set[str] = set(syntax.bound_names(loop.target))
        self.read: dict[str, None] = {}
        self.known_now: set[str] = set()        # bound by now, whichever way the step has gone
        self.written: dict[str, gast.expr] = {}     # the index of each
        self.indices: dict[str, set[Any]] = {}      # by which arrays are read and written
        self.counters = [loop.target.id, *[one.target.id for one in syntax.statements(loop.body)
                                           if isinstance(one, gast.For)
                                           and isinstance(one.target, gast.Name)]]

    def are_in_any_order(self) -> bool:
        return self.block(self.loop.body) and not (
            self.read.keys() & (self.added_to.keys() | self.sums | self.bound)
            or self.sums & self.bound or self.added_to.keys() & (self.sums | self.bound)
            or self.written.keys() & (self.added_to.keys() | self.sums | self.bound)) \
            and all(len(self.indices[name]) == 1 and self.is_of_one_step(index)
                    for name, index in self.written.items())

    def is_of_one_step(self, index: gast.expr) -> bool:
        """Whether no two steps, of this loop and those in it, mean the same element by an index."""
        left = list(self.counters)
        for part in syntax.key_parts(index):
            found = Sum.of(part)
            names = found.names() & (self.bound | set(self.counters))
            if not names:
                continue
            name = names.pop()
            if names or name not in left or abs(found.without(name)[0]) != 1:
                return False
            left.remove(name)
        return not left

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
            if len(node.targets) > 1 or not self.expression(node.value):
                return False
            if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                    and not getattr(node, "lineno", None):
                self.written[target.value.id] = target.slice
                self.indices.setdefault(target.value.id, set()).add(syntax.key(target.slice))
                return self.expression(target.slice)
            if not isinstance(target, gast.Name):
                return False
            self.bind(target.id, here)
            return True
        if isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)):
            if getattr(node, "lineno", None):
                return False            # the user's own, whose last digits are those of this order
            if isinstance(node.target, gast.Name):
                if node.target.id in self.known_now and self.is_number(node.target):
                    return self.expression(node.value)      # bound anew
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
        owners: set[int] = set()                # names that stand in front of an index
        for part in gast.walk(node):
            if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Name):
                owners.add(id(part.value))
                self.indices.setdefault(part.value.id, set()).add(syntax.key(part.slice))
            elif isinstance(part, gast.Name) and id(part) not in owners:
                self.indices.setdefault(part.id, set()).add(None)
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
