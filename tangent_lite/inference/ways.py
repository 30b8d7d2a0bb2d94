"""What holds where ways meet: behind a branch, and at the head of a loop."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from tangent_lite import kinds
from tangent_lite.analyses.inferred import Environment
from tangent_lite.kinds import Array, Kind

# How two kinds of one value become one.
Join = Callable[[Kind, Kind], Kind]
_SHAPED = (Array, kinds.DuckArray)


def joined(one: Environment | None, other: Environment | None, join: Join) -> Environment:
    if one is None or other is None:
        return one if other is None else other                              # type: ignore[return-value]
    out = dict(one)
    for name, kind in other.items():
        known = out.get(name)
        if known is not kind:           # few names mean other things on the two ways
            out[name] = kind if known is None else kinds.behind_ways(known, kind, join(known, kind))
    return out


def at_head(head: Environment, end: Environment, first: set[str], own: set[Any],
            join: Join) -> Environment:
    """What holds at a loop's head: of the way in and of the way back. first: what the body may read
    before it binds it; own: see `shape_at_head`."""
    out = dict(head)
    if not first <= head.keys():
        out.update((name, end[name]) for name in end if name in first and name not in head)
    for name, kind in end.items():
        known = out.get(name)
        if known is None or (known is kind and not isinstance(kind, _SHAPED)):
            continue
        made = join(known, kind)
        if isinstance(made, _SHAPED) and made.shape is None:
            made = dataclasses.replace(made, shape=kinds.shape_at_head(
                getattr(known, "shape", None), getattr(kind, "shape", None), own))
        elif isinstance(made, kinds.Number) and made.size is None:
            size = getattr(known, "size", None)     # in one iteration it is one number, too
            made = dataclasses.replace(made, size=size) if size in own else kinds.numbered(made)
            own.update(filter(None, [kinds.size_of(made)]))
        out[name] = made
    return out


def behind_head(head: Environment, own: set[Any]) -> Environment:
    """What holds behind a loop that ends at its head."""
    out = dict(head)
    for name, kind in head.items() if own else ():
        if isinstance(kind, _SHAPED):
            shape = kinds.shape_behind(kind.shape, own)
            out[name] = kind if shape is kind.shape else dataclasses.replace(kind, shape=shape)
        elif isinstance(kind, kinds.Number) and kind.size in own:
            out[name] = kinds.numbered(dataclasses.replace(kind, size=None))
    return out


def are_same(a: Environment, b: Environment) -> bool:
    return a.keys() == b.keys() and all(
        kinds.is_identical(kind, b[name]) for name, kind in a.items() if kind is not b[name])
