"""What a statement binds or writes to, and by which names. Had from `syntax`."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite.nodes import copy


def target_of(node: gast.AST) -> Any:
    """What a statement binds or writes to: x of `x = v`, x[i] of `x[i] += v`, k of `for k in xs`;
    None for a statement that does neither. Of `x = y = v` the first, of which desugar leaves one.

    >>> import gast
    >>> for node in gast.parse("x[i] += v\\nfor k in xs: f(k)\\nreturn x").body:
    ...     print(type(target_of(node)).__name__)
    Subscript
    Name
    NoneType
    """
    return node.targets[0] if node.__class__ is gast.Assign else node.__dict__.get("target")


def as_read(target: gast.expr) -> Any:
    """What is written to, as it is read: a copy."""
    made = copy(target)
    made.ctx = gast.Load()
    return made


def bound_names(target: gast.AST) -> list[str]:
    """Names that an assignment target binds (not the arrays it writes into)."""
    if isinstance(target, gast.Name):
        return [target.id]
    if isinstance(target, (gast.Tuple, gast.List)):
        return [name for part in target.elts for name in bound_names(part)]
    if isinstance(target, gast.Starred):
        return bound_names(target.value)
    return []


def root_name(node: gast.AST | None) -> str | None:
    """The name at the root of `x[i].y[j]`; None if there is none."""
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None
