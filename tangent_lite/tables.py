"""Lists of objects, or of dicts, that a function makes and never hands on: the rows of a table.

Such a list is known by three groups of statements: where a new object joins it, where an object of
it gets a name, and where parts of an object are read or given. If that is all that is done with the
list and with its objects, then an object is its place in the list, and nothing else is.
"""
from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.aggregates import can_be_written, class_made, given, makes, part_of
from tangent_lite.inference import Typer
from tangent_lite.liveness import bound_in
from tangent_lite.markers import is_attempt
from tangent_lite.updates import updates_of

_SCOPES = (*syntax.COMPREHENSIONS, gast.Lambda, gast.FunctionDef)
_SAME = (gast.Is, gast.IsNot)
_COUNTING = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop,
             gast.expr_context, gast.Call)      # what may be said twice; calls: of len


@dataclass
class Group:
    """The names of a thing: those that it gets when a part of it changes, and for what is new those
    that it is handed to."""
    names: set[str]
    bound: list[gast.Assign] = field(default_factory=list)      # to something that is not the thing
    front: list[gast.stmt] = field(default_factory=list)        # of what is new: until it joins
    behind: set[int] = field(default_factory=set)               # and where it is a row
    is_used: bool = False                                       # there


@dataclass
class Table:
    """A list of objects; all statements are those of the versions."""
    name: str
    given: bool = False                 # whether it is a parameter
    made: list[gast.Assign] = field(default_factory=list)
    joining: list[tuple[gast.stmt, str]] = field(default_factory=list)  # and the name that joins
    lengths: list[gast.Call] = field(default_factory=list)
    asked: list[gast.expr] = field(default_factory=list)        # `if xs`, `while not xs`
    within: list[gast.expr] = field(default_factory=list)       # `xs[i].x` in a longer expression
    reads: list[gast.Assign] = field(default_factory=list)
    cut: list[gast.Assign] = field(default_factory=list)        # where it is made as xs[a:b]
    cuts: list[gast.Assign] = field(default_factory=list)       # where that is made of it
    returned: list[gast.Assign] = field(default_factory=list)   # xs[i] = x, and x is there
    calls: list[gast.Call] = field(default_factory=list)    # of functions of the user, given it
    uses: int = 0

    def accounted(self) -> int:
        """How many of its mentions are of a known form."""
        return sum(isinstance(node, gast.Expr) for node, _ in self.joining) \
            + len(self.lengths) + len(self.asked) + len(self.within) + len(self.reads) + len(self.returned) + len(self.cuts)


@dataclass
class Layout:
    """What becomes of a table: its columns, the groups of its new objects and of its rows."""
    table: Table
    columns: list[Any]
    fresh: list[Group]
    rows: list[Group]
    selections: list[Table]             # lists of rows of it
    direct: dict[str, gast.expr]        # names of rows, of which the place has a name already
    calls: list[gast.Call]              # what has to be written out before
    of_objects: bool                    # of which the parts are attributes
    plain: str                          # the name of the list in the function that is rewritten


class Finder:
    """Finds the tables of a function, in its versions."""

    def __init__(self, tree: gast.FunctionDef, plain: gast.FunctionDef, facts: Any,
                 typer: Typer, is_outermost: bool) -> None:
        self.tree, self.facts, self.typer = tree, facts, typer
        self.is_outermost = is_outermost        # others see what a function does to its parameters
        self.plain = {id(version): node for node, version in zip(
            syntax.statements(plain.body), syntax.statements(tree.body), strict=True)}
        self.parents: dict[str, str] = {}
        self.bound: dict[str, list[gast.stmt]] = {}     # by name
        self.uses: dict[str, int] = {}
        self.places: dict[int, tuple[list[gast.stmt], int]] = {}    # block of a statement, number
        self.loops: dict[int, tuple[gast.stmt, ...]] = {}           # around a statement
        self.order: dict[int, int] = {}
        self.tables: dict[str, Table] = {}
        self.calls: dict[str, list[gast.Call]] = {}     # of functions of the user, by argument
        self.around: dict[int, gast.stmt] = {}          # the statement that one stands in
        self.copies: list[tuple[str, str]] = []         # x, y of x = y

    def layouts(self) -> list[Layout]:
        """All tables that can be written as columns."""
        nodes = list(syntax.statements(self.tree.body))
        if not any(self.is_row(node) for node in nodes) or any(
                is_attempt(node) or isinstance(node, gast.Try) for node in nodes):
            return []
        self.survey(nodes)
        found = []
        for name, table in self.tables.items():
            if table.reads and (table.joining or table.given) and not table.cut \
                    and self.is_known(table) \
                    and any(kinds.can_vary(self.facts.names[node.targets[0].id])
                            for node in table.reads):
                layout = self.layout(table)
                if layout is not None:
                    found.append(layout)
        return found

    def is_row(self, node: Any) -> bool:
        """Whether a statement gives a name to an item of a list, and the item is an object, a dict
        of known keys or a tuple."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or not isinstance(node.value, gast.Subscript) \
                or not isinstance(node.value.value, gast.Name) \
                or isinstance(node.value.slice, gast.Slice) \
                or not isinstance(self.facts.names.get(node.value.value.id), kinds.ListKind):
            return False
        kind = self.facts.names.get(node.targets[0].id)
        return isinstance(kind, (kinds.RecordKind, kinds.DictKind)) \
            or (isinstance(kind, kinds.TupleKind) and kind.type in (None, tuple))

    def is_known(self, table: Table) -> bool:
        """Whether all that is done with a list is of a known form."""
        return table.name not in self.inside \
            and table.accounted() + len(table.calls) == table.uses \
            and all(node in table.made or node in table.cut for node in self.bound[table.name]
                    if not (table.given and isinstance(node, gast.Pass)))

    # What there is ------------------------------------------------------------------------------
    def survey(self, nodes: list[gast.stmt]) -> None:
        """Note all that is said of each name."""
        for parameter in syntax.parameter_names(self.tree.args):
            self.bound[parameter] = [gast.Pass()]
            kind = self.facts.names.get(parameter)
            if self.is_outermost and isinstance(kind, kinds.ListKind) \
                    and isinstance(kind.item, (kinds.RecordKind, kinds.DictKind)):
                self.table(parameter).given = True
        self.blocks(self.tree.body, ())
        self.inside = {n.id for scope in syntax.walk(self.tree) if isinstance(scope, _SCOPES)
                       and scope is not self.tree for n in gast.walk(scope)
                       if isinstance(n, gast.Name)}
        for node in syntax.walk(self.tree):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                self.uses[node.id] = self.uses.get(node.id, 0) + 1
        for number, node in enumerate(nodes):
            self.order[id(node)] = number
            for name in bound_in([node]) if not isinstance(node, syntax.COMPOUND) else \
                    syntax.bound_names(node.target) if isinstance(node, gast.For) else ():
                self.bound.setdefault(name, []).append(node)
            value: Any = getattr(node, "value", None)
            test = getattr(node, "test", None) if isinstance(node, (gast.If, gast.While)) \
                else value
            if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
                test = test.operand
            if isinstance(test, gast.Name) and test is not value:
                self.table(test.id).asked.append(test)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                owner = updates_of(value)
                if isinstance(value, gast.Name):
                    self.copies.append((node.targets[0].id, value.id))
                if owner is not None:
                    self.union(owner, node.targets[0].id)
                if isinstance(value, gast.List) \
                        and all(isinstance(e, gast.Name) for e in value.elts):
                    table = self.table(node.targets[0].id)
                    table.made.append(node)
                    table.joining += [(node, e.id) for e in value.elts]
                elif self.is_row(node):
                    self.table(value.value.id).reads.append(node)
                elif self.source_of(value) is not None:
                    self.table(node.targets[0].id).cut.append(node)
                    self.table(self.source_of(value)).cuts.append(node)
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript) \
                    and isinstance(node.targets[0].value, gast.Name):
                self.table(node.targets[0].value.id).returned.append(node)
            elif isinstance(node, gast.Expr) and isinstance(value, gast.Call) \
                    and isinstance(value.func, gast.Attribute) and value.func.attr == "append" \
                    and isinstance(value.func.value, gast.Name) and len(value.args) == 1 \
                    and isinstance(value.args[0], gast.Name) and not value.keywords:
                self.table(value.func.value.id).joining.append((node, value.args[0].id))
        for node in syntax.walk(self.tree):
            if isinstance(node, gast.Call) and can_be_written(node, self.facts):
                for part in self.arguments(node):
                    self.calls.setdefault(getattr(part, "id", ""), []).append(node)
            name, _ = part_within(node)
            if name is not None:
                self.table(name).within.append(node)
            if isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords \
                    and isinstance(node.args[0], gast.Name) \
                    and self.typer.object_of(node.func) is len:
                self.table(node.args[0].id).lengths.append(node)
        for name, table in self.tables.items():
            table.uses = self.uses.get(name, 0)
            table.calls = self.calls.get(name, [])

    def arguments(self, call: gast.Call) -> list[gast.expr]:
        """What a call is given, the object of a method included."""
        receiver = self.facts.callees[id(call)][1]
        return [*call.args, *(k.value for k in call.keywords),
                *([] if receiver is None else [receiver])]

    def table(self, name: str) -> Table:
        return self.tables.setdefault(name, Table(name))

    def blocks(self, block: list[gast.stmt], loops: tuple[gast.stmt, ...]) -> None:
        for number, node in enumerate(block):
            self.places[id(node)] = block, number
            self.loops[id(node)] = loops
            inner = (*loops, node) if isinstance(node, (gast.For, gast.While)) else loops
            for part in syntax.blocks_of(node):
                self.around.update((id(one), node) for one in part)
                self.blocks(part, inner)

    def find(self, name: str) -> str:
        while name in self.parents:
            name = self.parents[name]
        return name

    def union(self, one: str, other: str) -> None:
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parents[other] = one

    def members(self, name: str) -> set[str]:
        root = self.find(name)
        return {one for one in self.bound if self.find(one) == root}

    # Whether it is a table ----------------------------------------------------------------------
    def layout(self, table: Table) -> Layout | None:
        """How the columns of a list are laid out; None where it is more than a table."""
        made = self.made_of(table)
        selections = self.selections(table)
        rows = self.rows([table, *selections])
        if made is None or rows is None:
            return None
        chosen = {id(node) for selection in selections for node in selection.cut}
        if not all(id(node) in chosen for one in (table, *selections) for node in one.cuts):
            return None
        fresh, parts = made
        held = set().union(*(group.names for group in rows.values()))
        read = [part_within(node)[1] for node in table.within]
        if any(group.names & held for group in fresh) or not {*read} <= {*parts} or any(
                one.within for one in selections) or not all(
                self.is_accounted(group, table, rows, selections, parts)
                for group in rows.values()):
            return None
        asked = self.asked(held, self.tree.body) | {*read}
        for group in fresh:
            block, first = self.places[id(group.bound[0])]
            asked |= self.asked(group.names, [one for one in block[first + 1:]
                                              if id(one) in group.behind])
        columns = [part for part in parts if part in asked]
        once = (table.given and not table.made) or (
            len(table.made) == 1 and not self.loops[id(table.made[0])])
        if not columns or (not once and (selections or any(group.is_used for group in fresh))):
            return None
        direct: dict[str, gast.expr] = {}
        for group in rows.values():
            index = self.own_place(group, table)
            if index is not None:
                direct.update(dict.fromkeys(group.names, index))
            elif not once:
                return None
        # Where the list grows, an index from its end means another object later.
        if not self.is_steady(table) and not all(
                node.targets[0].id in direct or self.is_natural(node.value.slice)
                or is_from_end(node.value.slice) for node in table.reads):
            return None
        if not all(self.is_returned(node, rows, one) for one in (table, *selections)
                   for node in one.returned):
            return None
        held = held.union(*(group.names for group in fresh))
        calls = [*table.calls, *(call for name in held for call in self.calls.get(name, ()))]
        late = set().union(*(group.behind for group in fresh))
        changes = any(updates_of(getattr(node, "value", None)) in held
                      and (id(node) in late or not any(node in group.front for group in fresh))
                      for node in syntax.statements(self.tree.body))
        if not changes and (calls or table.given):
            return None                 # what is only read is known as it is
        return Layout(table, columns, fresh, [*rows.values()], selections, direct, calls,
                      all(isinstance(self.facts.names[node.targets[0].id], kinds.RecordKind)
                          for node in table.reads),
                      self.plain[id(table.reads[0])].value.value.id)

    def made_of(self, table: Table) -> tuple[list[Group], list[Any]] | None:
        """The groups of what joins a list, and the parts that all objects in it have for sure; None
        where they are not alike."""
        fresh: list[Group] = []
        parts: list[Any] | None = None
        maker: Any = None
        if table.given:
            kind: Any = self.facts.names[table.name].item
            parts = [*(kind.keys if isinstance(kind, kinds.DictKind) else kind.fields)]
            maker = gast.Dict if isinstance(kind, kinds.DictKind) else kind.type
        for node, name in table.joining:
            group = self.fresh(node, name)
            if group is None or any(group.names & other.names for other in fresh):
                return None
            own, made = self.parts(group), self.maker(group)
            if not own or (parts is not None and ({*parts} != {*own} or made is not maker)):
                return None
            fresh.append(group)
            parts, maker = parts or own, made
        if not parts or len({(type(part), part) for part in parts}) != len({*parts}):
            return None
        return fresh, parts

    def maker(self, group: Group) -> Any:
        """The class of a new object, or the form of what else it is."""
        value: Any = group.bound[0].value
        return class_made(value, self.typer) if isinstance(value, gast.Call) else type(value)

    def asked(self, held: set[str], block: list[gast.stmt], only_read: bool = False) -> set[Any]:
        """The parts of objects that are read or given in statements."""
        called = {id(call.func) for one in held for call in self.calls.get(one, ())}
        found = {key for one in block for node in syntax.walk(one)
                 for owner, key in [part_of(node)] if owner in held and id(node) not in called}
        for node in syntax.statements(block) if not only_read else ():
            value: Any = getattr(node, "value", None)
            if updates_of(value) in held:
                found |= {*given(value, self.typer)}
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
                    and getattr(value, "id", "") in held:
                found |= {*range(len(node.targets[0].elts))}
        return found

    def selections(self, table: Table) -> list[Table]:
        """The lists that hold rows of a table, and nothing else."""
        found: list[Table] = []
        while True:
            rows = self.rows([table, *found])
            if rows is None:
                return found
            held = set().union(*(group.names for group in rows.values()))
            sources = {table.name, *(one.name for one in found)}
            new = [one for one in self.tables.values() if one.name not in sources
                   and (one.joining or one.cut) and not one.calls
                   and self.is_known(one) and all(name in held for _, name in one.joining)
                   and all(self.is_cut(node, table, sources) for node in one.cut)]
            if not new:
                return found
            found += new

    def source_of(self, value: Any) -> Any:
        """The name of the list of which an expression takes a part, `xs[a:b]`, or all, `list(xs)`.
        """
        if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice):
            return getattr(value.value, "id", None)
        if isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords \
                and self.typer.object_of(value.func) is list:
            return getattr(value.args[0], "id", None)
        return None

    def is_cut(self, node: gast.Assign, table: Table, sources: set[str]) -> bool:
        """Whether xs[a:b] takes rows of a table, of which the numbers are known."""
        value: Any = node.value
        if isinstance(value, gast.Call):
            return self.source_of(value) in sources
        parts = (value.slice.lower, value.slice.upper)
        step = value.slice.step
        return value.value.id in sources and (value.value.id != table.name or is_reversed(
            value.slice) or (all(part is None or is_from_end(part) or self.is_natural(part) for part in parts)
            and (step is None or (isinstance(step, gast.Constant) and type(step.value) is int
                                  and step.value > 0))))

    def rows(self, tables: list[Table]) -> dict[str, Group] | None:
        """The groups of the names of rows; None where one means something else as well."""
        found: dict[str, Group] = {}
        reads = [read for table in tables for read in table.reads]
        for read in reads:
            name = read.targets[0].id                   # type: ignore[attr-defined]
            if not any(name in group.names for group in found.values()):
                group = self.row(name, reads)
                if group is None:
                    return None
                found[name] = group
        while True:                             # and those that rows are handed to
            held = set().union(*(group.names for group in found.values()))
            name = next((name for name, source in self.copies if source in held
                         and name not in held), None)
            group = self.row(name, reads) if name is not None else None
            if name is None or group is None:
                return found
            found[name] = group

    def fresh(self, node: gast.stmt, name: str) -> Group | None:
        """The group of an object that is made in front of a statement with which it joins a list,
        once each time; behind that, its names are those of a row. None for what is more."""
        names, todo = set(), [name]
        while todo:
            for one in self.members(todo.pop()) - names:
                names.add(one)
                todo += [b.value.id for b in self.bound[one] if isinstance(b, gast.Assign)
                         and isinstance(b.value, gast.Name)]
        bound = [one for name in names for one in self.bound[name]]
        made = [one for one in bound if not isinstance(getattr(one, "value", None), gast.Name)
                and updates_of(getattr(one, "value", None)) is None]
        if len(made) != 1 or names & self.inside or not isinstance(made[0], gast.Assign) \
                or not isinstance(made[0].targets[0], gast.Name) \
                or not (makes(made[0].value, self.typer) or is_tuple(made[0].value)):
            return None
        block, first = self.places[id(made[0])]
        way = self.way(node, block)
        if way is None or any(isinstance(one.value, gast.Name)      # type: ignore[attr-defined]
                              and self.places[id(one)][0] is not block for one in bound):
            return None                         # a copy may be that of another way
        last = self.places[id(way[0])][1]
        group = Group(names, made, [*block[first + 1:last]])
        for one in way[1:]:
            inner, number = self.places[id(one)]
            group.front += inner[:number]
        late = [part for one in way[1:] for part in
                self.places[id(one)][0][self.places[id(one)][1] + 1:]] + block[last + 1:]
        group.behind = {id(one) for one in syntax.statements(late)}
        seen = self.mentions(group, [*block[first:last + 1]]) + self.mentions(group, late)
        used = sum(self.uses.get(one, 0) for one in names)
        group.is_used = any(isinstance(part, gast.Name) and part.id in names
                            for one in late for part in syntax.walk(one))
        joins = sum(isinstance(part, gast.Name) and part.id in names for part in syntax.walk(node))
        # Where it joins in a branch it may not be a row behind that.
        return group if used == seen + 1 and joins == 1 and not (
            group.is_used and (len(way) > 1 or is_tuple(made[0].value))) else None

    def way(self, node: gast.stmt, block: list[gast.stmt]) -> list[gast.stmt] | None:
        """The branches from a block down to a statement, and the statement."""
        found = [node]
        while self.places[id(found[0])][0] is not block:
            around = self.around.get(id(found[0]))
            if not isinstance(around, gast.If):
                return None
            found.insert(0, around)
        return found

    def mentions(self, group: Group, block: list[gast.stmt]) -> int:
        """How often parts of an object are read and given in statements, or it gets a name."""
        found = 0
        for node in syntax.statements(block):
            value = getattr(node, "value", None)
            found += updates_of(value) in group.names or (
                isinstance(node, gast.Assign) and isinstance(value, gast.Name)
                and value.id in group.names and getattr(node.targets[0], "id", "") in group.names)
        calls = [call for one in group.names for call in self.calls.get(one, ())]
        called = {id(call.func): call for call in calls}
        for node in (part for one in block for part in syntax.walk(one)):
            found += part_of(node)[0] in group.names and id(node) not in called
            found += sum(node is call for call in calls)
        return found

    def parts(self, group: Group) -> list[Any]:
        """The parts that a new object has for sure where it joins a list; none if it may have
        others, or if one is asked for that it has not got yet."""
        made = group.bound[0]
        known = [*given(made.value, self.typer)]
        for one in group.front:
            if not self.asked(group.names, [one], only_read=True) <= {*known}:
                return []
            for inner in syntax.statements([one]):
                value: Any = getattr(inner, "value", None)
                if updates_of(value) in group.names:
                    if inner is not one and not {*given(value, self.typer)} <= {*known}:
                        return []
                    known += [key for key in given(value, self.typer) if key not in known]
        block, first = self.places[id(made)]
        return known if self.asked(group.names, block[first + 1:]) <= {*known} \
            and not self.changes_in_place(group) else []

    def changes_in_place(self, group: Group) -> bool:
        """Whether what may be an array is changed in place in an object that has not joined yet:
        whoever holds the array sees it."""
        return any(getattr(getattr(one, "value", None), "in_place", False)
                   and part_of(one.value)[0] in group.names         # type: ignore[attr-defined]
                   and not isinstance(self.facts.names.get(syntax.bound_names(
                       one.targets[0])[0]), kinds.Number)           # type: ignore[attr-defined]
                   for one in syntax.statements(group.front) if isinstance(one, gast.Assign))

    def row(self, name: str, reads: list[gast.Assign]) -> Group | None:
        """The group of a name of a row; None where it means something else as well."""
        names = self.members(name)
        bound: list[gast.Assign] = []
        if names & self.inside:
            return None
        for one in names:
            for node in self.bound[one]:
                value: Any = getattr(node, "value", None)
                if any(node is read for read in reads) or isinstance(value, gast.Name):
                    bound.append(node)              # type: ignore[arg-type]
                elif updates_of(value) is None:
                    return None
        return Group(names, bound)

    def is_accounted(self, group: Group, table: Table, rows: dict[str, Group],
                     selections: list[Table], columns: list[Any]) -> bool:
        """Whether parts of a row are read and given, and nothing else is done with it."""
        held = set().union(*(other.names for other in rows.values()))
        uses = sum(self.uses.get(one, 0) for one in group.names)
        natural = self.all_natural(group, rows, table)
        seen = 0
        for node in syntax.statements(self.tree.body):
            value: Any = getattr(node, "value", None)
            if updates_of(value) in group.names:
                if not {*given(value, self.typer)} <= {*columns}:
                    return False
                seen += 1
            elif isinstance(node, gast.Assign) and isinstance(value, gast.Name) \
                    and value.id in group.names:
                target = node.targets[0]
                seen += (isinstance(target, gast.Name) and target.id in held) \
                    or any(node is one for each in (table, *selections) for one in each.returned) \
                    or (isinstance(target, gast.Tuple) and columns == [*range(len(target.elts))]
                        and all(isinstance(part, gast.Name) for part in target.elts))
        for _, name in (one for selection in selections for one in selection.joining):
            if name in group.names:
                if not natural:
                    return False
                seen += 1
        calls = [call for one in group.names for call in self.calls.get(one, ())]
        called = {id(call.func) for call in calls}
        for node in syntax.walk(self.tree):
            owner, key = part_of(node)
            if owner in group.names and id(node) not in called:
                if isinstance(node, gast.Attribute) != isinstance(
                        self.facts.names.get(owner), kinds.RecordKind) or (
                        key not in columns and not self.is_of_class(owner, key)):
                    return False
                seen += 1
            elif is_identity(node):
                sides = [getattr(n, "id", None) for n in (node.left, *node.comparators)]
                if all(side in held for side in sides):
                    if group.names.intersection(sides) and not natural:
                        return False
                    seen += sum(side in group.names for side in sides)
        return all(not isinstance(bound.value, gast.Name) or bound.value.id in held
                   for bound in group.bound) and seen + len(calls) == uses

    def is_of_class(self, name: str, attribute: str) -> bool:
        """Whether an attribute of an object, which has none of that name, is one of its class."""
        kind: Any = self.facts.names.get(name)
        found = inspect.getattr_static(kind.type, attribute, None) \
            if isinstance(kind, kinds.RecordKind) else None
        return isinstance(found, (int, float, str)) and not hasattr(kind.type, "__getattr__")

    def all_natural(self, group: Group, rows: dict[str, Group], table: Table) -> bool:
        """Whether a row is never found by an index that counts from the end of the list."""
        todo, done = [group], []
        while todo:
            group = todo.pop()
            done.append(group)
            for node in group.bound:
                if isinstance(node.value, gast.Name):
                    todo += [other for other in rows.values() if node.value.id in other.names
                             and not any(other is one for one in (*todo, *done))]
                elif any(node is read for read in table.reads) \
                        and not self.is_natural(node.value.slice):  # type: ignore[attr-defined]
                    return False
        return True

    # Places -------------------------------------------------------------------------------------
    def own_place(self, group: Group, table: Table) -> gast.expr | None:
        """The index of a row, if it means the same wherever the row is used; None where the row
        needs a name for it."""
        if len(group.bound) != 1 or not any(group.bound[0] is read for read in table.reads):
            return None
        read = group.bound[0]
        block, number = self.places[id(read)]
        behind = block[number + 1:]
        counts = [sum(isinstance(n, gast.Name) and n.id in group.names for n in syntax.walk(one))
                  for one in behind]
        everywhere = sum(isinstance(n, gast.Name) and n.id in group.names
                         for n in syntax.walk(self.tree))
        if sum(counts) != everywhere - 1:
            return None
        last = max((k for k, count in enumerate(counts) if count), default=-1)
        if table.name in bound_in(behind[:last + 1]):
            return None
        inside = {id(node) for node in syntax.statements(behind[:last + 1])}
        if not self.is_natural(read.value.slice) and any(       # type: ignore[attr-defined]
                id(node) in inside for node, _ in table.joining):
            return None
        # A name may stand for several things in the function that is rewritten.
        index = self.plain[id(read)].value.slice        # type: ignore[attr-defined]
        bound = bound_in([self.plain[id(one)] for one in behind[:last + 1]])
        lengths = [part for part in syntax.walk(read.value.slice)   # type: ignore[attr-defined]
                   if any(part is one for one in table.lengths)]
        said_twice = all(isinstance(part, _COUNTING) for part in syntax.walk(index)) \
            and len(lengths) == len(syntax.all_of(index, gast.Call))
        return index if said_twice and bound.isdisjoint(syntax.read_names(index)) else None

    def is_steady(self, table: Table) -> bool:
        """Whether no object joins the list after the first row of it has a name."""
        first = min(self.order[id(node)] for node in table.reads)
        around = {id(loop) for node in table.reads for loop in self.loops[id(node)]}
        made = {id(loop) for node in table.made for loop in self.loops[id(node)]}
        return all(self.order[id(node)] < first and not around.intersection(
            id(loop) for loop in self.loops[id(node)] if id(loop) not in made)
            for node, _ in table.joining)

    def is_natural(self, index: gast.expr | None, around: frozenset[str] = frozenset()) -> bool:
        """Whether an index is not negative: it counts from the start of the list."""
        if isinstance(index, gast.Constant):
            return type(index.value) is int and index.value >= 0
        if isinstance(index, gast.BinOp):
            return isinstance(index.op, (gast.Add, gast.Mult)) \
                and self.is_natural(index.left, around) and self.is_natural(index.right, around)
        if isinstance(index, gast.Call):
            return self.typer.object_of(index.func) is len
        if not isinstance(index, gast.Name):
            return False
        if index.id in around:                      # by what it was before
            return True
        around |= {index.id}
        return all(self.is_natural(one.value, around) if isinstance(one, gast.Assign)
                   else isinstance(one, gast.For) and isinstance(one.target, gast.Name)
                   and self.counts_up(one.iter, around)
                   for one in self.bound.get(index.id, [gast.Pass()]))

    def counts_up(self, numbers: gast.expr, around: frozenset[str]) -> bool:
        """Whether a range has no negative numbers."""
        if not isinstance(numbers, gast.Call) or self.typer.object_of(numbers.func) is not range:
            return False
        *start, _ = numbers.args[:2]
        step = numbers.args[2:]
        return all(self.is_natural(part, around) for part in start) and all(
            isinstance(part, gast.Constant) and part.value > 0 for part in step)

    def is_returned(self, node: gast.Assign, rows: dict[str, Group], table: Table) -> bool:
        """Whether `xs[i] = x` puts a row where it is."""
        target: Any = self.plain[id(node)].targets[0]       # type: ignore[attr-defined]
        name = getattr(node.value, "id", "")
        group = next((group for group in rows.values() if name in group.names), None)
        index = None if group is None else self.own_place(group, table)
        return index is not None and syntax.same(index, target.slice)


def is_identity(node: Any) -> bool:
    """Whether an expression asks whether two names are names of one thing."""
    return isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _SAME)


def is_from_end(index: Any) -> bool:
    """Whether an index is a negative number as it stands there."""
    return isinstance(index, gast.UnaryOp) and isinstance(index.op, gast.USub) \
        and isinstance(index.operand, gast.Constant) and type(index.operand.value) is int


def is_reversed(part: gast.Slice) -> bool:
    """Whether a slice is [::-1]."""
    return part.lower is None and part.upper is None and is_from_end(part.step) \
        and part.step.operand.value == 1            # type: ignore[union-attr]


def part_within(node: Any) -> tuple[str | None, Any]:
    """Of an item of which list an expression reads which part: `xs[i].x`."""
    owner = getattr(node, "value", None)
    if isinstance(owner, gast.Subscript) and isinstance(owner.value, gast.Name) \
            and not isinstance(owner.slice, gast.Slice) \
            and isinstance(getattr(node, "ctx", None), gast.Load):
        if isinstance(node, gast.Attribute):
            return owner.value.id, node.attr
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
            return owner.value.id, node.slice.value
    return None, None


def is_tuple(value: gast.expr) -> bool:
    """Whether an expression is a tuple of known length."""
    return isinstance(value, gast.Tuple) and bool(value.elts) \
        and not any(isinstance(part, gast.Starred) for part in value.elts)
