"""Filling a rule: d[x] becomes bx, the parameters become the arguments of the call.

Loops over a *args parameter are unrolled, arguments that equal the default of the helper they are
given to are left out, and helpers that the kinds make superfluous are replaced by what they do
(`lowering`).
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import gast
import numpy as np

from tangent_lite import result_kinds, runtime, syntax
from tangent_lite.registry import Contribution, Local, Rule, lookup, parameters_of

MATCH, ZEROS = "runtime.match", "runtime.zeros_like"    # names that no rule can have
Argument = Any      # an expression, or a list of expressions for a star or sequence parameter


_HELPERS = {MATCH: runtime.match, ZEROS: runtime.zeros_like}


_BROADCASTING = (result_kinds.elementwise, result_kinds.elementwise_float,
                 result_kinds.elementwise_int, result_kinds.elementwise_bool)


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


def drop_zero_terms(formula: gast.expr, rule: Rule, active: set[str]) -> gast.expr | None:
    """A forward formula without the terms whose tangents are zero; None if all are.

    `d[x] * y + x * d[y]` is `d[x] * y` for a constant y, and `d[x] + d[y]` is
    `match(d[x], y)`: dx spread to the shape that x and y have together.
    """
    read = {_adjoint_target(n) for n in syntax.walk(formula)} - {""}
    if read <= active:
        return formula
    return _without_zeros(formula, active, rule)[0]


def _without_zeros(node: gast.expr, active: set[str], rule: Rule) \
        -> tuple[gast.expr | None, frozenset[str]]:
    """The formula, None for zero, and what its shape is made of: leaves written as text."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        operand, shape = _without_zeros(node.operand, active, rule)
        return (None if operand is None else gast.UnaryOp(gast.USub(), operand)), shape
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
        left, left_shape = _without_zeros(node.left, active, rule)
        right, right_shape = _without_zeros(node.right, active, rule)
        both = left_shape | right_shape
        if left is not None and right is not None:
            return gast.BinOp(left, node.op, right), both
        if left is None and right is None:
            return None, both
        if left is not None:
            return _matched(left, left_shape, right_shape, rule), both
        if isinstance(node.op, gast.Sub):
            right = _negated(right)
        return _matched(right, right_shape, left_shape, rule), both
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        left, left_shape = _without_zeros(node.left, active, rule)
        right, right_shape = _without_zeros(node.right, active, rule)
        both = left_shape | right_shape
        if left is None or right is None:
            return None, both
        return gast.BinOp(left, node.op, right), both
    if isinstance(node, gast.Constant) and not isinstance(node.value, str):
        return node, frozenset()
    primal = _primal(node)
    inside = {_adjoint_target(n) for n in syntax.walk(node)} - {""}
    name = _adjoint_target(node) or (node.id if isinstance(node, gast.Name) else "")
    shape = frozenset([name or gast.dump(primal)])
    if isinstance(node, gast.Call) and not node.keywords and _is_elementwise(node.func, rule):
        shape = frozenset().union(*(_without_zeros(a, active, rule)[1] for a in primal.args))
    if inside and not inside & active:
        return None, shape
    if inside - active:
        # A function of several tangents (np.where, np.concatenate): zeros are put in.
        return _Zeros(inside - active).visit(syntax.copy(node)), shape
    return node, shape


def _is_elementwise(function: gast.expr, rule: Rule) -> bool:
    """Whether a rule names a function that broadcasts its arguments."""
    path: list[str] = []
    while isinstance(function, gast.Attribute):
        path.append(function.attr)
        function = function.value
    if not isinstance(function, gast.Name) or function.id in parameters_of(rule):
        return False
    found = rule.lookup(function.id)
    for attr in reversed(path):
        found = getattr(found, attr, None)
    entry = lookup(found)
    return entry is not None and entry.kind in _BROADCASTING


def _matched(kept: gast.expr, shape: frozenset[str], lost: frozenset[str],
             rule: Rule) -> gast.expr:
    """The term that is kept, spread to the shape that the sum had with the term left out."""
    if rule.result in shape:
        return kept
    leaves = [leaf for leaf in sorted(lost - shape) if leaf.isidentifier()]
    if len(leaves) > 1 and rule.result in leaves:
        leaves.remove(rule.result)
    for leaf in leaves:
        kept = syntax.call(syntax.load(MATCH), kept, syntax.load(leaf))
    return kept


def _negated(node: gast.expr) -> gast.expr:
    """-node, the sign at the first factor: -dy * x / z."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        return gast.BinOp(_negated(node.left), node.op, node.right)
    return gast.UnaryOp(gast.USub(), node)


def _adjoint_target(node: gast.AST) -> str:
    """x for d[x]."""
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) \
            and node.value.id == "d" and isinstance(node.slice, gast.Name):
        return node.slice.id
    return ""


def _primal(node: gast.expr) -> gast.expr:
    """The formula with x for d[x]: both have the same shape."""
    return _Primal().visit(syntax.copy(node))


class _Primal(syntax.Transformer):
    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        name = _adjoint_target(node)
        return syntax.load(name) if name else self.generic_visit(node)


class _Zeros(syntax.Transformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        name = _adjoint_target(node)
        if name in self.names:
            return syntax.call(syntax.load(ZEROS), syntax.load(name))
        return self.generic_visit(node)


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
        helper = _HELPERS.get(node.id)
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
        found = _HELPERS.get(node.id) or self.rule.lookup(node.id)
        for attr in reversed(path):
            found = getattr(found, attr, None)
        return found


def leave_defaults_out(node: gast.Call, function: Any) -> gast.Call:
    """Drop arguments at the end of a call, and keywords, that equal the function's defaults."""
    try:
        defaults = _defaults(function)
    except TypeError:
        return node                 # a function without a hash, as those of ctypes
    if not defaults:
        return node
    names = list(defaults)
    node.keywords = [k for k in node.keywords if not is_default(k.value, defaults.get(
        k.arg, True if k.arg == "where" else _NONE))]
    if not node.keywords:
        while node.args and len(node.args) <= len(names) and \
                is_default(node.args[-1], defaults[names[len(node.args) - 1]]):
            node.args.pop()
    return node


_NONE: Any = object()


# What arguments mean that have no value (np._NoValue) unless they are given one.
_UNSAID = {"keepdims": False, "where": True}


# Functions whose defaults only newer versions of NumPy tell.
_UNTOLD = {id(np.concatenate): {"arrays": _NONE, "axis": 0}}


@cache
def _defaults(function: Any) -> dict[str, Any]:
    if id(function) in _UNTOLD:
        return _UNTOLD[id(function)]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return {}
    return {p.name: _NONE if p.default is p.empty else default_of(p) for p in parameters}


def default_of(parameter: inspect.Parameter) -> Any:
    """What a parameter means that is not given."""
    return _UNSAID.get(parameter.name, _NONE) if parameter.default is np._NoValue \
        else parameter.default


def is_default(node: gast.expr, default: Any) -> bool:
    """Whether an argument is a literal that says what the default says."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and isinstance(default, int):
        return is_default(node.operand, -default)          # axis=-1
    if isinstance(node, gast.Tuple) and isinstance(default, tuple):
        return len(node.elts) == len(default) and all(map(is_default, node.elts, default))
    return (isinstance(node, gast.Constant) and type(node.value) is type(default)
            and node.value == default)
