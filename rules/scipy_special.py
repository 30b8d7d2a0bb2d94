"""More of scipy.special: accurate forms of elementary functions, degrees, elliptic integrals."""
import math

import numpy as np
import scipy.special as sp

from tangent_lite.registry import pointwise
from tangent_lite.result_kinds import elementwise_float, number_as_array

DEGREE = math.pi / 180.0
LOG_TWO, LOG_TEN = math.log(2.0), math.log(10.0)


@pointwise(sp.log1p, kind=elementwise_float)
def log1p(y, x):
    d[x] = d[y] / (1.0 + x)


@pointwise(sp.expm1, kind=elementwise_float)
def expm1(y, x):
    d[x] = d[y] * (y + 1.0)


@pointwise(sp.cosm1, kind=elementwise_float)
def cosm1(y, x):
    d[x] = -d[y] * np.sin(x)


@pointwise(sp.cbrt, kind=elementwise_float)
def cbrt(y, x):
    d[x] = d[y] / (3.0 * y * y)


@pointwise(sp.exp2, kind=elementwise_float)
def exp2(y, x):
    d[x] = d[y] * y * LOG_TWO


@pointwise(sp.exp10, kind=elementwise_float)
def exp10(y, x):
    d[x] = d[y] * y * LOG_TEN


# (exp(x) - 1) / x; near 0 by its series.
@pointwise(sp.exprel, kind=elementwise_float)
def exprel(y, x):
    d[x] = d[y] * np.where(np.abs(x) < 1e-5, 0.5 + x / 3.0,
                           (np.exp(x) - y) / np.where(x == 0.0, 1.0, x))


@pointwise(sp.factorial, kind=number_as_array)
def factorial(y, n, exact=False, extend="zero"):
    d[n] = d[y] * y * sp.digamma(n + 1.0)


# Degrees ----------------------------------------------------------------------------------------
@pointwise(sp.sindg, kind=elementwise_float)
def sindg(y, x):
    d[x] = d[y] * DEGREE * sp.cosdg(x)


@pointwise(sp.cosdg, kind=elementwise_float)
def cosdg(y, x):
    d[x] = -d[y] * DEGREE * sp.sindg(x)


@pointwise(sp.tandg, kind=elementwise_float)
def tandg(y, x):
    d[x] = d[y] * DEGREE * (1.0 + y * y)


# Elliptic integrals; near 0 by the first terms of their series ----------------------------------
@pointwise(sp.ellipk, kind=elementwise_float)
def ellipk(y, m):
    d[m] = d[y] * np.where(np.abs(m) < 1e-6, np.pi / 8.0 * (1.0 + 9.0 / 8.0 * m),
                           (sp.ellipe(m) - (1.0 - m) * y)
                           / np.where(m == 0.0, 1.0, 2.0 * m * (1.0 - m)))


@pointwise(sp.ellipe, kind=elementwise_float)
def ellipe(y, m):
    d[m] = d[y] * np.where(np.abs(m) < 1e-6, -np.pi / 8.0 * (1.0 + 3.0 / 8.0 * m),
                           (y - sp.ellipk(m)) / np.where(m == 0.0, 1.0, 2.0 * m))


# Bessel functions -------------------------------------------------------------------------------
@pointwise(sp.k0, kind=elementwise_float)
def k0(y, x):
    d[x] = -d[y] * sp.k1(x)


@pointwise(sp.k1, kind=elementwise_float)
def k1(y, x):
    d[x] = -d[y] * (sp.k0(x) + y / x)


@pointwise(sp.k0e, kind=elementwise_float)
def k0e(y, x):
    d[x] = d[y] * (y - sp.k1e(x))


@pointwise(sp.k1e, kind=elementwise_float)
def k1e(y, x):
    d[x] = d[y] * (y - sp.k0e(x) - y / x)


@pointwise(sp.i1e, kind=elementwise_float)
def i1e(y, x):
    d[x] = d[y] * np.where(x == 0.0, 0.5, sp.i0e(x) - y / np.where(x == 0.0, 1.0, x)
                           - np.sign(x) * y)
