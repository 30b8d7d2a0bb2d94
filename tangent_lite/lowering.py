"""Helpers that the kinds make superfluous: what they do for these kinds is written instead.

`unbroadcast(e, x)` is e where both have the same shape, and np.sum(e) where x is a number.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Number, value_of

External = Callable[[Any, str], gast.expr]
Lowering = Callable[[gast.Call, Typer, External], "gast.expr | None"]
_lowerings: dict[Any, Lowering] = {}


def lowering(function: Any) -> Callable[[Lowering], Lowering]:
    """Register how calls of a helper are written where kinds are known; None: as they are."""
    def register(definition: Lowering) -> Lowering:
        _lowerings[function] = definition
        return definition
    return register


def lower(function: Any, call: gast.Call, typer: Typer, external: External) -> gast.expr:
    """The call, or the shorter expression that does the same for the kinds at hand."""
    try:
        definition = _lowerings.get(function)
    except TypeError:
        definition = None
    return (definition(call, typer, external) if definition else None) or call


def _np(external: External, name: str) -> gast.expr:
    return syntax.attribute(external(np, "np"), name)


def _option(call: gast.Call, place: int, name: str) -> gast.expr | None:
    if len(call.args) > place:
        return call.args[place]
    return next((k.value for k in call.keywords if k.arg == name), None)


@lowering(runtime.unbroadcast)
def _unbroadcast(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dy, x = call.args
    dy_kind, x_kind = typer.kind(dy), typer.kind(x)
    if kinds.same_shape(dy_kind, x_kind):
        return dy
    if isinstance(x_kind, Number) and isinstance(dy_kind, Array):
        return syntax.call(_np(external, "sum"), dy)
    return None


@lowering(runtime.through_dtype)
def _through_dtype(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dtype = call.args[1] if len(call.args) > 1 else None
    return call.args[0] if isinstance(dtype, gast.Constant) and dtype.value is None else None


@lowering(runtime.unreduce)
def _unreduce(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dy, x = call.args[:2]
    if isinstance(typer.kind(x), Number):
        return dy
    return None


@lowering(runtime.reduced_size)
def _reduced_size(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    x, axis = call.args[0], value_of(typer.kind(_option(call, 1, "axis")))
    kind = typer.kind(x)
    if isinstance(kind, Number):
        return syntax.constant(1)
    if not isinstance(kind, Array):
        return None
    if axis is None:
        return syntax.attribute(x, "size")
    if isinstance(axis, int):
        return syntax.subscript(syntax.attribute(x, "shape"), syntax.constant(axis))
    return None


@lowering(runtime.matmul_adjoint_left)
def _matmul_left(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    ranks = _rank(typer, x), _rank(typer, y)
    if ranks == (1, 1):
        return syntax.binary(dz, "*", y)
    if ranks == (2, 2) or ranks == (1, 2):
        return syntax.binary(dz, "@", syntax.attribute(y, "T"))
    if ranks == (2, 1):
        return syntax.call(_np(external, "outer"), dz, y)
    return None


@lowering(runtime.matmul_adjoint_right)
def _matmul_right(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    ranks = _rank(typer, x), _rank(typer, y)
    if ranks == (1, 1):
        return syntax.binary(dz, "*", x)
    if ranks == (2, 2) or ranks == (2, 1):
        return syntax.binary(syntax.attribute(x, "T"), "@", dz)
    if ranks == (1, 2):
        return syntax.call(_np(external, "outer"), x, dz)
    return None


def _rank(typer: Typer, node: gast.expr) -> int | None:
    kind = typer.kind(node)
    return kind.ndim if isinstance(kind, Array) else None


@lowering(runtime.add_at)
def _add_at(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return None


@lowering(runtime.zeros_like)
def _zeros_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    kind = typer.kind(call.args[0])
    if isinstance(kind, Number):
        return syntax.constant(0.0) if kind.type != "complex" else syntax.constant(0.0)
    if isinstance(kind, Array) and kind.dtype in ("float", "complex"):
        return syntax.call(_np(external, "zeros_like"), call.args[0])
    return None
