"""Rules of logarithms that are differentiated without a detour."""
import numpy as np

from tangent_lite.registry import adjoint, pointwise, tangent
from tangent_lite.result_kinds import elementwise_float, numeric
from tangent_lite.runtime import unreduce
from tangent_lite.runtime.logarithms import (
    fall,
    log_of_fall,
    log_of_rise,
    log_of_share,
    log_of_share_along,
    minus_log_of_sum,
    minus_log_of_total,
    rise,
)


@pointwise(rise, kind=elementwise_float)
def rise_(y, x):
    d[x] = d[y] * y * (1.0 - y)


@pointwise(fall, kind=elementwise_float)
def fall_(y, x):
    d[x] = -(d[y] * y * (1.0 - y))


@pointwise(log_of_rise, kind=elementwise_float)
def log_of_rise_(y, x, rest):
    d[x] = d[y] * rest
    d[rest] = None


@pointwise(log_of_fall, kind=elementwise_float)
def log_of_fall_(y, x, rest):
    d[x] = -(d[y] * rest)
    d[rest] = None


@adjoint(log_of_share, kind=elementwise_float)
def log_of_share_(y, x, share):
    d[x] = d[y] - share * np.sum(d[y])
    d[share] = None


@tangent(log_of_share)
def log_of_share_tangent(y, x, share):
    d[y] = d[x] - np.sum(share * d[x])
    d[share] = None


@adjoint(log_of_share_along, constant=("axis",), kind=elementwise_float)
def log_of_share_along_(y, x, share, axis):
    d[x] = d[y] - share * np.sum(d[y], axis=axis, keepdims=True)
    d[share] = None


@tangent(log_of_share_along, constant=("axis",))
def log_of_share_along_tangent(y, x, share, axis):
    d[y] = d[x] - np.sum(share * d[x], axis=axis, keepdims=True)
    d[share] = None


@adjoint(minus_log_of_sum, constant=("axis",), kind=numeric)
def minus_log_of_sum_(y, x, share, axis=None):
    d[x] = -(unreduce(d[y], share, axis) * share)
    d[share] = None


@tangent(minus_log_of_sum, constant=("axis",))
def minus_log_of_sum_tangent(y, x, share, axis=None):
    d[y] = -np.sum(share * d[x], axis=axis)
    d[share] = None


@adjoint(minus_log_of_total, constant=("axis",), kind=numeric)
def minus_log_of_total_(y, x, power, total, axis=None):
    d[x] = -(unreduce(d[y], total, axis) / total * power)
    d[power] = None
    d[total] = None


@tangent(minus_log_of_total, constant=("axis",))
def minus_log_of_total_tangent(y, x, power, total, axis=None):
    d[y] = -np.sum(power / total * d[x], axis=axis)
    d[power] = None
    d[total] = None
