"""Kinds of what names places in arrays: arrays of ints, one for each axis and all as long."""
from __future__ import annotations

from tangent_lite.kinds import NOTHING, UNKNOWN, Array, Kind, Number, TupleKind, new_shape, value_of
from tangent_lite.result_kinds.numbers import rank


def places(axes: int) -> Kind:
    """As many arrays, with one shape."""
    return TupleKind((Array(1, "int", new_shape()),) * axes)


def in_triangle(*arguments: Kind, **options: Kind) -> Kind:
    """np.triu_indices and the like: places in a matrix."""
    return places(2)


def on_diagonal(n: Kind, ndim: Kind = NOTHING, **options: Kind) -> Kind:
    """np.diag_indices(n, ndim)."""
    axes = 2 if ndim is NOTHING else value_of(ndim)
    is_int = isinstance(n, Number) and n.type == "int"      # of a float it gives floats
    return places(axes) if is_int and isinstance(axes, int) and axes > 0 else UNKNOWN


def on_diagonal_of(x: Kind, **options: Kind) -> Kind:
    """np.diag_indices_from(x)."""
    axes = rank(x)
    return places(axes) if axes else UNKNOWN
