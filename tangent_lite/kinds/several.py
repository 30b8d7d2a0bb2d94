"""What holds of all items of a list of objects of several classes, or of tuples and other objects
that hold such: `[("first", Dense(w)), ("act", Relu())]`."""
from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tangent_lite.kinds.classes import (
    UNKNOWN,
    Kind,
    Known,
    OneOf,
    Other,
    RecordKind,
    TupleKind,
)

MOST_CLASSES = 16
_WRITTEN_IN_PYTHON = 1 << 9         # a flag of classes: made by a class statement, or like one


def of_items(found: Iterable[Kind], join_all: Callable[[Any], Kind]) -> Kind:
    """The kind of the items of a list that holds what is of these kinds; where there are objects of
    several classes at one place of them, that they are of one of these.

    join_all: what holds of all of some kinds.
    """
    items = list(found)
    path = _told_apart(items) if items else None
    if path is None:
        return join_all(items)
    by_class: dict[type, list[Kind]] = {}
    for kind in items:
        at = _of_object(part_at(kind, path))
        by_class.setdefault(at.type, []).append(_with_part(kind, path, at))
    return one_of(map(join_all, by_class.values()), path) or join_all(items)


def one_of(options: Iterable[Kind], path: tuple[Any, ...]) -> OneOf | None:
    """The kind of what is one of several, if each is of a class of its own at the path."""
    found = tuple(options)
    told = [part_at(one, path) for one in found]
    return OneOf(found, path) if all(type(one) in (RecordKind, Other) for one in told) \
        and len({one.type for one in told}) == len(told) else None


def classes_of(kind: OneOf) -> list[type]:
    """The class by which each of several is told."""
    return [part_at(one, kind.path).type for one in kind.options]


def of_one_class(kind: OneOf, cls: type) -> Kind:
    """What one of several is, where it is of this class."""
    return next((one for one in kind.options if part_at(one, kind.path).type is cls), UNKNOWN)


def part_at(kind: Any, path: tuple[Any, ...]) -> Any:
    """The kind of a part of a tuple or an object, by numbers and names; None where there is none.
    """
    for step in path:
        steps = _steps(kind)
        if step not in steps:
            return None
        kind = kind.items[steps.index(step)]
    return kind


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    """The part itself."""
    for step in path:
        value = getattr(value, step) if isinstance(step, str) else value[step]
    return value


def _with_part(kind: Any, path: tuple[Any, ...], part: Kind) -> Kind:
    if not path:
        return part
    step, *rest = path
    return dataclasses.replace(kind, items=tuple(
        _with_part(item, tuple(rest), part) if one == step else item
        for one, item in zip(_steps(kind), kind.items)))


def _steps(kind: Any) -> tuple[Any, ...]:
    """The numbers or names of the parts of a tuple or an object."""
    if isinstance(kind, TupleKind):
        return tuple(range(len(kind.items))) if kind.type is tuple else ()
    return kind.fields if isinstance(kind, RecordKind) else ()


def _told_apart(items: list[Any]) -> tuple[Any, ...] | None:
    """The one place in items that are alike beside at which there are objects of several classes:
    none is the items themselves. None if there is no such place, or more than one."""
    if type(items[0]) not in (RecordKind, Other, Known, TupleKind):     # as most often
        return None
    objects = [_of_object(one) for one in items]
    classes = {one.type for one in objects if type(one) in (RecordKind, Other)}
    if len(classes) > 1:
        return () if len(classes) <= MOST_CLASSES and not any(
            issubclass(cls, (np.ndarray, np.generic, enum.Enum)) for cls in classes) and all(
                type(one) in (RecordKind, Other) for one in objects) else None
    steps = _steps(items[0])
    if not all(type(one) is type(items[0]) and one.type is items[0].type and _steps(one) == steps
               for one in items if steps):
        return None
    found = [(step, *path) for number, step in enumerate(steps)
             if (path := _told_apart([one.items[number] for one in items])) is not None]
    return found[0] if len(found) == 1 else None


def _of_object(kind: Any) -> Any:
    """The kind of an object beside others: where it holds nothing, that it holds nothing."""
    if isinstance(kind, Known):
        cls: Any = type(kind.object)        # one that can be called, and holds nothing
        is_plain = hasattr(cls.__call__, "__code__") and not isinstance(kind.object, type) \
            and not getattr(kind.object, "__dict__", True) and not hasattr(cls, "emitted_for")
    else:
        cls = kind.type if type(kind) is Other else None
        is_plain = cls is not None and cls.__dictoffset__ != 0
    return RecordKind(cls, (), ()) if is_plain and cls.__flags__ & _WRITTEN_IN_PYTHON else kind
