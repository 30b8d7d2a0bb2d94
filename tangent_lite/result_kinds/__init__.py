"""Kind functions: the kind of a call's result, from the kinds of its arguments.

`elementwise(Array(2, "float"), FLOAT)` is `Array(2, "float")`. A kind function may say less than
is true, never more: what it does not know is Numeric (a number or an array) or UNKNOWN. NumPy
returns numbers, not arrays without dimensions, from operations and reductions; functions that
make, join or reshape return arrays. Those of one area stand in `shape_kinds`, `product_kinds`,
`numpy_kinds`, `draw_kinds`, `python_kinds` and `scipy_kinds`.
"""
from __future__ import annotations

from typing import Any

from tangent_lite import kinds
from tangent_lite.kinds import (
    BOOL,
    FLOAT,
    INT,
    NO_VALUE,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    TupleKind,
    broadcast_shape,
    derived_shape,
    dtype_named,
    dtype_of,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.shapes.sizes import NotAssumed, Size, Sizes, product

NO, ZERO = Number("bool", False), Number("int", 0)
NUMBERS = ("bool", "int", "float", "complex")


def scalar(dtype: str | None) -> Kind:
    """A number of this type (an object may be anything)."""
    return Number(dtype) if dtype in NUMBERS else Numeric(dtype) if dtype is None else UNKNOWN


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
    tokens = dict.fromkeys(a.shape for a in full)
    # x - np.max(x, axis=1, keepdims=True) has the shape of x.
    tokens = dict.fromkeys(t for t in tokens if not (isinstance(t, tuple) and t[0] == "reduced"
                                                     and t[1] in tokens))
    return Array(ndim, dtype, broadcast_shape(tokens))


def joined_dtype(arguments: tuple[Kind, ...]) -> str | None:
    dtype = dtype_of(arguments[0])
    for kind in arguments[1:]:
        dtype = join_dtype(dtype, dtype_of(kind))
    return dtype


def elementwise(*arguments: Kind, **options: Kind) -> Kind:
    """Operations that broadcast and give the joined type: +, -, *, maximum."""
    if options:
        return Numeric(None)
    return _broadcast(arguments, joined_dtype(arguments))


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


def pair_of_floats(*arguments: Kind, **options: Kind) -> Kind:
    """polar of one number."""
    return TupleKind((FLOAT, FLOAT))


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


def part(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.real, np.imag: same shape, never complex; a 0-d array stays an array."""
    if isinstance(x, Number):
        return scalar("float" if x.type == "complex" else x.type)
    if isinstance(x, (Array, Numeric)):
        return with_dtype(x, "float") if dtype_of(x) == "complex" else x
    return UNKNOWN


def conj_kind(x: Kind, **options: Kind) -> Kind:
    """x.conj(): a number of a complex array without dimensions, a real array as it is."""
    return x if isinstance(x, (Number, Array)) and rank(x) != 0 else Numeric(dtype_of(x))


def clip(x: Kind, low: Kind = NOTHING, high: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    bounds = [k for k in (options.get("min", low), options.get("max", high))
              if not isinstance(k, kinds.Nothing)]
    return elementwise(x, *bounds)


def where(condition: Kind, *branches: Kind, **options: Kind) -> Kind:
    """Always an array, even of numbers; with a condition alone, a tuple of positions."""
    if not branches:
        n = rank(condition)
        return UNKNOWN if n is None else TupleKind((Array(1, "int"),) * max(n, 1))
    dtype = joined_dtype(branches)
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


def numeric(*arguments: Kind, **options: Kind) -> Kind:
    """Some array or number with the type of the first argument."""
    return Numeric(numbers_in(arguments[0]))


# Reductions -----------------------------------------------------------------------------------
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
    return _reduce(x, axis, keepdims, "float" if numbers_in(x) in NUMBERS else None)


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


# Helpers of emitted code ----------------------------------------------------------------------
def shaped_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint in the shape of x, with numbers like those of dy."""
    return _shaped(x, dtype_of(dy))


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


def int_rows(*arguments: Kind, **options: Kind) -> Kind:
    """argwhere: the index of one element a row."""
    return Array(2, "int", new_shape())


def number_as_array(*args: Kind, **options: Kind) -> Kind:
    """Floats; of a number an array without dimensions, in some versions of SciPy."""
    found = elementwise_float(*args)
    return kinds.Numeric("float") if isinstance(found, Number) else found
