"""Kind functions of bins, of places on grids, and of arrays of arrays: counts, windows, blocks."""
from __future__ import annotations

from tangent_lite.kinds import (
    INT,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Nothing,
    Number,
    Numeric,
    TupleKind,
    dtype_named,
    new_shape,
)
from tangent_lite.result_kinds import elementwise, numbers_in, rank, with_dtype
from tangent_lite.result_kinds.shapes import rank_of_shape


def counts_kind(x: Kind, weights: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """bincount: how often each number comes, or the sums of weights."""
    dtype = "int" if isinstance(weights, Nothing) else numbers_in(weights) and "float"
    return Array(1, dtype, new_shape())


def bins_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """digitize: the number of the bin of each element."""
    return with_dtype(elementwise(x), "int") if isinstance(x, (Number, Array)) else Numeric("int")


def found_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """isin: whether each element is among others."""
    return with_dtype(elementwise(x), "bool") if isinstance(x, (Number, Array)) else Numeric("bool")


def indices_kind(dimensions: Kind, dtype: Kind = NOTHING, sparse: Kind = NOTHING,
                 **options: Kind) -> Kind:
    """np.indices: a grid of whole numbers for each axis, one after the other."""
    if not isinstance(dimensions, TupleKind) or not isinstance(sparse, Nothing) or options:
        return UNKNOWN
    return Array(len(dimensions.items) + 1, "int" if isinstance(dtype, Nothing)
                 else dtype_named(dtype), new_shape())


def places_kind(indices: Kind, shape: Kind = UNKNOWN, **options: Kind) -> Kind:
    """unravel_index: a number or an array for each axis."""
    if not isinstance(shape, TupleKind) or not isinstance(indices, (Number, Array)):
        return UNKNOWN
    return TupleKind((with_dtype(indices, "int"),) * len(shape.items))


def numbers_of_places(places: Kind, *rest: Kind, **options: Kind) -> Kind:
    """ravel_multi_index: one number for a place on each axis."""
    if not isinstance(places, TupleKind) or not places.items:
        return UNKNOWN
    return with_dtype(elementwise(*places.items), "int")


def windows_kind(x: Kind, window_shape: Kind = UNKNOWN, axis: Kind = NOTHING,
                 **options: Kind) -> Kind:
    """sliding_window_view: the axes of the array, and behind them one for each axis of a window."""
    ndim, more = rank(x), 1 if isinstance(window_shape, Number) else rank_of_shape(window_shape)
    return Array(None if ndim is None or more is None else ndim + more, numbers_in(x), new_shape())


def rank_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """matrix_rank: of one matrix a number."""
    return INT if rank(x) in (1, 2) and not rest and not options else Numeric("int")


def block_kind(arrays: Kind, **options: Kind) -> Kind:
    """np.block: as many axes as the lists are deep, or as an array in them has, if that is more."""
    def axes(kind: Kind) -> tuple[int, int] | None:
        if isinstance(kind, (Number, Array)):
            ndim = rank(kind)
            return None if ndim is None else (0, ndim)
        inner = [kind.item] if isinstance(kind, ListKind) else getattr(kind, "items", [])
        known = [axes(one) for one in inner]
        if not known or None in known:
            return None
        return 1 + max(d for d, _ in known), max(r for _, r in known)      # type: ignore[misc]

    known = axes(arrays)
    return Array(None if known is None else max(known), numbers_in(arrays), new_shape())
