"""Keep a list of objects as a list for each of their attributes, where the objects change.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, INT, ListKind
>>> from tangent_lite.passes.infer import infer
>>> from tangent_lite.passes.versions import versions
>>> tree = gast.parse('''
... def f(xs, n):
...     bodies = []
...     for i in range(n):
...         x = xs[i]
...         body = {"x": x, "v": 0.0}
...         bodies.append(body)
...     for i in range(n):
...         body = bodies[i]
...         x = body["x"]
...         body = {**body, "v": x}
...     body = bodies[0]
...     v = body["v"]
...     return v
... ''').body[0]
>>> tree.body[2].body[2].value.updates = "body"
>>> typer = Typer({}, {"range": range, "len": len}.get)
>>> numbered = versions(tree)
>>> facts = infer(numbered, {"xs": ListKind(FLOAT), "n": INT}, typer)
>>> columns(tree, numbered, facts, typer, Names(syntax.all_names(tree)),
...         lambda thing, wish: syntax.load(wish), [])
True
>>> print(emit(tree), end="")
def f(xs, n):
    bodies_x = []
    bodies_v = []
    for i in range(n):
        x = xs[i]
        body_x = x
        body_v = 0.0
        bodies_x.append(body_x)
        bodies_v.append(body_v)
    for i in range(n):
        x = bodies_x[i]
        bodies_v[i] = x
    v = bodies_v[0]
    return v

An object that has a name is then its place in the list, and what changes is an element of a list
of numbers or arrays, of which everything is known. That is the structure of arrays that an array of
structures becomes. `tables` tells where that is all there is to the list and its objects.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.aggregates import given, part_of
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import count_bindings
from tangent_lite.inference import Typer
from tangent_lite.names import Names
from tangent_lite.structures.updates import Inject, updates_of
from tangent_lite.tables import (
    Layout,
    Table,
    is_from_end,
    is_identity,
    is_reversed,
    part_within,
)
from tangent_lite.tables.layout import Finder


def columns(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
            names: Names, external: Inject, wanted: list[gast.expr],
            taken: list[str] | None = None) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    external: gives a name to what lives outside; wanted: gets what has to be written out before:
    calls of functions that are given such a list or an object of it, or give one, and
    comprehensions; taken: gets the parameters that are such lists, None: they must stay.
    """
    finder = Finder(numbered, tree, facts, typer, taken is not None)
    layouts = finder.layouts()
    for layout in layouts:
        if not layout.calls:
            _Columns(layout, facts, typer, names, external).rewrite(tree, numbered)
            if layout.table.given and taken is not None:
                taken.append(layout.table.name)
            return True         # the others are looked for again, in what is there then
    wanted += [*finder.wanted, *(call for layout in layouts for call in layout.calls)]
    return bool(wanted)


class _Columns:
    """Writes one list of objects as lists of their parts."""

    def __init__(self, layout: Layout, facts: Inferred, typer: Typer, names: Names,
                 external: Inject) -> None:
        self.layout, self.facts, self.typer, self.names = layout, facts, typer, names
        self.external = external
        self.fresh = {name: k for k, group in enumerate(layout.fresh) for name in group.names}
        self.rows = {name: k for k, group in enumerate(layout.rows) for name in group.names}
        self.known: dict[Any, str] = {}
        self.now = 0                    # the statement, of the versions, that is rewritten

    def rewrite(self, tree: gast.FunctionDef, numbered: gast.FunctionDef) -> None:
        versions = dict(zip(map(id, syntax.statements(tree.body)),
                            syntax.statements(numbered.body), strict=True))
        for block in syntax.all_blocks(tree):
            made: list[gast.stmt] = []
            for node in block:
                parts = self.statement(node, versions[id(node)])
                made += [node] if parts is None else [
                    syntax.copy_place(part, node) for part in parts]
            block[:] = made or [syntax.copy_place(gast.Pass(), block[0])]
        if self.layout.table.given:
            tree.body[:0] = self.taken_apart()
        for selection in self.layout.selections:
            _loop_over(tree, self.selection(selection))

    def taken_apart(self) -> list[gast.stmt]:
        """The columns of a list that is a parameter."""
        whole, load = self.layout.table.name, syntax.load
        place, row, stop = (self.names.fresh(wish) for wish in ("k", f"{whole}_k", "stop"))
        made = [syntax.assign(self.column(key), gast.List([], gast.Load()))
                for key in self.layout.columns]
        body = [syntax.assign(row, syntax.subscript(load(whole), load(place)))]
        for key in self.layout.columns:
            part = self.names.fresh(f"{row}_{key}" if str(key).isidentifier() else "part")
            body += [syntax.assign(part, self.part_of_given(load(row), key)),
                     syntax.statement(syntax.method(load(self.column(key)), "append", load(part)))]
        loop = gast.For(syntax.store(place), self.builtin(range, load(stop)), body, [], None)
        return [*made, syntax.assign(stop, self.builtin(len, load(whole))), loop]

    def part_of_given(self, row: gast.expr, key: Any) -> gast.expr:
        return syntax.attribute(row, key) if self.layout.of_objects \
            else syntax.subscript(row, syntax.constant(key))

    def is_fresh(self, name: str) -> bool:
        """Whether a name means an object that has not joined the list yet."""
        return name in self.fresh and self.now not in self.layout.fresh[self.fresh[name]].behind

    def is_row(self, name: str) -> bool:
        return name in self.rows or (name in self.fresh and not self.is_fresh(name))

    def numbered(self, name: str, version: str) -> list[gast.stmt]:
        """The place of an object that has joined the list, if it is used behind that."""
        if not self.layout.fresh[self.fresh[version]].is_used:
            return []
        last = syntax.binary(self.length(), "-", syntax.constant(1))
        return [syntax.assign(self.row(name, version), last)]

    # Statements ---------------------------------------------------------------------------------
    def statement(self, node: Any, version: Any) -> list[gast.stmt] | None:
        """What is there instead of a statement; None where it stays, with other parts."""
        table, load, assign = self.layout.table, syntax.load, syntax.assign
        self.now = id(version)
        value: Any = getattr(node, "value", None)
        known: Any = getattr(version, "value", None)
        target = getattr(version, "targets", [None])[0]
        name = getattr(target, "id", "")
        if any(version is one for one in table.made):
            return [assign(self.column(key), gast.List([
                load(self.own(plain.id, one.id, key)) for plain, one in
                zip(value.elts, known.elts)], gast.Load())) for key in self.layout.columns] \
                + [assign(self.row(plain.id, one.id), syntax.constant(number))
                   for number, (plain, one) in enumerate(zip(value.elts, known.elts))
                   if self.layout.fresh[self.fresh[one.id]].is_used]
        for selection in self.layout.selections:
            made = self.selected(selection, node, version)
            if made is not None:
                return [made]
        if any(version is one for one, _ in table.joining):
            return [syntax.statement(syntax.method(load(self.column(key)), "append", load(self.own(
                value.args[0].id, known.args[0].id, key)))) for key in self.layout.columns] \
                + self.numbered(value.args[0].id, known.args[0].id)
        if any(version is one for each in (table, *self.layout.selections)
               for one in each.returned):
            return []
        if self.is_fresh(name):
            if isinstance(known, gast.Name):
                return []
            return [assign(self.own(node.targets[0].id, name, key), self.within(part, one))
                    for key, part, one in self.given(value, known)]
        if self.is_row(name):
            if updates_of(known) is not None:
                place = self.place(updates_of(value), updates_of(known))
                return [assign(syntax.subscript(load(self.column(key)), syntax.copy(place),
                                                gast.Store()), self.within(part, one))
                        for key, part, one in self.given(value, known)]
            if name in self.layout.direct:
                return []
            spot = self.spot(value, known)
            return [] if getattr(spot, "id", "") == self.row(node.targets[0].id, name) \
                else [assign(self.row(node.targets[0].id, name), spot)]
        if isinstance(target, gast.Tuple) and self.is_row(getattr(known, "id", "")):
            return [assign(part.id, syntax.subscript(
                load(self.column(key)), syntax.copy(self.place(value.id, known.id))))
                for key, part in enumerate(node.targets[0].elts)]
        self.parts_of(node, version)
        return None

    def selected(self, selection: Table, node: Any, version: Any) -> gast.stmt | None:
        """What is there instead of a statement that makes a list of rows, or that adds a row."""
        value: Any = getattr(node, "value", None)
        known: Any = getattr(version, "value", None)
        if any(version is one for one in selection.made):
            return syntax.assign(self.selection(selection), gast.List([
                syntax.copy(self.place(plain.id, one.id))
                for plain, one in zip(value.elts, known.elts)], gast.Load()))
        if any(version is one for one in selection.cut):
            part = self.part(value, known)
            grows = selection.joining or selection.made
            return syntax.assign(self.selection(selection),
                                 self.builtin(list, part) if grows else part)
        if any(version is one for one, _ in selection.joining):
            return syntax.statement(syntax.method(
                syntax.load(self.selection(selection)), "append",
                syntax.copy(self.place(value.args[0].id, known.args[0].id))))
        return None

    def part(self, value: Any, known: Any) -> gast.expr:
        """The numbers of the rows in xs[a:b], or in list(xs)."""
        is_all = isinstance(known, gast.Call)
        if not is_all:
            self.parts_of(value.slice, known.slice)
        source = known.args[0].id if is_all else known.value.id
        for selection in self.layout.selections:
            if selection.name == source:
                rows = syntax.load(self.selection(selection))
                return self.builtin(list, rows) if is_all else syntax.subscript(rows, value.slice)
        if is_all:
            return self.builtin(range, self.length())
        start, stop = value.slice.lower, value.slice.upper
        length = self.length()
        if is_reversed(value.slice):
            less = [syntax.constant(-1) for _ in range(2)]
            return self.builtin(range, syntax.binary(
                length, "-", syntax.constant(1)), *less)
        if stop is None:
            stop = length
        elif is_from_end(stop):
            stop = self.counted(stop)
        else:
            stop = self.builtin(min, stop, length)
        if start is not None and is_from_end(start):
            start = self.builtin(max, self.counted(start), syntax.constant(0))
        steps = [] if value.slice.step is None else [value.slice.step]
        if start is None:
            start = syntax.constant(0) if steps else None
        return self.builtin(range, *([] if start is None else [start]), stop, *steps)

    # Expressions --------------------------------------------------------------------------------
    def within(self, node: Any, version: Any) -> Any:
        """An expression in which parts of rows are items of columns."""
        owner, key = part_of(version)
        if owner is not None and self.is_fresh(owner):
            return syntax.copy_place(syntax.load(self.own(node.value.id, owner, key)), node)
        if owner is not None and self.is_row(owner) and key not in self.layout.columns:
            kind: Any = self.facts.names[owner]                     # an attribute of its class
            return syntax.copy_place(syntax.attribute(
                self.external(kind.type, kind.type.__name__), key), node)
        if owner is not None and self.is_row(owner):
            item = syntax.subscript(syntax.load(self.column(key)),
                                    syntax.copy(self.place(node.value.id, owner)))
            item.in_place = getattr(node, "in_place", False)
            return syntax.copy_place(item, node)
        if any(version is one for one in self.layout.table.lengths):
            node.args = [syntax.copy_place(syntax.load(self.measured()), node)]
            return node
        if any(version is one for one in self.layout.table.within):
            return syntax.copy_place(syntax.subscript(
                syntax.load(self.column(part_within(version)[1])),
                self.within(node.value.slice, version.value.slice)), node)
        if any(version is one for one in self.layout.table.asked):
            return syntax.copy_place(syntax.load(self.column(self.layout.columns[0])), node)
        for selection in self.layout.selections:
            if any(version is one for one in selection.asked):
                return syntax.copy_place(syntax.load(self.selection(selection)), node)
            if any(version is one for one in selection.lengths):
                node.args = [syntax.copy_place(syntax.load(self.selection(selection)), node)]
                return node
        if is_identity(version) and self.is_row(getattr(version.left, "id", "")):
            sides = [self.place(plain.id, one.id) for plain, one in (
                (node.left, version.left), (node.comparators[0], version.comparators[0]))]
            operator = gast.Eq() if isinstance(node.ops[0], gast.Is) else gast.NotEq()
            return syntax.copy_place(gast.Compare(
                syntax.copy(sides[0]), [operator], [syntax.copy(sides[1])]), node)
        self.parts_of(node, version)
        return node

    def parts_of(self, node: Any, version: Any) -> None:
        """Rewrite the expressions in a statement or in an expression."""
        if getattr(version, "lazily", ()):
            gone = {one.name for one in (self.layout.table, *self.layout.selections)}
            node.lazily = [plain for plain, one in zip(node.lazily, version.lazily)
                           if one.id not in gone]
        for name, old in gast.iter_fields(version):
            new = getattr(node, name, None)
            if isinstance(old, gast.expr):
                setattr(node, name, self.within(new, old))
            elif isinstance(old, gast.AST):
                self.parts_of(new, old)
            elif isinstance(old, list) and name not in ("body", "orelse"):
                for number, one in enumerate(old):
                    if isinstance(one, gast.expr):
                        new[number] = self.within(new[number], one)     # type: ignore[index]
                    elif isinstance(one, gast.AST):
                        self.parts_of(new[number], one)                 # type: ignore[index]

    def given(self, value: Any, version: Any) -> list[tuple[Any, gast.expr, gast.expr]]:
        """The parts that an expression gives to an object, and their versions."""
        known = given(version, self.typer)
        return [(key, part, known[key]) for key, part in given(value, self.typer).items()]

    def place(self, name: Any, version: Any) -> gast.expr:
        """The index of a row."""
        index = self.layout.direct.get(version)
        if index is None:
            return syntax.load(self.row(name, version))
        return syntax.Rename({self.layout.plain: self.column(self.layout.columns[0])}).visit(
            syntax.copy(index))         # which may ask for the length of the list

    def counted(self, index: gast.expr) -> gast.expr:
        """An index that counts from the start of the list, which may grow."""
        if not is_from_end(index):
            return index
        return syntax.binary(self.length(), "-", index.operand)

    def builtin(self, function: Any, *args: gast.expr) -> gast.Call:
        """A call of a builtin, whatever its name means in the function."""
        return syntax.call(self.external(function, function.__name__), *args)

    def length(self) -> gast.expr:
        return self.builtin(len, syntax.load(self.measured()))

    def measured(self) -> str:
        """What is as long as the list: itself, where it is given and nothing joins it."""
        table = self.layout.table
        return table.name if table.given and not table.joining else \
            self.column(self.layout.columns[0])

    def spot(self, value: Any, known: Any) -> gast.expr:
        """The index of what a name of a row is bound to."""
        if isinstance(value, gast.Name):
            return self.place(value.id, known.id)
        index = self.within(value.slice, known.slice)
        for selection in self.layout.selections:
            if selection.name == known.value.id:
                return syntax.subscript(syntax.load(self.selection(selection)), index)
        return self.counted(index)

    # Names --------------------------------------------------------------------------------------
    def column(self, key: Any) -> str:
        return self.name(("column", key), self.layout.table.name, key)

    def own(self, name: str, version: str, key: Any) -> str:
        return self.name((self.fresh[version], key), name, key)

    def selection(self, table: Table) -> str:
        return self.name(("selection", table.name), table.name, "at")

    def row(self, name: str, version: str) -> str:
        known = ("row", self.rows[version]) if version in self.rows \
            else ("fresh", self.fresh[version])
        return self.name(known, name, "at")

    def name(self, known: Any, owner: str, key: Any) -> str:
        if known not in self.known:
            wish = f"{owner}_{key}"
            self.known[known] = self.names.fresh(wish if wish.isidentifier() else f"{owner}_part")
        return self.known[known]


def _loop_over(tree: gast.FunctionDef, name: str) -> None:
    """Loop over a range that has a name for nothing else than to be looped over:
    `at = range(i, n); stop = len(at); for k in range(stop): j = at[k]` as `for j in range(i, n)`.
    """
    def uses(wanted: str) -> int:
        return sum(isinstance(n, gast.Name) and n.id == wanted for n in syntax.walk(tree))

    for block in syntax.all_blocks(tree):
        for number in range(len(block) - 2):
            three: list[Any] = block[number:number + 3]
            made, length, loop = three
            if not all(isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
                       and isinstance(node.value, gast.Call) for node in three[:2]) \
                    or not isinstance(loop, gast.For) or made.targets[0].id != name:
                continue
            first, stop = loop.body[0], length.targets[0].id
            row = getattr(getattr(first, "targets", [None])[0], "id", "")
            step = getattr(loop.target, "id", "")
            if len(made.value.args) == 2 and isinstance(first, gast.Assign) \
                    and isinstance(first.value, gast.Subscript) \
                    and isinstance(loop.iter, gast.Call) \
                    and _names(loop.iter.args) == [stop] and _names(length.value.args) == [name] \
                    and _names([first.value.value, first.value.slice]) == [name, step] \
                    and uses(name) == 3 and uses(stop) == 2 and uses(step) == 2 \
                    and count_bindings(tree)[row] == 1:
                length.value = made.value.args[1]
                loop.iter.args = [made.value.args[0], syntax.load(stop)]
                loop.target = first.targets[0]
                del loop.body[0], block[number]
                loop.body = loop.body or [syntax.copy_place(gast.Pass(), loop)]
                return


def _names(nodes: list[gast.expr]) -> list[str]:
    return [getattr(node, "id", "") for node in nodes]
