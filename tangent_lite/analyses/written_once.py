"""Whether a statement in loops writes to each element of an array but once.

    for i in range(1, n):
        for j in range(m):
            new[i - 1, j] = ...         each iteration of both loops has an element of its own
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses import spans
from tangent_lite.analyses.inferred import Inferred


def is_written_once(index: gast.expr, loops: Iterable[Any], facts: Inferred,
                    bound_by: Callable[[gast.stmt], Iterable[str]]) -> bool:
    """Whether each iteration of the loops has another index.

    loops: those around the statement, without those in which an array is made anew; bound_by: the
    names that a statement binds. An index below zero counts from the end, and is none of these.
    """
    parts = syntax.shown_parts(index)
    least: dict[str, int] = {}
    for loop in loops:
        lowest = spans.least_in_range(loop.iter, least) if _counts(loop, facts, bound_by) else None
        if lowest is None:
            return False
        least[loop.target.id] = lowest
    return all(any(spans.own_axis(part, counter, least) is not None for part in parts)
               for counter in least)


def _counts(loop: Any, facts: Inferred, bound_by: Callable[[gast.stmt], Iterable[str]]) -> bool:
    """Whether a loop runs over a range, and its variable is bound by nothing else in it."""
    return isinstance(loop, gast.For) and isinstance(loop.target, gast.Name) \
        and facts.callees.get(id(loop.iter), (None, None))[0] is range \
        and not any(loop.target.id in bound_by(node) for node in loop.body)
