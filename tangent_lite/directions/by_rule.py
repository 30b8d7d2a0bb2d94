"""Tangents of operations by their rules, and what the writing of tangents works with."""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.algebra import algebra
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.directions.tangents import Tangents
from tangent_lite.errors import MissingRuleError, Place
from tangent_lite.filling import Filling
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Number
from tangent_lite.runtime import tangents as runtime_tangents
from tangent_lite.syntax import assign, load, read_names, subscript
from tangent_lite.written import spelling


@dataclass(eq=False, repr=False)
class Context:
    """What the pass `forward` is given."""
    facts: Inferred
    aliases: Aliases
    activity: Any
    typer: Typer
    tangents: dict[str, str]                            # variable -> name of its tangent
    fresh: Callable[[str], str]
    external: Callable[[Any, str], gast.expr]           # how emitted code spells an object
    place: Callable[[gast.AST], Place]
    jvp: Callable[..., tuple[gast.expr, list[gast.expr]]]   # a call of a user function -> its jvp
    check_pair: Callable[[gast.Call, Any], None]        # raises why a call cannot be of a pair
    handed_out: frozenset[str] = frozenset()            # classes of arrays that a caller gets
    is_general: bool = False                            # kinds say little: what is shown, not run


class ByRule:
    """Writes the tangents of operations that have rules beside them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.typer = context.typer
        self.active = {n for n in context.activity.active if n in context.tangents}
        self.filling = Filling(context.typer, self.active, context.external, context.fresh,
                               context.place)
        self.tangents = Tangents(context.tangents, context.typer, context.external,
                                 context.place)
        self.before: list[gast.stmt] = []               # what stands in front of the statement
        self.after: list[gast.stmt] = []
        self.watched = False                            # whether handlers of a try look on
        self.waits = False                              # whether tangents are put behind these

    def not_watched(self, node: gast.AST) -> None:
        if self.watched:
            raise self.refuse(node, "the body of a try computes an active value, whose tangent may "
                                    "fail where the value does not", "let only what may fail stand "
                                    "in the block, and compute behind it")

    def refuse(self, node: gast.AST, reason: str, fix: str) -> Exception:
        return self.filling.refuse(node, reason, fix)

    def name(self, variable: str) -> str:
        return self.context.tangents[variable]

    def is_active(self, node: gast.AST) -> bool:
        return not self.active.isdisjoint(read_names(node))

    def rule(self, node: gast.stmt, target: str, function: Any, arguments: list[gast.expr],
             keywords: dict[str, gast.expr], value: gast.expr) -> gast.stmt:
        """`target = function(arguments)`, and its tangent by the rule of the function."""
        kind = self.context.facts.after[id(node)].get(target, kinds.UNKNOWN)
        if not self.waits:
            self.not_watched(node)
        rule = self.filling.rule_of(function, arguments, keywords, value, "tangent")
        arguments, keywords = spelling.as_of_rule(rule, function, arguments, keywords, self.typer)
        result, late = target, self.before
        if rule.reads_result or not rule.is_ours:       # whose shape is looked at
            # The tangent stands behind the value, and has to find the operands as they were:
            # of `x = exp(x)` the result gets a name of its own first.
            if target in read_names(value):
                result = self.context.fresh("t")
                self.context.facts.names[result] = kind
                self.before.append(syntax.copy_place(assign(result, node.value), node))
                node = syntax.copy_place(assign(target, load(result)), node)
            else:
                late = self.after
        made, formula = self.formula(rule, result, arguments, keywords, value, {}, kind)
        if formula is None:
            self.after.append(assign(self.name(target), self.tangents.zero(load(target), kind)))
            return node
        late += [*made, assign(self.name(target), self.owned(formula, target, value, kind))]
        return node

    def formula(self, rule: registry.Rule, result: str, arguments: list[gast.expr],
                keywords: dict[str, gast.expr], value: gast.expr, special: dict[int, gast.expr],
                kind: kinds.Kind) -> tuple[list[gast.stmt], gast.expr | None]:
        """What has to be computed first, and the tangent of an operation; None if it is zero.

        special: tangents of operands that are no names, by their ids.
        """
        bound = self.filling.bind(rule, arguments, keywords, value)
        tangents = {name: self.argument(one, special) for name, one in bound.items()}
        tangents = {name: one for name, one in tangents.items() if one is not None}
        self.check_covered(rule, tangents, value)
        if not tangents:
            return [], None
        self.filling.check_operands(value)
        self.filling.check_result(value)
        if result not in read_names(value):
            self.typer.names = ChainMap({result: kind}, self.typer.names)
        filled = self.filling.fill_forward(rule, bound, load(result), tangents)
        if not filled.contributions:
            return [], None
        assert len(filled.contributions) == 1, "a forward rule has one formula"
        return [assign(name, one) for name, one in filled.locals], filled.contributions[0][2]

    def argument(self, argument: Any, special: dict[int, gast.expr]) -> Any:
        """The tangent of an argument of a rule: an expression, a list of them for the parts of a
        sequence that is written out (None for zero), None for zero."""
        if isinstance(argument, (list, gast.Tuple, gast.List)):
            parts = argument if isinstance(argument, list) else argument.elts
            found = [self.argument(part, special) for part in parts]
            found = [self.tangents.of(part) if isinstance(one, list) else one
                     for one, part in zip(found, parts)]
            if all(one is None for one in found):
                return None
            for part in parts:
                self.tangents.check_spread(part)
            return found
        if id(argument) in special:
            return syntax.copy(special[id(argument)])
        return self.tangents.of(argument) if self.is_active(argument) else None

    def check_covered(self, rule: registry.Rule, found: dict[str, Any], value: gast.expr) -> None:
        """An active argument of which the rule knows nothing is refused."""
        covered = registry.varying_parameters(rule)
        for name in found:
            if name not in covered:
                raise MissingRuleError(
                    rule.not_covered(name),
                    self.context.place(value), "pass a constant there "
                    "(tangent_lite.stop_gradient), or write a rule that covers it")

    def owned(self, formula: gast.expr, target: str, value: gast.expr,
              kind: kinds.Kind) -> gast.expr:
        """The formula, copied if its array may be another one's and one of the two is written to,
        here or by a caller that gets it.

        `y = x + 1.0` makes a new array, but `dy = dx` does not. Of an array without dimensions
        NumPy makes a number there, and numbers of such arrays elsewhere, so dy is told which it is.
        """
        if isinstance(kind, kinds.TupleKind) and isinstance(formula, gast.Tuple):
            parts = [self.owned(one, target, value, item)
                     for one, item in zip(formula.elts, kind.items)]
            return gast.Tuple(parts, gast.Load())
        if isinstance(kind, Number):
            short = algebra(syntax.copy(formula))
            return subscript(short, syntax.tuple_of([])) if isinstance(short, gast.Name) \
                and isinstance(self.tangents.typer.kind(short), Array) else formula
        names = {target, *(n for n in read_names(value) if n in self.active)}
        aliases = self.context.aliases
        if aliases.find(target) not in self.context.handed_out \
                and not any(map(aliases.is_written, names)):
            return formula
        formula = algebra(formula)              # `dx * 1.0` is dx, so no array of its own
        if self.views_alike(value):
            return formula
        is_fresh = self.tangents.is_fresh(formula)
        if isinstance(kind, Array) and not kind.ndim:
            return syntax.call(syntax.attribute(self.context.external(np, "np"),
                                                "asarray" if is_fresh else "array"), formula)
        if is_fresh:
            return formula
        helper = self.context.external(runtime_tangents.own_tangent, "own_tangent")
        return syntax.call(helper, formula)

    def views_alike(self, value: gast.expr) -> bool:
        """Whether the value is a view, `x.T`, which the tangent mirrors."""
        if isinstance(value, gast.Attribute):
            return value.attr == "T"
        if not isinstance(value, gast.Call):
            return False
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        return entry is not None and entry.view != "never"
