"""What only one way of a branch in the backward pass reads is computed there.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(r, delta, bloss):
...     if not abs(r) <= delta:
...         t = abs(r) - 0.5 * delta
...     "Backward"
...     if abs(r) <= delta:
...         br = bloss * r
...     else:
...         br = bloss * t
...     return br
... ''').body[0]
>>> known = dict.fromkeys(["r", "delta", "bloss", "t", "br"], FLOAT)
>>> memory = SameMemory(tree.body, ["r", "delta", "bloss"], Typer({}, {"abs": abs}.get), known)
>>> sink(tree.body, ["r", "delta", "bloss"], tree.body[1], False, "t".__eq__, memory, Mentions())
True
>>> print(emit(tree), end="")
def f(r, delta, bloss):
    if not abs(r) <= delta:
        pass
    "Backward"
    if abs(r) <= delta:
        br = bloss * r
    else:
        t = abs(r) - 0.5 * delta
        br = bloss * t
    return br

The forward pass asked the same condition in front of it, and all that the condition and the value
read still holds what it held. Loops need no such thing: what holds there is computed again.
"""
from __future__ import annotations

import bisect
import functools
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import registry, syntax
from tangent_lite.analyses.mentions import SCOPES, Mentions, head
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.inference import NO_OBJECT
from tangent_lite.markers import is_attempt, marker_of
from tangent_lite.syntax import COMPOUND, is_comment

_Block = list[gast.stmt]


def sink(body: _Block, parameters: list[str], split: gast.stmt, apart: bool,
         is_ours: Callable[[str], bool], memory: SameMemory, mentions: Mentions) -> bool:
    """Move such values, in place, and say whether any was; split: where the backward pass begins;
    apart: whether it is a function of its own, to which what it reads is handed on; is_ours:
    whether a name is no variable of the user."""
    if not any(isinstance(node, gast.If) for node in body):
        return False
    return _Sinker(body, parameters, split, apart, is_ours, memory, mentions).run()


class _Sinker:
    def __init__(self, body: _Block, parameters: list[str], split: gast.stmt, apart: bool,
                 is_ours: Callable[[str], bool], memory: SameMemory, mentions: Mentions) -> None:
        self.body, self.split, self.apart, self.is_ours = body, split, apart, is_ours
        self.memory, self.mentions = memory, mentions
        self.order = list(syntax.statements(body))      # those in front of others
        self.place = {id(node): number for number, node in enumerate(self.order)}
        self.last: dict[int, int] = {}                  # by id of a statement: the last place in it
        for node in reversed(self.order):
            inner: list[Any] = getattr(node, "orelse", None) or getattr(node, "body", [])
            self.last[id(node)] = self.last[id(inner[-1])] if inner else self.place[id(node)]
        self.spans: dict[int, tuple[int, int]] = {}     # by id of a block: from where to where
        self.now: dict[int, int] = {}       # place of what was moved -> of what it stands in front
        self.bound: dict[str, list[int]] = {p: [-1] for p in parameters}
        self.read: dict[str, list[int]] = {}
        for number, node in enumerate(self.order):
            mention = mentions[node]
            for name in mention.uses | mention.reads:
                self.read.setdefault(name, []).append(number)
            binds = syntax.bound_names(node.target) if isinstance(node, gast.For) else mention.binds
            for name in binds:
                self.bound.setdefault(name, []).append(number)

    @functools.cached_property
    def changes(self) -> list[tuple[int, set[str]]]:
        """Where something is written into, and what."""
        found = []
        for number, node in enumerate(self.order):
            one = gast.Expr(head(node)) if isinstance(node, COMPOUND) else node
            changed = self.memory.changed(one)
            if changed:
                found.append((number, changed))
        return found

    def run(self) -> bool:
        """Look at the branches of both passes that ask the same, from the inside."""
        if any(is_attempt(n) or marker_of(n) is not None for n in self.order):
            return False                                # a handler may read what a name held before
        at = next(i for i, n in enumerate(self.body) if n is self.split)
        pairs: list[tuple[_Block, _Block]] = []
        todo = [(self.body[:at], self.body[at + 1:])]
        while todo:
            before, behind = todo.pop()
            asking: dict[Any, list[gast.If]] = {}
            for second in behind:
                if isinstance(second, gast.If):
                    asking.setdefault(syntax.key(_asked(second.test)[0]), []).append(second)
            for first in before if asking else ():
                if isinstance(first, gast.If):
                    for second in asking.get(syntax.key(_asked(first.test)[0]), ()):
                        ways = self.ways(first, second)
                        todo += ways
                        pairs += ways
        moved = [self.sink(*pair) for pair in reversed(pairs)]      # all of them
        return any(moved)

    def ways(self, first: gast.If, second: gast.If) -> list[tuple[_Block, _Block]]:
        """The blocks of two branches that ask the same, of which the second is taken where the
        first was."""
        test, is_so = _asked(first.test)
        if not self.is_pure(test) or not self.holds(test, self.place[id(first)],
                                                    self.place[id(second)]):
            return []
        one, other = (second.body, second.orelse) if is_so is _asked(second.test)[1] \
            else (second.orelse, second.body)
        found = [(a, b) for a, b in ((first.body, one), (first.orelse, other)) if a and b]
        for _, block in found:
            self.spans[id(block)] = self.place[id(block[0])], self.last[id(block[-1])]
        return found

    def sink(self, before: _Block, behind: _Block) -> bool:
        """Move what one way of the forward pass computes for the same way of the backward pass."""
        first, last = self.spans[id(behind)]
        moving: set[int] = set()
        found: dict[str, gast.Assign] = {}
        for node in reversed(before):
            name = self.name_of(node) or ""
            reads = self.read.get(name)
            if reads and all(spot in moving or first <= self.now.get(spot, spot) <= last
                             for spot in reads) \
                    and self.holds(node.value, self.place[id(node)], last + 1):
                found[name] = node
                moving.add(self.place[id(node)])
        if self.apart:
            self.keep_few(found)
        for name, node in found.items():                # the last one first
            before[:] = [n for n in before if n is not node]
            self.put(name, node, behind)
        return bool(found)

    def name_of(self, node: Any) -> str | None:
        """The name that a statement binds to what may as well be computed later."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or len(node.targets) != 1 or hasattr(node, "result_of") \
                or not self.is_pure(node.value):
            return None
        name: str = node.targets[0].id
        return name if len(self.bound.get(name, ())) == 1 else None

    def keep_few(self, found: dict[str, Any]) -> None:
        """Leave out what would have to be handed on to the backward pass in place of its value."""
        split = self.place[id(self.split)]
        moving = True
        while moving:
            moving = False
            inside = {self.place[id(n)] for n in found.values()}
            for name, node in list(found.items()):
                for read in self.mentions[node].reads:
                    if read in self.bound and read not in found and not any(
                            spot > split and spot not in inside for spot in self.read[read]):
                        del found[name]
                        moving = True
                        break

    def put(self, name: str, node: Any, block: _Block) -> None:
        """Put a statement in front of what reads it; above the comment, if that is several."""
        readers = [i for i, n in enumerate(block) if self.mentions_in(n, name)]
        at = readers[0]
        spot = self.place[id(block[at])]
        self.now[self.place[id(node)]] = self.now.get(spot, spot)
        if len(readers) > 1 or not self.is_ours(name) or isinstance(block[at], COMPOUND):
            at = next((i for i in range(at, -1, -1) if is_comment(block[i])), at)
            while at and is_comment(block[at - 1]):
                at -= 1
        for attribute in ("lineno", "origin"):          # it is not the user's statement any more
            vars(node).pop(attribute, None)
        block.insert(at, node)

    def mentions_in(self, node: gast.stmt, name: str) -> bool:
        return any(name in self.mentions[n].reads for n in syntax.statements([node]))

    def is_pure(self, value: gast.expr) -> bool:
        """Whether an expression only computes, and reads nothing but what is bound here, or given.
        """
        functions: set[int] = set()
        for part in syntax.walk(value):
            if isinstance(part, (*SCOPES, gast.Yield, gast.Await, gast.NamedExpr)):
                return False
            if isinstance(part, gast.Call):
                if hasattr(part, "acts") or any(k.arg in (None, "out") for k in part.keywords):
                    return False
                entry = registry.lookup(self.memory.object_of(part.func))
                if self.memory.object_of(part.func) is NO_OBJECT or entry is None \
                        or not entry.pure:
                    return False
                functions.update(id(n) for n in syntax.walk(part.func))
        return all(name.id in self.bound or id(name) in functions
                   for name in syntax.all_of(value, gast.Name))

    def is_bound_between(self, name: str, start: int, end: int) -> bool:
        """Whether a name is bound behind one place and in front of another."""
        spots = self.bound[name]                        # from the first to the last
        at = bisect.bisect_right(spots, start)
        return at < len(spots) and spots[at] < end

    def holds(self, value: gast.expr, start: int, end: int) -> bool:
        """Whether all that an expression reads is the same from one place to another."""
        reads = {name for name in syntax.read_names(value) if name in self.bound}
        if any(self.is_bound_between(name, start, end) for name in reads):
            return False
        held = [name for name in reads if not self.memory.is_number(name)]
        if not held:
            return True
        return all(self.memory.apart(changed, name) for number, names in self.changes
                   if start < number < end for changed in names for name in held)


def _asked(test: gast.expr) -> tuple[gast.expr, bool]:
    """What a condition asks, and whether it is so or not."""
    is_so = True
    while isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        test, is_so = test.operand, not is_so
    return test, is_so
