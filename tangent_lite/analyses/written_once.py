"""Whether a statement in loops writes to each element of an array but once.

    for i in range(1, n):
        for j in range(m):
            new[i - 1, j] = ...         each iteration of both loops has an element of its own
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast


def is_written_once(index: gast.expr, loops: Iterable[Any], facts: Any,
                    bound_by: Callable[[gast.stmt], Iterable[str]]) -> bool:
    """Whether each iteration of the loops has another index.

    loops: those around the statement, without those in which an array is made anew; bound_by: the
    names that a statement binds. An index below zero counts from the end, and is none of these.
    """
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(_counts(loop, facts, bound_by) and any(
        _is_beyond(part, loop.target.id, _lowest(loop.iter.args)) for part in parts)
        for loop in loops)


def _counts(loop: Any, facts: Any, bound_by: Callable[[gast.stmt], Iterable[str]]) -> bool:
    """Whether a loop runs over a range, and its variable is bound by nothing else in it."""
    return isinstance(loop, gast.For) and isinstance(loop.target, gast.Name) \
        and isinstance(loop.iter, gast.Call) and not loop.iter.keywords \
        and facts.callees.get(id(loop.iter), (None, None))[0] is range \
        and not any(loop.target.id in bound_by(node) for node in loop.body)


def _is_beyond(part: gast.expr, name: str, lowest: int | None) -> bool:
    """Whether a part of an index is this name, or so many more or less, and never negative."""
    shift = 0
    if isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Add, gast.Sub)):
        number = _literal(part.right)
        if number is None:
            return False
        shift = number if isinstance(part.op, gast.Add) else -number
        part = part.left
    return isinstance(part, gast.Name) and part.id == name \
        and lowest is not None and lowest + shift >= 0


def _lowest(args: list[gast.expr]) -> int | None:
    """What no number of a range is below; None where that is not known.

    >>> def lowest(text):
    ...     return _lowest(gast.parse(text).body[0].value.args)
    >>> [lowest(text) for text in ("range(n)", "range(2, n)", "range(n, 0, -2)", "range(a, n)")]
    [0, 2, 1, None]
    """
    step = _literal(args[2]) if len(args) == 3 else 1
    if step is None:
        return None
    if step > 0:
        return 0 if len(args) == 1 else _literal(args[0])
    end = _literal(args[1])
    return None if end is None else end + 1


def _literal(node: gast.expr) -> int | None:
    """The whole number that is written there."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        value = _literal(node.operand)
        return None if value is None else -value
    if isinstance(node, gast.Constant) and type(node.value) is int:
        return node.value
    return None
