"""Kinds of reductions: axes are taken away, or left with a length of one. Positions of elements."""
from __future__ import annotations

from tangent_lite import kinds
from tangent_lite.kinds import (
    BOOL,
    INT,
    NO_VALUE,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    Number,
    Numeric,
    TupleKind,
    derived_shape,
    dtype_named,
    dtype_of,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds.numbers import (
    NO,
    NUMBERS,
    numbers_in,
    rank,
    scalar,
)


def reduction(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, out: Kind = NOTHING,
              keepdims: Kind = NO, **options: Kind) -> Kind:
    """sum, prod: axes taken away; booleans are counted."""
    asked = join_dtype(numbers_in(x), "int") if isinstance(dtype, kinds.Nothing) else \
        dtype_named(dtype)
    return _reduce(x, axis, keepdims, asked)


def reduction_float(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, out: Kind = NOTHING,
                    keepdims: Kind = NO, **options: Kind) -> Kind:
    """mean."""
    asked = join_dtype(numbers_in(x), "float") if isinstance(dtype, kinds.Nothing) else \
        dtype_named(dtype)
    return _reduce(x, axis, keepdims, asked)


def reduction_spread(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, out: Kind = NOTHING,
                     ddof: Kind = INT, keepdims: Kind = NO,
                     **options: Kind) -> Kind:
    """std, var: real even of complex numbers, unless a complex type is asked for."""
    known = numbers_in(x) in NUMBERS
    asked = "float" if isinstance(dtype, kinds.Nothing) else dtype_named(dtype)
    return _reduce(x, axis, keepdims, asked if known and asked in ("float", "complex") else None)


def reduced_count(x: Kind, axis: Kind = NOTHING, where: Kind = NOTHING,
                  keepdims: Kind = NO, **options: Kind) -> Kind:
    """The number of elements that go into one of a reduction: several numbers, where a mask says
    which count."""
    if isinstance(where, kinds.Nothing) or value_of(where) is True:
        return INT
    return _reduce(x, axis, keepdims, "int")


def reduction_same(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                   keepdims: Kind = NO, **options: Kind) -> Kind:
    """max, min, ptp: the type stays."""
    return _reduce(x, axis, keepdims, numbers_in(x))


def reduction_median(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                     overwrite_input: Kind = BOOL, keepdims: Kind = NO,
                     **options: Kind) -> Kind:
    return _reduce(x, axis, keepdims, join_dtype(numbers_in(x), "float"))


def reduction_bool(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                   keepdims: Kind = NO, **options: Kind) -> Kind:
    return _reduce(x, axis, keepdims, "bool" if dtype_of(x) in NUMBERS else None)


def reduction_int(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                  keepdims: Kind = NO, **options: Kind) -> Kind:
    return _reduce(x, axis, keepdims, "int")


def positions_along(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """argsort along the last axis: as many integers."""
    same = isinstance(x, Array) and x.ndim != 0 and not rest and "axis" not in options
    return Array(x.ndim, "int", x.shape) if same else Array(None, "int")    # type: ignore[attr-defined]


def positions_of(x: Kind, values: Kind, *rest: Kind, **options: Kind) -> Kind:
    """searchsorted: a position for each value."""
    ndim = rank(values)
    if ndim is None:
        return Numeric("int")
    return INT if ndim == 0 else Array(ndim, "int", new_shape())


def norm(x: Kind, order: Kind = NOTHING, axis: Kind = NOTHING,
         keepdims: Kind = NO, **options: Kind) -> Kind:
    dtype = "float" if numbers_in(x) in NUMBERS else None
    if not isinstance(order, (Number, kinds.Text, kinds.Nothing)) and order is not UNKNOWN:
        return Numeric(dtype)               # an order for each
    return _reduce(x, axis, keepdims, dtype)


def average(x: Kind, axis: Kind = NOTHING, weights: Kind = NOTHING, **options: Kind) -> Kind:
    if "returned" in options:
        return UNKNOWN
    dtype = join_dtype(numbers_in(x), "float")
    if not isinstance(weights, kinds.Nothing):
        dtype = join_dtype(dtype, numbers_in(weights))
    return _reduce(x, axis, options.get("keepdims", NO), dtype)


def trace(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    ndim, dtype = rank(x), join_dtype(numbers_in(x), "int")
    if ndim is None or len(rest) > 3 or "dtype" in options:
        return Numeric(None)
    return scalar(dtype) if ndim == 2 else Array(ndim - 2, dtype, new_shape())


def _reduce(x: Kind, axis: Kind, keepdims: Kind, dtype: str | None) -> Kind:
    keep, axes, ndim = value_of(keepdims), value_of(axis), rank(x)
    if dtype in ("object", "other"):
        return UNKNOWN
    if isinstance(x, Number):
        return scalar(dtype)
    if not keep and axes is None:
        return scalar(dtype)
    if keep is NO_VALUE or ndim is None or ndim == 0:
        return Numeric(dtype)
    if keep:
        # One along the axes that are gone, so that it broadcasts to the shape of x.
        token = getattr(x, "shape", None)
        return Array(ndim, dtype, new_shape() if axes is NO_VALUE
                     else derived_shape("reduced", token,
                                        tuple(range(ndim)) if axes is None else axes))
    removed = 1 if isinstance(axis, Number) else \
        len(axis.items) if isinstance(axis, TupleKind) else None
    if removed is None:
        return Numeric(dtype)
    left = ndim - removed
    if left <= 0:
        return scalar(dtype)
    gone = (axes,) if isinstance(axis, Number) else axes
    if not isinstance(gone, tuple) or not all(type(a) is int for a in gone):
        return Array(left, dtype, new_shape())
    return Array(left, dtype, derived_shape(
        "without", getattr(x, "shape", None), tuple(sorted(a % ndim for a in gone))))
