"""Where the rows of tables stand: by which index, and where that means the same."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.tables import Group, Table
from tangent_lite.tables.survey import Survey

_COUNTING = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop,
             gast.expr_context, gast.Call)      # what may be said twice; calls: of len


class Places(Survey):
    """What is known of the indices of rows."""

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
                        and not self.is_natural(node.value.slice):
                    return False
        return True

    def grows_in_its_loop(self, table: Table) -> bool:
        """Whether something joins a list while the list is looped over, which then goes on."""
        joining = [node for node, _ in table.joining] + table.made + table.cut
        for read in table.reads:
            index: Any = read.value                     # `xs[k]`, written for `for x in xs`
            if not getattr(index, "iterates", False):
                continue
            counters = syntax.read_names(index.slice)
            loop = next((one for one in reversed(self.loops[id(read)]) if isinstance(one, gast.For)
                         and counters.intersection(syntax.bound_names(one.target))), None)
            if loop is None or any(one is loop for node in joining for one in self.loops[id(node)]):
                return True
        return any(one is loop for loop in self.lazily if table.reads and self.name_of(table)
                   in {part.id for part in self.plain[id(loop)].lazily}
                   for node in joining for one in self.loops[id(node)])

    def is_looked_into(self, names: set[str]) -> bool:
        """Whether rows change in a loop over an iterator that may read them later on."""
        loops = [loop for loop in self.lazily
                 if getattr(self.plain[id(loop)], "looks_into", False)]
        return any(one is loop for loop in loops for name in names
                   for node in self.updates.get(name, ()) for one in self.loops[id(node)])

    def name_of(self, table: Table) -> str:
        """The name of a list in the function that is rewritten."""
        read: Any = self.plain[id(table.reads[0])]
        return read.value.value.id

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
        if not self.is_natural(read.value.slice) and any(
                id(node) in inside for node, _ in table.joining):
            return None
        # A name may stand for several things in the function that is rewritten.
        index = self.plain[id(read)].value.slice
        bound = bound_in([self.plain[id(one)] for one in behind[:last + 1]])
        lengths = [part for part in syntax.walk(read.value.slice)
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
        return all(self.is_natural(one.value, around) if isinstance(one, gast.Assign) or (
            isinstance(one, gast.AugAssign) and isinstance(one.op, (gast.Add, gast.Mult)))
                   else isinstance(one, gast.For) and isinstance(one.target, gast.Name)
                   and self.counts_up(one.iter, around)
                   for one in self.bindings(index.id))

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
        target: Any = self.plain[id(node)].targets[0]
        name = getattr(node.value, "id", "")
        group = next((group for group in rows.values() if name in group.names), None)
        index = None if group is None else self.own_place(group, table)
        return index is not None and syntax.same(index, target.slice)
