"""Helpers that the kinds make superfluous: what they do for these kinds is written instead.

`unbroadcast(e, x)` is e where both have the same shape, and np.sum(e) where x is a number;
`power_slope(x, 3)` is `3.0 * x ** 2`. A lowering may only say what the helper says, for every value
of the kinds at hand; where it does not know, the call stays. Here are those of helpers in
`runtime`; the neighbours hold the others, and who imports this has them all.
"""
from __future__ import annotations

import math

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Nothing, Number, value_of
from tangent_lite.kinds.shapes import broadcast_shape, one_shape
from tangent_lite.lowering import linalg as lowering_linalg  # noqa: F401
from tangent_lite.lowering import products as lowering_products  # noqa: F401
from tangent_lite.lowering import shapes as lowering_shapes  # noqa: F401
from tangent_lite.lowering.table import lower, lowering
from tangent_lite.lowering.words import (
    External,
    compare,
    half_of,
    has_elements,
    if_else,
    is_number,
    is_real,
    numpy_name,
    option,
    rank_of,
)
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.shapes.sizes import Sizes


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
    """What is no smaller than the other has the shape of both."""
    dx, x = call.args
    kind, dx_kind = typer.kind(x), typer.kind(dx)
    if isinstance(kind, (Number, Nothing)) or kinds.same_shape(dx_kind, kind):
        return dx
    if isinstance(kind, Array) and isinstance(dx_kind, Array) and isinstance(
            dx_kind.shape, Sizes) and isinstance(kind.shape, Sizes) and one_shape(
                broadcast_shape([dx_kind.shape, kind.shape]), dx_kind.shape):
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


@lowering(runtime.mean_size)
def _mean_size(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    kind, axis = typer.kind(call.args[0]), value_of(typer.kind(option(call, 1, "axis")))
    size = _reduced_size(call, typer, external)
    if size is None or not isinstance(kind, Array) or has_elements(kind.shape, axis):
        return size
    return syntax.call(external(max, "max"), size, syntax.constant(1))


@lowering(runtime_reductions.degrees_of_freedom)
def _degrees_of_freedom(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    count, lost = call.args
    if value_of(typer.kind(lost)) == 0:
        return count
    return syntax.call(external(max, "max"), gast.BinOp(count, gast.Sub(), lost),
                       syntax.constant(0)) if isinstance(typer.kind(count), Number) else None


@lowering(runtime_reductions.degrees_for_each)
def _degrees_for_each(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """With one degree lost, what is negative is divided by only where there are no elements."""
    count, lost = call.args
    if value_of(typer.kind(lost)) == 1:
        return gast.BinOp(count, gast.Sub(), lost)
    return _degrees_of_freedom(call, typer, external)


@lowering(runtime.kept_of_mean)
def _kept_of_mean(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    return call.args[0] if value_of(typer.kind(option(call, 2, "where"))) in (True, None) else None


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
    if isinstance(asked, Nothing) or (not getattr(asked, "is_mixed", False) and (
            name == "complex" or (name == "float" and is_real(typer, call.args[0])))):
        return call.args[0]
    return None


@lowering(runtime.in_dtype)
def _in_dtype(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    asked = typer.kind(option(call, 1, "dtype"))
    if isinstance(asked, Nothing) or kinds.dtype_named(asked) in ("complex", "int", "bool") \
            or is_real(typer, call.args[0]):
        return call.args[0]
    return None


@lowering(runtime.is_left_out)
def _is_left_out(call: gast.Call, typer: Typer, external: External) -> gast.expr:
    kind = typer.kind(call.args[0])
    if isinstance(kind, (Nothing, Number, Array)):
        return syntax.constant(isinstance(kind, Nothing))
    return gast.Compare(call.args[0], [gast.Is()], [syntax.constant(None)])


@lowering(runtime.zeros_like)
def _zeros_like(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    kind = typer.kind(call.args[0])
    if isinstance(kinds.kind_at_hand(kind), Number):
        return syntax.constant(0.0)
    if isinstance(kind, Array) and kind.dtype in ("float", "complex") and not kind.is_mixed:
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

    max(x, y) is x unless y is larger, also where one is NaN: x receives
    `0.0 if x < y else 0.5 * dy if x == y else dy`, y
    `dy if y > x else 0.5 * dy if y == x else 0.0`.
    Of more than two, `0.0 if x < y or x < z else dy / (1 + (x == y) + (x == z))` for the first, and
    `dy / (1 + (y == x) + (y == z)) if y >= x and not y < z else 0.0` for y, which is passed over if
    it is NaN.
    """
    dy, number, xs = call.args
    if not isinstance(xs, gast.Tuple) or not 1 < len(xs.elts) <= _FEW \
            or not isinstance(number, gast.Constant) or not is_number(typer, dy, *xs.elts) \
            or not all(map(syntax.is_atom, [dy, *xs.elts])):
        return None
    wins, leads = (gast.Gt(), gast.GtE()) if isinstance(loses, gast.Lt) else (gast.Lt(), gast.LtE())
    others = list(xs.elts)
    mine = others.pop(number.value)
    nothing = syntax.constant(0.0)
    if len(others) == 1:
        tie = compare(mine, gast.Eq(), others[0])
        first, last = (compare(mine, wins, others[0]), syntax.copy(dy)), nothing
        if number.value == 0:
            first, last = (compare(mine, loses, others[0]), nothing), syntax.copy(dy)
        return if_else(*first, if_else(tie, half_of(dy), last))
    count: gast.expr = syntax.constant(1)
    for other in others:
        count = gast.BinOp(count, gast.Add(), compare(mine, gast.Eq(), other))
    share = gast.BinOp(dy, gast.Div(), count)
    loss = [compare(mine, loses, other) for other in others]
    if number.value == 0:
        return if_else(gast.BoolOp(gast.Or(), loss), nothing, share)
    rest = loss[1:] if len(loss) == 2 else [gast.BoolOp(gast.Or(), loss[1:])]
    return if_else(gast.BoolOp(gast.And(), [compare(mine, leads, others[0]),
                                            gast.UnaryOp(gast.Not(), rest[0])]), share, nothing)


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


@lowering(runtime_reductions.uncumsum)
def _uncumsum(call: gast.Call, typer: Typer, external: External) -> gast.expr | None:
    """Of vectors: `np.cumsum(dy[::-1])[::-1]`."""
    dy, x = call.args[:2]
    axis = option(call, 2, "axis")
    if not rank_of(typer, x) == rank_of(typer, dy) == 1 or (
            axis is not None and value_of(typer.kind(axis)) not in (None, 0, -1)):
        return None
    sums = syntax.call(numpy_name(external, "cumsum"), syntax.reversed_order(dy))
    return syntax.reversed_order(sums)
