"""Kind functions of the less common functions of NumPy: parts, polynomials, statistics, lines."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.kinds import (
    COMPLEX,
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
from tangent_lite.result_kinds import (
    NUMBERS,
    ZERO,
    elementwise,
    elementwise_bool,
    elementwise_float,
    numbers_in,
    rank,
    scalar,
    with_dtype,
)
from tangent_lite.result_kinds.shapes import array_of_rank, cumulative, flat_unless_axis, linspace

YES = Number("bool", True)
VECTOR, MATRIX = Array(1, "float"), Array(2, "float")


# Parts ----------------------------------------------------------------------------------------
def extracted(position: int | None) -> Any:
    """compress, extract: of the second argument; position: where the axis stands, if there is
    one."""
    def kind(condition: Kind, x: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
        if position is None:
            return array_of_rank(1, x)
        return flat_unless_axis(position - 1)(x, *rest, **options)
    return kind


def picked_kind(x: Kind, y: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """union1d, setxor1d: a vector of elements of both."""
    return Array(1, join_dtype(numbers_in(x), numbers_in(y)), new_shape())


def select_kind(conditions: Kind, choices: Kind = UNKNOWN, default: Kind = INT,
                **options: Kind) -> Kind:
    return Array(None, join_dtype(numbers_in(choices), numbers_in(default)))


def broadcast_kind(*arrays: Kind, **options: Kind) -> Kind:
    """broadcast_arrays: the arguments, all with as many dimensions; a tuple since NumPy 2."""
    ranks = [rank(a) for a in arrays]
    if None in ranks or not isinstance(np.broadcast_arrays(1.0), tuple):
        return UNKNOWN
    token = new_shape()
    return TupleKind(tuple(Array(max(ranks), numbers_in(a), token)          # type: ignore[type-var]
                           for a in arrays))


def broadcast_tangent_kind(tangents: Kind, results: Kind, **options: Kind) -> Kind:
    if not isinstance(tangents, TupleKind) or not isinstance(results, TupleKind):
        return UNKNOWN
    return TupleKind(tuple(with_dtype(y, numbers_in(dx))
                           for dx, y in zip(tangents.items, results.items)))


def square_of_vector(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """diagflat: a matrix made of the elements."""
    return array_of_rank(2, x)


def powers_of_vector(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """vander: a matrix of powers, which are whole numbers of truth values."""
    return Array(2, join_dtype(numbers_in(x), "int"), new_shape())


def distinct_kind(x: Kind, *rest: Kind, axis: Kind = NOTHING, **options: Kind) -> Kind:
    """unique: a vector; with positions and counts, where they are asked for, a tuple."""
    asked = [value_of(kind) for kind in (*rest[:3], *(
        kind for name, kind in options.items() if name.startswith("return_")))]
    if len(rest) > 3 or not all(isinstance(one, bool) for one in asked):
        return UNKNOWN
    found = Array(1 if isinstance(axis, kinds.Nothing) else None, numbers_in(x), new_shape())
    places = (Array(None, "int"),) * sum(asked)         # of which shape depends on the version
    return TupleKind((found, *places)) if places else found


def trimmed_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """trim_zeros: of a list another list."""
    if isinstance(x, ListKind):
        return x
    return Array(rank(x), numbers_in(x), new_shape()) if isinstance(x, (Array, Numeric)) \
        else UNKNOWN


def joined_in_brackets(least: int) -> Any:
    """np.r_ and np.c_: of numbers and vectors a vector or a matrix."""
    def kind(*parts: Kind, **options: Kind) -> Kind:
        ranks = [1 if isinstance(p, (kinds.SliceKind, kinds.Other)) else rank(p) for p in parts]
        dtypes = [numbers_in(p) for p in parts if not isinstance(p, (kinds.SliceKind, kinds.Other))]
        if None in ranks or None in dtypes or len(dtypes) < len(parts):
            return Array(None, None)
        dtype = dtypes[0]
        for one in dtypes[1:]:
            dtype = join_dtype(dtype, one)
        return Array(max(least, *ranks), dtype, new_shape())                # type: ignore[type-var]
    return kind


def grids(*axes: Kind, **options: Kind) -> Kind:
    """meshgrid: as many arrays as arguments; a tuple since NumPy 2, but for some views."""
    if not isinstance(np.meshgrid(1.0), tuple) or value_of(options.get("copy", YES)) is not True:
        return UNKNOWN
    return TupleKind(tuple(Array(len(axes), numbers_in(x), new_shape()) for x in axes))


def open_grid(*axes: Kind, **options: Kind) -> Kind:
    """ix_: as many arrays as arguments; of truth values the positions of what is true."""
    dtypes = [numbers_in(x) for x in axes]
    return TupleKind(tuple(Array(len(axes), "int" if one == "bool" else one, new_shape())
                           for one in dtypes))


# Polynomials ----------------------------------------------------------------------------------
def _coefficients(*given: Kind, least: int = 0) -> Kind:
    """Coefficients in a row, where they are of such, or of numbers if least is zero: of several
    polynomials, one a column, they are what broadcasting makes of them."""
    if not all(isinstance(k, (Number, Array, Numeric, ListKind, TupleKind)) for k in given):
        return UNKNOWN                          # of a poly1d they make another one
    dtype = numbers_in(given[0])
    for one in given[1:]:
        dtype = join_dtype(dtype, numbers_in(one))
    ranks = [rank(k) for k in given]
    return Array(1 if all(r is not None and least <= r <= 1 for r in ranks) else None,
                 dtype if dtype in ("float", "complex") else None, new_shape())


def coefficients(p: Kind, *rest: Kind, **options: Kind) -> Kind:
    """polyder, polyint: of coefficients, other ones; of a number zero times, the number."""
    return _coefficients(p, least=1)


def coefficients_of_two(p: Kind, q: Kind, **options: Kind) -> Kind:
    return _coefficients(p, q)


def quotient_of_two(u: Kind, v: Kind, **options: Kind) -> Kind:
    """polydiv: quotient and rest."""
    one, other = _coefficients(u, v), _coefficients(u, v)
    return UNKNOWN if UNKNOWN in (one, other) else TupleKind((one, other))


def float_vector(*arguments: Kind, **options: Kind) -> Kind:
    """Windows: of a complex number of points they are complex."""
    is_real = not any(dtype_of(kind) == "complex" for kind in arguments)
    return Array(1, "float" if is_real else None, new_shape())


def polyval_kind(p: Kind, x: Kind, **options: Kind) -> Kind:
    one = _coefficients(p)
    if one == UNKNOWN or not isinstance(x, (Number, Array)) or dtype_of(one) is None \
            or rank(one) != 1:                          # columns: a row for each x
        return UNKNOWN
    return with_dtype(elementwise(x), join_dtype(dtype_of(one), dtype_of(x)))


def fit_kind(x: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """polyfit: the coefficients, one column for each column of values; with more, a tuple."""
    if len(rest) > 2 or options.keys() & {"full", "cov"}:
        return UNKNOWN
    dtype = join_dtype(join_dtype(numbers_in(x), numbers_in(y)), "float")
    return Array(rank(y), dtype, new_shape())


def quantile_kind(x: Kind, q: Kind = UNKNOWN, axis: Kind = NOTHING, *rest: Kind,
                  **options: Kind) -> Kind:
    """quantile: as a median for each q, the axes of q in front."""
    dtype, ndim, levels = join_dtype(numbers_in(x), "float"), rank(x), rank(q)
    if rest or options.keys() & {"keepdims", "weights"} or ndim is None or levels is None or (
            not isinstance(axis, (kinds.Nothing, Number, TupleKind))):
        return Numeric(dtype)
    gone = ndim if isinstance(axis, kinds.Nothing) else \
        1 if isinstance(axis, Number) else len(axis.items)
    left = ndim - gone + levels
    return scalar(dtype) if left <= 0 else Array(left, dtype, new_shape())


def like_places(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Numbers of x, in a shape of their own."""
    return Numeric(numbers_in(x))


# Statistics -----------------------------------------------------------------------------------
def cov_kind(m: Kind, y: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """cov, corrcoef: a matrix, without dimensions for one variable."""
    dtype = join_dtype(numbers_in(m), "float") if "dtype" not in options else None
    if isinstance(y, kinds.Nothing):
        return Array(None, dtype)
    return Array(2, join_dtype(dtype, numbers_in(y)), new_shape())


def _edges(x: Kind, bins: Kind) -> Kind:
    is_real = isinstance(bins, Number) and numbers_in(x) in ("bool", "int", "float")
    return Array(1, "float" if is_real else None, new_shape())


def histogram_kind(x: Kind, bins: Kind = INT, range: Kind = NOTHING, density: Kind = NOTHING,
                   weights: Kind = NOTHING, **options: Kind) -> Kind:
    if isinstance(weights, kinds.Nothing):
        dtype = "int" if isinstance(density, kinds.Nothing) or value_of(density) is False else \
            "float" if value_of(density) is True else None
    else:
        dtype = "float" if numbers_in(weights) == "float" else None
    return TupleKind((Array(1, dtype, new_shape()), _edges(x, bins)))


def histogram2d_kind(x: Kind, y: Kind, bins: Kind = INT, *rest: Kind, **options: Kind) -> Kind:
    weights = options.get("weights", NOTHING)
    dtype = "float" if isinstance(weights, kinds.Nothing) or numbers_in(weights) == "float" \
        else None
    edges = TupleKind((x, y))                           # both are made in one array
    return TupleKind((Array(2, dtype, new_shape()), _edges(edges, bins), _edges(edges, bins)))


def bin_edges_kind(x: Kind, bins: Kind = INT, *rest: Kind, **options: Kind) -> Kind:
    return _edges(x, bins)


def rows_kind(m: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(2, "float" if numbers_in(m) == "float" and not rest else None, new_shape())


def logspace_kind(start: Kind, stop: Kind, *rest: Kind, **options: Kind) -> Kind:
    """As linspace, unless the base has dimensions or a type of its own."""
    if "base" in options or len(rest) > 2:
        return UNKNOWN
    return linspace(start, stop, *rest, **options)


def sum_of_line(dy: Kind, stop: Kind, **options: Kind) -> Kind:
    """start_adjoint: the sum of a vector, or zero."""
    return scalar(numbers_in(dy))


def gradient_kind(f: Kind, *spacings: Kind, axis: Kind = NOTHING, **options: Kind) -> Kind:
    """gradient: one array for each axis, which is one alone for a vector or a number as axis."""
    ndim, dtype = rank(f), join_dtype(numbers_in(f), "float")
    several = len(axis.items) if isinstance(axis, TupleKind) else ndim
    if isinstance(axis, Number) or (several == 1 and isinstance(axis, (kinds.Nothing, TupleKind))):
        return Array(ndim, dtype, f.shape if isinstance(f, Array) else new_shape())
    if several is None or not isinstance(axis, (kinds.Nothing, TupleKind)) or not isinstance(
            np.gradient(np.eye(2)), tuple):
        return UNKNOWN
    token = f.shape if isinstance(f, Array) else new_shape()
    return TupleKind(tuple(Array(ndim, dtype, token) for _ in range(several)))


# Steps and lines ------------------------------------------------------------------------------
def cumulative_kind(x: Kind, *, axis: Kind = NOTHING, dtype: Kind = NOTHING,
                    **options: Kind) -> Kind:
    """cumulative_sum, which may have an initial element in front."""
    made = cumulative(x, axis, dtype)
    return Array(made.ndim, made.dtype, new_shape()) if options and isinstance(made, Array) \
        else made


def gradient_again_kind(f: Kind, spacings: Kind, axis: Kind = NOTHING, *rest: Kind,
                        **options: Kind) -> Kind:
    return gradient_kind(f, axis=axis)


def sort_complex_kind(x: Kind, **options: Kind) -> Kind:
    return Array(rank(x), "complex" if dtype_of(x) in NUMBERS else None, new_shape())


def unwrap_kind(p: Kind, *rest: Kind, **options: Kind) -> Kind:
    dtype = "float" if numbers_in(p) == "float" else None
    return Array(rank(p), dtype, p.shape if isinstance(p, Array) else new_shape())


def along_first(reduced: Any) -> Any:
    """np.add.reduce: along the first axis, where np.sum takes all."""
    def kind(x: Kind, axis: Kind = ZERO, dtype: Kind = NOTHING, *rest: Kind,
             **options: Kind) -> Kind:
        if rest or "out" in options or not isinstance(dtype, kinds.Nothing):
            return UNKNOWN
        return reduced(x, axis=axis, **{k: v for k, v in options.items() if k == "keepdims"})
    return kind


def running(counts: bool, position: int) -> Any:
    """np.maximum.accumulate, and np.add.reduceat, which counts truth values; position: where the
    dtype stands behind the array."""
    def kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
        asked = options.get("dtype", rest[position - 1] if len(rest) >= position else NOTHING)
        dtype = join_dtype(numbers_in(x), "int") if counts else numbers_in(x)
        return Array(rank(x), dtype if isinstance(asked, kinds.Nothing)
                     else kinds.dtype_named(asked), new_shape())
    return kind


def kept_kind(x: Kind, where: Kind = NOTHING, **options: Kind) -> Kind:
    """A value of which a reduction leaves out some elements."""
    return Numeric(dtype_of(x))


def imag_adjoint_kind(dy: Kind, x: Kind, **options: Kind) -> Kind:
    dtype = dtype_of(x)
    return with_dtype(dy, dtype) if dtype in ("float", "complex") and isinstance(
        dy, (Number, Array)) else Numeric(None)


def float_of_number(x: Kind = INT) -> Kind:
    """np.float64: of a number a float; of an array it makes another one."""
    return FLOAT if isinstance(x, Number) and x.type != "complex" else UNKNOWN


def complex_of_number(x: Kind = INT) -> Kind:
    """np.complex128: of a number a complex one; of an array it makes another one."""
    return COMPLEX if isinstance(x, Number) else UNKNOWN


def int_of_number(x: Kind = INT) -> Kind:
    """np.int64: of a number a whole one; of an array it makes another one."""
    return INT if isinstance(x, Number) else UNKNOWN


def lines_yet_to_come(func1d: Kind, axis: Kind, arr: Kind, *args: Kind, **options: Kind) -> Kind:
    """apply_along_axis, until it is written out."""
    return kinds.PENDING if arr in (VECTOR, MATRIX) else UNKNOWN


def dtype_of_all(*arrays_and_dtypes: Kind) -> Kind:
    """np.result_type: the highest of them."""
    found = [kind.of if isinstance(kind, kinds.Dtype) else kinds.dtype_of(kind)
             for kind in arrays_and_dtypes]
    highest = functools.reduce(join_dtype, found)
    return UNKNOWN if highest not in kinds.RANK else kinds.Dtype(
        np.dtype, highest, all(getattr(kind, "is_mixed", False) for kind, one in zip(
            arrays_and_dtypes, found) if one == highest))


# Elementwise ----------------------------------------------------------------------------------
def two_parts(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """modf: fraction and whole part."""
    kind = elementwise_float(x, **options)
    return TupleKind((kind, kind))


def fraction_and_exponent(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """frexp: the exponent is a whole number, and does not vary."""
    kind = elementwise_float(x, **options)
    return TupleKind((kind, with_dtype(kind, "int")))


def i0_kind(x: Kind, **options: Kind) -> Kind:
    """i0: an array even of a number."""
    return Array(rank(x), join_dtype(numbers_in(x), "float"), x.shape if isinstance(x, Array)
                 else None)


def round_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    kind = elementwise(x, **{name: one for name, one in options.items() if name != "decimals"})
    return Numeric(None) if dtype_of(kind) in ("int", "bool") else kind


def ldexp_kind(x: Kind, i: Kind = UNKNOWN, **options: Kind) -> Kind:
    return with_dtype(elementwise(x, i), "float") if not options else Numeric(None)


def isclose_kind(*arguments: Kind, **options: Kind) -> Kind:
    """Tolerances broadcast, too."""
    return elementwise_bool(*arguments[:4], *(options[name] for name in ("rtol", "atol")
                                              if name in options))


def nan_to_num_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return elementwise(x)
