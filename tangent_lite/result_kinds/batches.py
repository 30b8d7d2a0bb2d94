"""The kinds of what helpers for batches return: arrays with an axis for directions in front."""
from __future__ import annotations

from tangent_lite.kinds import UNKNOWN, Array, Kind, Number, Numeric, dtype_of, new_shape
from tangent_lite.kinds.duck import replaced
from tangent_lite.result_kinds import sizes_of
from tangent_lite.result_kinds.numbers import rank
from tangent_lite.shapes.sizes import Sizes


def like_batch_of_first(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """As many directions as dy has, each in the shape of x.

    >>> from tangent_lite.kinds import FLOAT
    >>> like_batch_of_first(Array(3, "float"), FLOAT).ndim
    1
    """
    axes, front = rank(x), sizes_of(dy)
    if not isinstance(dy, Array) or axes is None:
        return UNKNOWN
    each = () if axes == 0 else sizes_of(x)
    return Array(1 + axes, dtype_of(dy), new_shape() if not front or each is None
                 else Sizes((front[0], *each)))


def spread_to_second(dx: Kind, y: Kind, *rest: Kind, **options: Kind) -> Kind:
    """As many directions as dx has, each in the shape that it has together with y."""
    axes = rank(y)
    if not isinstance(dx, Array) or dx.ndim is None or axes is None:
        return UNKNOWN
    return Array(max(dx.ndim, 1 + axes), dtype_of(dx), new_shape())


def like_first(dz: Kind, dx: Kind, *rest: Kind, **options: Kind) -> Kind:
    """The shape of a batch that is given second, with numbers like those of the first."""
    return Array(dx.ndim, dtype_of(dz), dx.shape) if isinstance(dx, Array) else UNKNOWN


def like_spread(x: Kind, count: Kind = UNKNOWN, *rest: Kind, **options: Kind) -> Kind:
    """The structure of a value, with an axis in front of its numbers and arrays.

    >>> from tangent_lite.kinds import FLOAT, TEXT, TupleKind
    >>> like_spread(TupleKind((FLOAT, TEXT))).items[0]
    Array(ndim=1, dtype='float', shape=None)
    """
    def front(kind: Kind) -> Kind:
        if isinstance(kind, Number):
            return Array(1, kind.type)
        if isinstance(kind, Array):
            return Array(None if kind.ndim is None else kind.ndim + 1, kind.dtype)
        return UNKNOWN if isinstance(kind, Numeric) else kind

    return replaced(x, front)
