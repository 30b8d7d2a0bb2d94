"""Call an object, or a dict, by one name wherever it is known which one is meant.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.passes.infer import infer
>>> class Layer: pass
>>> class Scale: pass
>>> tree = gast.parse('''
... def f(first, second, x):
...     layers = (first, second)
...     layer = layers[0]
...     layer = replaced(layer, x=x)
...     layer = layers[1]
...     layer = replaced(layer, y=x)
...     return layer.y * first.x
... ''').body[0]
>>> for number, name in ((2, "layer"), (4, "layer")):
...     tree.body[number].value.updates = name
>>> given = {"first": kinds.RecordKind(Layer, ("x",), (kinds.FLOAT,)),
...          "second": kinds.RecordKind(Scale, ("y",), (kinds.FLOAT,)), "x": kinds.FLOAT}
>>> from tangent_lite.runtime.objects import replaced
>>> typer = Typer({}, {"replaced": replaced}.get)
>>> from tangent_lite.passes.versions import versions
>>> numbered = versions(tree)
>>> one_object(tree, numbered, infer(numbered, given, typer), typer, Names({"f"}))
True
>>> print(emit(tree), end="")
def f(first, second, x):
    first = replaced(first, x=x)
    second = replaced(second, y=x)
    return x * x

A change of an object is a new value of one variable: where it has a second name, or is held by a
tuple or by another object, that would still be what it was. The way that a function takes is
followed with what is known of its names: which of them means which object, of which objects a tuple
consists, and what is held by an attribute. Where that is lost - a name is bound anew further in, or
a loop is left - the second name is bound to what the object has become, and the passes behind see
to it that nobody reads what is out of date.
"""
from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aggregates import part_of
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.mentions import head
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.markers import is_attempt
from tangent_lite.names import Names, stem
from tangent_lite.structures.meanings import (
    UNKNOWN,
    Atom,
    Known,
    Row,
    expression,
    mentions,
    without,
)
from tangent_lite.structures.updates import change_of, changed_parts
from tangent_lite.syntax.scopes import names_inside

_NUMBERED = re.compile(r"t(_\d+)?")             # names that say nothing
_OBJECTS = (kinds.DictKind, kinds.RecordKind)
_LEAVING = (gast.Break, gast.Continue)


def one_object(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
               typer: Typer, names: Names, users: Container[str] = ()) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    users: names of the user.
    """
    if not _changes_others(tree):
        return False
    versions = dict(zip(map(id, syntax.statements(tree.body)), syntax.statements(numbered.body),
                        strict=True))
    before = syntax.copy(tree)
    captured = names_inside(tree)
    writer = _Writer(versions, facts, typer, captured | syntax.lazily_read(tree))
    writer.block(tree.body, Known(), None)
    writer.forget_unread(tree)
    called = _saying_more(writer.second, names, users, {n.id for n in syntax.names_in(tree)}, typer)
    if called:
        syntax.Rename(called).visit(tree)
    return not syntax.same(tree, before)


def _saying_more(second: list[tuple[str, str]], names: Names, users: Container[str],
                 still: set[str], typer: Typer) -> dict[str, str]:
    """What objects are called that have names of ours: what the user calls them, where that is one
    name for one object, or any that says something. second: (another name, the object); still: the
    names that stand in the tree, of what is gone they are free again."""
    called: dict[str, str] = {}
    for one in dict.fromkeys(one for _, one in second if one not in users):
        others = list(dict.fromkeys(other for other, meant in second if meant == one))
        theirs = [other for other in others if other in users]
        if len(theirs) == 1 and {meant for other, meant in second if other in theirs} == {one}:
            wishes = theirs
        elif _NUMBERED.fullmatch(one):
            other = min(others, key=len)
            wishes = [] if _NUMBERED.fullmatch(other) else [stem(other), other]
        else:
            continue
        free = [wish for wish in wishes if wish not in still
                and (wish in users or typer.object_of(syntax.load(wish)) is NO_OBJECT)]
        if free or (wishes and wishes is not theirs):
            called[one] = free[0] if free else names.fresh(wishes[0])
            still.add(called[one])
    return called


def _changes_others(tree: gast.FunctionDef) -> bool:
    """Whether something changes that may have another name: that of another thing, or a place in a
    tuple; or a part is read that has been given one."""
    changed: set[str] = set()
    second: set[str] = set()
    parts: set[tuple[str, Any]] = set()
    for node in syntax.statements(tree.body):
        if not isinstance(node, gast.Assign):
            continue
        owner = change_of(node.value)
        if owner is not None:
            changed.add(owner)
            parts |= {(owner, key) for (_, key), _ in changed_parts(node.value)}
        elif isinstance(node.targets[0], gast.Name):
            value = node.value
            if isinstance(value, gast.Tuple):
                second |= {n.id for n in value.elts if isinstance(n, gast.Name)}
            elif isinstance(value, gast.Name):
                second |= {node.targets[0].id, value.id}
            elif isinstance(value, (gast.Subscript, gast.Attribute)):
                second.add(node.targets[0].id)
    return not changed.isdisjoint(second) or (bool(parts) and any(
        part_of(node) in parts for node in syntax.all_of(tree, gast.Attribute, gast.Subscript)))


class _Writer:
    def __init__(self, versions: Mapping[int, gast.stmt], facts: Inferred, typer: Typer,
                 captured: set[str]) -> None:
        self.versions, self.facts, self.typer = versions, facts, typer
        self.captured = captured
        # What arrays were changed to in place, as the parts of objects that these are.
        self.grown: set[str] = set()
        self.attempts = 0               # around what is rewritten: left after any statement
        self.depth = 0                  # of loops around what is rewritten
        self.made: dict[str, int] = {}  # of objects, in how many loops they were bound
        self.second: list[tuple[str, str]] = []     # second names, and the objects that have them
        # Statements that may go where nobody reads what they bind.
        self.removable: list[gast.Assign] = []

    def block(self, block: list[gast.stmt], known: Known, loop: Known | None) -> None:
        """Rewrite a block, in place. loop: what was known where the loop around it began."""
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, syntax.COMPOUND):
                self.compound(node, out, known, loop)
            elif isinstance(node, _LEAVING):
                self.bind_back(out, known, {} if loop is None else loop.names, node)
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                if not self.assigned(node, out, known):
                    continue
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple):
                if self.unpacked(node, out, known):
                    continue
            else:
                self.other(node, out, known)
            out.append(node)
        block[:] = out or [syntax.copy_place(gast.Pass(), one) for one in block[:1]]

    def compound(self, node: Any, out: list[gast.stmt], known: Known,
                 loop: Known | None) -> None:
        """A branch or a loop: what is bound anew in it is known no more, and what holds others
        anew."""
        if isinstance(node, gast.For):
            node.iter = _Reader(self, known).visit(node.iter)
        for one in syntax.statements([node]):
            self.forget_changed(one, known)
        bound = {name for one in syntax.statements([node]) if not _is_change(one)
                 for name in _bound(one)}
        for name in sorted(bound):
            self.rebound(name, out, known, node)
        if not isinstance(node, gast.For):
            node.test = _Reader(self, known).visit(node.test)
        around = loop if isinstance(node, gast.If) else known.copy()
        self.attempts += is_attempt(node)
        self.depth += not isinstance(node, gast.If)
        for block in (node.body, node.orelse):
            inside = known.copy()
            self.block(block, inside, around)
            if not (block and isinstance(block[-1], (*_LEAVING, gast.Return))):
                self.bind_back(block, inside, known.names, node)
        self.attempts -= is_attempt(node)
        self.depth -= not isinstance(node, gast.If)

    def other(self, node: gast.stmt, out: list[gast.stmt], known: Known) -> None:
        """A statement that binds no name, or others."""
        if isinstance(node, (gast.AugAssign, gast.Delete)):     # which want the name to be bound
            for name in _bound(node):
                if name in known.others():
                    self.bind(name, known.names[name], out, node)
                known.forget_all_of({name, known.others().get(name, name)})
        self.read(node, known)
        self.forget_changed(node, known)
        for name in _bound(node):
            self.rebound(name, out, known, node)

    def assigned(self, node: gast.Assign, out: list[gast.stmt], known: Known) -> bool:
        """A statement that binds one name; whether it stays."""
        target: Any = node.targets[0]
        name, value = target.id, node.value
        if _is_change(node):
            own = known.names.get(name, name)
            found = [(step, self.meaning(part, known, node)) for step, part in
                     changed_parts(value)] \
                if change_of(value) is not None and self.is_object(node) else []
            self.read(node, known)
            self.forget_changed(node, known)
            if not isinstance(own, str):
                self.rebound(name, out, known, node)
                return True
            target.id = own
            if change_of(value) is not None:
                value.updates = own
                # What a loop changes from round to round is a variable by the name of the part.
                is_carried = self.made.get(own, 0) < self.depth
                for step, meant in found:
                    if isinstance(meant, Atom) and (
                            is_carried or getattr(meant.node, "id", None) in self.grown):
                        continue
                    if meant is not None:
                        known.held[own, step] = meant
            elif getattr(value, "drops", None):
                value.drops = own
            return True
        if isinstance(value, gast.Name) and known.names.get(value.id, value.id) \
                == known.names.get(name, name):
            return name not in known.names and value.id == name     # it is that one already
        meant = None if name in self.captured else self.meaning(value, known, node)
        if hasattr(value, "of_part") and not isinstance(self.kind(node, value), kinds.Number):
            self.grown.add(name)
        self.read(node, known)
        self.forget_changed(node, known)
        self.rebound(name, out, known, node)
        if isinstance(meant, Row):
            known.names[name] = without(meant, name)
            self.removable.append(node)
            return True
        if not isinstance(meant, str) or self.attempts:
            self.made[name] = self.depth
            return True
        known.names[name] = meant
        self.second.append((name, meant))
        return False                            # it is bound where it is lost which one is meant

    def unpacked(self, node: gast.Assign, out: list[gast.stmt], known: Known) -> bool:
        """`name, layer = pairs[0]`; whether other statements have taken its place."""
        targets: Any = node.targets[0].elts
        names = [getattr(one, "id", "") for one in targets]
        meant = self.meaning(node.value, known, node)
        if not isinstance(meant, Row) or len(meant.parts) != len(names) \
                or len({*names}) < len(names) or "" in names or {*names} & self.captured \
                or any(mentions(meant, name) for name in names) or None in meant.parts \
                or self.attempts:
            self.other(node, out, known)
            return False
        self.read(node, known)
        for name in names:
            self.rebound(name, out, known, node)
        for name, part in zip(names, meant.parts):
            if not isinstance(part, Atom):
                known.names[name] = part
            if not isinstance(part, str):
                made = syntax.placed(syntax.assign(name, expression(part)), node)
                out.append(made)
                if isinstance(part, Row):
                    self.removable.append(made)
        return True

    def rebound(self, name: str, out: list[gast.stmt], known: Known, place: gast.stmt) -> None:
        """A name is bound anew behind: another name of its object is bound to what that is now, and
        all others are names of that one; so is the name itself where it might be read before."""
        if name in known.others() and isinstance(place, syntax.COMPOUND):
            self.bind(name, known.names[name], out, place)
        others = [other for other, one in known.others().items() if one == name]
        if others:
            self.bind(others[0], name, out, place)
            del known.names[others[0]]
            known.call(name, others[0])
        known.forget(name)

    def bind_back(self, block: list[gast.stmt], known: Known, kept: Mapping[str, Any],
                  place: gast.stmt) -> None:
        """At the end of a block, bind the second names that are not known behind it."""
        for other, one in known.others().items():
            if kept.get(other) != one:
                self.bind(other, one, block, place)

    def bind(self, other: str, one: str, block: list[gast.stmt], place: gast.stmt) -> None:
        made = syntax.placed(syntax.assign(other, syntax.load(one)), place)
        block.append(made)
        self.removable.append(made)

    def read(self, node: gast.stmt, known: Known) -> None:
        """Rewrite what a statement reads, in place."""
        reader = _Reader(self, known)
        inside = getattr(syntax.target_of(node), "part_of", None)
        if inside is not None:              # where what is changed here is put back
            syntax.Rename(known.others()).visit(inside)
        for name, part in gast.iter_fields(node):
            if isinstance(part, gast.AST):
                setattr(node, name, reader.visit(part))
            elif isinstance(part, list):
                part[:] = [reader.visit(one) if isinstance(one, gast.AST) else one for one in part]

    def forget_changed(self, node: gast.stmt, known: Known) -> None:
        """Forget what is held where a statement may put other things. Two objects of which it is
        not known may be one, so that it is the name of the part that counts."""
        if not known.held:
            return
        value: Any = getattr(node, "value", None)
        target = syntax.target_of(node) if not isinstance(node, syntax.COMPOUND) else None
        if change_of(value) is not None:
            for step, _ in changed_parts(value):
                known.forget_parts(step)
        elif getattr(value, "drops", None):
            known.held.clear()
        targets = node.targets if isinstance(node, gast.Delete) else [target]
        for one in targets:
            if isinstance(one, gast.Attribute):
                known.forget_parts((".", one.attr))
            elif isinstance(one, gast.Subscript):
                known.forget_parts(("[", _constant(one.slice)))
        if any(syntax.all_of(part, gast.Call) for part in gast.iter_child_nodes(node)
               if isinstance(part, gast.expr)) and change_of(value) is None:
            # What is called, and has not been written out, may be a method that changes it.
            given = {owner for owner, _ in known.held} & {
                n.id for part in gast.iter_child_nodes(node) if isinstance(part, gast.expr)
                for n in syntax.names_in(part)}
            known.forget_all_of(given)

    def meaning(self, node: Any, known: Known, at: gast.stmt | None = None) -> Any:
        """What an expression means: an object, by its name, or a row, or an `Atom`; None if that
        is not known. at: the statement in which it stands."""
        if isinstance(node, gast.Name):
            if node.id in known.names:
                return known.names[node.id]
            if node.id in self.captured:
                return None
            return node.id if at is None else self.of_kind(node, self.kind(at, node))
        if isinstance(node, gast.Tuple):
            return self.of_kind(node, self.kind(at, node), known) if at is not None else None
        if isinstance(node, gast.Subscript):
            owner = self.meaning(node.value, known)
            key = _constant(node.slice)
            if isinstance(owner, Row) and type(key) is int \
                    and -len(owner.parts) <= key < len(owner.parts):
                return owner.parts[key]
            return known.held.get((owner, ("[", key))) if isinstance(owner, str) else None
        if isinstance(node, gast.Attribute):
            owner = self.meaning(node.value, known)
            return known.held.get((owner, (".", node.attr))) if isinstance(owner, str) else None
        return None

    def of_kind(self, node: Any, kind: kinds.Kind, known: Known | None = None) -> Any:
        """What a name that is not another one's, or a written tuple, means."""
        if isinstance(node, gast.Name):
            found = known.names.get(node.id) if known is not None else None
            if found is not None or node.id in self.captured:
                return found
            return node.id if isinstance(kind, _OBJECTS) else Atom(node)
        if isinstance(node, gast.Constant):
            return Atom(node)
        if not isinstance(node, gast.Tuple) or not isinstance(kind, kinds.TupleKind) \
                or len(kind.items) != len(node.elts):
            return None
        return Row(tuple(self.of_kind(*both, known) for both in zip(node.elts, kind.items)))

    def is_object(self, at: gast.stmt) -> bool:
        """Whether what a statement changes is an object or a dict, each key of which is known."""
        seen: Any = self.versions.get(id(at))
        return seen is not None and isinstance(
            self.facts.after.get(id(seen), {}).get(seen.targets[0].id), _OBJECTS)

    def kind(self, at: gast.stmt, node: gast.expr) -> kinds.Kind:
        """The kind of what stands in a statement, which is not rewritten yet."""
        version = self.versions.get(id(at))
        if version is None or id(version) not in self.facts.before:
            return kinds.UNKNOWN
        both = zip(gast.walk(at), gast.walk(version))
        seen: Any = next((two for one, two in both if one is node), None)
        self.typer.names = self.facts.before[id(version)]
        return self.typer.kind(seen) if seen is not None else kinds.UNKNOWN

    def forget_unread(self, tree: gast.FunctionDef) -> None:
        """Leave out what binds second names, and tuples, that nobody reads any more."""
        if not self.removable:
            return
        binding = {id(one) for one in self.removable}
        read = {n.id for one in syntax.statements(tree.body) if id(one) not in binding
                for n in syntax.names_in(head(one))
                if isinstance(n.ctx, gast.Load)}
        gone = self.removable
        while kept := [one for one in gone if one.targets[0].id in read]:
            read.update(*(syntax.read_names(one) for one in kept))
            gone = [one for one in gone if one.targets[0].id not in read]
        unread = {id(one) for one in gone}
        for block in syntax.all_blocks(tree) if gone else ():
            block[:] = [one for one in block if id(one) not in unread] or [
                syntax.copy_place(gast.Pass(), block[0])]


class _Reader(syntax.Transformer):
    """Second names, and places in tuples and objects, by the names of what is meant."""

    def __init__(self, writer: _Writer, known: Known) -> None:
        self.writer, self.known = writer, known

    def visit_Name(self, node: gast.Name) -> gast.expr:
        found = self.known.names.get(node.id)
        return gast.copy_location(syntax.load(found), node) \
            if isinstance(found, str) and isinstance(node.ctx, gast.Load) else node

    def visit_Call(self, node: gast.Call) -> gast.expr:
        if len(node.args) == 1 and self.writer.typer.object_of(node.func) is len:
            found = self.writer.meaning(node.args[0], self.known)
            if isinstance(found, Row):
                return gast.copy_location(syntax.constant(len(found.parts)), node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        return self.part(node)

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        return self.part(node)

    def part(self, node: Any) -> gast.expr:
        if isinstance(node.ctx, gast.Load):
            found = self.writer.meaning(node, self.known)
            # What `part += v` changes is to be seen as the part that it is.
            if isinstance(found, str) or (
                    isinstance(found, Atom) and not hasattr(node, "in_place")):
                return gast.copy_location(expression(found), node)
        self.generic_visit(node)
        return node


def _bound(node: gast.stmt) -> list[str]:
    """The names that a statement itself binds."""
    if isinstance(node, (gast.Assign, gast.AugAssign, gast.For)):
        return syntax.bound_names(syntax.target_of(node))
    if isinstance(node, gast.Delete):
        return [n.id for one in node.targets for n in syntax.names_in(one)
                if not isinstance(n.ctx, gast.Load)]
    return []


def _is_change(node: gast.stmt) -> bool:
    """`box = replaced(box, T=v)`, which is one object in the text of the user."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return False
    name = node.targets[0].id
    return change_of(node.value) == name or getattr(node.value, "drops", None) == name


def _constant(index: Any) -> Any:
    """The number or key that an index is; `UNKNOWN` if it is none."""
    if isinstance(index, gast.UnaryOp) and isinstance(index.op, gast.USub) \
            and type(getattr(index.operand, "value", None)) is int:
        return -index.operand.value
    return index.value if isinstance(index, gast.Constant) else UNKNOWN
