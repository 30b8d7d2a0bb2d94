"""Which lists of objects are tables, and how their columns are laid out."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aggregates import can_be_written, class_made, given, makes, part_of
from tangent_lite.modules import held_by_class
from tangent_lite.structures.updates import updates_of
from tangent_lite.tables import (
    Group,
    Layout,
    Table,
    is_from_end,
    is_reversed,
    is_tuple,
    part_within,
)
from tangent_lite.tables.places import Places


class Finder(Places):
    """Finds the tables of a function, in its versions."""

    def layouts(self) -> list[Layout]:
        """All tables that can be written as columns."""
        self.wanted: list[gast.expr] = []       # calls that have to be written out, to know more
        found = []
        for table in self.tables.values():
            self.wanted += [node.value for node in table.comprehended if hasattr(node.value, "mark")
                            and not getattr(node.value, "must_be_written", False)
                            and self.changes(table)]
            if table.reads and not table.joining and not table.given:
                self.wanted += self.makers(table)
            if table.reads and (table.joining or table.given) and not table.cut \
                    and self.is_known(table) \
                    and any(kinds.can_vary(self.facts.names[node.targets[0].id])
                            for node in table.reads):
                layout = self.layout(table)
                if layout is not None:
                    found.append(layout)
        return found

    def changes(self, table: Table) -> bool:
        """Whether an object of a list changes."""
        return any(self.updates.get(name) for node in table.reads
                   for name in self.members(node.targets[0].id))

    def makers(self, table: Table) -> list[gast.expr]:
        """The call that makes a list, whose objects change, or arrays in them."""
        calls = [node.value for node in self.bindings(table.name) if isinstance(node, gast.Assign)
                 and isinstance(node.value, gast.Call) and can_be_written(node.value, self.facts)]
        rows = {name for node in table.reads for name in self.members(node.targets[0].id)}
        parts = {name for name, nodes in self.bound.items() for node in nodes
                 if part_of(getattr(node, "value", None))[0] in rows}
        return calls if self.changes(table) or any(
            syntax.root_name(target) in parts for node in syntax.statements(self.tree.body)
            for target in [syntax.target_of(node)] if isinstance(target, gast.Subscript)) else []

    def layout(self, table: Table) -> Layout | None:
        """How the columns of a list are laid out; None where it is more than a table."""
        self.unwritten: list[gast.Call] = []    # what makes objects, as far as is known
        made = self.made_of(table)
        selections = self.selections(table)
        rows = self.rows([table, *selections])
        if made is None and self.changes(table):
            self.wanted += self.unwritten
        if made is None or rows is None:
            return None
        chosen = {id(node) for selection in selections for node in selection.cut}
        if not all(id(node) in chosen for one in (table, *selections) for node in one.cuts):
            return None
        if any(map(self.grows_in_its_loop, (table, *selections))):
            return None
        fresh, parts = made
        held = set().union(*(group.names for group in rows.values()))
        if self.is_looked_into(held.union(*(group.names for group in fresh))):
            return None
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
        if calls:                               # which may give a row, that changes
            held |= {name for name, nodes in self.bound.items() for node in nodes
                     if any(getattr(node, "value", None) is call for call in calls)}
        changes = any(updates_of(getattr(node, "value", None)) in held
                      and (id(node) in late or not any(node in group.front for group in fresh))
                      for node in syntax.statements(self.tree.body))
        if not changes and (calls or table.given):
            return None                 # what is only read is known as it is
        return Layout(table, columns, fresh, [*rows.values()], selections, direct, calls,
                      all(isinstance(self.facts.names[node.targets[0].id], kinds.RecordKind)
                          for node in table.reads),
                      self.name_of(table))

    def made_of(self, table: Table) -> tuple[list[Group], list[Any]] | None:
        """The groups of what joins a list, and the parts that all objects in it have for sure; None
        where they are not alike."""
        fresh: list[Group] = []
        parts: list[Any] | None = None
        maker: Any = None
        if table.given:
            given: Any = self.facts.names[table.name]
            kind = given.item
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

    def is_cut(self, node: gast.Assign, table: Table, sources: set[str]) -> bool:
        """Whether xs[a:b] takes rows of a table, of which the numbers are known."""
        value: Any = node.value
        if isinstance(value, gast.Call):
            return self.source_of(value) in sources
        step = value.slice.step
        known = all(part is None or is_from_end(part) or self.is_natural(part)
                    for part in (value.slice.lower, value.slice.upper))
        return value.value.id in sources and (
            value.value.id != table.name or is_reversed(value.slice) or (known and (
                step is None or (isinstance(step, gast.Constant) and type(step.value) is int
                                 and step.value > 0))))

    def rows(self, tables: list[Table]) -> dict[str, Group] | None:
        """The groups of the names of rows; None where one means something else as well."""
        found: dict[str, Group] = {}
        reads = [read for table in tables for read in table.reads]
        for read in reads:
            name = read.targets[0].id
            if not any(name in group.names for group in found.values()):
                group = self.row(name, reads)
                if group is None:
                    return None
                found[name] = group
        while True:                             # and those that rows are handed to
            held = set().union(*(group.names for group in found.values()))
            copies = [node.targets[0] for name in held for node in self.copies.get(name, ())]
            name = next((target.id for target in copies if isinstance(target, gast.Name)
                         and target.id not in held), None)
            group = self.row(name, reads) if name is not None else None
            if name is None or group is None:
                return found
            found[name] = group

    def fresh(self, node: gast.stmt, name: str) -> Group | None:
        """The group of an object that is made in front of a statement with which it joins a list,
        once each time; behind that, its names are those of a row. None for what is more."""
        names: set[str] = set()
        todo = [name]
        while todo:
            for one in self.members(todo.pop()) - names:
                names.add(one)
                todo += [b.value.id for b in self.bindings(one) if isinstance(b, gast.Assign)
                         and isinstance(b.value, gast.Name)]
        bound = [one for name in names for one in self.bindings(name)]
        made = [one for one in bound if not isinstance(getattr(one, "value", None), gast.Name)
                and updates_of(getattr(one, "value", None)) is None]
        if len(made) == 1 and isinstance(getattr(made[0], "value", None), gast.Call) \
                and can_be_written(made[0].value, self.facts):
            self.unwritten.append(made[0].value)
        if len(made) != 1 or names & self.inside or not isinstance(made[0], gast.Assign) \
                or not isinstance(made[0].targets[0], gast.Name) \
                or not (makes(made[0].value, self.typer) or is_tuple(made[0].value)):
            return None
        block, first = self.places[id(made[0])]
        way = self.way(node, block)
        if way is None or any(isinstance(one.value, gast.Name)
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
                   and part_of(one.value)[0] in group.names
                   and not isinstance(self.facts.names.get(syntax.bound_names(
                       one.targets[0])[0]), kinds.Number)
                   for one in syntax.statements(group.front) if isinstance(one, gast.Assign))

    def row(self, name: str, reads: list[gast.Assign]) -> Group | None:
        """The group of a name of a row; None where it means something else as well."""
        names = self.members(name)
        bound: list[gast.Assign] = []
        if names & self.inside:
            return None
        for one in names:
            for node in self.bindings(one):
                value: Any = getattr(node, "value", None)
                if any(node is read for read in reads) or isinstance(value, gast.Name):
                    bound.append(node)
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
        returned = {id(node) for each in (table, *selections) for node in each.returned}
        for name in group.names:
            for node in self.updates.get(name, ()):
                if not {*given(node.value, self.typer)} <= {*columns}:
                    return False
                seen += 1
            for node in self.copies.get(name, ()):
                target = node.targets[0]
                seen += (isinstance(target, gast.Name) and target.id in held) \
                    or id(node) in returned \
                    or (isinstance(target, gast.Tuple) and columns == [*range(len(target.elts))]
                        and all(isinstance(part, gast.Name) for part in target.elts))
            for part, key in self.parts_read.get(name, ()):
                if isinstance(part, gast.Attribute) != isinstance(
                        self.facts.names.get(name), kinds.RecordKind) or (
                        key not in columns and not self.is_of_class(name, key)):
                    return False
                seen += 1
        for _, name in (one for selection in selections for one in selection.joining):
            if name in group.names:
                if not natural:
                    return False
                seen += 1
        for sides in self.identities:
            if held.issuperset(sides) and group.names.intersection(sides):
                if not natural:
                    return False
                seen += sum(side in group.names for side in sides)
        calls = [call for one in group.names for call in self.calls.get(one, ())]
        return all(not isinstance(bound.value, gast.Name) or bound.value.id in held
                   for bound in group.bound) and seen + len(calls) == uses

    def is_of_class(self, name: str, attribute: str) -> bool:
        """Whether an attribute of an object, which has none of that name, is one of its class."""
        kind: Any = self.facts.names.get(name)
        found = held_by_class(kind.type, attribute) \
            if isinstance(kind, kinds.RecordKind) else None
        return isinstance(found, (int, float, str)) and not hasattr(kind.type, "__getattr__")
