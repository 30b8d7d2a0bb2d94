"""scipy.special: orthogonal polynomials, spherical harmonics, hypergeometric functions, and others
that satisfy a linear differential equation.

With respect to the argument; degrees and parameters may not vary. DLMF 15.5, 13.3, 18.9, 14.10, and
for the others the differential equation itself, which gives the slope of a derivative.
"""
import math

import numpy as np
import scipy.special as sp

from tangent_lite.registry import adjoint, pointwise, refuse, tangent
from tangent_lite.result_kinds import elementwise_float
from tangent_lite.result_kinds.of_scipy import harmonic, parts
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.scipy_special import (
    legendre_slope,
    oblate_curve,
    prolate_curve,
    sphere_slope,
)

DEGREE = "the derivative with respect to the degree has no closed form"
SHAPE = "the derivative with respect to this parameter has no closed form"


@pointwise(sp.eval_legendre, kind=elementwise_float, constant={"n": DEGREE})
def eval_legendre(y, n, x):
    d[x] = unbroadcast(d[y] * 0.5 * (n + 1.0) * sp.eval_jacobi(n - 1, 1.0, 1.0, x), x)


@pointwise(sp.eval_sh_legendre, kind=elementwise_float, constant={"n": DEGREE})
def eval_sh_legendre(y, n, x):
    d[x] = unbroadcast(d[y] * (n + 1.0) * sp.eval_jacobi(n - 1, 1.0, 1.0, 2.0 * x - 1.0), x)


@pointwise(sp.eval_jacobi, kind=elementwise_float,
           constant={"n": DEGREE, "alpha": SHAPE, "beta": SHAPE})
def eval_jacobi(y, n, alpha, beta, x):
    d[x] = unbroadcast(d[y] * 0.5 * (n + alpha + beta + 1.0)
                       * sp.eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x), x)


@pointwise(sp.eval_sh_jacobi, kind=elementwise_float,
           constant={"n": DEGREE, "p": SHAPE, "q": SHAPE})
def eval_sh_jacobi(y, n, p, q, x):
    d[x] = unbroadcast(d[y] * (n + p) / sp.binom(2.0 * n + p - 1.0, n)
                       * sp.eval_jacobi(n - 1, p - q + 1.0, q, 2.0 * x - 1.0), x)


@pointwise(sp.eval_gegenbauer, kind=elementwise_float, constant={"n": DEGREE, "alpha": SHAPE})
def eval_gegenbauer(y, n, alpha, x):
    d[x] = unbroadcast(d[y] * 2.0 * alpha * sp.eval_gegenbauer(n - 1, alpha + 1.0, x), x)


@pointwise(sp.eval_chebyt, kind=elementwise_float, constant={"n": DEGREE})
def eval_chebyt(y, n, x):
    d[x] = unbroadcast(d[y] * n * sp.eval_chebyu(n - 1, x), x)


@pointwise(sp.eval_chebyu, kind=elementwise_float, constant={"n": DEGREE})
def eval_chebyu(y, n, x):
    d[x] = unbroadcast(d[y] * 2.0 * sp.eval_gegenbauer(n - 1, 2.0, x), x)


@pointwise(sp.eval_chebyc, kind=elementwise_float, constant={"n": DEGREE})
def eval_chebyc(y, n, x):
    d[x] = unbroadcast(d[y] * n * sp.eval_chebyu(n - 1, 0.5 * x), x)


@pointwise(sp.eval_chebys, kind=elementwise_float, constant={"n": DEGREE})
def eval_chebys(y, n, x):
    d[x] = unbroadcast(d[y] * sp.eval_gegenbauer(n - 1, 2.0, 0.5 * x), x)


@pointwise(sp.eval_sh_chebyt, kind=elementwise_float, constant={"n": DEGREE})
def eval_sh_chebyt(y, n, x):
    d[x] = unbroadcast(d[y] * 2.0 * n * sp.eval_chebyu(n - 1, 2.0 * x - 1.0), x)


@pointwise(sp.eval_sh_chebyu, kind=elementwise_float, constant={"n": DEGREE})
def eval_sh_chebyu(y, n, x):
    d[x] = unbroadcast(d[y] * 4.0 * sp.eval_gegenbauer(n - 1, 2.0, 2.0 * x - 1.0), x)


@pointwise(sp.eval_laguerre, kind=elementwise_float, constant={"n": DEGREE})
def eval_laguerre(y, n, x):
    d[x] = unbroadcast(-d[y] * sp.eval_genlaguerre(n - 1, 1.0, x), x)


@pointwise(sp.eval_genlaguerre, kind=elementwise_float, constant={"n": DEGREE, "alpha": SHAPE})
def eval_genlaguerre(y, n, alpha, x):
    d[x] = unbroadcast(-d[y] * sp.eval_genlaguerre(n - 1, alpha + 1.0, x), x)


@pointwise(sp.assoc_laguerre, kind=elementwise_float, constant={"n": DEGREE, "k": SHAPE})
def assoc_laguerre(y, x, n, k=0.0):
    d[x] = unbroadcast(-d[y] * sp.assoc_laguerre(x, n - 1, k + 1.0), x)


# Of degree 0 the factor n is 0; a polynomial of degree -1 would not be a number.
@pointwise(sp.eval_hermite, kind=elementwise_float, constant={"n": DEGREE})
def eval_hermite(y, n, x):
    d[x] = unbroadcast(d[y] * 2.0 * n * sp.eval_hermite(np.maximum(n - 1, 0), x), x)


@pointwise(sp.eval_hermitenorm, kind=elementwise_float, constant={"n": DEGREE})
def eval_hermitenorm(y, n, x):
    d[x] = unbroadcast(d[y] * n * sp.eval_hermitenorm(np.maximum(n - 1, 0), x), x)


@pointwise(sp.lpmv, kind=elementwise_float, constant={"m": DEGREE, "v": DEGREE})
def lpmv(y, m, v, x):
    d[x] = unbroadcast(d[y] * legendre_slope(y, m, v, x), x)


if hasattr(sp, "sph_harm_y"):
    @pointwise(sp.sph_harm_y, kind=harmonic, constant={
        "n": DEGREE, "m": DEGREE, "diff_n": "it counts derivatives"})
    def sph_harm_y(y, n, m, theta, phi, *, diff_n=0):
        d[theta] = unbroadcast(d[y] * sphere_slope(n, m, theta, phi, diff_n), theta)
        d[phi] = unbroadcast(d[y] * 1j * m * y, phi)

    refuse(sp.legendre_p, sp.legendre_p_all, sp.assoc_legendre_p, sp.assoc_legendre_p_all,
           sp.sph_legendre_p, sp.sph_legendre_p_all, sp.sph_harm_y_all,
           why="what it returns depends on how many derivatives it is asked for",
           instead="call eval_legendre, lpmv or sph_harm_y")


# Hypergeometric ---------------------------------------------------------------------------------
@pointwise(sp.hyp0f1, kind=elementwise_float, constant={"v": SHAPE})
def hyp0f1(y, v, z):
    d[z] = unbroadcast(d[y] * sp.hyp0f1(v + 1.0, z) / v, z)


@pointwise(sp.hyp1f1, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE})
def hyp1f1(y, a, b, z):
    d[z] = unbroadcast(d[y] * a / b * sp.hyp1f1(a + 1.0, b + 1.0, z), z)


@pointwise(sp.hyp2f1, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE, "c": SHAPE})
def hyp2f1(y, a, b, c, z):
    d[z] = unbroadcast(d[y] * a * b / c * sp.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z), z)


@pointwise(sp.hyperu, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE})
def hyperu(y, a, b, x):
    d[x] = unbroadcast(-d[y] * a * sp.hyperu(a + 1.0, b + 1.0, x), x)


# Parabolic cylinder functions and their derivatives ---------------------------------------------
@adjoint(sp.pbdv, kind=parts(2, elementwise_float), constant={"v": SHAPE})
def pbdv(y, v, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * (0.25 * x * x - v - 0.5) * y[0], x)


@tangent(sp.pbdv, constant={"v": SHAPE})
def pbdv_tangent(y, v, x):
    d[y] = (d[x] * y[1], d[x] * (0.25 * x * x - v - 0.5) * y[0])


@adjoint(sp.pbvv, kind=parts(2, elementwise_float), constant={"v": SHAPE})
def pbvv(y, v, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * (0.25 * x * x - v - 0.5) * y[0], x)


@tangent(sp.pbvv, constant={"v": SHAPE})
def pbvv_tangent(y, v, x):
    d[y] = (d[x] * y[1], d[x] * (0.25 * x * x - v - 0.5) * y[0])


@adjoint(sp.pbwa, kind=parts(2, elementwise_float), constant={"a": SHAPE})
def pbwa(y, a, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * (a - 0.25 * x * x) * y[0], x)


@tangent(sp.pbwa, constant={"a": SHAPE})
def pbwa_tangent(y, a, x):
    d[y] = (d[x] * y[1], d[x] * (a - 0.25 * x * x) * y[0])


# Mathieu functions and their derivatives: of degrees, and the modified ones of radians -----------
@adjoint(sp.mathieu_cem, kind=parts(2, elementwise_float), constant={"m": DEGREE, "q": SHAPE})
def mathieu_cem(y, m, q, x):
    d[x] = unbroadcast(math.pi / 180.0 * (
        d[y][0] * y[1] - d[y][1] * (sp.mathieu_a(m, q) - 2.0 * q * sp.cosdg(2.0 * x)) * y[0]), x)


@tangent(sp.mathieu_cem, constant={"m": DEGREE, "q": SHAPE})
def mathieu_cem_tangent(y, m, q, x):
    turn = math.pi / 180.0 * d[x]
    d[y] = (turn * y[1], -turn * (sp.mathieu_a(m, q) - 2.0 * q * sp.cosdg(2.0 * x)) * y[0])


@adjoint(sp.mathieu_sem, kind=parts(2, elementwise_float), constant={"m": DEGREE, "q": SHAPE})
def mathieu_sem(y, m, q, x):
    d[x] = unbroadcast(math.pi / 180.0 * (
        d[y][0] * y[1] - d[y][1] * (sp.mathieu_b(m, q) - 2.0 * q * sp.cosdg(2.0 * x)) * y[0]), x)


@tangent(sp.mathieu_sem, constant={"m": DEGREE, "q": SHAPE})
def mathieu_sem_tangent(y, m, q, x):
    turn = math.pi / 180.0 * d[x]
    d[y] = (turn * y[1], -turn * (sp.mathieu_b(m, q) - 2.0 * q * sp.cosdg(2.0 * x)) * y[0])


@adjoint(sp.mathieu_modcem1, sp.mathieu_modcem2, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "q": SHAPE})
def mathieu_modcem(y, m, q, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * y[0] * (
        sp.mathieu_a(m, q) - 2.0 * q * np.cosh(2.0 * x)), x)


@tangent(sp.mathieu_modcem1, sp.mathieu_modcem2, constant={"m": DEGREE, "q": SHAPE})
def mathieu_modcem_tangent(y, m, q, x):
    d[y] = (d[x] * y[1], d[x] * (sp.mathieu_a(m, q) - 2.0 * q * np.cosh(2.0 * x)) * y[0])


@adjoint(sp.mathieu_modsem1, sp.mathieu_modsem2, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "q": SHAPE})
def mathieu_modsem(y, m, q, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * y[0] * (
        sp.mathieu_b(m, q) - 2.0 * q * np.cosh(2.0 * x)), x)


@tangent(sp.mathieu_modsem1, sp.mathieu_modsem2, constant={"m": DEGREE, "q": SHAPE})
def mathieu_modsem_tangent(y, m, q, x):
    d[y] = (d[x] * y[1], d[x] * (sp.mathieu_b(m, q) - 2.0 * q * np.cosh(2.0 * x)) * y[0])


# Spheroidal wave functions and their derivatives ------------------------------------------------
@adjoint(sp.pro_ang1, sp.pro_rad1, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE})
def pro_wave(y, m, n, c, x):
    d[x] = unbroadcast(d[y][0] * y[1]
                       + d[y][1] * prolate_curve(y, m, c, sp.pro_cv(m, n, c), x), x)


@tangent(sp.pro_ang1, sp.pro_rad1, constant={"m": DEGREE, "n": DEGREE, "c": SHAPE})
def pro_wave_tangent(y, m, n, c, x):
    d[y] = (d[x] * y[1], d[x] * prolate_curve(y, m, c, sp.pro_cv(m, n, c), x))


@adjoint(sp.pro_ang1_cv, sp.pro_rad1_cv, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE, "cv": SHAPE})
def pro_wave_cv(y, m, n, c, cv, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * prolate_curve(y, m, c, cv, x), x)


@tangent(sp.pro_ang1_cv, sp.pro_rad1_cv,
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE, "cv": SHAPE})
def pro_wave_cv_tangent(y, m, n, c, cv, x):
    d[y] = (d[x] * y[1], d[x] * prolate_curve(y, m, c, cv, x))


@adjoint(sp.obl_ang1, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE})
def obl_ang1(y, m, n, c, x):
    d[x] = unbroadcast(d[y][0] * y[1]
                       + d[y][1] * prolate_curve(y, m, 1j * c, sp.obl_cv(m, n, c), x), x)


@tangent(sp.obl_ang1, constant={"m": DEGREE, "n": DEGREE, "c": SHAPE})
def obl_ang1_tangent(y, m, n, c, x):
    d[y] = (d[x] * y[1], d[x] * prolate_curve(y, m, 1j * c, sp.obl_cv(m, n, c), x))


@adjoint(sp.obl_ang1_cv, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE, "cv": SHAPE})
def obl_ang1_cv(y, m, n, c, cv, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * prolate_curve(y, m, 1j * c, cv, x), x)


@tangent(sp.obl_ang1_cv, constant={"m": DEGREE, "n": DEGREE, "c": SHAPE, "cv": SHAPE})
def obl_ang1_cv_tangent(y, m, n, c, cv, x):
    d[y] = (d[x] * y[1], d[x] * prolate_curve(y, m, 1j * c, cv, x))


@adjoint(sp.obl_rad1, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE})
def obl_rad1(y, m, n, c, x):
    d[x] = unbroadcast(d[y][0] * y[1]
                       + d[y][1] * oblate_curve(y, m, c, sp.obl_cv(m, n, c), x), x)


@tangent(sp.obl_rad1, constant={"m": DEGREE, "n": DEGREE, "c": SHAPE})
def obl_rad1_tangent(y, m, n, c, x):
    d[y] = (d[x] * y[1], d[x] * oblate_curve(y, m, c, sp.obl_cv(m, n, c), x))


@adjoint(sp.obl_rad1_cv, kind=parts(2, elementwise_float),
         constant={"m": DEGREE, "n": DEGREE, "c": SHAPE, "cv": SHAPE})
def obl_rad1_cv(y, m, n, c, cv, x):
    d[x] = unbroadcast(d[y][0] * y[1] + d[y][1] * oblate_curve(y, m, c, cv, x), x)


@tangent(sp.obl_rad1_cv, constant={"m": DEGREE, "n": DEGREE, "c": SHAPE, "cv": SHAPE})
def obl_rad1_cv_tangent(y, m, n, c, cv, x):
    d[y] = (d[x] * y[1], d[x] * oblate_curve(y, m, c, cv, x))


refuse(sp.pro_rad2, sp.pro_rad2_cv, sp.obl_rad2, sp.obl_rad2_cv,
       why="the slope that it returns is not that of its values")
refuse(sp.mathieu_a, sp.mathieu_b, sp.pro_cv, sp.obl_cv, sp.besselpoly, sp.ellip_harm,
       sp.ellip_harm_2, sp.ellip_normal, why=SHAPE)
