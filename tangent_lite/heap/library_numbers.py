"""Handlers of conversions, of text, of the functions of `operator`, and of what has no derivative.
"""
from __future__ import annotations

import collections
import functools
import math
import operator
import sys
import typing
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import operations, special
from tangent_lite.heap.handlers import HANDLERS, Handler, handles
from tangent_lite.heap.iteration import Lazy
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, primitive, varies


def _number(tape: Any, kind: Any, args: tuple[Any, ...]) -> tuple[Any, Back | None]:
    if args and isinstance(args[0], str):
        if tape.heap.writes_text:
            raise UnsupportedSyntaxError("a number is read from a text, into which numbers were "
                                         "written before", tape.place(),
                                         "keep the number in a variable")
        return kind(*args), None
    return primitive(tape, kind, None, args, {})


def _plain_float(x: Any) -> tuple[Any, Back] | None:
    """float(x) of a number of the user's class that does not say what it is."""
    if isinstance(x, float) and type(x).__float__ is float.__float__ \
            and kinds.computes_by_itself(type(x)):
        return float(x), lambda adjoint: (adjoint,)
    return None


HANDLERS[float] = lambda tape, *args: (len(args) == 1 and _plain_float(args[0])) or _number(
    tape, float, tuple([special.whole(tape, arg) for arg in args]))
HANDLERS[complex] = lambda tape, *args: _number(tape, complex, tuple([
    special.real(tape, arg) for arg in args]))


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


@handles(print)
def print_(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
    """What is said of the user's objects is made by the tape."""
    shown = [operations.shown(tape, arg, str) for arg in args]
    file: Any = keywords.get("file")
    if file not in (None, sys.stdout, sys.stderr) and any(map(varies, args)):
        tape.heap.writes_text = True
    if is_record(file):                         # as Python writes to it: piece by piece
        texts = [str(arg) if text is None else text for arg, text in zip(args, shown)]
        for number, text in enumerate(texts):
            if number:
                _write(tape, file, keywords.get("sep"), " ")
            _write(tape, file, text, "")
        _write(tape, file, keywords.get("end"), "\n")
        if keywords.get("flush"):
            kind: Any = type(file)
            tape.aside(kind.flush, (file,), {})
        return None, None
    if tape.heap.draws.repeats:
        return None, None
    print(*[arg if text is None else text for arg, text in zip(args, shown)], **keywords)
    return None, None


def _write(tape: Any, file: Any, text: str | None, usual: str) -> None:
    kind: Any = type(file)
    tape.aside(kind.write, (file, usual if text is None else text), {})


# What has no derivative, and changes nothing that has one.
for _quiet in (callable, type, slice, collections.namedtuple):
    HANDLERS[_quiet] = lambda tape, *args, _quiet=_quiet, **keywords: (
        _quiet(*args, **keywords), None)


def _wraps(function: Any) -> Handler:
    def handler(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        if any(map(tape.heap.keeps_attributes_of, (*args, *keywords.values()))):
            raise UnsupportedSyntaxError("functools.wraps copies the attributes of a function "
                                         "which this run has changed", tape.place(),
                                         "wrap it before, or keep the value in an object")
        return function(*args, **keywords), None
    return handler


for _copying in (functools.wraps, functools.update_wrapper):
    HANDLERS[_copying] = _wraps(_copying)


def _of_numbers(function: Any, number: Any) -> Handler:
    """A function of numbers that has no derivative; number: what asks an object for its own."""
    def handler(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        args = tuple([number(tape, arg) for arg in args])
        special.check(tape, special.ALL, *args, *keywords.values())
        return function(*args, **keywords), None
    return handler


for _of_whole in (int, range, chr, ord, bin, hex, oct, operator.index, input):
    HANDLERS[_of_whole] = _of_numbers(_of_whole, special.whole)
for _of_real in (math.isnan, math.isinf, math.isfinite, math.isclose):
    HANDLERS[_of_real] = _of_numbers(_of_real, special.real)


def _asking_a_class(function: Any) -> Handler:
    """isinstance and issubclass."""
    def handler(tape: Any, x: Any, kinds: Any) -> tuple[Any, Back | None]:
        special.check_classes(tape, x, kinds)
        if not isinstance(x, type):
            special.check_class_of(tape, x)
        return function(x, kinds), None
    return handler


HANDLERS[isinstance] = _asking_a_class(isinstance)
HANDLERS[issubclass] = _asking_a_class(issubclass)


@handles(hash)
def hash_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    found = special.asked(tape, x, "__hash__") if operations.is_followed(type(x).__hash__) else ()
    if found and isinstance(found[0], int):
        value = int(found[0])
        return (value if value != -1 and value.bit_length() < 64 else hash(value)), None
    special.hashed(tape, x)
    return hash(x), None


@handles(operator.length_hint)
def length_hint_(tape: Any, x: Any, *default: Any) -> tuple[Any, Back | None]:
    if isinstance(x, Lazy):
        name = "__length_hint__"
        raise UnsupportedSyntaxError(f"the method {name} of an iterator cannot be followed",
                                     tape.place(), "loop over it, or make a list of it")
    found = special.asked(tape, x, "__len__", "__length_hint__")
    if found and found[0] is NotImplemented:
        return default[0] if default else 0, None
    return special.whole(tape, found[0]) if found else operator.length_hint(x, *default), None


HANDLERS[operator.truth] = lambda tape, x: (operations.truth(tape, x), None)
HANDLERS[operator.not_] = lambda tape, x: (not operations.truth(tape, x), None)
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


@handles(round)
def round_(tape: Any, x: Any, *digits: Any) -> tuple[Any, Back | None]:
    if isinstance(x, np.ndarray):
        return primitive(tape, np.round, None, (x, *digits), {})
    special.check(tape, special.ALL, x)
    return round(x, *[special.whole(tape, one) for one in digits]), None


@handles(pow)
def pow_(tape: Any, x: Any, y: Any, *m: Any) -> tuple[Any, Back | None]:
    if not m:
        return operations.binary(tape, "pow", x, y)
    if is_record(x) and hasattr(type(x), "__pow__"):
        value, back = tape.called(type(x).__pow__, (x, y, *m), {})
        if value is not NotImplemented:
            return value, back
    special.check(tape, special.ALL, x, y, *m)
    if any(map(is_record, (x, y, *m))):
        raise UnsupportedSyntaxError("what this call does with an object is said by its class",
                                     tape.place(), "call the method of the object")
    return pow(x, y, *m), None
