"""Operators of two numbers: their value, and what takes its adjoint to both.

Most operations are such ones, so nothing is asked but the types of the numbers. Numbers that carry
tangents are of types of their own.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.heap.primitives import Back

REAL = frozenset((float, np.float64))
# What has its order by itself.
PLAIN = frozenset((float, int, bool, str, np.float64, np.int64, np.bool_))
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name) for name in ("lt", "gt", "le", "ge", "eq", "ne")}


def add(x: Any, y: Any) -> tuple[Any, Back]:
    """x + y"""
    return x + y, lambda b: None if b is None else (b, b)


def sub(x: Any, y: Any) -> tuple[Any, Back]:
    """x - y"""
    return x - y, lambda b: None if b is None else (b, -b)


def mul(x: Any, y: Any) -> tuple[Any, Back]:
    """x * y"""
    return x * y, lambda b: None if b is None else (b * y, b * x)


def truediv(x: Any, y: Any) -> tuple[Any, Back]:
    """x / y; y * y may be too small a number."""
    return x / y, lambda b: None if b is None else (b / y, -b * x / y / y)


Two = Callable[[Any, Any], tuple[Any, "Back | None"]]
STEPS: dict[str, Two] = {"add": add, "sub": sub, "mul": mul, "truediv": truediv}


def step_of(name: str, x: type, y: type) -> Two | None:
    """What an operator does with numbers of these types; None if not all is known of them."""
    return _BY_TYPES.get((name, x, y))


def _of_first(step: Two) -> Two:
    """The same of a number and a whole one."""
    def of_first(x: Any, y: Any) -> tuple[Any, Back | None]:
        value, back = step(x, y)
        return value, lambda b: None if b is None else (back(b)[0], None)   # type: ignore[misc]
    return of_first


def _of_second(step: Two) -> Two:
    """The same of a whole number and one that varies."""
    def of_second(x: Any, y: Any) -> tuple[Any, Back | None]:
        value, back = step(x, y)
        return value, lambda b: None if b is None else (None, back(b)[1])   # type: ignore[misc]
    return of_second


def _of_none(step: Two) -> Two:
    """The same of two whole numbers."""
    return lambda x, y: (step(x, y)[0], None)


_BY_TYPES: dict[tuple[str, type, type], Two] = {}
for _name, _step in STEPS.items():
    _BY_TYPES[_name, int, int] = _of_none(_step)
    for _one in REAL:
        _BY_TYPES[_name, _one, int] = _of_first(_step)
        _BY_TYPES[_name, int, _one] = _of_second(_step)
        for _other in REAL:
            _BY_TYPES[_name, _one, _other] = _step
