"""NumPy functions of two or three arrays that work element by element."""
import numpy as np

from tangent_lite.registry import adjoint, pointwise, tangent
from tangent_lite.result_kinds import clip as clip_kind
from tangent_lite.result_kinds import elementwise, elementwise_float, elementwise_int
from tangent_lite.result_kinds import where as where_kind
from tangent_lite.result_kinds.of_numpy import ldexp_kind
from tangent_lite.runtime import (
    clip_high,
    clip_inner,
    clip_low,
    divide_or_zero,
    unbroadcast,
    where_larger,
)


@pointwise(np.hypot, kind=elementwise_float)
def hypot(z, x, y):
    d[x] = unbroadcast(d[z] * divide_or_zero(x, z), x)
    d[y] = unbroadcast(d[z] * divide_or_zero(y, z), y)


@pointwise(np.arctan2, kind=elementwise_float)
def arctan2(z, y, x):
    r = np.hypot(x, y)                  # its square would be 0 for small numbers
    d[y] = unbroadcast(divide_or_zero(d[z], r) * divide_or_zero(x, r), y)
    d[x] = unbroadcast(-divide_or_zero(d[z], r) * divide_or_zero(y, r), x)


@pointwise(np.logaddexp, kind=elementwise_float)
def logaddexp(z, x, y):
    d[x] = unbroadcast(d[z] * np.exp(x - z), x)
    d[y] = unbroadcast(d[z] * np.exp(y - z), y)


@pointwise(np.logaddexp2, kind=elementwise_float)
def logaddexp2(z, x, y):
    d[x] = unbroadcast(d[z] * np.exp2(x - z), x)
    d[y] = unbroadcast(d[z] * np.exp2(y - z), y)


@pointwise(np.maximum, kind=elementwise)
def maximum(z, x, y):
    d[x] = unbroadcast(where_larger(d[z], x, y), x)
    d[y] = unbroadcast(where_larger(d[z], y, x), y)


@pointwise(np.minimum, kind=elementwise)
def minimum(z, x, y):
    d[x] = unbroadcast(where_larger(d[z], y, x), x)
    d[y] = unbroadcast(where_larger(d[z], x, y), y)


@pointwise(np.fmax, kind=elementwise)
def fmax(z, x, y):
    d[x] = unbroadcast(where_larger(d[z], x, y) * ~np.isnan(x), x)
    d[y] = unbroadcast(where_larger(d[z], y, x) * ~np.isnan(y), y)


@pointwise(np.fmin, kind=elementwise)
def fmin(z, x, y):
    d[x] = unbroadcast(where_larger(d[z], y, x) * ~np.isnan(x), x)
    d[y] = unbroadcast(where_larger(d[z], x, y) * ~np.isnan(y), y)


@pointwise(np.fmod, kind=elementwise_int)
def fmod(z, x, y):
    d[x] = unbroadcast(d[z], x)
    d[y] = unbroadcast(-d[z] * np.trunc(x / y), y)


@pointwise(np.copysign, kind=elementwise_float)
def copysign(z, x, y):
    d[x] = unbroadcast(d[z] * np.sign(x) * np.sign(z), x)
    d[y] = unbroadcast(0.0 * d[z], y)


@pointwise(np.heaviside, kind=elementwise_float)
def heaviside(z, x, h):
    d[x] = unbroadcast(0.0 * d[z], x)
    d[h] = unbroadcast(d[z] * (x == 0.0), h)


@pointwise(np.ldexp, kind=ldexp_kind, constant=("i",))
def ldexp(z, x, i):
    d[x] = unbroadcast(np.ldexp(d[z], i), x)


@pointwise(np.nextafter, kind=elementwise_float, constant=("y",))
def nextafter(z, x, y):
    d[x] = unbroadcast(d[z], x)


@pointwise(np.clip, kind=clip_kind)
def clip(y, a, a_min=None, a_max=None, *, min=None, max=None):
    d[a] = unbroadcast(clip_inner(d[y], a, a_min, a_max, min, max), a)
    d[a_min] = unbroadcast(clip_low(d[y], a, a_min, a_max), a_min)
    d[a_max] = unbroadcast(clip_high(d[y], a, a_min, a_max), a_max)
    d[min] = unbroadcast(clip_low(d[y], a, min, max), min)
    d[max] = unbroadcast(clip_high(d[y], a, min, max), max)


@pointwise(np.ndarray.clip, kind=clip_kind)
def clip_method(y, a, min=None, max=None):
    d[a] = unbroadcast(clip_inner(d[y], a, min, max), a)
    d[min] = unbroadcast(clip_low(d[y], a, min, max), min)
    d[max] = unbroadcast(clip_high(d[y], a, min, max), max)


@adjoint(np.where, kind=where_kind, constant=("condition",))
def where(z, condition, x, y):
    d[x] = unbroadcast(np.where(condition, d[z], 0.0), x)
    d[y] = unbroadcast(np.where(condition, 0.0, d[z]), y)


@tangent(np.where, constant=("condition",))
def where_tangent(z, condition, x, y):
    d[z] = np.where(condition, d[x], d[y])
