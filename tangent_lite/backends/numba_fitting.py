"""What a variant assumes of shapes, as compiled code asks it of its arguments.

    x.shape[1] == p['b'].shape[0]                               a0.shape[1] == a1_2.shape[0]
    all(item[0].shape[1] == n for item in layers)       =>      a2_0.shape[1] == a3 and ...

Arguments that hold others are passed one by one (`numba_packers`), so that each number and array
has a name of its own.
"""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tangent_lite.backends.numba_packers import Holder, Leaf, Part, count_of


class Named(NamedTuple):
    """A part of an argument, and the names of the numbers and arrays in it."""
    part: Part
    leaves: list[str]


class _Unsaid(Exception):
    """What compiled code cannot be asked."""


def asked_of(assumed: Sequence[str], arguments: Mapping[str, Named]) -> str | None:
    """A test for compiled code: whether all holds that is assumed; None if that cannot be said.

    assumed: what is, in Python (`Assumptions.noted`); arguments: by the names that they have there.
    """
    try:
        return " and ".join(_said(ast.parse(text, mode="eval").body, arguments) for text in assumed)
    except _Unsaid:
        return None


def _said(node: Any, names: Mapping[str, Named]) -> str:
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Compare):
        parts = [_said(one, names) for one in (node.left, *node.comparators)]
        signs = [_SIGNS[type(one)] for one in node.ops]
        return " ".join([parts[0], *(f"{sign} {one}" for sign, one in zip(signs, parts[1:]))])
    if isinstance(node, ast.BinOp):
        return f"({_said(node.left, names)} {_SIGNS[type(node.op)]} {_said(node.right, names)})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return f"(-{_said(node.operand, names)})"
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "max":
        return f"max({', '.join(_said(one, names) for one in node.args)})"
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "all":
        return _said_of_all(node.args[0], names)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) \
            and node.value.attr == "shape":
        return f"{_leaf(node.value.value, names)}.shape[{ast.unparse(node.slice)}]"
    return _leaf(node, names)


_SIGNS: dict[type, str] = {ast.Eq: "==", ast.LtE: "<=", ast.GtE: ">=", ast.Add: "+", ast.Sub: "-",
                           ast.Mult: "*", ast.FloorDiv: "//"}


def _said_of_all(each: Any, names: Mapping[str, Named]) -> str:
    """`all(test for item in xs)`, item by item."""
    (head,) = each.generators
    found = _found(head.iter, names)
    if not isinstance(found.part, Holder):
        raise _Unsaid
    items = [_part(found, k) for k in range(len(found.part.parts))]
    return " and ".join(_said(each.elt, {**names, head.target.id: item}) for item in items)


def _leaf(node: Any, names: Mapping[str, Named]) -> str:
    found = _found(node, names)
    if not isinstance(found.part, Leaf):
        raise _Unsaid
    return found.leaves[0]


def _found(node: Any, names: Mapping[str, Named]) -> Named:
    """What an expression finds in the arguments."""
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if not isinstance(node, (ast.Subscript, ast.Attribute)):
        raise _Unsaid
    whole = _found(node.value, names)
    if not isinstance(whole.part, Holder):
        raise _Unsaid
    keys: Any = whole.part.keys or getattr(whole.part.kind, "_fields", ())
    if isinstance(node, ast.Attribute):
        return _part(whole, keys.index(node.attr))
    if not isinstance(node.slice, ast.Constant):
        raise _Unsaid
    key: Any = node.slice.value
    return _part(whole, keys.index(key) if whole.part.kind is dict else key)


def _part(whole: Named, number: int) -> Named:
    assert isinstance(whole.part, Holder)
    start = sum(map(count_of, whole.part.parts[:number]))
    part = whole.part.parts[number]
    return Named(part, whole.leaves[start:start + count_of(part)])
