"""Kind functions: the kind of a call's result, from the kinds of its arguments.

`elementwise(Array(2, "float"), FLOAT)` is `Array(2, "float")`. A kind function may say less than
is true, never more: what it does not know is Numeric (a number or an array) or UNKNOWN. NumPy
returns numbers, not arrays without dimensions, from operations and reductions; functions that
make, join or reshape return arrays.
"""
from __future__ import annotations

import dataclasses
from typing import Any

from tangent_lite import kinds
from tangent_lite.kinds import (
    BOOL, FLOAT, INT, NO_VALUE, NOTHING, UNKNOWN, Array, Kind, ListKind, Number, Numeric, TupleKind,
    dtype_named, dtype_of, join_all, join_dtype, new_shape, value_of,
)

_NUMBERS = ("bool", "int", "float", "complex")


def scalar(dtype: str | None) -> Kind:
    """A number of this type (an object may be anything)."""
    return Number(dtype) if dtype in _NUMBERS else Numeric(dtype) if dtype is None else UNKNOWN


def with_dtype(kind: Kind, dtype: str | None) -> Kind:
    if isinstance(kind, Number):
        return scalar(dtype)
    if isinstance(kind, Array):
        return Array(kind.ndim, dtype, kind.shape)
    return Numeric(dtype) if isinstance(kind, Numeric) else kind


def numbers_in(kind: Kind) -> str | None:
    """The class of numbers in a value, looking into lists and tuples."""
    if isinstance(kind, ListKind):
        return None if kind.item is kinds.EMPTY else numbers_in(kind.item)
    if isinstance(kind, TupleKind) and kind.items:
        dtype = numbers_in(kind.items[0])
        for item in kind.items[1:]:
            dtype = join_dtype(dtype, numbers_in(item))
        return dtype
    return dtype_of(kind)


def rank(kind: Kind) -> int | None:
    """How many dimensions NumPy sees in a value."""
    if isinstance(kind, Number):
        return 0
    if isinstance(kind, Array):
        return kind.ndim
    if isinstance(kind, ListKind):
        inner = None if kind.item is kinds.EMPTY else rank(kind.item)
    elif isinstance(kind, TupleKind) and kind.items:
        ranks = {rank(item) for item in kind.items}
        inner = ranks.pop() if len(ranks) == 1 else None
    else:
        return None
    return None if inner is None else inner + 1


def whole(kind: Kind) -> int | None:
    """The value of a literal integer."""
    value = value_of(kind)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# Elementwise ----------------------------------------------------------------------------------
def _broadcast(arguments: tuple[Kind, ...], dtype: str | None) -> Kind:
    if dtype in ("object", "other"):
        return UNKNOWN
    arrays = [k for k in arguments if isinstance(k, Array)]
    if any(not isinstance(k, (Number, Array)) for k in arguments):
        ranks = [rank(k) for k in arguments]
        if any(r is not None and r > 0 for r in ranks):
            return Array(None if None in ranks else max(ranks), dtype)      # type: ignore[type-var]
        if any(isinstance(k, (Array, Numeric)) for k in arguments):
            return Numeric(dtype)
        # Numbers and what is not known: 2 * [x] is a list.
        if any(isinstance(k, Number) and k.type in ("float", "complex") for k in arguments):
            return Numeric(dtype)
        return UNKNOWN
    if not arrays:
        return scalar(dtype)
    ranks = [a.ndim for a in arrays]
    if None in ranks:
        return Array(None, dtype) if any(r for r in ranks) else Numeric(dtype)
    ndim = max(ranks)                                                       # type: ignore[type-var]
    if ndim == 0:
        return scalar(dtype)        # an operation on arrays without dimensions gives a number
    full = [a for a in arrays if a.ndim != 0]
    tokens = {a.shape for a in full}
    known = len(tokens) == 1 and full[0].shape is not None
    return Array(ndim, dtype, full[0].shape if known else new_shape())


def _joined(arguments: tuple[Kind, ...]) -> str | None:
    dtype = dtype_of(arguments[0])
    for kind in arguments[1:]:
        dtype = join_dtype(dtype, dtype_of(kind))
    return dtype


def elementwise(*arguments: Kind, **options: Kind) -> Kind:
    """Operations that broadcast and give the joined type: +, -, *, maximum."""
    if options:
        return Numeric(None)
    return _broadcast(arguments, _joined(arguments))


def elementwise_float(*arguments: Kind, **options: Kind) -> Kind:
    """Like elementwise, but of integers it makes floats: /, sin, exp."""
    kind = elementwise(*arguments, **options)
    return with_dtype(kind, "float") if dtype_of(kind) in ("int", "bool") else kind


def elementwise_int(*arguments: Kind, **options: Kind) -> Kind:
    """Arithmetic that makes integers of booleans, floats of floats: power, floor_divide."""
    kind = elementwise(*arguments, **options)
    return with_dtype(kind, "int") if dtype_of(kind) == "bool" else kind


def quotient_and_rest(*arguments: Kind, **options: Kind) -> Kind:
    """divmod: a pair."""
    kind = elementwise_int(*arguments, **options)
    return TupleKind((kind, kind))


def two_parts(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """modf: fraction and whole part."""
    kind = elementwise_float(x)
    return TupleKind((kind, kind))


def elementwise_bool(*arguments: Kind, **options: Kind) -> Kind:
    """Comparisons, isnan, logical operations."""
    return _broadcast(arguments, "bool") if not options else Numeric("bool")


def comparison(*arguments: Kind, **options: Kind) -> Kind:
    """==, < and the like: a bool unless an array takes part."""
    if all(isinstance(k, (Number, Array, Numeric)) for k in arguments):
        return elementwise_bool(*arguments, **options)
    return UNKNOWN


def elementwise_real(*arguments: Kind, **options: Kind) -> Kind:
    """abs: complex in, real out."""
    kind = elementwise(*arguments, **options)
    return with_dtype(kind, "float") if dtype_of(kind) == "complex" else kind


def elementwise_angle(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """angle: always real floats."""
    return with_dtype(elementwise(x), "float") if dtype_of(x) is not None else Numeric(None)


def floor_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """floor, ceil, trunc: floats stay floats; of integers it depends on the version of NumPy."""
    kind = elementwise(x) if not rest and not options else Numeric(None)
    return Numeric(None) if dtype_of(kind) in ("int", "bool") else kind


def i0_kind(x: Kind, **options: Kind) -> Kind:
    """i0: an array even of a number."""
    return Array(rank(x), join_dtype(numbers_in(x), "float"), x.shape if isinstance(x, Array)
                 else None)


def round_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    kind = elementwise(x)
    return Numeric(None) if dtype_of(kind) in ("int", "bool") or "out" in options else kind


def ldexp_kind(x: Kind, i: Kind = UNKNOWN, **options: Kind) -> Kind:
    return with_dtype(elementwise(x, i), "float") if not options else Numeric(None)


def isclose_kind(*arguments: Kind, **options: Kind) -> Kind:
    return elementwise_bool(*arguments[:2])


def part(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.real, np.imag: same shape, never complex; a 0-d array stays an array."""
    if isinstance(x, Number):
        return scalar("float" if x.type == "complex" else x.type)
    if isinstance(x, (Array, Numeric)):
        return with_dtype(x, "float") if dtype_of(x) == "complex" else x
    return UNKNOWN


def nan_to_num_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return elementwise(x)


def clip(x: Kind, low: Kind = NOTHING, high: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    bounds = [k for k in (options.get("min", low), options.get("max", high))
              if not isinstance(k, kinds.Nothing)]
    return elementwise(x, *bounds)


def where(condition: Kind, *branches: Kind, **options: Kind) -> Kind:
    """Always an array, even of numbers; with a condition alone, a tuple of positions."""
    if not branches:
        n = rank(condition)
        return UNKNOWN if n is None else TupleKind((Array(1, "int"),) * max(n, 1))
    dtype = _joined(branches)
    kind = _broadcast((condition, *branches), dtype)
    if isinstance(kind, Number):
        return Array(0, dtype)
    return kind if isinstance(kind, Array) else Array(None, dtype)


def scalar_float(*arguments: Kind, **options: Kind) -> Kind:
    """math.sin and friends: always a float."""
    return FLOAT


def scalar_complex(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.COMPLEX


def scalar_int(*arguments: Kind, **options: Kind) -> Kind:
    return INT


def scalar_bool(*arguments: Kind, **options: Kind) -> Kind:
    return BOOL


def text(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.TEXT


def unknown(*arguments: Kind, **options: Kind) -> Kind:
    return UNKNOWN


def nothing(*arguments: Kind, **options: Kind) -> Kind:
    return NOTHING


def numeric(*arguments: Kind, **options: Kind) -> Kind:
    """Some array or number with the type of the first argument."""
    return Numeric(numbers_in(arguments[0]))


# Shapes ---------------------------------------------------------------------------------------
def like_first(*arguments: Kind, **options: Kind) -> Kind:
    """An array shaped like the first argument: np.copy, zeros_like; of a number it is 0-d."""
    kind = arguments[0]
    dtype = numbers_in(kind)
    if len(arguments) > 1 or "dtype" in options:
        asked = arguments[1] if len(arguments) > 1 else options["dtype"]
        dtype = dtype if isinstance(asked, kinds.Nothing) else dtype_named(asked)
    if isinstance(kind, Array):
        return Array(kind.ndim, dtype, kind.shape)
    return Array(rank(kind), dtype)


def copied(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.copy: an array of the same shape, even of a number."""
    return x if isinstance(x, Array) else Array(rank(x), numbers_in(x))


def full_like(x: Kind, value: Kind, *rest: Kind, **options: Kind) -> Kind:
    return like_first(x, *rest, **options)


def same_rank(*arguments: Kind, **options: Kind) -> Kind:
    """An array of as many dimensions, with a shape of its own: .T, flip, roll, sort."""
    kind = arguments[0]
    return Array(rank(kind), numbers_in(kind), new_shape())


def same_rank_same_shape(*arguments: Kind, **options: Kind) -> Kind:
    """An array of the same shape: flip, roll, triu."""
    kind = arguments[0]
    return Array(kind.ndim, kind.dtype, kind.shape) if isinstance(kind, Array) else \
        Array(rank(kind), numbers_in(kind))


def array_of_rank(ndim: int, x: Kind) -> Kind:
    return Array(ndim, numbers_in(x), new_shape())


def vector(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """ravel, flatten: one dimension."""
    return array_of_rank(1, x)


def some_array(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An array of which only the type is known."""
    return Array(None, numbers_in(x))


def triangle(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """tril, triu: of a vector they make a matrix."""
    if isinstance(x, Array) and x.ndim is not None and x.ndim >= 2:
        return x
    return Array(None if rank(x) is None else max(rank(x), 2), numbers_in(x))   # type: ignore[type-var]


def pad_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(rank(x), numbers_in(x), new_shape())


def int_array(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(None, "int")


def rank_of_shape(shape: Kind) -> int | None:
    if isinstance(shape, Number):
        return 1
    return len(shape.items) if isinstance(shape, TupleKind) else None


def reshape(x: Kind, shape: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """np.reshape(x, shape), and x.reshape(2, 3) with the sizes one by one."""
    shape = options.get("shape", shape)
    if rest and isinstance(shape, Number):
        return Array(1 + len(rest), numbers_in(x), new_shape())
    return Array(rank_of_shape(shape), numbers_in(x), new_shape())


def broadcast_to(x: Kind, shape: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    return Array(rank_of_shape(options.get("shape", shape)), numbers_in(x), new_shape())


def expand_dims(x: Kind, axis: Kind = UNKNOWN, **options: Kind) -> Kind:
    ndim, added = rank(x), rank_of_shape(axis)
    return Array(None if ndim is None or added is None else ndim + added, numbers_in(x),
                 new_shape())


def squeeze(x: Kind, axis: Kind = NOTHING, **options: Kind) -> Kind:
    ndim, removed = rank(x), rank_of_shape(axis)
    if isinstance(x, Number):
        return Numeric(x.type)
    return Array(None if ndim is None or removed is None else ndim - removed, numbers_in(x),
                 new_shape())


def atleast(least: int) -> Any:
    def kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
        if rest:
            return UNKNOWN
        ndim = rank(x)
        if isinstance(x, Array) and ndim is not None and ndim >= least:
            return x
        return Array(None if ndim is None else max(ndim, least), numbers_in(x), new_shape())
    return kind


def concatenate(arrays: Kind, axis: Kind = INT, *rest: Kind, **options: Kind) -> Kind:
    if rest or "dtype" in options or "out" in options:
        return Array(None, None)
    if isinstance(options.get("axis", axis), kinds.Nothing):
        return array_of_rank(1, arrays)
    item = join_all(arrays.items) if isinstance(arrays, TupleKind) else \
        arrays.item if isinstance(arrays, ListKind) else UNKNOWN
    if isinstance(arrays, Array):
        return Array(None if arrays.ndim is None else arrays.ndim - 1, arrays.dtype)
    return Array(rank(item), numbers_in(arrays), new_shape())


def append_kind(x: Kind, values: Kind = UNKNOWN, axis: Kind = NOTHING, **options: Kind) -> Kind:
    dtype = join_dtype(numbers_in(x), numbers_in(values))
    return Array(1 if isinstance(axis, kinds.Nothing) else rank(x), dtype, new_shape())


def stack(arrays: Kind, *rest: Kind, **options: Kind) -> Kind:
    if "dtype" in options or "out" in options:
        return Array(None, None)
    return Array(rank(arrays), numbers_in(arrays), new_shape())


def joined_at_least(least: int) -> Any:
    """vstack, hstack, dstack, column_stack: arrays of at least so many dimensions."""
    def kind(arrays: Kind, *rest: Kind, **options: Kind) -> Kind:
        ndim = rank(arrays)
        if rest or options or isinstance(arrays, Array):
            return Array(None, None)
        return Array(None if ndim is None else max(ndim - 1, least), numbers_in(arrays),
                     new_shape())
    return kind


def split(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return ListKind(Array(rank(x), numbers_in(x)))


def sort_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    if not rest and "axis" not in options:
        return copied(x)
    return Array(None, numbers_in(x))


def interp_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """interp: floats in the shape of x; complex values are possible."""
    values = numbers_in(rest[1]) if len(rest) > 1 else None
    return with_dtype(elementwise(x), join_dtype(values, "float"))


def less_rank_or_number(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """trapezoid: one dimension less, a number for a vector."""
    ndim = rank(x)
    if ndim is None or ndim < 1:
        return Numeric(None)
    return scalar(None) if ndim == 1 else Array(ndim - 1, None, new_shape())


def take(x: Kind, indices: Kind = UNKNOWN, axis: Kind = NOTHING, *rest: Kind,
         **options: Kind) -> Kind:
    ndim, inner = rank(x), rank(indices)
    if ndim is None or inner is None:
        return Numeric(numbers_in(x))
    left = inner if isinstance(axis, kinds.Nothing) else ndim - 1 + inner
    return scalar(numbers_in(x)) if left == 0 else Array(left, numbers_in(x), new_shape())


def diag(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    ndim = rank(x)
    return Array(None if ndim is None else 3 - ndim, numbers_in(x), new_shape())


def less_rank(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """diagonal, and what else takes one dimension away and leaves an array."""
    ndim = rank(x)
    return Array(None if ndim is None else ndim - 1, numbers_in(x), new_shape())


def flat_unless_axis(position: int) -> Any:
    """cumsum, repeat, append: one dimension without an axis, else that of the first argument."""
    def kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
        axis = options.get("axis", rest[position - 1] if len(rest) >= position else NOTHING)
        dtype = numbers_in(x)
        if isinstance(axis, kinds.Nothing):
            return Array(1, dtype, new_shape())
        return Array(rank(x) if isinstance(axis, Number) else None, dtype, new_shape())
    return kind


def cumulative(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, **options: Kind) -> Kind:
    number = join_dtype(numbers_in(x), "int") if isinstance(dtype, kinds.Nothing) else \
        dtype_named(dtype)
    if isinstance(axis, kinds.Nothing):
        same = isinstance(x, Array) and x.ndim == 1
        return Array(1, number, x.shape if same else new_shape())           # type: ignore[attr-defined]
    return Array(x.ndim, number, x.shape) if isinstance(x, Array) and isinstance(axis, Number) \
        else Array(None, number)


def from_shape(shape: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """zeros, ones, empty: floats unless a dtype is given."""
    dtype = "float" if not rest and "dtype" not in options else \
        dtype_named(rest[0] if rest else options["dtype"])
    return Array(rank_of_shape(shape), dtype, new_shape())


def full(shape: Kind = UNKNOWN, fill_value: Kind = UNKNOWN, dtype: Kind = NOTHING,
         **options: Kind) -> Kind:
    asked = numbers_in(fill_value) if isinstance(dtype, kinds.Nothing) else dtype_named(dtype)
    return Array(rank_of_shape(shape), asked, new_shape())


def array(x: Kind, dtype: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """np.array, np.asarray of arrays, numbers and lists of them."""
    asked = numbers_in(x) if isinstance(dtype, kinds.Nothing) else dtype_named(dtype)
    if "ndmin" in options:
        return Array(None, asked)
    return Array(rank(x), asked, x.shape if isinstance(x, Array) else new_shape())


def astype(x: Kind, dtype: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    asked = dtype_named(dtype)
    if isinstance(x, Array):
        return Array(x.ndim, asked, x.shape)
    return Numeric(asked)


def arange(*bounds: Kind, dtype: Kind = NOTHING, **options: Kind) -> Kind:
    if len(bounds) > 3 or not isinstance(dtype, kinds.Nothing):
        return Array(1, dtype_named(bounds[3] if len(bounds) > 3 else dtype), new_shape())
    return Array(1, join_dtype(_joined(bounds), "int") if bounds else None, new_shape())


def eye(n: Kind = UNKNOWN, *rest: Kind, dtype: Kind = UNKNOWN, **options: Kind) -> Kind:
    return Array(2, "float" if dtype is UNKNOWN and len(rest) < 1 else None, new_shape())


def linspace(start: Kind, stop: Kind, *rest: Kind, **options: Kind) -> Kind:
    ranks = rank(start), rank(stop)
    if options.keys() & {"dtype", "retstep"} or len(rest) > 1 or None in ranks:
        return UNKNOWN
    dtype = join_dtype(join_dtype(numbers_in(start), numbers_in(stop)), "float")
    return Array(max(ranks) + 1, dtype, new_shape())                        # type: ignore[type-var]


# Reductions -----------------------------------------------------------------------------------
def reduction(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, out: Kind = NOTHING,
              keepdims: Kind = Number("bool", False), **options: Kind) -> Kind:
    """sum, prod: axes taken away; booleans are counted."""
    asked = join_dtype(numbers_in(x), "int") if isinstance(dtype, kinds.Nothing) else \
        dtype_named(dtype)
    return _reduce(x, axis, keepdims, asked)


def reduction_float(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, out: Kind = NOTHING,
                    keepdims: Kind = Number("bool", False), **options: Kind) -> Kind:
    """mean."""
    asked = join_dtype(numbers_in(x), "float") if isinstance(dtype, kinds.Nothing) else \
        dtype_named(dtype)
    return _reduce(x, axis, keepdims, asked)


def reduction_spread(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, out: Kind = NOTHING,
                     ddof: Kind = INT, keepdims: Kind = Number("bool", False),
                     **options: Kind) -> Kind:
    """std, var: real even of complex numbers."""
    given = numbers_in(x)
    return _reduce(x, axis, keepdims, "float" if given in _NUMBERS else None)


def reduction_same(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                   keepdims: Kind = Number("bool", False), **options: Kind) -> Kind:
    """max, min, ptp: the type stays."""
    return _reduce(x, axis, keepdims, numbers_in(x))


def reduction_median(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                     overwrite_input: Kind = BOOL, keepdims: Kind = Number("bool", False),
                     **options: Kind) -> Kind:
    return _reduce(x, axis, keepdims, join_dtype(numbers_in(x), "float"))


def reduction_bool(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                   keepdims: Kind = Number("bool", False), **options: Kind) -> Kind:
    return _reduce(x, axis, keepdims, "bool" if dtype_of(x) in _NUMBERS else None)


def reduction_int(x: Kind, axis: Kind = NOTHING, out: Kind = NOTHING,
                  keepdims: Kind = Number("bool", False), **options: Kind) -> Kind:
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
         keepdims: Kind = Number("bool", False), **options: Kind) -> Kind:
    return _reduce(x, axis, keepdims, "float" if numbers_in(x) in _NUMBERS else None)


def average(x: Kind, axis: Kind = NOTHING, weights: Kind = NOTHING, **options: Kind) -> Kind:
    if "returned" in options:
        return UNKNOWN
    dtype = join_dtype(numbers_in(x), "float")
    if not isinstance(weights, kinds.Nothing):
        dtype = join_dtype(dtype, numbers_in(weights))
    return _reduce(x, axis, options.get("keepdims", Number("bool", False)), dtype)


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
        return Array(ndim, dtype, new_shape())
    removed = 1 if isinstance(axis, Number) else \
        len(axis.items) if isinstance(axis, TupleKind) else None
    if removed is None:
        return Numeric(dtype)
    left = ndim - removed
    if left <= 0:
        return scalar(dtype)
    return Array(left, dtype, new_shape())


# Products -------------------------------------------------------------------------------------
def matmul(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """a @ b of every pair of ranks."""
    dtype = join_dtype(numbers_in(a), numbers_in(b))
    if not isinstance(a, (Array, Numeric)) and not isinstance(b, (Array, Numeric)):
        return UNKNOWN
    if not (isinstance(a, Array) and isinstance(b, Array)) or a.ndim is None or b.ndim is None:
        return Numeric(dtype)
    if a.ndim == 1 and b.ndim == 1:
        return scalar(dtype)
    ndim = max(a.ndim, b.ndim) - (1 if 1 in (a.ndim, b.ndim) else 0)
    return Array(ndim, dtype, new_shape())


def dot(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.dot: numbers multiply, and the last axis meets the last but one."""
    ranks, dtype = (rank(a), rank(b)), join_dtype(numbers_in(a), numbers_in(b))
    if None in ranks:
        return Numeric(dtype)
    ndim = sum(ranks) - (2 if 0 not in ranks else 0)                        # type: ignore[arg-type]
    return scalar(dtype) if ndim == 0 else Array(ndim, dtype, new_shape())


def inner(a: Kind, b: Kind, **options: Kind) -> Kind:
    return dot(a, b)


def scalar_product(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    return scalar(join_dtype(numbers_in(a), numbers_in(b)))


def outer(a: Kind, b: Kind, **options: Kind) -> Kind:
    return Array(2, join_dtype(numbers_in(a), numbers_in(b)), new_shape())


def kron(a: Kind, b: Kind, **options: Kind) -> Kind:
    ranks, dtype = (rank(a), rank(b)), join_dtype(numbers_in(a), numbers_in(b))
    if None in ranks or 0 in ranks:
        return Numeric(dtype)
    return Array(max(ranks), dtype, new_shape())                            # type: ignore[type-var]


def tensordot(a: Kind, b: Kind, axes: Kind = Number("int", 2), **options: Kind) -> Kind:
    ranks, dtype = (rank(a), rank(b)), join_dtype(numbers_in(a), numbers_in(b))
    count = whole(axes)
    if isinstance(axes, TupleKind) and len(axes.items) == 2:
        first = axes.items[0]
        count = 1 if isinstance(first, Number) else \
            len(first.items) if isinstance(first, TupleKind) else None
    if None in ranks or count is None:
        return Array(None, dtype)
    return Array(sum(ranks) - 2 * count, dtype, new_shape())                # type: ignore[arg-type]


def einsum(spec: Kind, *operands: Kind, **options: Kind) -> Kind:
    text = value_of(spec)
    dtype = None
    if operands:
        dtype = numbers_in(operands[0])
        for operand in operands[1:]:
            dtype = join_dtype(dtype, numbers_in(operand))
    if not isinstance(text, str) or "..." in text or options:
        return Numeric(None if options else dtype)
    text = text.replace(" ", "")
    if "->" in text:
        ndim = len(text.split("->")[1])
    else:
        letters = text.replace(",", "")
        ndim = sum(letters.count(c) == 1 for c in set(letters))
    return scalar(dtype) if ndim == 0 else Array(ndim, dtype, new_shape())


# Linear algebra -------------------------------------------------------------------------------
def square_like(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """inv, cholesky: as many dimensions, floats at least."""
    return Array(rank(x), join_dtype(numbers_in(x), "float"), x.shape if isinstance(x, Array)
                 else new_shape())


def pinv_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(rank(x), join_dtype(numbers_in(x), "float"), new_shape())


def determinant(x: Kind, **options: Kind) -> Kind:
    ndim, dtype = rank(x), join_dtype(numbers_in(x), "float")
    if ndim is None:
        return Numeric(dtype)
    return scalar(dtype) if ndim == 2 else Array(ndim - 2, dtype, new_shape())


def solve_kind(a: Kind, b: Kind, **options: Kind) -> Kind:
    ranks = rank(a), rank(b)
    dtype = join_dtype(join_dtype(numbers_in(a), numbers_in(b)), "float")
    if ranks[0] == 2 and ranks[1] is not None and ranks[1] <= 2:
        return Array(ranks[1], dtype, new_shape())
    return Array(None, dtype)


def eigenvalues(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    ndim = rank(x)
    known = "float" if numbers_in(x) in _NUMBERS else None
    return Array(None if ndim is None else ndim - 1, known, new_shape())


# Helpers of emitted code ----------------------------------------------------------------------
def shaped_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint in the shape of x, with numbers like those of dy."""
    return _shaped(x, dtype_of(dy))


def shaped_like_third(dz: Kind, x: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    return _shaped(y, join_dtype(dtype_of(dz), dtype_of(x)))


def _shaped(x: Kind, dtype: str | None) -> Kind:
    if isinstance(x, Number):
        # A view of a 0-d array may be one.
        return Numeric(dtype)
    if isinstance(x, Array) and x.ndim is not None and x.ndim > 0:
        return Array(x.ndim, dtype, x.shape)
    return Numeric(dtype)


def matched(dx: Kind, x: Kind, **options: Kind) -> Kind:
    kind = _broadcast((dx, x), dtype_of(dx))
    return Numeric(dtype_of(dx)) if isinstance(kind, Number) else kind


def polygamma_kind(n: Kind, x: Kind, **options: Kind) -> Kind:
    return elementwise_float(x)


def zeros_of(x: Kind, **options: Kind) -> Kind:
    if isinstance(x, Number):
        return FLOAT
    if isinstance(x, Array):
        return Array(x.ndim, x.dtype if x.dtype in ("float", "complex") else None, x.shape)
    return UNKNOWN


# Python ---------------------------------------------------------------------------------------
def builtin_sum(items: Kind, start: Kind = Number("int", 0), **options: Kind) -> Kind:
    if isinstance(items, Array):
        if items.ndim is None or items.ndim < 1:
            return Numeric(None)
        element: Kind = scalar(items.dtype) if items.ndim == 1 else \
            Array(items.ndim - 1, items.dtype)
    elif isinstance(items, ListKind):
        element = items.item
        # The sum of an empty list is the start, which is a number.
        return element if isinstance(element, Number) and element.type == "float" and False else \
            _sum_of(element, start)
    elif isinstance(items, TupleKind):
        element = join_all(items.items)
    else:
        return UNKNOWN
    return _sum_of(element, start)


def _sum_of(element: Kind, start: Kind) -> Kind:
    if not isinstance(element, (Number, Array, Numeric)):
        return UNKNOWN
    dtype = join_dtype(join_dtype(dtype_of(element), dtype_of(start)), "int")
    if isinstance(element, Number) and isinstance(start, Number):
        return scalar(dtype)
    return Numeric(dtype)


def builtin_extreme(*arguments: Kind, **options: Kind) -> Kind:
    """max, min: of several numbers, or of the items of one sequence."""
    if len(arguments) == 1:
        items = arguments[0]
        if isinstance(items, Array):
            return scalar(items.dtype) if items.ndim == 1 else UNKNOWN
        if isinstance(items, ListKind):
            return join_all([items.item, *options.values()]) if "key" not in options else UNKNOWN
        if isinstance(items, TupleKind) and "key" not in options:
            return join_all([*items.items, *options.values()])
        return UNKNOWN
    if "key" in options:
        return UNKNOWN
    return _without_value(join_all(arguments))


def _without_value(kind: Kind) -> Kind:
    return dataclasses.replace(kind, value=NO_VALUE) if isinstance(kind, Number) else kind


def builtin_round(x: Kind, digits: Kind = NOTHING, **options: Kind) -> Kind:
    if isinstance(x, Number):
        return INT if isinstance(digits, kinds.Nothing) and x.type != "complex" else Numeric(None)
    return numeric(x)


def float_of(*arguments: Kind, **options: Kind) -> Kind:
    return FLOAT


def product_of(*arguments: Kind, **options: Kind) -> Kind:
    """math.prod and math.sumprod of numbers."""
    return Numeric(None)


def item_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """x.item(): a Python number."""
    return scalar(numbers_in(x))


def tolist(x: Kind, **options: Kind) -> Kind:
    if isinstance(x, Number):
        return x
    if not isinstance(x, Array) or x.ndim is None:
        return UNKNOWN
    kind = scalar(x.dtype)
    for _ in range(x.ndim):
        kind = ListKind(kind)
    return kind


def shape_of(x: Kind, **options: Kind) -> Kind:
    ndim = rank(x)
    return UNKNOWN if ndim is None else TupleKind((INT,) * ndim)


def ndim_of(x: Kind, **options: Kind) -> Kind:
    ndim = rank(x)
    return INT if ndim is None else Number("int", ndim)


def int_vector(*arguments: Kind, **options: Kind) -> Kind:
    return Array(1, "int", new_shape())


def range_of(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.RANGE


def random_draw(*arguments: Kind, **options: Kind) -> Kind:
    return Numeric("float")
