"""What chooses the code for the arguments of a call: a key that is equal for values of one kind.

This runs at each call, so it asks only what tells kinds apart, and nothing heavy is imported.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.records import is_deep

# Types that say all about a value that the code for it depends on.
PLAIN = frozenset({float, int, bool, complex, str, bytes, type(None), np.float64, np.float32,
                   np.int64, np.int32, np.bool_, np.complex128})


def key_of(value: Any, around: tuple[type, ...] = ()) -> Any:
    """The key of one value: equal for values of one kind, whatever their shapes and values; around:
    the classes of what holds it.

    >>> key_of(np.ones(3)) == key_of(np.zeros(5)), key_of(2.0) == key_of(2)
    (True, False)
    """
    kind = type(value)
    if kind is np.ndarray:
        return (value.ndim, value.dtype.char)
    if kind in PLAIN:
        return kind
    if isinstance(value, np.generic):
        return kind
    if isinstance(value, np.ndarray):
        return (kind, value.ndim, value.dtype.char)
    if is_deep(value, around):
        _refuse_cycles(value)
        return ...
    around = (*around, kind)
    if isinstance(value, tuple):
        return (kind, *[key_of(v, around) for v in value])
    if isinstance(value, list):
        # Of a list only what sorts of items it holds counts, not how many.
        return (kind, *dict.fromkeys([key_of(v, around) for v in value]))
    if isinstance(value, dict):
        return (kind, *[(k, key_of(v, around)) for k, v in value.items()])
    return _key_of_object(value, around)


def _refuse_cycles(value: Any) -> None:
    """Refuse an object that holds itself: its gradient has no end."""
    from tangent_lite.errors import InputError
    from tangent_lite.kinds import fields_in
    inside: set[int] = set()                # by id: what is being looked into, and what was
    done: set[int] = set()
    todo: list[tuple[Any, bool]] = [(value, False)]
    while todo:
        one, is_left = todo.pop()
        if is_left:
            inside.discard(id(one))
            done.add(id(one))
            continue
        if type(one) in PLAIN or isinstance(one, np.ndarray) or id(one) in done:
            continue
        if id(one) in inside:
            raise InputError(f"an argument of type {type(value).__name__} holds itself", None,
                             "pass an object without the reference back")
        inside.add(id(one))
        todo.append((one, True))
        if isinstance(one, (tuple, list)):
            todo += [(part, False) for part in one]
        elif isinstance(one, dict):
            todo += [(part, False) for part in one.values()]
        else:
            todo += [(getattr(one, name), False) for name in fields_in(one) or ()]


def _key_of_object(value: Any, around: tuple[type, ...]) -> Any:
    from tangent_lite import kinds
    names = kinds.fields_in(value)
    if names is None:
        return kinds.kind_of(value)
    return (type(value), *[(name, key_of(getattr(value, name), around)) for name in names])


# What the way into a variant (`entry`) says of arguments of other kinds.
ELSEWHERE: Any = object()


def elsewhere(*args: Any) -> Any:
    """The way into no variant."""
    return ELSEWHERE
