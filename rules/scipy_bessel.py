"""scipy.special: Bessel functions and their relatives, with respect to the argument.

The formulas are those of the Digital Library of Mathematical Functions, chapters 9 to 12 and 30.
With respect to the order there is no derivative in closed form: it may not vary.
"""
import math

import numpy as np
import scipy.special as sp

from tangent_lite.registry import adjoint, pointwise, refuse, tangent
from tangent_lite.result_kinds import elementwise_float, unknown
from tangent_lite.result_kinds.of_scipy import elementwise_complex, parts
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.scipy_special import along_imaginary, spherical_curve, weak

ORDER = "the derivative with respect to the order has no closed form"
ROOT_PI = math.sqrt(math.pi)


@pointwise(sp.j0, kind=elementwise_float)
def j0(y, x):
    d[x] = -d[y] * sp.j1(x)


@pointwise(sp.j1, kind=elementwise_float)
def j1(y, x):
    d[x] = d[y] * 0.5 * (sp.j0(x) - sp.jn(2, x))


@pointwise(sp.y0, kind=elementwise_float)
def y0(y, x):
    d[x] = -d[y] * sp.y1(x)


@pointwise(sp.y1, kind=elementwise_float)
def y1(y, x):
    d[x] = d[y] * (sp.y0(x) - y / x)


@pointwise(sp.i0, kind=elementwise_float)
def i0(y, x):
    d[x] = d[y] * sp.i1(x)


@pointwise(sp.i1, kind=elementwise_float)
def i1(y, x):
    d[x] = d[y] * 0.5 * (sp.i0(x) + sp.iv(2, x))


@pointwise(sp.k0, kind=elementwise_float)
def k0(y, x):
    d[x] = -d[y] * sp.k1(x)


@pointwise(sp.k1, kind=elementwise_float)
def k1(y, x):
    d[x] = -d[y] * (sp.k0(x) + y / x)


@pointwise(sp.i0e, kind=elementwise_float)
def i0e(y, x):
    d[x] = d[y] * (sp.i1e(x) - np.sign(x) * y)


@pointwise(sp.i1e, kind=elementwise_float)
def i1e(y, x):
    d[x] = d[y] * np.where(x == 0.0, 0.5, sp.i0e(x) - y / np.where(x == 0.0, 1.0, x)
                           - np.sign(x) * y)


@pointwise(sp.k0e, kind=elementwise_float)
def k0e(y, x):
    d[x] = d[y] * (y - sp.k1e(x))


@pointwise(sp.k1e, kind=elementwise_float)
def k1e(y, x):
    d[x] = d[y] * (y - sp.k0e(x) - y / x)


# Of any order -----------------------------------------------------------------------------------
@pointwise(sp.jv, kind=elementwise_float, constant={"v": ORDER})
def jv(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.jv(v - 1, z) - sp.jv(v + 1, z)), z)


@pointwise(sp.yv, kind=elementwise_float, constant={"v": ORDER})
def yv(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.yv(v - 1, z) - sp.yv(v + 1, z)), z)


@pointwise(sp.yn, kind=elementwise_float, constant={"n": ORDER})
def yn(y, n, x):
    d[x] = unbroadcast(d[y] * 0.5 * (sp.yn(n - 1, x) - sp.yn(n + 1, x)), x)


@pointwise(sp.iv, kind=elementwise_float, constant={"v": ORDER})
def iv(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.iv(v - 1, z) + sp.iv(v + 1, z)), z)


@pointwise(sp.kv, kind=elementwise_float, constant={"v": ORDER})
def kv(y, v, z):
    d[z] = unbroadcast(-d[y] * 0.5 * (sp.kv(v - 1, z) + sp.kv(v + 1, z)), z)


@pointwise(sp.kn, kind=elementwise_float, constant={"n": ORDER})
def kn(y, n, x):
    d[x] = unbroadcast(-d[y] * 0.5 * (sp.kv(n - 1, x) + sp.kv(n + 1, x)), x)


@pointwise(sp.kve, kind=elementwise_float, constant={"v": ORDER})
def kve(y, v, z):
    d[z] = unbroadcast(d[y] * (y - 0.5 * (sp.kve(v - 1, z) + sp.kve(v + 1, z))), z)


@pointwise(sp.hankel1, kind=elementwise_complex, constant={"v": ORDER})
def hankel1(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.hankel1(v - 1, z) - sp.hankel1(v + 1, z)), z)


@pointwise(sp.hankel2, kind=elementwise_complex, constant={"v": ORDER})
def hankel2(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.hankel2(v - 1, z) - sp.hankel2(v + 1, z)), z)


@pointwise(sp.hankel1e, kind=elementwise_complex, constant={"v": ORDER})
def hankel1e(y, v, z):
    d[z] = unbroadcast(
        d[y] * (0.5 * (sp.hankel1e(v - 1, z) - sp.hankel1e(v + 1, z)) - 1j * y), z)


@pointwise(sp.hankel2e, kind=elementwise_complex, constant={"v": ORDER})
def hankel2e(y, v, z):
    d[z] = unbroadcast(
        d[y] * (0.5 * (sp.hankel2e(v - 1, z) - sp.hankel2e(v + 1, z)) + 1j * y), z)


# jve and yve carry the factor exp(-abs(imag(z))), ive carries exp(-abs(real(z))).
@adjoint(sp.jve, kind=elementwise_float, constant={"v": ORDER})
def jve(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.jve(v - 1, z) - sp.jve(v + 1, z))
                       - along_imaginary(d[y] * y * np.sign(np.imag(z)), z), z)


@tangent(sp.jve, constant={"v": ORDER})
def jve_tangent(y, v, z):
    d[y] = d[z] * 0.5 * (sp.jve(v - 1, z) - sp.jve(v + 1, z)) \
        - y * np.sign(np.imag(z)) * np.imag(d[z])


@adjoint(sp.yve, kind=elementwise_float, constant={"v": ORDER})
def yve(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.yve(v - 1, z) - sp.yve(v + 1, z))
                       - along_imaginary(d[y] * y * np.sign(np.imag(z)), z), z)


@tangent(sp.yve, constant={"v": ORDER})
def yve_tangent(y, v, z):
    d[y] = d[z] * 0.5 * (sp.yve(v - 1, z) - sp.yve(v + 1, z)) \
        - y * np.sign(np.imag(z)) * np.imag(d[z])


@adjoint(sp.ive, kind=elementwise_float, constant={"v": ORDER})
def ive(y, v, z):
    d[z] = unbroadcast(d[y] * 0.5 * (sp.ive(v - 1, z) + sp.ive(v + 1, z))
                       - np.real(d[y] * y) * np.sign(np.real(z)), z)


@tangent(sp.ive, constant={"v": ORDER})
def ive_tangent(y, v, z):
    d[y] = d[z] * 0.5 * (sp.ive(v - 1, z) + sp.ive(v + 1, z)) \
        - y * np.sign(np.real(z)) * np.real(d[z])


# Their derivatives of order n -------------------------------------------------------------------
@pointwise(sp.jvp, kind=elementwise_float, constant={"v": ORDER, "n": "it counts derivatives"})
def jvp(y, v, z, n=1):
    d[z] = unbroadcast(d[y] * sp.jvp(v, z, n + 1), z)


@pointwise(sp.yvp, kind=elementwise_float, constant={"v": ORDER, "n": "it counts derivatives"})
def yvp(y, v, z, n=1):
    d[z] = unbroadcast(d[y] * sp.yvp(v, z, n + 1), z)


@pointwise(sp.ivp, kind=elementwise_float, constant={"v": ORDER, "n": "it counts derivatives"})
def ivp(y, v, z, n=1):
    d[z] = unbroadcast(d[y] * sp.ivp(v, z, n + 1), z)


@pointwise(sp.kvp, kind=elementwise_float, constant={"v": ORDER, "n": "it counts derivatives"})
def kvp(y, v, z, n=1):
    d[z] = unbroadcast(d[y] * sp.kvp(v, z, n + 1), z)


@pointwise(sp.h1vp, kind=elementwise_complex, constant={"v": ORDER, "n": "it counts derivatives"})
def h1vp(y, v, z, n=1):
    d[z] = unbroadcast(d[y] * sp.h1vp(v, z, n + 1), z)


@pointwise(sp.h2vp, kind=elementwise_complex, constant={"v": ORDER, "n": "it counts derivatives"})
def h2vp(y, v, z, n=1):
    d[z] = unbroadcast(d[y] * sp.h2vp(v, z, n + 1), z)


# Spherical: with derivative=True the function is a derivative already, and its slope a second one.
@pointwise(sp.spherical_jn, kind=unknown, constant={"n": ORDER})
def spherical_jn(y, n, z, derivative=False):
    d[z] = unbroadcast(d[y] * (spherical_curve(sp.spherical_jn, y, n, z, -1.0) if derivative
                               else sp.spherical_jn(n, z, True)), z)


@pointwise(sp.spherical_yn, kind=unknown, constant={"n": ORDER})
def spherical_yn(y, n, z, derivative=False):
    d[z] = unbroadcast(d[y] * (spherical_curve(sp.spherical_yn, y, n, z, -1.0) if derivative
                               else sp.spherical_yn(n, z, True)), z)


@pointwise(sp.spherical_in, kind=unknown, constant={"n": ORDER})
def spherical_in(y, n, z, derivative=False):
    d[z] = unbroadcast(d[y] * (spherical_curve(sp.spherical_in, y, n, z, 1.0) if derivative
                               else sp.spherical_in(n, z, True)), z)


@pointwise(sp.spherical_kn, kind=unknown, constant={"n": ORDER})
def spherical_kn(y, n, z, derivative=False):
    d[z] = unbroadcast(d[y] * (spherical_curve(sp.spherical_kn, y, n, z, 1.0) if derivative
                               else sp.spherical_kn(n, z, True)), z)


# Airy functions: w'' = z w ----------------------------------------------------------------------
@adjoint(sp.airy, kind=parts(4, elementwise_float))
def airy(y, z):
    d[z] = d[y][0] * y[1] + d[y][1] * z * y[0] + d[y][2] * y[3] + d[y][3] * z * y[2]


@tangent(sp.airy)
def airy_tangent(y, z):
    d[y] = (d[z] * y[1], d[z] * z * y[0], d[z] * y[3], d[z] * z * y[2])


@adjoint(sp.itairy, kind=parts(4, elementwise_float))
def itairy(y, x):
    d[x] = d[y][0] * sp.airy(x)[0] + d[y][1] * sp.airy(x)[2] \
        + d[y][2] * sp.airy(-x)[0] + d[y][3] * sp.airy(-x)[2]


@tangent(sp.itairy)
def itairy_tangent(y, x):
    d[y] = (d[x] * sp.airy(x)[0], d[x] * sp.airy(x)[2],
            d[x] * sp.airy(-x)[0], d[x] * sp.airy(-x)[2])


refuse(sp.airye, why="its scaling has a kink in the complex plane",
       instead="call airy, and scale what it returns")


# Kelvin functions: w = ber + i bei has w'' + w' / x = i w ---------------------------------------
@pointwise(sp.ber, kind=elementwise_float)
def ber(y, x):
    d[x] = d[y] * sp.berp(x)


@pointwise(sp.bei, kind=elementwise_float)
def bei(y, x):
    d[x] = d[y] * sp.beip(x)


@pointwise(sp.ker, kind=elementwise_float)
def ker(y, x):
    d[x] = d[y] * sp.kerp(x)


@pointwise(sp.kei, kind=elementwise_float)
def kei(y, x):
    d[x] = d[y] * sp.keip(x)


@pointwise(sp.berp, kind=elementwise_float)
def berp(y, x):
    d[x] = d[y] * np.where(x == 0.0, 0.0, -sp.bei(x) - y / np.where(x == 0.0, 1.0, x))


@pointwise(sp.beip, kind=elementwise_float)
def beip(y, x):
    d[x] = d[y] * np.where(x == 0.0, 0.5, sp.ber(x) - y / np.where(x == 0.0, 1.0, x))


@pointwise(sp.kerp, kind=elementwise_float)
def kerp(y, x):
    d[x] = d[y] * (-sp.kei(x) - y / x)


@pointwise(sp.keip, kind=elementwise_float)
def keip(y, x):
    d[x] = d[y] * (sp.ker(x) - y / x)


@adjoint(sp.kelvin, kind=parts(4, elementwise_complex))
def kelvin(y, x):
    d[x] = np.real(d[y][0] * y[2] + d[y][1] * y[3] + d[y][2] * (1j * y[0] - y[2] / x)
                   + d[y][3] * (1j * y[1] - y[3] / x))


@tangent(sp.kelvin)
def kelvin_tangent(y, x):
    d[y] = (d[x] * y[2], d[x] * y[3], d[x] * (1j * y[0] - y[2] / x),
            d[x] * (1j * y[1] - y[3] / x))


# Struve functions -------------------------------------------------------------------------------
@pointwise(sp.struve, kind=elementwise_float, constant={"v": ORDER})
def struve(y, v, x):
    d[x] = unbroadcast(d[y] * 0.5 * (sp.struve(v - 1, x) - sp.struve(v + 1, x)
                                     + (0.5 * x) ** v * weak(sp.rgamma(v + 1.5)) / ROOT_PI), x)


@pointwise(sp.modstruve, kind=elementwise_float, constant={"v": ORDER})
def modstruve(y, v, x):
    d[x] = unbroadcast(d[y] * 0.5 * (sp.modstruve(v - 1, x) + sp.modstruve(v + 1, x)
                                     + (0.5 * x) ** v * weak(sp.rgamma(v + 1.5)) / ROOT_PI), x)


# Integrals of them ------------------------------------------------------------------------------
@pointwise(sp.itstruve0, kind=elementwise_float)
def itstruve0(y, x):
    d[x] = d[y] * sp.struve(0.0, x)


@pointwise(sp.it2struve0, kind=elementwise_float)
def it2struve0(y, x):
    d[x] = -d[y] * sp.struve(0.0, x) / x


@pointwise(sp.itmodstruve0, kind=elementwise_float)
def itmodstruve0(y, x):
    d[x] = d[y] * sp.modstruve(0.0, x)


@adjoint(sp.itj0y0, kind=parts(2, elementwise_float))
def itj0y0(y, x):
    d[x] = d[y][0] * sp.j0(x) + d[y][1] * sp.y0(x)


@tangent(sp.itj0y0)
def itj0y0_tangent(y, x):
    d[y] = (d[x] * sp.j0(x), d[x] * sp.y0(x))


@adjoint(sp.it2j0y0, kind=parts(2, elementwise_float))
def it2j0y0(y, x):
    d[x] = d[y][0] * (1.0 - sp.j0(x)) / x - d[y][1] * sp.y0(x) / x


@tangent(sp.it2j0y0)
def it2j0y0_tangent(y, x):
    d[y] = (d[x] * (1.0 - sp.j0(x)) / x, -d[x] * sp.y0(x) / x)


@adjoint(sp.iti0k0, kind=parts(2, elementwise_float))
def iti0k0(y, x):
    d[x] = d[y][0] * sp.i0(x) + d[y][1] * sp.k0(x)


@tangent(sp.iti0k0)
def iti0k0_tangent(y, x):
    d[y] = (d[x] * sp.i0(x), d[x] * sp.k0(x))


@adjoint(sp.it2i0k0, kind=parts(2, elementwise_float))
def it2i0k0(y, x):
    d[x] = d[y][0] * (sp.i0(x) - 1.0) / x - d[y][1] * sp.k0(x) / x


@tangent(sp.it2i0k0)
def it2i0k0_tangent(y, x):
    d[y] = (d[x] * (sp.i0(x) - 1.0) / x, -d[x] * sp.k0(x) / x)


@pointwise(sp.wright_bessel, kind=elementwise_float, constant={"a": ORDER, "b": ORDER})
def wright_bessel(y, a, b, x):
    d[x] = unbroadcast(d[y] * sp.wright_bessel(a, a + b, x), x)
