"""Fill in the rule of an operation for one statement: which arguments, and in what names."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, lowering, registry, runtime, syntax, template
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.emit import emit_expression
from tangent_lite.errors import MissingRuleError, Place, UnsupportedSyntaxError, final
from tangent_lite.filled_alike import FilledAlike
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import package_of
from tangent_lite.runtime.custom import in_shape_of
from tangent_lite.source import whereabouts
from tangent_lite.syntax import load, read_names

# Where functions ask an object by its methods what it is made of, or what they make of it.
_ASKING = ("builtins", "math", "cmath", "numpy", "scipy", "statistics")


_JOINED = (*CONTAINERS, kinds.ListKind)
_OBJECTS = (kinds.Other, kinds.RecordKind)


NOT_FOR_MATRICES = (
    "this is not differentiated for a matrix of scipy.sparse that varies",
    "use +, -, @, A.multiply(B), numbers times A, spsolve, or compute with what it is made of")


class Filling:
    """Fills rules in; active: the variables that have an adjoint."""

    def __init__(self, typer: Typer, active: set[str], external: Callable[[Any, str], gast.expr],
                 fresh: Callable[[str], str], place: Callable[[gast.AST], Place]) -> None:
        self.typer, self.active, self.external = typer, active, external
        self.fresh, self.place = fresh, place
        self.kinds: dict[str, kinds.Kind] = {}      # of the values that formulas share
        self.alike = FilledAlike()

    def refuse(self, node: gast.AST, reason: str, fix: str) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(reason, self.place(node), fix)

    def wanted(self, rule: registry.Rule, bound: dict[str, Any], value: gast.expr) \
            -> set[tuple[str, int | None]]:
        """The parameters that hold active values; an active value without a formula is refused."""
        covered, loops = rule.covered, rule.sequences
        wanted: set[tuple[str, int | None]] = set()
        for name, argument in bound.items():
            parts = argument if isinstance(argument, list) else \
                argument.elts if isinstance(argument, (gast.Tuple, gast.List)) else None
            active = False
            for number, part in enumerate(parts if parts is not None else [argument]):
                here = part.id in self.active if part.__class__ is gast.Name \
                    else not self.active.isdisjoint(read_names(part))
                active |= here
                if not here:
                    continue
                if parts is not None and name in loops:
                    if not isinstance(part, gast.Name) or not self.may_be_spread(
                            argument, number, name in rule.deep):
                        raise self.refuse(value, "a nested argument is not handled on active "
                                                 "values yet", "give its parts names")
                    wanted.add((name, number))
                elif isinstance(argument, gast.Name):
                    wanted.add((name, None))
                elif name in covered:
                    error = self.refuse(value, "an argument is written in a form that the rule "
                                               "does not take apart", "give it a name first")
                    error.is_told_better_by_identity = True     # what it gives is seen there
                    raise error
            if active and name not in covered:
                raise MissingRuleError(
                    rule.not_covered(name),
                    self.place(value), "pass a constant there (tangent_lite.stop_gradient), "
                    "or write a rule that covers it")
        return wanted

    def may_be_spread(self, argument: Any, number: int, of_array: bool) -> bool:
        """Whether a part of a list that is written out is one item, or what stands behind a star
        has a slice as its adjoint; of_array: a slice of an array, not of a list."""
        if not isinstance(argument, template.Parts) or number not in argument.spread:
            return True
        kind = self.typer.kind(argument.elts[number])
        return isinstance(kind, kinds.ListKind) or (isinstance(kind, kinds.Array) and of_array) or (
            isinstance(kind, kinds.TupleKind) and kind.type is tuple)

    def check_call(self, function: Any, arguments: list[gast.expr],
                   keywords: dict[Any, gast.expr], value: gast.expr) -> None:
        """What a call calls, and what with, is known before it runs."""
        if any(isinstance(a, gast.Starred) for a in arguments) or None in keywords:
            raise self.refuse(value, "a call with * or ** is not handled on active values yet",
                              "write the arguments out")
        if function is NO_OBJECT:
            raise self.refuse(value, "which function this calls is not known before the call",
                              "call a function of the module or of an imported one by its name")

    def check_value(self, value: gast.expr, kind: kinds.Kind | None) -> None:
        """What is bound is no text that numbers are read from again, and no object takes an active
        value for a key; kind: of what is bound."""
        if isinstance(kind, kinds.Text):
            raise self.refuse(value, "an active number is written into a text from which a number "
                                     "is read again", "use the number itself")
        if isinstance(value, (gast.Subscript, gast.Compare)) and any(
                isinstance(self.typer.kind(one), kinds.MatrixKind)
                and not self.active.isdisjoint(read_names(one))
                for one in gast.iter_child_nodes(value) if isinstance(one, gast.expr)):
            raise final(self.refuse(value, *NOT_FOR_MATRICES))
        if isinstance(value, gast.Subscript) and not self.active.isdisjoint(
                self.typer.keys_of_objects(value)):
            raise self.refuse(value, "an active value is the key of an object",
                              "call a method of it")

    def check_write(self, node: gast.stmt, target: gast.expr) -> None:
        """Nothing that varies is written into a sparse matrix, nor into one that varies."""
        owner = getattr(target, "value", None)
        if isinstance(owner, gast.Attribute):
            owner = owner.value                 # A.data[0] = v
        if owner is not None and isinstance(self.typer.kind(owner), kinds.MatrixKind) \
                and not self.active.isdisjoint(read_names(node)):
            raise final(self.refuse(
                node, "a sparse matrix that varies is written into",
                "collect rows, columns and numbers: csr_matrix((numbers, (rows, columns)))"))

    def attribute(self, value: gast.Attribute) -> Any:
        """The attribute of arrays, such as `T`, that an expression means where it means one."""
        if isinstance(self.typer.kind(value.value), kinds.MatrixKind):
            raise final(self.refuse(
                value, f"{value.attr} of a sparse matrix that varies is read apart from it",
                "compute with what the matrix is made of"))
        if self.typer.kind(value.value) == kinds.UNKNOWN and not hasattr(np.ndarray, value.attr):
            raise self.refuse(value, "an attribute of an unknown object is read",
                              "pass the object as an argument of the function")
        return getattr(np.ndarray, value.attr, NO_OBJECT)

    def no_field(self, value: gast.Attribute) -> UnsupportedSyntaxError:
        """The error for an attribute of an object that is none of its fields."""
        return self.refuse(value, f"the attribute {value.attr} is no field of the object",
                           "read a field, or call a method")

    def rule_of(self, function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                value: gast.expr, mode: str = "adjoint") -> registry.Rule:
        """The rule of an operation; mode: "adjoint" or "tangent"."""
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        rule = getattr(entry, mode, None)
        if rule is None and registry.load_third_parties():
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            rule = getattr(entry, mode, None)
        if rule is None:
            raise self.missing(function, arguments, value, mode)
        if "out" in keywords:
            raise self.refuse(value, "this use of `out=` is not handled",
                              "write x[...] = f(...)")
        found: registry.Rule = rule
        self.check_limit(found, entry, arguments, keywords, value)
        return found

    def check_limit(self, rule: registry.Rule, entry: registry.Entry | None,
                    arguments: list[gast.expr], keywords: dict[str, gast.expr],
                    value: gast.expr) -> None:
        """What a rule of ours is made for is seen in the kinds of the arguments."""
        if entry is None or entry.limit is None or not rule.is_ours:
            return
        kind = self.typer.kind
        reason = entry.limit(*map(kind, arguments), **{k: kind(v) for k, v in keywords.items()})
        if reason is not None:
            of_matrices = any(isinstance(kind(a), kinds.MatrixKind) for a in arguments)
            refusal = self.refuse(value, *reason)
            raise final(refusal) if of_matrices else refusal

    def bind(self, rule: registry.Rule, arguments: list[gast.expr],
             keywords: dict[str, gast.expr], value: gast.expr) -> dict[str, Any]:
        """The arguments of a call by the names of the rule's parameters."""
        try:
            return template.bind(rule, arguments, keywords)
        except template.BindingError as error:
            raise MissingRuleError(str(error), self.place(value),
                                   "call it with the arguments of the rule, or write a rule of "
                                   "your own") from None

    def check_result(self, value: gast.expr) -> kinds.Kind:
        """Rules are made for numbers and arrays: `max` of objects gives one of the objects. What
        kind the result is."""
        found = self.typer.kind(value)
        function = self.typer.object_of(value.func) if isinstance(value, gast.Call) else None
        if isinstance(found, (kinds.TupleKind, kinds.ListKind)) \
                and (function is max or function is min):
            raise self.refuse(value, "what this call gives is one of several containers, for "
                                     "which its rule is not made",
                              "write a loop over the containers")
        if isinstance(found, kinds.RecordKind):
            raise self.refuse(value, "what this call gives is an object that holds active values, "
                                     "for which its rule is not made",
                              "write a loop over the objects")
        return found

    def check_operands(self, value: gast.expr) -> None:
        """What operators do with lists, and functions with objects, is said by no rule."""
        if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Subscript)) and any(
                isinstance(self.typer.kind(one), kinds.MatrixKind)
                for one in gast.iter_child_nodes(value)):
            raise final(self.refuse(value, *NOT_FOR_MATRICES))
        if isinstance(value, gast.BinOp):
            left, right = self.typer.kind(value.left), self.typer.kind(value.right)
            if not isinstance(left, _JOINED) and not isinstance(right, _JOINED):
                return
            if isinstance(left, _OBJECTS) or isinstance(right, _OBJECTS):
                raise self.refuse(value, "what an operator does with an object is said by its "
                                         "class", "call a method of the object, or use a number: "
                                                  "x.value")
            raise self.refuse(value, "joining tuples or lists of active values is not handled yet",
                              "write the parts out: (a, b, c); of numbers make an array: "
                              "np.array(xs)")
        if not isinstance(value, gast.Call):
            return
        function = self.typer.object_of(value.func)
        if not isinstance(function, np.ufunc) and package_of(function) not in _ASKING:
            return
        if package_of(function) != "scipy" and any(
                isinstance(self.typer.kind(one), kinds.MatrixKind) for one in value.args):
            raise final(self.refuse(value, *NOT_FOR_MATRICES))
        for argument in value.args:
            if isinstance(argument, gast.Name) and argument.id in self.active \
                    and _is_of_objects(self.typer.kind(argument)):
                raise self.refuse(value, "what this call does with an object is said by its class",
                                  "call the method of the object")

    def fill(self, rule: registry.Rule, bound: dict[str, Any], target: str, adjoint: gast.expr,
             wanted: set[tuple[str, int | None]], kind: kinds.Kind,
             result: gast.expr | None = None) -> template.Filled:
        """The formulas of a rule for these arguments; kind: that of the result; result: what to
        read as the result, if not the target."""
        typer = self.typer
        typer.names[adjoint.id] = kind          # those of this statement
        read = load(target) if result is None else result
        names = [read, adjoint, *bound.values()]
        key = self.alike.key(rule, bound, wanted, kind, names, typer) if result is None else None
        again = None if key is None else self.alike.again(key, names)
        if again is not None:
            return again
        filled = template.fill(
            rule, bound, {rule.result: read}, {rule.result: adjoint},
            lambda name, number: (name, number) in wanted, self.external,
            self.fresh,
            lambda function, call: lowering.lower(function, call, typer, self.external),
            self.note_local)
        if not rule.is_ours:
            for spot, (name, number, formula) in enumerate(filled.contributions):
                argument = bound[name]
                if number is not None:
                    argument = (argument if isinstance(argument, list) else argument.elts)[number]
                filled.contributions[spot] = (
                    name, number, self.in_shape_of(formula, argument, name, rule))
        if key is not None:
            self.alike.note(key, rule, names, filled)
        return filled

    def fill_forward(self, rule: registry.Rule, bound: dict[str, Any], result: gast.expr,
                     tangents: dict[str, Any]) -> template.Filled:
        """The formula of a forward rule, given the tangents of the parameters that vary."""
        typer = self.typer
        filled = template.fill(
            rule, bound, {rule.result: result}, tangents, lambda name, number: True,
            self.external, self.fresh,
            lambda function, call: lowering.lower(function, call, typer, self.external),
            self.note_local)
        if not rule.is_ours:
            filled.contributions = [
                (name, number, self.in_shape_of(formula, result, rule.result, rule))
                for name, number, formula in filled.contributions]
        return filled

    def in_shape_of(self, formula: gast.expr, like: gast.expr, name: str,
                    rule: registry.Rule) -> gast.expr:
        """What a user's rule gives as d[name], and a look at its shape where that is not known to
        be the one of what it belongs to, `like`."""
        kind = self.typer.kind(like)
        may_differ = kind == kinds.UNKNOWN or isinstance(
            kind, (kinds.Number, kinds.Array, kinds.Numeric))
        if not may_differ or kinds.same_shape(self.typer.kind(formula), kind):
            return formula
        return syntax.call(self.external(in_shape_of, "in_shape_of"), formula, syntax.copy(like),
                           gast.Constant(f"d[{name}] of {whereabouts(rule.source)}", None))

    def note_local(self, name: str, formula: gast.expr) -> None:
        """The kind of a value that several formulas share."""
        self.kinds[name] = kind = self.typer.kind(formula)
        self.typer.names[name] = kind

    def unbroadcast(self, value: gast.expr, like: gast.expr) -> gast.expr:
        """`value`, summed to the shape of `like` where it may be larger."""
        call = syntax.call(self.external(runtime.unbroadcast, "unbroadcast"), value, like)
        return lowering.lower(runtime.unbroadcast, call, self.typer, self.external)

    def missing(self, function: Any, arguments: list[gast.expr], value: gast.expr,
                mode: str = "adjoint") -> MissingRuleError:
        """The error for an operation without a rule."""
        spelled = emit_expression(value.func) if isinstance(value, gast.Call) else \
            getattr(function, "__name__", "?")
        name = getattr(function, "__name__", "")
        if name and function is getattr(np.ndarray, name, None):
            spelled = f"np.ndarray.{name}"
        if isinstance(value, gast.Attribute):
            return MissingRuleError(
                f"no {mode} rule for {emit_expression(value)}", self.place(value),
                f"use {emit_expression(value.value)}.ravel()" if value.attr == "flat" else "")
        if hasattr(function, "emitted_for"):
            return MissingRuleError(
                "what this derivative is given is not known before the call, or a function that "
                "reads variables around it", self.place(value),
                "take the derivative of a function of what varies: grad(lambda v: f(v, fun))(v)")
        if function is dict.get:
            owner = spelled.rpartition(".")[0]
            return MissingRuleError(f"no {mode} rule for {spelled}", self.place(value),
                                    f"write {owner}[key] if key in {owner} else ...")
        names = [a.id if isinstance(a, gast.Name) and len(a.id) <= 2 else f"x{number + 1}"
                 for number, a in enumerate(arguments)]
        names = registry.positional_names(function, len(names)) or names
        constant = tuple(name for name, a in zip(names, arguments)
                         if not read_names(a) & self.active)
        return registry.missing_rule(function, spelled, self.place(value), names, mode, constant)


def _is_of_objects(kind: kinds.Kind) -> bool:
    """Whether a value is an object, or a list or tuple that holds one."""
    if isinstance(kind, kinds.ListKind):
        return _is_of_objects(kind.item)
    if isinstance(kind, kinds.TupleKind):
        return any(map(_is_of_objects, kind.items))
    return isinstance(kind, kinds.RecordKind)
