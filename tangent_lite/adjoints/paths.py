"""Paths to the numbers and arrays in a variable: `params["dense"][0]` is
`("params", ("[", "dense"), ("[", 0))`, `self.gain` is `("self", (".", "gain"))`.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import Kind

Step = tuple[str, Any]              # ("[", key) or (".", attribute)
Path = tuple[Any, ...]              # (name, step, step, ...)

CONTAINERS = (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)


def items(kind: Any) -> list[tuple[Step, Kind]]:
    """The parts of a container, with the step to each."""
    if isinstance(kind, kinds.DictKind):
        return [(("[", key), item) for key, item in zip(kind.keys, kind.items)]
    if isinstance(kind, kinds.RecordKind):
        return [((".", name), item) for name, item in zip(kind.fields, kind.items)]
    return [(("[", number), item) for number, item in enumerate(kind.items)]


def zero_of(kind: Kind) -> gast.expr | None:
    """The zero of what is of a kind, if it is the same for all such: that of a tuple is a list, to
    which is added in place."""
    if isinstance(kind, kinds.Number):
        return syntax.constant(0.0)
    if isinstance(kind, kinds.TupleKind) and kind.type is tuple:
        parts = [syntax.constant(0.0) if isinstance(part, kinds.Text) else zero_of(part)
                 for part in kind.items]
        return None if None in parts else gast.List(parts, gast.Load())
    return None


def select(node: gast.expr, step: Step) -> gast.expr:
    """The part of a value at a step."""
    if step[0] == ".":
        return syntax.attribute(syntax.copy(node), step[1])
    return syntax.subscript(syntax.copy(node), syntax.constant(step[1]))


def spelled(path: Path) -> str:
    """A path as a user writes it.

    >>> spelled(("params", ("[", "dense"), (".", "gain")))
    "params['dense'].gain"
    """
    return path[0] + "".join(f".{s[1]}" if s[0] == "." else f"[{s[1]!r}]" for s in path[1:])


def order(path: Path) -> tuple[str, ...]:
    """A key to sort paths by."""
    return tuple(str(part) for part in path)
