"""Filling a rule: d[x] becomes bx, the parameters become the arguments of the call.

Loops over a *args parameter are unrolled, arguments that equal the default of the helper they are
given to are left out, and helpers that the kinds make superfluous are replaced by what they do
(`lowering`).
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import runtime, syntax
from tangent_lite.registry import Contribution, Local, Rule
from tangent_lite.template_defaults import leave_defaults_out
from tangent_lite.template_zeros import HELPERS, drop_zero_terms

Argument = Any      # an expression, or a list of expressions for a star or sequence parameter


class Parts(gast.List):
    """The parts of a list that is written out, those of lists in it too: `[[1.0, a], *b]` as
    `[1.0, a, b]`; paths: where each of them is, or the items of what stands behind a star; spread:
    the numbers of those; whole: the list itself."""

    def __init__(self, argument: gast.expr) -> None:
        self.whole = argument
        found = list(_parts(argument, ()))
        super().__init__([getattr(part, "value", part) if isinstance(part, gast.Starred) else part
                          for part, _ in found], gast.Load())
        self.paths = [path for _, path in found]
        self.spread = {number for number, (part, _) in enumerate(found)
                       if isinstance(part, gast.Starred)}


_Path = tuple[gast.expr, ...]


def _parts(node: gast.expr, path: _Path) -> Iterator[tuple[gast.expr, _Path]]:
    for number, part in enumerate(node.elts):
        at = _position(node.elts, number)
        if isinstance(part, (gast.List, gast.Tuple)):
            yield from _parts(part, (*path, at))
        elif isinstance(part, gast.Starred):
            upper = _position(node.elts, number + 1) if number + 1 < len(node.elts) else None
            yield part, (*path, gast.Slice(at if number else None, upper, None))
        else:
            yield part, (*path, at)


def _position(items: list[gast.expr], number: int) -> gast.expr:
    """Where an item of a list stands, counted from the end with a star in front alone."""
    stars = [k for k, item in enumerate(items) if isinstance(item, gast.Starred)]
    front = [k for k in stars if k < number]
    if not front:
        return syntax.constant(number)
    if len(front) == len(stars):
        return syntax.constant(number - len(items))
    total: gast.expr | None = syntax.constant(number - len(front)) if number > len(front) else None
    for k in front:
        count = syntax.call(syntax.load("len"), syntax.copy(items[k].value))
        total = count if total is None else gast.BinOp(count, gast.Add(), total)
    assert total is not None        # there is a star in front
    return total


def _index(path: _Path) -> gast.expr:
    return syntax.tuple_of(path) if len(path) > 1 else path[0]


class BindingError(Exception):
    """A call does not fit the parameters of its rule."""


@dataclass
class Filled:
    """A rule filled in: values to compute first, then what each argument receives."""
    locals: list[tuple[str, gast.expr]] = field(default_factory=list)
    contributions: list[tuple[str, int | None, gast.expr]] = field(default_factory=list)
    reads_result: bool = False


def bind(rule: Rule, args: list[gast.expr], keywords: dict[str, gast.expr]) -> dict[str, Argument]:
    """Arguments by the rule's parameters; absent ones get their default.

    Raises BindingError where a call does not fit.
    """
    bound: dict[str, Argument] = {}
    rest = list(args)
    keywords = dict(keywords)
    for parameter in rule.parameters:
        if parameter.star:
            bound[parameter.name] = rest
            rest = []
        elif rest and not parameter.keyword_only:
            if parameter.name in keywords:
                raise BindingError(f"{parameter.name} is given twice")
            bound[parameter.name] = rest.pop(0)
        elif parameter.name in keywords:
            bound[parameter.name] = keywords.pop(parameter.name)
        elif parameter.default is not None:
            bound[parameter.name] = syntax.copy(parameter.default)
        else:
            raise BindingError(f"the rule {rule.source.name} needs the argument {parameter.name}")
    if rest:
        raise BindingError(f"the rule {rule.source.name} takes {len(rule.parameters)} arguments")
    if keywords:
        raise BindingError(f"the rule {rule.source.name} does not cover the argument "
                           f"{sorted(keywords)[0]}=")
    for name, argument in list(bound.items()):
        if name not in rule.sequences:
            continue
        apart = (gast.List, gast.Tuple, gast.Starred) if name in rule.deep else gast.Starred
        if isinstance(argument, (gast.List, gast.Tuple)) and any(
                isinstance(part, apart) for part in argument.elts):
            bound[name] = Parts(argument)
    return bound


def fill(rule: Rule, bound: dict[str, Argument], values: dict[str, gast.expr],
         adjoints: dict[str, Any], wanted: Callable[[str, int | None], bool],
         external: Callable[[Any, str], gast.expr], fresh: Callable[[str], str],
         lower: Callable[[Any, gast.Call], gast.expr],
         note_local: Callable[[str, gast.expr], None] = lambda name, formula: None) -> Filled:
    """Fill in a rule.

    adjoints holds an expression for a name; a list of them, with None for zero, for a parameter
    whose parts are written out. A name that it lacks has no tangent: in a forward rule the terms
    with its d[...] are left out, and where that would lose the shape of the result (dx in place of
    dx + dy), runtime.match keeps it.

    values: what plain names stand for besides the arguments (the result); adjoints: what d[name]
    stands for; wanted(parameter, number): which contributions are needed; external(object, name):
    how emitted code spells an object that the rule names; lower(function, call): the last word on
    each call of a function that is known; note_local(name, formula): is told each shared value, in
    front of the formulas that read it.
    """
    filled = Filled()
    chosen = _chosen(rule, bound, wanted)
    renamed: dict[str, gast.expr] = {}
    filler = _Filler(rule, bound, values, adjoints, renamed, external, lower)
    for local in _read_by(chosen, rule):
        formula = filler.fill(local.formula)
        name = fresh(local.name)
        renamed[local.name] = syntax.load(name)
        note_local(name, formula)
        filled.locals.append((name, formula))
    shared: dict[str, gast.expr] = {}           # all parts at once, by parameter
    for part, number in chosen:
        sequence = part.sequence or ""
        spread = bound.get(sequence)
        if number is not None and sequence in rule.wholes and sequence not in rule.deep \
                and isinstance(spread, Parts):
            # What counts the parts does not know how many stand behind a star.
            if sequence not in shared:
                one = next(p for p in rule.contributions
                           if p.sequence is None and p.target == sequence)
                name = fresh("parts")
                formula = filler.fill(one.formula)
                note_local(name, formula)
                filled.locals.append((name, formula))
                shared[sequence] = syntax.load(name)
            filled.contributions.append((sequence, number, syntax.subscript(
                syntax.copy(shared[sequence]), _index(spread.paths[number]))))
            continue
        extra: dict[str, gast.expr] = {}
        if number is not None and part.sequence is not None:
            argument = bound[part.sequence]
            parts = argument if isinstance(argument, list) else argument.elts
            extra[part.target] = parts[number]
            if part.counter:
                extra[part.counter] = syntax.constant(number) if not isinstance(argument, Parts) \
                    else _index(argument.paths[number])
        source = part.formula if part.target != rule.result else \
            drop_zero_terms(part.formula, rule, set(adjoints))
        if source is None:
            continue
        formula = filler.fill(source, extra)
        filled.contributions.append((part.sequence or part.target, number, formula))
    filled.reads_result = filler.reads_result
    return filled


def _chosen(rule: Rule, bound: dict[str, Argument],
            wanted: Callable[[str, int | None], bool]) -> list[tuple[Contribution, int | None]]:
    """The contributions that are wanted, those to parts with the numbers of the parts."""
    chosen: list[tuple[Contribution, int | None]] = []
    for part in rule.contributions:
        if part.is_zero:
            continue
        name = part.sequence or part.target
        argument = bound.get(name)
        written_out = isinstance(argument, (list, gast.Tuple, gast.List))
        if part.sequence is None:
            # A rule may have a loop for arrays written out, and a formula for a list of them.
            if not (written_out and name in rule.sequences) and wanted(part.target, None):
                chosen.append((part, None))
        elif not written_out and name in rule.wholes:
            continue
        elif isinstance(argument, list):
            chosen += [(part, k) for k in range(len(argument)) if wanted(name, k)]
        elif isinstance(argument, (gast.Tuple, gast.List)):
            chosen += [(part, k) for k in range(len(argument.elts)) if wanted(name, k)]
        elif wanted(name, None):
            raise BindingError(f"the parts of {name} are not written out in the call")
    return chosen


def _read_by(chosen: list[tuple[Contribution, int | None]], rule: Rule) -> list[Local]:
    """The shared values of a rule that some contributions read, in order."""
    shared = [part for part in rule.parts if isinstance(part, Local)]
    if not shared:
        return []
    needed: set[str] = set().union(*(syntax.read_names(part.formula) for part, _ in chosen))
    kept: list[Local] = []
    for local in reversed(shared):
        if local.name in needed:
            kept.insert(0, local)
            needed |= syntax.read_names(local.formula)
    return kept


class _Filler(syntax.Rewriter):
    def __init__(self, rule: Rule, bound: dict[str, Argument], values: dict[str, gast.expr],
                 adjoints: dict[str, Any], renamed: dict[str, gast.expr],
                 external: Callable[[Any, str], gast.expr],
                 lower: Callable[[Any, gast.Call], gast.expr]) -> None:
        self.rule, self.bound, self.values = rule, bound, values
        self.adjoints, self.renamed = adjoints, renamed
        self.external, self.lower = external, lower
        self.extra: dict[str, gast.expr] = {}
        self.reads_result = False

    def fill(self, formula: gast.expr, extra: dict[str, gast.expr] | None = None) -> gast.expr:
        self.extra = extra or {}
        return self.visit(formula)

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if isinstance(node.value, gast.Name) and node.value.id == "d" \
                and isinstance(node.slice, gast.Name):
            adjoint = self.adjoints[node.slice.id]
            if isinstance(adjoint, list):
                return self._several(adjoint, self.bound[node.slice.id])
            return syntax.copy(adjoint)
        node = self.generic_visit(node)
        if isinstance(node.value, gast.Tuple) and isinstance(node.slice, gast.Constant):
            return node.value.elts[node.slice.value]        # (lu, piv)[0]
        return node

    def visit_IfExp(self, node: gast.IfExp) -> gast.expr:
        test = self.visit(node.test)
        if isinstance(test, gast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        return gast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def _several(self, adjoints: list[gast.expr | None], argument: Argument) -> gast.expr:
        """The tangents of a star parameter or of a tuple that is written out."""
        parts = argument if isinstance(argument, list) else argument.elts
        filled = []
        for adjoint, part in zip(adjoints, parts):
            if adjoint is None:
                starred = isinstance(part, gast.Starred)
                call = syntax.call(self.external(runtime.zeros_like, "zeros_like"),
                                   syntax.copy(part.value if starred else part))
                zeros = self.lower(runtime.zeros_like, call)
                filled.append(gast.Starred(zeros, gast.Load()) if starred else zeros)
            else:
                filled.append(syntax.copy(adjoint))
        if isinstance(argument, gast.List):
            return gast.List(filled, gast.Load())
        return syntax.tuple_of(filled)

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id == self.rule.result:
            self.reads_result = True
        for table in (self.extra, self.renamed, self.values):
            if node.id in table:
                return syntax.copy(table[node.id])
        if node.id in self.bound:
            argument = self.bound[node.id]
            if isinstance(argument, list):
                return syntax.tuple_of(syntax.copy(a) for a in argument)
            return syntax.copy(argument.whole if isinstance(argument, Parts) else argument)
        helper = HELPERS.get(node.id)
        if helper is not None:
            return self.external(helper, helper.__name__)
        return self.external(self.rule.lookup(node.id), self.rule.wish(node.id))

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        return self.generic_visit(node)

    def visit_Call(self, node: gast.Call) -> gast.expr:
        function = self._function(node.func)
        node = self.generic_visit(node)
        if function is None:
            return node
        return self.lower(function, leave_defaults_out(node, function))

    def _function(self, node: gast.expr) -> Any:
        """The object that the function of a call means where the rule stands."""
        path: list[str] = []
        while isinstance(node, gast.Attribute):
            path.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id in self.bound or node.id in self.values \
                or node.id in self.extra or node.id in self.renamed:
            return None
        found = HELPERS.get(node.id) or self.rule.lookup(node.id)
        for attr in reversed(path):
            found = getattr(found, attr, None)
        return found
