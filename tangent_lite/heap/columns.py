"""Jacobians and Hessians inside a function that is followed: what they do, in Python.

They are followed themselves, as calls of the derivative along one direction after the other.
"""
from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction, derivative
from tangent_lite.calling.request import left_out
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import functions
from tangent_lite.heap.classes import on_class
from tangent_lite.heap.memory import add
from tangent_lite.heap.primitives import Back
from tangent_lite.runtime.tangents import is_record


# What is followed --------------------------------------------------------------------------------
def columns(push: Any, number: Any, with_value: Any, *args: Any) -> Any:
    """The Jacobian with respect to one argument, from the derivative along a tangent of it."""
    x = args[number]
    if np.ndim(x) == 0:
        found = push(*args, np.ones(()) if isinstance(x, np.ndarray) else 1.0)
        return found[1] if with_value else found
    slopes = []
    for k in range(np.size(x)):
        unit = np.zeros(np.size(x))
        unit[k] = 1.0
        found = push(*args, unit.reshape(np.shape(x)))
        slopes.append(found[1] if with_value else found)
    return for_each_result(slopes, x)


def columns_of_parts(push: Any, units: Any, number: Any, with_value: Any, *args: Any) -> Any:
    """The Jacobian with respect to a list, tuple or dict, along these unit directions of it: the
    structure of the result, with that of the argument at each place."""
    slopes = []
    for unit in units:
        found = push(*args, unit)
        slopes.append(found[1] if with_value else found)
    return for_each_result(slopes, args[number])


def for_each_result(slopes: Any, x: Any) -> Any:
    """From one result for each direction one of results that hold the slopes of all."""
    first = slopes[0]
    if isinstance(first, dict):
        return {key: for_each_result([one[key] for one in slopes], x) for key in first}
    if isinstance(first, (list, tuple)):
        parts = [for_each_result([one[k] for one in slopes], x) for k in range(len(first))]
        return tuple(parts) if isinstance(first, tuple) else parts
    return for_each_part(slopes, x)


def for_each_part(slopes: Any, x: Any) -> Any:
    """The slopes of a number or an array along all numbers of x, in the structure of x."""
    if isinstance(x, (dict, list, tuple)):
        parts, start = [], 0
        for one in (x.values() if isinstance(x, dict) else x):
            stop = start + how_many(one)
            parts.append(for_each_part(slopes[start:stop], one))
            start = stop
        if isinstance(x, dict):
            return dict(zip(x, parts))
        return tuple(parts) if isinstance(x, tuple) else parts
    if np.ndim(x) == 0:
        return slopes[0]
    table = np.stack(slopes, axis=-1)
    return table.reshape(np.shape(slopes[0]) + np.shape(x))


def how_many(x: Any) -> Any:
    """How many numbers a value holds."""
    if isinstance(x, dict):
        return sum([how_many(one) for one in x.values()])
    if isinstance(x, (list, tuple)):
        return sum([how_many(one) for one in x])
    return np.size(x)


def slopes_of_sum(pull: Any, function: Any, *args: Any) -> Any:
    """The derivatives of a function that works element by element."""
    return pull(*args, np.ones_like(function(*args)))


# Which calls that is -----------------------------------------------------------------------------
def _calls_of(tape: Any, operator: Any, args: tuple[Any, ...], keywords: dict[str, Any]) \
        -> Iterator[tuple[Any, tuple[Any, ...], list[int]]]:
    """The calls that an operator stands for, one for each entry of what it returns: a function
    above, its arguments, and which of these are those of the operator, in turn."""
    primal, kind, wrt = operator.primal, operator.kind, operator.wrt
    many = wrt if isinstance(wrt, tuple) else (wrt,)
    paths = operator._forward.request.paths()
    visible = operator._forward.request.visible
    numbers = [visible.index(path[0]) for path in paths if len(path) == 1]
    given = [args[k] for k in numbers if k < len(args)]
    if keywords or len(given) < len(paths) or not all(
            _is_plain(x) or (kind != "elementwise_grad" and not isinstance(wrt, tuple)
                             and _has_plain_parts(x, set())) for x in given):
        raise UnsupportedSyntaxError(
            f"the {kind} of a function that names alone do not tell is taken here with respect to "
            "what is no number or array of floats, nor a list, tuple or dict of such that are "
            "all different things, or is given by keyword", tape.place(),
            "take grad, jvp or hvp there")
    rest = list(range(len(args)))
    args = (*args, *map(tape.heap.own, left_out(primal, len(args)).values()))
    if kind == "elementwise_grad":
        for one in many:
            pull = _first_of(derivative("vjp", primal, (one,), True))
            yield slopes_of_sum, (pull, primal, *args), [2 + k for k in rest]
        return
    for one in many:
        if kind != "hessian":
            yield _columns(derivative("jvp", primal, (one,), True),
                           visible.index(paths[many.index(one)][0]), True, args, rest)
            continue
        for other, number in zip(many, numbers):
            push = derivative("tangent", derivative("grad", primal, one), (other,), True)
            yield _columns(push, number, False, args, rest)


def _columns(push: Any, number: int, with_value: bool, args: tuple[Any, ...], rest: list[int]) \
        -> tuple[Any, tuple[Any, ...], list[int]]:
    if _is_plain(args[number]):
        return columns, (push, number, with_value, *args), [3 + k for k in rest]
    given = (push, _units(args[number]), number, with_value, *args)
    return columns_of_parts, given, [4 + k for k in rest]


def _is_plain(x: Any) -> bool:
    """Whether a value is a float or an array of floats that has a direction at all."""
    return isinstance(x, (float, np.floating)) or (
        isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.size > 0)


def _has_plain_parts(x: Any, seen: set[int]) -> bool:
    """Whether a value is put together of lists, tuples, dicts, floats and arrays of these, and
    holds none of the arrays and lists twice: the directions of one thing at two places are not
    those of two things."""
    if isinstance(x, (float, np.floating)):
        return True
    if id(x) in seen:
        return False
    seen.add(id(x))
    if type(x) not in (list, tuple, dict):
        return _is_plain(x)
    return len(x) > 0 and all(_has_plain_parts(one, seen)
                              for one in (x.values() if isinstance(x, dict) else x))


def _units(x: Any) -> list[Any]:
    """The unit directions of a value, each of its structure."""
    count = how_many(x)

    def cut(x: Any, row: Any) -> Any:
        if isinstance(x, dict):
            return dict(zip(x, cut(list(x.values()), row)))
        if isinstance(x, (list, tuple)):
            parts, start = [], 0
            for one in x:
                stop = start + how_many(one)
                parts.append(cut(one, row[start:stop]))
                start = stop
            return type(x)(parts)
        return row.astype(x.dtype).reshape(x.shape) if isinstance(x, np.ndarray) \
            else float(row[0])
    return [cut(x, row) for row in np.eye(count)]


def _first_of(pull: GradientFunction) -> Callable[..., Any]:
    def first(*args: Any) -> Any:
        return pull(*args)[0]
    return first


def _arranged(operator: Any, found: list[Any]) -> Any:
    """What the calls returned, as the operator returns it."""
    if not isinstance(operator.wrt, tuple):
        return found[0]
    if operator.kind != "hessian":
        return tuple(found)
    count = len(operator.wrt)
    return tuple(tuple(found[k * count:(k + 1) * count]) for k in range(count))


def matrix(tape: Any, operator: Any, args: tuple[Any, ...],
            keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A Jacobian, Hessian or elementwise gradient: derivatives along one direction after another.
    """
    found, backs = [], []
    for function, given, spots in _calls_of(tape, operator, args, keywords):
        value, back = functions.call(tape, function, given, {})
        found.append(value)
        backs.append((back, spots))
    if isinstance(operator.wrt, tuple) and any(isinstance(one, (dict, list, tuple))
                                               for one in found):
        raise UnsupportedSyntaxError(
            f"the {operator.kind} of a function that names alone do not tell is taken here with "
            "respect to several arguments, and the function returns more than one thing",
            tape.place(), "take it with respect to one argument after the other")
    result = _arranged(operator, found)

    def through(adjoint: Any) -> Any:
        out: list[Any] = [None] * len(args)
        flat = _flattened(adjoint, operator, len(found))
        for one, (back, spots) in zip(reversed(flat), reversed(backs)):
            parts = None if back is None else back(one)
            if parts is not None:
                out = [add(a, parts[k] if k < len(parts) else None)
                       for a, k in zip(out, spots)]
        return out
    return result, through


def _flattened(adjoint: Any, operator: Any, count: int) -> list[Any]:
    """The adjoints of what the calls returned, of that of what the operator returns."""
    if not isinstance(operator.wrt, tuple):
        return [adjoint]
    parts = [(adjoint or {}).get(k) for k in range(len(operator.wrt))]
    if operator.kind != "hessian":
        return parts
    return [(part or {}).get(k) for part in parts for k in range(len(operator.wrt))]


# Derivatives of methods and of partials -----------------------------------------------------------
def called_with_owner(function: Any) -> types.FunctionType | None:
    """What a method or an object with `__call__` calls, with the object in front."""
    inner = function.__func__ if isinstance(function, types.MethodType) else \
        on_class(type(function), "__call__") if is_record(function) else None
    return inner if isinstance(inner, types.FunctionType) else None


def unbound(function: Any) -> Any:
    """The same derivative of what a method, a partial or an object with `__call__` calls, to be
    called with what that brings; None if there is no such thing."""
    primal = getattr(function, "primal", None)
    inner = primal.func if isinstance(primal, functools.partial) else called_with_owner(primal)
    if not isinstance(inner, types.FunctionType):
        return None
    request = (function if isinstance(function, GradientFunction) else function._forward).request
    wrt = function.wrt if hasattr(function, "kind") else request.wrt
    named = tuple(request.visible[one] if isinstance(one, int) else one
                  for one in (wrt if isinstance(wrt, tuple) else (wrt,)))
    asked = named if isinstance(wrt, tuple) else named[0]
    if hasattr(function, "kind"):
        return type(function)(function.kind, inner, asked, function.holomorphic)
    return GradientFunction(request.form, inner, asked, request.has_aux, request.holomorphic,
                            request.debug)
