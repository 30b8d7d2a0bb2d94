"""Give tangents a leading axis: one pass along many directions, in which values are computed once.

>>> import numpy as np
>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import INT, Array
>>> from tangent_lite.stages import batch_of
>>> def f(x, n, dx):
...     for i in range(n):
...         dx = dx * x[i]
...     total = np.sum(dx)
...     return x, total
>>> for node in batch_of(f, ["dx"], x=Array(1, "float"), n=INT, dx=Array(1, "float")):
...     print(emit(node), end="")
for i in range(n):
    x_i = x[i]
    dx = dx * x_i
total = np.sum(dx, axis=1)
return x, total

What is read is code that forward or reverse mode wrote; it is linear in what is batched, so that
control flow never depends on it. Which variables are batches is found by walking the code until
nothing changes: a variable is one if any value it is bound to is one, or is written into it. What
has no form for batches is refused, and the caller takes the directions one by one.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.known_kinds import kinds_at
from tangent_lite.directions.batching import MIRRORED, OF_SHAPE, Mark, Operations, Value
from tangent_lite.errors import TangentError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Number
from tangent_lite.markers import marker_of
from tangent_lite.structures.lists import list_change
from tangent_lite.structures.nested import is_grown, is_swap
from tangent_lite.syntax import COMPOUND, assign, load, read_names


@dataclass(eq=False, repr=False)
class Context:
    """What the pass is given."""
    facts: Inferred
    aliases: Aliases
    typer: Typer
    parameters: list[str]
    batched: dict[str, Mark]                            # the parameters that are batches
    external: Callable[[Any, str], gast.expr]           # how emitted code spells an object
    count: Callable[[], gast.expr]                      # the number of directions
    no_form: Callable[[gast.AST, str], TangentError]    # what is not handled, for the caller
    user_call: Callable[..., tuple[gast.expr, Mark]]    # a call of a user function -> its batch


def batch(body: list[gast.stmt], context: Context) -> tuple[list[gast.stmt], Mark]:
    """The body for batches, and which parts of what it returns are batches."""
    walk = _Batch(context)
    while True:
        known = dict(walk.marks)
        made = walk.block(body)
        if walk.marks == known:
            return made, walk.result


class _Batch:
    def __init__(self, context: Context) -> None:
        self.context, self.typer, self.facts = context, context.typer, context.facts
        self.marks: dict[str, Mark] = dict(context.batched)
        self.result: Mark = False
        self.operations = Operations(context.typer, context.external, context.count, self.no_form)
        self.classes: dict[str, list[str]] = {}         # names that may be one written buffer
        for name in {**dict.fromkeys(context.parameters), **context.facts.names}:
            if context.aliases.may_change(name):
                self.classes.setdefault(context.aliases.find(name), []).append(name)

    def no_form(self, node: gast.AST, why: str) -> TangentError:
        return self.context.no_form(node, why)

    # Marks ------------------------------------------------------------------------------------
    def mark(self, name: str, mark: Mark, node: gast.AST) -> Mark:
        """What a variable is, when it is given this as well."""
        joined = _joined(self.marks.get(name, False), mark, lambda: self.no_form(
            node, f"{name} is a batch in parts, and on another way otherwise"))
        if joined != self.marks.get(name, False):
            names = self.classes.get(self.context.aliases.find(name), ()) \
                if joined is True and not isinstance(self.facts.names.get(name), Number) else ()
            for one in {name, *names}:
                if isinstance(self.facts.names.get(one), Number) and one != name:
                    continue
                if one in self.context.parameters and one not in self.context.batched:
                    raise self.no_form(node, f"{one} is written, and does not depend on the "
                                            "direction at its start")
                self.marks[one] = joined
        return joined

    def is_batch(self, node: gast.AST) -> bool:
        return any(self.marks.get(n, False) is not False for n in read_names(node))

    # Statements -------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, COMPOUND):
                out.append(self.compound(node))
            else:
                self.typer.names = kinds_at(self.facts, id(node))
                out += self.statement(node)
        return out

    def compound(self, node: gast.stmt) -> gast.stmt:
        head = node.iter if isinstance(node, gast.For) else node.test
        if self.is_batch(head):
            raise self.no_form(head, "which way is taken depends on the direction")
        made = syntax.copy(gast.copy_location(type(node)(**{
            **{f: getattr(node, f) for f in node._fields}, "body": [], "orelse": []}), node))
        made.body, made.orelse = self.block(node.body), self.block(node.orelse)
        if isinstance(node, gast.For) and any(n in self.marks for n in
                                              syntax.bound_names(node.target)):
            raise self.no_form(node, "the variable of the loop depends on the direction elsewhere")
        return made

    def statement(self, node: gast.stmt) -> list[gast.stmt]:
        if marker_of(node) is not None:
            if self.is_batch(node):
                raise self.no_form(node, "a context manager is given a batch")
            return [syntax.copy(node)]
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, gast.Name):
                return [gast.copy_location(self.binding(node, target.id), node)]
            if isinstance(target, gast.Tuple):
                return self.unpacking(node, target)
            return [self.write(node, target, gast.Assign)]
        if isinstance(node, gast.AugAssign):
            return [self.augmented(node)]
        if isinstance(node, gast.Expr):
            return [self.effect(node)]
        if isinstance(node, gast.Return):
            made, self.result = self.value(node.value or gast.Constant(None, None))
            return [gast.Return(made)]
        if self.is_batch(node):
            raise self.no_form(node, "this statement has no form for batches")
        return [syntax.copy(node)]

    def binding(self, node: gast.Assign, target: str) -> gast.stmt:
        value = self.value(node.value)
        made, mark = value
        wanted = self.mark(target, mark, node)
        if wanted is True and mark is not True:
            if isinstance(node.value, gast.Name) and not isinstance(
                    self.typer.kind(node.value), (Number, Array)):
                self.mark(node.value.id, True, node)    # one container, known by two names
                return assign(target, made)
            made = self.operations.whole(value, node.value)
        elif mark is True and self.is_element(node.value):
            made = syntax.method(made, "copy")
            made.of_element = True
        return assign(target, made)

    def is_element(self, node: gast.expr) -> bool:
        """Whether what was a number is a view of an array that is written to."""
        return isinstance(node, gast.Subscript) and isinstance(self.typer.kind(node), Number) \
            and isinstance(self.typer.kind(node.value), Array) \
            and any(self.context.aliases.is_written(n) for n in read_names(node.value))

    def unpacking(self, node: gast.Assign, target: gast.Tuple) -> list[gast.stmt]:
        made, mark = self.value(node.value)
        names = [getattr(e, "id", None) for e in target.elts]
        if mark is False and not any(n in self.marks for n in syntax.bound_names(target)):
            return [syntax.copy(node)]
        kind = self.typer.kind(node.value)
        if None in names or (not isinstance(kind, (kinds.TupleKind, kinds.ListKind)) and (
                not isinstance(mark, tuple))):
            raise self.no_form(node, "this unpacking has no form for batches")
        parts = mark if isinstance(mark, tuple) else (mark,) * len(names)
        if len(parts) != len(names):
            raise self.no_form(node, "this unpacking has no form for batches")
        out: list[gast.stmt] = [gast.Assign([syntax.copy(target)], made, None)]
        for name, part in zip(names, parts):
            assert name is not None
            if self.mark(name, part, node) is not part and part is False:
                out.append(assign(name, self.operations.spread(load(name), load(name))))
        return out

    def write(self, node: Any, target: gast.expr, make: type) -> gast.stmt:
        """`x[i] = v`, `x[i] += v`."""
        if isinstance(target, gast.Subscript) and is_swap(target.slice):
            return syntax.copy(node)
        if isinstance(target, gast.Subscript) and is_grown(target.slice):
            raise self.no_form(node, "a list in a dict has no form for batches")
        made, mark = self.value(node.value)
        base = getattr(target, "value", None)
        if not isinstance(target, gast.Subscript) or not isinstance(base, gast.Name):
            if mark is False and not self.is_batch(target):
                return syntax.copy(node)
            raise self.no_form(node, "writing here has no form for batches")
        if self.is_batch(target.slice):
            raise self.no_form(node, "where this writes depends on the direction")
        wanted = self.mark(base.id, bool(mark), node)
        spot = syntax.copy(target)
        if wanted is not False:
            owner = self.typer.kind(base)
            if isinstance(owner, Array):
                spot.slice = self.index(target)
                region = syntax.copy(target)
                region.ctx = gast.Load()
                if mark:
                    made = self.operations.lifted(made, self.operations.rank(node.value),
                                                  self.operations.rank(region))
            elif isinstance(owner, (kinds.ListKind, kinds.DictKind, kinds.MapKind)):
                made = self.operations.whole((made, mark), node.value)
            else:
                raise self.no_form(node, "writing here has no form for batches")
        if make is gast.Assign:
            return gast.copy_location(gast.Assign([spot], made, None), node)
        new = gast.copy_location(gast.AugAssign(spot, node.op, made), node)
        if hasattr(node, "repeats"):
            new.repeats = syntax.copy(node.repeats)
        return new

    def augmented(self, node: gast.AugAssign) -> gast.stmt:
        target = node.target
        if not isinstance(target, gast.Name):
            return self.write(node, target, gast.AugAssign)
        made, mark = self.value(node.value)
        if mark is False and target.id not in self.marks:
            return syntax.copy(node)
        wanted = self.mark(target.id, bool(mark), node)
        kind = self.typer.kind(load(target.id))
        if isinstance(kind, Number):
            # A number is bound anew; a batch of numbers is an array, which `+=` would change.
            old = self.marks[target.id]
            sides = (load(target.id), old), (made, mark)
            whole, _ = self.operations.binary(gast.BinOp(load(target.id), node.op, node.value),
                                              *sides)
            return assign(target.id, whole)
        if isinstance(kind, kinds.ListKind):
            return gast.AugAssign(syntax.copy(target), node.op,
                                  self.operations.whole((made, mark), node.value))
        if not isinstance(kind, Array) or wanted is not True:
            raise self.no_form(node, "whether this changes an array is not known")
        if mark:
            made = self.operations.lifted(made, self.operations.rank(node.value),
                                          self.operations.rank(load(target.id)))
        return gast.copy_location(gast.AugAssign(syntax.copy(target), node.op, made), node)

    def effect(self, node: gast.Expr) -> gast.stmt:
        """A call for its effect: a list that changes, or a helper that adds into an array."""
        call = node.value
        change = list_change(node, self.typer.names)
        if change is not None and isinstance(call, gast.Call):
            item = self.value(change.item) if change.item is not None else (None, False)
            wanted = self.mark(change.name, bool(item[1]), node)
            if wanted is False:
                return syntax.copy(node)
            args = [self.operations.whole(item, change.item) if a is change.item
                    else self.value(a)[0] for a in call.args]
            return syntax.statement(gast.Call(syntax.copy(call.func), args, []))
        if not self.is_batch(node):
            return syntax.copy(node)
        function, receiver = self.facts.callees.get(id(call), (NO_OBJECT, None))
        if function is runtime.add_at and isinstance(call.args[0], gast.Name) \
                and receiver is None and len(call.args) == 3 and not self.is_batch(call.args[1]):
            base, where, value = call.args
            made, mark = self.value(value)
            self.mark(base.id, bool(mark), node)
            region = syntax.subscript(base, where)
            index = syntax.subscript(self.operations.np("s_"), self.index(region))
            if mark:
                made = self.operations.lifted(made, self.operations.rank(value),
                                              self.operations.rank(region))
            return syntax.statement(gast.Call(syntax.copy(call.func),
                                              [load(base.id), index, made], []))
        raise self.no_form(node, "a call for its effect has no form for batches")

    # Expressions ------------------------------------------------------------------------------
    def value(self, node: gast.expr) -> Value:
        """An expression of batches, and its mark."""
        if not self.is_batch(node):
            return syntax.copy(node), False
        if isinstance(node, gast.Name):
            return load(node.id), self.marks[node.id]
        if isinstance(node, gast.Tuple):
            parts = [self.value(e) for e in node.elts]
            return gast.Tuple([p[0] for p in parts], gast.Load()), tuple(p[1] for p in parts)
        if isinstance(node, gast.List):
            whole = [self.operations.whole(self.value(e), e) for e in node.elts]
            return gast.List(whole, gast.Load()), True
        if isinstance(node, gast.Dict) and None not in node.keys:
            whole = [self.operations.whole(self.value(e), e) for e in node.values]
            return gast.Dict([syntax.copy(k) for k in node.keys], whole), True
        if isinstance(node, gast.BinOp):
            return self.operations.binary(node, self.value(node.left), self.value(node.right))
        if isinstance(node, gast.UnaryOp) and not isinstance(node.op, gast.Not):
            made, mark = self.value(node.operand)
            return gast.UnaryOp(node.op, made), mark
        if isinstance(node, gast.Subscript):
            return self.part(node)
        if isinstance(node, gast.Attribute):
            return self.attribute(node)
        if isinstance(node, gast.Call):
            return self.call(node)
        raise self.no_form(node, "this expression has no form for batches")

    def part(self, node: gast.Subscript) -> Value:
        """`x[i]`, of an array or a container."""
        if self.is_batch(node.slice):
            raise self.no_form(node, "what is read here depends on the direction")
        made, mark = self.value(node.value)
        if isinstance(mark, tuple):
            number = self.typer.known(node.slice)
            if type(number) is not int:
                raise self.no_form(node, "which part is read is not known")
            return syntax.subscript(made, syntax.copy(node.slice)), mark[number]
        owner = self.typer.kind(node.value)
        if isinstance(owner, Array):
            return syntax.subscript(made, self.index(node)), True
        if isinstance(owner, (*CONTAINERS, kinds.ListKind, kinds.MapKind)):
            return syntax.subscript(made, syntax.copy(node.slice)), True
        raise self.no_form(node, "what this subscript reads is not known")

    def index(self, node: gast.Subscript) -> gast.expr:
        """The index of an array behind the leading axis."""
        parts = syntax.shown_parts(node.slice)
        kind = self.typer.kind(node.slice)
        if len(parts) == 1 and isinstance(kind, kinds.TupleKind):       # a tuple with a name
            parts = [syntax.subscript(syntax.copy(node.slice), syntax.constant(number))
                     for number in range(len(kind.items))]
        if self.typer.index_effect(node.slice) is None:
            raise self.no_form(node, "what kind of index this is is not known")
        advanced = [not (isinstance(p, gast.Slice) or (isinstance(p, gast.Constant) and p.value
                         in (None, Ellipsis)) or isinstance(self.typer.kind(p), (
                             kinds.SliceKind, kinds.Nothing))) for p in parts]
        arrays = any(not isinstance(self.typer.kind(p), Number)
                     for p, is_advanced in zip(parts, advanced) if is_advanced)
        if arrays:
            # Indices that stand apart put their axes in front of all others.
            first, last = advanced.index(True), len(parts) - advanced[::-1].index(True)
            if not all(advanced[first:last]):
                raise self.no_form(node, "arrays of indices stand apart")
        return gast.Tuple([gast.Slice(None, None, None), *syntax.copy(parts)], gast.Load())

    def attribute(self, node: gast.Attribute) -> Value:
        made, mark = self.value(node.value)
        owner = self.typer.kind(node.value)
        if isinstance(owner, CONTAINERS):
            if mark is not True:
                raise self.no_form(node, "which part is read is not known")
            return syntax.attribute(made, node.attr), True
        if node.attr in OF_SHAPE and isinstance(owner, Array):
            return syntax.attribute(self.operations.one(made), node.attr), False
        if node.attr == "T" and isinstance(owner, Array):
            return self.operations.transposed(node.value, made), True
        if node.attr in ("real", "imag") and isinstance(owner, (Array, Number)):
            return syntax.attribute(made, node.attr), True
        raise self.no_form(node, "this attribute has no form for batches")

    def call(self, node: gast.Call) -> Value:
        function, receiver = self.facts.callees.get(id(node), (NO_OBJECT, None))
        if function is NO_OBJECT:
            function, receiver = self.typer.callee(node)
        nodes = ([receiver] if receiver is not None else []) + list(node.args)
        if any(isinstance(a, gast.Starred) for a in nodes) or any(
                k.arg is None for k in node.keywords):
            raise self.no_form(node, "a call with * or ** has no form for batches")
        values = {id(n): self.value(n) for n in [*nodes, *(k.value for k in node.keywords)]}
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None and hasattr(function, "__code__"):
            return self.context.user_call(node, function, nodes, values, self.typer)
        if entry is not None and entry.view != "never" and function not in MIRRORED and any(
                self.context.aliases.is_written(n) for n in read_names(node)
                if isinstance(self.facts.names.get(n), Array) and self.marks.get(n, False)
                is not False):
            raise self.no_form(node, "this may be a view of an array that is written to")
        return self.operations.call(node, function, receiver, values)


def _joined(one: Mark, other: Mark, error: Callable[[], Exception]) -> Mark:
    """What a variable is that is either of two things."""
    if one is False or one == other:
        return other
    if other is False:
        return one
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return tuple(_joined(a, b, error) for a, b in zip(one, other))
    raise error()
