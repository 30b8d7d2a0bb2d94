"""Kind functions: the kind of a call's result, from the kinds of its arguments.

`elementwise(Array(2, "float"), FLOAT)` is `Array(2, "float")`. A kind function may say less than
is true, never more: what it does not know is Numeric (a number or an array) or UNKNOWN. NumPy
returns numbers, not arrays without dimensions, from operations and reductions; functions that
make, join or reshape return arrays. What broadcasts, what reduces and what both look at in a kind
is had from here; those of one area stand beside, in `shapes`, `products`, `of_numpy` and so on.
"""
from __future__ import annotations

from typing import Any

from tangent_lite import kinds
from tangent_lite.kinds import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    TupleKind,
    dtype_of,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds.broadcasting import (  # noqa: F401
    clip,
    comparison,
    conj_kind,
    elementwise,
    elementwise_angle,
    elementwise_bool,
    elementwise_float,
    elementwise_int,
    elementwise_real,
    floor_kind,
    matched,
    number_as_array,
    part,
    polygamma_kind,
    quotient_and_rest,
    where,
)
from tangent_lite.result_kinds.numbers import (  # noqa: F401
    NO,
    NUMBERS,
    ZERO,
    joined_dtype,
    numbers_in,
    rank,
    scalar,
    whole,
    with_dtype,
)
from tangent_lite.result_kinds.reductions import (  # noqa: F401
    average,
    norm,
    positions_along,
    positions_of,
    reduced_count,
    reduction,
    reduction_bool,
    reduction_float,
    reduction_int,
    reduction_median,
    reduction_same,
    reduction_spread,
    trace,
)
from tangent_lite.shapes.sizes import NotAssumed, Size, Sizes, product


def pair_of_floats(*arguments: Kind, **options: Kind) -> Kind:
    """cmath.polar of a number; an integral, and how far it may be off."""
    return TupleKind((FLOAT, FLOAT))


def scalar_float(*arguments: Kind, **options: Kind) -> Kind:
    """math.sin and friends: always a float."""
    return FLOAT


def scalar_complex(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.COMPLEX


def scalar_int(*arguments: Kind, **options: Kind) -> Kind:
    return INT


def scalar_bool(*arguments: Kind, **options: Kind) -> Kind:
    return BOOL


def whether_complex(x: Kind, **options: Kind) -> Kind:
    """iscomplexobj: seen from the type of the numbers, where that is known."""
    known = dtype_of(x) in NUMBERS
    return Number("bool", dtype_of(x) == "complex") if known else BOOL


def text(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.TEXT


def unknown(*arguments: Kind, **options: Kind) -> Kind:
    return UNKNOWN


def nothing(*arguments: Kind, **options: Kind) -> Kind:
    return NOTHING


def pending(*arguments: Kind, **options: Kind) -> Kind:
    """What stands for a call until that is written out."""
    return kinds.PENDING


def numeric(*arguments: Kind, **options: Kind) -> Kind:
    """Some array or number with the type of the first argument."""
    return Numeric(numbers_in(arguments[0]))


# Helpers of emitted code ----------------------------------------------------------------------
def shaped_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint in the shape of x, with numbers like those of dy."""
    return _shaped(x, dtype_of(dy))


def kept_in_place(found: Kind, x: Kind) -> Kind:
    """What `x += v` leaves in x: an array stays what it is."""
    return x if isinstance(x, Array) else found


def summed_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """The same where dy itself is handed on if the shapes are equal."""
    if isinstance(x, Number) and isinstance(dy, Number):
        return Number(dy.type)
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


def zeros_of(x: Kind, **options: Kind) -> Kind:
    """What zeros_like gives: zeros in the structure of x."""
    if isinstance(x, Number):
        return FLOAT
    if isinstance(x, Array):
        return Array(x.ndim, x.dtype if x.dtype in ("float", "complex") else None, x.shape)
    if isinstance(x, Numeric):
        known = {"bool": "float", "int": "float", "float": "float", "complex": "complex"}
        return Numeric(known.get(x.dtype or ""))
    if isinstance(x, ListKind):
        return ListKind(x.item if x.item == kinds.EMPTY else zeros_of(x.item))
    if isinstance(x, kinds.DictKind):
        return kinds.DictKind(x.keys, tuple(map(zeros_of, x.items)))
    if isinstance(x, kinds.RecordKind):
        return kinds.DictKind(x.fields, tuple(map(zeros_of, x.items)))
    if isinstance(x, TupleKind):
        return ListKind(kinds.join_all(map(zeros_of, x.items)))
    return UNKNOWN


def unchanged(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """The first argument itself."""
    return x


# Others ---------------------------------------------------------------------------------------
def item_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """x.item(): a Python number."""
    return scalar(numbers_in(x))


def tolist(x: Kind, **options: Kind) -> Kind:
    """x.tolist(): lists of lists of numbers."""
    if isinstance(x, Number):
        return x
    if not isinstance(x, Array) or x.ndim is None:
        return UNKNOWN
    kind = scalar(x.dtype)
    for _ in range(x.ndim):
        kind = ListKind(kind)
    return kind


def shape_of(x: Kind, **options: Kind) -> Kind:
    """x.shape and np.shape."""
    sizes, ndim = sizes_of(x), rank(x)
    if sizes is not None:
        return TupleKind(tuple(map(kinds.int_of, sizes)))
    return UNKNOWN if ndim is None else TupleKind((INT,) * ndim)


def count_of(x: Kind, axis: Kind = NOTHING, **options: Kind) -> Kind:
    """x.size and np.size."""
    sizes, along = sizes_of(x), value_of(axis)
    if sizes is None or options:
        return INT
    if along is None:
        return kinds.int_of(product(sizes))
    return kinds.int_of(sizes[along]) if type(along) is int and -len(sizes) <= along < len(sizes) \
        else INT


def length_of(x: Kind, **options: Kind) -> Kind:
    """len(x)."""
    if isinstance(x, TupleKind):
        return Number("int", len(x.items))
    sizes = sizes_of(x)
    return kinds.int_of(sizes[0]) if sizes else INT


def sizes_of(x: Kind) -> tuple[Size, ...] | None:
    """The sizes of the axes of an array, where they are known."""
    sizes = getattr(x, "shape", None)
    return sizes.axes if isinstance(sizes, Sizes) else None


def shape_named(shape: Kind) -> Any:
    """A token for the shape that an argument of np.zeros says; sizes below zero raise there."""
    items = shape.items if isinstance(shape, TupleKind) else (shape,)
    sizes = [size for item in items if (size := kinds.size_of(item)) is not None]
    if len(sizes) < len(items) or not all(
            size.is_natural if size.is_free else size.value >= 0 for size in sizes):
        return new_shape()
    return Sizes(sizes)


def shape_if_natural(*items: Kind) -> Any:
    """The same for what means something else by sizes below zero, as reshape does."""
    found = shape_named(TupleKind(items))
    try:
        noted = [size.is_natural if size.is_free else size.is_at_least(Size(0)) for item in items
                 if (size := kinds.size_of(item)) is not None]
    except NotAssumed:
        return new_shape()
    return found if all(noted) else new_shape()


def ndim_of(x: Kind, **options: Kind) -> Kind:
    ndim = rank(x)
    return INT if ndim is None else Number("int", ndim)


def int_vector(*arguments: Kind, **options: Kind) -> Kind:
    return Array(1, "int", new_shape())


def order_by(keys: Kind, *rest: Kind, **options: Kind) -> Kind:
    """lexsort: an order for all keys; a vector is one key of each of several."""
    ndim = rank(keys)
    return Numeric("int") if ndim is None or ndim < 1 else \
        INT if ndim == 1 else Array(ndim - 1, "int", new_shape())


def int_rows(*arguments: Kind, **options: Kind) -> Kind:
    """argwhere: the index of one element a row."""
    return Array(2, "int", new_shape())
