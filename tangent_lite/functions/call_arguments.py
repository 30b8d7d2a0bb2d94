"""The arguments of one call of a user function, by the parameters that they are for."""
from __future__ import annotations

import inspect
from typing import Any

import gast

from tangent_lite import kinds, registry
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.modules import fitted_by
from tangent_lite.source import Source


def not_read(function: Any, node: gast.expr, source: Source) -> UnsupportedSyntaxError:
    """The error for a call of jacobian, vjp and the like in differentiated code."""
    error = UnsupportedSyntaxError(
        f"tangent_lite.{function.__name__} inside a differentiated function is not handled yet",
        source.place(node), "use grad, value_and_grad, jvp or hvp there")
    error.is_told_better_by_identity = hasattr(function, "makes_map")
    return error


def bound_call(function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
               node: gast.expr, source: Source) -> tuple[inspect.Signature, inspect.BoundArguments]:
    """The signature of a user function, and the arguments of one call of it by their parameters."""
    if registry.is_ours(function):
        raise not_read(function, node, source)
    signature = fitted_by(function)
    try:
        return signature, signature.bind(*arguments, **keywords)
    except TypeError as error:
        raise UnsupportedSyntaxError(str(error), source.place(node)) from None


def arguments_of(node: gast.Call, function: Any, typer: Typer) -> dict[str, gast.expr]:
    """The arguments of a call that fits, by the names of the parameters; a default is a literal."""
    receiver = typer.callee(node)[1]
    signature = fitted_by(function)
    bound = signature.bind(*([] if receiver is None else [receiver]), *node.args,
                           **{k.arg: k.value for k in node.keywords if k.arg})
    return {name: bound.arguments.get(name, gast.Constant(None, None))
            for name in signature.parameters}


def takes_any(function: Any) -> bool:
    """Whether a function has * or ** parameters."""
    return any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
               for p in fitted_by(function).parameters.values())


def all_kinds(function: Any, given: dict[str, Kind]) -> dict[str, Kind]:
    """Kinds of all parameters, defaults included."""
    return {name: given.get(name) or kinds.kind_of(parameter.default)
            for name, parameter in fitted_by(function).parameters.items()}
