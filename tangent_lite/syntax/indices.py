"""What an index says: all of an array, a colon, an axis from the end on. Had from `syntax`."""
from __future__ import annotations

from typing import Any

import gast


def is_whole(index: gast.expr) -> bool:
    """Whether an index means all of an array: x[...]."""
    return isinstance(index, gast.Constant) and index.value is Ellipsis


def all_of_index(is_array: bool) -> gast.expr:
    """The index that means all of an array, x[...], or of a list, x[:]."""
    return gast.Constant(Ellipsis, None) if is_array else gast.Slice(None, None, None)


def means_number(index: gast.expr) -> bool:
    """Whether an index means all of an array, or of a number of NumPy: x[...], x[()]."""
    return is_whole(index) or (isinstance(index, gast.Tuple) and not index.elts)


def is_colon(index: gast.expr) -> bool:
    """Whether an index is `:`."""
    return isinstance(index, gast.Slice) and index.lower is index.upper is index.step is None


def is_reversal(part: gast.expr) -> bool:
    """Whether a part of an index takes all of an axis from the end on: `x[::-1]`."""
    step = getattr(part, "step", None)
    return isinstance(part, gast.Slice) and part.lower is None and part.upper is None \
        and isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub) \
        and isinstance(step.operand, gast.Constant) and step.operand.value == 1


def named_mask(index: gast.expr) -> str | None:
    """The mask that an index is, if it has a name: "m" for x[m], "~m" for x[~m]."""
    inverted = isinstance(index, gast.UnaryOp) and isinstance(index.op, gast.Invert)
    name = getattr(index.operand if inverted else index, "id", None)
    return f"~{name}" if inverted and name is not None else name


def reorders(index: gast.expr) -> bool:
    """Whether an index takes all that there is, each element once, some axes from the end on; it is
    its own inverse."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return any(map(is_reversal, parts)) and all(is_reversal(p) or is_colon(p) for p in parts)


def is_column(index: gast.expr) -> bool:
    """`:, None`"""
    parts: list[Any] = getattr(index, "elts", [])
    return len(parts) == 2 and is_colon(parts[0]) and isinstance(parts[1], gast.Constant) \
        and parts[1].value is None


def means_all(index: gast.expr) -> bool:
    """Whether an index means all of an array: x[:], x[...]."""
    return is_whole(index) or is_colon(index)


def shown_parts(node: gast.expr) -> list[gast.expr]:
    """The parts of a tuple that is written out, or the one thing in its place: of an index, of a
    target, of axes."""
    return node.elts if isinstance(node, gast.Tuple) else [node]


def constant_int(node: gast.expr) -> int | None:
    """The value of an int that is written out, such as -1."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = constant_int(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, gast.Constant) and type(node.value) is int else None
