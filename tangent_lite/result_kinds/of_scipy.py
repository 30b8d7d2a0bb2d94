"""What kind of value functions of SciPy return."""
from __future__ import annotations

from collections.abc import Callable

from tangent_lite.kinds import (
    FLOAT,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    KindFunction,
    Nothing,
    Number,
    Numeric,
    Text,
    TupleKind,
    dtype_of,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds import (
    NO,
    elementwise,
    elementwise_float,
    number_as_array,
    numbers_in,
    rank,
    reduction_float,
    scalar,
    sizes_of,
    with_dtype,
    zeros_of,
)
from tangent_lite.result_kinds.of_python import holds_numbers
from tangent_lite.shapes.sizes import ONE, NotAssumed, Size, Sizes


def elementwise_complex(*arguments: Kind, **options: Kind) -> Kind:
    """Functions whose values are complex, whatever the arguments are: hankel1, wofz."""
    return with_dtype(elementwise(*arguments, **options), "complex")


def harmonic(*arguments: Kind, **options: Kind) -> Kind:
    """sph_harm_y, which returns a tuple where it is asked for derivatives as well (diff_n)."""
    if any(value_of(one) != 0 for one in options.values()):
        return UNKNOWN
    return elementwise_complex(*arguments)


def parts(count: int, one: Callable[..., Kind]) -> KindFunction:
    """A tuple of count values of the same kind: airy, fresnel."""
    def kind(*arguments: Kind, **options: Kind) -> Kind:
        if options:
            return UNKNOWN
        return TupleKind(tuple(one(*arguments) for _ in range(count)))
    return kind


def float_unless_exact(*arguments: Kind, **options: Kind) -> Kind:
    """Counts of choices, comb and perm: floats, and with exact= integers."""
    is_plain = len(arguments) == 2 and "exact" not in options
    return elementwise_float(*arguments) if is_plain else Numeric(None)


def float_if_alone(*arguments: Kind, **options: Kind) -> Kind:
    """Root finders: a number, and with full_output a pair."""
    return UNKNOWN if "full_output" in options or len(arguments) > 7 else FLOAT


# Tuples of arguments, and of what belongs to them ------------------------------------------------
def adjoints_of_second(function: Kind, args: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A tuple with an adjoint, or a tangent, of each argument in the tuple that stands second."""
    return TupleKind(tuple(map(zeros_of, args.items))) if isinstance(args, TupleKind) else UNKNOWN


def joined_kind(a: Kind, b: Kind) -> Kind:
    if isinstance(a, TupleKind) and isinstance(b, TupleKind):
        return TupleKind(a.items + b.items)
    return UNKNOWN


def with_first_kind(x: Kind, args: Kind) -> Kind:
    return TupleKind((x, *args.items)) if isinstance(args, TupleKind) else UNKNOWN


def with_last_kind(args: Kind, x: Kind) -> Kind:
    return TupleKind((*args.items, x)) if isinstance(args, TupleKind) else UNKNOWN


def rest_kind(z: Kind) -> Kind:
    return TupleKind(z.items[1:]) if isinstance(z, TupleKind) else UNKNOWN


def front_kind(z: Kind) -> Kind:
    return TupleKind(z.items[:-1]) if isinstance(z, TupleKind) else UNKNOWN


def head_kind(z: Kind, a: Kind) -> Kind:
    if isinstance(z, TupleKind) and isinstance(a, TupleKind):
        return TupleKind(z.items[:len(a.items)])
    return UNKNOWN


def tail_kind(z: Kind, a: Kind) -> Kind:
    if isinstance(z, TupleKind) and isinstance(a, TupleKind):
        return TupleKind(z.items[len(a.items):])
    return UNKNOWN


def moving_kind(args: Kind, dargs: Kind) -> Kind:
    """The tangents of the arguments that hold floating-point numbers."""
    if not isinstance(args, TupleKind) or any(
            not isinstance(k, (Number, Array, Text, Nothing)) or dtype_of(k) is None
            for k in args.items):
        return UNKNOWN
    return TupleKind(tuple(zeros_of(k) for k in args.items if dtype_of(k) in ("float", "complex")))


def moving_back_kind(parts: Kind, args: Kind) -> Kind:
    return adjoints_of_second(UNKNOWN, args)


def adjoints_of_ode(dy: Kind, function: Kind, y0: Kind, t: Kind, args: Kind, *rest: Kind,
                    **options: Kind) -> Kind:
    """The adjoint of the initial value, then those of the arguments."""
    if not isinstance(args, TupleKind):
        return UNKNOWN
    start = zeros_of(y0) if isinstance(y0, (Number, Array)) else UNKNOWN
    return TupleKind((start, *map(zeros_of, args.items)))


def matrix(*arguments: Kind, **options: Kind) -> Kind:
    return Array(2, "float", new_shape())


def distance(u: Kind, v: Kind, *rest: Kind, **options: Kind) -> Kind:
    """euclidean and minkowski: of more than vectors an array, from SciPy 1.18 on."""
    return FLOAT if holds_numbers(u) and holds_numbers(v) else Numeric(None)


def squared_euclidean(u: Kind, v: Kind, *rest: Kind, **options: Kind) -> Kind:
    """sqeuclidean: the same, and of complex vectors it is complex."""
    dtype = join_dtype(join_dtype(numbers_in(u), numbers_in(v)), "float")
    return scalar(dtype) if holds_numbers(u) and holds_numbers(v) and not (rest or options) \
        else Numeric(None)


def like_start(function: Kind, x0: Kind, *rest: Kind, **options: Kind) -> Kind:
    """newton: a number for a number, an array for an array."""
    return FLOAT if isinstance(x0, Number) else UNKNOWN


def vector(*arguments: Kind, **options: Kind) -> Kind:
    return Array(1, "float", new_shape())


def like_first(x: Kind, other: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """A convolution: as many dimensions as the first argument has."""
    if not isinstance(x, Array) or not x.ndim:
        return UNKNOWN
    return Array(x.ndim, join_dtype(dtype_of(x), dtype_of(other)), new_shape())


def convolved(x: Kind, other: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """signal.convolve and its like: the same, with sizes as far as the mode tells."""
    found = like_first(x, other)
    sizes = _sizes_convolved(sizes_of(x), sizes_of(other),
                             options.get("mode", *rest[:1] or (None,)))
    return Array(found.ndim, found.dtype, sizes) \
        if isinstance(found, Array) and sizes is not None else found


def _sizes_convolved(one: tuple[Size, ...] | None, two: tuple[Size, ...] | None,
                     mode: Kind | None) -> Sizes | None:
    """How large a convolution is, but for mode="valid"; of what is empty there is none."""
    name = "full" if mode is None else value_of(mode)
    sizes = (*(one or ()), *(two or ()))
    if not one or not two or len(one) != len(two) or name not in ("full", "same") \
            or any(size.is_free for size in sizes):
        return None
    try:
        if not all(size.is_at_least(ONE) for size in sizes):
            return None
    except NotAssumed:
        return None
    return Sizes(one if name == "same" else [a + b - ONE for a, b in zip(one, two)])


def convolved_by_transforms(x: Kind, other: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """fftconvolve, oaconvolve: floats even of ints."""
    found = convolved(x, other, *rest, **options)
    return with_dtype(found, "float") if dtype_of(found) in ("bool", "int") else found


def factorial_kind(n: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Floats; with exact= whole numbers, which may be too large for arrays of ints."""
    return UNKNOWN if rest or options else number_as_array(n)


def like_third_argument(b: Kind, a: Kind, x: Kind = UNKNOWN, *rest: Kind,
                        **options: Kind) -> Kind:
    """lfilter: as many dimensions as what is filtered."""
    if not isinstance(x, Array) or not x.ndim:
        return UNKNOWN
    return Array(x.ndim, None, new_shape())


def sparse_product(matrix: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A dense array of as many dimensions as x."""
    return Array(x.ndim, None, new_shape()) if isinstance(x, Array) and x.ndim else UNKNOWN


def unchanged_array(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(x.ndim, None, new_shape()) if isinstance(x, Array) and x.ndim else UNKNOWN


def interpolated_kind(t: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """The values at t of an interpolant of y: the axes of t stand in place of one of y."""
    if not isinstance(y, Array) or not y.ndim or dtype_of(y) not in ("float", "complex"):
        return UNKNOWN
    inside = 0 if isinstance(t, Number) else t.ndim if isinstance(t, Array) else None
    if inside is None:
        return UNKNOWN
    ndim = inside + y.ndim - 1                  # of a number an array without dimensions
    return Array(ndim, dtype_of(y), new_shape()) if ndim else Numeric(dtype_of(y))


def values_kind(dt: Kind, t: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """What has an axis for each of those of the values at t."""
    found = interpolated_kind(t, y)
    return with_dtype(found, numbers_in(dt)) if numbers_in(dt) in ("float", "complex") else UNKNOWN


def places_kind(dz: Kind, t: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A sum for each element of t."""
    dtype = numbers_in(dz)
    if dtype not in ("float", "complex"):
        return UNKNOWN
    if isinstance(t, Array) and t.ndim:
        return Array(t.ndim, dtype, t.shape)
    return Numeric(dtype)


def weights_kind(dz: Kind, t: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Adjoint of y."""
    dtype = dtype_of(dz) if dtype_of(dz) in ("float", "complex") else None
    return Array(y.ndim, dtype, y.shape) if isinstance(y, Array) and y.ndim else UNKNOWN


def like_array(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """softmax: floats in the shape of an array."""
    return elementwise_float(x) if isinstance(x, Array) and x.ndim else UNKNOWN


def logsumexp_kind(a: Kind, axis: Kind = NOTHING, b: Kind = NOTHING, keepdims: Kind = NO,
                   return_sign: Kind = NO, **options: Kind) -> Kind:
    """A reduction; with weights it has the shape of both, and with signs it is a pair."""
    if not isinstance(a, Array) or not a.ndim or not isinstance(b, Nothing) \
            or value_of(return_sign) is not False:
        return UNKNOWN
    return reduction_float(a, axis, keepdims=keepdims)


def running_integral(y: Kind, x: Kind = NOTHING, dx: Kind = NOTHING, *rest: Kind,
                     **options: Kind) -> Kind:
    """cumulative_trapezoid: as many dimensions as the array."""
    given = [one for one in (x, dx) if not isinstance(one, Nothing)]
    ndim = y.ndim if isinstance(y, Array) else None
    if not ndim or any((rank(one) or 0) > ndim for one in given):
        return UNKNOWN
    dtype: str | None = "float"
    for one in (y, *given):
        dtype = join_dtype(dtype, numbers_in(one))
    return Array(ndim, dtype, new_shape())
