"""scipy.special: the common functions. Read once SciPy is in use."""
import numpy as np
import scipy.special as sp

from tangent_lite.registry import adjoint, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import elementwise_float, unknown
from tangent_lite.runtime import divide_or_zero, unbroadcast, unreduce


@pointwise(sp.erf, kind=elementwise_float)
def erf(y, x):
    d[x] = d[y] * 1.1283791670955126 * np.exp(-x * x)       # 2 / sqrt(pi)


@pointwise(sp.erfc, kind=elementwise_float)
def erfc(y, x):
    d[x] = -d[y] * 1.1283791670955126 * np.exp(-x * x)


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


@pointwise(sp.zeta, kind=elementwise_float, constant=("s",))
def zeta(y, s, x):
    d[x] = unbroadcast(-d[y] * s * sp.zeta(s + 1.0, x), x)


@pointwise(sp.polygamma, kind=unknown, constant=("n",))
def polygamma(y, n, x):
    d[x] = unbroadcast(d[y] * sp.polygamma(n + 1, x), x)


@pointwise(sp.beta, kind=elementwise_float)
def beta(z, a, b):
    d[a] = unbroadcast(d[z] * z * (sp.digamma(a) - sp.digamma(a + b)), a)
    d[b] = unbroadcast(d[z] * z * (sp.digamma(b) - sp.digamma(a + b)), b)


@pointwise(sp.betaln, kind=elementwise_float)
def betaln(z, a, b):
    d[a] = unbroadcast(d[z] * (sp.digamma(a) - sp.digamma(a + b)), a)
    d[b] = unbroadcast(d[z] * (sp.digamma(b) - sp.digamma(a + b)), b)


@pointwise(sp.expit, kind=elementwise_float)
def expit(y, x):
    d[x] = d[y] * y * (1.0 - y)


@pointwise(sp.logit, kind=elementwise_float)
def logit(y, x):
    d[x] = d[y] / (x * (1.0 - x))


@pointwise(sp.log_expit, kind=elementwise_float)
def log_expit(y, x):
    d[x] = d[y] * sp.expit(-x)


@pointwise(sp.ndtr, kind=elementwise_float)
def ndtr(y, x):
    d[x] = d[y] * 0.3989422804014327 * np.exp(-0.5 * x * x)     # 1 / sqrt(2 pi)


@pointwise(sp.ndtri, kind=elementwise_float)
def ndtri(y, x):
    d[x] = d[y] * 2.5066282746310002 * np.exp(0.5 * y * y)


@pointwise(sp.log_ndtr, kind=elementwise_float)
def log_ndtr(y, x):
    d[x] = d[y] * 0.3989422804014327 * np.exp(-0.5 * x * x - y)


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


@pointwise(sp.j0, kind=elementwise_float)
def j0(y, x):
    d[x] = -d[y] * sp.j1(x)


@pointwise(sp.j1, kind=elementwise_float)
def j1(y, x):
    d[x] = d[y] * 0.5 * (sp.j0(x) - sp.jn(2, x))


@pointwise(sp.jn, kind=elementwise_float, constant=("n",))
def jn(y, n, x):
    d[x] = unbroadcast(d[y] * 0.5 * (sp.jn(n - 1, x) - sp.jn(n + 1, x)), x)


@pointwise(sp.y0, kind=elementwise_float)
def y0(y, x):
    d[x] = -d[y] * sp.y1(x)


@pointwise(sp.y1, kind=elementwise_float)
def y1(y, x):
    d[x] = d[y] * (sp.y0(x) - y / x)


@pointwise(sp.yn, kind=elementwise_float, constant=("n",))
def yn(y, n, x):
    d[x] = unbroadcast(d[y] * 0.5 * (sp.yn(n - 1, x) - sp.yn(n + 1, x)), x)


@pointwise(sp.i0, kind=elementwise_float)
def i0(y, x):
    d[x] = d[y] * sp.i1(x)


@pointwise(sp.i1, kind=elementwise_float)
def i1(y, x):
    d[x] = d[y] * 0.5 * (sp.i0(x) + sp.iv(2, x))


@pointwise(sp.iv, kind=elementwise_float, constant=("n",))
def iv(y, n, x):
    d[x] = unbroadcast(d[y] * 0.5 * (sp.iv(n - 1, x) + sp.iv(n + 1, x)), x)


@pointwise(sp.i0e, kind=elementwise_float)
def i0e(y, x):
    d[x] = d[y] * (sp.i1e(x) - np.sign(x) * y)


@pointwise(sp.exp1, kind=elementwise_float)
def exp1(y, x):
    d[x] = -d[y] * np.exp(-x) / x


@pointwise(sp.expi, kind=elementwise_float)
def expi(y, x):
    d[x] = d[y] * np.exp(x) / x


@pointwise(sp.spence, kind=elementwise_float)
def spence(y, x):
    d[x] = d[y] * divide_or_zero(np.log(x), 1.0 - x)


@pointwise(sp.gammainc, kind=elementwise_float, constant=("a",))
def gammainc(y, a, x):
    d[x] = unbroadcast(d[y] * np.exp((a - 1.0) * np.log(x) - x - sp.gammaln(a)), x)


@pointwise(sp.gammaincc, kind=elementwise_float, constant=("a",))
def gammaincc(y, a, x):
    d[x] = unbroadcast(-d[y] * np.exp((a - 1.0) * np.log(x) - x - sp.gammaln(a)), x)


@pointwise(sp.betainc, kind=elementwise_float, constant=("a", "b"))
def betainc(y, a, b, x):
    d[x] = unbroadcast(d[y] * np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x)
                                     - sp.betaln(a, b)), x)


# Sums of exponentials ---------------------------------------------------------------------------
@adjoint(sp.logsumexp, kind=unknown)
def logsumexp(y, a, axis=None, *, keepdims=False):
    d[a] = unreduce(d[y], a, axis, keepdims) * np.exp(a - unreduce(y, a, axis, keepdims))


@tangent(sp.logsumexp)
def logsumexp_tangent(y, a, axis=None, *, keepdims=False):
    d[y] = np.sum(d[a] * np.exp(a - unreduce(y, a, axis, keepdims)), axis=axis, keepdims=keepdims)


@adjoint(sp.softmax, kind=unknown)
def softmax(y, x, axis=None):
    d[x] = y * (d[y] - np.sum(d[y] * y, axis=axis, keepdims=True))


@tangent(sp.softmax)
def softmax_tangent(y, x, axis=None):
    d[y] = y * (d[x] - np.sum(d[x] * y, axis=axis, keepdims=True))


@adjoint(sp.log_softmax, kind=unknown)
def log_softmax(y, x, axis=None):
    d[x] = d[y] - np.exp(y) * np.sum(d[y], axis=axis, keepdims=True)


@tangent(sp.log_softmax)
def log_softmax_tangent(y, x, axis=None):
    d[y] = d[x] - np.sum(d[x] * np.exp(y), axis=axis, keepdims=True)


nondifferentiable(sp.gammasgn, kind=elementwise_float)
