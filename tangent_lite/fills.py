"""Zeros that are filled part by part, no element twice: `=` in place of `+=`.

    bz = np.zeros_like(z)                       bz = np.zeros_like(z)
    bz[n:] += bg * (1.0 - g * g)        =>      bz[n:] = bg * (1.0 - g * g)
    bz[:n] += bi                                bz[:n] = bi

That is what one writes by hand, and an element is not read to add nothing to it. As with loops over
tapes (reversals.py) it is done in the text that is shown, saved and run; in code that is read again
an increment is linear, and nothing has to be put back.

Parts are apart if on one axis one ends where the other begins, or before: by numbers (`b[7:9]` and
`b[6]`), or by multiples of one length (`b[:n]` and `b[n:2 * n]`, where n is the length of an axis,
which is not negative). Where that cannot be told `+=` stays.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.syntax import COMPOUND

# Where a part lies on an axis: from a to b, each a multiple of a length or of 1; None: to the end.
Span = tuple[tuple[int, str], tuple[int, str] | None]


def fill_zeros(derivative: Any) -> None:
    """Write first contributions to parts of zeros as assignments; the trees are changed in place.
    """
    for unit in derivative.units:
        lengths: set[str] | None = None     # found where they are needed: most functions need none
        for block in _blocks(unit.tree.body):
            for number, node in enumerate(block):
                name = _zeros(node, unit)
                if name is not None:
                    lengths = _lengths(unit.tree) if lengths is None else lengths
                    _fill(block[number + 1:], name, block, lengths)


def _blocks(body: list[gast.stmt]) -> list[list[gast.stmt]]:
    return [body, *(b for n in syntax.statements(body) for b in syntax.blocks_of(n))]


def _lengths(tree: gast.FunctionDef) -> set[str]:
    """Names that are bound once, to the length of an axis: they are never negative."""
    bound: dict[str, list[Any]] = {n: [None] for n in syntax.parameter_names(tree.args)}
    for node in syntax.walk(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            bound.setdefault(node.id, []).append(None)
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            bound[node.targets[0].id].append(node.value)
    return {name for name, values in bound.items()
            if len(values) == 2 and isinstance(values[1], gast.Subscript)
            and isinstance(values[1].value, gast.Attribute) and values[1].value.attr == "shape"}


def _zeros(node: gast.stmt, unit: Any) -> str | None:
    """The name that a statement of ours binds to new zeros."""
    value: Any = getattr(node, "value", None)
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
            or getattr(node, "lineno", None) or not isinstance(value, gast.Call) \
            or len(value.args) != 1 or value.keywords:
        return None
    function = value.func
    if isinstance(function, gast.Attribute) and function.attr == "zeros_like" \
            and isinstance(function.value, gast.Name):
        owner = unit.external.get(function.value.id, unit.source.globals.get(function.value.id))
        if owner is np:
            name: str = node.targets[0].id
            return name
    return None


def _fill(rest: list[gast.stmt], name: str, block: list[gast.stmt], lengths: set[str]) -> None:
    """Contributions to parts of an array of zeros, up to where it is read."""
    taken: list[list[Span | None]] = []
    for node in rest:
        if isinstance(node, COMPOUND):
            if name in syntax.all_names(node):
                return
            continue
        target = getattr(node, "target", None)
        if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add) \
                and isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                and target.value.id == name and not getattr(node, "lineno", None) \
                and name not in syntax.all_names(node.value) | syntax.all_names(target.slice):
            spans = _spans(target.slice, lengths)
            if spans is None:
                return
            if all(_apart(spans, others) for others in taken):
                made = gast.Assign([target], node.value, None)
                syntax.serve([made], node)
                block[block.index(node)] = made
            taken.append(spans)
        elif name in syntax.all_names(node):
            return


def _spans(index: gast.expr, lengths: set[str]) -> list[Span | None] | None:
    """Where an index lies on each axis that it names; None for one that cannot be told, and in all
    if it is no plain index."""
    spans: list[Span | None] = []
    for part in index.elts if isinstance(index, gast.Tuple) else [index]:
        if isinstance(part, gast.Slice):
            if part.step is not None:
                spans.append(None)
                continue
            start = (0, "") if part.lower is None else _bound(part.lower, lengths)
            stop = None if part.upper is None else _bound(part.upper, lengths)
            known = start is not None and (part.upper is None or stop is not None)
            spans.append((start, stop) if known else None)      # type: ignore[arg-type]
        elif isinstance(part, gast.Constant) and type(part.value) is int:
            spans.append(((part.value, ""), (part.value + 1, "")) if part.value >= 0 else None)
        else:
            return None                 # a new axis, an array: axes are not where they seem
    return spans


def _bound(node: gast.expr, lengths: set[str]) -> tuple[int, str] | None:
    """2 as (2, ""), n as (1, "n"), 2 * n as (2, "n")."""
    if isinstance(node, gast.Constant) and type(node.value) is int and node.value >= 0:
        return node.value, ""
    if isinstance(node, gast.Name) and node.id in lengths:
        return 1, node.id
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
        for factor, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(factor, gast.Constant) and type(factor.value) is int \
                    and factor.value >= 0 and isinstance(other, gast.Name) \
                    and other.id in lengths:
                return factor.value, other.id
    return None


def _apart(some: list[Span | None], others: list[Span | None]) -> bool:
    """Whether two parts have no element in common."""
    return any(one is not None and other is not None and (
        _ends_before(one, other) or _ends_before(other, one))
        for one, other in zip(some, others))


def _ends_before(one: Span, other: Span) -> bool:
    end, start = one[1], other[0]
    if end is None:
        return False
    return end[0] <= start[0] and (end[1] == start[1] or end[0] == 0)
