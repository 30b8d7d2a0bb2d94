"""Dicts, objects and lists on their way into compiled code and back.

Numba knows tuples whose parts have names. A dict with text as keys becomes such a tuple, and so
does an object; `p["w"]` is then `p.w`. A list becomes a tuple at the boundary and a list again
inside. The tuple of a dict ends with a part that has no use but to be no number: so nobody can go
through it as through its values, where Python goes through the keys.
"""
from __future__ import annotations

import collections
import dataclasses
import functools
import keyword
import sys
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from tangent_lite.backends.numba_functions import instead_of
from tangent_lite.errors import TangentError

PYTHON = 'differentiate it with backend="python", which is the default'
_LAST = "is_a_dict"
DTYPES = "dlq?"               # of arrays with which Numba computes as NumPy does
_LONGEST = 100                  # of a list that is passed


@functools.cache
def record_class(fields: tuple[str, ...], is_dict: bool) -> Any:
    """The class of tuples with these parts; one for each combination of names."""
    names = (*fields, _LAST) if is_dict else fields
    made = collections.namedtuple("Record_" + "_".join(names), names)   # type: ignore[misc]
    # It can be found by its name, so that what is compiled for it can be kept.
    made.__module__ = __name__
    setattr(sys.modules[__name__], made.__name__, made)
    return made


def can_be_field(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) \
        and not name.startswith("_") and name != _LAST


def packed(value: Any, name: str = "an argument") -> Any:
    """A value as compiled code takes it; TangentError where it takes none such."""
    kind = type(value)
    if kind in (float, int, bool, str, np.float64, np.int64, np.bool_):
        return value
    if kind in (complex, np.complex128) or (kind is np.ndarray and value.dtype.kind == "c"):
        raise TangentError(f'backend="numba": {name} is complex; complex numbers are not compiled',
                           None, PYTHON)
    if kind is np.ndarray:
        if value.dtype.char not in DTYPES or not value.dtype.isnative:
            raise TangentError(
                f'backend="numba": {name} is an array of {value.dtype}, with which Numba does not '
                "compute as NumPy does", None,
                f"pass {name}.astype(np.float64) or .astype(np.int64), or {PYTHON}")
        return value
    if kind is tuple:
        return tuple([packed(part, f"{name}[{k}]") for k, part in enumerate(value)])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*[packed(part, f"{name}.{f}") for f, part in zip(kind._fields, value)])
    if kind is list:
        if not 0 < len(value) <= _LONGEST:
            raise TangentError(
                f'backend="numba": {name} is a list of {len(value)} parts; it may have 1 to '
                f"{_LONGEST}", None, f"pass an array, or {PYTHON}")
        return tuple([packed(part, f"{name}[{k}]") for k, part in enumerate(value)])
    if isinstance(value, dict):
        if not all(map(can_be_field, value)):
            raise TangentError(f'backend="numba": {name} is a dict whose keys are not all names',
                               None, PYTHON)
        return record_class(tuple(value), True)(
            *[packed(part, f'{name}["{key}"]') for key, part in value.items()], None)
    fields = fields_of(value)
    if fields is not None:
        return record_class(tuple(fields), False)(
            *[packed(getattr(value, f), f"{name}.{f}") for f in fields])
    raise TangentError(f'backend="numba": {name} is of type {kind.__name__}, which is not '
                       "compiled", None, PYTHON)


def fields_of(value: Any) -> list[str] | None:
    """The attributes of an object that compiled code may read; None for what is no such object."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in dataclasses.fields(value)]
    elif hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        names = list(vars(value))
    else:
        return None
    found = []
    for name in names:
        if not can_be_field(name) or getattr(type(value), "__getattribute__", None) \
                is not object.__getattribute__:
            continue
        try:
            packed(getattr(value, name))
        except TangentError:
            continue                    # who reads it is refused then
        found.append(name)
    return found


def holds_lists(value: Any) -> bool:
    """Whether a list is somewhere in a value, other than the value itself."""
    if isinstance(value, dict):
        return any(isinstance(part, list) or holds_lists(part) for part in value.values())
    if isinstance(value, (tuple, list)):
        return any(isinstance(part, list) or holds_lists(part) for part in value)
    if type(value).__module__ == "builtins" or isinstance(value, (np.ndarray, np.generic)):
        return False
    return any(isinstance(part, list) or holds_lists(part)
               for part in getattr(value, "__dict__", {}).values())


def unpacked(found: Any, argument: Any) -> Any:
    """A gradient that compiled code returned, as the emitted function returns it."""
    if found is None or isinstance(found, (float, complex, np.ndarray)):
        return found
    if isinstance(argument, dict):
        return {key: unpacked(getattr(found, key, None), part) for key, part in argument.items()}
    if isinstance(argument, (tuple, list)):
        return [unpacked(part, one) for part, one in zip(found, argument)]
    if isinstance(found, tuple) and hasattr(found, "_fields"):
        return {name: unpacked(getattr(found, name), getattr(argument, name))
                for name in found._fields}
    return found


@instead_of(len)
def length(items):
    return len(items)


@overload(length)
def _length(items):
    if isinstance(items, types.BaseNamedTuple) and items.fields[-1] == _LAST:
        count = len(items.fields) - 1
        return lambda items: count
    return lambda items: len(items)


def as_list(items):
    """A list that was passed as a tuple, as a list again."""
    return items


@overload(as_list)
def _as_list(items):
    if isinstance(items, types.UniTuple):
        return lambda items: [item for item in items]   # noqa: C416
    return None
