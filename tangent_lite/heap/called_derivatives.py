"""Calls of derivatives: of methods, partials and objects, as matrices, or as they are run; and
which derivative a call that makes one gives."""
from __future__ import annotations

import functools
import types
from typing import Any

from tangent_lite.api import GradientFunction
from tangent_lite.calling.reuse import store
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.heap import columns, derivatives
from tangent_lite.heap.callables import call_partial
from tangent_lite.heap.calls_by_rule import name_of, with_rule
from tangent_lite.heap.foreign import check_closed, check_held, is_closed_but_for_cells
from tangent_lite.heap.memory import Parts
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, without_first
from tangent_lite.modules import mark_of


def made(operator: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What an operator makes of a function: what it made before of one that does the same.

    A loop makes `grad(f)` anew at each step. What is known of the call of a derivative (the code
    for it, or why names alone do not do) is kept for the derivative that is called.
    """
    found = operator(*args, **keywords)
    if isinstance(found, GradientFunction):
        return store(*found.key).setdefault("followed", found)
    if derivatives.is_derivative(found):            # hvp(f), a Jacobian
        name = repr(("followed", found.kind, found.wrt, found.holomorphic))
        return store(*found._forward.key).setdefault(name, found)
    return found


def call(tape: Any, function: Any, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A derivative, written with names where that can be."""
    if mark_of(function, "makes_derivative") == "pushed" and len(args) == 3 and not keywords:
        inner = columns.called_with_owner(args[0])
        if inner is not None and all(isinstance(one, tuple) for one in args[1:]):
            return _push_of_bound(tape, function, inner, *args)
    primal = getattr(function, "primal", None)
    if isinstance(primal, (types.MethodType, functools.partial)) or is_record(primal):
        inner = columns.unbound(function)
        if inner is not None:
            return _of_bound(tape, inner, tape.heap.own(primal), args, keywords)
    if getattr(function, "kind", "hvp") != "hvp":
        return columns.matrix(tape, function, args, keywords)
    refusal = derivatives.known_refusal(function)
    check_held(tape, [*args, *keywords.values()], name_of(function))
    try:
        check_closed(tape, function, [args, keywords], name_of(function))
    except UnsupportedSyntaxError as error:
        taken = args[0] if mark_of(function, "makes_derivative") else function
        if not is_closed_but_for_cells(tape.heap, taken):
            raise
        refusal = error
    if refusal is None:
        try:
            return with_rule(tape, function, args, keywords)
        except TangentError as error:
            if error.is_final:
                raise
            refusal = error
            derivatives.note_refusal(function, refusal)
    return derivatives.call(tape, function, args, keywords, refusal)


def _push_of_bound(tape: Any, jvp: Any, inner: Any, fun: Any, primals: tuple[Any, ...],
                   tangents: tuple[Any, ...]) -> tuple[Any, Back | None]:
    """jvp of a method or object as that of what it calls, whose first argument does not move."""
    fun = tape.heap.own(fun)
    owner = fun.__self__ if isinstance(fun, types.MethodType) else fun
    value, back = call(tape, jvp, (inner, (owner, *primals), (None, *tangents)), {})
    if back is None:
        return value, None

    def tangents_behind(adjoint: Any) -> Any:
        return [None if one is None
                else Parts({k - 1: part for k, part in one.items() if k > 0}) or None
                for one in back(adjoint) or [None]]
    return value, tangents_behind


def _of_bound(tape: Any, inner: Any, primal: Any, args: tuple[Any, ...],
              keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """The derivative of a method, partial or object, as one that is given what that brings."""
    if isinstance(primal, functools.partial):
        return call_partial(tape, primal, args, keywords, inner)
    owner = primal.__self__ if isinstance(primal, types.MethodType) else primal
    value, back = tape.called(inner, (owner, *args), keywords)
    return value, without_first(back)
