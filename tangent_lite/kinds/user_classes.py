"""Classes that stand in the place of Python's or NumPy's: whether they say themselves what is done
with their objects."""
from __future__ import annotations

import enum
import operator
from typing import Any

import numpy as np

from tangent_lite.records import hides_fields, is_made_by_itself


def is_other_array(cls: Any) -> bool:
    """Whether a class is one of arrays with operations of their own, like masked ones."""
    return isinstance(cls, type) and issubclass(cls, np.ndarray) \
        and cls not in (np.ndarray, np.memmap)


def computes_as_int(kind: type) -> bool:
    """Whether the members of a class are whole numbers, as those of enum.IntEnum."""
    return issubclass(kind, int) and all(getattr(kind, name) is getattr(int, name)
                                         for name in _OF_INTS)


# The operators that are functions of the module `operator`, too; flags join bits in their own way.
_OF_INTS = [name for name in vars(int) if name in vars(operator)
            and name not in ("__and__", "__or__", "__xor__", "__invert__", "__doc__")]


def is_special(kind: type) -> bool:
    """Whether a class of containers says in Python what is done with its items: how one is read or
    written, of tuples how they are made, and of lists and dicts also what their methods and
    operators do.

    >>> class Log(list):
    ...     def append(self, item): super().append(2.0 * item)
    >>> is_special(Log), is_special(list)
    (True, False)
    """
    if kind in (tuple, list, dict) or not issubclass(kind, (tuple, list, dict)):
        return False
    if issubclass(kind, tuple) and (is_made_by_itself(kind) or hides_fields(kind)):
        return True
    names = ["__getitem__", "__setitem__", "__missing__", "__iter__", "__len__"]
    for base in (list, dict):
        if issubclass(kind, base):
            names += [name for name in vars(base) if name not in _AROUND_ITEMS] + ["__bool__"]
    return any(hasattr(getattr(kind, name, None), "__code__") for name in names)


NUMBERS = (int, float, complex, np.generic)


def computes_by_itself(kind: type) -> bool:
    """Whether a class of numbers says in Python what is computed with them: rules say it of others.
    Members of enumerations are known one by one, with their methods.

    >>> class Angle(float):
    ...     def __add__(self, other): return Angle((float(self) + other) % 360.0)
    >>> computes_by_itself(Angle), computes_by_itself(float)
    (True, False)
    """
    return issubclass(kind, NUMBERS) and not issubclass(kind, enum.Enum) and has_operators(kind)


def has_operators(kind: type) -> bool:
    """Whether a class says in Python what is computed with its objects, or numbers."""
    return any(hasattr(getattr(kind, name, None), "__code__") for name in _ARITHMETIC)


_ARITHMETIC = [f"__{turned}{name}__" for turned in ("", "r") for name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")] + ["__neg__", "__abs__"]

# What makes a container, shows it and asks for attributes.
_AROUND_ITEMS = ("__new__", "__init__", "__repr__", "__getattribute__", "__class_getitem__",
                 "__sizeof__", "__reduce__", "__reduce_ex__")
