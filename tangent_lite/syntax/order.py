"""What a statement computes first: what may as well stand in front of it.

>>> def is_call_of_g(node):
...     return isinstance(node, gast.Call) and node.func.id == "g"
>>> for text in ("y = x[k] * g(x)", "y = f(g(x))", "y = f(x) + g(x)", "y = x and g(x)"):
...     print(first_of(gast.parse(text).body[0], is_call_of_g) is not None)
True
True
False
False
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

# Of these, what is evaluated for certain, and in front of the rest.
_FIRST: dict[type, Callable[[Any], list[gast.expr]]] = {
    gast.IfExp: lambda node: [node.test],
    gast.BoolOp: lambda node: [node.values[0]],
    gast.Lambda: lambda node: [],
    gast.ListComp: lambda node: [node.generators[0].iter],
    gast.SetComp: lambda node: [node.generators[0].iter],
    gast.DictComp: lambda node: [node.generators[0].iter],
    gast.GeneratorExp: lambda node: [node.generators[0].iter],
    gast.NamedExpr: lambda node: [node.value],
    gast.Await: lambda node: [node.value],
    gast.Yield: lambda node: [node.value] if node.value else [],
    gast.YieldFrom: lambda node: [node.value],
    gast.Call: lambda node: [node.func, *node.args, *(k.value for k in node.keywords)],
    gast.JoinedStr: lambda node: [],
}


def first_of(statement: gast.stmt, wanted: Callable[[gast.expr], bool]) -> gast.expr | None:
    """The first expression of a kind in a statement, if nothing is computed in front of it but what
    names, numbers and operators give, and it is computed for certain; None else."""
    if isinstance(statement, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr,
                              gast.Return)):
        if statement.value is None or (isinstance(statement, gast.AugAssign)
                                       and not isinstance(statement.target, gast.Name)):
            return None
        start = statement.value
    elif isinstance(statement, gast.If):
        start = statement.test
    elif isinstance(statement, gast.For):
        start = statement.iter
    else:
        return None
    for node in _in_order(start):
        if node is None or wanted(node):
            return node
    return None


def _in_order(node: gast.expr) -> Iterator[gast.expr | None]:
    """The expressions in one, each in front of its parts, in Python's order; None where something
    is computed that may do more than give a value."""
    yield node
    if isinstance(node, gast.Compare):
        parts = [node.left, node.comparators[0]]
        is_last = len(node.comparators) > 1
    else:
        first = _FIRST.get(type(node))
        parts = first(node) if first else [
            one for one in gast.iter_child_nodes(node) if isinstance(one, gast.expr)]
        is_last = first is not None
    for part in parts:
        yield from _in_order(part)
    if is_last:
        yield None


def is_at_hand(node: gast.expr) -> bool:
    """Whether it does not matter when a value is computed, or whether it is: names, numbers and
    tuples of these."""
    return all(isinstance(part, (gast.Name, gast.Constant, gast.Tuple, gast.UnaryOp, gast.USub,
                                 gast.expr_context)) for part in gast.walk(node))


def put(tree: gast.AST, old: gast.AST, new: gast.expr) -> None:
    """Put an expression in the place of another, which is known by itself."""
    for node in gast.walk(tree):
        for field, value in gast.iter_fields(node):
            if value is old:
                setattr(node, field, new)
            elif isinstance(value, list):
                value[:] = [new if one is old else one for one in value]
