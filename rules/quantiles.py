"""Quantiles, percentiles and medians of what is no NaN."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import (
    reduction_median,
    shaped_like_second,
    shaped_like_third,
    unknown,
)
from tangent_lite.result_kinds.of_numpy import like_places, quantile_kind
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.quantiles import (
    apart,
    apart_back,
    between,
    between_back,
    quantile_places,
    quantile_rate,
    quantile_share,
    spread_for,
    summed_for,
)

nondifferentiable(quantile_places, kind=unknown)


@adjoint(np.quantile, kind=quantile_kind)
def quantile(y, a, q, axis=None, *, method="linear", keepdims=False, weights=None):
    places = quantile_places(a, q, axis, method, keepdims, False, False, weights)
    share = quantile_share(q, a, axis, method, keepdims, False, False, weights)
    d[a] = between_back(d[y], places, share, a)
    d[q] = summed_for(d[y] * apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, False, False, weights), q)


@tangent(np.quantile)
def quantile_tangent(y, a, q, axis=None, *, method="linear", keepdims=False, weights=None):
    places = quantile_places(a, q, axis, method, keepdims, False, False, weights)
    share = quantile_share(q, a, axis, method, keepdims, False, False, weights)
    d[y] = between(d[a], places, share) + spread_for(d[q], y) * (apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, False, False, weights))


@adjoint(np.percentile, kind=quantile_kind)
def percentile(y, a, q, axis=None, *, method="linear", keepdims=False, weights=None):
    places = quantile_places(a, q, axis, method, keepdims, True, False, weights)
    share = quantile_share(q, a, axis, method, keepdims, True, False, weights)
    d[a] = between_back(d[y], places, share, a)
    d[q] = summed_for(d[y] * apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, True, False, weights), q)


@tangent(np.percentile)
def percentile_tangent(y, a, q, axis=None, *, method="linear", keepdims=False, weights=None):
    places = quantile_places(a, q, axis, method, keepdims, True, False, weights)
    share = quantile_share(q, a, axis, method, keepdims, True, False, weights)
    d[y] = between(d[a], places, share) + spread_for(d[q], y) * (apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, True, False, weights))


# Without the NaNs.
@adjoint(np.nanquantile, kind=quantile_kind)
def nanquantile(y, a, q, axis=None, *, method="linear", keepdims=False):
    places = quantile_places(a, q, axis, method, keepdims, False, True)
    share = quantile_share(q, a, axis, method, keepdims, False, True)
    d[a] = between_back(d[y], places, share, a)
    d[q] = summed_for(d[y] * apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, False, True), q)


@tangent(np.nanquantile)
def nanquantile_tangent(y, a, q, axis=None, *, method="linear", keepdims=False):
    places = quantile_places(a, q, axis, method, keepdims, False, True)
    share = quantile_share(q, a, axis, method, keepdims, False, True)
    d[y] = between(d[a], places, share) + spread_for(d[q], y) * (apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, False, True))


@adjoint(np.nanpercentile, kind=quantile_kind)
def nanpercentile(y, a, q, axis=None, *, method="linear", keepdims=False):
    places = quantile_places(a, q, axis, method, keepdims, True, True)
    share = quantile_share(q, a, axis, method, keepdims, True, True)
    d[a] = between_back(d[y], places, share, a)
    d[q] = summed_for(d[y] * apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, True, True), q)


@tangent(np.nanpercentile)
def nanpercentile_tangent(y, a, q, axis=None, *, method="linear", keepdims=False):
    places = quantile_places(a, q, axis, method, keepdims, True, True)
    share = quantile_share(q, a, axis, method, keepdims, True, True)
    d[y] = between(d[a], places, share) + spread_for(d[q], y) * (apart(a, places) * quantile_rate(
        q, a, axis, method, keepdims, True, True))


@adjoint(np.nanmedian, kind=reduction_median)
def nanmedian(y, a, axis=None, *, keepdims=False):
    places = quantile_places(a, 0.5, axis, "linear", keepdims, False, True)
    share = quantile_share(0.5, a, axis, "linear", keepdims, False, True)
    d[a] = between_back(d[y], places, share, a)


@tangent(np.nanmedian)
def nanmedian_tangent(y, a, axis=None, *, keepdims=False):
    places = quantile_places(a, 0.5, axis, "linear", keepdims, False, True)
    share = quantile_share(0.5, a, axis, "linear", keepdims, False, True)
    d[y] = between(d[a], places, share)


# The helpers ------------------------------------------------------------------------------------
@adjoint(quantile_share, kind=unknown)
def quantile_share_(y, q, a, axis=None, method="linear", keepdims=False, percent=False,
                    skip_nan=False, weights=None):
    d[q] = summed_for(d[y] * quantile_rate(q, a, axis, method, keepdims, percent, skip_nan,
                                           weights), q)
    d[a] = None


@tangent(quantile_share)
def quantile_share_tangent(y, q, a, axis=None, method="linear", keepdims=False, percent=False,
                           skip_nan=False, weights=None):
    d[y] = spread_for(d[q], y) * quantile_rate(q, a, axis, method, keepdims, percent, skip_nan,
                                               weights)
    d[a] = None


nondifferentiable(quantile_rate, kind=unknown)


@adjoint(between, kind=like_places, constant=("places",))
def between_(y, x, places, share):
    d[x] = between_back(d[y], places, share, x)
    d[share] = unbroadcast(d[y] * apart(x, places), share)


@tangent(between, constant=("places",))
def between_tangent(y, x, places, share):
    d[y] = between(d[x], places, share) + d[share] * apart(x, places)


@adjoint(between_back, kind=unknown, constant=("places",))
def between_back_(y, dy, places, share, x):
    d[dy] = between(d[y], places, share)
    d[share] = unbroadcast(dy * apart(d[y], places), share)
    d[x] = None


@tangent(between_back, constant=("places",))
def between_back_tangent(y, dy, places, share, x):
    d[y] = between_back(d[dy], places, share, x) + apart_back(dy * d[share], places, x)
    d[x] = None


@adjoint(apart, kind=like_places, constant=("places",))
def apart_(y, x, places):
    d[x] = apart_back(d[y], places, x)


@tangent(apart, constant=("places",))
def apart_tangent(y, x, places):
    d[y] = apart(d[x], places)


@adjoint(apart_back, kind=shaped_like_third, constant=("places",))
def apart_back_(y, dy, places, x):
    d[dy] = apart(d[y], places)
    d[x] = None


@tangent(apart_back, constant=("places",))
def apart_back_tangent(y, dy, places, x):
    d[y] = apart_back(d[dy], places, x)
    d[x] = None


@adjoint(summed_for, kind=shaped_like_second)
def summed_for_(y, dy, q):
    d[dy] = spread_for(d[y], dy)
    d[q] = None


@tangent(summed_for)
def summed_for_tangent(y, dy, q):
    d[y] = summed_for(d[dy], q)
    d[q] = None


@adjoint(spread_for, kind=shaped_like_second, view="maybe")
def spread_for_(z, dq, y):
    d[dq] = summed_for(d[z], dq)
    d[y] = None


@tangent(spread_for)
def spread_for_tangent(z, dq, y):
    d[z] = spread_for(d[dq], y)
    d[y] = None
