"""Kinds of what works element by element: operands broadcast, and their types are joined."""
from __future__ import annotations

from tangent_lite import kinds
from tangent_lite.kinds import (
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    Number,
    Numeric,
    TupleKind,
    broadcast_shape,
    dtype_of,
)
from tangent_lite.result_kinds.numbers import (
    joined_dtype,
    rank,
    scalar,
    with_dtype,
)
from tangent_lite.result_kinds.places import places

_ARRAYS = (Number, Array, Numeric, kinds.ListKind, TupleKind)      # what NumPy makes arrays of


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
    shapes = [a.shape for a in arrays if a.ndim != 0]
    if shapes[0] is not None and all(shape is shapes[0] for shape in shapes):
        return Array(ndim, dtype, shapes[0])            # as most often
    tokens = dict.fromkeys(shapes)
    # x - np.max(x, axis=1, keepdims=True) has the shape of x.
    tokens = dict.fromkeys(t for t in tokens if not (isinstance(t, tuple) and t[0] == "reduced"
                                                     and t[1] in tokens))
    return Array(ndim, dtype, broadcast_shape(tokens))


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
    """Arithmetic that makes integers of booleans, floats of floats: power, square, shifts."""
    kind = elementwise(*arguments, **options)
    return with_dtype(kind, "int") if dtype_of(kind) == "bool" else kind


def quotient_and_rest(*arguments: Kind, **options: Kind) -> Kind:
    """divmod: a pair."""
    kind = elementwise_int(*arguments, **options)
    return TupleKind((kind, kind))


def elementwise_bool(*arguments: Kind, **options: Kind) -> Kind:
    """Comparisons, isnan, logical operations; of None, functions and the like they are objects."""
    if any(not isinstance(k, _ARRAYS) and k != UNKNOWN for k in arguments):
        return UNKNOWN
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
    given = {"min": low, "max": high, **{name.removeprefix("a_"): kind
                                         for name, kind in options.items()}}
    bounds = [k for k in (given.pop("min"), given.pop("max")) if not isinstance(k, kinds.Nothing)]
    return elementwise(x, *bounds, **given)


def where(condition: Kind, *branches: Kind, **options: Kind) -> Kind:
    """Always an array, even of numbers; with a condition alone, a tuple of positions."""
    if not branches:
        n = rank(condition)
        return UNKNOWN if n is None else places(max(n, 1))
    dtype = joined_dtype(branches)
    kind = _broadcast((condition, *branches), dtype)
    if isinstance(kind, Number):
        return Array(0, dtype)
    return kind if isinstance(kind, Array) else Array(None, dtype)


def polygamma_kind(n: Kind, x: Kind, **options: Kind) -> Kind:
    return elementwise_float(x)


def number_as_array(*args: Kind, **options: Kind) -> Kind:
    """Floats; of a number an array without dimensions, in some versions of SciPy."""
    found = elementwise_float(*args)
    return kinds.Numeric("float") if isinstance(found, Number) else found


def matched(dx: Kind, x: Kind, **options: Kind) -> Kind:
    kind = _broadcast((dx, x), dtype_of(dx))
    return Numeric(dtype_of(dx)) if isinstance(kind, Number) else kind
