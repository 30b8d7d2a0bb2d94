"""scipy.special: error functions, gamma functions, entropies, sums of exponentials.

Read once SciPy is in use. The formulas are those of the Digital Library of Mathematical Functions.
"""
import math

import numpy as np
import scipy.special as sp

from tangent_lite.registry import (
    adjoint,
    nondifferentiable,
    pointwise,
    refuse,
    refuse_where,
    tangent,
)
from tangent_lite.result_kinds import elementwise_float, limits, unchanged, unknown
from tangent_lite.result_kinds.of_scipy import (
    elementwise_complex,
    float_unless_exact,
    like_array,
    logsumexp_kind,
)
from tangent_lite.runtime import divide_or_zero, unbroadcast
from tangent_lite.runtime.scipy_special import (
    beta_density,
    comb_slope,
    digamma_sum,
    gamma_density,
    logsumexp_adjoint,
    logsumexp_adjoint_weights,
    logsumexp_tangent,
    narrowed,
    perm_slope,
    voigt_slopes,
    wofz_slope,
)

SHAPE = "the derivative with respect to this parameter has no closed form"
ORDER = "the derivative with respect to the order has no closed form"
WHOLE = "it is a whole number"
ROOT_TWO_PI = math.sqrt(2.0 * math.pi)


@pointwise(narrowed, kind=unchanged, view="maybe")
def narrowed_(z, y, x):
    d[y] = d[z]
    d[x] = None


@pointwise(sp.erf, kind=elementwise_float)
def erf(y, x):
    d[x] = d[y] * 1.1283791670955126 * np.exp(-x * x)       # 2 / sqrt(pi)


@pointwise(sp.erfc, kind=elementwise_float)
def erfc(y, x):
    d[x] = -d[y] * 1.1283791670955126 * np.exp(-x * x)


@pointwise(sp.erfi, kind=elementwise_float)
def erfi(y, x):
    d[x] = d[y] * 1.1283791670955126 * np.exp(x * x)


@pointwise(sp.erfinv, kind=elementwise_float)
def erfinv(y, x):
    d[x] = d[y] * 0.8862269254527580 * np.exp(y * y)        # sqrt(pi) / 2


@pointwise(sp.erfcinv, kind=elementwise_float)
def erfcinv(y, x):
    d[x] = -d[y] * 0.8862269254527580 * np.exp(y * y)


@pointwise(sp.erfcx, kind=elementwise_float)
def erfcx(y, x):
    d[x] = d[y] * (2.0 * x * y - 1.1283791670955126)


@pointwise(sp.dawsn, kind=elementwise_float)
def dawsn(y, x):
    d[x] = d[y] * (1.0 - 2.0 * x * y)


@pointwise(sp.wofz, kind=elementwise_complex)
def wofz(y, z):
    d[z] = d[y] * wofz_slope(y, z)


@pointwise(sp.voigt_profile, kind=elementwise_float)
def voigt_profile(y, x, sigma, gamma):
    slopes = voigt_slopes(y, x, sigma, gamma)
    d[x] = unbroadcast(d[y] * slopes[0], x)
    d[sigma] = unbroadcast(d[y] * slopes[1], sigma)
    d[gamma] = unbroadcast(d[y] * slopes[2], gamma)


@pointwise(sp.owens_t, kind=elementwise_float)
def owens_t(y, h, a):
    d[h] = unbroadcast(-d[y] * np.exp(-0.5 * h * h) * sp.erf(a * h / math.sqrt(2.0))
                       / (2.0 * ROOT_TWO_PI), h)
    d[a] = unbroadcast(d[y] * np.exp(-0.5 * h * h * (1.0 + a * a))
                       / (2.0 * math.pi * (1.0 + a * a)), a)


# Gamma functions --------------------------------------------------------------------------------
@pointwise(sp.gamma, kind=elementwise_float)
def gamma(y, x):
    d[x] = d[y] * y * sp.digamma(x)


@pointwise(sp.gammaln, sp.loggamma, kind=elementwise_float)
def gammaln(y, x):
    d[x] = d[y] * sp.digamma(x)


@pointwise(sp.rgamma, kind=elementwise_float)
def rgamma(y, x):
    d[x] = -d[y] * y * sp.digamma(x)


@pointwise(sp.digamma, kind=elementwise_float)
def digamma(y, x):
    d[x] = d[y] * sp.zeta(2.0, x)


refuse_where(limits.of_real_numbers, sp.digamma)      # sp.zeta takes no others


@pointwise(sp.zeta, kind=unknown, constant={"x": SHAPE})
def zeta(y, x, q=None):
    d[q] = unbroadcast(-d[y] * x * sp.zeta(x + 1.0, q), q)


@pointwise(sp.polygamma, kind=unknown, constant={"n": ORDER})
def polygamma(y, n, x):
    d[x] = unbroadcast(d[y] * sp.polygamma(n + 1, x), x)


@pointwise(sp.multigammaln, kind=unknown, constant={"d": WHOLE})
def multigammaln(y, a, d):
    d[a] = d[y] * digamma_sum(a, d)


@pointwise(sp.poch, kind=elementwise_float)
def poch(y, z, m):
    d[z] = unbroadcast(d[y] * y * (sp.digamma(z + m) - sp.digamma(z)), z)
    d[m] = unbroadcast(d[y] * y * sp.digamma(z + m), m)


@pointwise(sp.beta, kind=elementwise_float)
def beta(z, a, b):
    d[a] = unbroadcast(d[z] * z * (sp.digamma(a) - sp.digamma(a + b)), a)
    d[b] = unbroadcast(d[z] * z * (sp.digamma(b) - sp.digamma(a + b)), b)


@pointwise(sp.betaln, kind=elementwise_float)
def betaln(z, a, b):
    d[a] = unbroadcast(d[z] * (sp.digamma(a) - sp.digamma(a + b)), a)
    d[b] = unbroadcast(d[z] * (sp.digamma(b) - sp.digamma(a + b)), b)


@pointwise(sp.binom, kind=elementwise_float)
def binom(y, x, k):
    d[x] = unbroadcast(d[y] * y * (sp.digamma(x + 1.0) - sp.digamma(x - k + 1.0)), x)
    d[k] = unbroadcast(d[y] * y * (sp.digamma(x - k + 1.0) - sp.digamma(k + 1.0)), k)


@pointwise(sp.comb, kind=float_unless_exact)
def comb(y, N, k, *, exact=False, repetition=False):
    slopes = comb_slope(y, N, k, repetition)
    d[N] = unbroadcast(d[y] * slopes[0], N)
    d[k] = unbroadcast(d[y] * slopes[1], k)


@pointwise(sp.perm, kind=float_unless_exact)
def perm(y, N, k, exact=False):
    slopes = perm_slope(y, N, k)
    d[N] = unbroadcast(d[y] * slopes[0], N)
    d[k] = unbroadcast(d[y] * slopes[1], k)


@pointwise(sp.gammainc, kind=elementwise_float, constant={"a": SHAPE})
def gammainc(y, a, x):
    d[x] = unbroadcast(d[y] * gamma_density(a, x), x)


@pointwise(sp.gammaincc, kind=elementwise_float, constant={"a": SHAPE})
def gammaincc(y, a, x):
    d[x] = unbroadcast(-d[y] * gamma_density(a, x), x)


@pointwise(sp.gammaincinv, kind=elementwise_float, constant={"a": SHAPE})
def gammaincinv(x, a, y):
    d[y] = unbroadcast(d[x] / gamma_density(a, x), y)


@pointwise(sp.gammainccinv, kind=elementwise_float, constant={"a": SHAPE})
def gammainccinv(x, a, y):
    d[y] = unbroadcast(-d[x] / gamma_density(a, x), y)


@pointwise(sp.betainc, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE})
def betainc(y, a, b, x):
    d[x] = unbroadcast(d[y] * beta_density(a, b, x), x)


@pointwise(sp.betaincinv, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE})
def betaincinv(x, a, b, y):
    d[y] = unbroadcast(d[x] / beta_density(a, b, x), y)


if hasattr(sp, "betaincc"):
    @pointwise(sp.betaincc, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE})
    def betaincc(y, a, b, x):
        d[x] = unbroadcast(-d[y] * beta_density(a, b, x), x)

    @pointwise(sp.betainccinv, kind=elementwise_float, constant={"a": SHAPE, "b": SHAPE})
    def betainccinv(x, a, b, y):
        d[y] = unbroadcast(-d[x] / beta_density(a, b, x), y)


# Logistic and normal ----------------------------------------------------------------------------
@pointwise(sp.expit, kind=elementwise_float)
def expit(y, x):
    d[x] = d[y] * y * (1.0 - y)


@pointwise(sp.logit, kind=elementwise_float)
def logit(y, x):
    d[x] = d[y] / (x * (1.0 - x))


@pointwise(sp.log_expit, kind=elementwise_float)
def log_expit(y, x):
    d[x] = d[y] * sp.expit(-x)


if hasattr(sp, "softplus"):
    @pointwise(sp.softplus, kind=unknown)
    def softplus(y, x):
        d[x] = d[y] * sp.expit(x)


@pointwise(sp.ndtr, kind=elementwise_float)
def ndtr(y, x):
    d[x] = d[y] * 0.3989422804014327 * np.exp(-0.5 * x * x)     # 1 / sqrt(2 pi)


@pointwise(sp.ndtri, kind=elementwise_float)
def ndtri(y, x):
    d[x] = d[y] * 2.5066282746310002 * np.exp(0.5 * y * y)


@pointwise(sp.log_ndtr, kind=elementwise_float)
def log_ndtr(y, x):
    d[x] = d[y] * 0.3989422804014327 * np.exp(-0.5 * x * x - y)


@pointwise(sp.ndtri_exp, kind=elementwise_float)
def ndtri_exp(y, x):
    d[x] = d[y] * 2.5066282746310002 * np.exp(x + 0.5 * y * y)


# Entropies --------------------------------------------------------------------------------------
@pointwise(sp.xlogy, kind=elementwise_float)
def xlogy(z, x, y):
    d[x] = unbroadcast(sp.xlogy(d[z], y), x)
    d[y] = unbroadcast(d[z] * x / y, y)


@pointwise(sp.xlog1py, kind=elementwise_float)
def xlog1py(z, x, y):
    d[x] = unbroadcast(sp.xlog1py(d[z], y), x)
    d[y] = unbroadcast(d[z] * x / (1.0 + y), y)


@pointwise(sp.entr, kind=elementwise_float)
def entr(y, x):
    d[x] = d[y] * (-np.log(x) - 1.0)


@pointwise(sp.rel_entr, kind=elementwise_float)
def rel_entr(z, x, y):
    d[x] = unbroadcast(d[z] * (np.log(x / y) + 1.0), x)
    d[y] = unbroadcast(-d[z] * x / y, y)


@pointwise(sp.kl_div, kind=elementwise_float)
def kl_div(z, x, y):
    d[x] = unbroadcast(d[z] * np.log(x / y), x)
    d[y] = unbroadcast(d[z] * (1.0 - x / y), y)


# A quadratic that goes on as a straight line, and its smooth form.
@pointwise(sp.huber, kind=elementwise_float)
def huber(y, delta, r):
    d[delta] = unbroadcast(d[y] * np.maximum(np.abs(r) - delta, 0.0), delta)
    d[r] = unbroadcast(d[y] * np.clip(r, -delta, delta), r)


@pointwise(sp.pseudo_huber, kind=elementwise_float)
def pseudo_huber(y, delta, r):
    root = np.hypot(delta, r)
    d[delta] = unbroadcast(d[y] * divide_or_zero((root - delta) * (root - delta), root), delta)
    d[r] = unbroadcast(d[y] * divide_or_zero(delta * r, root), r)


# Sums of exponentials ---------------------------------------------------------------------------
@adjoint(sp.logsumexp, kind=logsumexp_kind)
def logsumexp(y, a, axis=None, b=None, keepdims=False, return_sign=False):
    d[a] = logsumexp_adjoint(d[y], y, a, axis, b, keepdims, return_sign)
    d[b] = logsumexp_adjoint_weights(d[y], y, a, axis, b, keepdims, return_sign)


@tangent(sp.logsumexp)
def logsumexp_tangent_(y, a, axis=None, b=None, keepdims=False, return_sign=False):
    d[y] = logsumexp_tangent(d[a], d[b], y, a, axis, b, keepdims, return_sign)


@adjoint(sp.softmax, kind=like_array)
def softmax(y, x, axis=None):
    d[x] = y * (d[y] - np.sum(d[y] * y, axis=axis, keepdims=True))


@tangent(sp.softmax)
def softmax_tangent(y, x, axis=None):
    d[y] = y * (d[x] - np.sum(d[x] * y, axis=axis, keepdims=True))


@adjoint(sp.log_softmax, kind=like_array)
def log_softmax(y, x, axis=None):
    d[x] = d[y] - np.exp(y) * np.sum(d[y], axis=axis, keepdims=True)


@tangent(sp.log_softmax)
def log_softmax_tangent(y, x, axis=None):
    d[y] = d[x] - np.sum(d[x] * np.exp(y), axis=axis, keepdims=True)


nondifferentiable(sp.gammasgn, sp.round, kind=elementwise_float)
refuse(sp.zetac, why=SHAPE)
refuse(sp.factorial2, sp.factorialk, why="it is a function of whole numbers")
