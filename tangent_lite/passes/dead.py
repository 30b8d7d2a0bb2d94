"""Drop what is dead: statements that nothing needs.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.analyses.aliases import Aliases
>>> tree = gast.parse('''
... def f(x, n):
...     unused = 0.0
...     for i in range(n):
...         unused = unused + x
...         y = x * x
...     return y
... ''').body[0]
>>> context = SimpleNamespace(adjoints={}, aliases=Aliases(), facts=SimpleNamespace(names={}),
...                           typer=Typer({}, {"range": range}.get))
>>> is_all_needed = dead(tree.body, context, {})
>>> print(emit(tree), end="")
def f(x, n):
    for i in range(n):
        y = x * x
    return y

It is found by marking from what is returned and from what has effects, so that variables that only
feed themselves go too; and by liveness, so that values go that are bound anew before they are read.
"""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Any

import gast

from tangent_lite import registry, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.liveness import liveness
from tangent_lite.analyses.mentions import Mentioned, Mentions
from tangent_lite.inference import NO_OBJECT
from tangent_lite.markers import attempted, is_attempt, marker_of, way_of
from tangent_lite.modules import mark_of
from tangent_lite.polish.tapes import appended_to, made_tape, popped_from
from tangent_lite.runtime import fitted
from tangent_lite.syntax import COMPOUND, is_comment

LIST_METHODS = {"append", "insert", "pop"}
# What may raise, in a statement of the user's that does nothing else.
_FAILING = (gast.Subscript, gast.Attribute, gast.BinOp, gast.UnaryOp, gast.Compare, gast.Call,
            gast.FormattedValue)


def dead(body: list[gast.stmt], context: Derived, external: dict[str, Any],
         mentions: Mentions | None = None) -> bool:
    """Remove dead statements; external: the helpers of emitted code, which only return values;
    mentions: what the statements mention. Whether all that is left is needed, as far as that is
    found out here."""
    sweeper = _Dead(context, external, Mentions() if mentions is None else mentions)
    sweeper.sweep(body)
    if sweeper.drop_unread(body):
        sweeper.sweep(body)
        return False
    return True


class _Meanings(dict[str, str]):
    """What names stand for, found out once for each: those that share a written buffer count as
    one, and so do their shadows."""

    def __init__(self, aliases: Aliases, adjoints: dict[str, str]) -> None:
        self.aliases = aliases
        self.owner = {b: v for v, b in adjoints.items()}

    def __missing__(self, name: str) -> str:
        found = self[name] = self.find(name)
        return found

    def find(self, name: str) -> str:
        if self.aliases.is_written(name):
            return self.aliases.find(name)
        variable = self.owner.get(name)
        if variable is not None and self.aliases.is_written(variable):
            return f"shadow of {self.aliases.find(variable)}"
        return name


class _Dead:
    def __init__(self, context: Derived, external: dict[str, Any], mentions: Mentions) -> None:
        self.context, self.external, self.mentions = context, external, mentions
        self.means = _Meanings(context.aliases, context.adjoints)
        self.meant: dict[str, set[str]] = {}        # names of records -> what they are a name of

    def sweep(self, body: list[gast.stmt]) -> None:
        """Keep what the results need, and what has effects of its own."""
        self.meant.clear()
        for node in syntax.every_statement(body):
            if node.__class__ is gast.Assign and node.value.__class__ is gast.Name \
                    and node.targets[0].__class__ is gast.Name:
                self.meant.setdefault(node.targets[0].id, set()).add(node.value.id)
        feeds: defaultdict[str, list[gast.stmt]] = defaultdict(list)
        parents: dict[int, gast.stmt] = {}      # of what stands in a compound statement
        todo: list[gast.stmt] = []
        breaks: list[gast.stmt] = []
        compounds: list[gast.stmt] = []
        means, mentions = self.means, self.mentions
        blocks: list[tuple[list[gast.stmt], gast.stmt | None]] = [(body, None)]
        while blocks:
            block, parent = blocks.pop()
            for node in block:
                kind = node.__class__
                if parent is not None:
                    parents[id(node)] = parent
                if kind in COMPOUND:
                    compounds.append(node)
                    if any(map(self.may_act, mentions[node].calls)):
                        todo.append(node)               # `while rng.random() < p:`
                    blocks += [(node.body, node), (node.orelse, node)]
                    if kind is gast.For:
                        for name in syntax.bound_names(node.target):
                            feeds[means[name]].append(node)
                    continue
                if kind is gast.Break:
                    breaks.append(node)
                    continue
                mention = mentions[node]
                if mention.binds and not mention.calls:         # as most do
                    for name in mention.binds:
                        feeds[means[name]].append(node)
                    continue
                for name in self.changes(node, mention):
                    feeds[means[name]].append(node)
                if self.has_effect(node, mention):
                    todo.append(node)
        watched = {way[0]: n for n in compounds
                   if is_attempt(n) and (way := way_of(n)) is not None}
        kept: set[int] = set()
        needed: set[str] = set()
        while todo:
            node = todo.pop()
            if id(node) in kept:
                continue
            kept.add(id(node))
            mention = mentions[node]
            marker = marker_of(node) if mention.calls else None
            if marker is not None and marker.kind == "try" and marker.region in watched:
                # All that may fail in the body decides which way is taken.
                branch = watched[marker.region]
                todo += [n for n in syntax.statements(attempted(branch)) if hasattr(n, "lineno")]
                todo += [n for n in branch.body if marker_of(n) is not None]
            parent = parents.get(id(node))
            if parent is not None and id(parent) not in kept:
                todo.append(parent)
            reads, kind = mention.reads, node.__class__
            if kind is gast.AugAssign and isinstance(node.target, gast.Name):
                reads = reads | {node.target.id}
            elif kind is gast.For or kind is gast.While:
                todo += [b for b in breaks if self.loop_of(b, parents) is node]
            for name in reads:
                name = means[name]
                if name not in needed:
                    needed.add(name)
                    todo += feeds.get(name, ())
        self.remove(body, kept)

    def drop_unread(self, body: list[gast.stmt]) -> bool:
        """Drop values that are bound anew before anything reads them: what the backward pass
        computes again need not be computed before."""
        facts = liveness(body, mentions=self.mentions)
        everything = syntax.every_statement(body)
        loops = [n for n in everything if n.__class__ is gast.For
                 and facts.after[id(n)].isdisjoint(syntax.bound_names(n.target))
                 and not any(map(self.may_act, self.mentions[n].calls))]
        # A loop whose variable is that of a later one was kept for that.
        is_empty = any(isinstance(n.iter, gast.Call) and not n.orelse and all(
            is_comment(inner) or isinstance(inner, gast.Pass) for inner in n.body) for n in loops)
        if not facts.unread and not is_empty:
            return False
        tried = {id(n) for branch in everything if branch.__class__ is gast.If
                 and is_attempt(branch) for n in syntax.statements(attempted(branch))}
        unread = {id(n) for n in everything if id(n) in facts.unread
                  and id(n) not in tried and isinstance(n, gast.Assign)
                  and self.binds_only(n)}
        unread |= self.for_unread_tapes(body, everything, facts.unread, tried)
        if unread or is_empty:
            kept = {id(n) for n in everything} - unread
            # Whether a loop does anything is not known before its body is swept.
            self.remove(body, kept - {id(n) for n in loops})
        return bool(unread) or is_empty

    def for_unread_tapes(self, body: list[gast.stmt], everything: list[gast.stmt],
                         unread: Collection[int], tried: set[int]) -> set[int]:
        """By id, all statements for tapes of which nothing is read that is taken from them: which
        way a branch went, where going backwards it has nothing to do."""
        taken = {name: id(node) for node in everything if id(node) in unread
                 and (name := _taken_from(node)) is not None}
        if not taken:
            return set()
        handled: defaultdict[str, list[int]] = defaultdict(list)
        for node in everything:
            name = made_tape(node) or appended_to(node)
            if name is None and id(node) in unread:
                name = _taken_from(node)
            if name in taken and not hasattr(node, "lineno"):
                handled[name].append(id(node))
        often = Counter([name.id for name in syntax.names_in(*body) if name.id in taken])
        return {one for name, nodes in handled.items()
                if len(nodes) == often[name] and tried.isdisjoint(nodes) for one in nodes}

    def loop_of(self, node: gast.stmt, parents: dict[int, gast.stmt]) -> gast.stmt | None:
        found = parents.get(id(node))
        while found is not None and not isinstance(found, (gast.For, gast.While)):
            found = parents.get(id(found))
        return found

    def binds_only(self, node: gast.stmt) -> bool:
        """Whether a simple statement does no more than bind names."""
        mention = self.mentions[node]
        return self.changes(node, mention) == mention.binds and not self.has_effect(node, mention)

    def changes(self, node: gast.stmt, mention: Mentioned) -> list[str]:
        """Names that a simple statement binds, writes into, or appends to."""
        kind = node.__class__
        found = mention.binds
        if found and not mention.calls:
            return found
        if kind is gast.Assign or kind is gast.AugAssign:
            target = syntax.target_of(node)
            if target.__class__ is gast.Subscript or target.__class__ is gast.Attribute:
                found = [*self.all_meant(syntax.written_roots(target.value))]
            # `n = n_tape.pop().copy()` takes something off as well.
            found = [*found, *[
                call.func.value.id for call in mention.calls
                if isinstance(call.func, gast.Attribute) and call.func.attr == "pop"
                and isinstance(call.func.value, gast.Name)]]
        elif kind is gast.Delete:
            found = [syntax.root_name(node.targets[0]) or ""]
        elif kind is gast.Expr and isinstance(node.value, gast.Call):
            function = node.value.func
            if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name):
                found = [function.value.id]
            elif node.value.args:
                found = syntax.written_roots(node.value.args[0])
        return found

    def all_meant(self, names: list[str]) -> dict[str, None]:
        """Names through which something is written, and those that it had when it was recorded
        under one of these: `x_old = x` and later `x_old[...] = before`."""
        found = dict.fromkeys(names)
        todo = [name for name in names if name in self.meant and self.means[name] == name]
        while todo:
            for name in sorted(self.meant.get(todo.pop(), ())):
                if name not in found:
                    found[name] = None
                    todo += [name] if self.means[name] == name else []
        return found

    def has_effect(self, node: gast.stmt, mention: Mentioned) -> bool:
        kind = node.__class__
        marker = marker_of(node) if mention.calls else None
        if marker is not None:
            # Which way a try goes counts only where one of them does something.
            return marker.kind not in ("try", "caught", "deleted", "else")
        if kind is gast.Assign or kind is gast.AugAssign:
            # A half that works in an array does so whether the array is read again or not.
            return hasattr(node, "is_done_by_call") or any(map(self.may_act, mention.calls))
        if kind in (gast.Return, gast.Raise, gast.Assert):
            return True
        if kind is gast.Expr:
            call = node.value
            if not isinstance(call, gast.Call):
                # `d[key]` by itself says that the key is there; a name, that it is bound.
                return getattr(node, "may_raise", False) or (
                    hasattr(node, "lineno") and any(isinstance(part, _FAILING)
                                                    for part in gast.walk(call)))
            function = call.func
            if isinstance(function, gast.Attribute) and function.attr in LIST_METHODS and \
                    isinstance(function.value, gast.Name):
                return False
            return not (isinstance(function, gast.Name) and function.id in self.external)
        return False

    def may_act(self, call: gast.Call) -> bool:
        """Whether a call may do more than return a value."""
        if isinstance(call.func, gast.Attribute) and call.func.attr in ("pop", "copy"):
            return False
        if isinstance(call.func, gast.Name) and call.func.id in self.external:
            return self.external[call.func.id] is fitted        # it may raise what NumPy raises
        names, self.context.typer.names = self.context.typer.names, self.context.facts.names
        function, _ = self.context.typer.callee(call)
        self.context.typer.names = names
        if function is NO_OBJECT:
            return True
        if mark_of(function, "makes_derivative"):
            return False
        if function is fitted:
            return True
        entry = registry.lookup(function)
        return entry is None or not entry.pure

    def remove(self, block: list[gast.stmt], kept: set[int]) -> None:
        out = []
        for node in block:
            if node.__class__ in COMPOUND:
                self.remove(node.body, kept)
                self.remove(node.orelse, kept)
                real = [n for n in node.body if not (is_comment(n) or isinstance(n, gast.Pass))]
                rest = [n for n in node.orelse if not (is_comment(n) or isinstance(n, gast.Pass))]
                if not real and not rest and id(node) not in kept:
                    continue
                if not rest:
                    node.orelse = []
                if not real:
                    if isinstance(node, gast.If):
                        node.test = syntax.negated(node.test)
                        self.mentions.rewritten(node)
                        node.body, node.orelse = node.orelse, []
                    else:
                        node.body = [n for n in node.body if is_comment(n)] + [gast.Pass()]
                out.append(node)
            elif id(node) in kept or is_comment(node):
                out.append(node)
        block[:] = out


def _taken_from(node: Any) -> str | None:
    """The tape from which a statement takes what it binds a name to."""
    if node.__class__ is gast.Assign and node.targets[0].__class__ is gast.Name:
        return popped_from(node.value)
    return None
