"""scipy.stats: densities, distribution functions and quantiles of the common distributions.

The methods of one distribution have the same rules as those of all others, but for the score: the
derivative of the logarithm of its standard density. With z = (x - loc) / scale, the log-density is
that of z less log(scale). Outside of the support all derivatives are 0.
"""
from scipy import stats

from tangent_lite.registry import pointwise, refuse, refuse_calls_of
from tangent_lite.result_kinds import elementwise_float
from tangent_lite.runtime import scipy_stats as terms
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.scipy_stats import share, standard, supported

SHAPE = "the derivative with respect to this parameter has no closed form"


def continuous(dist, score):
    """Rules for a distribution with location and scale only."""
    @pointwise(dist.logpdf, kind=elementwise_float)
    def logpdf(y, x, loc=0, scale=1):
        inside = supported(y)
        z = standard(inside, x, loc, scale)
        d[x] = unbroadcast(d[y] * inside * score(z) / scale, x)
        d[loc] = unbroadcast(-d[y] * inside * score(z) / scale, loc)
        d[scale] = unbroadcast(-d[y] * inside * (1.0 + z * score(z)) / scale, scale)

    @pointwise(dist.pdf, kind=elementwise_float)
    def pdf(y, x, loc=0, scale=1):
        z = standard(1.0 * (y != 0.0), x, loc, scale)
        d[x] = unbroadcast(d[y] * y * score(z) / scale, x)
        d[loc] = unbroadcast(-d[y] * y * score(z) / scale, loc)
        d[scale] = unbroadcast(-d[y] * y * (1.0 + z * score(z)) / scale, scale)

    @pointwise(dist.cdf, kind=elementwise_float)
    def cdf(y, x, loc=0, scale=1):
        density = dist.pdf(x, loc, scale)
        d[x] = unbroadcast(d[y] * density, x)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.sf, kind=elementwise_float)
    def sf(y, x, loc=0, scale=1):
        density = dist.pdf(x, loc, scale)
        d[x] = unbroadcast(-d[y] * density, x)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.logcdf, kind=elementwise_float)
    def logcdf(y, x, loc=0, scale=1):
        density = share(dist.logpdf(x, loc, scale), y)
        d[x] = unbroadcast(d[y] * density, x)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.logsf, kind=elementwise_float)
    def logsf(y, x, loc=0, scale=1):
        density = share(dist.logpdf(x, loc, scale), y)
        d[x] = unbroadcast(-d[y] * density, x)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.ppf, kind=elementwise_float)
    def ppf(y, q, loc=0, scale=1):
        d[q] = unbroadcast(d[y] / dist.pdf(y, loc, scale), q)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)

    @pointwise(dist.isf, kind=elementwise_float)
    def isf(y, q, loc=0, scale=1):
        d[q] = unbroadcast(-d[y] / dist.pdf(y, loc, scale), q)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)


def continuous_with_shape(dist, score, in_shape):
    """The same with one shape parameter; distribution functions: as long as it is constant."""
    spelled = {"a": dist.shapes}
    fixed = {dist.shapes: SHAPE}

    @pointwise(dist.logpdf, kind=elementwise_float, spelled=spelled)
    def logpdf(y, x, a, loc=0, scale=1):
        inside = supported(y)
        z = standard(inside, x, loc, scale)
        d[x] = unbroadcast(d[y] * inside * score(z, a) / scale, x)
        d[a] = unbroadcast(d[y] * inside * in_shape(z, a), a)
        d[loc] = unbroadcast(-d[y] * inside * score(z, a) / scale, loc)
        d[scale] = unbroadcast(-d[y] * inside * (1.0 + z * score(z, a)) / scale, scale)

    @pointwise(dist.pdf, kind=elementwise_float, spelled=spelled)
    def pdf(y, x, a, loc=0, scale=1):
        z = standard(1.0 * (y != 0.0), x, loc, scale)
        d[x] = unbroadcast(d[y] * y * score(z, a) / scale, x)
        d[a] = unbroadcast(d[y] * y * in_shape(z, a), a)
        d[loc] = unbroadcast(-d[y] * y * score(z, a) / scale, loc)
        d[scale] = unbroadcast(-d[y] * y * (1.0 + z * score(z, a)) / scale, scale)

    @pointwise(dist.cdf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def cdf(y, x, a, loc=0, scale=1):
        density = dist.pdf(x, a, loc, scale)
        d[x] = unbroadcast(d[y] * density, x)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.sf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def sf(y, x, a, loc=0, scale=1):
        density = dist.pdf(x, a, loc, scale)
        d[x] = unbroadcast(-d[y] * density, x)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.logcdf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logcdf(y, x, a, loc=0, scale=1):
        density = share(dist.logpdf(x, a, loc, scale), y)
        d[x] = unbroadcast(d[y] * density, x)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.logsf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logsf(y, x, a, loc=0, scale=1):
        density = share(dist.logpdf(x, a, loc, scale), y)
        d[x] = unbroadcast(-d[y] * density, x)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.ppf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def ppf(y, q, a, loc=0, scale=1):
        d[q] = unbroadcast(d[y] / dist.pdf(y, a, loc, scale), q)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)

    @pointwise(dist.isf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def isf(y, q, a, loc=0, scale=1):
        d[q] = unbroadcast(-d[y] / dist.pdf(y, a, loc, scale), q)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)


def closed_in_shape(dist, drift):
    """Distribution functions and quantiles that have a closed form in their shape."""
    spelled = {"a": dist.shapes}

    @pointwise(dist.cdf, kind=elementwise_float, spelled=spelled)
    def cdf(y, x, a, loc=0, scale=1):
        density = dist.pdf(x, a, loc, scale)
        z = standard(1.0 * (density != 0.0), x, loc, scale)
        d[x] = unbroadcast(d[y] * density, x)
        d[a] = unbroadcast(d[y] * density * scale * drift(z, a), a)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * z, scale)

    @pointwise(dist.sf, kind=elementwise_float, spelled=spelled)
    def sf(y, x, a, loc=0, scale=1):
        density = dist.pdf(x, a, loc, scale)
        z = standard(1.0 * (density != 0.0), x, loc, scale)
        d[x] = unbroadcast(-d[y] * density, x)
        d[a] = unbroadcast(-d[y] * density * scale * drift(z, a), a)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * z, scale)

    @pointwise(dist.logcdf, kind=elementwise_float, spelled=spelled)
    def logcdf(y, x, a, loc=0, scale=1):
        density = share(dist.logpdf(x, a, loc, scale), y)
        z = standard(1.0 * (density != 0.0), x, loc, scale)
        d[x] = unbroadcast(d[y] * density, x)
        d[a] = unbroadcast(d[y] * density * scale * drift(z, a), a)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * z, scale)

    @pointwise(dist.logsf, kind=elementwise_float, spelled=spelled)
    def logsf(y, x, a, loc=0, scale=1):
        density = share(dist.logpdf(x, a, loc, scale), y)
        z = standard(1.0 * (density != 0.0), x, loc, scale)
        d[x] = unbroadcast(-d[y] * density, x)
        d[a] = unbroadcast(-d[y] * density * scale * drift(z, a), a)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * z, scale)

    @pointwise(dist.ppf, kind=elementwise_float, spelled=spelled)
    def ppf(y, q, a, loc=0, scale=1):
        z = (y - loc) / scale
        d[q] = unbroadcast(d[y] / dist.pdf(y, a, loc, scale), q)
        d[a] = unbroadcast(-d[y] * scale * drift(z, a), a)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * z, scale)

    @pointwise(dist.isf, kind=elementwise_float, spelled=spelled)
    def isf(y, q, a, loc=0, scale=1):
        z = (y - loc) / scale
        d[q] = unbroadcast(-d[y] / dist.pdf(y, a, loc, scale), q)
        d[a] = unbroadcast(-d[y] * scale * drift(z, a), a)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * z, scale)


def continuous_with_two(dist, score, in_first, in_second):
    """The same with two shape parameters."""
    first, second = dist.shapes.split(", ")
    spelled = {"a": first, "b": second}
    fixed = {first: SHAPE, second: SHAPE}

    @pointwise(dist.logpdf, kind=elementwise_float, spelled=spelled)
    def logpdf(y, x, a, b, loc=0, scale=1):
        inside = supported(y)
        z = standard(inside, x, loc, scale)
        d[x] = unbroadcast(d[y] * inside * score(z, a, b) / scale, x)
        d[a] = unbroadcast(d[y] * inside * in_first(z, a, b), a)
        d[b] = unbroadcast(d[y] * inside * in_second(z, a, b), b)
        d[loc] = unbroadcast(-d[y] * inside * score(z, a, b) / scale, loc)
        d[scale] = unbroadcast(-d[y] * inside * (1.0 + z * score(z, a, b)) / scale, scale)

    @pointwise(dist.pdf, kind=elementwise_float, spelled=spelled)
    def pdf(y, x, a, b, loc=0, scale=1):
        z = standard(1.0 * (y != 0.0), x, loc, scale)
        d[x] = unbroadcast(d[y] * y * score(z, a, b) / scale, x)
        d[a] = unbroadcast(d[y] * y * in_first(z, a, b), a)
        d[b] = unbroadcast(d[y] * y * in_second(z, a, b), b)
        d[loc] = unbroadcast(-d[y] * y * score(z, a, b) / scale, loc)
        d[scale] = unbroadcast(-d[y] * y * (1.0 + z * score(z, a, b)) / scale, scale)

    @pointwise(dist.cdf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def cdf(y, x, a, b, loc=0, scale=1):
        density = dist.pdf(x, a, b, loc, scale)
        d[x] = unbroadcast(d[y] * density, x)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.sf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def sf(y, x, a, b, loc=0, scale=1):
        density = dist.pdf(x, a, b, loc, scale)
        d[x] = unbroadcast(-d[y] * density, x)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.logcdf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logcdf(y, x, a, b, loc=0, scale=1):
        density = share(dist.logpdf(x, a, b, loc, scale), y)
        d[x] = unbroadcast(d[y] * density, x)
        d[loc] = unbroadcast(-d[y] * density, loc)
        d[scale] = unbroadcast(-d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.logsf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def logsf(y, x, a, b, loc=0, scale=1):
        density = share(dist.logpdf(x, a, b, loc, scale), y)
        d[x] = unbroadcast(-d[y] * density, x)
        d[loc] = unbroadcast(d[y] * density, loc)
        d[scale] = unbroadcast(d[y] * density * (x - loc) / scale, scale)

    @pointwise(dist.ppf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def ppf(y, q, a, b, loc=0, scale=1):
        d[q] = unbroadcast(d[y] / dist.pdf(y, a, b, loc, scale), q)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)

    @pointwise(dist.isf, kind=elementwise_float, spelled=spelled, constant=fixed)
    def isf(y, q, a, b, loc=0, scale=1):
        d[q] = unbroadcast(-d[y] / dist.pdf(y, a, b, loc, scale), q)
        d[loc] = unbroadcast(d[y], loc)
        d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)


for _dist, _score in ((stats.norm, terms.norm_score), (stats.halfnorm, terms.norm_score),
                      (stats.expon, terms.expon_score), (stats.uniform, terms.uniform_score),
                      (stats.laplace, terms.laplace_score), (stats.logistic, terms.logistic_score),
                      (stats.halflogistic, terms.logistic_score),
                      (stats.cauchy, terms.cauchy_score), (stats.halfcauchy, terms.cauchy_score),
                      (stats.rayleigh, terms.rayleigh_score), (stats.maxwell, terms.maxwell_score),
                      (stats.gumbel_r, terms.gumbel_r_score),
                      (stats.gumbel_l, terms.gumbel_l_score),
                      (stats.hypsecant, terms.hypsecant_score)):
    continuous(_dist, _score)

for _dist in (stats.gamma, stats.chi2, stats.t, stats.invgamma, stats.lognorm, stats.pareto,
              stats.weibull_min, stats.skewnorm):
    continuous_with_shape(_dist, getattr(terms, f"{_dist.name}_score"),
                          getattr(terms, f"{_dist.name}_in_shape"))
for _dist in (stats.lognorm, stats.pareto, stats.weibull_min, stats.skewnorm):
    closed_in_shape(_dist, getattr(terms, f"{_dist.name}_drift"))
for _dist in (stats.beta, stats.f):
    continuous_with_two(_dist, getattr(terms, f"{_dist.name}_score"),
                        getattr(terms, f"{_dist.name}_in_first"),
                        getattr(terms, f"{_dist.name}_in_second"))

# Their sources work for the arrays of all libraries, and take minutes to read.
for _function, _instead in (
        (stats.zscore, "write (x - np.mean(x)) / np.std(x)"),
        (stats.zmap, "write (scores - np.mean(compare)) / np.std(compare)"),
        (stats.gzscore, "write it of np.log(x): (x - np.mean(x)) / np.std(x)"),
        (stats.gstd, "write np.exp(np.std(np.log(x), ddof=1))"),
        (stats.describe, "call np.mean, np.var and the like")):
    refuse(_function, why="it has no rule", instead=_instead)
refuse(stats.gaussian_kde, why="it makes an object that keeps the points and their covariance",
       instead="in one dimension, write the mean of normal densities: "
               "np.mean(stats.norm.pdf(x[:, None], points, h), axis=1), "
               "with h = len(points) ** -0.2 * np.std(points, ddof=1)")
refuse_calls_of(stats.gaussian_kde, why="an object that keeps its points has no rule",
                instead="in one dimension, write the weighted sum of normal densities: "
                        "stats.norm.pdf(x[:, None], points, h) @ weights, with "
                        "points, weights = kde.dataset[0], kde.weights and "
                        "h = kde.covariance[0, 0] ** 0.5 outside of the function")
