"""What an index says of what it takes of an array: one number, or an array.

>>> is_basic(syntax.parse_expression("x[1:, k]").slice)
True
"""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.kinds import Array, Number


def is_basic(index: gast.expr) -> bool:
    """Whether an index is made of slices and numbers only, as far as the text shows."""
    parts = syntax.shown_parts(index)
    return all(isinstance(p, (gast.Slice, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Name))
               for p in parts)


def is_element(index: gast.expr, owner: Array, node: gast.stmt, facts: Inferred) -> bool:
    """Whether owner[index] is a number: as many integers as there are dimensions, in the index or
    in a tuple that has a name."""
    known = facts.before[id(node)]
    kind = known.get(index.id) if isinstance(index, gast.Name) else None
    if isinstance(kind, kinds.TupleKind):
        return len(kind.items) == owner.ndim and all(
            isinstance(part, Number) and part.type == "int" for part in kind.items)
    parts = syntax.shown_parts(index)
    if owner.ndim is None or len(parts) != owner.ndim:
        return False

    def is_int(part: gast.expr) -> bool:
        if isinstance(part, gast.Constant):
            return isinstance(part.value, int)
        if isinstance(part, gast.Name):
            kind = known.get(part.id)
            return isinstance(kind, Number) and kind.type == "int"
        if isinstance(part, gast.BinOp):
            return not isinstance(part.op, gast.Div) and is_int(part.left) and is_int(part.right)
        if isinstance(part, gast.UnaryOp):
            return is_int(part.operand)
        return False

    return all(map(is_int, parts))


def arrays_in(index: gast.expr, node: gast.stmt, facts: Inferred) -> str:
    """The arrays of places in an index: what they take of an array has other dimensions than what
    as many integers take.

    >>> known = {"rows": kinds.Array(1, "int"), "far": kinds.Array(2, "bool"), "k": kinds.INT}
    >>> node = gast.parse("a[k, rows] = a[far] = a[[0, k]]").body[0]
    >>> class facts:
    ...     before = {id(node): known}
    >>> [arrays_in(one.slice, node, facts) for one in (*node.targets, node.value)]
    [' array1', ' mask2', ' array1']
    """
    found = ""
    for part in syntax.shown_parts(index):
        kind = facts.before[id(node)].get(part.id) if isinstance(part, gast.Name) else None
        if isinstance(kind, Array):
            found += f" {'mask' if kind.dtype == 'bool' else 'array'}{kind.ndim}"
        elif isinstance(part, gast.List) or isinstance(kind, kinds.ListKind):
            found += " array1"
    return found
