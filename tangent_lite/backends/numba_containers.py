"""Dicts, objects and lists on their way into compiled code and back.

Numba knows tuples whose parts have names. A dict with text as keys becomes such a tuple, and so
does an object; `p["w"]` is then `p.w`. A list becomes a tuple at the boundary and a list again
inside. The tuple of a dict ends with a part that has no use but to be no number: so nobody can go
through it as through its values, where Python goes through the keys. What compiled code makes of
lists is said in `numba_passing`.
"""
from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import keyword
import sys
import types
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numba import types as numba_types

from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.errors import TangentError
from tangent_lite.modules import mark_of

PYTHON = 'differentiate it with backend="python", which is the default'
_LAST = "is_a_dict"
# Names that tuples with named parts have themselves, and that of the mark of a dict.
_TAKEN = {"_fields", "_make", "_replace", "_asdict", "_field_defaults", "is_record", _LAST}
# Of arrays with which Numba computes as NumPy does, but for what `numba_narrow` looks at.
DTYPES = "dlq?bBhHiI"
_LONGEST = 100                  # of a list that is passed
MOST_PARTS = 200                # numbers and arrays in one: Numba sees each of them


class Listed(NamedTuple):
    """A list that is passed."""
    items: tuple[Any, ...]


@functools.cache
def record_class(fields: tuple[str, ...], is_dict: bool) -> Any:
    """The class of tuples with these parts; one for each combination of names."""
    names = (*fields, _LAST) if is_dict else fields
    made = tuple_class("Record_" + "_".join(names), names)
    made.is_record = True
    return made


def tuple_class(name: str, fields: Iterable[str]) -> Any:
    """A class of tuples that can be found by its name here, so that what is compiled for it can be
    kept."""
    names = tuple(fields)
    plain = [f"hidden{n}" if n.startswith("_") else n for n in names]   # as namedtuple takes them
    made: Any = collections.namedtuple(name, plain)                     # type: ignore[misc]
    for one, other in zip(names, plain):
        setattr(made, one, getattr(made, other))
    made._fields = names                                # type: ignore[assignment]
    made.__module__ = __name__
    setattr(sys.modules[__name__], name, made)
    return made


def is_record(kind: Any) -> bool:
    """Whether a type is that of a dict or an object."""
    return isinstance(kind, numba_types.BaseNamedTuple) \
        and hasattr(kind.instance_class, "is_record")


def is_dict(kind: Any) -> bool:
    return is_record(kind) and kind.fields[-1] == _LAST


def record_fields(kind: Any) -> tuple[str, ...]:
    """The keys or attributes of a dict or an object."""
    return tuple(kind.fields[:-1] if is_dict(kind) else kind.fields)


def can_be_field(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) \
        and not name.startswith("__") and name not in _TAKEN


def packed(value: Any, name: str = "an argument") -> Any:
    """A value as compiled code takes it; TangentError where it takes none such."""
    kind = type(value)
    if kind in (float, int, bool, str, np.float64, np.int64, np.bool_) or value is None \
            or isinstance(value, enum.Enum):
        return value
    if is_function(value):
        return None                     # each function has a variant of its own, which knows it
    if kind in (complex, np.complex128) or (kind is np.ndarray and value.dtype.kind == "c"):
        raise TangentError(f'backend="numba": {name} is complex; complex numbers are not compiled',
                           None, PYTHON)
    if kind is np.ndarray:
        if value.dtype.names:
            raise TangentError(
                f'backend="numba": {name} is an array of records ({", ".join(value.dtype.names)}), '
                "which are not compiled", None,
                f"pass its fields as arrays, {name}[{value.dtype.names[0]!r}], or {PYTHON}")
        if value.dtype.char not in DTYPES or not value.dtype.isnative:
            raise TangentError(
                f'backend="numba": {name} is an array of {value.dtype}, with which Numba does not '
                "compute as NumPy does", None,
                f"pass {name}.astype(np.float64) or .astype(np.int64), or {PYTHON}")
        return value
    if kind is tuple:
        return tuple([part_packed(part, f"{name}[{k}]") for k, part in enumerate(value)])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*[part_packed(part, f"{name}.{f}") for f, part in zip(kind._fields, value)])
    if kind is list:
        if not 0 < len(value) <= _LONGEST:
            raise TangentError(
                f'backend="numba": {name} is a list of {len(value)} parts; it may have 1 to '
                f"{_LONGEST}", None, f"pass an array, or {PYTHON}")
        made = Listed(tuple([part_packed(part, f"{name}[{k}]") for k, part in enumerate(value)]))
        if parts_in(made) > MOST_PARTS:
            raise TangentError(
                f'backend="numba": {name} is a list with {parts_in(made)} numbers and arrays in '
                f"it; it may hold {MOST_PARTS}", None, f"pass arrays, or {PYTHON}")
        return made
    if isinstance(value, dict):
        if not all(map(can_be_field, value)):
            raise TangentError(f'backend="numba": {name} is a dict whose keys are not all names',
                               None, PYTHON)
        return record_class(tuple(value), True)(
            *[part_packed(part, f'{name}["{key}"]') for key, part in value.items()], None)
    fields = fields_of(value)
    if fields is not None:
        return record_class(tuple(fields), False)(
            *[part_packed(getattr(value, f), f"{name}.{f}") for f in fields])
    raise TangentError(f'backend="numba": {name} is of type {kind.__name__}, which is not '
                       "compiled", None, PYTHON)


def part_packed(value: Any, name: str) -> Any:
    """The same for what is in a tuple, a list, a dict or an object.

    Which of several functions an item of a list is, `fn is relu` asks in the derivative: of
    numbers that say so.
    """
    return id(value) if is_function(value) else packed(value, name)


def is_function(value: Any) -> bool:
    """Whether a value is a function, of the user or of a library."""
    return isinstance(value, (types.FunctionType, types.BuiltinFunctionType, np.ufunc)) \
        or mark_of(value, "py_func") is not None


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


def parts_in(value: Any) -> int:
    """How many numbers and arrays are in something that is passed."""
    return sum(map(parts_in, value)) if isinstance(value, tuple) else 1


def holds_lists(value: Any) -> bool:
    """Whether a list is somewhere in something that is passed."""
    return isinstance(value, Listed) or (isinstance(value, tuple) and any(map(holds_lists, value)))


def unpacked(found: Any, argument: Any) -> Any:
    """A gradient that compiled code returned, as the emitted function returns it."""
    if found is None or isinstance(found, (float, complex, np.ndarray)):
        return found
    if isinstance(argument, dict):
        return {key: unpacked(_part(found, key), part) for key, part in argument.items()}
    if isinstance(argument, (tuple, list)):
        if len(found) != len(argument):
            return found
        return [unpacked(part, one) for part, one in zip(found, argument)]
    fields = found if isinstance(found, dict) else getattr(found, "_fields", None)
    if fields is not None:
        # A gradient is made as a dict, also that of an object: its mark is no attribute.
        return {name: unpacked(_part(found, name), getattr(argument, name)) for name in fields
                if name != _LAST}
    return found


def _part(found: Any, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else getattr(found, name, None)


@compiled_for(len)
def length(items):
    if is_record(items):
        count = len(record_fields(items))
        return lambda items: count
    return lambda items: len(items)
