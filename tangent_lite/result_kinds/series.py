"""Kind functions of numpy.polynomial: values, coefficients and quadrature of series.

Coefficients in a row are what is spoken of: of several series, one a column, no more is known than
that arrays come out.
"""
from __future__ import annotations

from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    Kind,
    Number,
    TupleKind,
    join_dtype,
    new_shape,
)
from tangent_lite.result_kinds import elementwise, numbers_in, rank, with_dtype


def _floats(*given: Kind) -> str | None:
    """The numbers of a series: whole ones become floats."""
    dtype: str | None = "float"
    for kind in given:
        dtype = join_dtype(dtype, numbers_in(kind))
    return dtype if dtype in ("float", "complex") else None


def value_kind(x: Kind, c: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """polyval and its like: of one series as many values as there are points."""
    if not isinstance(x, (Number, Array)) or rank(c) != 1 or rest or options \
            or _floats(x, c) is None:
        return UNKNOWN
    return with_dtype(elementwise(x), _floats(x, c))


def series_kind(c: Kind, *rest: Kind, **options: Kind) -> Kind:
    """polyder, polyint: other coefficients in a row."""
    return Array(1, _floats(c, *rest[1:2]), new_shape()) if rank(c) == 1 and not options \
        and len(rest) < 3 else UNKNOWN


def powers_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """polyvander: a row for each point; a number is taken for a vector of one."""
    ndim = rank(x)
    return Array(None if ndim is None else max(ndim, 1) + 1, _floats(x), new_shape())


def nodes_and_weights(n: Kind, *rest: Kind, **options: Kind) -> Kind:
    """scipy.special's roots_legendre and its like, which tell the sum of the weights if asked."""
    return UNKNOWN if rest or options else quadrature_kind(n)


def quadrature_kind(*arguments: Kind, **options: Kind) -> Kind:
    """leggauss and its like: nodes and weights."""
    return TupleKind((Array(1, "float", new_shape()), Array(1, "float", new_shape())))
