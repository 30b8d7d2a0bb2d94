"""Rules of the helpers for reductions and sequences, in `runtime` and runtime/reductions.py."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import (
    elementwise,
    elementwise_float,
    reduced_count,
    reduction_float,
    shaped_like_second,
    unchanged,
    unknown,
)
from tangent_lite.result_kinds.of_numpy import kept_kind
from tangent_lite.result_kinds.sequences import (
    list_of_second,
    part_of_many,
    parts_of_second,
    parts_of_third,
)
from tangent_lite.result_kinds.shapes import copied
from tangent_lite.runtime import (
    broadcast,
    gathered_over,
    kept,
    kept_of_mean,
    largest_back,
    largest_part,
    mean_size,
    reduced_size,
    repeated_parts,
    scaled_parts,
    share_ties,
    smallest_back,
    smallest_part,
    spread_over,
    sum_of_products,
    sum_of_structures,
    unbroadcast,
    unreduce,
)
from tangent_lite.runtime.reductions import (
    cumprod_adjoint,
    cumprod_adjoint_tangent,
    cumprod_curvature,
    cumprod_tangent,
    degrees_for_each,
    degrees_of_freedom,
    full_weights,
    median_along,
    median_weights,
    ones_for_nan,
    ones_outside,
    products_along,
    products_along_each,
    products_along_tangent,
    products_of_others,
    some_degrees_of_freedom,
    times_initial,
    uncumsum,
    weights_part,
    with_initial,
    without_initial,
    without_nans,
)

nondifferentiable(reduced_size, mean_size, kind=reduced_count)
nondifferentiable(broadcast, degrees_of_freedom, degrees_for_each, kind=elementwise)
nondifferentiable(some_degrees_of_freedom, kind=elementwise_float)
nondifferentiable(share_ties, median_weights, kind=unknown)


@adjoint(products_of_others, kind=copied)
def products_of_others_(y, x, axis=None):
    d[x] = products_along(x, np.expand_dims(d[y], 0), axis)


@tangent(products_of_others)
def products_of_others_tangent(y, x, axis=None):
    d[y] = products_along(x, np.expand_dims(d[x], 0), axis)


# Symmetric in its directions, of which the adjoint of the result is one in turn.
@adjoint(products_along, kind=copied)
def products_along_(y, x, dxs, axis=None):
    d[x] = products_along(x, np.concatenate((dxs, np.expand_dims(d[y], 0))), axis)
    d[dxs] = products_along_each(x, dxs, d[y], axis)


@tangent(products_along)
def products_along_tangent_(y, x, dxs, axis=None):
    d[y] = products_along(x, np.concatenate((dxs, np.expand_dims(d[x], 0))), axis) \
        + products_along_tangent(x, dxs, d[dxs], axis)


@adjoint(uncumsum, kind=shaped_like_second)
def uncumsum_(y, dy, x, axis=None):
    d[dy] = np.cumsum(d[y], axis)
    d[x] = None


@tangent(uncumsum)
def uncumsum_tangent(y, dy, x, axis=None):
    d[y] = uncumsum(d[dy], x, axis)
    d[x] = None


# The second derivative of a product is symmetric: one helper serves both modes.
@adjoint(cumprod_adjoint, kind=shaped_like_second)
def cumprod_adjoint_(y, dy, x, axis=None):
    d[dy] = cumprod_tangent(d[y], x, axis)
    d[x] = cumprod_adjoint_tangent(dy, x, d[y], axis)


@tangent(cumprod_adjoint)
def cumprod_adjoint_tangent_(y, dy, x, axis=None):
    d[y] = cumprod_adjoint(d[dy], x, axis) + cumprod_adjoint_tangent(dy, x, d[x], axis)


@adjoint(cumprod_tangent, kind=unknown)
def cumprod_tangent_(y, dx, x, axis=None):
    d[dx] = cumprod_adjoint(d[y], x, axis)
    d[x] = cumprod_adjoint_tangent(d[y], x, dx, axis)


@tangent(cumprod_tangent)
def cumprod_tangent_tangent(y, dx, x, axis=None):
    d[y] = cumprod_tangent(d[dx], x, axis) + cumprod_curvature(dx, d[x], x, axis)


@adjoint(full_weights, kind=unknown, constant=("axis",), view="maybe")
def full_weights_(y, a, axis, weights):
    d[a] = None
    d[weights] = weights_part(d[y], a, axis, weights)


@tangent(full_weights, constant=("axis",))
def full_weights_tangent(y, a, axis, weights):
    d[y] = full_weights(a, axis, d[weights])
    d[a] = None


@adjoint(weights_part, kind=unknown, constant=("axis",), view="maybe")
def weights_part_(y, dfull, a, axis, weights):
    d[dfull] = full_weights(a, axis, d[y])
    d[a] = None
    d[weights] = None


@tangent(weights_part, constant=("axis",))
def weights_part_tangent(y, dfull, a, axis, weights):
    d[y] = weights_part(d[dfull], a, axis, weights)
    d[a] = None
    d[weights] = None


@pointwise(kept, kind=kept_kind, view="maybe")
def kept_(y, dx, where=True):
    d[dx] = unbroadcast(kept(d[y], where), dx)


@adjoint(kept_of_mean, kind=unchanged, view="maybe")
def kept_of_mean_(y, dx, dy, where=True, axis=None, keepdims=False):
    d[dx] = kept(d[y], where)
    d[dy] = None


@tangent(kept_of_mean)
def kept_of_mean_tangent(y, dx, dy, where=True, axis=None, keepdims=False):
    d[y] = kept_of_mean(d[dx], dy, where, axis, keepdims)
    d[dy] = None


@adjoint(median_along, kind=reduction_float)
def median_along_(y, dx, x, axis=None, keepdims=False):
    d[dx] = unreduce(d[y], dx, axis, keepdims) * median_weights(x, axis)
    d[x] = None


@tangent(median_along)
def median_along_tangent(y, dx, x, axis=None, keepdims=False):
    d[y] = median_along(d[dx], x, axis, keepdims)
    d[x] = None


@pointwise(ones_outside, kind=kept_kind, view="maybe")
def ones_outside_(y, x, where=True):
    d[x] = unbroadcast(kept(d[y], where), x)


@adjoint(times_initial, kind=unknown, view="maybe")
def times_initial_(y, dx, initial=None):
    d[dx] = times_initial(d[y], initial)
    d[initial] = np.sum(d[y] * dx)


@tangent(times_initial)
def times_initial_tangent(y, dx, initial=None):
    d[y] = times_initial(d[dx], initial) + dx * d[initial]


@pointwise(ones_for_nan, kind=elementwise)
def ones_for_nan_(y, x):
    d[x] = d[y] * ~np.isnan(x)


@pointwise(without_nans, kind=elementwise)
def without_nans_(y, dx, x):
    d[dx] = without_nans(d[y], x)
    d[x] = None


@adjoint(without_initial, kind=unknown, view="maybe")
def without_initial_(y, dy, x, axis=None):
    d[dy] = with_initial(d[y], dy, axis)
    d[x] = None


@tangent(without_initial)
def without_initial_tangent(y, dy, x, axis=None):
    d[y] = without_initial(d[dy], x, axis)
    d[x] = None


@adjoint(with_initial, kind=unknown, view="maybe")
def with_initial_(y, dx, z, axis=None):
    d[dx] = without_initial(d[y], dx, axis)
    d[z] = None


@tangent(with_initial)
def with_initial_tangent(y, dx, z, axis=None):
    d[y] = with_initial(d[dx], z, axis)
    d[z] = None


@adjoint(largest_part, kind=part_of_many, constant=("k",))
def largest_part_(y, dy, k, xs):
    d[dy] = largest_back(d[y], k, xs)
    for x in xs:
        d[x] = None
    d[xs] = None


@tangent(largest_part, constant=("k",))
def largest_part_tangent(y, dy, k, xs):
    d[y] = largest_part(d[dy], k, xs)
    d[xs] = None


@adjoint(smallest_part, kind=part_of_many, constant=("k",))
def smallest_part_(y, dy, k, xs):
    d[dy] = smallest_back(d[y], k, xs)
    for x in xs:
        d[x] = None
    d[xs] = None


@tangent(smallest_part, constant=("k",))
def smallest_part_tangent(y, dy, k, xs):
    d[y] = smallest_part(d[dy], k, xs)
    d[xs] = None


@adjoint(spread_over, kind=parts_of_second, view="maybe")
def spread_over_(y, dy, xs):
    d[dy] = gathered_over(d[y], dy)
    for x in xs:
        d[x] = None
    d[xs] = None


@adjoint(repeated_parts, kind=list_of_second)
def repeated_parts_(y, dys, xs):
    d[dys] = d[y] * (len(dys) // max(1, len(xs)))
    d[xs] = None


@tangent(repeated_parts)
def repeated_parts_tangent(y, dys, xs):
    d[y] = repeated_parts(d[dys], xs)
    d[xs] = None


@tangent(spread_over)
def spread_over_tangent(y, dy, xs):
    d[y] = spread_over(d[dy], xs)
    d[xs] = None


@adjoint(sum_of_products, kind=unknown)
def sum_of_products_(z, xs, ys):
    d[xs] = scaled_parts(d[z], ys, xs)
    d[ys] = scaled_parts(d[z], xs, ys)


@tangent(sum_of_products)
def sum_of_products_tangent(z, xs, ys):
    d[z] = sum_of_products(d[xs], ys) + sum_of_products(xs, d[ys])


@adjoint(scaled_parts, kind=parts_of_third)
def scaled_parts_(z, dy, factors, xs):
    d[dy] = sum_of_products(d[z], factors)
    d[factors] = scaled_parts(dy, d[z], factors)
    for x in xs:
        d[x] = None
    d[xs] = None


@tangent(scaled_parts)
def scaled_parts_tangent(z, dy, factors, xs):
    d[z] = sum_of_structures(scaled_parts(d[dy], factors, xs), scaled_parts(dy, d[factors], xs))
    d[xs] = None
