"""What is a short form, and what may not move in front of one: asked without knowing any types."""
from __future__ import annotations

import gast

from tangent_lite import syntax

LIBRARIES = ("np", "numpy", "math", "scipy", "sp")
METHODS = ("sum", "max", "min", "any", "all", "mean", "item", "dot", "copy", "std", "var", "prod",
           "get", "keys", "values", "items", "astype", "tolist")
COMPUTING = ("abs", "bool", "float", "int", "isinstance", "len", "max", "min", "range", "round",
             "sum")
# Functions of NumPy that call what they are given.
CALLING = {"apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "piecewise",
           "vectorize"}


def is_boolean(node: gast.expr) -> bool:
    """Whether an expression certainly gives a bool."""
    if isinstance(node, gast.BoolOp):
        return all(map(is_boolean, node.values))
    return isinstance(node, gast.Compare) \
        or (isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)) \
        or (isinstance(node, gast.Constant) and isinstance(node.value, bool)) \
        or (isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
            and node.func.id in ("isinstance", "bool", "any", "all", "callable", "hasattr"))


def calls(node: gast.AST) -> bool:
    return any(isinstance(n, gast.Call) for n in syntax.walk(node))


def stops_early(node: gast.AST) -> bool:
    """Whether a chained comparison may leave out the evaluation of something that matters."""
    return isinstance(node, gast.Compare) and not all(
        map(syntax.is_simple, node.comparators[1:]))


def moves(node: gast.expr) -> bool:
    """Whether statements move in front of the one in which this is (part of) the condition."""
    if isinstance(node, gast.BoolOp):
        return any(map(moves, node.values))
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return moves(node.operand)
    return has_short_form(node) or calls_others(node)


def calls_others(node: gast.expr) -> bool:
    """Whether an expression calls what may be a function of the user, which has to be looked at."""
    for part in syntax.walk(node):
        if isinstance(part, gast.Call) and not hasattr(part, "marker"):
            function = part.func
            if isinstance(function, gast.Name):
                if function.id not in (*COMPUTING, "all", "any", "callable", "hasattr", "str"):
                    return True
            elif syntax.root_name(function) not in LIBRARIES and (
                    not isinstance(function, gast.Attribute)
                    or not (hasattr(str, function.attr) or function.attr in METHODS)):
                return True
    return False


def has_walrus(node: gast.AST) -> bool:
    return bool(syntax.all_of(node, gast.NamedExpr))


def has_short_form(node: gast.AST) -> bool:
    classes = syntax.classes_in(node)
    return not classes.isdisjoint(_SHORT) \
        or (gast.Compare in classes and any(map(stops_early, syntax.all_of(node, gast.Compare))))


_SHORT = frozenset({gast.NamedExpr, gast.IfExp, gast.BoolOp})


def reversed_range(bounds: list[gast.expr]) -> list[gast.expr] | None:
    """The bounds of the same range backwards, where they are simple to write."""
    if len(bounds) == 1:
        last = syntax.binary(syntax.copy(bounds[0]), "-", syntax.constant(1))
        return [last, syntax.constant(-1), syntax.constant(-1)]
    return None


def may_rebind(node: gast.AST | None) -> bool:
    """Whether the evaluation of something may run a function that is defined inside."""
    return node is not None and any(
        isinstance(part, gast.Call) and not hasattr(part, "marker") and runs_others(part)
        for part in syntax.walk(node))


def runs_others(node: gast.Call) -> bool:
    """Whether a call may run a function that is defined inside."""
    function = node.func
    given = [*node.args, *(k.value for k in node.keywords)]
    if any(isinstance(a, gast.Lambda) for a in given) or any(k.arg == "key" for k in node.keywords):
        return True
    if isinstance(function, gast.Name):
        return function.id not in COMPUTING
    return syntax.root_name(function) not in LIBRARIES[:3] \
        or getattr(function, "attr", None) in CALLING
