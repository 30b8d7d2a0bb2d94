"""What holds of all items of a list of objects of several classes."""
from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tangent_lite.kinds.classes import Kind, Known, OneOf, Other, RecordKind

MOST_CLASSES = 16


def of_items(found: Iterable[Kind], join_all: Callable[[Any], Kind]) -> Kind:
    """The kind of the items of a list that holds what is of these kinds; where they are objects of
    several classes, that they are of one of these.

    join_all: what holds of all of some kinds.
    """
    items = list(found)
    by_class: dict[Any, list[Kind]] = {}
    for kind in map(_of_object, items):
        by_class.setdefault(getattr(kind, "type", None) if isinstance(
            kind, (RecordKind, Other)) else None, []).append(kind)
    if not 1 < len(by_class) <= MOST_CLASSES or None in by_class or any(
            issubclass(cls, (np.ndarray, np.generic, enum.Enum)) for cls in by_class):
        return join_all(items)
    options = tuple(map(join_all, by_class.values()))
    return OneOf(options) if all(type(one) in (RecordKind, Other) for one in options) \
        else join_all(items)


def _of_object(kind: Kind) -> Kind:
    """The kind of an object beside others: where it holds nothing, that it holds nothing."""
    cls = type(kind.object) if isinstance(kind, Known) else getattr(kind, "type", None)
    if isinstance(kind, (Known, Other)) and isinstance(cls, type) and cls.__dictoffset__ \
            and cls.__module__ not in ("builtins", "types", "functools") \
            and not (isinstance(kind, Known) and (vars(kind.object) or hasattr(
                kind.object, "emitted_for") or isinstance(kind.object, (type, type(np))))):
        return RecordKind(cls, (), ())
    return kind
