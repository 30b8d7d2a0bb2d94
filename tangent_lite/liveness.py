"""Which variables are still read: the analysis that several passes rest on.

Works on A-normal form with structured control flow, in one walk backwards; a loop is walked twice.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import gast

from tangent_lite import syntax
from tangent_lite.syntax import bound_names, read_names

Block = list  # of statements


def head(node: gast.stmt) -> gast.AST:
    """What of a statement is evaluated where it stands: itself, or the head of a compound one."""
    if isinstance(node, gast.For):
        return node.iter
    return node.test if isinstance(node, (gast.If, gast.While)) else node


def uses(node: gast.stmt) -> set[str]:
    """Names that a simple statement reads (an array that is written into is read)."""
    if isinstance(node, gast.Assign):
        found = read_names(node.value)
        for target in node.targets:
            if target.__class__ is not gast.Name:       # a name is bound, and not read
                found |= read_names(target)
        return found
    if isinstance(node, gast.AugAssign):
        found = read_names(node.value) | read_names(node.target)
        if isinstance(node.target, gast.Name):
            found.add(node.target.id)
        return found
    return read_names(node)


def uses_here(node: gast.stmt) -> set[str]:
    """The same, and of a compound statement what its head reads."""
    return read_names(head(node)) if isinstance(node, syntax.COMPOUND) else uses(node)


@dataclass
class Liveness:
    """Names live around a compound statement and at the head of a loop, by id of the statement."""
    before: dict[int, frozenset[str]] = field(default_factory=dict)
    after: dict[int, frozenset[str]] = field(default_factory=dict)
    head: dict[int, frozenset[str]] = field(default_factory=dict)
    orelse: dict[int, frozenset[str]] = field(default_factory=dict)     # before the else of an if
    around: dict[int, set[str]] | None = None       # if asked for: before or behind a statement
    unread: set[int] = field(default_factory=set)   # statements that bind what nothing reads
    uses: Callable[[gast.stmt], set[str]] = uses_here       # or a table of it


def definitions(node: gast.stmt) -> list[str]:
    """Names that a simple statement binds."""
    if node.__class__ is gast.Assign:
        if len(node.targets) == 1 and node.targets[0].__class__ is gast.Name:
            return [node.targets[0].id]
        return [name for target in node.targets for name in bound_names(target)]
    if node.__class__ is gast.AugAssign:
        return bound_names(node.target)
    return []


def liveness(body: list[gast.stmt], parameters: list[str] | None = None,
             reading: Callable[[gast.stmt], set[str]] = uses_here) -> Liveness:
    """Liveness of a function's body (nothing is live behind it).

    With the parameters given, a name counts as live only where something may have bound it.
    reading: `uses_here`, or a table of it.
    """
    facts = Liveness(uses=reading)
    _block(body, set(), None, facts)
    if parameters is not None:
        _prune(body, set(parameters), facts)
    return facts


def live_before(block: list[gast.stmt]) -> set[str]:
    """Names live in front of a block behind which nothing is live."""
    return _block(block, set(), None, Liveness())


def live_around(block: list[gast.stmt], statements: set[int]) -> dict[int, set[str]]:
    """Names live in front of simple statements or behind them, which are given by id."""
    facts = Liveness(around={one: set() for one in statements})
    _block(block, set(), None, facts)
    return facts.around or {}


def _prune(block: list[gast.stmt], bound: set[str], facts: Liveness) -> set[str]:
    """Leave out what is not bound yet; gives the names that the block itself binds."""
    here: set[str] = set()
    for node in block:
        if isinstance(node, (gast.If, gast.For, gast.While)):
            facts.before[id(node)] &= bound
            inside = set(bound)
            if not isinstance(node, gast.If):
                inside |= bound_in([node])
                facts.head[id(node)] &= inside
            more = _prune(node.body, set(inside), facts) | _prune(node.orelse, inside, facts)
            if isinstance(node, gast.For):
                more.update(bound_names(node.target))
            bound |= more
            here |= more
            facts.after[id(node)] &= bound
        else:
            names = definitions(node)
            bound.update(names)
            here.update(names)
    return here


def _block(block: list[gast.stmt], live: set[str], leave: frozenset[str] | None,
           facts: Liveness) -> set[str]:
    """Names live in front of a block; `leave`: those live where `break` goes."""
    for node in reversed(block):
        if isinstance(node, gast.If):
            after = frozenset(live)
            facts.after[id(node)] = after
            other = _block(node.orelse, set(after), leave, facts)
            facts.orelse[id(node)] = frozenset(other)
            live = _block(node.body, set(after), leave, facts) | other
            live |= facts.uses(node)
            facts.before[id(node)] = frozenset(live)
        elif isinstance(node, (gast.For, gast.While)):
            live = _loop(node, live, facts)
            facts.before[id(node)] = frozenset(live)
        elif isinstance(node, gast.Break):
            live = set(leave or ())
        else:
            around = None if facts.around is None else facts.around.get(id(node))
            if around is not None:
                around |= live
            bound = definitions(node)
            if bound and live.isdisjoint(bound):
                facts.unread.add(id(node))
            else:
                facts.unread.discard(id(node))      # the last round of a loop decides
            live.difference_update(bound)
            live |= facts.uses(node)
            if around is not None:
                around |= live
    return live


def _loop(node: gast.For | gast.While, live: set[str], facts: Liveness) -> set[str]:
    after = frozenset(live)
    facts.after[id(node)] = after
    head = set(after)
    if isinstance(node, gast.While):
        head |= facts.uses(node)
    while True:
        inner = _block(node.body, set(head), after, facts)
        if isinstance(node, gast.For):
            inner.difference_update(bound_names(node.target))
        if inner <= head:
            break
        head |= inner
    facts.head[id(node)] = frozenset(head)
    if isinstance(node, gast.For):
        return head | facts.uses(node)
    return head


def bound_in(block: list[gast.stmt]) -> set[str]:
    """Names bound anywhere in a block, loop variables included."""
    found: set[str] = set()
    todo = list(block)
    while todo:
        node = todo.pop()
        if isinstance(node, gast.For):
            found.update(bound_names(node.target))
        if isinstance(node, (gast.For, gast.While, gast.If)):
            todo += node.body + node.orelse
        else:
            found.update(definitions(node))
    return found


class BoundIn:
    """`bound_in` for blocks that stand in each other: each statement is looked at once."""

    def __init__(self) -> None:
        self.known: dict[int, set[str]] = {}        # by id of a compound statement

    def __call__(self, block: list[gast.stmt]) -> set[str]:
        found: set[str] = set()
        for node in block:
            found.update(self.by(node))
        return found

    def by(self, node: gast.stmt) -> Iterable[str]:
        """What one statement binds, and those in it."""
        if not isinstance(node, (gast.For, gast.While, gast.If)):
            return definitions(node)
        inside = self.known.get(id(node))
        if inside is None:
            inside = self.known[id(node)] = self(node.body) | self(node.orelse)
            if isinstance(node, gast.For):
                inside.update(bound_names(node.target))
        return inside


def written_outside(tree: gast.FunctionDef) -> list[str]:
    """Names from outside the function whose arrays it writes into, in order."""
    written = [node.value.id for node in syntax.all_of(tree, gast.Subscript)
               if isinstance(node.ctx, gast.Store) and isinstance(node.value, gast.Name)]
    written += [n.is_entry_copy for n in tree.body               # a dict of which it has a copy
                if getattr(n, "is_entry_copy", None)]
    if not written:
        return []
    bound = {*syntax.parameter_names(tree.args), *(n.id for n in syntax.walk(tree) if isinstance(
        n, gast.Name) and isinstance(n.ctx, gast.Store))}
    return list(dict.fromkeys(name for name in written if name not in bound))
