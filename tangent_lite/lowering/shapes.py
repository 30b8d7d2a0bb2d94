"""Helpers of functions that reshape, transpose and join which the kinds make superfluous."""
from __future__ import annotations

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Kind, ListKind, Nothing, Number, value_of
from tangent_lite.kinds.duck import holds_duck
from tangent_lite.lowering.table import lowering
from tangent_lite.lowering.words import (
    External,
    has_elements,
    numpy_name,
    option,
    rank_of,
    transpose_of,
)
from tangent_lite.runtime import lines as runtime_lines
from tangent_lite.runtime import shapes as runtime_shapes
from tangent_lite.runtime import spacings as runtime_spacings
from tangent_lite.runtime import sparse as runtime_sparse
from tangent_lite.runtime import steps as runtime_steps


@lowering(runtime_shapes.reshape_like)
def _reshape_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dy, x = call.args[:2]
    if value_of(typer.kind(option(call, 2, "order"))) not in (None, "C"):
        return None
    dy_kind, x_kind = typer.kind(dy), typer.kind(x)
    if kinds.same_shape(dy_kind, x_kind) or rank_of(typer, dy) == rank_of(typer, x) == 1:
        return dy
    if isinstance(x_kind, Array) and isinstance(dy_kind, Array) and x_kind.ndim:
        # The adjoint of an array without dimensions may be a number, which has no methods.
        shape = syntax.attribute(x, "shape")
        return syntax.method(dy, "reshape", shape) if dy_kind.ndim \
            else syntax.call(numpy_name(external, "reshape"), dy, shape)
    return None


@lowering(runtime_lines.start_adjoint)
def _start_adjoint(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dy, stop = call.args
    if typer.kind(stop) == kinds.UNKNOWN:
        return None
    return syntax.constant(0.0) if isinstance(typer.kind(stop), Nothing) \
        else syntax.call(numpy_name(external, "sum"), dy)


@lowering(runtime_lines.start_tangent)
def _start_tangent(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dstart, y, stop = call.args
    if typer.kind(stop) == kinds.UNKNOWN:
        return None
    size = syntax.call(syntax.load("len"), y)
    return syntax.call(numpy_name(external, "zeros"), size) \
        if isinstance(typer.kind(stop), Nothing) \
        else syntax.call(numpy_name(external, "full"), size, dstart)


@lowering(runtime_shapes.ravel_like)
def _ravel_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    if value_of(typer.kind(option(call, 2, "order"))) in (None, "C"):
        return syntax.call(numpy_name(external, "ravel"), call.args[0])
    return None


@lowering(runtime_shapes.order_of)
def _order_of(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    order = value_of(typer.kind(call.args[0]))
    return call.args[0] if order in ("C", "F") else None


@lowering(runtime_shapes.sizes)
def _sizes(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    shape = call.args[0]
    if isinstance(shape, gast.Tuple):
        # A duck array may take a tuple only, as Dask's do.
        bare = len(shape.elts) == 1 and not any(map(holds_duck, typer.names.values()))
        return shape.elts[0] if bare else shape
    return None


@lowering(runtime_shapes.transpose_back)
def _transpose_back(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return _transpose(call, typer, external, back=True)


@lowering(runtime_shapes.transpose_again)
def _transpose_again(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return _transpose(call, typer, external, back=False)


def _transpose(call: gast.Call, typer: Typer, external: External,
               back: bool) -> gast.expr | None:
    dy = call.args[0]
    axes: Kind = typer.kind(option(call, 1, "axes"))
    if isinstance(axes, kinds.TupleKind) and len(axes.items) == 1 and \
            isinstance(axes.items[0], (kinds.TupleKind, Nothing)):
        axes = axes.items[0]            # x.transpose((1, 0))
    order = value_of(axes)
    if order is None or order == ():
        # The adjoint of an array without dimensions may be a number.
        return transpose_of(dy) if rank_of(typer, dy) else \
            syntax.call(numpy_name(external, "transpose"), dy)
    if not isinstance(order, tuple) or not all(isinstance(a, int) for a in order):
        return None
    if back:
        order = tuple(int(k) for k in np.argsort([a % len(order) for a in order]))
    return syntax.call(numpy_name(external, "transpose"), dy,
                       syntax.tuple_of(map(syntax.constant, order)))


@lowering(runtime_shapes.stacked_part)
def _stacked_part(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    axis = option(call, 2, "axis")
    if axis is None or value_of(typer.kind(axis)) == 0:
        return syntax.subscript(call.args[0], call.args[1])
    return None


@lowering(runtime_shapes.diff_part, runtime_shapes.diff_along)
def _diff_part(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """Without ends it is that of np.diff(x, n, axis). Backwards one difference of something is that
    between zeros; from nothing it would not be seen how long x is."""
    if any(not isinstance(typer.kind(option(call, k, name)), Nothing)
           for k, name in ((5, "prepend"), (6, "append"))):
        return None
    made = syntax.call(numpy_name(external, "diff"), call.args[0])
    n, axis = option(call, 3, "n"), option(call, 4, "axis")
    if not call.func.id.startswith("diff_part"):
        made.args += call.args[3:5]
        return made
    along = -1 if axis is None else value_of(typer.kind(axis))
    if (n is not None and value_of(typer.kind(n)) != 1) or not isinstance(along, int) \
            or not has_elements(getattr(typer.kind(call.args[2]), "shape", None), along):
        return None
    if axis is not None:
        made.keywords.append(gast.keyword("axis", axis))
    made.keywords += [gast.keyword(end, syntax.constant(0)) for end in ("prepend", "append")]
    return syntax.minus(made)


@lowering(runtime_shapes.parts_like)
def _parts_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    given, kind = typer.kind(call.args[0]), typer.kind(call.args[1])
    if isinstance(kind, ListKind):          # of which nothing needs to be kept then
        return syntax.method(call.args[0], "tolist") if is_list_of_floats(kind, given) else None
    return call.args[0] if isinstance(kind, Number) or (
        isinstance(kind, Array) and kind.ndim not in (None, 0)) else None


def is_list_of_floats(kind: Kind, array: Kind) -> bool:
    """Whether what an array of floats lists is structured as a list of lists of floats is."""
    ndim = 0
    while isinstance(kind, ListKind):
        kind, ndim = kind.item, ndim + 1
    return isinstance(array, Array) and array.ndim == ndim and array.dtype == "float" \
        and isinstance(kind, Number) and kind.type == "float"


@lowering(runtime_spacings.gradient_along)
def _gradient_along(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """With spacings that do not vary, np.gradient of the tangent."""
    moved = call.args[3]
    if not isinstance(moved, gast.Call) or getattr(moved.func, "id", "") != "zeros_like":
        return None
    again = syntax.call(external(runtime_steps.gradient_again, "gradient_again"),
                        call.args[0], call.args[2], *call.args[4:])
    again.keywords = call.keywords
    return again


@lowering(runtime_sparse.like_right_side)
def _like_right_side(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if kinds.is_array(typer.kind(call.args[1]), 1) else None
