"""scipy.stats: distributions of several variables, and objects that are refused."""
from scipy import stats

from tangent_lite.registry import adjoint, owned_objects, refuse, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime.scipy_stats import (
    dirichlet_alpha_adjoint,
    dirichlet_tangent,
    dirichlet_x_adjoint,
    entropy_cov_adjoint,
    entropy_tangent,
    normal_cov_adjoint,
    normal_mean_adjoint,
    normal_tangent,
    normal_x_adjoint,
)


@adjoint(stats.dirichlet.logpdf, kind=unknown)
def dirichlet_logpdf(y, x, alpha):
    d[x] = dirichlet_x_adjoint(d[y], x, alpha)
    d[alpha] = dirichlet_alpha_adjoint(d[y], x, alpha)


@tangent(stats.dirichlet.logpdf)
def dirichlet_logpdf_tangent(y, x, alpha):
    d[y] = dirichlet_tangent(d[x], d[alpha], x, alpha)


@adjoint(stats.dirichlet.pdf, kind=unknown)
def dirichlet_pdf(y, x, alpha):
    d[x] = dirichlet_x_adjoint(d[y] * y, x, alpha)
    d[alpha] = dirichlet_alpha_adjoint(d[y] * y, x, alpha)


@tangent(stats.dirichlet.pdf)
def dirichlet_pdf_tangent(y, x, alpha):
    d[y] = y * dirichlet_tangent(d[x], d[alpha], x, alpha)


@adjoint(stats.multivariate_normal.logpdf, kind=unknown)
def normal_logpdf(y, x, mean=None, cov=1, allow_singular=False):
    d[x] = normal_x_adjoint(d[y], x, mean, cov)
    d[mean] = normal_mean_adjoint(d[y], x, mean, cov)
    d[cov] = normal_cov_adjoint(d[y], x, mean, cov)


@tangent(stats.multivariate_normal.logpdf)
def normal_logpdf_tangent(y, x, mean=None, cov=1, allow_singular=False):
    d[y] = normal_tangent(d[x], d[mean], d[cov], y, x, mean, cov)


@adjoint(stats.multivariate_normal.pdf, kind=unknown)
def normal_pdf(y, x, mean=None, cov=1, allow_singular=False):
    d[x] = normal_x_adjoint(d[y] * y, x, mean, cov)
    d[mean] = normal_mean_adjoint(d[y] * y, x, mean, cov)
    d[cov] = normal_cov_adjoint(d[y] * y, x, mean, cov)


@tangent(stats.multivariate_normal.pdf)
def normal_pdf_tangent(y, x, mean=None, cov=1, allow_singular=False):
    d[y] = y * normal_tangent(d[x], d[mean], d[cov], y, x, mean, cov)


@adjoint(stats.multivariate_normal.entropy, kind=unknown)
def normal_entropy(y, mean=None, cov=1):
    d[mean] = None
    d[cov] = entropy_cov_adjoint(d[y], mean, cov)


@tangent(stats.multivariate_normal.entropy)
def normal_entropy_tangent(y, mean=None, cov=1):
    d[mean] = None
    d[y] = entropy_tangent(d[cov], mean, cov)


refuse(stats.multivariate_normal.cdf, stats.multivariate_normal.logcdf,
       why="its slopes are integrals over one dimension less, which are not computed")
for _dist in owned_objects():
    if type(_dist).__module__.startswith("scipy.stats"):
        refuse(_dist, why="it makes an object that keeps its parameters",
               instead="pass the parameters to the method: norm.logpdf(x, loc, scale)")
        for _name in ("rvs", "fit", "expect", "moment", "stats", "interval", "mean",
                      "var", "std", "median", "support"):
            if hasattr(_dist, _name):
                refuse(getattr(_dist, _name), why="only densities, distribution functions and "
                       "quantiles have rules", instead="write the formula of the moment")
