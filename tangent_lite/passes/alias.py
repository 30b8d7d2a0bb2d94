"""Which names may share a buffer, and which buffers are written to.

>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     v = x[1:]
...     w = x * 2.0
...     v[0] = 2.0
...     return x
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"x": Array(1, "float")}, typer)
>>> aliases = alias(tree, facts, typer, lambda node: None, ["x"])
>>> [name for name in ("x", "v", "w") if aliases.is_written(name)]
['x', 'v']
>>> list(aliases.views)                 # its shadow is a view of that of x
['v']

Names are grouped into classes by union; within a class that is written, each second name must be
bound once, to a view that the shadow can mirror (`y = x`, `v = x[1:]`, `v = x.T`), else AliasError:
the shadows of two names overlap exactly where their buffers do.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax, writers
from tangent_lite.errors import AliasError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.lists import list_change
from tangent_lite.liveness import definitions
from tangent_lite.markers import marker_of
from tangent_lite.runtime_objects import replaced
from tangent_lite.syntax import COMPOUND, statements
from tangent_lite.updates import updates_of
from tangent_lite.views import DECIDED, MANY, MIRRORED, may_share, moved


@dataclass
class Aliases:
    """Classes of names that may share a buffer, and what is known of the classes."""
    beside: bool = False            # tangents live beside the values, and share memory as they do
    parent: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)          # classes, by their first name
    views: dict[str, gast.Assign] = field(default_factory=dict)   # second name -> its binding
    parameters: set[str] = field(default_factory=set)       # classes that hold a parameter
    mutated: set[str] = field(default_factory=set)          # classes that calls change
    momentary: set[str] = field(default_factory=set)        # views consumed before any write
    twins: set[str] = field(default_factory=set)            # classes whose shadows are made in the
    #                                                         forward pass, beside the buffers
    updated: set[str] = field(default_factory=set)          # containers whose parts are replaced
    resized: set[str] = field(default_factory=set)          # lists whose items change
    changes: dict[int, list[str]] = field(default_factory=dict)     # by id of the statement
    twin_views: set[int] = field(default_factory=set)       # values that such a shadow mirrors
    decided: set[str] = field(default_factory=set)          # views that may be copies: the run
    #                                                         decides
    laid_out: set[str] = field(default_factory=set)         # arrays of which they are views
    entry: set[str] = field(default_factory=set)            # copies made on entry
    filled: set[str] = field(default_factory=set)           # classes with lists that calls change

    def find(self, name: str) -> str:
        while name in self.parent:
            name = self.parent[name]
        return name

    def union(self, a: str, b: str) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[b] = a

    def is_written(self, name: str) -> bool:
        return self.find(name) in self.written

    def is_linked(self, name: str) -> bool:
        """Whether what one name of its class receives may be read through another."""
        return self.find(name) in self.written or self.find(name) in self.filled

    def is_mutated(self, name: str) -> bool:
        """Whether a call changes what a name holds: its earlier contents are not at hand."""
        return self.find(name) in self.mutated

    def resize(self, change: Any, node: gast.stmt, held: list[tuple[gast.stmt, str, str]]) -> None:
        """Note that a list changes, and what goes into it."""
        self.resized.add(change.name)
        self.changes.setdefault(id(node), []).append(change.name)
        if change.what != "pop" and change.item is not None:
            names = [n.id for n in syntax.walk(change.item) if isinstance(n, gast.Name)]
            held += [(node, change.name, n) for n in names] or [(node, change.name, change.name)]
        else:
            held.append((node, change.name, change.name))

    def is_resized(self, name: str) -> bool:
        return name in self.resized

    def may_change(self, name: str) -> bool:
        """Whether what a name holds may change while the name stays bound to it."""
        return self.is_written(name) or self.is_resized(name) or self.is_mutated(name)

    def is_twin(self, name: str) -> bool:
        return self.find(name) in self.twins


def may_hold_buffer(kind: kinds.Kind) -> bool:
    """Whether a value may be, or hold, something that can be changed in place."""
    return not isinstance(kind, (kinds.Number, kinds.Text, kinds.Nothing, kinds.RangeKind,
                                 kinds.SliceKind, kinds.Known, kinds.Choice))


def alias(tree: gast.FunctionDef, facts: Any, typer: Typer,
          place: Callable[[gast.AST], Any], parameters: list[str], beside: bool = False) -> Aliases:
    """Group the names of a function; AliasError where a written class cannot be mirrored.

    beside: for forward mode, in which containers of tangents mirror containers of values.
    """
    found = Aliases(beside, momentary=_momentary(tree.body, facts))
    bindings: dict[str, int] = {}
    shared: list[tuple[gast.Assign, str, str, bool | str]] = []
    deleted: list[tuple[str, gast.stmt]] = []
    same_lists: list[tuple[gast.stmt, str, str]] = []
    held: list[tuple[gast.stmt, str, str]] = []         # (statement, list, what goes into it)
    put_back: set[str] = set()                          # parts that are changed and put back
    in_place: list[tuple[gast.stmt, str]] = []          # parts that `+=` may change in place
    for node in statements(tree.body):
        typer.names = facts.before.get(id(node), {})
        if getattr(node, "is_entry_copy", None):
            found.entry.update(definitions(node))
        for name in definitions(node):
            if not (isinstance(node, gast.AugAssign)
                    and isinstance(typer.kind(syntax.load(name)), Array)):      # that is a write
                bindings[name] = bindings.get(name, 0) + 1
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, gast.Attribute):
                found.written.add(syntax.root_name(target) or "")
            change = list_change(node, typer.names)
            if change is not None:
                found.resize(change, node, held)
            elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                    and not isinstance(typer.kind(target.value), kinds.Number):
                found.written.add(target.value.id)
                if isinstance(typer.kind(target.value), (kinds.ListKind, kinds.DictKind,
                                                         kinds.RecordKind)):
                    for name in _roots(node.value):
                        found.union(target.value.id, name)
            names = definitions(node)
            after = facts.after[id(node)]
            changed = updates_of(node.value) or getattr(node.value, "drops", None)
            if changed is not None:
                found.updated.add(changed)
            if changed is not None and getattr(node.value, "put_back", False):
                put_back.add(changed)
            if getattr(node.value, "in_place", False) and names and not isinstance(
                    after.get(names[0]), kinds.Number) and not isinstance(
                    typer.kind(getattr(node.value, "value", None)), Array):
                in_place.append((node, names[0]))
            kept = [n for n in names if may_hold_buffer(after.get(n, kinds.UNKNOWN))]
            if not kept:
                continue
            bases, mirrored = _base(node.value, typer, facts)
            # Tangents are not asked when the program runs whether they are views.
            mirrored = mirrored is True if beside else mirrored
            if beside and _in_container(node.value, typer, facts):
                mirrored = "held"
                if isinstance(node.value, gast.BinOp):
                    bases = _roots(node.value.left) + _roots(node.value.right)
            for one in bases:
                for name in kept:
                    shared.append((node, name, one, isinstance(target, gast.Name) and mirrored))
                    if one != changed and _may_be_same_list(
                            node.value, after.get(name, kinds.UNKNOWN),
                            typer.kind(syntax.load(one))):
                        same_lists.append((node, name, one))
        elif isinstance(node, gast.Expr) and list_change(node, typer.names) is not None:
            found.resize(list_change(node, typer.names), node, held)
        elif isinstance(node, gast.Delete):
            deleted.append((syntax.root_name(node.targets[0]) or "", node))
        elif isinstance(node, gast.AugAssign):
            target = node.target
            owner = target if isinstance(target, gast.Name) else target.value
            if not isinstance(owner, gast.Name):
                continue
            kind = typer.kind(syntax.load(owner.id))
            if isinstance(target, gast.Subscript) or may_hold_buffer(kind):
                found.written.add(owner.id)
        for part in syntax.walk(node) if isinstance(node, (gast.Assign, gast.Expr)) else ():
            if isinstance(part, gast.Call):
                for written in _written_by(part, facts):
                    found.written.add(written)
                if beside:
                    _put_together(part, typer, facts, found)
    scattered = _scattered(tree.body) | moved(tree, shared)
    for _, name, base, _ in shared:
        found.union(base, name)
    found.written = {found.find(name) for name in found.written}
    found.filled = {found.find(name) for name in found.filled}
    for name, node in deleted:
        found.mutated.add(found.find(name))
        outside = sorted(n for n in {*parameters, name} if found.find(n) == found.find(name)
                         and (n in parameters or n not in bindings) and not isinstance(
                             facts.names.get(n), (kinds.Number, Array)))
        if outside:
            raise AliasError(f"{_plain(outside[0])} comes from outside, and a part of it is "
                             "deleted here", place(node), "copy it first, and change the copy")
    for node in statements(tree.body):
        marker = marker_of(node)
        for name in definitions(node) if marker is not None and marker.kind == "enter" else ():
            if found.is_written(name):
                raise AliasError("what a context manager hands out is written to, and others may "
                                 "hold it", place(node), "write to a copy of it")
    _changed_by_calls(tree, facts, found, place, set(parameters) | set(bindings))
    for node in syntax.statements(tree.body):
        target = node.targets[0] if isinstance(node, gast.Assign) else getattr(node, "target", None)
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Attribute) \
                and syntax.root_name(target) not in bindings \
                and syntax.root_name(target) not in parameters:
            raise AliasError(f"{syntax.root_name(target)} is changed, which lives outside the "
                             "function", place(node), "pass the array in, or copy it first")
    for node, name, base, _ in shared:
        if found.is_written(name) and base not in bindings and base not in parameters:
            raise AliasError(f"{_plain(name)} may share memory with {base}, which lives outside "
                             "the function, and is written to in place", place(node),
                             "put .copy() behind what is assigned here")
    _in_place(in_place, found, facts, place, shared)
    brief = _brief(tree.body, found)
    same_lists = _lasting([e for e in same_lists if e[1] not in put_back], brief)
    _lists(tree, found, same_lists, held, place, set(parameters) | set(bindings))
    for name in parameters:
        found.parameters.add(found.find(name))
    for node, name, base, mirrored in shared:
        if not found.is_written(name):
            continue
        if name == base and isinstance(node.value, gast.Name):
            found.twin_views.add(id(node.value))        # `x = x`
            continue
        if name in found.momentary and bindings.get(name) == 1:
            continue
        found.momentary.discard(name)
        # Arrays in a container that was passed in are not copied on entry.
        given = mirrored == "held" and any(found.find(p) == found.find(name) and not isinstance(
            facts.names.get(p), (Array, kinds.Number)) for p in parameters)
        if not mirrored or given:
            raise AliasError(f"{_plain(name)} may share memory with {_plain(base)}, which is "
                             "written to in place", place(node),
                             "put .copy() behind what is assigned here, or do not write to it")
        found.twin_views.add(id(node.value))
        node.value.viewed = base
        if mirrored == "decided":
            found.decided.add(name)
        if bindings.get(name, 0) > 1 or name in parameters or name in scattered or \
                bindings.get(base, 0) > (0 if base in parameters else 1):
            # Who shares with whom changes as the program runs, so the shadows go along with it.
            found.twins.add(found.find(name))
        else:
            found.views[name] = node
    for name in [n for n in found.views if found.is_twin(n)]:
        del found.views[name]
    for name in sorted(found.decided):
        if name not in found.views:
            node = next(n for n, other, _, _ in shared if other == name)
            raise AliasError(f"whether {_plain(name)} is a view or a copy is known only when the "
                             "program runs, and it is bound more than once", place(node),
                             "put .copy() behind what is assigned here, or do not write to it")
        while name in found.views:
            name = syntax.viewed_name(found.views[name].value)
            found.laid_out.add(name)
    return found


MUTATORS = writers.METHODS | {
    "append", "extend", "insert", "pop", "remove", "clear", "reverse", "update",
    "setdefault", "popitem", "add", "discard", "appendleft", "popleft"}


def _may_be_same_list(value: gast.expr, one: kinds.Kind, other: kinds.Kind) -> bool:
    """Whether two names may mean one list, or one means a container that holds the other."""
    containers = (kinds.ListKind, kinds.MapKind, kinds.TupleKind, kinds.DictKind, kinds.RecordKind)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
            and value.func.attr == "copy":
        return False
    if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice):
        return False
    return all(isinstance(k, containers) or k == kinds.UNKNOWN for k in (one, other))


def _brief(body: list[gast.stmt], found: Aliases) -> set[tuple[int, str]]:
    """(statement, name) where the name of a container does not matter: it is used for the last
    time in the statement, or bound there and used up before any container changes."""
    blocks = [body]
    uses: dict[str, int] = {}
    for node in statements(body):
        if isinstance(node, COMPOUND):
            blocks += [node.body, node.orelse]
        for name in _mentioned(node):
            uses[name] = uses.get(name, 0) + 1
    brief: set[tuple[int, str]] = set()
    for block in blocks:
        here: dict[str, list[int]] = {}
        for number, node in enumerate(block):
            if not isinstance(node, COMPOUND):
                for name in _mentioned(node):
                    here.setdefault(name, []).append(number)
        changing = [n for n, node in enumerate(block) if _changes_containers(node, found)]
        for name, spots in here.items():
            first, last = spots[0], spots[-1]
            if len(spots) < uses[name] or name not in definitions(block[first]):
                continue
            brief.add((id(block[last]), name))
            value = getattr(block[last], "value", None)
            if not any(first < n < last for n in changing) and last > first \
                    and last not in changing \
                    and not isinstance(value, (gast.Tuple, gast.List, gast.Dict, gast.Name)):
                brief.add((id(block[first]), name))
    return brief


def _lasting(pairs: list[tuple[gast.stmt, str, str]],
             brief: set[tuple[int, str]]) -> list[tuple[gast.stmt, str, str]]:
    """The pairs in which no name is brief; through a brief name two others may mean one object:
    in `row = rows[0]; q = row["q"]` this goes for q and rows."""
    by_name: dict[str, list[tuple[gast.stmt, str, str]]] = {}
    for pair in pairs:
        for name in pair[1:]:
            by_name.setdefault(name, []).append(pair)
    kept, todo, seen = [], list(pairs), {(a, b) for _, a, b in pairs}
    while todo:
        pair = todo.pop(0)
        node, one, other = pair
        short = [name for name in (one, other) if (id(node), name) in brief]
        if not short:
            kept.append(pair)
        for name in short:
            left = other if name == one else one
            for spot, a, b in by_name.get(name, ()):
                right = b if a == name else a
                if right in (left, name) or {(left, right), (right, left)} & seen:
                    continue
                seen.add((left, right))
                if (id(spot), right) not in brief and (id(node), left) not in brief:
                    todo.append((node, left, right))
                    for end in (left, right):
                        by_name.setdefault(end, []).append((node, left, right))
    return kept


def _mentioned(node: gast.stmt) -> set[str]:
    """Names that stand in a simple statement, or in the head of a compound one."""
    head = [node.iter] if isinstance(node, gast.For) else [node.test] if isinstance(
        node, (gast.If, gast.While)) else [node]
    return {n.id for part in head for n in syntax.walk(part) if isinstance(n, gast.Name)}


def _changes_containers(node: gast.stmt, found: Aliases) -> bool:
    return any(id(n) in found.changes or updates_of(getattr(n, "value", None)) is not None
               or getattr(getattr(n, "value", None), "drops", None) is not None
               for n in statements([node]))


def _in_place(parts: list[tuple[gast.stmt, str]], found: Aliases, facts: Any,
              place: Callable[[gast.AST], Any],
              shared: list[tuple[gast.Assign, str, str, bool | str]]) -> None:
    """`body.x += v` was written as a binding: nobody else may hold the array."""
    ours = {name for _, name in parts}
    for node, name in parts:
        mates = [n for n, kind in facts.names.items() if n not in ours
                 and found.find(n) == found.find(name)
                 and not isinstance(kind, (kinds.DictKind, kinds.RecordKind, kinds.Number))]
        if mates:
            raise AliasError(f"{_plain(mates[0])} may be the array that is changed here",
                             place(node), "write x = x + v in place of x += v")


def _lists(tree: gast.FunctionDef, found: Aliases, same: list[tuple[gast.stmt, str, str]],
           held: list[tuple[gast.stmt, str, str]], place: Callable[[gast.AST], Any],
           inside: set[str]) -> None:
    """A list that changes has one name, and what is in it is not written to."""
    for node, one, other in same:
        for name in (one, other):
            if name in found.updated or name in found.resized:
                raise AliasError(f"{_plain(one)} and {_plain(other)} may be one object, or one "
                                 f"holds the other, and {_plain(name)} is changed", place(node),
                                 "put .copy() behind what is assigned here, or use one name")
    for node, name, item in held:
        if name not in inside:
            raise AliasError(f"{_plain(name)} comes from outside and is changed here", place(node),
                             "copy it first, and change the copy")
        if found.is_written(item) and not found.beside:
            raise AliasError(f"{_plain(item)} goes into the list {_plain(name)}, and is written to "
                             "in place", place(node), f"put {_plain(item)}.copy() into the list")
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.For):
            below = list(syntax.statements(node.body))
            for one in below:
                value: Any = getattr(one, "value", None)
                if getattr(value, "iterates", False) and any(
                        name == getattr(value.value, "id", None)
                        for other in below for name in found.changes.get(id(other), ())):
                    raise AliasError(f"{_plain(value.value.id)} is changed while it is looped over",
                                     place(node), "loop over a copy of it")


def _changed_by_calls(tree: gast.FunctionDef, facts: Any, found: Aliases,
                      place: Callable[[gast.AST], Any], inside: set[str]) -> None:
    """Note what calls change; what came from outside must not be changed by them."""
    given = set(syntax.parameter_names(tree.args))
    for node in syntax.statements(tree.body):
        parts = [node.iter] if isinstance(node, gast.For) else \
            [node.test] if isinstance(node, (gast.If, gast.While)) else [node]
        for call in (c for p in parts for c in syntax.walk(p) if isinstance(c, gast.Call)):
            if hasattr(call, "marker"):
                continue
            names = _written_by(call, facts)
            if id(node) in found.changes:
                continue
            if isinstance(call.func, gast.Attribute) and call.func.attr in MUTATORS:
                root = syntax.root_name(call.func.value)
                kind = facts.names.get(root, kinds.UNKNOWN) if root else kinds.UNKNOWN
                if root is not None and (root in inside or not _is_module(root, call, facts)) \
                        and not isinstance(kind, (kinds.Number, kinds.Text, kinds.Known)):
                    names.append(root)
            for name in names:
                found.mutated.add(found.find(name))
                origin = [n for n in (given | {name}) if found.find(n) == found.find(name)]
                outside = [n for n in origin if n in given or n not in inside]
                if outside:
                    raise AliasError(f"{_plain(sorted(outside)[0])} comes from outside and is "
                                     "changed by this call", place(call),
                                     "copy it first, and change the copy")
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            for part in writers.may_change(call, function):
                found.mutated |= {found.find(n) for n in _roots(part) if may_hold_buffer(
                    facts.names.get(n, kinds.UNKNOWN))}


def _is_module(name: str, call: gast.Call, facts: Any) -> bool:
    """Whether `name.attr(...)` is a function of a module, as in np.add(x, y)."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    return function is not NO_OBJECT and receiver is None


def _plain(name: str) -> str:
    """The name as the user wrote it, without the number of a version."""
    return re.sub(r"_\d+$", "", name) or name


def _scattered(body: list[gast.stmt]) -> set[str]:
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


def _momentary(body: list[gast.stmt], facts: Any) -> set[str]:
    """Names bound to a view that is used up, in its own block, before anything is written.

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
            for name in syntax.walk(part):
                if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Load):
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
            if _may_write(node, facts):
                open_views.clear()
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                    and isinstance(node.value, (gast.Subscript, gast.Attribute, gast.Call)):
                open_views[node.targets[0].id] = 0
    return found


def _consumes(node: gast.stmt, name: str, facts: Any) -> bool:
    """Whether a statement takes the numbers of an array and does not hold on to the array."""
    if isinstance(node, gast.Assign):
        target = node.targets[0]
        if isinstance(target, gast.Subscript):
            return isinstance(node.value, gast.Name) and node.value.id == name and not (
                isinstance(target.value, gast.Name) and target.value.id == name) and isinstance(
                facts.before[id(node)].get(getattr(target.value, "id", "")), Array)
        if isinstance(node.value, (gast.BinOp, gast.UnaryOp, gast.Compare)):
            return True
        if isinstance(node.value, gast.Call):
            function, _ = facts.callees.get(id(node.value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            return entry is not None and entry.view == "never" \
                and not _written_by(node.value, facts)
        if isinstance(node.value, gast.Subscript):
            kind = facts.after[id(node)].get(getattr(target, "id", ""), kinds.UNKNOWN)
            return isinstance(kind, kinds.Number)
        return False
    if isinstance(node, gast.AugAssign):
        return isinstance(node.value, gast.Name) and node.value.id == name and not (
            isinstance(node.target, gast.Name) and node.target.id == name)
    return False


def _may_write(node: gast.stmt, facts: Any) -> bool:
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
            if entry is None or entry.writes or _written_by(part, facts):
                return True
    return False



def _roots(node: gast.expr) -> list[str]:
    """Names whose buffers an expression may hand on."""
    if isinstance(node, gast.Name):
        return [node.id]
    if isinstance(node, (gast.Tuple, gast.List)):
        return [n for e in node.elts for n in _roots(e)]
    if isinstance(node, gast.Dict):
        return [n for e in node.values for n in _roots(e)]
    if isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        return _roots(node.value)
    return []


def _base(node: gast.expr, typer: Typer, facts: Any) -> tuple[list[str], bool | str]:
    """Names that a value may share memory with, and whether a shadow can mirror how: yes, no, or
    "decided" by whether it is a view as the program runs."""
    if isinstance(node, gast.Name):
        return [node.id], True
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        owner = typer.kind(node.value)
        if isinstance(owner, (Array, kinds.Numeric)):
            kind = typer.index_class(node.slice)
            if kind in ("mask", "array"):
                return [], True
            return [node.value.id], kind == "basic" and isinstance(owner, Array)
        return [node.value.id], False
    if isinstance(node, gast.Attribute):
        if node.attr in ("shape", "ndim", "size", "dtype"):
            return [], True
        owner = typer.kind(node.value)
        return _roots(node.value), node.attr == "T" and isinstance(owner, Array)
    if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
        return _roots(node), False
    if hasattr(node, "marker"):
        return sorted(syntax.read_names(node)), False
    if isinstance(node, gast.Call):
        function, receiver = facts.callees.get(id(node), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        arguments = ([receiver] if receiver is not None else []) + node.args
        if entry is not None and (entry.adjoint or entry.constant or entry.tangent):
            if not may_share(function, node, entry, typer):
                return [], True
            if function in MANY or not arguments:
                everything = arguments + [k.value for k in node.keywords]
                return [n for a in everything for n in _roots(a)], False
            roots = _roots(arguments[0])
            if len(roots) != 1 or not isinstance(arguments[0], gast.Name) \
                    or not isinstance(typer.kind(arguments[0]), Array):
                return roots, False
            if function in MIRRORED or (function in (np.asarray, np.asanyarray)
                                        and len(arguments) + len(node.keywords) == 1):
                return roots, True
            return roots, "decided" if function in DECIDED else False
        if isinstance(function, type) or getattr(node, "is_pure", False):
            return [n for a in arguments + [k.value for k in node.keywords] for n in _roots(a)] \
                if not getattr(node, "is_pure", False) else [], False
        return [n for a in arguments + [k.value for k in node.keywords] for n in _roots(a)], False
    if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)):
        return [], True
    return [n.id for n in syntax.walk(node) if isinstance(n, gast.Name)], False


def _written_by(call: gast.Call, facts: Any) -> list[str]:
    """Names of arrays that a call changes."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    return [n for part in writers.written(call, function, receiver) for n in _roots(part)]


def _put_together(call: gast.Call, typer: Typer, facts: Any, found: Aliases) -> None:
    """`xs.append(x)`: the list is changed, and holds from now on what x holds."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    owner = syntax.root_name(receiver) if receiver is not None else None
    if owner is None or getattr(function, "__objclass__", None) not in (list, dict):
        return
    found.filled.add(owner)
    for argument in call.args:
        for name in _roots(argument):
            if may_hold_buffer(typer.names.get(name, kinds.UNKNOWN)):
                found.union(owner, name)


# Whether their results share memory with what they are given depends on shapes and types alone, so
# it is so for tangents where it is so for values.
SHARED_ALIKE = (runtime.unbroadcast, runtime.unreduce, runtime.match, runtime.through_dtype,
                np.broadcast_to, np.expand_dims, np.squeeze, np.asarray, np.atleast_1d,
                np.atleast_2d, np.ndarray.squeeze)


def _in_container(node: gast.expr, typer: Typer, facts: Any) -> bool:
    """Whether a value is a container, or what one holds: the tangents share memory in one way."""
    if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
        return True
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return isinstance(typer.kind(node.value), (kinds.ListKind, kinds.TupleKind, kinds.DictKind,
                                                   kinds.MapKind, kinds.RecordKind))
    if isinstance(node, gast.BinOp):
        return any(isinstance(typer.kind(p), (kinds.ListKind, kinds.TupleKind))
                   for p in (node.left, node.right))
    if isinstance(node, gast.Call):
        function, _ = facts.callees.get(id(node), (NO_OBJECT, None))
        return isinstance(function, type) or function in SHARED_ALIKE or function is replaced or \
            getattr(function, "__objclass__", None) in (list, dict)
    return False
