"""Handlers of conversions, of text, of the functions of `operator`, and of what has no derivative.
"""
from __future__ import annotations

import collections
import functools
import math
import operator
import typing
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import operations
from tangent_lite.heap.handlers import HANDLERS, Handler, handles
from tangent_lite.heap.primitives import Back, primitive


def _number(tape: Any, kind: Any, args: tuple[Any, ...]) -> tuple[Any, Back | None]:
    if args and isinstance(args[0], str):
        if tape.heap.writes_text:
            raise UnsupportedSyntaxError("a number is read from a text, into which numbers were "
                                         "written before", tape.place(),
                                         "keep the number in a variable")
        return kind(*args), None
    return primitive(tape, kind, None, args, {})


HANDLERS[float] = lambda tape, *args: _number(tape, float, args)
HANDLERS[complex] = lambda tape, *args: _number(tape, complex, args)


def _written_as_text(function: Any) -> Handler:
    def text(tape: Any, /, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        tape.heap.writes_text = True
        shown = operations.shown(tape, args[0], function, *args[1:]) if args else None
        if shown is not None:
            return shown, None
        return function(*args, **keywords), None
    return text


for _function in (str, repr, format, ascii):
    HANDLERS[_function] = _written_as_text(_function)
# What has no derivative, and changes nothing that has one.
for _quiet in (print, isinstance, issubclass, callable, hash, type, int, range,
               slice, input, ord, chr, bin, hex, oct, math.isnan, math.isinf, math.isfinite,
               math.isclose, operator.truth, operator.not_,
               functools.wraps, functools.update_wrapper, collections.namedtuple):
    HANDLERS[_quiet] = lambda tape, *args, _quiet=_quiet, **keywords: (
        _quiet(*args, **keywords), None)
HANDLERS[operator.contains] = lambda tape, x, y: (operations.compare(tape, "in", y, x), None)
HANDLERS[typing.cast] = lambda tape, kind, x: (x, lambda adjoint: (None, adjoint))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, y, _name=_name: (
        operations.compare(tape, _name, x, y), None)
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_",
              "xor"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, y, _name=_name: \
        operations.binary(tape, _name, x, y)
for _name in ("iadd", "isub", "imul", "itruediv", "ipow", "imatmul", "ifloordiv", "imod"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, y, _name=_name: \
        operations.in_place(tape, _name, x, y)
for _name in ("neg", "pos"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, _name=_name: \
        operations.unary(tape, _name, x)
HANDLERS[bool] = lambda tape, *x: (bool(x) and operations.truth(tape, x[0]), None)
HANDLERS[operator.getitem] = lambda tape, x, key: tape.got(x, key)
HANDLERS[pow] = lambda tape, x, y, *m: operations.binary(tape, "pow", x, y) if not m else (
    pow(x, y, *m), None)


@handles(round)
def round_(tape: Any, x: Any, *digits: Any) -> tuple[Any, Back | None]:
    if isinstance(x, np.ndarray):
        return primitive(tape, np.round, None, (x, *digits), {})
    return round(x, *digits), None
