"""A rule: what it is, and how it is read off the function that defines it.

What is wrong with one is said here, at the line of the rule: a parameter of which nothing is said,
a formula for what is no parameter, a statement that no rule is made of.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.errors import TangentError
from tangent_lite.source import Source, source_of
from tangent_lite.syntax import bound_names, copy, parameter_names


@dataclass(frozen=True)
class Parameter:
    """A parameter of a rule: its name, whether it is *args, its default (None if it has none)."""
    name: str
    star: bool = False
    default: gast.expr | None = None
    keyword_only: bool = False

    @property
    def is_option(self) -> bool:
        """Axis, keepdims and the like: their default says that they are no numbers to vary."""
        return (isinstance(self.default, gast.Constant)
                and (self.default.value is None or isinstance(self.default.value, (bool, str))))


@dataclass(frozen=True)
class Local:
    """`t = formula` in a rule: a value that several contributions share."""
    name: str
    formula: gast.expr


@dataclass(frozen=True)
class Contribution:
    """`d[x] = formula`; in a loop over the parts of a parameter, x is the part and k its number."""
    target: str
    formula: gast.expr
    sequence: str | None = None         # the parameter whose parts the loop runs over
    counter: str | None = None          # the name of the loop's counter
    goes_deep: bool = False             # over `parts_in(xs)`: k is (0, 1) for a in [[1.0, a]]

    @property
    def is_zero(self) -> bool:
        """`d[x] = None`: x may vary, the result does not vary with it."""
        return isinstance(self.formula, gast.Constant) and self.formula.value is None


@dataclass(frozen=True)
class Rule:
    """A rule as it was read."""
    source: Source
    result: str
    parameters: tuple[Parameter, ...]
    constant: frozenset[str]
    parts: tuple[Local | Contribution, ...]
    reasons: tuple[tuple[str, str], ...] = ()   # why a constant parameter has no derivative

    @property
    def reads_result(self) -> bool:
        """Whether a formula reads the value of the result, so that it must be at hand."""
        return any(isinstance(n, gast.Name) and n.id == self.result and not _is_adjoint(owner)
                   for part in self.parts for n, owner in _names_with_owner(part.formula))

    @functools.cached_property
    def is_ours(self) -> bool:
        """Whether it comes with tangent_lite, so that what it gives has the shape that it should.
        """
        return str(self.source.globals.get("__name__")).startswith("tangent_lite.rules.")

    @functools.cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """The formulas, without what they share."""
        return tuple(p for p in self.parts if isinstance(p, Contribution))

    @functools.cached_property
    def sequences(self) -> frozenset[str | None]:
        """Parameters over whose parts the rule loops; None where it has a formula for a whole."""
        return frozenset(p.sequence for p in self.contributions)

    @functools.cached_property
    def deep(self) -> frozenset[str]:
        """Of these, the parameters whose lists may hold lists: their parts are looked at too."""
        return frozenset(p.sequence for p in self.contributions
                         if p.goes_deep and p.sequence is not None)

    @functools.cached_property
    def wholes(self) -> frozenset[str]:
        """Parameters, or results, for which it has a formula as a whole."""
        return frozenset(p.target for p in self.contributions if p.sequence is None)

    @functools.cached_property
    def covered(self) -> frozenset[str]:
        """All for which it has a formula."""
        return frozenset(p.sequence or p.target for p in self.contributions)

    @property
    def without_effect(self) -> frozenset[str]:
        """Parameters that may vary without effect on the result."""
        return frozenset(part.sequence or part.target for part in self.parts
                         if isinstance(part, Contribution) and part.is_zero)

    def not_covered(self, name: str) -> str:
        """What to say of a parameter that varies and has no derivative."""
        told = f"the rule {self.source.name} has no derivative with respect to {name}"
        reason = dict(self.reasons).get(name)
        return f"{told}: {reason}" if reason else told

    def wish(self, name: str) -> str:
        """How emitted code should spell what a name of the rule means: a rule that is made for
        several functions reads variables of its maker, which say less than what they hold."""
        if name not in self.source.cells:
            return name
        thing = self.lookup(name)
        own = getattr(thing, "__name__", None) or getattr(thing, "name", None)
        return own if isinstance(own, str) and own.isidentifier() else name

    def lookup(self, name: str) -> Any:
        """What a name means where the rule stands."""
        cell = self.source.cells.get(name)
        if cell is not None:
            return cell.cell_contents
        if name in self.source.globals:
            return self.source.globals[name]
        builtins = self.source.globals.get("__builtins__", {})
        builtins = builtins if isinstance(builtins, dict) else vars(builtins)
        if name in builtins:
            return builtins[name]
        raise TangentError(f"the rule {self.source.name} reads {name}, which is not defined where "
                           "the rule stands", self.source.place(self.source.tree))


class Unread:
    """A rule that comes with us: it is read when it is asked for, and most never are."""

    def __init__(self, read: Callable[[], Rule]) -> None:
        self.read = read
        self.found: Rule | None = None

    def rule(self) -> Rule:
        if self.found is None:
            self.found = self.read()
        return self.found


def turned_around(rule: Rule) -> Rule:
    """The forward rule of a pointwise function, from its reverse rule."""
    total: Any = None
    for part in rule.parts:
        if isinstance(part, Local) or part.is_zero:
            continue
        formula = part.formula
        if isinstance(formula, gast.Call) and isinstance(formula.func, gast.Name) \
                and formula.func.id == "unbroadcast":
            formula = formula.args[0]
        formula = copy(formula)
        for node in syntax.walk(formula):
            if _is_adjoint(node):
                node.slice.id = part.target
        if total is None:
            total = formula
        else:
            positive = _without_minus(formula)
            total = gast.BinOp(total, gast.Add() if positive is None else gast.Sub(),
                               formula if positive is None else positive)
    parts = [part for part in rule.parts if isinstance(part, Local) or part.is_zero]
    return replace(rule, parts=(*parts, Contribution(rule.result, total)))


def _without_minus(formula: Any) -> Any:
    """What `-d[z] * x / y` is the negative of; None for a formula without a leading minus."""
    if isinstance(formula, gast.UnaryOp) and isinstance(formula.op, gast.USub):
        return formula.operand
    if isinstance(formula, gast.BinOp) and isinstance(formula.op, (gast.Mult, gast.Div)):
        left = _without_minus(formula.left)
        return None if left is None else gast.BinOp(left, formula.op, formula.right)
    return None


# Reading a rule -------------------------------------------------------------------------------
Constants = tuple[str, ...] | dict[str, str]


def read_rule(definition: Any, constant: Constants, forward: bool,
              spelled: dict[str, str] | None = None) -> Rule:
    """Read the definition of a rule and check it; TangentError points into the rule."""
    reasons = tuple(constant.items()) if isinstance(constant, dict) else ()
    source = source_of(definition)
    if spelled:
        syntax.Rename(spelled).visit(source.tree)
    parameters = _parameters(source)
    if not parameters:
        raise _mistake(source, source.tree, "a rule's first parameter is the result")
    result, parameters = parameters[0].name, parameters[1:]
    parts: list[Local | Contribution] = []
    body = source.tree.body
    for number, node in enumerate(body):
        if number == 0 and isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant):
            continue
        if isinstance(node, gast.Pass):
            continue
        if isinstance(node, gast.For):
            parts += _loop(source, node)
        else:
            parts.append(_part(source, node, None, None))
    rule = Rule(source, result, tuple(parameters), frozenset(constant), tuple(parts), reasons)
    _check(rule, forward)
    return rule


def _parameters(source: Source) -> list[Parameter]:
    arguments = source.tree.args
    plain = list(arguments.posonlyargs) + list(arguments.args)
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    found = [Parameter(a.id, False, default) for a, default in zip(plain, defaults)]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.id, True))
    found += [Parameter(a.id, False, default, True)
              for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        raise _mistake(source, source.tree, "a rule names its options: it takes no ** parameter")
    return found


def _loop(source: Source, node: gast.For) -> list[Local | Contribution]:
    call, target = node.iter, node.target
    goes_deep = False
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Name) \
            and call.func.id == "enumerate" and isinstance(call.args[0], gast.Name):
        counter, part = bound_names(target)
        sequence = call.args[0].id
    elif isinstance(call, gast.Call) and isinstance(call.func, gast.Name) \
            and call.func.id == "parts_in" and isinstance(call.args[0], gast.Name):
        counter, part = bound_names(target)
        sequence, goes_deep = call.args[0].id, True
    elif isinstance(call, gast.Name):
        counter, part, sequence = None, bound_names(target)[0], call.id
    else:
        raise _mistake(source, node, "a rule's loop runs over a parameter: "
                                     "`for k, x in enumerate(xs)`")
    found: list[Local | Contribution] = []
    for inner in node.body:
        one = _part(source, inner, sequence, counter, goes_deep)
        if isinstance(one, Local) or one.target != part:
            raise _mistake(source, inner,
                           f"the loop of a rule holds one statement: d[{part}] = ...")
        found.append(one)
    return found


def _part(source: Source, node: gast.AST, sequence: str | None,
          counter: str | None, goes_deep: bool = False) -> Local | Contribution:
    if isinstance(node, gast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, gast.Name):
            return Local(target.id, node.value)
        if _is_adjoint(target) and isinstance(target.slice, gast.Name):
            return Contribution(target.slice.id, node.value, sequence, counter, goes_deep)
    raise _mistake(source, node, "a rule is made of `d[x] = formula`, `t = formula` "
                                 "and loops over a parameter")


def _is_adjoint(node: Any) -> bool:
    return (isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name)
            and node.value.id == "d")


def _names_with_owner(node: gast.AST) -> Iterable[tuple[gast.AST, Any]]:
    """The nodes below node, each with its parent."""
    todo: list[tuple[gast.AST, Any]] = [(node, None)]
    while todo:
        one, owner = todo.pop()
        yield one, owner
        todo.extend((child, one) for child in gast.iter_child_nodes(one))


def _check(rule: Rule, forward: bool) -> None:
    known = {rule.result, *(p.name for p in rule.parameters)}
    assigned = {c.sequence or c.target for c in rule.parts if isinstance(c, Contribution)}
    source = rule.source
    read = {_adjoint_name(n) for part in rule.parts
            for n, _ in _names_with_owner(part.formula) if _is_adjoint(n)}
    missing = rule.constant - known
    if missing:
        raise _mistake(source, source.tree, f"constant names {sorted(missing)}, which are no "
                                            "parameters of the rule")
    wrong = (assigned if not forward else read) - known
    if wrong and not forward:
        raise _mistake(source, source.tree, f"d[{sorted(wrong)[0]}] is assigned, but "
                                            f"{sorted(wrong)[0]} is no parameter of the rule")
    if forward:
        if assigned - rule.without_effect != {rule.result}:
            raise _mistake(source, source.tree, f"a forward rule assigns d[{rule.result}]")
        covered = read | rule.without_effect
    else:
        covered = assigned
    for parameter in rule.parameters:
        if parameter.name in covered or parameter.name in rule.constant or parameter.is_option:
            continue
        if forward and parameter.star:
            continue
        raise _mistake(
            source, source.tree,
            f"the rule {source.name} says nothing about its parameter {parameter.name}",
            f"assign d[{parameter.name}], or declare it: constant=(\"{parameter.name}\",)")


def _adjoint_name(node: Any) -> str:
    return node.slice.id if isinstance(node.slice, gast.Name) else ""


def _mistake(source: Source, node: gast.AST, reason: str, fix: str | None = None) -> TangentError:
    return TangentError(reason, source.place(node), fix)


def varying_parameters(rule: Rule) -> set[str]:
    """The parameters of a forward rule that may vary: those whose tangents it reads, or ignores."""
    read = {_adjoint_name(n) for part in rule.parts
            for n, _ in _names_with_owner(part.formula) if _is_adjoint(n)}
    return read | rule.without_effect


def parameters_of(rule: Rule) -> list[str]:
    return parameter_names(rule.source.tree.args)[1:]
