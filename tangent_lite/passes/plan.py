"""For each statement, what its adjoint adds to which adjoints, and what that reads.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.transform import stages
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

from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, overlaps, registry, runtime, spelling, syntax, template
from tangent_lite.errors import MissingRuleError, Place, TangentError, UnsupportedSyntaxError
from tangent_lite.filling import Filling
from tangent_lite.increments import increments
from tangent_lite.inference import BINARY, NO_OBJECT, UNARY, Typer
from tangent_lite.kinds import Array, Number
from tangent_lite.known_kinds import kinds_at
from tangent_lite.lists import ListChange, list_change, list_parts
from tangent_lite.liveness import definitions
from tangent_lite.markers import marker_of
from tangent_lite.paths import CONTAINERS
from tangent_lite.records import is_made_of_fields
from tangent_lite.steps import Contribution, Step, index_value
from tangent_lite.syntax import COMPOUND, load, read_names
from tangent_lite.updates import fields_of_class, updates_of


@dataclass
class Context:
    """What the pass is given."""
    facts: Any
    aliases: Any
    activity: Any
    typer: Typer
    adjoints: dict[str, str]                            # variable -> name of its adjoint
    fresh: Callable[[str], str]
    external: Callable[[Any, str], gast.expr]           # how emitted code spells an object
    place: Callable[[gast.AST], Place]
    pair: Callable[..., Any]                            # a user function -> its pair
    check_pure: Callable[..., Any]                      # AliasError if a user function writes


@dataclass
class Plan:
    steps: dict[int, Step] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)       # tuples that are read as lists are
    kinds: dict[str, kinds.Kind] = field(default_factory=dict)      # of adjoint names


def plan(tree: gast.FunctionDef, context: Context) -> Plan:
    """Plan the adjoint of each active statement; calls of user functions are rewritten in place."""
    planner = _Planner(tree.body, context)
    planner.find_listed(tree.body)
    planner.block(tree.body)
    planner.note_views()
    return planner.plan


class _Planner:
    def __init__(self, body: list[gast.stmt], context: Context) -> None:
        self.context = context
        self.plan = Plan()
        self.filling = Filling(context.typer, context.activity.active, context.external,
                               context.fresh, context.place)
        self.filling.kinds = self.plan.kinds
        self.increments = increments(body, context.facts, context.typer)
        self.kept: list[gast.stmt] = []     # replaced statements: their ids must stay theirs
        self.bound = _bound_once(body)

    @property
    def listed(self) -> set[str]:
        return self.plan.listed

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
        """Tuples that a rule takes as a whole: `np.stack(rows)`."""
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None or entry.adjoint is None:
            return
        for argument in value.args:
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
            if step.pair is not None:
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

    def active(self, name: str) -> bool:
        return name in self.context.activity.active

    def statement(self, node: gast.stmt) -> Step | None:
        facts = self.context.facts
        self.context.typer.names = kinds_at(facts, id(node))
        operands = self.context.activity.operands.get(id(node), [])
        change = list_change(node, self.context.typer.names)
        if change is not None:
            return self.list_change(node, change) if self.active(change.name) else None
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
        if isinstance(node, gast.Expr) and any(n in self.context.activity.varied
                                               for n in operands):
            function, _ = self.context.facts.callees.get(id(node.value), (NO_OBJECT, None))
            if hasattr(function, "__code__") and registry.lookup(function) is None:
                # A function of the user that writes to its arguments is refused where it is read.
                self.context.check_pure(node.value, function)
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
            self.context.check_pure(value, function)

    def any_active(self, names: Any) -> bool:
        return any(map(self.active, names))

    def refuse(self, node: gast.AST, reason: str, fix: str) -> UnsupportedSyntaxError:
        return self.filling.refuse(node, reason, fix)

    def adjoint(self, name: str) -> gast.expr:
        return load(self.context.adjoints[name])

    def binding(self, node: gast.stmt, target: str, value: gast.expr, operands: list[str]) -> Step:
        wanted = [n for n in operands if self.active(n)]
        if marker_of(node) is not None:
            raise self.refuse(value, "what a context manager hands out here depends on an active "
                                     "value", "compute it without the context manager")
        step = Step("rule", target, operands=set(wanted))
        if not wanted:
            step.kind = "constant"
            return step
        if isinstance(self.context.facts.after[id(node)].get(target), kinds.Text):
            raise self.refuse(value, "an active number is written into a text from which a number "
                                     "is read again", "use the number itself")
        if isinstance(value, gast.Subscript) and self.any_active(
                self.context.typer.keys_of_objects(value)):
            raise self.refuse(value, "an active value is the key of an object",
                              "call a method of it")
        if self.mirrors(target, value):
            step.kind = "view"
            step.operands = set()
            return step
        if isinstance(value, gast.Name):
            step.kind = "copy"
            step.contributions.append(Contribution(value.id, self.adjoint(target)))
            step.reads.discard(target)
            return step
        if isinstance(value, (gast.Tuple, gast.List, gast.Dict)) \
                or updates_of(value) is not None or self.makes_object(value):
            if updates_of(value) is None and any(
                    isinstance(n, gast.Starred) or (isinstance(n, gast.Dict) and not all(
                        isinstance(k, gast.Constant) for k in n.keys))
                    for n in syntax.walk(value)):
                raise self.refuse(value, "what this is made of is not known",
                                  "write the parts out one by one")
            step.kind = "build"
            return step
        parts = list_parts(value, self.context.typer)
        if parts is not None:
            return self.joined(step, parts)
        if isinstance(value, gast.Subscript):
            return self.item(node, step, value)
        if isinstance(value, gast.Attribute):
            owner = self.context.typer.kind(value.value)
            if isinstance(owner, CONTAINERS) and isinstance(value.value, gast.Name):
                inner = self.binding_steps(value)
                if inner is None:
                    raise self.refuse(
                        value, f"the attribute {value.attr} is no field of the object",
                        "read a field, or call a method")
                step.kind = "part"
                step.contributions.append(Contribution(
                    value.value.id, self.adjoint(target), steps=(inner,)))
                return step
            if owner == kinds.UNKNOWN and not hasattr(np.ndarray, value.attr):
                raise self.refuse(value, "an attribute of an unknown object is read",
                                  "pass the object as an argument of the function")
            return self.rule(node, step, getattr(np.ndarray, value.attr, NO_OBJECT),
                             [value.value], {}, value)
        if isinstance(value, gast.BinOp):
            if any(isinstance(self.context.typer.kind(p), (*CONTAINERS, kinds.ListKind))
                   for p in (value.left, value.right)):
                raise self.refuse(value, "joining tuples or lists of active values is not handled "
                                         "yet", "write the parts out: (a, b, c)")
            if isinstance(value.op, gast.Div) and syntax.is_one(value.left) \
                    and self.context.typer.kind(value) != kinds.UNKNOWN:
                # Of 1.0 / x the slope is made of the quotient alone.
                return self.rule(node, step, np.reciprocal, [value.right], {}, value)
            return self.rule(node, step, BINARY[type(value.op)], [value.left, value.right], {},
                             value)
        if isinstance(value, gast.UnaryOp):
            return self.rule(node, step, UNARY[type(value.op)], [value.operand], {}, value)
        if isinstance(value, gast.Call):
            return self.call(node, step, value)
        raise self.refuse(value, "this expression is not handled on active values yet",
                          "write it as a loop or with NumPy operations")

    def joined(self, step: Step, parts: list[str]) -> Step:
        """A new list of the items of others: each takes its part of the adjoint."""
        step.kind = "list_join"
        step.parts = parts
        step.shapes |= set(parts[:-1])
        return step

    def makes_object(self, value: gast.expr) -> bool:
        """Whether a call makes an object whose fields are the arguments."""
        if not isinstance(value, gast.Call):
            return False
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        return isinstance(function, type) and registry.lookup(function) is None \
            and fields_of_class(function, len(value.args),
                                [k.arg for k in value.keywords]) is not None

    def item(self, node: gast.stmt, step: Step, value: gast.Subscript) -> Step:
        assert step.target is not None
        typer = self.context.typer
        owner = typer.kind(value.value)
        name = value.value.id if isinstance(value.value, gast.Name) else None
        if name is None:
            raise self.refuse(value, "this subscript is not handled on active values yet",
                              "give what is subscripted a name first")
        if isinstance(owner, kinds.TupleKind) and isinstance(typer.kind(value.slice),
                                                             kinds.SliceKind):
            raise self.refuse(value, "a slice of a tuple of active values is not handled yet",
                              "take the parts one by one")
        if any(isinstance(k, (kinds.ListKind, kinds.MapKind))
               for k in (owner, self.context.facts.names.get(name))) or name in self.listed:
            step.kind = "element"       # also where it has one sort of keys, and not later
            step.contributions.append(Contribution(name, self.adjoint(step.target),
                                                   syntax.copy(value.slice)))
            return step
        if isinstance(owner, kinds.RecordKind):
            raise self.refuse(value, "an object is subscripted", "call a method of it")
        if isinstance(owner, CONTAINERS):
            key = kinds.value_of(typer.kind(value.slice))
            if key is kinds.NO_VALUE or isinstance(value.slice, gast.Slice):
                raise self.refuse(value, "a container is read with a key that is not written out",
                                  "write the key as a literal")
            if isinstance(owner, kinds.TupleKind) and isinstance(key, int) and key < 0:
                key += len(owner.items)
            step.kind = "part"
            step.contributions.append(Contribution(name, self.adjoint(step.target),
                                                   steps=(("[", key),)))
            return step
        if step.target in self.context.aliases.views or self.mirrors(step.target, value):
            step.kind = "view"
            step.index = value.slice
            step.operands = {name}
            return step
        repeated = typer.index_class(value.slice) in ("array", "unknown") and not (
            isinstance(value.slice, gast.Constant) and isinstance(value.slice.value, str))
        step.kind = "item"
        step.contributions.append(Contribution(name, self.adjoint(step.target),
                                               syntax.copy(value.slice), repeated))
        return step

    def mirrors(self, target: str, value: gast.expr) -> bool:
        """Whether the shadow of target is bound in the forward pass, to that of what it shares."""
        aliases = self.context.aliases
        return aliases.is_twin(target) and target not in aliases.momentary \
            and id(value) in aliases.twin_views

    def unpacking(self, node: gast.Assign, target: gast.Tuple, operands: list[str]) -> Step | None:
        names = [n.id for n in target.elts]
        if not self.any_active(names):
            return None
        if not self.any_active(operands):
            return Step("overwritten", None)
        if isinstance(node.value, gast.Call):
            step = Step("rule", None, operands={n for n in operands if self.active(n)})
            return self.call(node, step, node.value)
        if not isinstance(node.value, gast.Name):
            # A part of a container: `W, b = params["dense"]`.
            value = node.value
            if isinstance(value, (gast.Subscript, gast.Attribute)) \
                    and isinstance(value.value, gast.Name):
                inner = self.binding_steps(value)
                if inner is not None:
                    step = Step("unpack", None, operands={value.value.id})
                    for number, name in enumerate(names):
                        if self.active(name):
                            step.contributions.append(Contribution(
                                value.value.id, self.adjoint(name),
                                steps=(inner, ("[", number))))
                    return step
            raise self.refuse(node, "this unpacking is not handled on active values yet",
                              "unpack a name")
        source = node.value.id
        kind = self.context.typer.kind(node.value)
        step = Step("unpack", None, operands={source})
        for number, name in enumerate(names):
            if not self.active(name) or not self.active(source):
                continue
            if isinstance(kind, kinds.ListKind) or source in self.listed:
                step.contributions.append(Contribution(source, self.adjoint(name),
                                                       syntax.constant(number)))
            elif isinstance(kind, kinds.TupleKind):
                step.contributions.append(Contribution(source, self.adjoint(name),
                                                       steps=(("[", number),)))
            elif isinstance(kind, (Array, kinds.Numeric)):
                step.contributions.append(Contribution(source, self.adjoint(name),
                                                       syntax.constant(number)))
            else:
                raise self.refuse(node, "what is unpacked here is not known to be a tuple",
                                  "return a tuple of fixed length")
        return step

    def binding_steps(self, value: gast.expr) -> tuple[str, Any] | None:
        typer = self.context.typer
        owner = typer.kind(value.value)
        if not isinstance(owner, CONTAINERS):
            return None
        if isinstance(value, gast.Attribute):
            if isinstance(owner, kinds.TupleKind):
                fields = getattr(owner.type, "_fields", ())
                return ("[", fields.index(value.attr)) if value.attr in fields else None
            return (".", value.attr) if value.attr in getattr(owner, "fields", ()) else None
        key = kinds.value_of(typer.kind(value.slice))
        return None if key is kinds.NO_VALUE else ("[", key)

    def list_change(self, node: gast.stmt, change: ListChange) -> Step:
        """A list gains or loses an item, and so does its adjoint."""
        typer = self.context.typer
        step = Step(f"list_{change.what}", change.name, index=change.index, change=change)
        owner: Any = typer.kind(syntax.load(change.name))
        item = kinds.join_all(owner.items) if isinstance(owner, kinds.DictKind) else owner.item
        if change.what == "put":
            step.reads.add(change.name)
        if isinstance(change.index, gast.Slice) or isinstance(
                typer.kind(change.index) if change.index is not None else kinds.INT,
                kinds.SliceKind):
            raise self.refuse(node, "a part of a list of active values is replaced, which is not "
                                    "handled", "replace the items one by one")
        if change.what == "insert" and not _counts_from_front(change.index):
            raise self.refuse(node, "an item is inserted at a place that may be counted from the "
                                    "end", "insert at a place that is written as a number")
        if change.what == "pop":
            step.target = change.item.id if change.item is not None else None
            if change.item is None or not _has_plain_parts(item) \
                    or change.item.id not in self.context.adjoints:
                raise self.refuse(node, "a container is taken out of a list of active values, "
                                        "which is not handled", "keep its parts in lists of their "
                                                                "own")
            step.operands.add(change.name)
            step.shapes.add(change.item.id)
        elif isinstance(change.item, gast.Name) and self.active(change.item.id):
            step.operands |= {change.item.id, change.name}
        elif change.item is not None and any(map(self.active, read_names(change.item))):
            raise self.refuse(node, "a container that is written out goes into a list of active "
                                    "values", "give it a name first")
        else:
            step.operands.add(change.name)
        if change.what == "set":
            if kinds.dtype_of(item) in ("int", "bool"):
                raise self.refuse(node, "an active value goes into a list of integers",
                                  "make them floats")
            if not isinstance(item, Number):
                step.reads.add(change.name)
        return step

    # Writes -----------------------------------------------------------------------------------
    def write(self, node: gast.Assign, target: gast.Subscript) -> Step | None:
        name = getattr(target.value, "id", None)
        value = node.value.id if isinstance(node.value, gast.Name) else None
        typer = self.context.typer
        if name is None or not self.active(name):
            varied = self.context.activity.varied
            if value in varied and (name is None or (
                    not isinstance(typer.kind(target.value), (Array, kinds.Numeric))
                    and kinds.can_vary(typer.kind(node.value)))):
                raise self.refuse(node, "writing here is not handled on active values yet",
                                  "write to an array that has a name")
            return None
        owner = typer.kind(target.value)
        if not isinstance(owner, (Array, kinds.Numeric)) and owner != kinds.UNKNOWN:
            raise self.refuse(node, "writing active values into a container is not handled yet",
                              "use an array, or build a new container")
        self.check_dtype(node, owner)
        shadow = syntax.subscript(self.adjoint(name), syntax.copy(target.slice))
        step = Step("write", name, index=target.slice)
        if id(node) in self.increments.grown:
            return self.increase(step, name, shadow, self.increments.grown[id(node)],
                                 typer.kind(target))
        if value is not None and self.aliases_of(value, name) and not overlaps.in_step(
                target, self.bound.get(value), typer.kind(target)):
            raise self.refuse(node, overlaps.REASON, overlaps.FIX)
        kind = typer.index_class(target.slice)
        element = isinstance(typer.kind(target), Number)
        if kind in ("array", "unknown") and not element:
            taken: gast.expr = syntax.call(self.context.external(runtime.last_written,
                                                                 "last_written"),
                                           self.adjoint(name),
                                           index_value(target.slice, self.context.external))
        elif element or kind == "mask":
            taken = shadow                      # a number, or new
        elif syntax.is_whole(target.slice):
            taken = syntax.method(self.adjoint(name), "copy")
        else:
            taken = syntax.method(shadow, "copy")
        if value is not None and self.active(value):
            local = self.context.fresh(self.context.adjoints[name] + "_part")
            self.plan.kinds[local] = typer.kind(target)
            typer.names[local] = typer.kind(target)
            step.locals.append((local, taken))
            step.operands.add(value)
            # What out= receives has the shape of the array; what is assigned may be spread over it.
            fits = getattr(node, "fits", False) and not isinstance(typer.kind(node.value), Number)
            taken = load(local)
            step.contributions.append(Contribution(
                value, taken if fits else self.filling.unbroadcast(taken, load(value))))
        return step

    def aliases_of(self, value: str, name: str) -> bool:
        """Whether an array that is written may lie in the array that it is written to."""
        aliases = self.context.aliases
        return aliases.find(value) == aliases.find(name) and not isinstance(
            self.context.typer.kind(load(value)), Number)

    def check_dtype(self, node: gast.AST, owner: kinds.Kind) -> None:
        if isinstance(owner, Array) and owner.dtype in ("int", "bool"):
            raise self.refuse(node, "an active value is written into an array of integers, "
                                    "which rounds it", "make the array a float array")

    def increase(self, step: Step, name: str, shadow: gast.expr,
                 terms: list[tuple[gast.expr, str]], kind: kinds.Kind) -> Step:
        """x[i] += e: the adjoint of x[i] stays; a copy of it is what e receives."""
        step.kind = "increment"
        terms = [(e, op) for e, op in terms if isinstance(e, gast.Name) and self.active(e.id)]
        if not terms:
            return step
        typer = self.context.typer
        new = isinstance(kind, Number) or (
            step.index is not None and typer.index_class(step.index) in ("array", "mask"))
        taken = shadow if new else syntax.method(shadow, "copy")
        local = self.context.fresh(self.context.adjoints[name] + "_part")
        self.plan.kinds[local] = kind
        typer.names[local] = kind
        step.locals.append((local, taken))
        for other, operator in terms:
            step.operands.add(other.id)
            value: gast.expr = load(local)
            if operator == "-":
                value = syntax.minus(value)
            step.contributions.append(Contribution(
                other.id, self.filling.unbroadcast(value, load(other.id))))
        return step

    def augmented(self, node: gast.AugAssign) -> Step | None:
        typer = self.context.typer
        target = node.target
        owner = target.value if isinstance(target, gast.Subscript) else target
        name = getattr(owner, "id", None)
        if name is None or not self.active(name):
            return None
        kind = typer.kind(load(name))
        if isinstance(target, gast.Name) and isinstance(kind, Number):
            value = syntax.copy_place(gast.BinOp(load(name), node.op, node.value), node)
            operands = [name] + ([node.value.id] if isinstance(node.value, gast.Name)
                                 and node.value.id in typer.names
                                 and kinds.can_vary(typer.names[node.value.id]) else [])
            return self.binding(node, name, value, operands)
        if not isinstance(kind, Array):
            raise self.refuse(node, f"whether {name} is a number or an array is not known, so "
                                    "neither is what `+=` changes", f"write {name} = {name} + ...")
        self.check_dtype(node, kind)
        other = node.value
        if isinstance(target, gast.Subscript):
            if not isinstance(node.op, (gast.Add, gast.Sub)):
                raise self.refuse(node, "this in-place operation is not handled yet",
                                  "write x[i] = x[i] * ...")
            repeats = hasattr(node, "repeats")          # np.add.at
            if typer.index_class(target.slice) == "unknown" and not repeats and \
                    not isinstance(typer.kind(target), Number):
                raise self.refuse(node, "whether this index names an element twice is not known",
                                  "use slices, integers or np.add.at")
            if typer.index_class(target.slice) == "array" and not repeats:
                raise self.refuse(node, "x[index] += v keeps only one of repeated positions",
                                  "use np.add.at, or slices")
            shadow = syntax.subscript(self.adjoint(name), syntax.copy(target.slice))
            step = Step("write", name, index=target.slice)
            operator = "+" if isinstance(node.op, gast.Add) else "-"
            return self.increase(step, name, shadow, [(other, operator)], typer.kind(target))
        step = Step("write", name)
        if isinstance(node.op, (gast.Add, gast.Sub)):
            operator = "+" if isinstance(node.op, gast.Add) else "-"
            return self.increase(step, name, self.adjoint(name), [(other, operator)], kind)
        if not isinstance(node.op, (gast.Mult, gast.Div)):
            raise self.refuse(node, "this in-place operation is not handled yet",
                              f"write {name}[...] = {name} ** ...")
        rule = registry.entry_for(BINARY[type(node.op)]).adjoint
        assert rule is not None
        step.kind = "scale"
        step.operands = {other.id} if isinstance(other, gast.Name) else set()
        bound = template.bind(rule, [load(name), other], {})
        active_other = isinstance(other, gast.Name) and self.active(other.id)
        first, second = (p.name for p in rule.parameters[:2])
        # The backward pass has put back what was written over: the result is computed again.
        result = syntax.copy_place(gast.BinOp(load(name), node.op, syntax.copy(other)), node)
        filled = self.filling.fill(rule, bound, name, self.adjoint(name), {
            (first, None), *([(second, None)] if active_other else [])},
            self.context.typer.kind(load(name)), result)
        for parameter, _, expression in filled.contributions:
            step.contributions.append(Contribution(
                name if parameter == first else other.id, expression))
        step.locals = filled.locals
        return step

    # Calls ------------------------------------------------------------------------------------
    def call(self, node: gast.stmt, step: Step, value: gast.Call) -> Step:
        function, receiver = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        arguments = ([receiver] if receiver is not None else []) + list(value.args)
        keywords = {k.arg: k.value for k in value.keywords}
        if any(isinstance(a, gast.Starred) for a in arguments) or None in keywords:
            raise self.refuse(value, "a call with * or ** is not handled on active values yet",
                              "write the arguments out")
        if function is NO_OBJECT:
            raise self.refuse(value, "which function this calls is not known before the call",
                              "call a function of the module or of an imported one by its name")
        entry = registry.lookup(function)
        if entry is not None and entry.adjoint is not None:
            return self.rule(node, step, function, arguments, keywords, value)
        if entry is None and hasattr(function, "__code__"):
            try:
                return self.user_call(node, step, function, arguments, keywords, value)
            except TangentError as error:
                if not registry.is_library(function):
                    raise
                raise self.filling.missing(function, arguments, value) from error
        return self.rule(node, step, function, arguments, keywords, value)

    def rule(self, node: gast.stmt, step: Step, function: Any, arguments: list[gast.expr],
             keywords: dict[str, gast.expr], value: gast.expr) -> Step:
        if step.target is None:
            raise self.refuse(node, "several results of one call are not handled here yet",
                              "give the result a name and unpack it")
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if (entry is None or entry.adjoint is None) and registry.load_third_parties():
            entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None or entry.adjoint is None:
            raise self.filling.missing(function, arguments, value)
        if "out" in keywords:
            raise self.refuse(value, "this use of `out=` is not handled",
                              "write x[...] = f(...)")
        self.filling.check_operands(value)
        kind = self.filling.check_result(value)
        rule = entry.adjoint
        arguments, keywords = spelling.as_of_rule(rule, function, arguments, keywords,
                                                  self.context.typer)
        try:
            bound = template.bind(rule, arguments, keywords)
        except template.BindingError as error:
            raise MissingRuleError(str(error), self.context.place(value),
                                   "call it with the arguments of the rule, or write a rule of "
                                   "your own") from None
        if step.target in self.context.aliases.views:
            step.kind = "view"
            step.operands = {arguments[0].id}
            if step.target not in self.context.aliases.decided:
                return step
        wanted = self.filling.wanted(rule, bound, value)
        filled = self.filling.fill(rule, bound, step.target, self.adjoint(step.target), wanted,
                                   kind)
        step.locals = filled.locals
        for parameter, number, expression in filled.contributions:
            argument = bound[parameter]
            if number is not None:
                argument = (argument if isinstance(argument, list) else argument.elts)[number]
            step.contributions.append(Contribution(argument.id, expression))
        step.reads_result = filled.reads_result
        return step

    def user_call(self, node: gast.stmt, step: Step, function: Any, arguments: list[gast.expr],
                  keywords: dict[str, gast.expr], value: gast.Call) -> Step:
        step.kind = "pair"
        step.pair = self.context.pair(function, arguments, keywords, value,
                                      self.context.activity.active)
        step.operands = {n for _, n in step.pair.active}
        saved = self.context.fresh(f"{step.pair.name}_saved")
        step.pair.saved = saved
        step.reads.add(saved)
        # What the forward half saved may refer to the arrays that it was given.
        step.buffers = {n for a in step.pair.arguments for n in read_names(a)}
        return step

    def forward_half(self, node: gast.Assign, step: Step) -> gast.stmt:
        """`y = f(x)` becomes `y, f_saved = f_fwd(x)`."""
        pair = step.pair
        target = node.targets[0]
        call = syntax.copy_place(gast.Call(pair.forward, pair.arguments, []), node.value)
        both = syntax.tuple_of([target, syntax.store(pair.saved)], gast.Store())
        made = syntax.copy_place(gast.Assign([both], call, None), node)
        self.plan.steps[id(made)] = self.plan.steps.pop(id(node))
        facts = self.context.facts
        facts.before[id(made)] = facts.before[id(node)]
        facts.after[id(made)] = {**facts.after[id(node)], pair.saved: kinds.Other(tuple)}
        self.kept.append(node)
        return made


def _has_plain_parts(kind: kinds.Kind) -> bool:
    """Whether the adjoint of a value in a list of adjoints is made of tuples, dicts and arrays."""
    if isinstance(kind, kinds.RecordKind):
        return not is_made_of_fields(kind.type, kind.fields) \
            and all(map(_has_plain_parts, kind.items))
    if isinstance(kind, kinds.TupleKind):
        return kind.type is tuple and all(map(_has_plain_parts, kind.items))
    if isinstance(kind, kinds.DictKind):
        return all(map(_has_plain_parts, kind.items))
    return True


def _bound_once(body: list[gast.stmt]) -> dict[str, gast.expr]:
    """What names are bound to that are bound in one place."""
    found: dict[str, gast.expr] = {}
    again: set[str] = set()
    for node in syntax.statements(body):
        for name in definitions(node):
            again |= {name} & found.keys()
            found[name] = node.value
    return {name: value for name, value in found.items() if name not in again}


def _counts_from_front(index: gast.expr) -> bool:
    return isinstance(index, gast.Constant) and isinstance(index.value, int) and index.value >= 0


def _reads_of(node: gast.stmt) -> set[str]:
    found = read_names(node)
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        found.add(node.target.id)
    return found
