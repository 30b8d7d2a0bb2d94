"""Indices that are written out: `v[0]`, `m[1:, None]`, `v[-1]`."""
from __future__ import annotations

from typing import Any

import gast


def literal_index(node: gast.expr) -> Any:
    """The index that is written out, of whole numbers, slices of such, None and `...`; else
    None."""
    try:
        if isinstance(node, gast.Tuple):
            return tuple(map(_part, node.elts))
        return _part(node)
    except _NotWrittenOut:
        return None


class _NotWrittenOut(Exception):
    pass


def _part(node: gast.expr | None) -> Any:
    if isinstance(node, gast.Slice):
        return slice(*(None if one is None else _int(one)
                       for one in (node.lower, node.upper, node.step)))
    if isinstance(node, gast.Constant) and (node.value is None or node.value is Ellipsis):
        return node.value
    return _int(node)


def _int(node: Any) -> int:
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return -_int(node.operand)
    if isinstance(node, gast.Constant) and type(node.value) is int:
        return node.value
    raise _NotWrittenOut
