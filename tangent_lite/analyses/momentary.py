"""Views that are used up before anything is written, and names used outside their block."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.liveness import definitions
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Array
from tangent_lite.structures.nested import container
from tangent_lite.syntax import COMPOUND, statements


def scattered(body: list[gast.stmt]) -> set[str]:
    """Names that are used outside the block in which they are bound."""
    bound_at: dict[str, tuple[int, ...]] = {}
    used_at: dict[str, list[tuple[int, ...]]] = {}

    def visit(block: list[gast.stmt], path: tuple[int, ...]) -> None:
        path = (*path, id(block))
        for node in block:
            if isinstance(node, COMPOUND):
                parts = [node.iter] if isinstance(node, gast.For) else [node.test]
                visit(node.body, path)
                visit(node.orelse, path)
            else:
                parts = [node]
                for name in definitions(node):
                    bound_at.setdefault(name, path)
            for part in parts:
                for name in syntax.walk(part):
                    if isinstance(name, gast.Name):
                        used_at.setdefault(name.id, []).append(path)

    visit(body, ())
    return {name for name, home in bound_at.items()
            if any(path[:len(home)] != home for path in used_at.get(name, ()))}


def momentary(body: list[gast.stmt], facts: Any, aliases: Aliases) -> set[str]:
    """Names bound to a view that is used up, in its own block, before what it views is written.

    `u[1:-1] = u[2:] - u[:-2]`: what the right side reads is a number like any other; only a view
    that outlives a write needs a shadow that is a view.
    """
    uses: dict[str, int] = {}
    blocks = [body]
    for node in statements(body):
        if isinstance(node, COMPOUND):
            blocks += [node.body, node.orelse]
            head = [node.iter] if isinstance(node, gast.For) else [node.test]
        else:
            head = [node]
        for part in head:
            for name in syntax.names_in(part):
                if isinstance(name.ctx, gast.Load):
                    uses[name.id] = uses.get(name.id, 0) + 1
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            uses[node.target.id] = uses.get(node.target.id, 0) + 1      # written through the name
    found: set[str] = set()
    for block in blocks:
        open_views: dict[str, int] = {}
        for node in block:
            if isinstance(node, COMPOUND):
                open_views.clear()
                continue
            seen: dict[str, int] = {}
            for part in syntax.walk(node):
                if isinstance(part, gast.Name) and part.id in open_views \
                        and isinstance(part.ctx, gast.Load):
                    seen[part.id] = seen.get(part.id, 0) + 1
            for name, count in seen.items():
                if not _consumes(node, name, facts):
                    open_views.pop(name)
                    continue
                open_views[name] += count
                if open_views[name] == uses.get(name):
                    found.add(name)
                    open_views.pop(name)
            if may_write(node, facts):
                written = _written_here(node, facts, aliases)
                for name in list(open_views):
                    if written is None or aliases.find(name) in written:
                        open_views.pop(name)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                    and isinstance(node.value, (gast.Subscript, gast.Attribute, gast.Call)):
                open_views[node.targets[0].id] = 0
    return found


def _consumes(node: gast.stmt, name: str, facts: Any) -> bool:
    """Whether a statement takes the numbers of an array and does not hold on to the array."""
    if isinstance(node, gast.Assign):
        target = node.targets[0]
        if isinstance(target, gast.Subscript):
            owner = facts.before[id(node)].get(getattr(target.value, "id", ""))
            return isinstance(node.value, gast.Name) and node.value.id == name and not (
                isinstance(target.value, gast.Name) and target.value.id == name) and isinstance(
                container(owner, target.slice), Array)
        if isinstance(node.value, gast.BinOp):
            # A sum of lists holds on to what is in them.
            numbers = (Array, kinds.Number, kinds.Numeric)
            return isinstance(facts.before[id(node)].get(name), numbers) or isinstance(
                facts.after[id(node)].get(getattr(target, "id", "")), numbers)
        if isinstance(node.value, (gast.UnaryOp, gast.Compare)):
            return True
        if isinstance(node.value, gast.Call):
            function, _ = facts.callees.get(id(node.value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            return entry is not None and entry.view == "never" \
                and not written_by(node.value, facts)
        if isinstance(node.value, gast.Subscript):
            kind = facts.after[id(node)].get(getattr(target, "id", ""), kinds.UNKNOWN)
            return isinstance(kind, kinds.Number)
        return False
    if isinstance(node, gast.AugAssign):
        return isinstance(node.value, gast.Name) and node.value.id == name \
            and syntax.root_name(node.target) != name
    return False


def _written_here(node: gast.stmt, facts: Any, aliases: Aliases) -> set[str] | None:
    """The classes that a statement writes to; None where that is not known."""
    found: set[str] = set()
    for call in (n for n in syntax.walk(node) if isinstance(n, gast.Call)):
        function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None:
            return None
        found |= {aliases.find(name) for name in written_by(call, facts)}
    target = syntax.target_of(node)
    if isinstance(node, gast.Delete) or isinstance(target, gast.Attribute):
        return None
    name = syntax.root_name(target) if target is not None else None
    return found if name is None else found | {aliases.find(name)}


def may_write(node: gast.stmt, facts: Any) -> bool:
    """Whether a simple statement may change an array."""
    if isinstance(node, gast.AugAssign):
        name = getattr(node.target, "id", None)
        kind = facts.before[id(node)].get(name, kinds.UNKNOWN) if name else kinds.UNKNOWN
        return not isinstance(kind, kinds.Number)
    if isinstance(node, gast.Delete) or (isinstance(node, gast.Assign) and not isinstance(
            node.targets[0], (gast.Name, gast.Tuple))):
        return True
    for part in syntax.walk(node):
        if isinstance(part, gast.Call):
            function, _ = facts.callees.get(id(part), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            if entry is None or entry.writes or written_by(part, facts):
                return True
    return False


def written_by(call: gast.Call, facts: Any) -> list[str]:
    """Names of arrays that a call changes."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    return [n for part in writers.written(call, function, receiver) for n in roots_of(part)]


def roots_of(node: gast.expr) -> list[str]:
    """Names whose buffers an expression may hand on."""
    if isinstance(node, gast.Name):
        return [node.id]
    if isinstance(node, (gast.Tuple, gast.List)):
        return [n for e in node.elts for n in roots_of(e)]
    if isinstance(node, gast.Dict):
        return [n for e in node.values for n in roots_of(e)]
    if isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        return roots_of(node.value)
    return []
