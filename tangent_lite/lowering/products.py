"""Helpers of products that the kinds make superfluous."""
from __future__ import annotations

import gast

from tangent_lite import runtime, syntax
from tangent_lite.inference import Typer
from tangent_lite.kinds import value_of
from tangent_lite.lowering import einsum as lowering_einsum
from tangent_lite.lowering.table import lower, lowering
from tangent_lite.lowering.words import (
    External,
    column_times_row,
    matrix_times_vector,
    numpy_name,
    rank_of,
    transpose_of,
    vector_times_matrix,
)
from tangent_lite.runtime import products as runtime_products


@lowering(runtime.matmul_adjoint_left, runtime_products.dot_adjoint_left)
def _matmul_left(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    ranks = rank_of(typer, x), rank_of(typer, y)
    if ranks == (1, 1):
        return syntax.binary(dz, "*", y)
    if ranks == (2, 2):
        return syntax.binary(dz, "@", transpose_of(y))
    if ranks == (1, 2):
        return matrix_times_vector(y, dz)
    if ranks == (2, 1):
        return column_times_row(dz, y)
    return None


@lowering(runtime.matmul_adjoint_right, runtime_products.dot_adjoint_right)
def _matmul_right(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    ranks = rank_of(typer, x), rank_of(typer, y)
    if ranks == (1, 1):
        return syntax.binary(dz, "*", x)
    if ranks == (2, 2):
        return syntax.binary(transpose_of(x), "@", dz)
    if ranks == (2, 1):
        return vector_times_matrix(dz, x)
    if ranks == (1, 2):
        return column_times_row(x, dz)
    return None


@lowering(runtime_products.inner_adjoint_left)
def _inner_left(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    ranks = rank_of(typer, x), rank_of(typer, y)
    if ranks == (1, 1):
        return syntax.binary(dz, "*", y)
    return syntax.binary(dz, "@", y) if ranks == (2, 2) else None


@lowering(runtime_products.inner_adjoint_right)
def _inner_right(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    ranks = rank_of(typer, x), rank_of(typer, y)
    if ranks == (1, 1):
        return syntax.binary(dz, "*", x)
    return syntax.binary(transpose_of(dz), "@", x) if ranks == (2, 2) else None


@lowering(runtime_products.outer_adjoint_left)
def _outer_left(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    return syntax.binary(dz, "@", y) if rank_of(typer, x) == rank_of(typer, y) == 1 else None


@lowering(runtime_products.outer_adjoint_right)
def _outer_right(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    return syntax.binary(x, "@", dz) if rank_of(typer, x) == rank_of(typer, y) == 1 else None


@lowering(runtime_products.einsum_operand)
def _einsum_operand(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    spec, k, dz, xs = call.args
    text, number = value_of(typer.kind(spec)), value_of(typer.kind(k))
    if not isinstance(text, str) or not isinstance(number, int) or not isinstance(xs, gast.Tuple):
        return None
    return lowering_einsum.adjoint(text, number, dz, xs.elts, lambda n: numpy_name(external, n))


@lowering(runtime_products.einsum_adjoint)
def _einsum_adjoint(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """In the words of the form that names letters, where the form is known."""
    k, dz, operands = call.args
    number = value_of(typer.kind(k))
    found = lowering_einsum.named(operands, typer)
    if found is None or number not in found[1]:
        return None
    spec, places = found
    xs = [operands.elts[i] for i in places]
    made = syntax.call(external(runtime_products.einsum_operand, "einsum_operand"), spec,
                       syntax.constant(places.index(number)), dz, syntax.tuple_of(xs))
    return lower(runtime_products.einsum_operand, made, typer, external)


@lowering(runtime_products.einsum_along)
def _einsum_along(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dxs, operands = call.args
    found = lowering_einsum.named(operands, typer)
    if found is None or not isinstance(dxs, gast.Tuple):
        return None
    spec, places = found
    return lowering_einsum.tangent(spec, [dxs.elts[i] for i in places],
                                   [operands.elts[i] for i in places],
                                   lambda n: numpy_name(external, n))
