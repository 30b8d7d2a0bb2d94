"""Rules of the helpers in runtime/slopes.py: what functions that work element by element leave."""
import numpy as np

from tangent_lite.registry import adjoint, pointwise, tangent
from tangent_lite.result_kinds import (
    elementwise,
    elementwise_float,
    numeric,
    polygamma_kind,
    scalar_complex,
)
from tangent_lite.result_kinds.of_numpy import imag_adjoint_kind
from tangent_lite.result_kinds.shapes import spread_first
from tangent_lite.runtime import (
    abs_slope,
    abs_slope_adjoint,
    abs_slope_tangent,
    angle_slope,
    bessel_moment,
    clip_high,
    clip_inner,
    clip_low,
    divide_or_zero,
    imag_adjoint,
    log_or_zero,
    of_larger,
    over_complex_log,
    over_log,
    polygamma,
    power_slope,
    power_slope_in_exponent,
    power_slopes,
    sinc_curve,
    sinc_slope,
    unbroadcast,
    where_larger,
    where_positive,
)


@pointwise(power_slope, kind=elementwise_float)
def power_slope_(z, x, y):
    d[x] = unbroadcast(d[z] * power_slopes(x, y, 2), x)
    d[y] = unbroadcast(d[z] * power_slope_in_exponent(x, y), y)


@pointwise(power_slopes, kind=elementwise_float, constant=("order",))
def power_slopes_(z, x, y, order):
    d[x] = unbroadcast(d[z] * power_slopes(x, y, order + 1), x)
    d[y] = unbroadcast(d[z] * power_slope_in_exponent(x, y, order), y)


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


@pointwise(of_larger, kind=elementwise)
def of_larger_(z, dx, dy, x, y):
    d[dx] = unbroadcast(where_larger(d[z], x, y), dx)
    d[dy] = unbroadcast(where_larger(d[z], y, x), dy)
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
