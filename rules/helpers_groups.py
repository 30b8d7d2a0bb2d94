"""Rules of the helpers in runtime/groups.py: segments of np.maximum.reduceat, and what universal
functions do at positions that may repeat (np.maximum.at).
"""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import shaped_like_second, unknown
from tangent_lite.result_kinds.shapes import copied, same_rank
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.groups import (
    are_at,
    divide_at,
    fmax_at,
    fmin_at,
    from_segments,
    in_segments,
    logaddexp_at,
    maximum_at,
    minimum_at,
    multiply_at,
    over_segments,
    products_at,
    products_in_groups,
    products_in_groups_along,
    products_in_groups_along_each,
    products_in_groups_along_tangent,
    same_places,
    segments_of,
    share_at,
    shares_in_segments,
    sums_in_groups,
    sums_of_segments,
)

nondifferentiable(same_places, segments_of, shares_in_segments, kind=unknown)
nondifferentiable(are_at, kind=unknown)
nondifferentiable(share_at, kind=copied)


# Segments: what is taken into them and what is added up from them are each other's adjoint -------
@adjoint(in_segments, kind=same_rank, constant=("indices", "axis"))
def in_segments_(y, x, indices, axis=0):
    d[x] = from_segments(d[y], x, indices, axis)


@tangent(in_segments, constant=("indices", "axis"))
def in_segments_tangent(y, x, indices, axis=0):
    d[y] = in_segments(d[x], indices, axis)


@adjoint(from_segments, kind=shaped_like_second, constant=("indices", "axis"))
def from_segments_(y, parts, x, indices, axis=0):
    d[parts] = in_segments(d[y], indices, axis)
    d[x] = None


@tangent(from_segments, constant=("indices", "axis"))
def from_segments_tangent(y, parts, x, indices, axis=0):
    d[y] = from_segments(d[parts], x, indices, axis)
    d[x] = None


@adjoint(over_segments, kind=same_rank, constant=("indices", "axis"))
def over_segments_(z, y, x, indices, axis=0):
    d[y] = sums_of_segments(d[z], x, indices, axis)
    d[x] = None


@tangent(over_segments, constant=("indices", "axis"))
def over_segments_tangent(z, y, x, indices, axis=0):
    d[z] = over_segments(d[y], x, indices, axis)
    d[x] = None


@adjoint(sums_of_segments, kind=same_rank, constant=("indices", "axis"))
def sums_of_segments_(y, parts, x, indices, axis=0):
    d[parts] = over_segments(d[y], x, indices, axis)
    d[x] = None


@tangent(sums_of_segments, constant=("indices", "axis"))
def sums_of_segments_tangent(y, parts, x, indices, axis=0):
    d[y] = sums_of_segments(d[parts], x, indices, axis)
    d[x] = None


# Groups -----------------------------------------------------------------------------------------
@adjoint(sums_in_groups, kind=copied, constant=("groups",))
def sums_in_groups_(y, x, groups):
    d[x] = sums_in_groups(d[y], groups)


@tangent(sums_in_groups, constant=("groups",))
def sums_in_groups_tangent(y, x, groups):
    d[y] = sums_in_groups(d[x], groups)


@adjoint(products_in_groups, kind=copied, constant=("groups", "axis"))
def products_in_groups_(y, x, groups, axis=0):
    d[x] = products_in_groups_along(x, np.expand_dims(d[y], 0), groups, axis)


@tangent(products_in_groups, constant=("groups", "axis"))
def products_in_groups_tangent(y, x, groups, axis=0):
    d[y] = products_in_groups_along(x, np.expand_dims(d[x], 0), groups, axis)


# Symmetric in its directions, of which the adjoint of the result is one in turn.
@adjoint(products_in_groups_along, kind=copied, constant=("groups", "axis"))
def products_in_groups_along_(y, x, dxs, groups, axis=0):
    d[x] = products_in_groups_along(x, np.concatenate((dxs, np.expand_dims(d[y], 0))), groups, axis)
    d[dxs] = products_in_groups_along_each(x, dxs, d[y], groups, axis)


@tangent(products_in_groups_along, constant=("groups", "axis"))
def products_in_groups_along_tangent_(y, x, dxs, groups, axis=0):
    d[y] = products_in_groups_along(x, np.concatenate((dxs, np.expand_dims(d[x], 0))), groups,
                                    axis) \
        + products_in_groups_along_tangent(x, dxs, d[dxs], groups, axis)


# Universal functions at positions that may repeat -------------------------------------------------
@adjoint(maximum_at, minimum_at, fmax_at, fmin_at, kind=copied, constant=("groups",))
def maximum_at_(y, parts, values, groups):
    share = share_at(y, parts, values, groups)
    d[parts] = d[y] * share * (parts == y)
    d[values] = unbroadcast(sums_in_groups(d[y], groups) * share * are_at(values, y), values)


@tangent(maximum_at, minimum_at, fmax_at, fmin_at, constant=("groups",))
def maximum_at_tangent(y, parts, values, groups):
    share = share_at(y, parts, values, groups)
    d[y] = d[parts] * share * (parts == y) \
        + sums_in_groups(d[values] * share * are_at(values, y), groups)


@adjoint(multiply_at, kind=copied, constant=("groups",))
def multiply_at_(y, parts, values, groups):
    d[parts] = d[y] * products_at(values, parts, groups)
    d[values] = unbroadcast(
        products_in_groups(np.broadcast_to(values, np.shape(parts)), groups)
        * sums_in_groups(d[y] * parts, groups), values)


@tangent(multiply_at, constant=("groups",))
def multiply_at_tangent(y, parts, values, groups):
    d[y] = d[parts] * products_at(values, parts, groups) + parts * sums_in_groups(
        products_in_groups(np.broadcast_to(values, np.shape(parts)), groups) * d[values], groups)


@adjoint(divide_at, kind=copied, constant=("groups",))
def divide_at_(y, parts, values, groups):
    d[parts] = d[y] / products_at(values, parts, groups)
    d[values] = unbroadcast(-sums_in_groups(d[y] * y, groups) / values, values)


@tangent(divide_at, constant=("groups",))
def divide_at_tangent(y, parts, values, groups):
    d[y] = d[parts] / products_at(values, parts, groups) - y * sums_in_groups(
        np.broadcast_to(d[values] / values, np.shape(parts)), groups)


@adjoint(logaddexp_at, kind=copied, constant=("groups",))
def logaddexp_at_(y, parts, values, groups):
    d[parts] = d[y] * np.exp(parts - y)
    d[values] = unbroadcast(sums_in_groups(d[y], groups) * np.exp(values - y), values)


@tangent(logaddexp_at, constant=("groups",))
def logaddexp_at_tangent(y, parts, values, groups):
    d[y] = d[parts] * np.exp(parts - y) + sums_in_groups(d[values] * np.exp(values - y), groups)


@adjoint(products_at, kind=shaped_like_second, constant=("groups",))
def products_at_(y, values, parts, groups):
    d[values] = unbroadcast(
        products_in_groups(np.broadcast_to(values, np.shape(parts)), groups)
        * sums_in_groups(d[y], groups), values)
    d[parts] = None


@tangent(products_at, constant=("groups",))
def products_at_tangent(y, values, parts, groups):
    d[y] = sums_in_groups(products_in_groups(np.broadcast_to(values, np.shape(parts)), groups)
                          * d[values], groups)
    d[parts] = None
