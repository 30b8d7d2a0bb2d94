"""Loops over names that are written out, of arrays that the loop writes into.

    for Z, L in ((U, Lu), (V, Lv)):         =>      Z, L = U, Lu
        L[1:-1] = Z[2:] - Z[:-2]                    L[1:-1] = Z[2:] - Z[:-2]
                                                    Z, L = V, Lv
                                                    L[1:-1] = Z[2:] - Z[:-2]

There the names of the loop are second names of arrays, each time of another one. Which one is
known where the body stands once for each.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax

MOST_ITEMS = 8
MOST_STATEMENTS = 64


def items_written_into(node: gast.For) -> list[gast.expr] | None:
    """What a loop takes in turn, where that is written out and the body may write into it.

    >>> loop = gast.parse("for a, k in zip((x, y), (1, 2)): a[k] = 0.0").body[0]
    >>> import ast
    >>> [ast.unparse(gast.gast_to_ast(item)) for item in items_written_into(loop)]
    ['(x, 1)', '(y, 2)']
    >>> loop.body[0].targets[0].value.id = "b"
    >>> items_written_into(loop) is None
    True
    """
    names = _plain_names(node.target)
    if names is None or syntax.may_leave(node.body) or node.orelse \
            or not any(_writes_into(s, names) for s in syntax.statements(node.body)) \
            or any(_stands_once(part) for one in node.body for part in syntax.walk(one)):
        return None
    items = _items(node.iter)
    count = sum(1 for _ in syntax.statements(node.body))
    if not items or len(items) > MOST_ITEMS or len(items) * count > MOST_STATEMENTS:
        return None
    return items


def _stands_once(node: gast.AST) -> bool:
    """Whether something has a name or a number of its own, by which others know it."""
    return isinstance(node, (gast.Lambda, gast.Yield, gast.YieldFrom)) \
        or (isinstance(node, gast.Call) and (hasattr(node, "marker")
                                             or isinstance(node.func, gast.Constant)))


def _plain_names(target: gast.expr) -> set[str] | None:
    """The names that a target binds; None if it holds anything else."""
    if isinstance(target, gast.Name):
        return {target.id}
    if not isinstance(target, (gast.Tuple, gast.List)):
        return None
    found: set[str] = set()
    for part in target.elts:
        names = _plain_names(part)
        if names is None or names & found:
            return None
        found |= names
    return found


def _items(iterator: gast.expr) -> list[gast.expr] | None:
    """The items of a display, of `zip` of displays, and of `enumerate` of either."""
    if isinstance(iterator, (gast.Tuple, gast.List)):
        return None if any(isinstance(one, gast.Starred) for one in iterator.elts) \
            else list(iterator.elts)
    if not isinstance(iterator, gast.Call) or iterator.keywords or not iterator.args:
        return None
    name = getattr(iterator.func, "id", "")
    inner = [items for items in map(_items, iterator.args) if items is not None]
    if len(inner) < len(iterator.args):
        return None
    if name == "zip" and len(set(map(len, inner))) == 1:
        return [syntax.tuple_of(parts) for parts in zip(*inner)]
    if name == "enumerate" and len(inner) == 1:
        return [syntax.tuple_of((syntax.constant(k), one)) for k, one in enumerate(inner[0])]
    return None


def _writes_into(node: gast.stmt, names: set[str]) -> bool:
    """Whether a statement may write into what one of some names stands for."""
    if isinstance(node, gast.AugAssign):
        return syntax.root_name(node.target) in names and not isinstance(
            node.target, gast.Attribute)
    if isinstance(node, gast.Assign):
        targets = [part for target in node.targets for part in syntax.walk(target)]
        if any(isinstance(one, gast.Subscript) and isinstance(one.ctx, gast.Store)
               and getattr(one.value, "id", None) in names for one in targets):
            return True
    for call in syntax.all_of(node.value, gast.Call) if isinstance(
            node, (gast.Assign, gast.Expr)) else ():
        given = [k.value for k in call.keywords if k.arg == "out"]
        if isinstance(node, gast.Expr) and call is node.value:
            given += call.args
        if any(getattr(one, "id", None) in names for one in given):
            return True
    return False
