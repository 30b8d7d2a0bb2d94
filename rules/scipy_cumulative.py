"""scipy.special: cumulative distribution functions and their inverses.

The slope in the argument is the density; in the other parameters there is mostly no closed form.
"""
import numpy as np
import scipy.special as sp

from tangent_lite.registry import pointwise, refuse
from tangent_lite.result_kinds import elementwise_float
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.scipy_special import (
    beta_density,
    boxcox_slope,
    f_density,
    gamma_density,
    noncentral_density,
    t_density,
    tukey_density,
)

SHAPE = "the derivative with respect to this parameter has no closed form"
COUNT = "it is a whole number"


# Normal -----------------------------------------------------------------------------------------
@pointwise(sp.nrdtrimn, kind=elementwise_float)
def nrdtrimn(y, p, std, x):
    score = (x - y) / std
    d[p] = unbroadcast(-d[y] * std * 2.5066282746310002 * np.exp(0.5 * score * score), p)
    d[std] = unbroadcast(-d[y] * score, std)
    d[x] = unbroadcast(d[y], x)


@pointwise(sp.nrdtrisd, kind=elementwise_float)
def nrdtrisd(y, mn, p, x):
    score = (x - mn) / y
    d[mn] = unbroadcast(-d[y] / score, mn)
    d[p] = unbroadcast(-d[y] * y / score * 2.5066282746310002 * np.exp(0.5 * score * score), p)
    d[x] = unbroadcast(d[y] / score, x)


# Gamma and chi-squared --------------------------------------------------------------------------
@pointwise(sp.gdtr, kind=elementwise_float, constant={"b": SHAPE})
def gdtr(y, a, b, x):
    d[a] = unbroadcast(d[y] * x * gamma_density(b, a * x), a)
    d[x] = unbroadcast(d[y] * a * gamma_density(b, a * x), x)


@pointwise(sp.gdtrc, kind=elementwise_float, constant={"b": SHAPE})
def gdtrc(y, a, b, x):
    d[a] = unbroadcast(-d[y] * x * gamma_density(b, a * x), a)
    d[x] = unbroadcast(-d[y] * a * gamma_density(b, a * x), x)


@pointwise(sp.gdtrix, kind=elementwise_float, constant={"b": SHAPE})
def gdtrix(y, a, b, p):
    d[a] = unbroadcast(-d[y] * y / a, a)
    d[p] = unbroadcast(d[y] / (a * gamma_density(b, a * y)), p)


@pointwise(sp.gdtria, kind=elementwise_float, constant={"b": SHAPE})
def gdtria(y, p, b, x):
    d[p] = unbroadcast(d[y] / (x * gamma_density(b, x * y)), p)
    d[x] = unbroadcast(-d[y] * y / x, x)


@pointwise(sp.chdtr, kind=elementwise_float, constant={"v": SHAPE})
def chdtr(y, v, x):
    d[x] = unbroadcast(0.5 * d[y] * gamma_density(0.5 * v, 0.5 * x), x)


@pointwise(sp.chdtrc, kind=elementwise_float, constant={"v": SHAPE})
def chdtrc(y, v, x):
    d[x] = unbroadcast(-0.5 * d[y] * gamma_density(0.5 * v, 0.5 * x), x)


@pointwise(sp.chdtri, kind=elementwise_float, constant={"v": SHAPE})
def chdtri(y, v, p):
    d[p] = unbroadcast(-2.0 * d[y] / gamma_density(0.5 * v, 0.5 * y), p)


@pointwise(sp.chndtr, kind=elementwise_float, constant={"df": SHAPE})
def chndtr(y, x, df, nc):
    d[x] = unbroadcast(d[y] * noncentral_density(x, df, nc), x)
    d[nc] = unbroadcast(-d[y] * noncentral_density(x, df + 2.0, nc), nc)


@pointwise(sp.chndtrix, kind=elementwise_float, constant={"df": SHAPE})
def chndtrix(y, p, df, nc):
    d[p] = unbroadcast(d[y] / noncentral_density(y, df, nc), p)
    d[nc] = unbroadcast(d[y] * noncentral_density(y, df + 2.0, nc)
                        / noncentral_density(y, df, nc), nc)


# Student's t and F ------------------------------------------------------------------------------
@pointwise(sp.stdtr, kind=elementwise_float, constant={"df": SHAPE})
def stdtr(y, df, t):
    d[t] = unbroadcast(d[y] * t_density(df, t), t)


@pointwise(sp.stdtrit, kind=elementwise_float, constant={"df": SHAPE})
def stdtrit(y, df, p):
    d[p] = unbroadcast(d[y] / t_density(df, y), p)


@pointwise(sp.fdtr, kind=elementwise_float, constant={"dfn": SHAPE, "dfd": SHAPE})
def fdtr(y, dfn, dfd, x):
    d[x] = unbroadcast(d[y] * f_density(dfn, dfd, x), x)


@pointwise(sp.fdtrc, kind=elementwise_float, constant={"dfn": SHAPE, "dfd": SHAPE})
def fdtrc(y, dfn, dfd, x):
    d[x] = unbroadcast(-d[y] * f_density(dfn, dfd, x), x)


@pointwise(sp.fdtri, kind=elementwise_float, constant={"dfn": SHAPE, "dfd": SHAPE})
def fdtri(y, dfn, dfd, p):
    d[p] = unbroadcast(d[y] / f_density(dfn, dfd, y), p)


# Counts: the number k is rounded down -----------------------------------------------------------
@pointwise(sp.pdtr, kind=elementwise_float, constant={"k": COUNT})
def pdtr(y, k, m):
    d[m] = unbroadcast(-d[y] * gamma_density(np.floor(k) + 1.0, m), m)


@pointwise(sp.pdtrc, kind=elementwise_float, constant={"k": COUNT})
def pdtrc(y, k, m):
    d[m] = unbroadcast(d[y] * gamma_density(np.floor(k) + 1.0, m), m)


@pointwise(sp.pdtri, kind=elementwise_float, constant={"k": COUNT})
def pdtri(m, k, y):
    d[y] = unbroadcast(-d[m] / gamma_density(np.floor(k) + 1.0, m), y)


@pointwise(sp.bdtr, kind=elementwise_float, constant={"k": COUNT, "n": COUNT})
def bdtr(y, k, n, p):
    d[p] = unbroadcast(-d[y] * beta_density(np.floor(k) + 1.0, n - np.floor(k), p), p)


@pointwise(sp.bdtrc, kind=elementwise_float, constant={"k": COUNT, "n": COUNT})
def bdtrc(y, k, n, p):
    d[p] = unbroadcast(d[y] * beta_density(np.floor(k) + 1.0, n - np.floor(k), p), p)


@pointwise(sp.bdtri, kind=elementwise_float, constant={"k": COUNT, "n": COUNT})
def bdtri(p, k, n, y):
    d[y] = unbroadcast(-d[p] / beta_density(np.floor(k) + 1.0, n - np.floor(k), p), y)


@pointwise(sp.nbdtr, kind=elementwise_float, constant={"k": COUNT, "n": COUNT})
def nbdtr(y, k, n, p):
    d[p] = unbroadcast(d[y] * beta_density(n, k + 1.0, p), p)


@pointwise(sp.nbdtrc, kind=elementwise_float, constant={"k": COUNT, "n": COUNT})
def nbdtrc(y, k, n, p):
    d[p] = unbroadcast(-d[y] * beta_density(n, k + 1.0, p), p)


@pointwise(sp.nbdtri, kind=elementwise_float, constant={"k": COUNT, "n": COUNT})
def nbdtri(p, k, n, y):
    d[y] = unbroadcast(d[p] / beta_density(n, k + 1.0, p), y)


# Tukey's lambda: defined by its inverse, boxcox(p, lmbda) - boxcox(1 - p, lmbda).
@pointwise(sp.tklmbda, kind=elementwise_float)
def tklmbda(p, x, lmbda):
    d[x] = unbroadcast(d[p] * tukey_density(p, lmbda), x)
    d[lmbda] = unbroadcast(-d[p] * tukey_density(p, lmbda) * (
        boxcox_slope(np.log(p), lmbda) - boxcox_slope(np.log1p(-p), lmbda)), lmbda)


refuse(sp.kolmogorov, sp.kolmogi, sp.smirnov, sp.smirnovi, sp.btdtria, sp.btdtrib, sp.gdtrib,
       sp.bdtrik, sp.bdtrin, sp.nbdtrik, sp.nbdtrin, sp.pdtrik, sp.chdtriv, sp.chndtridf,
       sp.chndtrinc, sp.stdtridf, sp.fdtridfd, sp.ncfdtr, sp.ncfdtri, sp.ncfdtridfd, sp.ncfdtridfn,
       sp.ncfdtrinc, sp.nctdtr, sp.nctdtridf, sp.nctdtrinc, sp.nctdtrit, why=SHAPE)
