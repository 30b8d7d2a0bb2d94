"""Which statements of a group have to do with each other, and so may share a loop.

Statements that read and write no array in common, nor by way of other statements, need not be about
arrays of one shape. A loop for both would be left as soon as their shapes differ. A part of an
array has to do with that part, and not with the whole.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.classes import Classes
from tangent_lite.analyses.liveness import definitions
from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_words import Means
from tangent_lite.emit import emit_expression


def families(statements: list[gast.stmt], numbers: set[str], means: Means) -> dict[int, Any]:
    """For each statement, by its id, what it has in common with its family.

    numbers: the names that are known to mean numbers in front of the statements.
    """
    numbers = set(numbers)
    together = Classes()
    first: dict[int, str] = {}
    for node in statements:
        target = syntax.target_of(node)
        is_part = isinstance(target, gast.Subscript)        # which is among what is read
        bound = set() if is_part else set(definitions(node))
        read = _arrays(node, means) - numbers
        if isinstance(node, gast.Assign) and isinstance(target, gast.Name):
            if _arrays(node.value, means, True) <= numbers:
                numbers |= bound
            else:
                numbers -= bound
        names = sorted(read | (bound - numbers))
        for name in names[1:]:
            together.union(names[0], name)
        if names:
            first[id(node)] = names[0]
    return {key: together.find(name) for key, name in first.items()}


def _arrays(node: Any, means: Means, is_value: bool = False) -> set[str]:
    """Names of which a statement or an expression reads elements or the shape of all of them;
    is_value: leave out what is summed up to a number."""
    found: set[str] = set()
    todo: list[Any] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, gast.Name):
            found.add(part.id)
        elif isinstance(part, gast.Subscript) and _is_bounded(part):
            found.add(emit_expression(part))
            todo.append(part.slice)
        elif isinstance(part, gast.Attribute) and part.attr in ("size", "shape", "ndim"):
            continue
        elif isinstance(part, gast.Call):
            if is_value and means(part.func) is numba_words.SUM and len(part.args) == 1 \
                    and not part.keywords:
                continue
            elementwise = part.args[:1] if means(part.func) is numba_words.APART else part.args
            todo += [*elementwise, *(keyword.value for keyword in part.keywords)]
        else:
            todo += gast.iter_child_nodes(part)
    return found


def _is_bounded(node: gast.Subscript) -> bool:
    """Whether this is a part of an array that hardly ever is the whole: `x[:, :n]`."""
    return isinstance(node.value, gast.Name) and any(
        isinstance(part, gast.Slice) and (part.lower is not None or part.upper is not None)
        for part in syntax.shown_parts(node.slice))
