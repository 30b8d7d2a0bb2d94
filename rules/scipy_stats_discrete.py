"""scipy.stats: distributions of counts, with respect to their rate or probability.

Between whole numbers nothing is defined, so the count k and loc may not vary. A sum of
probabilities up to k telescopes: its slope is a multiple of the last one, pmf(k). A quantile is a
count, which changes in jumps, moved by loc.
"""
import numpy as np
from scipy import stats

from tangent_lite.registry import adjoint, pointwise, tangent
from tangent_lite.result_kinds import elementwise_float
from tangent_lite.runtime import match, unbroadcast
from tangent_lite.runtime import scipy_stats as terms
from tangent_lite.runtime.scipy_stats import nbinom_in_number, share, supported

COUNT = "it is a whole number"
SHAPE = "the derivative with respect to this parameter has no closed form"


def counts(dist, score, tail):
    """Rules for a distribution with one parameter; tail: slope of the sum over that of pmf(k)."""
    spelled = {"a": dist.shapes}
    fixed = {"k": COUNT, "loc": COUNT}

    @pointwise(dist.logpmf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logpmf(y, k, a, loc=0):
        d[a] = unbroadcast(d[y] * supported(y) * score(k - loc, a), a)

    @pointwise(dist.pmf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def pmf(y, k, a, loc=0):
        d[a] = unbroadcast(d[y] * y * score(k - loc, a), a)

    @pointwise(dist.cdf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def cdf(y, k, a, loc=0):
        last = np.floor(k - loc)
        d[a] = unbroadcast(d[y] * dist.pmf(last, a) * tail(last, a), a)

    @pointwise(dist.sf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def sf(y, k, a, loc=0):
        last = np.floor(k - loc)
        d[a] = unbroadcast(-d[y] * dist.pmf(last, a) * tail(last, a), a)

    @pointwise(dist.logcdf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logcdf(y, k, a, loc=0):
        last = np.floor(k - loc)
        d[a] = unbroadcast(d[y] * share(dist.logpmf(last, a), y) * tail(last, a), a)

    @pointwise(dist.logsf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logsf(y, k, a, loc=0):
        last = np.floor(k - loc)
        d[a] = unbroadcast(-d[y] * share(dist.logpmf(last, a), y) * tail(last, a), a)

    @adjoint(dist.ppf, dist.isf, kind=elementwise_float, spelled=spelled)
    def ppf(y, q, a, loc=0):
        d[q] = None
        d[a] = None
        d[loc] = unbroadcast(d[y], loc)

    @tangent(dist.ppf, dist.isf, spelled=spelled)
    def ppf_tangent(y, q, a, loc=0):
        d[y] = match(d[loc], y)
        d[q] = None
        d[a] = None


def counts_of_trials(dist, score, tail):
    """The same with a number n of trials in front of the probability; n is constant."""
    fixed = {"k": COUNT, "loc": COUNT, "n": COUNT}

    @pointwise(dist.logpmf, kind=elementwise_float, constant=fixed)
    def logpmf(y, k, n, p, loc=0):
        d[p] = unbroadcast(d[y] * supported(y) * score(k - loc, n, p), p)

    @pointwise(dist.pmf, kind=elementwise_float, constant=fixed)
    def pmf(y, k, n, p, loc=0):
        d[p] = unbroadcast(d[y] * y * score(k - loc, n, p), p)

    @pointwise(dist.cdf, kind=elementwise_float, constant=fixed)
    def cdf(y, k, n, p, loc=0):
        last = np.floor(k - loc)
        d[p] = unbroadcast(d[y] * dist.pmf(last, n, p) * tail(last, n, p), p)

    @pointwise(dist.sf, kind=elementwise_float, constant=fixed)
    def sf(y, k, n, p, loc=0):
        last = np.floor(k - loc)
        d[p] = unbroadcast(-d[y] * dist.pmf(last, n, p) * tail(last, n, p), p)

    @pointwise(dist.logcdf, kind=elementwise_float, constant=fixed)
    def logcdf(y, k, n, p, loc=0):
        last = np.floor(k - loc)
        d[p] = unbroadcast(d[y] * share(dist.logpmf(last, n, p), y) * tail(last, n, p), p)

    @pointwise(dist.logsf, kind=elementwise_float, constant=fixed)
    def logsf(y, k, n, p, loc=0):
        last = np.floor(k - loc)
        d[p] = unbroadcast(-d[y] * share(dist.logpmf(last, n, p), y) * tail(last, n, p), p)

    @adjoint(dist.ppf, dist.isf, kind=elementwise_float)
    def ppf(y, q, n, p, loc=0):
        d[q] = None
        d[n] = None
        d[p] = None
        d[loc] = unbroadcast(d[y], loc)

    @tangent(dist.ppf, dist.isf)
    def ppf_tangent(y, q, n, p, loc=0):
        d[y] = match(d[loc], y)
        d[q] = None
        d[n] = None
        d[p] = None


for _dist in (stats.poisson, stats.bernoulli, stats.geom):
    counts(_dist, getattr(terms, f"{_dist.name}_score"), getattr(terms, f"{_dist.name}_tail"))
for _dist in (stats.binom, stats.nbinom):
    counts_of_trials(_dist, getattr(terms, f"{_dist.name}_score"),
                     getattr(terms, f"{_dist.name}_tail"))


# The number of successes of nbinom may be any positive number.
@pointwise(stats.nbinom.logpmf, kind=elementwise_float, constant={"k": COUNT, "loc": COUNT})
def nbinom_logpmf(y, k, n, p, loc=0):
    inside = supported(y)
    d[n] = unbroadcast(d[y] * inside * nbinom_in_number(k - loc, n, p), n)
    d[p] = unbroadcast(d[y] * inside * terms.nbinom_score(k - loc, n, p), p)


@pointwise(stats.nbinom.pmf, kind=elementwise_float, constant={"k": COUNT, "loc": COUNT})
def nbinom_pmf(y, k, n, p, loc=0):
    d[n] = unbroadcast(d[y] * y * nbinom_in_number(k - loc, n, p), n)
    d[p] = unbroadcast(d[y] * y * terms.nbinom_score(k - loc, n, p), p)
