"""The adjoints of calls: a rule filled in, or the backward half of a user function."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, registry, syntax, template
from tangent_lite.adjoints.steps import Contribution, Step, beside_derived, derived
from tangent_lite.analyses.liveness import definitions
from tangent_lite.errors import TangentError
from tangent_lite.inference import NO_OBJECT
from tangent_lite.planning import Planning
from tangent_lite.structures.lists import list_change
from tangent_lite.syntax import read_names
from tangent_lite.written import spelling


class Calls(Planning):
    """Plans calls."""

    def call(self, node: gast.stmt, step: Step, value: gast.Call | gast.Subscript) -> Step:
        call = derived(value)
        function, receiver = self.context.facts.callees.get(id(call), (NO_OBJECT, None))
        arguments = ([receiver] if receiver is not None else []) + list(call.args)
        keywords = {k.arg: k.value for k in call.keywords}
        self.filling.check_call(function, arguments, keywords, value)
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
        rule = self.filling.rule_of(function, arguments, keywords, value)
        self.filling.check_operands(value)
        kind = self.filling.check_result(value)
        arguments, keywords = spelling.as_of_rule(rule, function, arguments, keywords,
                                                  self.context.typer)
        bound = self.filling.bind(rule, arguments, keywords, value)
        if step.target in self.context.aliases.views:
            step.kind = "view"
            step.operands = {arguments[0].id}
            if step.target not in self.context.aliases.decided:
                return step
        wanted = self.filling.wanted(rule, bound, value)
        try:
            filled = self.filling.fill(rule, bound, step.target, self.adjoint(step.target), wanted,
                                       kind)
        except template.BindingError as error:      # a list of which the length is not known
            raise self.refuse(value, str(error), "write the list in the call") from None
        step.locals = filled.locals
        for parameter, number, expression in filled.contributions:
            argument = bound[parameter]
            if number is not None:
                argument = (argument if isinstance(argument, list) else argument.elts)[number]
            step.contributions.append(Contribution(argument.id, expression))
        beside = beside_derived(value)
        if beside is not None:                          # whose index names no element twice
            step.contributions.append(Contribution(
                beside.value.id, self.adjoint(step.target), syntax.copy(beside.slice)))
        step.reads_result = filled.reads_result
        return step

    def user_call(self, node: gast.stmt, step: Step, function: Any, arguments: list[gast.expr],
                  keywords: dict[str, gast.expr], value: gast.Call) -> Step:
        step.kind = "pair"
        step.pair = self.context.pair(function, arguments, keywords, value,
                                      self.context.activity.active)
        step.operands = {n for _, n in step.pair.active} | set(step.pair.varying)
        saved = self.context.fresh(f"{step.pair.name}_saved")
        step.pair.saved = saved
        step.reads.add(saved)
        # What the forward half saved may refer to the arrays that it was given.
        step.buffers = {n for a in step.pair.arguments for n in read_names(a)} \
            - set(step.pair.arrays)
        step.reads.update(step.pair.arrays)
        if step.pair.saves_result:
            step.buffers |= set(definitions(node))
        return step

    def forward_half(self, node: gast.Assign, step: Step) -> gast.stmt:
        """`y = f(x)` becomes `y, f_saved = f_fwd(x)`."""
        return self.calling_forward(node, step, [node.targets[0]])

    def calling_forward(self, node: gast.Assign, step: Step,
                        targets: list[gast.expr]) -> gast.stmt:
        pair = step.pair
        call = syntax.copy_place(gast.Call(pair.forward, pair.arguments, []), node.value)
        both = syntax.tuple_of([*targets, syntax.store(pair.saved)], gast.Store())
        made = syntax.copy_place(gast.Assign([both], call, None), node)
        self.plan.steps[id(made)] = self.plan.steps.pop(id(node))
        facts = self.context.facts
        facts.before[id(made)] = facts.before[id(node)]
        facts.after[id(made)] = {**facts.after[id(node)], pair.saved: kinds.Other(tuple)}
        self.kept.append(node)
        return made

    def forward_half_in_place(self, block: list[gast.stmt], number: int, step: Step) -> int:
        """The same of a half that works in arrays: `part = y[0]; a[...] = part` behind it becomes
        what it does. The number of the last statement of these."""
        node: gast.Assign = block[number]
        whole, pair = node.targets[0].id, step.pair
        count = len(pair.arrays) + pair.has_value
        parts: list[gast.expr] = [node.targets[0]] if count == 1 else []
        at = number + 1
        while count > 1 and len(parts) < count and at < len(block) \
                and _is_part(block[at], whole, len(parts)):
            parts.append(block[at].targets[0])
            at += 1
        writes = block[at:at + len(pair.arrays)]
        changed = [part.id for part in parts[pair.has_value:]]
        if len(parts) < count or not _are_written(writes, pair.arrays, changed) or any(
                self.reads_of(name) != 1 for name in changed) or (
                count > 1 and self.reads_of(whole) != count):
            raise self.refuse(node, "what a function leaves in an array is handed on in another "
                                    "way", "call it as a statement")
        facts = self.context.facts
        known: dict[str, kinds.Kind] = {}
        for one in block[number:at]:
            known.update(facts.after[id(one)])
            self.kept.append(one)
        made = self.calling_forward(node, step, parts)
        facts.after[id(made)].update(known)
        block[number:at] = [made]
        for one, array in zip(writes, pair.arrays):
            self.plan.steps[id(one)] = Step("given_back", array, change=list_change(
                one, facts.before[id(one)]))
        return number + len(writes)

    def reads_of(self, name: str) -> int:
        """How often a name is read in the function."""
        return sum(one.id == name and isinstance(one.ctx, gast.Load)
                   for node in self.body for one in syntax.names_in(node))


def _is_part(node: gast.stmt, whole: str, number: int) -> bool:
    """Whether a statement gives a part of something a name."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and isinstance(node.value, gast.Subscript) and isinstance(node.value.value, gast.Name) \
        and node.value.value.id == whole and isinstance(node.value.slice, gast.Constant) \
        and node.value.slice.value == number


def _are_written(block: list[gast.stmt], arrays: list[str], values: list[str]) -> bool:
    """Whether statements write values into all of arrays."""
    return len(block) == len(arrays) == len(values) and all(
        isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript)
        and syntax.means_all(node.targets[0].slice)
        and getattr(node.targets[0].value, "id", None) == array
        and getattr(node.value, "id", None) == value
        for node, array, value in zip(block, arrays, values))
