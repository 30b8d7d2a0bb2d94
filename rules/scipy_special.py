"""More of scipy.special: accurate forms of elementary functions, degrees, integrals, inverses."""
import cmath
import math

import numpy as np
import scipy.special as sp

from tangent_lite.registry import adjoint, pointwise, refuse, tangent
from tangent_lite.result_kinds import elementwise_float, unknown
from tangent_lite.result_kinds.of_scipy import elementwise_complex, factorial_kind, parts
from tangent_lite.runtime import divide_or_zero, log_or_zero, power_slope, unbroadcast
from tangent_lite.runtime.linalg import real_for
from tangent_lite.runtime.scipy_special import (
    agm_slope,
    boxcox_slope,
    ellipeinc_slope,
    ellipj_slope,
    ellipj_tangent,
    ellipkinc_slope,
    expn_slope,
    exprel_slope,
    spence_slope,
)

DEGREE = math.pi / 180.0
LOG_TWO, LOG_TEN = math.log(2.0), math.log(10.0)
# exp(-i pi / 4) / sqrt(pi), and its conjugate
TURNED = cmath.rect(1.0 / math.sqrt(math.pi), -math.pi / 4.0)
TURNED_BACK = TURNED.conjugate()


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


@pointwise(sp.exprel, kind=elementwise_float)
def exprel(y, x):
    d[x] = d[y] * exprel_slope(x)


@pointwise(sp.powm1, kind=elementwise_float)
def powm1(z, x, y):
    d[x] = unbroadcast(d[z] * power_slope(x, y), x)
    d[y] = unbroadcast(d[z] * (z + 1.0) * log_or_zero(x), y)


# Box-Cox transformations and their inverses -----------------------------------------------------
@pointwise(sp.boxcox, kind=elementwise_float)
def boxcox(y, x, lmbda):
    d[x] = unbroadcast(d[y] * x ** (lmbda - 1.0), x)
    d[lmbda] = unbroadcast(d[y] * boxcox_slope(np.log(x), lmbda), lmbda)


@pointwise(sp.boxcox1p, kind=elementwise_float)
def boxcox1p(y, x, lmbda):
    d[x] = unbroadcast(d[y] * (1.0 + x) ** (lmbda - 1.0), x)
    d[lmbda] = unbroadcast(d[y] * boxcox_slope(np.log1p(x), lmbda), lmbda)


@pointwise(sp.inv_boxcox, kind=elementwise_float)
def inv_boxcox(x, y, lmbda):
    d[y] = unbroadcast(d[x] * x ** (1.0 - lmbda), y)
    d[lmbda] = unbroadcast(-d[x] * x ** (1.0 - lmbda) * boxcox_slope(np.log(x), lmbda), lmbda)


@pointwise(sp.inv_boxcox1p, kind=elementwise_float)
def inv_boxcox1p(x, y, lmbda):
    d[y] = unbroadcast(d[x] * (1.0 + x) ** (1.0 - lmbda), y)
    d[lmbda] = unbroadcast(-d[x] * (1.0 + x) ** (1.0 - lmbda)
                           * boxcox_slope(np.log1p(x), lmbda), lmbda)


@pointwise(sp.factorial, kind=factorial_kind)
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


@pointwise(sp.cotdg, kind=elementwise_float)
def cotdg(y, x):
    d[x] = -d[y] * DEGREE * (1.0 + y * y)


# The angle of d degrees, m minutes and s seconds.
@pointwise(sp.radian, kind=elementwise_float)
def radian(y, d, m, s):
    d[d] = unbroadcast(d[y] * DEGREE, d)
    d[m] = unbroadcast(d[y] * DEGREE / 60.0, m)
    d[s] = unbroadcast(d[y] * DEGREE / 3600.0, s)


# sin(n x / 2) / (n sin(x / 2)); the slope is 0 where the sine in the denominator is.
@pointwise(sp.diric, kind=unknown, constant={"n": "it is a whole number"})
def diric(y, x, n):
    d[x] = d[y] * 0.5 * divide_or_zero(np.cos(0.5 * n * x) - y * np.cos(0.5 * x), np.sin(0.5 * x))


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


@pointwise(sp.ellipkm1, kind=elementwise_float)
def ellipkm1(y, p):
    d[p] = -d[y] * np.where(np.abs(p - 1.0) < 1e-6, np.pi / 8.0 * (1.0 + 9.0 / 8.0 * (1.0 - p)),
                            (sp.ellipe(1.0 - p) - p * y)
                            / np.where(p == 1.0, 1.0, 2.0 * p * (1.0 - p)))


@pointwise(sp.ellipkinc, kind=elementwise_float)
def ellipkinc(y, phi, m):
    d[phi] = unbroadcast(d[y] / np.sqrt(1.0 - m * np.sin(phi) ** 2), phi)
    d[m] = unbroadcast(d[y] * ellipkinc_slope(phi, m), m)


@pointwise(sp.ellipeinc, kind=elementwise_float)
def ellipeinc(y, phi, m):
    d[phi] = unbroadcast(d[y] * np.sqrt(1.0 - m * np.sin(phi) ** 2), phi)
    d[m] = unbroadcast(d[y] * ellipeinc_slope(phi, m), m)


# Jacobi: sn, cn, dn and the amplitude.
@adjoint(sp.ellipj, kind=parts(4, elementwise_float))
def ellipj(y, u, m):
    slopes = ellipj_slope(y, m)
    d[u] = unbroadcast(d[y][0] * y[1] * y[2] - d[y][1] * y[0] * y[2] - d[y][2] * m * y[0] * y[1]
                       + d[y][3] * y[2], u)
    d[m] = unbroadcast(d[y][0] * slopes[0] + d[y][1] * slopes[1] + d[y][2] * slopes[2]
                       + d[y][3] * slopes[3], m)


@tangent(sp.ellipj)
def ellipj_tangent_(y, u, m):
    d[y] = ellipj_tangent(d[u], d[m], y, m)


# Carlson's forms (DLMF 19.18.1); those of higher degree have none in their own terms.
@pointwise(sp.elliprf, kind=elementwise_float)
def elliprf(r, x, y, z):
    d[x] = unbroadcast(-d[r] * sp.elliprd(y, z, x) / 6.0, x)
    d[y] = unbroadcast(-d[r] * sp.elliprd(x, z, y) / 6.0, y)
    d[z] = unbroadcast(-d[r] * sp.elliprd(x, y, z) / 6.0, z)


@pointwise(sp.elliprc, kind=elementwise_float)
def elliprc(r, x, y):
    d[x] = unbroadcast(-d[r] * sp.elliprd(y, y, x) / 6.0, x)
    d[y] = unbroadcast(-d[r] * sp.elliprd(x, y, y) / 3.0, y)


refuse(sp.elliprd, sp.elliprg, sp.elliprj, why="it is not one of the Carlson integrals",
       instead="write it with ellipkinc and ellipeinc, or elliprf")


@pointwise(sp.agm, kind=elementwise_float)
def agm(y, a, b):
    d[a] = unbroadcast(d[y] * agm_slope(y, a, b), a)
    d[b] = unbroadcast(d[y] * agm_slope(y, b, a), b)


# Integrals --------------------------------------------------------------------------------------
@pointwise(sp.exp1, kind=elementwise_float)
def exp1(y, x):
    d[x] = -d[y] * np.exp(-x) / x


@pointwise(sp.expi, kind=elementwise_float)
def expi(y, x):
    d[x] = d[y] * np.exp(x) / x


@pointwise(sp.expn, kind=elementwise_float, constant={"n": "it is a whole number"})
def expn(y, n, x):
    d[x] = unbroadcast(-d[y] * expn_slope(n, x), x)


@pointwise(sp.spence, kind=elementwise_float)
def spence(y, x):
    d[x] = d[y] * spence_slope(x)


# The sine and cosine integrals, and the hyperbolic ones.
@adjoint(sp.sici, kind=parts(2, elementwise_float))
def sici(y, x):
    d[x] = d[y][0] * np.sinc(x / np.pi) + d[y][1] * np.cos(x) / x


@tangent(sp.sici)
def sici_tangent(y, x):
    d[y] = (d[x] * np.sinc(x / np.pi), d[x] * np.cos(x) / x)


@adjoint(sp.shichi, kind=parts(2, elementwise_float))
def shichi(y, x):
    d[x] = d[y][0] * np.sinc(1j * x / np.pi) + d[y][1] * np.cosh(x) / x


@tangent(sp.shichi)
def shichi_tangent(y, x):
    d[y] = (d[x] * real_for(np.sinc(1j * x / np.pi), x), d[x] * np.cosh(x) / x)


# Fresnel's integrals, sine and cosine, and the modified ones with their factor.
@adjoint(sp.fresnel, kind=parts(2, elementwise_float))
def fresnel(y, z):
    d[z] = d[y][0] * np.sin(0.5 * np.pi * z * z) + d[y][1] * np.cos(0.5 * np.pi * z * z)


@tangent(sp.fresnel)
def fresnel_tangent(y, z):
    d[y] = (d[z] * np.sin(0.5 * np.pi * z * z), d[z] * np.cos(0.5 * np.pi * z * z))


@adjoint(sp.modfresnelp, kind=parts(2, elementwise_complex))
def modfresnelp(y, x):
    d[x] = np.real(-d[y][0] * np.exp(1j * x * x) - d[y][1] * (2j * x * y[1] + TURNED))


@tangent(sp.modfresnelp)
def modfresnelp_tangent(y, x):
    d[y] = (-d[x] * np.exp(1j * x * x), -d[x] * (2j * x * y[1] + TURNED))


@adjoint(sp.modfresnelm, kind=parts(2, elementwise_complex))
def modfresnelm(y, x):
    d[x] = np.real(-d[y][0] * np.exp(-1j * x * x) + d[y][1] * (2j * x * y[1] - TURNED_BACK))


@tangent(sp.modfresnelm)
def modfresnelm_tangent(y, x):
    d[y] = (-d[x] * np.exp(-1j * x * x), d[x] * (2j * x * y[1] - TURNED_BACK))


# Inverses ---------------------------------------------------------------------------------------
@pointwise(sp.lambertw, kind=elementwise_complex, constant={"k": "it numbers the branches",
                                                              "tol": "it is a tolerance"})
def lambertw(w, z, k=0, tol=1e-8):
    d[z] = unbroadcast(d[w] * np.exp(-w) / (1.0 + w), z)


@pointwise(sp.wrightomega, kind=elementwise_float)
def wrightomega(w, z):
    d[z] = d[w] * w / (1.0 + w)
