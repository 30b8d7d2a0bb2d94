"""Helpers that the kinds make superfluous: what they do for these kinds is written instead.

`unbroadcast(e, x)` is e where both have the same shape, and np.sum(e) where x is a number;
`power_slope(x, 3)` is `3.0 * x ** 2`. A lowering may only say what the helper says, for every value
of the kinds at hand; where it does not know, the call stays.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import (
    kinds,
    lowering_einsum,
    lowering_linalg,
    runtime,
    runtime_lines,
    runtime_products,
    runtime_reductions,
    runtime_shapes,
    syntax,
)
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Kind, Nothing, Number, value_of
from tangent_lite.kinds_duck import holds_duck
from tangent_lite.lowering_words import (
    External,
    Lowering,
    column_times_row,
    compare,
    half_of,
    if_else,
    is_number,
    is_real,
    matrix_times_vector,
    numpy_name,
    option,
    rank_of,
    transpose_of,
    vector_times_matrix,
)

_lowerings: dict[Any, Lowering] = {}


def lowering(*functions: Any) -> Callable[[Lowering], Lowering]:
    """Register how calls of helpers are written where kinds are known; None: as they are."""
    def register(definition: Lowering) -> Lowering:
        for function in functions:
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


# Broadcasting ---------------------------------------------------------------------------------
@lowering(runtime.unbroadcast)
def _unbroadcast(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dy, x = call.args
    dy_kind, x_kind = typer.kind(dy), typer.kind(x)
    if kinds.same_shape(dy_kind, x_kind):
        return dy
    if isinstance(x_kind, Number) and isinstance(dy_kind, Array):
        return syntax.call(numpy_name(external, "sum"), dy)
    return None


@lowering(runtime.match)
def _match(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dx, x = call.args
    kind = typer.kind(x)
    if isinstance(kind, (Number, Nothing)) or kinds.same_shape(typer.kind(dx), kind):
        return dx
    return None


@lowering(runtime.unreduce)
def _unreduce(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if is_number(typer, call.args[1]) else None


@lowering(runtime.reduced_size)
def _reduced_size(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    x, axis = call.args[0], value_of(typer.kind(option(call, 1, "axis")))
    kind = typer.kind(x)
    where = option(call, 2, "where")
    if where is not None:
        if value_of(typer.kind(where)) is not True:
            return None
        call.args = call.args[:2]           # where and keepdims: all elements count
    if isinstance(kind, Number):
        return syntax.constant(1)
    if not isinstance(kind, Array):
        return None
    if axis is None:
        return syntax.attribute(x, "size")
    if isinstance(axis, int):
        return syntax.subscript(syntax.attribute(x, "shape"), syntax.constant(axis))
    return None


@lowering(runtime.kept)
def _kept(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if value_of(typer.kind(option(call, 1, "where"))) in (True, None) else None


@lowering(runtime_reductions.times_initial)
def _times_initial(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if isinstance(typer.kind(option(call, 1, "initial")), Nothing) else None


@lowering(runtime_reductions.ones_outside)
def _ones_outside(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if value_of(typer.kind(option(call, 1, "where"))) in (True, None) else None


@lowering(runtime.share_ties)
def _share_ties(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return syntax.constant(1.0) if is_number(typer, call.args[1]) else None


@lowering(runtime.through_dtype)
def _through_dtype(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    asked = typer.kind(option(call, 1, "dtype"))
    name = kinds.dtype_named(asked)
    if isinstance(asked, Nothing) or name == "complex" or (
            name == "float" and is_real(typer, call.args[0])):
        return call.args[0]
    return None


@lowering(runtime.in_dtype)
def _in_dtype(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    asked = typer.kind(option(call, 1, "dtype"))
    if isinstance(asked, Nothing) or kinds.dtype_named(asked) in ("complex", "int", "bool") \
            or is_real(typer, call.args[0]):
        return call.args[0]
    return None


@lowering(runtime.zeros_like)
def _zeros_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    kind = typer.kind(call.args[0])
    if isinstance(kind, (Number, kinds.Maybe)):
        return syntax.constant(0.0)
    if isinstance(kind, Array) and kind.dtype in ("float", "complex"):
        return syntax.call(numpy_name(external, "zeros_like"), call.args[0])
    return None


# Elementwise ----------------------------------------------------------------------------------
@lowering(runtime.power_slope)
def _power_slope(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """Of a literal exponent n: n * x ** (n - 1)."""
    x, y = call.args
    power = value_of(typer.kind(y))
    if not isinstance(power, (int, float)) or not math.isfinite(power):
        return None
    if power in (0, 1):
        return syntax.constant(float(power))    # a factor of the adjoint, which has the shape
    factor = syntax.constant(float(power))
    if power == 2:
        return syntax.binary(factor, "*", x)
    return syntax.binary(factor, "*", syntax.binary(x, "**", syntax.constant(power - 1)))


@lowering(runtime.log_or_zero)
def _log_or_zero(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    value = value_of(typer.kind(call.args[0]))
    if isinstance(value, (int, float)) and value > 0:
        return syntax.call(syntax.attribute(external(math, "math"), "log"), call.args[0])
    return None


@lowering(runtime.divide_or_zero)
def _divide_or_zero(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    x, y = call.args
    if is_number(typer, x, y) and syntax.is_atom(y):
        return if_else(compare(y, gast.NotEq(), syntax.constant(0.0)),
                   syntax.binary(x, "/", y), syntax.constant(0.0))
    return None


@lowering(runtime.sum_of_products)
def _sum_of_products(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    xs, ys = call.args
    if not all(isinstance(one, (gast.Tuple, gast.List)) for one in (xs, ys)) \
            or len(xs.elts) != len(ys.elts) or not xs.elts \
            or any(isinstance(e, gast.Starred) for e in (*xs.elts, *ys.elts)):
        return None
    # In the order in which the sum adds up.
    products = [gast.BinOp(x, gast.Mult(), y) for x, y in zip(xs.elts, ys.elts)]
    found = products[0]
    for product in products[1:]:
        found = gast.BinOp(found, gast.Add(), product)
    return found


@lowering(runtime.where_larger)
def _where_larger(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    dz, x, y = call.args
    if is_number(typer, dz, x, y) and all(map(syntax.is_atom, call.args)):
        return _share_of_two(dz, x, y)
    given, kind = typer.kind(dz), typer.kind(x)
    if value_of(typer.kind(y)) == 0 and rank_of(typer, x) and kinds.same_shape(given, kind) \
            and kinds.dtype_of(given) == kinds.dtype_of(kind) == "float":
        return syntax.call(external(runtime.where_positive, "where_positive"), dz, x)
    return None


def _share_of_two(dz: gast.expr, x: gast.expr, y: gast.expr) -> gast.expr:
    """`0.0 if x < y else 0.5 * dz if x == y else dz`; dz where one of them is NaN."""
    return if_else(compare(x, gast.Lt(), y), syntax.constant(0.0),
               if_else(compare(x, gast.Eq(), y), half_of(dz), syntax.copy(dz)))


@lowering(runtime.largest_part)
def _largest_part(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return _share_of_numbers(call, typer, gast.Lt())


@lowering(runtime.smallest_part)
def _smallest_part(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return _share_of_numbers(call, typer, gast.Gt())


# An extreme of more numbers than these is left to the helper, which looks at each of them once.
_FEW = 4


def _share_of_numbers(call: gast.Call, typer: Typer, loses: gast.cmpop) -> gast.expr | None:
    """What one of a few numbers receives of their extreme; None where it is anything else.

    Of more than two: `0.0 if x < y or x < z else dy / (1 + (x == y) + (x == z))`.
    """
    dy, number, xs = call.args
    if not isinstance(xs, gast.Tuple) or not 1 < len(xs.elts) <= _FEW \
            or not isinstance(number, gast.Constant) or not is_number(typer, dy, *xs.elts) \
            or not all(map(syntax.is_atom, [dy, *xs.elts])):
        return None
    others = list(xs.elts)
    mine = others.pop(number.value)
    if len(others) == 1:
        pair = [mine, *others]
        return _share_of_two(dy, *(pair if isinstance(loses, gast.Lt) else reversed(pair)))
    count: gast.expr = syntax.constant(1)
    for other in others:
        count = gast.BinOp(count, gast.Add(), compare(mine, gast.Eq(), other))
    return if_else(gast.BoolOp(gast.Or(), [compare(mine, loses, other) for other in others]),
                   syntax.constant(0.0), gast.BinOp(dy, gast.Div(), count))


@lowering(runtime.abs_slope)
def _abs_slope(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return syntax.call(numpy_name(external, "sign"), call.args[0]) \
        if is_real(typer, call.args[0]) else None


@lowering(runtime.imag_adjoint)
def _imag_adjoint(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """-1j * dy of a complex x."""
    if kinds.dtype_of(typer.kind(call.args[1])) != "complex":
        return None
    dy = syntax.call(numpy_name(external, "real"), call.args[0])
    return gast.BinOp(syntax.minus(gast.Constant(1j, None)), gast.Mult(),
                      lower(np.real, dy, typer, external))


@lowering(np.conj, np.real)
def _conj(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if is_real(typer, call.args[0]) else None


@lowering(runtime.over_log)
def _over_log(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    base = option(call, 1, "base")
    if base is None or isinstance(typer.kind(base), Nothing):
        return call.args[0]
    if is_number(typer, base):
        log = syntax.call(syntax.attribute(external(math, "math"), "log"), base)
        return syntax.binary(call.args[0], "/", log)
    return None


@lowering(runtime.over_complex_log)
def _over_complex_log(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    base = option(call, 1, "base")
    return call.args[0] if base is None or isinstance(typer.kind(base), Nothing) else None


@lowering(runtime_reductions.norm_slope)
def _norm_slope(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """Of the usual norm: x / y, and 0 where y is 0."""
    y, x = call.args[:2]
    order = value_of(typer.kind(option(call, 2, "ord")))
    if order is not None and order != "fro":
        return None
    top = syntax.call(numpy_name(external, "conj"), x) if not is_real(typer, x) else x
    rest = [a for a in (option(call, 3, "axis"), option(call, 4, "keepdims")) if a is not None]
    if rest:
        spread = syntax.call(external(runtime.unreduce, "unreduce"), y, syntax.copy(x), *rest)
        y = lower(runtime.unreduce, spread, typer, external)
    slope = syntax.call(external(runtime.divide_or_zero, "divide_or_zero"), top, y)
    return lower(runtime.divide_or_zero, slope, typer, external)


# Products -------------------------------------------------------------------------------------
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


# Shapes ---------------------------------------------------------------------------------------
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
    """Without ends it is that of np.diff(x, n, axis)."""
    if any(not isinstance(typer.kind(option(call, k, name)), Nothing)
           for k, name in ((5, "prepend"), (6, "append"))):
        return None
    back = call.func.id.startswith("diff_part")
    name = external(runtime_shapes.undiff, "undiff") if back else numpy_name(external, "diff")
    return syntax.call(name, call.args[0], *call.args[3:5])


@lowering(runtime_shapes.parts_like)
def _parts_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    kind = typer.kind(call.args[1])
    return call.args[0] if isinstance(kind, Number) or (
        isinstance(kind, Array) and kind.ndim not in (None, 0)) else None


# Linear algebra and Fourier transforms stand by themselves.
_lowerings.update(lowering_linalg.LOWERINGS)
