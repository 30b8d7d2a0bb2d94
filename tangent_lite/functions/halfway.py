"""What the body of a try may have done when it is left halfway.

    try:
        s = 2.0 * s                 # done
        t = math.sqrt(x)            # fails
    except ValueError:
        t = 0.0
    return s + t                    # depends on how far the body came

The backward pass of a handler takes it that the body did nothing. That holds of names that are not
read afterwards, and of what the last operation binds; of all else it has to be refused.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import Liveness, definitions
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT
from tangent_lite.markers import attempted, is_attempt, marker_of
from tangent_lite.source import Source
from tangent_lite.structures.lists import list_change
from tangent_lite.syntax import COMPOUND, read_names


def halfway(tree: gast.FunctionDef, steps: dict[int, Any], facts: Inferred, aliases: Aliases,
            active: set[str], live: Liveness, source: Source, versions: dict[str, str]) -> None:
    """Refuse a try whose handler would find active values changed."""
    users = source.names | set(versions)
    for node in syntax.statements(tree.body):
        if not is_attempt(node) or _always_raises(node.orelse):
            continue
        done = _Done(facts, aliases, users)
        done.block(attempted(node))
        counts = any(id(n) in steps for n in syntax.statements(node.body))
        for name in sorted(done.left):
            if name in active and name in live.orelse[id(node)]:
                raise _refusal(done.left[name], f"{versions.get(name, name)} is bound here, "
                               "something behind it may fail, and it is read afterwards", source)
        for name in sorted(done.left_written):
            if name in active or (counts and (aliases.is_written(name)
                                              or aliases.is_resized(name))):
                raise _refusal(done.left_written[name], "an array or a container is written to "
                               "here, and something behind it may fail", source)


def _refusal(node: gast.stmt, reason: str, source: Source) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"this try block may be left halfway: {reason}", source.place(node),
        "let only what may fail stand in the block, and what it leads to behind `else:`")


def _always_raises(block: list[gast.stmt]) -> bool:
    for node in block:
        if isinstance(node, gast.Raise):
            return True
        if isinstance(node, gast.If) and _always_raises(node.body) and _always_raises(node.orelse):
            return True
    return False


class _Done:
    """What has been done in a block before something that may fail."""

    def __init__(self, facts: Inferred, aliases: Aliases, users: frozenset[str]) -> None:
        self.facts, self.aliases = facts, aliases
        self.users = users                          # names of the user, all versions of them
        self.bound: dict[str, gast.stmt] = {}       # so far
        self.written: dict[str, gast.stmt] = {}
        self.left: dict[str, gast.stmt] = {}        # when something fails
        self.left_written: dict[str, gast.stmt] = {}

    def fails(self) -> None:
        self.left.update(self.bound)
        self.left_written.update(self.written)

    def block(self, block: list[gast.stmt]) -> None:
        for node in block:
            if isinstance(node, COMPOUND):
                if not self.is_ours(node.iter if isinstance(node, gast.For) else node.test):
                    self.fails()
                for _ in range(1 if isinstance(node, gast.If) else 2):
                    if isinstance(node, gast.For):
                        for name in syntax.bound_names(node.target):
                            self.bound.setdefault(name, node)
                    self.block(node.body)
                    if isinstance(node, gast.While) and not self.is_ours(node.test):
                        self.fails()
                    self.block(node.orelse)
                continue
            if self.may_fail(node):
                self.fails()
            self.effects(node)

    def may_fail(self, node: gast.stmt) -> bool:
        if isinstance(node, (gast.Pass, gast.Break)):
            return False
        marker = marker_of(node)
        if marker is not None:
            return marker.kind in ("enter", "exit") and not marker.mirrored
        target = syntax.target_of(node)
        return not (isinstance(target, gast.Name) and self.is_ours(node.value))

    def is_ours(self, node: gast.expr) -> bool:
        """Whether an expression cannot fail: literals, and names that we made and bound."""
        return all(isinstance(n, (gast.Constant, gast.Not, gast.UnaryOp, gast.BoolOp))
                   or (isinstance(n, gast.Name) and n.id not in self.users)
                   for n in syntax.walk(node))

    def effects(self, node: gast.stmt) -> None:
        """What a statement does; if it is not all or nothing, it may have been left halfway."""
        change = list_change(node, self.facts.before.get(id(node), {}))
        if change is not None:
            self.written.setdefault(change.name, node)
        for part in syntax.walk(node) if change is None else ():
            if isinstance(part, gast.Call) and marker_of(node) is None:
                self.call(node, part)
        if isinstance(node, gast.Delete):
            self.written.setdefault(syntax.root_name(node.targets[0]) or "", node)
            return
        target = syntax.target_of(node)
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            self.written.setdefault(syntax.root_name(target) or "", node)
            if isinstance(node, gast.AugAssign):
                self.fails()                        # x[1:] /= y writes, and may fail then
            return
        for name in definitions(node):
            self.bound.setdefault(name, node)
            if isinstance(node, gast.AugAssign) and not isinstance(
                    self.facts.before[id(node)].get(name), kinds.Number):
                self.written.setdefault(name, node)
                self.fails()

    def call(self, node: gast.stmt, call: gast.Call) -> None:
        """A call may write into what it is given, and fail then."""
        function, _ = self.facts.callees.get(id(call), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is not None and not entry.writes and not any(
                k.arg == "out" for k in call.keywords):
            return
        changed = [n for n in sorted(read_names(call)) if self.aliases.is_mutated(n)
                   or self.aliases.is_written(n) or self.aliases.is_resized(n)]
        for name in changed:
            self.written.setdefault(name, node)
        if changed:
            self.fails()
