"""Rules of logarithms that are differentiated without a detour."""
import numpy as np

from tangent_lite.registry import adjoint
from tangent_lite.result_kinds import elementwise_float
from tangent_lite.runtime_logarithms import (
    log_of_fall,
    log_of_rise,
    log_of_share,
    log_of_share_along,
)


@adjoint(log_of_rise, kind=elementwise_float)
def log_of_rise_(y, x, rest):
    d[x] = d[y] * rest
    d[rest] = None


@adjoint(log_of_fall, kind=elementwise_float)
def log_of_fall_(y, x, rest):
    d[x] = -(d[y] * rest)
    d[rest] = None


@adjoint(log_of_share, kind=elementwise_float)
def log_of_share_(y, x, share):
    d[x] = d[y] - share * np.sum(d[y])
    d[share] = None


@adjoint(log_of_share_along, constant=("axis",), kind=elementwise_float)
def log_of_share_along_(y, x, share, axis):
    d[x] = d[y] - share * np.sum(d[y], axis=axis, keepdims=True)
    d[share] = None
