"""Which variables are still read: the analysis that several passes rest on.

Works on A-normal form with structured control flow, in one walk backwards; a loop is walked twice.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.mentions import definitions as definitions
from tangent_lite.analyses.mentions import uses as uses
from tangent_lite.analyses.name_sets import NameSet, Numbering
from tangent_lite.analyses.ways_out import WayOut, ways_out
from tangent_lite.syntax import bound_names


@dataclass(eq=False, repr=False)
class Liveness:
    """Names live around a compound statement and at the head of a loop, by id of the statement."""
    before: dict[int, NameSet] = field(default_factory=dict)
    after: dict[int, NameSet] = field(default_factory=dict)
    head: dict[int, NameSet] = field(default_factory=dict)
    orelse: dict[int, NameSet] = field(default_factory=dict)    # before the else of an if
    around: dict[int, NameSet] = field(default_factory=dict)    # or behind, where asked
    unread: set[int] = field(default_factory=set)   # statements that bind what nothing reads


def liveness(body: list[gast.stmt], parameters: list[str] | None = None,
             mentions: Mentions | None = None) -> Liveness:
    """Liveness of a function's body (nothing is live behind it).

    With the parameters given, a name counts as live only where something may have bound it.
    mentions: what is known of the statements.
    """
    walk = _Walk(Mentions() if mentions is None else mentions)
    walk.block(body, 0, 0)
    if parameters is not None:
        walk.prune(body, walk.names.bits(parameters))
    return walk.facts


def live_before(block: list[gast.stmt]) -> NameSet:
    """Names live in front of a block behind which nothing is live."""
    walk = _Walk(Mentions())
    return walk.names.named(walk.block(block, 0, 0))


def live_around(block: list[gast.stmt], statements: set[int],
                names: Numbering | None = None) -> dict[int, NameSet]:
    """Names live in front of simple statements or behind them, which are given by id; names: the
    numbering of what is given."""
    if not statements:
        return {}
    walk = _Walk(Mentions(), statements, names, ways_out(block))
    walk.block(block, 0, 0)
    nothing = walk.names.named(0)
    return {one: walk.facts.around.get(one, nothing) for one in statements}


class _Walk:
    """One walk backwards; sets of names are bits (see name_sets.py)."""

    def __init__(self, mentions: Mentions, asked: set[int] | frozenset[int] = frozenset(),
                 names: Numbering | None = None, ways: dict[int, WayOut] | None = None) -> None:
        self.mentions, self.asked = mentions, asked
        self.ways = {} if ways is None else ways        # of loops behind which a flag decides
        self.deciding = {id(way.test) for way in self.ways.values()}
        self.leaves: dict[int, int] = {}                # what is live behind a `break`, by its id
        self.facts = Liveness()
        self.names = Numbering() if names is None else names
        self.loops = 0                                  # that are around
        # Of statements in loops, which are walked twice: what each binds, and uses.
        self.seen: dict[gast.stmt, tuple[int, int]] = {}

    def block(self, block: list[gast.stmt], live: int, leave: int) -> int:
        """What is live in front of a block; live: behind it; leave: where `break` goes."""
        facts, names, mentions, asked = self.facts, self.names, self.mentions, self.asked
        unread, seen = facts.unread, self.seen
        # What is live if the branch behind a loop is taken, and if it is not.
        split: tuple[int, int] | None = None
        for node in reversed(block):
            kind = node.__class__
            if kind is gast.If:
                facts.after[id(node)] = names.named(live)
                other = self.block(node.orelse, live, leave) if node.orelse else live
                facts.orelse[id(node)] = names.named(other)
                taken, used = self.block(node.body, live, leave), names.bits(mentions[node].uses)
                live = taken | other | used
                facts.before[id(node)] = names.named(live)
                split = (taken | used, other | used) if id(node) in self.deciding else None
            elif kind is gast.For or kind is gast.While:
                live = self.loop(node, live, split)
                facts.before[id(node)] = names.named(live)
                split = None
            elif kind is gast.Break:
                live = self.leaves.get(id(node), leave)
                split = None
            else:
                behind, known = live, seen.get(node)
                if known is None:
                    mention = mentions[node]
                    known = names.bits(mention.binds), names.bits(mention.uses)
                    if self.loops:
                        seen[node] = known
                binds, uses = known
                if binds:
                    bound = live & binds
                    if bound:
                        unread.discard(id(node))        # the last round of a loop decides
                        live ^= bound
                    else:
                        unread.add(id(node))
                live |= uses
                if split is not None:
                    split = (split[0] & ~binds) | uses, (split[1] & ~binds) | uses
                if id(node) in asked:                   # once for each round of a loop
                    before = facts.around.get(id(node))
                    facts.around[id(node)] = names.named(
                        live | behind | (0 if before is None else before.held))
        return live

    def loop(self, node: gast.For | gast.While, after: int,
             split: tuple[int, int] | None = None) -> int:
        """What is live in front of a loop; split: behind it, if the branch is taken that follows
        there, and if it is not."""
        self.facts.after[id(node)] = self.names.named(after)
        way = None if split is None else self.ways.get(id(node))
        end = after
        if way is not None and split is not None:
            end = after if way.at_end is None else split[0 if way.at_end else 1]
            self.leaves.update((one, split[0 if is_taken else 1])
                               for one, is_taken in way.breaks.items())
        uses = self.names.bits(self.mentions[node].uses)
        is_for = isinstance(node, gast.For)
        counters = self.names.bits(bound_names(node.target)) if is_for else 0
        head = end if is_for else end | uses
        self.loops += 1
        while True:
            inner = self.block(node.body, head, after)
            inner ^= inner & counters
            if inner | head == head:
                break
            head |= inner
        self.loops -= 1
        self.facts.head[id(node)] = self.names.named(head)
        return head | uses

    def prune(self, block: list[gast.stmt], bound: int) -> int:
        """Leave out what is not bound yet; gives what may be bound behind the block."""
        facts, names = self.facts, self.names
        for node in block:
            if isinstance(node, (gast.If, gast.For, gast.While)):
                facts.before[id(node)] = facts.before[id(node)].within(bound)
                if not isinstance(node, gast.If):
                    bound |= names.bits(bound_in([node]))
                    facts.head[id(node)] = facts.head[id(node)].within(bound)
                bound = self.prune(node.body, bound) | self.prune(node.orelse, bound)
                facts.after[id(node)] = facts.after[id(node)].within(bound)
            else:
                bound |= names.bits(definitions(node))
        return bound


def while_used(tree: gast.FunctionDef, block: list[gast.stmt], number: int,
               name: str) -> list[gast.stmt]:
    """The statements of a block behind the one that binds a name, as long as the name is used; none
    where it is used elsewhere as well."""
    behind = block[number + 1:]
    used = [sum(n.id == name for n in syntax.names_in(one)) for one in behind]
    if sum(used) != sum(n.id == name for n in syntax.names_in(tree)) - 1:
        return []
    return behind[:1 + max((at for at, count in enumerate(used) if count), default=-1)]


def count_bindings(tree: gast.FunctionDef) -> dict[str, int]:
    """How many statements bind each name; a parameter is bound by the call."""
    found = dict.fromkeys(syntax.parameter_names(tree.args), 1)
    for node in syntax.statements(tree.body):
        names = syntax.bound_names(node.target) if isinstance(node, gast.For) \
            else [] if isinstance(node, syntax.COMPOUND) else definitions(node)
        for name in names:
            found[name] = found.get(name, 0) + 1
    return found


def bound_in(block: list[gast.stmt]) -> set[str]:
    """Names bound anywhere in a block, loop variables included."""
    found: set[str] = set()
    for node in syntax.every_statement(block):
        kind = node.__class__
        if kind is gast.For:
            found.update(bound_names(node.target))
        elif kind is gast.Assign and len(node.targets) == 1 \
                and node.targets[0].__class__ is gast.Name:             # as most do
            found.add(node.targets[0].id)
        elif kind is gast.Assign or kind is gast.AugAssign:
            found.update(definitions(node))
    return found


class BoundIn:
    """`bound_in` for blocks that stand in each other: each statement is looked at once."""

    def __init__(self) -> None:
        self.known: dict[int, set[str]] = {}        # by id of a compound statement

    def __call__(self, block: list[gast.stmt]) -> set[str]:
        found: set[str] = set()
        for node in block:
            if node.__class__ is gast.Assign and len(node.targets) == 1 \
                    and node.targets[0].__class__ is gast.Name:             # as most do
                found.add(node.targets[0].id)
            else:
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


def read_before_bound(body: list[gast.stmt]) -> set[str]:
    """Names that an iteration may read from the one before it: `if k == 0: x = ... else: x += v`.
    """
    bound: set[str] = set()
    found: set[str] = set()
    for node in body:
        if isinstance(node, syntax.COMPOUND):
            augmented = {n.target.id for n in syntax.statements([node])
                         if isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Name)}
            found |= {n.id for n in syntax.names_in(node)
                      if n.ctx.__class__ is gast.Load or n.id in augmented} - bound
        else:
            found |= uses(node) - bound
            bound.update(definitions(node))
    return found


def written_outside(tree: gast.FunctionDef) -> list[str]:
    """Names from outside a function in normal form whose arrays it writes into, last ones first."""
    targets = [syntax.target_of(node) for node in reversed(syntax.every_statement(tree.body))]
    written = [node.value.id for target in targets
               if target is not None and target.__class__ is not gast.Name
               for node in syntax.all_of(target, gast.Subscript)
               if isinstance(node.ctx, gast.Store) and isinstance(node.value, gast.Name)]
    written += [n.is_entry_copy for n in tree.body               # a dict of which it has a copy
                if getattr(n, "is_entry_copy", None)]
    if not written:
        return []
    bound = {*syntax.parameter_names(tree.args), *(
        n.id for n in syntax.names_in(tree) if isinstance(n.ctx, gast.Store))}
    return list(dict.fromkeys(name for name in written if name not in bound))


def outside_of_loops(body: list[gast.stmt]) -> list[gast.stmt]:
    """The statements that run once at most, those in branches too, in their order."""
    found, todo = [], list(reversed(body))
    while todo:
        node = todo.pop()
        found.append(node)
        if isinstance(node, gast.If):
            todo += [*reversed(node.orelse), *reversed(node.body)]
    return found
