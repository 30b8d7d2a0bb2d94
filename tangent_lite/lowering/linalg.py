"""Helpers of linear algebra and of Fourier transforms that the kinds make superfluous."""
from __future__ import annotations

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.inference import Typer
from tangent_lite.kinds import NO_VALUE, Nothing, same_shape, value_of
from tangent_lite.lowering.table import lowering
from tangent_lite.lowering.words import (
    External,
    is_number,
    is_real,
    numpy_name,
    option,
    rank_of,
    transpose_of,
)
from tangent_lite.runtime import fourier as runtime_fourier
from tangent_lite.runtime import linalg as runtime_linalg
from tangent_lite.runtime import matrices as runtime_matrices
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import shapes as runtime_shapes
from tangent_lite.shapes.sizes import Size, Sizes


# Linear algebra -------------------------------------------------------------------------------
@lowering(runtime_linalg.transposed)
def _transposed_matrix(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return transpose_of(call.args[0]) if rank_of(typer, call.args[0]) == 2 else None


@lowering(runtime_shapes.undiag)
def _undiag(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """Of a matrix that was made of a vector."""
    dy, x, *k = call.args
    if call.keywords or rank_of(typer, x) != 1 or rank_of(typer, dy) != 2:
        return None
    return syntax.call(numpy_name(external, "diag"), dy, *k)


@lowering(runtime_linalg.as_matrix_factor)
def _as_matrix_factor(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if is_number(typer, call.args[0]) else None


@lowering(runtime_products.cross_adjoint_left)
def _cross_adjoint_left(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, _, y = call.args[:3]
    return syntax.call(numpy_name(external, "cross"), y, dz) if _in_line(call, typer) else None


@lowering(runtime_products.cross_adjoint_right)
def _cross_adjoint_right(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, _ = call.args[:3]
    return syntax.call(numpy_name(external, "cross"), dz, x) if _in_line(call, typer) else None


def _in_line(call: gast.Call, typer: Typer) -> bool:
    """Whether all three are vectors of three components along the last axis, one for one."""
    if len(call.args) != 3 or call.keywords:
        return False
    dz, x, y = map(typer.kind, call.args)
    shape = getattr(x, "shape", None)
    return isinstance(shape, Sizes) and bool(shape.axes) and shape.axes[-1].value == 3 \
        and same_shape(x, y) and same_shape(x, dz) and shape.axes[-1].equals(Size(3))


@lowering(runtime_linalg.diagonal_sum)
def _diagonal_sum(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    if rank_of(typer, call.args[0]) == 2:
        return syntax.call(numpy_name(external, "trace"), call.args[0])
    return None


@lowering(runtime_linalg.diagonal_part)
def _diagonal_part(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    if rank_of(typer, call.args[0]) == 2:
        return syntax.call(numpy_name(external, "diagonal"), call.args[0])
    return None


@lowering(runtime_linalg.slogdet_weight)
def _slogdet_weight(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[1] if is_real(typer, call.args[2]) else None


@lowering(runtime_linalg.solve_transposed)
def _solve_transposed(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    a, dz, b = call.args
    if rank_of(typer, a) == 2 and rank_of(typer, b) in (1, 2):
        solve = syntax.attribute(external(np, "np"), "linalg", "solve")
        return syntax.call(solve, transpose_of(a), dz)
    return None


@lowering(runtime_linalg.solve_outer)
def _solve_outer(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    t, z, b = call.args
    if rank_of(typer, b) == rank_of(typer, z) == 1:
        return syntax.call(numpy_name(external, "outer"), t, z)
    if rank_of(typer, b) == rank_of(typer, z) == 2:
        return syntax.binary(t, "@", transpose_of(z))
    return None


# Fourier transforms ---------------------------------------------------------------------------
@lowering(runtime_fourier.fitted)
def _fitted(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    n = option(call, 2, "n")
    return call.args[0] if n is None or isinstance(typer.kind(n), Nothing) else None


@lowering(runtime_fourier.axes_of)
def _axes_of(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    sizes, axes = option(call, 1, "s"), option(call, 2, "axes")
    if sizes is None or isinstance(typer.kind(sizes), Nothing):
        return axes if axes is not None else syntax.constant(None)
    return None


# scipy.linalg -----------------------------------------------------------------------------------
@lowering(runtime_linalg.real_for)
def _real_for(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if is_real(typer, call.args[0]) and is_real(typer, call.args[1]) else None


@lowering(runtime_matrices.whole_matrix)
def _whole_matrix(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if _is_general(call, typer) else None


@lowering(runtime_matrices.part_read)
def _part_read(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if _is_general(call, typer) else None


def _is_general(call: gast.Call, typer: Typer) -> bool:
    asked = option(call, 1, "assume_a")
    return asked is None or isinstance(typer.kind(asked), Nothing) \
        or value_of(typer.kind(asked)) in ("gen", "general")


@lowering(runtime_matrices.turned_back)
def _turned_back(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    asked = option(call, 1, "transposed")
    plain = asked is None or value_of(typer.kind(asked)) is False
    return transpose_of(call.args[0]) if plain and rank_of(typer, call.args[0]) == 2 else None


@lowering(runtime_matrices.conjugate_for)
def _conjugate_for(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    known = value_of(typer.kind(call.args[1])) in (0, 1, "N", "T")
    return call.args[0] if known or is_real(typer, call.args[0]) else None


@lowering(runtime_matrices.back_mode)
def _back_mode(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    trans = value_of(typer.kind(call.args[0]))
    return None if trans is NO_VALUE else syntax.constant(1 if trans in (0, "N") else 0)


@lowering(runtime_matrices.system_adjoint)
def _system_adjoint(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    t, x, b = call.args[:3]
    trans = option(call, 3, "trans")
    if trans is not None and value_of(typer.kind(trans)) not in (0, "N"):
        return None
    outer = syntax.call(external(runtime_linalg.solve_outer, "solve_outer"), t, x, b)
    return gast.UnaryOp(gast.USub(), _solve_outer(outer, typer, external) or outer)


@lowering(runtime_matrices.triangle)
def _triangle(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    asked = [option(call, 1, "lower"), option(call, 2, "unit")]
    values = [False if one is None else value_of(typer.kind(one)) for one in asked]
    if not all(isinstance(v, bool) for v in values):
        return None
    lower, unit = values
    name = numpy_name(external, "tril" if lower else "triu")
    offset = [syntax.constant(-1 if lower else 1)] if unit else []
    return syntax.call(name, call.args[0], *offset)
