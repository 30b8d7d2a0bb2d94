"""Kind functions of what reshapes, joins and makes arrays, and of linear algebra."""
from __future__ import annotations

import dataclasses
from typing import Any

from tangent_lite import kinds
from tangent_lite.kinds import (
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    TupleKind,
    dtype_named,
    dtype_of,
    join_all,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds import (
    NUMBERS,
    elementwise,
    joined_dtype,
    numbers_in,
    rank,
    scalar,
    shape_if_natural,
    shape_named,
    sizes_of,
    whole,
    with_dtype,
)
from tangent_lite.shapes.sizes import ONE, Size, Sizes, product

ZERO, ONE_TIME, TWO, LAST = (Number("int", n) for n in (0, 1, 2, -1))


# Shapes ---------------------------------------------------------------------------------------
def like_first(*arguments: Kind, **options: Kind) -> Kind:
    """An array shaped like the first argument: np.copy, zeros_like; of a number it is 0-d."""
    kind = arguments[0]
    dtype = numbers_in(kind)
    if len(arguments) > 1 or "dtype" in options:
        asked = arguments[1] if len(arguments) > 1 else options["dtype"]
        dtype = dtype if isinstance(asked, kinds.Nothing) else dtype_named(asked)
    shape = options.get("shape", arguments[4] if len(arguments) > 4 else NOTHING)
    if not isinstance(shape, kinds.Nothing):
        return Array(rank_of_shape(shape), dtype, shape_named(shape))
    if isinstance(kind, Array):
        return Array(kind.ndim, dtype, kind.shape)
    return Array(rank(kind), dtype)


def copied(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.copy: an array of the same shape, even of a number."""
    return x if isinstance(x, Array) else Array(rank(x), numbers_in(x))


def copied_by_method(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """x.copy(): unlike np.copy it leaves a number of NumPy a number, which no write goes into."""
    return x if isinstance(x, (Number, Numeric)) else copied(x)


def full_like(x: Kind, value: Kind, *rest: Kind, **options: Kind) -> Kind:
    return like_first(x, *rest, **options)


def same_rank(*arguments: Kind, **options: Kind) -> Kind:
    """An array of as many dimensions, with a shape of its own: sort, np.rot90."""
    kind = arguments[0]
    return Array(rank(kind), numbers_in(kind), new_shape())


def transposed(x: Kind, axes: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """np.transpose(x, axes), and x.transpose(1, 0) with the axes one by one; of a float it makes an
    array, of a number of NumPy itself."""
    if isinstance(x, Number):
        return Numeric(x.type)
    sizes, order = sizes_of(x), value_of(options.get("axes", axes))
    if rest:
        order = (order, *map(value_of, rest))
    if sizes is None or (order is not None and (not isinstance(order, tuple) or sorted(
            map(str, order)) != sorted(map(str, range(len(sizes)))))):
        return same_rank(x)
    order = range(len(sizes))[::-1] if order is None else order
    return Array(len(sizes), numbers_in(x), Sizes(sizes[k] for k in order))


def last_axes_swapped(x: Kind, **options: Kind) -> Kind:
    """x.mT: the last two axes change places."""
    sizes = sizes_of(x)
    if sizes is None or len(sizes) < 2:
        return same_rank(x)
    return Array(len(sizes), numbers_in(x), Sizes([*sizes[:-2], sizes[-1], sizes[-2]]))


def same_rank_same_shape(*arguments: Kind, **options: Kind) -> Kind:
    """An array of the same shape: flip, roll, triu."""
    kind = arguments[0]
    return Array(kind.ndim, kind.dtype, kind.shape) if isinstance(kind, Array) else \
        Array(rank(kind), numbers_in(kind))


def flipped(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.flip: what has no dimensions becomes a number."""
    dtype = dtype_of(x)
    if dtype is not None and (isinstance(x, Number) or (isinstance(x, Array) and x.ndim == 0)):
        return Number(dtype)
    return same_rank_same_shape(x)


def array_of_rank(ndim: int, x: Kind) -> Kind:
    return Array(ndim, numbers_in(x), new_shape())


def vector(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """One dimension, however long."""
    return array_of_rank(1, x)


def flattened(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """ravel, flatten: all elements, along one dimension."""
    sizes = sizes_of(x)
    return array_of_rank(1, x) if sizes is None else \
        Array(1, numbers_in(x), Sizes([product(sizes)]))


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


def padding_kind(dvalues: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """What is put beside an array, in the place of what is padded."""
    return Array(rank(x), numbers_in(dvalues), new_shape())


def int_array(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(None, "int")


def rank_of_shape(shape: Kind) -> int | None:
    if isinstance(shape, Number):
        return 1
    return len(shape.items) if isinstance(shape, TupleKind) else None


def reshape(x: Kind, shape: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """np.reshape(x, shape), and x.reshape(2, 3) with the sizes one by one. Without dimensions a
    float becomes an array, a number of NumPy itself."""
    shape = options.get("shape", shape)
    if isinstance(x, (Number, Numeric)) and rank_of_shape(shape) == 0 and not rest:
        return Numeric(numbers_in(x))
    if rest and all(isinstance(size, Number) for size in (shape, *rest)):
        return Array(1 + len(rest), numbers_in(x), _reshaped(x, (shape, *rest)))
    items = shape.items if isinstance(shape, TupleKind) else (shape,)
    return Array(rank_of_shape(shape), numbers_in(x), _reshaped(x, items))


def _reshaped(x: Kind, items: tuple[Kind, ...]) -> Any:
    """The shape that reshape makes, where a size of -1 is what the others leave."""
    if [value_of(item) for item in items].count(-1) != 1:
        return shape_if_natural(*items)
    before, others = sizes_of(x), [k for k in items if value_of(k) != -1]
    found = shape_named(TupleKind(tuple(others)))
    if before is None or not isinstance(found, Sizes) \
            or any(size.is_free for size in before) \
            or any(size.is_free or size.value == 0 for size in found.axes):
        return new_shape()
    left, axes = product(before) // product(found.axes), list(found.axes)
    axes.insert([value_of(item) for item in items].index(-1), left)
    return Sizes(axes)


def broadcast_to(x: Kind, shape: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    shape = options.get("shape", shape)
    return Array(rank_of_shape(shape), numbers_in(x), shape_named(shape))


def expand_dims(x: Kind, axis: Kind = UNKNOWN, **options: Kind) -> Kind:
    ndim, added = rank(x), rank_of_shape(axis)
    sizes, at = sizes_of(x), whole(axis)
    if sizes is not None and at is not None and -len(sizes) - 1 <= at <= len(sizes):
        at = at % (len(sizes) + 1)
        return Array(len(sizes) + 1, numbers_in(x), Sizes([*sizes[:at], ONE, *sizes[at:]]))
    return Array(None if ndim is None or added is None else ndim + added, numbers_in(x),
                 new_shape())


def squeeze(x: Kind, axis: Kind = NOTHING, **options: Kind) -> Kind:
    ndim, removed = rank(x), rank_of_shape(axis)
    if isinstance(x, Number):
        return Numeric(x.type)
    # What has no dimensions may be asked for its first one.
    return Array(None if ndim is None or removed is None else max(ndim - removed, 0),
                 numbers_in(x), new_shape())


def atleast(least: int) -> Any:
    def kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
        if rest:
            return UNKNOWN
        ndim = rank(x)
        if isinstance(x, Array) and ndim is not None and ndim >= least:
            return x
        return Array(None if ndim is None else max(ndim, least), numbers_in(x), new_shape())
    return kind


def concatenate(arrays: Kind, axis: Kind = ZERO, *rest: Kind, **options: Kind) -> Kind:
    if rest or "dtype" in options or "out" in options:
        return Array(None, None)
    if isinstance(options.get("axis", axis), kinds.Nothing):
        return array_of_rank(1, arrays)
    item = join_all(arrays.items) if isinstance(arrays, TupleKind) else \
        arrays.item if isinstance(arrays, ListKind) else UNKNOWN
    if isinstance(arrays, Array):
        return Array(None if arrays.ndim is None else arrays.ndim - 1, arrays.dtype)
    # All have one number of dimensions: `([u[0]], u[:-1])` has that of u.
    known = map(rank, (item, *(arrays.items if isinstance(arrays, TupleKind) else ())))
    ndim = next((one for one in known if one is not None), None)
    return Array(ndim, numbers_in(arrays), _joined(arrays, whole(options.get("axis", axis))))


def _joined(arrays: Kind, axis: int | None) -> Any:
    """The shape of arrays one behind the other."""
    parts = [sizes_of(item) for item in arrays.items] if isinstance(arrays, TupleKind) else [None]
    first = parts[0] if parts else None
    if first is None or axis is None or not -len(first) <= axis < len(first) \
            or any(part is None or len(part) != len(first) for part in parts):
        return new_shape()
    at, length = axis % len(first), first[axis]
    for part in parts[1:]:
        length = length + part[at]                                      # type: ignore[index]
    return Sizes([*first[:at], length, *first[at + 1:]])


def differenced(x: Kind, n: Kind = ONE_TIME, axis: Kind = LAST, prepend: Kind = NOTHING,
                append: Kind = NOTHING, **options: Kind) -> Kind:
    """np.diff: along an axis as many elements fewer as differences are taken, and one more for each
    number that is put in front or behind."""
    times, along, ndim = whole(n), whole(axis), rank(x)
    ends = [end for end in (prepend, append) if not isinstance(end, kinds.Nothing)]
    if not isinstance(x, (Array, Numeric)) and (times is None or times < 1):
        return UNKNOWN                                  # a list itself, where nothing is taken off
    dtype = numbers_in(x)
    for end in ends:
        dtype = join_dtype(dtype, numbers_in(end))
    made = Array(ndim, dtype, new_shape())
    if not isinstance(x, Array) or ndim is None or times is None or times < 0 or along is None \
            or not -ndim <= along < ndim or not all(isinstance(end, Number) for end in ends):
        return made
    at = along % ndim
    shape = x.shape
    if ends:
        sizes = sizes_of(x)
        if sizes is None:
            return made
        shape = Sizes([*sizes[:at], sizes[at] + Size(len(ends)), *sizes[at + 1:]])
    counts = tuple(times if k == at else 0 for k in range(at + 1))
    return dataclasses.replace(made, shape=kinds.derived_shape("trimmed", shape, counts)
                               if times else shape)


def append_kind(x: Kind, values: Kind = UNKNOWN, axis: Kind = NOTHING, **options: Kind) -> Kind:
    dtype = join_dtype(numbers_in(x), numbers_in(values))
    return Array(1 if isinstance(axis, kinds.Nothing) else rank(x), dtype, new_shape())


def stack(arrays: Kind, *rest: Kind, **options: Kind) -> Kind:
    if "dtype" in options or "out" in options:
        return Array(None, None)
    sizes = _nested(arrays) if isinstance(arrays, TupleKind) and not rest and not options else None
    return Array(rank(arrays), numbers_in(arrays), new_shape() if sizes is None else Sizes(sizes))


def joined_at_least(least: int) -> Any:
    """vstack, hstack, dstack, column_stack: arrays of at least so many dimensions, to which those
    of fewer are raised before they are joined."""
    def kind(arrays: Kind, *rest: Kind, **options: Kind) -> Kind:
        if rest or options or isinstance(arrays, Array):
            return Array(None, None)
        whole = rank(arrays)
        ranks = [rank(part) for part in arrays.items] if isinstance(arrays, TupleKind) \
            and arrays.items else [None if whole is None else whole - 1]
        return Array(None if None in ranks else max(least, *ranks),     # type: ignore[type-var]
                     numbers_in(arrays), new_shape())
    return kind


def split(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return ListKind(Array(rank(x), numbers_in(x)))


def sort_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    if not rest and "axis" not in options:
        return copied(x)
    return Array(None, numbers_in(x))


def partition_kind(x: Kind, kth: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    return sort_kind(x, *rest, **options)


def interp_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """interp: floats in the shape of x; complex values are possible."""
    values = numbers_in(rest[1]) if len(rest) > 1 else None
    return with_dtype(elementwise(x), join_dtype(values, "float"))


def less_rank_or_number(y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """trapezoid: one dimension less, a number for a vector. Places or widths of more dimensions
    stretch what they belong to."""
    ndim, others = rank(y), [k for k in (*rest[:2], *(options.get(name, NOTHING)
                             for name in ("x", "dx"))) if not isinstance(k, kinds.Nothing)]
    dtype: str | None = "float"
    for one in (y, *others):
        dtype = join_dtype(dtype, numbers_in(one))
    if ndim is None or ndim < 1 or any(r is None or r > ndim for r in map(rank, others)):
        return Numeric(dtype)
    return scalar(dtype) if ndim == 1 else Array(ndim - 1, dtype, new_shape())


def take(x: Kind, indices: Kind = UNKNOWN, axis: Kind = NOTHING, *rest: Kind,
         **options: Kind) -> Kind:
    ndim, inner = rank(x), rank(indices)
    if ndim is None or inner is None:
        return Numeric(numbers_in(x))
    left = inner if isinstance(axis, kinds.Nothing) else max(ndim, 1) - 1 + inner
    sizes, places, along = sizes_of(x), sizes_of(indices), whole(axis)
    if places is None and inner == 0:
        places = ()
    if left and sizes is not None and places is not None and not rest and not options:
        if isinstance(axis, kinds.Nothing):
            return Array(left, numbers_in(x), Sizes(places))
        if along is not None and -len(sizes) <= along < len(sizes):
            at = along % len(sizes)
            return Array(left, numbers_in(x), Sizes([*sizes[:at], *places, *sizes[at + 1:]]))
    return scalar(numbers_in(x)) if left == 0 else Array(left, numbers_in(x), new_shape())


def diag(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    ndim, sizes = rank(x), sizes_of(x)
    if sizes is not None and len(sizes) == 1 and not rest and not options:
        return Array(2, numbers_in(x), Sizes(sizes * 2))
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
        ndim = rank(x)
        return Array(max(ndim, 1) if isinstance(axis, Number) and ndim is not None else None,
                     dtype, new_shape())
    return kind


def cumulative(x: Kind, axis: Kind = NOTHING, dtype: Kind = NOTHING, **options: Kind) -> Kind:
    number = join_dtype(numbers_in(x), "int") if isinstance(dtype, kinds.Nothing) else \
        dtype_named(dtype)
    if isinstance(axis, kinds.Nothing):
        same = isinstance(x, Array) and x.ndim == 1
        return Array(1, number, x.shape if same else new_shape())           # type: ignore[attr-defined]
    return Array(x.ndim, number, x.shape) if isinstance(x, Array) and x.ndim != 0 \
        and isinstance(axis, Number) else Array(None, number)       # a number has one axis, too


def from_shape(shape: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """zeros, ones, empty: floats unless a dtype is given."""
    dtype = "float" if not rest and "dtype" not in options else \
        dtype_named(rest[0] if rest else options["dtype"])
    return Array(rank_of_shape(shape), dtype, shape_named(shape))


def full(shape: Kind = UNKNOWN, fill_value: Kind = UNKNOWN, dtype: Kind = NOTHING,
         **options: Kind) -> Kind:
    asked = numbers_in(fill_value) if isinstance(dtype, kinds.Nothing) else dtype_named(dtype)
    return Array(rank_of_shape(shape), asked, shape_named(shape))


def array(x: Kind, dtype: Kind = NOTHING, *rest: Kind, **options: Kind) -> Array:
    """np.array, np.asarray of arrays, numbers and lists of them."""
    asked = numbers_in(x) if isinstance(dtype, kinds.Nothing) else dtype_named(dtype)
    if "ndmin" in options:
        return Array(None, asked)
    sizes = _nested(x)
    return Array(rank(x), asked, x.shape if isinstance(x, Array)
                 else new_shape() if sizes is None else Sizes(sizes))


def array_with_axis(x: Kind, dtype: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """np.ascontiguousarray, np.asfortranarray: a number has an axis of its own."""
    found = array(x, dtype)
    return found if found.ndim else Array(None if found.ndim is None else 1, found.dtype,
                                          new_shape())


def _nested(x: Kind) -> tuple[Size, ...] | None:
    """The sizes of the array that tuples of arrays and numbers make."""
    if isinstance(x, TupleKind) and x.items:
        inner = _nested(x.items[0])             # those of the others are the same
        return None if inner is None else (Size(len(x.items)), *inner)
    return () if isinstance(x, Number) else sizes_of(x)


def astype(x: Kind, dtype: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    asked = dtype_named(dtype)
    if isinstance(x, Array):
        return Array(x.ndim, asked, x.shape)
    return Numeric(asked)


def arange(*bounds: Kind, dtype: Kind = NOTHING, **options: Kind) -> Kind:
    if len(bounds) > 3 or not isinstance(dtype, kinds.Nothing):
        return Array(1, dtype_named(bounds[3] if len(bounds) > 3 else dtype), new_shape())
    return Array(1, join_dtype(joined_dtype(bounds), "int") if bounds else None,
                 shape_if_natural(*bounds) if len(bounds) == 1 else new_shape())


def eye(n: Kind = UNKNOWN, *rest: Kind, dtype: Kind = UNKNOWN, **options: Kind) -> Kind:
    shape = new_shape() if rest or "M" in options else shape_named(TupleKind((n, n)))
    named = "float" if dtype is UNKNOWN else dtype_named(dtype)
    return Array(2, None if rest else named, shape)


def linspace(start: Kind, stop: Kind, *rest: Kind, **options: Kind) -> Kind:
    ranks = rank(start), rank(stop)
    if options.keys() & {"dtype", "retstep", "axis"} or len(rest) > 2 or None in ranks:
        return UNKNOWN
    dtype = join_dtype(join_dtype(numbers_in(start), numbers_in(stop)), "float")
    number = rest[0] if rest else options.get("num", Number("int", 50))
    return Array(max(r for r in ranks if r is not None) + 1, dtype,
                 shape_named(number) if ranks == (0, 0) else new_shape())


# Linear algebra -------------------------------------------------------------------------------
def square_like(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """inv, cholesky: as many dimensions, floats at least. SciPy makes matrices of numbers."""
    ndim, dtype = rank(x), join_dtype(numbers_in(x), "float")
    if ndim is None or ndim < 2:
        return Array(None, dtype)
    return Array(ndim, dtype, x.shape if isinstance(x, Array) else new_shape())


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
        return Array(ranks[1], dtype, b.shape if isinstance(b, Array) else new_shape())
    return Array(None, dtype)


def eigenvalues(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    ndim = rank(x)
    known = "float" if numbers_in(x) in NUMBERS else None
    return Array(None if ndim is None else ndim - 1, known, new_shape())


def spread_first(first: Kind, *others: Kind, **options: Kind) -> Kind:
    """Helpers of clip: the first argument, spread over the others, of which some may be None."""
    found = elementwise(first, *[k for k in others if not isinstance(k, kinds.Nothing)])
    return with_dtype(found, dtype_of(first)) if not options else Numeric(dtype_of(first))


def vector_of(*arguments: Kind, **options: Kind) -> Kind:
    """A sequence made of sequences: np.convolve."""
    return Array(1, joined_dtype(tuple(Array(1, numbers_in(a)) for a in arguments[:2])),
                 new_shape())
