"""What chooses the code for the arguments of a call: a key that is equal for values of one kind.

This runs at each call, so it asks only what tells kinds apart, and nothing heavy is imported.
"""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tangent_lite.tangles import Walk, walked

# Types that say all about a value that the code for it depends on.
PLAIN = frozenset({float, int, bool, complex, str, bytes, type(None), np.float64, np.float32,
                   np.int64, np.int32, np.bool_, np.complex128})


def key_of(value: Any) -> Any:
    """The key of one value: equal for values of one kind, whatever their shapes and values.

    >>> key_of(np.ones(3)) == key_of(np.zeros(5)), key_of(2.0) == key_of(2)
    (True, False)
    """
    kind = type(value)
    if kind is np.ndarray:
        return (value.ndim, value.dtype.char)
    if kind in PLAIN:
        return kind
    return walked(value, _key_of_parts, _parts_of)


def key_of_argument(value: Any) -> Any:
    """The key of what a derivative is called with, which must not hold itself."""
    if type(value) in PLAIN:
        return type(value)
    passed_by: list[Any] = []
    key = walked(value, functools.partial(_key_of_parts, passed_by=passed_by), _parts_of)
    for part in passed_by:
        _refuse_cycles(part)
    return key


def _key_of_parts(value: Any, walk: Walk, around: tuple[type, ...] = (),
                  passed_by: list[Any] | None = None) -> Any:
    """The key of what may have parts; around: the classes of what holds it; passed_by: takes what
    is not looked into."""
    kind = type(value)
    if kind is np.ndarray:
        return (value.ndim, value.dtype.char)
    if kind in PLAIN or isinstance(value, np.generic):
        return kind
    if isinstance(value, np.ndarray):
        return (kind, value.ndim, value.dtype.char)
    if walk.passes_by(value, around):
        if passed_by is not None:
            passed_by.append(value)
        return ...
    around = (*around, kind)

    def inner(part: Any) -> Any:
        return _key_of_parts(part, walk, around, passed_by)

    if isinstance(value, tuple):
        return (kind, *map(inner, value))
    if isinstance(value, list):
        # Of a list only what sorts of items it holds counts, not how many.
        return (kind, *dict.fromkeys(map(inner, value)))
    if isinstance(value, dict):
        return (kind, *[(k, inner(v)) for k, v in value.items()])
    from tangent_lite import kinds
    names = kinds.fields_in(value)
    if names is None:
        return kinds.kind_of(value)
    return (kind, *[(name, inner(getattr(value, name))) for name in names])


def _parts_of(value: Any) -> Any:
    from tangent_lite.kinds import parts_of
    return parts_of(value)


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


# What the way into a variant (`entry`) says of arguments of other kinds.
ELSEWHERE: Any = object()


def elsewhere(*args: Any) -> Any:
    """The way into no variant."""
    return ELSEWHERE
