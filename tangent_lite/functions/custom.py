"""Functions that bring their own derivative, without a rule in the registry."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite.adjoints.checkpoints import twin_of
from tangent_lite.errors import SourceNotFoundError, TangentError
from tangent_lite.modules import mark_of
from tangent_lite.source import source_of


@dataclass(frozen=True)
class OwnDerivative:
    """What a user says of the derivative of a function; at least one of the two."""
    adjoint: Callable[..., Any] | None
    tangent: Callable[..., Any] | None


def custom_derivative(fun: Any = None, *, adjoint: Callable[..., Any] | None = None,
                      tangent: Callable[..., Any] | None = None) -> Any:
    """A function with a derivative of its own: that is used in place of that of its code.

    adjoint: called in the backward pass as adjoint(y, *args, by), y the result; it returns the
        adjoints of the arguments, a tuple if there are several, each in the shape of its argument
        or None for zero.
    tangent: called in forward mode as tangent(y, *args, *dargs); it returns the tangent of y.

    One of them is enough for both modes: each is linear in what comes last, so that the other is
    its transpose. Both are plain functions, differentiated in turn for derivatives of derivatives.
    A decorator with arguments, or custom_derivative(fun, tangent=...): that leaves fun as it is.
    The function must not change its arguments.

    Raises TangentError where the definitions do not fit the function.
    """
    if fun is None:
        return lambda function: custom_derivative(function, adjoint=adjoint, tangent=tangent)
    if not isinstance(fun, types.FunctionType):
        raise TypeError(f"custom_derivative takes a function written in Python, not {fun!r}; write "
                        "one that calls it")
    parameters = list(inspect.signature(fun).parameters.values())
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters):
        raise _mistake(fun, f"{fun.__name__} takes * or ** or arguments by keyword only, which "
                            "custom_derivative does not cover", "name the parameters")
    names = [p.name for p in parameters]
    if adjoint is None and tangent is None:
        raise _mistake(fun, f"{fun.__name__} gets no derivative",
                       "write custom_derivative(adjoint=...) or custom_derivative(tangent=...)")
    _check(adjoint, ["y", *names, "by"], f"the adjoint of {fun.__name__}")
    _check_returns(adjoint, len(names))
    _check(tangent, ["y", *names, *(f"d{n}" for n in names)], f"the tangent of {fun.__name__}")
    made = twin_of(fun)
    made.own_derivative = OwnDerivative(adjoint, tangent)
    made.__doc__ = fun.__doc__
    return made


def own_derivative(fun: Any) -> OwnDerivative | None:
    """What a function brings along; None if it brings nothing."""
    found = mark_of(fun, "own_derivative")
    return found if isinstance(found, OwnDerivative) else None


def _check(definition: Any, given: list[str], what: str) -> None:
    """Whether a definition takes what it is going to be given."""
    if definition is None:
        return
    if not isinstance(definition, types.FunctionType):
        raise TypeError(f"{what} has to be a function written in Python, not {definition!r}")
    try:
        inspect.signature(definition).bind(*given)
    except TypeError as error:
        raise _mistake(definition, f"{what} is called with ({', '.join(given)}): {error}",
                       f"let it take {len(given)} arguments") from None


def _check_returns(definition: Any, count: int) -> None:
    """Whether an adjoint returns as many parts as there are arguments, as far as its text shows."""
    if definition is None:
        return
    try:
        source = source_of(definition)
    except SourceNotFoundError:
        return
    todo: list[gast.AST] = list(source.tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (gast.FunctionDef, gast.Lambda)):
            continue
        if isinstance(node, gast.Return):
            found = len(node.value.elts) if isinstance(node.value, gast.Tuple) else 1
            certain = isinstance(node.value, (gast.Tuple, gast.BinOp, gast.Constant))
            if certain and found != count:
                raise TangentError(f"this returns {found} adjoints, and the function has {count} "
                                   "arguments", source.place(node),
                                   "return one for each argument, None for zero")
        todo += gast.iter_child_nodes(node)


def _mistake(fun: Any, reason: str, fix: str) -> TangentError:
    try:
        source = source_of(fun)
    except SourceNotFoundError:
        return TangentError(reason, None, fix)
    return TangentError(reason, source.place(source.tree), fix)
