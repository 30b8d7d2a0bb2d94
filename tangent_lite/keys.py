"""What chooses the code for the arguments of a call: a key that is equal for values of one kind.

This runs at each call, so it asks only what tells kinds apart, and nothing heavy is imported.
"""
from __future__ import annotations

from typing import Any

import numpy as np

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
    if isinstance(value, tuple):
        return (kind, *[key_of(v) for v in value])
    if isinstance(value, list):
        # Of a list only what sorts of items it holds counts, not how many.
        return (kind, *dict.fromkeys([key_of(v) for v in value]))
    if isinstance(value, dict):
        return (kind, *[(k, key_of(v)) for k, v in value.items()])
    if isinstance(value, np.generic):
        return kind
    if isinstance(value, np.ndarray):
        return (kind, value.ndim, value.dtype.char)
    return _key_of_object(value)


def _key_of_object(value: Any) -> Any:
    from tangent_lite import kinds
    from tangent_lite.errors import InputError
    try:
        found = kinds.kind_of(value)
    except RecursionError:
        raise InputError(f"an argument of type {type(value).__name__} holds itself", None,
                         "pass an object without the reference back") from None
    if isinstance(found, kinds.RecordKind):
        return (found.type, *[(name, key_of(getattr(value, name))) for name in found.fields])
    return found


# What the way into a variant (entry.py) says of arguments of other kinds.
ELSEWHERE: Any = object()


def elsewhere(*args: Any) -> Any:
    """The way into no variant."""
    return ELSEWHERE
