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
from tangent_lite.syntax import bound_names


@dataclass
class Liveness:
    """Names live around a compound statement and at the head of a loop, by id of the statement."""
    before: dict[int, frozenset[str]] = field(default_factory=dict)
    after: dict[int, frozenset[str]] = field(default_factory=dict)
    head: dict[int, frozenset[str]] = field(default_factory=dict)
    orelse: dict[int, frozenset[str]] = field(default_factory=dict)     # before the else of an if
    around: dict[int, set[str]] | None = None       # if asked for: before or behind a statement
    unread: set[int] = field(default_factory=set)   # statements that bind what nothing reads


def liveness(body: list[gast.stmt], parameters: list[str] | None = None,
             mentions: Mentions | None = None) -> Liveness:
    """Liveness of a function's body (nothing is live behind it).

    With the parameters given, a name counts as live only where something may have bound it.
    mentions: what is known of the statements.
    """
    facts = Liveness()
    _block(body, set(), None, facts, Mentions() if mentions is None else mentions)
    if parameters is not None:
        _prune(body, set(parameters), facts)
    return facts


def live_before(block: list[gast.stmt]) -> set[str]:
    """Names live in front of a block behind which nothing is live."""
    return _block(block, set(), None, Liveness(), Mentions())


def live_around(block: list[gast.stmt], statements: set[int]) -> dict[int, set[str]]:
    """Names live in front of simple statements or behind them, which are given by id."""
    if not statements:
        return {}
    facts = Liveness(around={one: set() for one in statements})
    _block(block, set(), None, facts, Mentions())
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
           facts: Liveness, mentions: Mentions) -> set[str]:
    """Names live in front of a block; `leave`: those live where `break` goes. `live` is used up."""
    unread = facts.unread
    for node in reversed(block):
        kind = node.__class__
        if kind is gast.If:
            after = frozenset(live)
            facts.after[id(node)] = after
            other = after                       # copies of long sets take as long as all else
            if node.orelse:
                other = frozenset(_block(node.orelse, set(after), leave, facts, mentions))
            facts.orelse[id(node)] = other
            live = _block(node.body, live, leave, facts, mentions)
            live |= other
            live |= mentions[node].uses
            facts.before[id(node)] = frozenset(live)
        elif kind is gast.For or kind is gast.While:
            live = _loop(node, live, facts, mentions)
            facts.before[id(node)] = frozenset(live)
        elif kind is gast.Break:
            live = set(leave or ())
        else:
            around = None if facts.around is None else facts.around.get(id(node))
            if around is not None:
                around |= live
            mention = mentions[node]
            bound = mention.binds
            if bound:
                if live.isdisjoint(bound):
                    unread.add(id(node))
                else:
                    unread.discard(id(node))        # the last round of a loop decides
                    live.difference_update(bound)
            live |= mention.uses
            if around is not None:
                around |= live
    return live


def _loop(node: gast.For | gast.While, live: set[str], facts: Liveness,
          mentions: Mentions) -> set[str]:
    after = frozenset(live)
    facts.after[id(node)] = after
    head = set(after)
    if isinstance(node, gast.While):
        head |= mentions[node].uses
    while True:
        inner = _block(node.body, set(head), after, facts, mentions)
        if isinstance(node, gast.For):
            inner.difference_update(bound_names(node.target))
        if inner <= head:
            break
        head |= inner
    facts.head[id(node)] = frozenset(head)
    if isinstance(node, gast.For):
        return head | mentions[node].uses
    return head


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
    for node in syntax.statements(block):
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


def outside_of_loops(body: list[gast.stmt]) -> list[gast.stmt]:
    """The statements that run once at most, those in branches too, in their order."""
    found, todo = [], list(reversed(body))
    while todo:
        node = todo.pop()
        found.append(node)
        if isinstance(node, gast.If):
            todo += [*reversed(node.orelse), *reversed(node.body)]
    return found
