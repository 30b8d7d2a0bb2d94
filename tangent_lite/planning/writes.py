"""The adjoints of writes to parts of arrays, and of `x += v`."""
from __future__ import annotations

import gast

from tangent_lite import kinds, registry, runtime, syntax, template
from tangent_lite.adjoints.steps import Contribution, Step, index_value
from tangent_lite.analyses import overlaps
from tangent_lite.inference import BINARY
from tangent_lite.kinds import Array, Number
from tangent_lite.names import stem
from tangent_lite.planning.bindings import Bindings
from tangent_lite.result_kinds.mixed import may_round
from tangent_lite.structures.nested import container
from tangent_lite.syntax import load


class Writes(Bindings):
    """Plans what writes into arrays."""

    def write(self, node: gast.Assign, target: gast.Subscript) -> Step | None:
        self.filling.check_write(node, target)
        name = getattr(target.value, "id", None)
        value = node.value.id if isinstance(node.value, gast.Name) else None
        typer = self.context.typer
        if name is None or not self.active(name):
            varied = self.context.activity.varied
            if value in varied and (name is None or (
                    not isinstance(container(typer.kind(target.value), target.slice),
                                   (Array, kinds.Numeric))
                    and kinds.can_vary(typer.kind(node.value)))):
                raise self.refuse(node, "writing here is not handled on active values yet",
                                  "write to an array that has a name")
            return None
        owner = container(typer.kind(target.value), target.slice)
        if not isinstance(owner, (Array, kinds.Numeric)) and owner != kinds.UNKNOWN:
            raise self.refuse(node, "writing active values into a container is not handled yet",
                              "use an array, or build a new container")
        self.check_dtype(node, owner)
        shadow = syntax.subscript(self.adjoint(name), syntax.copy(target.slice))
        step = Step("write", name, index=target.slice)
        if id(node) in self.increments.grown:
            return self.increase(step, name, shadow, self.increments.grown[id(node)],
                                 typer.kind(target))
        if value is not None and self.aliases_of(value, name) \
                and id(node) not in self.context.aliases.on_new and not overlaps.in_step(
                target, self.bound.get(value), typer.kind(target),
                lambda part: getattr(typer.kind(part), "type", None) == "int"):
            raise self.refuse(node, overlaps.REASON, overlaps.FIX)
        kind = typer.index_class(target.slice)
        element = isinstance(typer.kind(target), Number)
        distinct = hasattr(target, "is_distinct")
        if kind in ("array", "unknown") and not element and not distinct:
            taken: gast.expr = syntax.call(self.context.external(runtime.last_written,
                                                                 "last_written"),
                                           self.adjoint(name),
                                           index_value(target.slice, self.context.external))
        elif element or kind == "mask" or distinct:
            taken = shadow                      # a number, or new
        elif syntax.is_whole(target.slice):
            taken = syntax.method(self.adjoint(name), "copy")
        else:
            taken = syntax.method(shadow, "copy")
        if value is not None and self.active(value):
            local = self.context.fresh(stem(self.context.adjoints[name]) + "_part")
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
        reason = may_round(owner, self.context.is_general)
        if reason is not None:
            raise self.refuse(node, reason, "make the array a float array")

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
        local = self.context.fresh(stem(self.context.adjoints[name]) + "_part")
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
        kind = container(typer.kind(load(name)), getattr(target, "slice", None))
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
            if parameter == first and isinstance(expression, gast.Call) \
                    and getattr(expression.func, "id", "") == "unbroadcast":
                expression = expression.args[0]     # what is written to keeps its shape
            step.contributions.append(Contribution(
                name if parameter == first else other.id, expression))
        step.locals = filled.locals
        return step
