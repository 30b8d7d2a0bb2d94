"""Reductions: sum, mean, extremes, spreads, cumulative sums."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, same_as, tangent
from tangent_lite.result_kinds import average as average_kind
from tangent_lite.result_kinds import (
    count_of,
    int_rows,
    int_vector,
    order_by,
    positions_along,
    positions_of,
    reduction,
    reduction_bool,
    reduction_float,
    reduction_int,
    reduction_median,
    reduction_same,
    reduction_spread,
    where,
)
from tangent_lite.result_kinds import trace as trace_kind
from tangent_lite.result_kinds.bins import bins_kind, found_kind
from tangent_lite.result_kinds.of_numpy import cumulative_kind
from tangent_lite.result_kinds.shapes import cumulative
from tangent_lite.runtime import (
    divide_or_zero,
    in_dtype,
    is_left_out,
    kept,
    kept_of_mean,
    mean_size,
    reduced_size,
    share_ties,
    through_dtype,
    unbroadcast,
    unreduce,
)
from tangent_lite.runtime.reductions import (
    count_numbers,
    cumprod_adjoint,
    cumprod_tangent,
    degrees_for_each,
    degrees_of_freedom,
    full_weights,
    median_along,
    median_weights,
    ones_for_nan,
    ones_outside,
    products_of_others,
    some_degrees_of_freedom,
    times_initial,
    uncumsum,
    weights_part,
    with_initial,
    without_initial,
    without_nans,
)
from tangent_lite.runtime.shapes import trace_adjoint


# What `where` leaves out has no derivative; an initial value is one more element.
@adjoint(np.sum, kind=reduction)
def sum(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    d[a] = kept(unreduce(through_dtype(d[y], dtype), a, axis, keepdims), where)
    d[initial] = np.sum(through_dtype(d[y], dtype))


@tangent(np.sum)
def sum_tangent(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    d[y] = through_dtype(np.sum(d[a], axis=axis, keepdims=keepdims, where=where), dtype) \
        + unreduce(through_dtype(d[initial], dtype), y)


@adjoint(np.mean, kind=reduction_float)
def mean(y, a, axis=None, dtype=None, *, keepdims=False, where=True):
    d[a] = kept_of_mean(unreduce(through_dtype(d[y], dtype) / mean_size(a, axis, where, keepdims),
                                 a, axis, keepdims), d[y], where, axis, keepdims)


@tangent(np.mean)
def mean_tangent(y, a, axis=None, dtype=None, *, keepdims=False, where=True):
    d[y] = through_dtype(np.mean(d[a], axis=axis, keepdims=keepdims, where=where), dtype)


@adjoint(np.max, np.min, kind=reduction_same)
def max(y, a, axis=None, *, keepdims=False, initial=None, where=True):
    d[a] = unreduce(d[y], a, axis, keepdims) * share_ties(y, a, axis, keepdims, initial, where)
    d[initial] = np.sum(d[y] * (1.0 - np.sum(share_ties(y, a, axis, keepdims, initial, where),
                                             axis=axis, keepdims=keepdims)))


@tangent(np.max, np.min)
def max_tangent(y, a, axis=None, *, keepdims=False, initial=None, where=True):
    share = share_ties(y, a, axis, keepdims, initial, where)
    d[y] = np.sum(d[a] * share, axis=axis, keepdims=keepdims) \
        + d[initial] * (1.0 - np.sum(share, axis=axis, keepdims=keepdims))


@adjoint(np.ptp, kind=reduction_same)
def ptp(y, a, axis=None, *, keepdims=False):
    largest = share_ties(np.max(a, axis=axis, keepdims=keepdims), a, axis, keepdims)
    smallest = share_ties(np.min(a, axis=axis, keepdims=keepdims), a, axis, keepdims)
    d[a] = unreduce(d[y], a, axis, keepdims) * (largest - smallest)


@tangent(np.ptp)
def ptp_tangent(y, a, axis=None, *, keepdims=False):
    largest = share_ties(np.max(a, axis=axis, keepdims=keepdims), a, axis, keepdims)
    smallest = share_ties(np.min(a, axis=axis, keepdims=keepdims), a, axis, keepdims)
    d[y] = np.sum(d[a] * (largest - smallest), axis=axis, keepdims=keepdims)


@adjoint(np.prod, kind=reduction)
def prod(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    d[a] = kept(times_initial(unreduce(through_dtype(d[y], dtype), a, axis, keepdims), initial)
                * products_of_others(ones_outside(in_dtype(a, dtype), where), axis), where)
    d[initial] = np.sum(through_dtype(d[y], dtype)
                        * np.prod(a, axis=axis, keepdims=keepdims, where=where))


@tangent(np.prod)
def prod_tangent(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    others = products_of_others(ones_outside(in_dtype(a, dtype), where), axis)
    d[y] = times_initial(through_dtype(np.sum(kept(d[a] * others, where), axis=axis,
                                              keepdims=keepdims), dtype), initial) \
        + through_dtype(d[initial] * np.prod(a, axis=axis, keepdims=keepdims, where=where), dtype)


# What is handed over as mean= stands in the place of the mean, and varies as whatever it is.
@adjoint(np.var, kind=reduction_spread, constant=("ddof",))
def var(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True, mean=None):
    middle = np.mean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where) \
        if is_left_out(mean) else mean
    slope = kept_of_mean(unreduce(2.0 * np.real(through_dtype(d[y], dtype))
                                  / degrees_for_each(reduced_size(a, axis, where, keepdims), ddof),
                                  a, axis, keepdims)
                         * np.conj(a - middle), d[y], where, axis, keepdims)
    d[a] = slope
    d[mean] = unbroadcast(-slope, mean)


@tangent(np.var, constant=("ddof",))
def var_tangent(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True, mean=None):
    middle = np.mean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where) \
        if is_left_out(mean) else mean
    deviation = kept(np.conj(a - middle), where)
    freedom = degrees_of_freedom(reduced_size(a, axis, where, keepdims), ddof)
    d[y] = 2.0 * np.real(np.sum(d[a] * deviation, axis=axis, keepdims=keepdims)) / freedom \
        - 2.0 * np.real(np.sum(d[mean] * deviation, axis=axis, keepdims=keepdims)) / freedom


@adjoint(np.std, kind=reduction_spread, constant=("ddof",))
def std(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True, mean=None):
    middle = np.mean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where) \
        if is_left_out(mean) else mean
    slope = kept_of_mean(unreduce(divide_or_zero(np.real(through_dtype(d[y], dtype)), y)
                                  / degrees_for_each(reduced_size(a, axis, where, keepdims), ddof),
                                  a, axis, keepdims)
                         * np.conj(a - middle), d[y], where, axis, keepdims)
    d[a] = slope
    d[mean] = unbroadcast(-slope, mean)


@tangent(np.std, constant=("ddof",))
def std_tangent(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True, mean=None):
    middle = np.mean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where) \
        if is_left_out(mean) else mean
    deviation = kept(np.conj(a - middle), where)
    freedom = degrees_of_freedom(reduced_size(a, axis, where, keepdims), ddof)
    d[y] = divide_or_zero(np.real(np.sum(d[a] * deviation, axis=axis, keepdims=keepdims)), y) \
        / freedom - divide_or_zero(np.real(
            np.sum(d[mean] * deviation, axis=axis, keepdims=keepdims)), y) / freedom


@adjoint(np.average, kind=average_kind)
def average(y, a, axis=None, weights=None, *, keepdims=False):
    full = full_weights(a, axis, weights)
    total = np.sum(full, axis=axis, keepdims=True)
    spread = unreduce(d[y], a, axis, keepdims)
    d[a] = spread * full / total
    d[weights] = weights_part(spread * (a - unreduce(y, a, axis, keepdims)) / total,
                              a, axis, weights)


@tangent(np.average)
def average_tangent(y, a, axis=None, weights=None, *, keepdims=False):
    full = full_weights(a, axis, weights)
    total = np.sum(full, axis=axis, keepdims=keepdims)
    deviation = a - unreduce(y, a, axis, keepdims)
    d[y] = np.sum(d[a] * full, axis=axis, keepdims=keepdims) / total \
        + np.sum(full_weights(a, axis, d[weights]) * deviation, axis=axis,
                 keepdims=keepdims) / total


@adjoint(np.median, kind=reduction_median)
def median(y, a, axis=None, *, keepdims=False):
    d[a] = unreduce(d[y], a, axis, keepdims) * median_weights(a, axis)


@tangent(np.median)
def median_tangent(y, a, axis=None, *, keepdims=False):
    d[y] = median_along(d[a], a, axis, keepdims)


@adjoint(np.cumsum, kind=cumulative)
def cumsum(y, a, axis=None, dtype=None):
    d[a] = uncumsum(through_dtype(d[y], dtype), a, axis)


@tangent(np.cumsum)
def cumsum_tangent(y, a, axis=None, dtype=None):
    d[y] = through_dtype(np.cumsum(d[a], axis=axis), dtype)


@adjoint(np.cumprod, kind=cumulative)
def cumprod(y, a, axis=None, dtype=None):
    d[a] = cumprod_adjoint(through_dtype(d[y], dtype), in_dtype(a, dtype), axis)


@tangent(np.cumprod)
def cumprod_tangent_(y, a, axis=None, dtype=None):
    d[y] = through_dtype(cumprod_tangent(d[a], in_dtype(a, dtype), axis), dtype)


@adjoint(np.trace, kind=trace_kind, constant=("offset", "axis1", "axis2"))
def trace(y, a, offset=0, axis1=0, axis2=1):
    d[a] = trace_adjoint(d[y], a, offset, axis1, axis2)


@tangent(np.trace, constant=("offset", "axis1", "axis2"))
def trace_tangent(y, a, offset=0, axis1=0, axis2=1):
    d[y] = np.trace(d[a], offset, axis1, axis2)


# Without the NaNs: they count neither in the value nor in the derivative.
@adjoint(np.nansum, kind=reduction)
def nansum(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    d[a] = kept(unreduce(through_dtype(d[y], dtype), a, axis, keepdims), where) * ~np.isnan(a)


@tangent(np.nansum)
def nansum_tangent(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    d[y] = through_dtype(np.sum(np.where(np.isnan(a), 0.0, d[a]), axis=axis, keepdims=keepdims,
                                where=where), dtype)


@adjoint(np.nanmean, kind=reduction_float)
def nanmean(y, a, axis=None, dtype=None, *, keepdims=False, where=True):
    d[a] = kept_of_mean(unreduce(through_dtype(d[y], dtype)
                                 / count_numbers(a, axis, keepdims, where), a, axis, keepdims),
                        d[y], where, axis, keepdims) * ~np.isnan(a)


@tangent(np.nanmean)
def nanmean_tangent(y, a, axis=None, dtype=None, *, keepdims=False, where=True):
    d[y] = through_dtype(np.sum(np.where(np.isnan(a), 0.0, d[a]), axis=axis, keepdims=keepdims,
                                where=where) / count_numbers(a, axis, keepdims, where), dtype)


@adjoint(np.nanmax, np.nanmin, kind=reduction_same)
def nanmax(y, a, axis=None, *, keepdims=False, initial=None, where=True):
    d[a] = unreduce(d[y], a, axis, keepdims) * share_ties(y, a, axis, keepdims, initial, where)


@tangent(np.nanmax, np.nanmin)
def nanmax_tangent(y, a, axis=None, *, keepdims=False, initial=None, where=True):
    d[y] = np.sum(np.where(np.isnan(a), 0.0, d[a])
                  * share_ties(y, a, axis, keepdims, initial, where), axis=axis, keepdims=keepdims)


@adjoint(np.nanprod, kind=reduction)
def nanprod(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    others = products_of_others(ones_outside(ones_for_nan(in_dtype(a, dtype)), where), axis)
    d[a] = kept(times_initial(unreduce(through_dtype(d[y], dtype), a, axis, keepdims), initial)
                * others, where) * ~np.isnan(a)


@tangent(np.nanprod)
def nanprod_tangent(y, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    others = products_of_others(ones_outside(ones_for_nan(in_dtype(a, dtype)), where), axis)
    d[y] = times_initial(through_dtype(np.sum(
        kept(np.where(np.isnan(a), 0.0, d[a]) * others, where), axis=axis, keepdims=keepdims),
        dtype), initial)


@adjoint(np.nancumsum, kind=cumulative)
def nancumsum(y, a, axis=None, dtype=None):
    d[a] = uncumsum(through_dtype(d[y], dtype), a, axis) * ~np.isnan(a)


@tangent(np.nancumsum)
def nancumsum_tangent(y, a, axis=None, dtype=None):
    d[y] = through_dtype(np.cumsum(np.where(np.isnan(a), 0.0, d[a]), axis=axis), dtype)


@adjoint(np.nancumprod, kind=cumulative)
def nancumprod(y, a, axis=None, dtype=None):
    d[a] = cumprod_adjoint(through_dtype(d[y], dtype), ones_for_nan(in_dtype(a, dtype)), axis) \
        * ~np.isnan(a)


@tangent(np.nancumprod)
def nancumprod_tangent(y, a, axis=None, dtype=None):
    d[y] = through_dtype(cumprod_tangent(np.where(np.isnan(a), 0.0, d[a]),
                                         ones_for_nan(in_dtype(a, dtype)), axis), dtype)


@adjoint(np.nanvar, kind=reduction_spread, constant=("ddof",))
def nanvar(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True):
    middle = np.nanmean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where)
    d[a] = kept_of_mean(
        unreduce(2.0 * np.real(through_dtype(d[y], dtype))
                 / some_degrees_of_freedom(count_numbers(a, axis, keepdims, where), ddof),
                 a, axis, keepdims) * without_nans(np.conj(a - middle), a),
        d[y], where, axis, keepdims)


@tangent(np.nanvar, constant=("ddof",))
def nanvar_tangent(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True):
    middle = np.nanmean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where)
    deviation = kept(without_nans(np.conj(a - middle), a), where)
    d[y] = 2.0 * np.real(np.sum(without_nans(d[a], a) * deviation, axis=axis, keepdims=keepdims)) \
        / some_degrees_of_freedom(count_numbers(a, axis, keepdims, where), ddof)


@adjoint(np.nanstd, kind=reduction_spread, constant=("ddof",))
def nanstd(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True):
    middle = np.nanmean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where)
    d[a] = kept_of_mean(
        unreduce(divide_or_zero(np.real(through_dtype(d[y], dtype)), y)
                 / some_degrees_of_freedom(count_numbers(a, axis, keepdims, where), ddof),
                 a, axis, keepdims) * without_nans(np.conj(a - middle), a),
        d[y], where, axis, keepdims)


@tangent(np.nanstd, constant=("ddof",))
def nanstd_tangent(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True):
    middle = np.nanmean(in_dtype(a, dtype), axis=axis, keepdims=True, where=where)
    deviation = kept(without_nans(np.conj(a - middle), a), where)
    slope = np.real(np.sum(without_nans(d[a], a) * deviation, axis=axis, keepdims=keepdims))
    d[y] = divide_or_zero(slope, y) \
        / some_degrees_of_freedom(count_numbers(a, axis, keepdims, where), ddof)


if hasattr(np, "cumulative_sum"):               # NumPy 2.1
    @adjoint(np.cumulative_sum, kind=cumulative_kind)
    def cumulative_sum(y, x, *, axis=None, dtype=None, include_initial=False):
        d[x] = uncumsum(without_initial(through_dtype(d[y], dtype), x, axis), x, axis)

    @tangent(np.cumulative_sum)
    def cumulative_sum_tangent(y, x, *, axis=None, dtype=None, include_initial=False):
        d[y] = through_dtype(np.cumulative_sum(d[x], axis=axis, include_initial=include_initial),
                             dtype)

    @adjoint(np.cumulative_prod, kind=cumulative_kind)
    def cumulative_prod(y, x, *, axis=None, dtype=None, include_initial=False):
        d[x] = cumprod_adjoint(without_initial(through_dtype(d[y], dtype), x, axis),
                               in_dtype(x, dtype), axis)

    @tangent(np.cumulative_prod)
    def cumulative_prod_tangent(y, x, *, axis=None, dtype=None, include_initial=False):
        d[y] = through_dtype(with_initial(cumprod_tangent(d[x], in_dtype(x, dtype), axis), y,
                                          axis), dtype)


same_as(np.sum, np.ndarray.sum)
same_as(np.mean, np.ndarray.mean)
same_as(np.max, np.amax, np.ndarray.max)
same_as(np.min, np.amin, np.ndarray.min)
same_as(np.prod, np.ndarray.prod)
same_as(np.var, np.ndarray.var)
same_as(np.std, np.ndarray.std)
same_as(np.cumsum, np.ndarray.cumsum)
same_as(np.cumprod, np.ndarray.cumprod)
same_as(np.trace, np.ndarray.trace)
if hasattr(np.ndarray, "ptp"):              # NumPy 1
    same_as(np.ptp, np.ndarray.ptp)

nondifferentiable(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.count_nonzero,
                  np.ndarray.argmax, np.ndarray.argmin, kind=reduction_int)
nondifferentiable(np.all, np.any, np.ndarray.all, np.ndarray.any, kind=reduction_bool)
nondifferentiable(np.argsort, np.argpartition, np.ndarray.argsort, np.ndarray.argpartition,
                  kind=positions_along)
nondifferentiable(np.searchsorted, np.ndarray.searchsorted, kind=positions_of)
nondifferentiable(np.flatnonzero, kind=int_vector)
nondifferentiable(np.lexsort, kind=order_by)
nondifferentiable(np.argwhere, kind=int_rows)
nondifferentiable(np.digitize, kind=bins_kind)
nondifferentiable(np.nonzero, np.ndarray.nonzero, kind=where)
nondifferentiable(np.size, kind=count_of)
nondifferentiable(np.isin, kind=found_kind)
