"""Formulas of forward rules without the terms whose tangents are zero.

What is left keeps the shape that the whole had: `d[x] + d[y]` is `match(d[x], y)` for a constant y.
"""
from __future__ import annotations

import gast

from tangent_lite import result_kinds, runtime, syntax
from tangent_lite.registry import Rule, lookup, parameters_of

MATCH, ZEROS = "runtime.match", "runtime.zeros_like"    # names that no rule can have
HELPERS = {MATCH: runtime.match, ZEROS: runtime.zeros_like}

_BROADCASTING = (result_kinds.elementwise, result_kinds.elementwise_float,
                 result_kinds.elementwise_int, result_kinds.elementwise_bool)


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
