"""Rules of the helpers in runtime.py, so that derivatives have derivatives.

Helpers without an entry are differentiated through their source, as functions of the user are.
"""
import numpy as np

from tangent_lite.numpy_kinds import imag_adjoint_kind, kept_kind
from tangent_lite.registry import adjoint, entry_for, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import (
    elementwise,
    elementwise_float,
    matched,
    numeric,
    polygamma_kind,
    scalar_bool,
    scalar_complex,
    scalar_int,
    shaped_like_second,
    shaped_like_third,
    summed_like_second,
    unknown,
    zeros_of,
)
from tangent_lite.result_kinds_sequences import (
    list_of_second,
    part_of_many,
    parts_of_second,
    parts_of_third,
)
from tangent_lite.runtime import (
    abs_slope,
    abs_slope_adjoint,
    abs_slope_tangent,
    add_at,
    angle_slope,
    bessel_moment,
    broadcast,
    clip_high,
    clip_inner,
    clip_low,
    copy_as_it_lies,
    divide_or_zero,
    gathered_over,
    imag_adjoint,
    in_dtype,
    kept,
    largest_back,
    largest_part,
    last_written,
    log_or_zero,
    match,
    matmul_adjoint_left,
    matmul_adjoint_right,
    over_complex_log,
    over_log,
    placed,
    polygamma,
    power_slope,
    power_slope_in_exponent,
    reduced_size,
    repeated_parts,
    scaled_parts,
    shadow_back,
    shadow_view,
    share_ties,
    sinc_curve,
    sinc_slope,
    smallest_back,
    smallest_part,
    spread_over,
    sum_of_products,
    through_dtype,
    unbroadcast,
    unreduce,
    where_larger,
    where_positive,
    zeros_as_it_lies,
    zeros_like,
)
from tangent_lite.runtime_patterns import is_mapping, is_sequence
from tangent_lite.runtime_reductions import (
    cumprod_adjoint,
    cumprod_adjoint_tangent,
    cumprod_curvature,
    cumprod_tangent,
    full_weights,
    median_weights,
    ones_for_nan,
    ones_outside,
    products_along,
    products_along_each,
    products_along_tangent,
    products_of_others,
    times_initial,
    uncumsum,
    weights_part,
    with_initial,
    without_initial,
    without_nans,
)
from tangent_lite.shape_kinds import copied, spread_first


# Broadcasting -----------------------------------------------------------------------------------
@adjoint(unbroadcast, kind=summed_like_second, view="maybe")
def unbroadcast_(y, dy, x):
    d[dy] = unbroadcast(d[y], dy)
    d[x] = None


@tangent(unbroadcast)
def unbroadcast_tangent(y, dy, x):
    d[y] = unbroadcast(d[dy], x)
    d[x] = None


@adjoint(match, kind=matched, view="maybe")
def match_(y, dx, x):
    d[dx] = unbroadcast(d[y], dx)
    d[x] = None


@tangent(match)
def match_tangent(y, dx, x):
    d[y] = match(d[dx], x)
    d[x] = None


@adjoint(unreduce, kind=shaped_like_second, view="maybe")
def unreduce_(y, dy, x, axis=None, keepdims=False):
    d[dy] = np.sum(d[y], axis=axis, keepdims=keepdims)
    d[x] = None


@tangent(unreduce)
def unreduce_tangent(y, dy, x, axis=None, keepdims=False):
    d[y] = unreduce(d[dy], x, axis, keepdims)
    d[x] = None


@adjoint(through_dtype, kind=numeric, view="maybe")
def through_dtype_(y, dy, dtype=None):
    d[dy] = through_dtype(d[y], dtype)


@tangent(through_dtype)
def through_dtype_tangent(y, dy, dtype=None):
    d[y] = through_dtype(d[dy], dtype)


@adjoint(in_dtype, kind=numeric, view="maybe")
def in_dtype_(y, x, dtype=None):
    d[x] = in_dtype(d[y], dtype)


@tangent(in_dtype)
def in_dtype_tangent(y, x, dtype=None):
    d[y] = in_dtype(d[x], dtype)


# Elementwise ------------------------------------------------------------------------------------
@pointwise(power_slope, kind=elementwise_float)
def power_slope_(z, x, y):
    d[x] = unbroadcast(d[z] * y * power_slope(x, y - 1), x)
    d[y] = unbroadcast(d[z] * power_slope_in_exponent(x, y), y)


@pointwise(log_or_zero, kind=elementwise_float)
def log_or_zero_(y, x):
    d[x] = divide_or_zero(d[y], x)


@pointwise(divide_or_zero, kind=elementwise_float)
def divide_or_zero_(z, x, y):
    d[x] = unbroadcast(divide_or_zero(d[z], y), x)
    d[y] = unbroadcast(divide_or_zero(-d[z] * x, y * y), y)


@pointwise(where_larger, kind=elementwise)
def where_larger_(z, dz, x, y):
    d[dz] = unbroadcast(where_larger(d[z], x, y), dz)
    d[x] = None
    d[y] = None


@pointwise(where_positive, kind=elementwise)
def where_positive_(z, dz, x):
    d[dz] = unbroadcast(where_positive(d[z], x), dz)
    d[x] = None


@pointwise(clip_inner, kind=spread_first, view="maybe")
def clip_inner_(z, dz, x, low=None, high=None, low_2=None, high_2=None):
    d[dz] = unbroadcast(clip_inner(d[z], x, low, high, low_2, high_2), dz)
    d[x] = None
    d[low] = None
    d[high] = None
    d[low_2] = None
    d[high_2] = None


@pointwise(clip_low, kind=spread_first)
def clip_low_(z, dz, x, low, high=None):
    d[dz] = unbroadcast(clip_low(d[z], x, low, high), dz)
    d[x] = None
    d[low] = None
    d[high] = None


@pointwise(clip_high, kind=spread_first)
def clip_high_(z, dz, x, low, high):
    d[dz] = unbroadcast(clip_high(d[z], x, low, high), dz)
    d[x] = None
    d[low] = None
    d[high] = None


@adjoint(imag_adjoint, kind=imag_adjoint_kind)
def imag_adjoint_(y, dy, x):
    d[dy] = np.imag(d[y]) * np.iscomplexobj(x)
    d[x] = None


@tangent(imag_adjoint)
def imag_adjoint_tangent(y, dy, x):
    d[y] = imag_adjoint(d[dy], x)
    d[x] = None


@adjoint(abs_slope, kind=elementwise)
def abs_slope_(y, x):
    d[x] = abs_slope_adjoint(d[y], x)


@tangent(abs_slope)
def abs_slope_tangent_(y, x):
    d[y] = abs_slope_tangent(d[x], x)


@pointwise(angle_slope, kind=numeric)
def angle_slope_(y, x, deg=False):
    d[x] = d[y] * -1j * y * y * (np.pi / 180.0 if deg else 1.0)


@pointwise(sinc_slope, kind=elementwise_float)
def sinc_slope_(y, x):
    d[x] = d[y] * sinc_curve(x)


@pointwise(bessel_moment, kind=numeric, constant=("k",))
def bessel_moment_(y, x, k):
    d[x] = d[y] * bessel_moment(x, k + 1)


@pointwise(polygamma, kind=polygamma_kind, constant=("n",))
def polygamma_(y, n, x):
    d[x] = d[y] * polygamma(n + 1, x)


@pointwise(over_log, kind=elementwise_float)
def over_log_(y, x, base=None):
    d[x] = unbroadcast(over_log(d[y], base), x)
    d[base] = unbroadcast(-d[y] * y / (base * np.log(base)), base)


@pointwise(over_complex_log, kind=scalar_complex)
def over_complex_log_(y, x, base=None):
    d[x] = over_complex_log(d[y], base)
    d[base] = over_complex_log(-d[y] * y / base, base)


# Reductions and sequences -----------------------------------------------------------------------
nondifferentiable(reduced_size, kind=scalar_int)
nondifferentiable(broadcast, kind=elementwise)
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


@pointwise(ones_outside, kind=kept_kind, view="maybe")
def ones_outside_(y, x, where=True):
    d[x] = unbroadcast(kept(d[y], where), x)


@pointwise(times_initial, kind=unknown, view="maybe")
def times_initial_(y, dx, initial=None):
    d[dx] = times_initial(d[y], initial)


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
    d[z] = scaled_parts(d[dy], factors, xs) + scaled_parts(dy, d[factors], xs)
    d[xs] = None


# Products ---------------------------------------------------------------------------------------
@adjoint(matmul_adjoint_left, kind=shaped_like_second)
def matmul_adjoint_left_(bx, dz, x, y):
    d[dz] = np.matmul(d[bx], y)
    d[x] = None
    d[y] = matmul_adjoint_right(dz, d[bx], y)


@tangent(matmul_adjoint_left)
def matmul_adjoint_left_tangent(bx, dz, x, y):
    d[bx] = matmul_adjoint_left(d[dz], x, y) + matmul_adjoint_left(dz, x, d[y])
    d[x] = None


@adjoint(matmul_adjoint_right, kind=shaped_like_third)
def matmul_adjoint_right_(by, dz, x, y):
    d[dz] = np.matmul(x, d[by])
    d[x] = matmul_adjoint_left(dz, x, d[by])
    d[y] = None


@tangent(matmul_adjoint_right)
def matmul_adjoint_right_tangent(by, dz, x, y):
    d[by] = matmul_adjoint_right(d[dz], x, y) + matmul_adjoint_right(dz, d[x], y)
    d[y] = None


# Elements ---------------------------------------------------------------------------------------
@adjoint(add_at, constant=("index",))
def add_at_(y, bx, index, dy):
    d[bx] = None
    d[dy] = d[bx][index]


entry_for(add_at).writes = ("bx",)


@adjoint(copy_as_it_lies, kind=copied)
def copy_as_it_lies_(y, x):
    d[x] = d[y]


@tangent(copy_as_it_lies)
def copy_as_it_lies_tangent(y, x):
    d[y] = copy_as_it_lies(d[x])


nondifferentiable(zeros_as_it_lies, kind=zeros_of)


@adjoint(shadow_view, kind=unknown, view="maybe")
def shadow_view_(y, bv, bx, v, x):
    d[bv] = shadow_back(d[y], v, x)
    d[bx] = None
    d[v] = None
    d[x] = None


@tangent(shadow_view)
def shadow_view_tangent(y, bv, bx, v, x):
    d[y] = shadow_view(d[bv], d[bx], v, x)
    d[v] = None
    d[x] = None


@adjoint(shadow_back, kind=unknown, view="maybe")
def shadow_back_(y, by, v, x):
    d[by] = shadow_back(d[y], v, x)
    d[v] = None
    d[x] = None


@tangent(shadow_back)
def shadow_back_tangent(y, by, v, x):
    d[y] = shadow_back(d[by], v, x)
    d[v] = None
    d[x] = None


@adjoint(last_written, kind=unknown, constant=("index",))
def last_written_(y, bx, index):
    d[bx] = placed(d[y], bx, index)


@tangent(last_written, constant=("index",))
def last_written_tangent(y, bx, index):
    d[y] = last_written(d[bx], index)


@adjoint(placed, kind=shaped_like_second, constant=("index",))
def placed_(y, dy, bx, index):
    d[dy] = last_written(d[y], index)
    d[bx] = None


@tangent(placed, constant=("index",))
def placed_tangent(y, dy, bx, index):
    d[y] = placed(d[dy], bx, index)
    d[bx] = None


nondifferentiable(zeros_like, kind=zeros_of)
nondifferentiable(is_sequence, is_mapping, kind=scalar_bool)
