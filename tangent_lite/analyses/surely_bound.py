"""Which names are surely bound behind statements, whichever way these run.

>>> block = gast.parse('''
... for i in range(3):
...     y = x
... while x > 0.0:
...     z = x
... if x > 1.0:
...     a = b = x
... elif x > 0.0:
...     a = x
... else:
...     raise ValueError
... ''').body
>>> sorted(bound_by(block, {"x"}))
['a', 'i', 'x', 'y']
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions
from tangent_lite.syntax import COMPOUND, bound_names


def bound_by(block: list[gast.stmt], known: set[str],
             breaks: list[set[str]] | None = None) -> set[str] | None:
    """The names that surely are bound where the end of a block is reached, None: it never is;
    known: those in front of it; breaks: takes those that are where the loop around it is left."""
    found = set(known)
    for node in block:
        if isinstance(node, gast.Break):
            if breaks is not None:
                breaks.append(found)
            return None
        if isinstance(node, (gast.Raise, gast.Return, gast.Continue)):
            return None
        if isinstance(node, COMPOUND):
            behind = bound_behind(node, found, breaks)
            if behind is None:
                return None
            found = behind
        else:
            found.update(definitions(node))
    return found


def bound_behind(node: gast.stmt, known: set[str],
                 breaks: list[set[str]] | None = None) -> set[str] | None:
    """The names that are bound behind a loop or a branch, None: nothing comes behind it."""
    if isinstance(node, gast.If):
        ways = [bound_by(block, known, breaks) for block in (node.body, node.orelse)]
        reached = [way for way in ways if way is not None]
        return set.intersection(*reached) if reached else None
    ends: list[set[str]] = []
    inner = known.union(bound_names(node.target)) if isinstance(node, gast.For) else known
    behind = bound_by(node.body, inner, ends)
    if not _is_endless(node):
        if not _surely_runs(node):
            ends.append(set(known))
        elif behind is None or syntax.all_of(node, gast.Continue):
            ends.append(inner)          # a round may have been cut short
        else:
            ends.append(behind)
    return set.intersection(*ends) if ends else None


def bound_each_time(node: gast.For | gast.While) -> set[str]:
    """The names that are bound behind a loop by its last iteration, however it was left.

    >>> left = gast.parse('''
    ... for i in range(3):
    ...     y = x
    ...     if y > 0.0:
    ...         break
    ...     z = y
    ... ''').body[0]
    >>> sorted(bound_each_time(left))
    ['i', 'y']
    """
    ends: list[set[str]] = []
    behind = bound_by(node.body, set(bound_names(node.target)) if isinstance(node, gast.For)
                      else set(), ends)
    return set.intersection(*ends, *([] if behind is None else [behind])) \
        if ends or behind is not None else set()


def _is_endless(node: gast.stmt) -> bool:
    return isinstance(node, gast.While) and isinstance(node.test, gast.Constant) \
        and bool(node.test.value)


def _surely_runs(node: gast.stmt) -> bool:
    """Whether a loop surely runs once: it goes through `range(3)`, or `(a, b)`."""
    if not isinstance(node, gast.For):
        return False
    if isinstance(node.iter, (gast.Tuple, gast.List)):
        return any(not isinstance(one, gast.Starred) for one in node.iter.elts)
    bounds = bounds_of_range(node)
    return bounds is not None and all(isinstance(b, gast.Constant) for b in bounds) \
        and len(range(*(b.value for b in bounds))) > 0


def bounds_of_range(node: gast.stmt) -> list[gast.expr] | None:
    """The bounds of the range that a loop goes through, one or two."""
    if isinstance(node, gast.For) and isinstance(node.iter, gast.Call) \
            and isinstance(node.iter.func, gast.Name) and node.iter.func.id == "range" \
            and len(node.iter.args) <= 2 and not node.iter.keywords:
        return list(node.iter.args)
    return None
