"""Contributions of one statement to one adjoint are one sum.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(x, y, bz):
...     bx = bz * y
...     by = bz
...     bx -= bz
...     by = by + unbroadcast(bz * x, y)
...     bk = bz * x
...     bt = bz * y
...     bk += bt * bt
...     bu = -bv
...     bu += bv * y
...     return bx, by, bk, bu
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> gather(tree.body, {"bx", "by", "bk", "bu"}, {"bx": FLOAT, "bk": FLOAT})
>>> print(emit(tree), end="")
def f(x, y, bz):
    bx = bz * y - bz
    by = bz + unbroadcast(bz * x, y)
    bt = bz * y
    bk = bz * x + bt * bt
    bu = bv * y - bv
    return bx, by, bk, bu

Arrays that are added to in place stay so, for a sum would be one more array; but negative ones,
which are one array less where they are taken away.
"""
from __future__ import annotations

from collections.abc import Mapping

import gast

from tangent_lite import syntax
from tangent_lite.kinds import Kind, Number
from tangent_lite.minus import positive_first
from tangent_lite.syntax import COMPOUND, binary

TOO_LONG = 30           # nodes of a sum that a reader still takes in


def gather(block: list[gast.stmt], names: set[str], found: Mapping[str, Kind]) -> None:
    """Join the statements of a block in place; names: those of adjoints; found: kinds of them."""
    out: list[gast.stmt] = []
    for node in block:
        if isinstance(node, COMPOUND):
            gather(node.body, names, found)
            gather(node.orelse, names, found)
        total = _joined(node, out, names, found)
        if total is None:
            out.append(node)
            continue
        first, value, stays = total
        first.value = value
        if not stays:
            out[:] = [*(n for n in out if n is not first), first]
    block[:] = out


def _joined(node: gast.stmt, before: list[gast.stmt], names: set[str],
            found: Mapping[str, Kind]) -> tuple[gast.Assign, gast.expr, bool] | None:
    """The statement that binds what a statement adds to, the sum of both, and whether it may stand
    where the first one does, or else where the second one does."""
    term = _added(node, names, found)
    if term is None:
        return None
    name, operator, value = term
    is_array = isinstance(node, gast.AugAssign) and not isinstance(found.get(name), Number)
    reads = syntax.read_names(value)
    between: set[str] = set()
    for first in reversed(before):
        if _bound(first) == name:
            if is_array and not (operator == "+" and _is_negative(first.value)):
                return None
            total = binary(first.value, operator, value)
            short = sum(1 for _ in syntax.walk(total)) <= TOO_LONG
            stays = between.isdisjoint(reads)
            if not short or name in reads or not (
                    stays or between.isdisjoint(syntax.read_names(first.value))):
                return None
            return first, positive_first(total), stays
        crossed = _crossed(first, found)
        if crossed is None or crossed == name or name in syntax.read_names(first):
            return None
        between.add(crossed)
    return None


def _added(node: gast.stmt, names: set[str],
           found: Mapping[str, Kind]) -> tuple[str, str, gast.expr] | None:
    """(name, sign, what is added to it or taken from it)."""
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
            and isinstance(node.op, tuple(_SIGNS)):
        name, operator, value = node.target.id, node.op, node.value
    else:
        bound = _bound(node)
        if bound is None or not isinstance(node.value, gast.BinOp) \
                or not isinstance(node.value.op, tuple(_SIGNS)) \
                or not isinstance(node.value.left, gast.Name) or node.value.left.id != bound:
            return None
        name, operator, value = bound, node.value.op, node.value.right
    return (name, _SIGNS[type(operator)], value) if name in names else None


def _is_negative(value: gast.expr) -> bool:
    return isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub)


def _bound(node: gast.stmt) -> str | None:
    """The name that a statement of ours binds."""
    if isinstance(node, gast.Assign) and not hasattr(node, "lineno") \
            and isinstance(node.targets[0], gast.Name):
        return node.targets[0].id
    return None


def _crossed(node: gast.stmt, found: Mapping[str, Kind]) -> str | None:
    """The name that a statement changes, if that is all that it does."""
    if syntax.all_of(node, gast.Call):
        return None
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
            and isinstance(found.get(node.target.id), Number):
        return node.target.id
    return _bound(node)


_SIGNS = {gast.Add: "+", gast.Sub: "-"}
