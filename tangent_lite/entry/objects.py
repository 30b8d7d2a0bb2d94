"""What the way into a variant can tell of objects without asking each time.

An object whose attributes are its own (see bare_objects.py) is known by its class, the names of
what it holds, and that. What is asked of a class here (that it has no `__copy__`, that
none of its attributes is computed) is asked when the way in is written, as what the class says of
its methods is read when the derivative is.
"""
from __future__ import annotations

import dataclasses
import enum
import math
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.calling.keys import PLAIN
from tangent_lite.records import is_named_tuple
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.bare_objects import is_bare

# Plain types whose gradients are numbers; what is of another one cannot vary.
VARYING = frozenset({float, complex, np.float64, np.float32, np.complex128})
_SINGLE = np.dtype(np.float32)
# Since NumPy 2 what arithmetic gives of float32 and numbers does not depend on their values.
_DTYPES = {np.dtype(float), _SINGLE} if int(np.__version__.split(".")[0]) >= 2 \
    else {np.dtype(float)}


def field_names(value: Any) -> list[str]:
    """The names of the fields of a dataclass, in the order in which its constructor sets them."""
    return [field.name for field in dataclasses.fields(value)]


def cannot_vary(value: Any) -> bool:
    """Whether the gradient for a value is None."""
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype.kind not in "fcO"
    if kind in PLAIN:
        return kind not in VARYING
    return isinstance(value, enum.Enum) or isinstance(kinds.kind_of(value), kinds.Known)


def holds_nothing(value: Any) -> bool:
    """Whether a value is an object of a class of the user's that could hold attributes, and holds
    none."""
    return type(kinds.kind_of(value)) is kinds.Other and not isinstance(value, enum.Enum) \
        and not kinds.is_special(type(value)) and getattr(value, "__dict__", None) == {}


def says_how_often(value: Any) -> bool:
    """Whether a value is a plain one that may say how often something is done, or which way."""
    return type(value) in PLAIN - VARYING and value is not None


def are_settled(value: Any) -> bool:
    """Whether a value is a float, an array of floats, what cannot vary, or holds such alone: then
    types and shapes of results may follow from types and shapes (see determined.py)."""
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype in _DTYPES
    if kind in PLAIN:
        return kind is float or kind not in VARYING
    if kind is list or kind is tuple or (isinstance(value, tuple) and is_named_tuple(kind)):
        return all(map(are_settled, value))
    if kind is dict:
        return all(map(are_settled, value.values()))
    if isinstance(kinds.kind_of(value), kinds.Known):
        return True
    return is_bare(value) and all(map(are_settled, attributes(value).values()))


def parts_of(value: Any) -> dict[Any, Any]:
    """What a value holds, by name, key or number."""
    kind = type(value)
    if kind in PLAIN or kind is np.ndarray:
        return {}
    if isinstance(value, dict):
        return value
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return value._asdict()                      # type: ignore[attr-defined]
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    return attributes(value) if is_bare(value) else {}


def holds_numpys(value: Any) -> bool:
    """Whether a value may hold what NumPy computes with."""
    kind = type(value)
    if kind in PLAIN:
        return issubclass(kind, np.generic)
    parts = parts_of(value)
    if isinstance(value, (dict, list, tuple)) or parts:
        return any(map(holds_numpys, parts.values()))
    return not isinstance(kinds.kind_of(value), kinds.Known)


def counts_in(value: Any, name: Any) -> set[str | None]:
    """The names by which a value and what it holds have what says how often something is done;
    None for what has a number instead."""
    if says_how_often(value):
        return {name if isinstance(name, str) else None}
    numbered = isinstance(value, tuple)             # if parts have names, these need not be used
    return {found for key, part in parts_of(value).items()
            for found in counts_in(part, None if numbered else key)}


def names_held(values: Iterable[Any]) -> frozenset[str]:
    """The names of what objects among values hold, themselves or in others, but for those that mean
    something else in the class of another one of them."""
    objects: list[Any] = []
    todo = list(values)
    for value in todo:
        parts = parts_of(value)
        todo += parts.values()
        if parts and (isinstance(value, tuple) or not isinstance(value, (list, dict))):
            objects.append((type(value), parts.keys()))
    held = {name for _, names in objects for name in names if isinstance(name, str)}
    return frozenset(name for name in held if all(
        name in names or not hasattr(cls, name) for cls, names in objects))


def is_numpys(found: Any) -> bool:
    """Whether what a name means is a function or a number of NumPy's, or a module that may have
    such functions."""
    return isinstance(found, (np.ufunc, np.generic)) or (
        isinstance(found, types.ModuleType) and found is not math)
