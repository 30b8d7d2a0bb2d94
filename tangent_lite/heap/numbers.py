"""Operators of two numbers: their value, and what takes its adjoint to both.

Most operations are such ones, so nothing is asked but the types of the numbers, and what is left
for the backward pass is a tuple: a function and the two numbers. Numbers that carry tangents are of
types of their own.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

Two = Callable[[Any, Any], Any]
Slopes = Callable[[Any, Any, Any], Any]         # the adjoint of the value, and the two numbers

# Numbers that vary; what has its order by itself.
REAL = frozenset((float, np.float64))
PLAIN = frozenset((float, int, bool, str, np.float64, np.int64, np.bool_))
COMPARED: dict[str, Two] = {
    name: getattr(operator, name) for name in ("lt", "gt", "le", "ge", "eq", "ne")}


def _add(b: Any, x: Any, y: Any) -> Any:
    return None if b is None else (b, b)


def _sub(b: Any, x: Any, y: Any) -> Any:
    return None if b is None else (b, -b)


def _mul(b: Any, x: Any, y: Any) -> Any:
    return None if b is None else (b * y, b * x)


def _truediv(b: Any, x: Any, y: Any) -> Any:
    return None if b is None else (b / y, -b * x / y / y)       # y * y may be too small a number


SLOPES: dict[str, Slopes] = {"add": _add, "sub": _sub, "mul": _mul, "truediv": _truediv}


def known(name: str, x: type, y: type) -> tuple[Two, Slopes | None] | None:
    """The operator, and what takes the adjoint of its value to two numbers of these types (None for
    whole ones); None if more has to be asked."""
    return _BY_TYPES.get((name, x, y))


def step(name: str, x: Any, y: Any) -> tuple[Any, Callable[[Any], Any] | None] | None:
    """The value of x op y, and what takes its adjoint to both; None if more has to be asked."""
    found = _BY_TYPES.get((name, type(x), type(y)))
    if found is None:
        return None
    function, slopes = found
    return function(x, y), None if slopes is None else (lambda b: slopes(b, x, y))


def _of_first(slopes: Slopes) -> Slopes:
    """The same of a number and a whole one."""
    def of_first(b: Any, x: Any, y: Any) -> Any:
        return None if b is None else (slopes(b, x, y)[0], None)
    return of_first


def _of_second(slopes: Slopes) -> Slopes:
    """The same of a whole number and one that varies."""
    def of_second(b: Any, x: Any, y: Any) -> Any:
        return None if b is None else (None, slopes(b, x, y)[1])
    return of_second


_BY_TYPES: dict[tuple[str, type, type], tuple[Two, Slopes | None]] = {}
for _name, _slopes in SLOPES.items():
    _function = getattr(operator, _name)
    _BY_TYPES[_name, int, int] = _function, None
    for _one in REAL:
        _BY_TYPES[_name, _one, int] = _function, _of_first(_slopes)
        _BY_TYPES[_name, int, _one] = _function, _of_second(_slopes)
        for _other in REAL:
            _BY_TYPES[_name, _one, _other] = _function, _slopes
