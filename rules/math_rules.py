"""The functions of math and cmath: numbers in, numbers out."""
import cmath
import math

import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import (
    pair_of_floats,
    scalar_bool,
    scalar_complex,
    scalar_float,
    scalar_int,
)
from tangent_lite.result_kinds.of_numpy import fraction_and_exponent, two_parts
from tangent_lite.result_kinds.of_python import product_of
from tangent_lite.runtime import (
    abs_slope,
    angle_slope,
    divide_or_zero,
    log_or_zero,
    over_complex_log,
    over_log,
    polygamma,
    power_slope,
    scaled_parts,
    spread_over,
    sum_of_products,
)
from tangent_lite.runtime.reductions import products_of_others


@pointwise(math.sin, kind=scalar_float)
def sin(y, x):
    d[x] = d[y] * math.cos(x)


@pointwise(math.cos, kind=scalar_float)
def cos(y, x):
    d[x] = -d[y] * math.sin(x)


@pointwise(math.tan, kind=scalar_float)
def tan(y, x):
    d[x] = d[y] * (1.0 + y * y)


@pointwise(math.tanh, kind=scalar_float)
def tanh(y, x):
    d[x] = d[y] * (1.0 - y * y)


@pointwise(math.asin, kind=scalar_float)
def asin(y, x):
    d[x] = d[y] / math.sqrt(1.0 - x * x)


@pointwise(math.acos, kind=scalar_float)
def acos(y, x):
    d[x] = -d[y] / math.sqrt(1.0 - x * x)


@pointwise(math.atan, kind=scalar_float)
def atan(y, x):
    d[x] = d[y] / (1.0 + x * x)


@pointwise(math.atan2, kind=scalar_float)
def atan2(z, y, x):
    r = math.hypot(x, y)                # its square would be 0 for small numbers
    d[y] = divide_or_zero(d[z], r) * divide_or_zero(x, r)
    d[x] = -divide_or_zero(d[z], r) * divide_or_zero(y, r)


@pointwise(math.sinh, kind=scalar_float)
def sinh(y, x):
    d[x] = d[y] * math.cosh(x)


@pointwise(math.cosh, kind=scalar_float)
def cosh(y, x):
    d[x] = d[y] * math.sinh(x)


@pointwise(math.asinh, kind=scalar_float)
def asinh(y, x):
    d[x] = d[y] / math.sqrt(x * x + 1.0)


@pointwise(math.acosh, kind=scalar_float)
def acosh(y, x):
    d[x] = d[y] / math.sqrt(x * x - 1.0)


@pointwise(math.atanh, kind=scalar_float)
def atanh(y, x):
    d[x] = d[y] / (1.0 - x * x)


@pointwise(math.exp, kind=scalar_float)
def exp(y, x):
    d[x] = d[y] * y


@pointwise(math.expm1, kind=scalar_float)
def expm1(y, x):
    d[x] = d[y] * (y + 1.0)


@pointwise(math.log, kind=scalar_float)
def log(y, x, base=None):
    d[x] = over_log(d[y] / x, base)
    d[base] = over_log(-d[y] * y / base, base)


@pointwise(math.log2, kind=scalar_float)
def log2(y, x):
    d[x] = d[y] / (x * math.log(2.0))


@pointwise(math.log10, kind=scalar_float)
def log10(y, x):
    d[x] = d[y] / (x * math.log(10.0))


@pointwise(math.log1p, kind=scalar_float)
def log1p(y, x):
    d[x] = d[y] / (1.0 + x)


@pointwise(math.sqrt, kind=scalar_float)
def sqrt(y, x):
    d[x] = d[y] / (2.0 * y)


@pointwise(math.pow, kind=scalar_float)
def pow(z, x, y):
    d[x] = d[z] * power_slope(x, y)
    d[y] = d[z] * z * log_or_zero(x)


@adjoint(math.hypot, kind=scalar_float)
def hypot(z, *xs):
    for k, x in enumerate(xs):
        d[x] = d[z] * divide_or_zero(x, z)


@tangent(math.hypot)
def hypot_tangent(z, *xs):
    d[z] = divide_or_zero(sum_of_products(d[xs], xs), z)


@pointwise(math.fabs, kind=scalar_float)
def fabs(y, x):
    d[x] = d[y] * np.sign(x)


@pointwise(math.copysign, kind=scalar_float)
def copysign(z, x, y):
    d[x] = d[z] * math.copysign(1.0, y) * np.sign(x)
    d[y] = 0.0 * d[z]


@pointwise(math.fmod, kind=scalar_float)
def fmod(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * math.trunc(x / y)


@pointwise(math.remainder, kind=scalar_float)
def remainder(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * round((x - z) / y)


@pointwise(math.degrees, kind=scalar_float)
def degrees(y, x):
    d[x] = d[y] * (180.0 / math.pi)


@pointwise(math.radians, kind=scalar_float)
def radians(y, x):
    d[x] = d[y] * (math.pi / 180.0)


@pointwise(math.erf, kind=scalar_float)
def erf(y, x):
    d[x] = d[y] * (2.0 / math.sqrt(math.pi)) * math.exp(-x * x)


@pointwise(math.erfc, kind=scalar_float)
def erfc(y, x):
    d[x] = -d[y] * (2.0 / math.sqrt(math.pi)) * math.exp(-x * x)


@pointwise(math.ldexp, kind=scalar_float, constant=("i",))
def ldexp(y, x, i):
    d[x] = d[y] * math.ldexp(1.0, i)


@pointwise(math.nextafter, kind=scalar_float, constant=("y",))
def nextafter(z, x, y, *, steps=None):
    d[x] = d[z]


@pointwise(math.gamma, kind=scalar_float)
def gamma(y, x):
    d[x] = d[y] * y * polygamma(0, x)


@pointwise(math.lgamma, kind=scalar_float)
def lgamma(y, x):
    d[x] = d[y] * polygamma(0, x)


# Parts and sums ---------------------------------------------------------------------------------
@adjoint(math.modf, kind=two_parts)
def modf(y, x):
    d[x] = d[y][0]


@tangent(math.modf)
def modf_tangent(y, x):
    d[y] = (d[x], 0.0 * d[x])


@adjoint(math.frexp, kind=fraction_and_exponent)
def frexp(y, x):
    d[x] = d[y][0] * math.ldexp(1.0, -y[1])


@tangent(math.frexp)
def frexp_tangent(y, x):
    d[y] = (d[x] * math.ldexp(1.0, -y[1]), 0)


@adjoint(math.fsum, kind=scalar_float)
def fsum(y, seq):
    for x in seq:
        d[x] = d[y]
    d[seq] = spread_over(d[y], seq)


@tangent(math.fsum)
def fsum_tangent(y, seq):
    d[y] = math.fsum(d[seq])


@adjoint(math.prod, kind=product_of)
def prod(y, iterable, *, start=1):
    for k, x in enumerate(iterable):
        d[x] = d[y] * start * products_of_others(np.array(iterable))[k]
    d[iterable] = scaled_parts(d[y] * start, products_of_others(np.array(iterable)), iterable)
    d[start] = d[y] * math.prod(iterable)


@tangent(math.prod)
def prod_tangent(y, iterable, *, start=1):
    d[y] = start * sum_of_products(d[iterable], products_of_others(np.array(iterable))) \
        + d[start] * math.prod(iterable)


@adjoint(math.dist, kind=scalar_float)
def dist(z, p, q):
    for k, x in enumerate(p):
        d[x] = divide_or_zero(d[z], z) * (p[k] - q[k])
    for k, x in enumerate(q):
        d[x] = divide_or_zero(d[z], z) * (q[k] - p[k])
    d[p] = scaled_parts(divide_or_zero(d[z], z), np.array(p) - np.array(q), p)
    d[q] = scaled_parts(divide_or_zero(-d[z], z), np.array(p) - np.array(q), q)


@tangent(math.dist)
def dist_tangent(z, p, q):
    d[z] = divide_or_zero(sum_of_products(d[p], np.array(p) - np.array(q)), z) \
        - divide_or_zero(sum_of_products(d[q], np.array(p) - np.array(q)), z)


nondifferentiable(math.ceil, math.floor, math.trunc, math.comb, math.factorial, math.gcd,
                  math.isqrt, math.lcm, math.perm, kind=scalar_int)
nondifferentiable(math.isclose, math.isfinite, math.isinf, math.isnan,
                  cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan, kind=scalar_bool)
nondifferentiable(math.ulp, kind=scalar_float)

if hasattr(math, "cbrt"):           # Python 3.11
    @pointwise(math.cbrt, kind=scalar_float)
    def cbrt(y, x):
        d[x] = d[y] / (3.0 * y * y)

    @pointwise(math.exp2, kind=scalar_float)
    def exp2(y, x):
        d[x] = d[y] * y * math.log(2.0)

if hasattr(math, "sumprod"):        # Python 3.12
    @adjoint(math.sumprod, kind=product_of)
    def sumprod(z, p, q):
        for k, x in enumerate(p):
            d[x] = d[z] * q[k]
        for k, x in enumerate(q):
            d[x] = d[z] * p[k]
        d[p] = scaled_parts(d[z], q, p)
        d[q] = scaled_parts(d[z], p, q)

    @tangent(math.sumprod)
    def sumprod_tangent(z, p, q):
        d[z] = math.sumprod(d[p], q) + math.sumprod(p, d[q])

if hasattr(math, "fma"):            # Python 3.13
    @pointwise(math.fma, kind=scalar_float)
    def fma(w, x, y, z):
        d[x] = d[w] * y
        d[y] = d[w] * x
        d[z] = d[w]


# cmath -----------------------------------------------------------------------------------------
@pointwise(cmath.sin, kind=scalar_complex)
def csin(y, x):
    d[x] = d[y] * cmath.cos(x)


@pointwise(cmath.cos, kind=scalar_complex)
def ccos(y, x):
    d[x] = -d[y] * cmath.sin(x)


@pointwise(cmath.tan, kind=scalar_complex)
def ctan(y, x):
    d[x] = d[y] * (1.0 + y * y)


@pointwise(cmath.asin, kind=scalar_complex)
def casin(y, x):
    d[x] = d[y] / cmath.sqrt(1.0 - x * x)


@pointwise(cmath.acos, kind=scalar_complex)
def cacos(y, x):
    d[x] = -d[y] / cmath.sqrt(1.0 - x * x)


@pointwise(cmath.atan, kind=scalar_complex)
def catan(y, x):
    d[x] = d[y] / (1.0 + x * x)


@pointwise(cmath.sinh, kind=scalar_complex)
def csinh(y, x):
    d[x] = d[y] * cmath.cosh(x)


@pointwise(cmath.cosh, kind=scalar_complex)
def ccosh(y, x):
    d[x] = d[y] * cmath.sinh(x)


@pointwise(cmath.tanh, kind=scalar_complex)
def ctanh(y, x):
    d[x] = d[y] * (1.0 - y * y)


@pointwise(cmath.asinh, kind=scalar_complex)
def casinh(y, x):
    d[x] = d[y] / cmath.sqrt(x * x + 1.0)


@pointwise(cmath.acosh, kind=scalar_complex)
def cacosh(y, x):
    d[x] = d[y] / (cmath.sqrt(x - 1.0) * cmath.sqrt(x + 1.0))


@pointwise(cmath.atanh, kind=scalar_complex)
def catanh(y, x):
    d[x] = d[y] / (1.0 - x * x)


@pointwise(cmath.exp, kind=scalar_complex)
def cexp(y, x):
    d[x] = d[y] * y


@pointwise(cmath.log10, kind=scalar_complex)
def clog10(y, x):
    d[x] = d[y] / (x * math.log(10.0))


@pointwise(cmath.log, kind=scalar_complex)
def clog(y, x, base=None):
    d[x] = over_complex_log(d[y] / x, base)
    d[base] = over_complex_log(-d[y] * y / base, base)


@pointwise(cmath.sqrt, kind=scalar_complex)
def csqrt(y, x):
    d[x] = d[y] / (2.0 * y)


@adjoint(cmath.phase, kind=scalar_float)
def phase(y, x):
    d[x] = d[y] * angle_slope(x)


@tangent(cmath.phase)
def phase_tangent(y, x):
    d[y] = np.real(d[x] * angle_slope(x))


@adjoint(cmath.polar, kind=pair_of_floats)
def polar(y, x):
    d[x] = d[y][0] * abs_slope(x) + d[y][1] * angle_slope(x)


@tangent(cmath.polar)
def polar_tangent(y, x):
    d[y] = (np.real(d[x] * abs_slope(x)), np.real(d[x] * angle_slope(x)))


@pointwise(cmath.rect, kind=scalar_complex)
def rect(z, r, phi):
    d[r] = d[z] * cmath.rect(1.0, phi)
    d[phi] = d[z] * 1j * z
