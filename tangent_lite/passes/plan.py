"""For each statement, what its adjoint adds to which adjoints, and what that reads.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.stages import stages
>>> def f(x, y):
...     t = x * y
...     return t
>>> for step in stages(f, x=FLOAT, y=FLOAT).plan.steps.values():
...     print(step.target, step.kind, "reads", sorted(step.reads))
...     for one in step.contributions:
...         print(f"    b{one.name} += {emit_expression(one.value)}")
t rule reads ['bt', 'x', 'y']
    bx += bt * y
    by += bt * x

The plan is made before anything is recorded: recording needs to know what the adjoints read. Rules
are filled in here; calls of user functions become calls of their forward half.
"""
from __future__ import annotations

import bisect
from types import FunctionType
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.adjoints.paths import zero_of
from tangent_lite.adjoints.steps import Step
from tangent_lite.analyses.known_kinds import kinds_at
from tangent_lite.analyses.thrown_away import is_thrown_away
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Array, Number
from tangent_lite.planning import Context, Plan
from tangent_lite.planning.bindings import has_plain_parts
from tangent_lite.planning.writes import Writes
from tangent_lite.structures.lists import ListChange, list_change
from tangent_lite.structures.nested import container, places
from tangent_lite.syntax import COMPOUND, load, read_names

# What these give is a place in a list, or its end.
_PLACES_IN_ORDER = {bisect.bisect_left, bisect.bisect_right}


def plan(tree: gast.FunctionDef, context: Context) -> Plan:
    """Plan the adjoint of each active statement; calls of user functions are rewritten in place."""
    planner = _Planner(tree.body, context)
    planner.find_listed(tree.body)
    planner.block(tree.body)
    planner.note_views()
    return planner.plan


class _Planner(Writes):
    """Walks through the statements of a function."""

    def find_listed(self, body: list[gast.stmt]) -> None:
        """Tuples that are read by an index that is not written out: `for v in (a, b)`."""
        facts, typer = self.context.facts, self.context.typer
        for node in syntax.statements(body):
            value = getattr(node, "value", None)
            if isinstance(value, gast.Call):
                typer.names = facts.before.get(id(node), {})
                self.find_whole(value)
            if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
                continue
            typer.names = facts.before.get(id(node), {})
            owner = typer.kind(value.value)
            if isinstance(owner, kinds.TupleKind) and owner.type is tuple and (
                    isinstance(value.slice, gast.Slice)
                    or kinds.value_of(typer.kind(value.slice)) is kinds.NO_VALUE):
                self.plan.listed.add(value.value.id)

    def note_views(self) -> None:
        """The shadow of a view is made where it is used: there its index is read as well."""
        views = self.context.aliases.views
        for step in self.plan.steps.values():
            todo = [n for n in (step.target, *step.operands, *(c.name for c in step.contributions))
                    if n in views]
            while todo:
                value = views[todo.pop()].value
                base = syntax.viewed_name(value)
                step.reads |= read_names(value) - {base}
                todo += [base] if base in views else []

    def find_whole(self, value: gast.Call) -> None:
        """Tuples that a rule takes as a whole: `np.stack(rows)`, `np.stack((x, *rows))`."""
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None or entry.adjoint is None:
            return
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        given += [part.value for one in given if isinstance(one, (gast.Tuple, gast.List))
                  for part in one.elts if isinstance(part, gast.Starred)]
        for argument in given:
            kind = self.context.typer.kind(argument)
            if isinstance(argument, gast.Name) and isinstance(kind, kinds.TupleKind) \
                    and kind.type is tuple and kinds.can_vary(kind):
                self.plan.listed.add(argument.id)

    # Statements -------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt]) -> None:
        number = -1
        while number + 1 < len(block):
            number += 1
            node = block[number]
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
                continue
            if id(node) in self.increments.skipped:
                continue
            step = self.statement(node)
            if step is None:
                continue
            if step.reads_result and step.target in _reads_of(node):
                self.split(block, number, node, step.target)
                number -= 1
                continue
            step.note_reads()
            self.plan.steps[id(node)] = step
            if step.pair is not None and step.pair.arrays:
                number = self.forward_half_in_place(block, number, step)
            elif step.pair is not None:
                block[number] = self.forward_half(node, step)

    def split(self, block: list[gast.stmt], number: int, node: gast.stmt, target: str) -> None:
        """`x = exp(x)`: the adjoint reads both, so the result gets a name of its own first."""
        context = self.context
        facts = context.facts
        name = context.fresh("t")
        value = node.value if isinstance(node, gast.Assign) else \
            syntax.copy_place(gast.BinOp(load(target), node.op, node.value), node)
        first = syntax.copy_place(syntax.assign(name, value), node)
        second = syntax.copy_place(syntax.assign(target, load(name)), node)
        kind = facts.after[id(node)].get(target, kinds.UNKNOWN)
        facts.names[name] = kind
        facts.before[id(first)] = facts.before[id(node)]
        facts.after[id(first)] = {name: kind}
        facts.before[id(second)] = {name: kind}
        facts.after[id(second)] = facts.after[id(node)]
        if context.aliases.is_written(target):
            # Two names of one array: what is written through the one is read through the other.
            context.aliases.union(target, name)
            context.aliases.momentary.add(name)
        context.activity.active.add(name)
        operands = context.activity.operands.get(id(node), [])
        if isinstance(node, gast.AugAssign):
            operands = [target, *operands]
        context.activity.operands[id(first)] = operands
        context.activity.operands[id(second)] = [name]
        context.adjoints[name] = context.fresh(f"b{name}")
        self.kept += [node]
        block[number:number + 1] = [first, second]

    def statement(self, node: gast.stmt) -> Step | None:
        facts = self.context.facts
        self.context.typer.names = kinds_at(facts, id(node))
        operands = self.context.activity.operands.get(id(node), [])
        change = list_change(node, self.context.typer.names)
        if change is not None and self.active(change.name):
            return self.list_change(node, change)
        # What comes out of a list that does not vary is a constant to the name that it gets.
        if change is not None and (change.what != "pop" or change.item is None):
            return None
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, gast.Name):
                if not self.active(target.id):
                    self.check_call(node.value, operands)
                    return None
                return self.binding(node, target.id, node.value, operands)
            if isinstance(target, gast.Tuple):
                return self.unpacking(node, target, operands)
            if isinstance(target, gast.Subscript):
                return self.write(node, target)
            if any(n in self.context.activity.varied for n in operands):
                raise self.refuse(node, "writing to an attribute is not handled yet",
                                  "keep the value in a variable")
            return None
        if isinstance(node, gast.AugAssign):
            return self.augmented(node)
        if isinstance(node, gast.Delete):
            if self.any_active(operands):
                raise self.refuse(node, "deleting from a container of active values is not "
                                        "handled yet", "build a new container")
            return None
        if isinstance(node, gast.Expr) and not isinstance(node.value, gast.Name) \
                and any(n in self.context.activity.varied for n in operands) \
                and not is_thrown_away(node.value, facts):
            function, _ = self.context.facts.callees.get(id(node.value), (NO_OBJECT, None))
            if hasattr(function, "__code__") and registry.lookup(function) is None:
                # A function of the user that writes to its arguments is refused where it is read.
                self.context.check_pair(node.value, function)
                return None
            raise self.refuse(node, "a call that may change an active value is not handled yet",
                              "assign its result, or write x[...] = value")
        return None

    def check_call(self, value: gast.expr, operands: list[str]) -> None:
        """A call whose result does not vary may still change what varies."""
        if not isinstance(value, gast.Call):
            return
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        held = [n for n in operands if n in self.context.activity.varied and not isinstance(
            self.context.typer.names.get(n), Number)]
        if held and isinstance(function, FunctionType) and registry.lookup(function) is None:
            self.context.check_pair(value, function)

    def list_change(self, node: gast.stmt, change: ListChange) -> Step:
        """A list gains or loses an item, and so does its adjoint."""
        typer = self.context.typer
        step = Step(f"list_{change.what}", change.name, index=change.index, change=change)
        owner: Any = typer.kind(syntax.load(change.name))
        if change.index is not None:
            owner = container(owner, change.index)
        if change.what == "grow":
            owner = owner.item
        item = kinds.join_all(owner.items) if isinstance(owner, kinds.DictKind) else owner.item
        if change.what == "put":
            step.reads.add(change.name)
        if change.what == "set" and change.index is not None and syntax.is_colon(
                places(change.index)[-1]) and isinstance(change.item, gast.Name) \
                and isinstance(typer.kind(change.item), kinds.ListKind):
            item = owner                    # `xs[:] = ys`: all that the list holds
        elif isinstance(change.index, gast.Slice) or isinstance(
                typer.kind(change.index) if change.index is not None else kinds.INT,
                kinds.SliceKind):
            raise self.refuse(node, "a part of a list of active values is replaced, which is not "
                                    "handled", "replace the items one by one")
        if change.what == "insert" and not self.counts_from_front(change.index):
            raise self.refuse(node, "an item is inserted at a place that may be counted from the "
                                    "end", "insert at a place that is written as a number")
        if change.what == "pop":
            step.target = change.item.id if change.item is not None else None
            if change.item is None or not has_plain_parts(item):
                raise self.refuse(node, "a container is taken out of a list of active values, "
                                        "which is not handled", "keep its parts in lists of their "
                                                                "own")
            step.operands.add(change.name)
            step.shapes |= {change.item.id}
        elif isinstance(change.item, gast.Name) and self.active(change.item.id):
            step.operands |= {change.item.id, change.name}
        elif change.item is not None and any(map(self.active, read_names(change.item))):
            raise self.refuse(node, "a container that is written out goes into a list of active "
                                    "values", "give it a name first")
        else:
            step.operands.add(change.name)
        if id(node) in self.increments.grown and change.index is not None:
            shadow = syntax.subscript(syntax.load(self.context.adjoints[change.name]),
                                      syntax.copy(change.index))
            step.kind, step.target = "write", change.name
            return self.increase(step, change.name, shadow, self.increments.grown[id(node)], item)
        if isinstance(change.item, gast.Name) and change.what != "pop":
            self.check_real(node, change.item, item)
        if change.what == "set" and isinstance(item, Array) and isinstance(
                change.item, gast.Name) and getattr(
                    self.bound.get(change.item.id), "of_part", False):
            step.keeps_shape = True
        elif change.what == "set" and zero_of(item) is None:
            step.reads.add(change.name)
        return step

    def counts_from_front(self, index: Any) -> bool:
        """Whether a place in a list is surely not counted from its end, nor behind that."""
        if isinstance(index, gast.Name):
            found = self.bound.get(index.id)
            return isinstance(found, gast.Call) \
                and self.context.typer.callee(found)[0] in _PLACES_IN_ORDER
        return isinstance(index, gast.Constant) and isinstance(index.value, int) \
            and index.value >= 0


def _reads_of(node: gast.stmt) -> set[str]:
    found = read_names(node)
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        found.add(node.target.id)
    return found
