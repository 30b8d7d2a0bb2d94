"""What emitted code may call for scipy.stats: how log-densities depend on their parameters.

`..._score(z, shapes)` is the derivative in z of the logarithm of a standard density (location 0,
scale 1), `..._in_shape(z, shapes)` that in a shape parameter. Where a distribution function F has a
closed form in its shape, `..._drift(z, shape)` is its derivative in the shape, divided by the
density: minus how a quantile moves with the shape. (Johnson, Kotz and Balakrishnan, Continuous
Univariate Distributions, has the densities.)

Helpers without rules are differentiated through their source.
"""
from __future__ import annotations

import numpy as np
import scipy.special as sp

from tangent_lite.errors import InputError
from tangent_lite.runtime import divide_or_zero


# The support ------------------------------------------------------------------------------------
def supported(y):
    """1 where a log-density y is that of a value in the support, 0 outside (where y is -inf), and
    nan where the parameters make no distribution."""
    return np.where(np.isnan(y), np.nan, 1.0 * (y != -np.inf))


def standard(inside, x, loc, scale):
    """(x - loc) / scale, and a half outside of the support, where it does not count."""
    return np.where(inside == 0.0, 0.5, (x - loc) / scale)


def share(log_density, y):
    """exp(log_density - y): the slope of the logarithm y of a probability; 0 where there is no
    density."""
    outside = log_density == -np.inf
    return np.where(outside, 0.0, np.exp(np.where(outside, 0.0, log_density)
                                         - np.where(outside, 0.0, y)))


# Without a shape --------------------------------------------------------------------------------
def norm_score(z):
    return -z


def expon_score(z):
    return 0.0 * z - 1.0


def uniform_score(z):
    return 0.0 * z


def laplace_score(z):
    return -np.sign(z)


def logistic_score(z):
    return -np.tanh(0.5 * z)


def cauchy_score(z):
    return -2.0 * z / (1.0 + z * z)


def rayleigh_score(z):
    return 1.0 / z - z


def maxwell_score(z):
    return 2.0 / z - z


def gumbel_r_score(z):
    return np.exp(-z) - 1.0


def gumbel_l_score(z):
    return 1.0 - np.exp(z)


def hypsecant_score(z):
    return -np.tanh(z)


# With shapes ------------------------------------------------------------------------------------
def gamma_score(z, a):
    return divide_or_zero(a - 1.0, z) - 1.0


def gamma_in_shape(z, a):
    return np.log(z) - sp.digamma(a)


def chi2_score(z, df):
    return divide_or_zero(0.5 * df - 1.0, z) - 0.5


def chi2_in_shape(z, df):
    return 0.5 * (np.log(0.5 * z) - sp.digamma(0.5 * df))


def t_score(z, df):
    return -(df + 1.0) * z / (df + z * z)


def t_in_shape(z, df):
    squared = z * z
    return 0.5 * (sp.digamma(0.5 * (df + 1.0)) - sp.digamma(0.5 * df) - 1.0 / df
                  - np.log1p(squared / df) + (df + 1.0) * squared / (df * (df + squared)))


def invgamma_score(z, a):
    return 1.0 / (z * z) - (a + 1.0) / z


def invgamma_in_shape(z, a):
    return -np.log(z) - sp.digamma(a)


def lognorm_score(z, s):
    return -(1.0 + np.log(z) / (s * s)) / z


def lognorm_in_shape(z, s):
    log = np.log(z)
    return log * log / (s * s * s) - 1.0 / s


def lognorm_drift(z, s):
    return -sp.xlogy(z, z) / s


def normal_hazard(t):
    """phi(t) / Phi(t) of the standard normal distribution: the slope of log_ndtr."""
    return 0.3989422804014327 * np.exp(-0.5 * t * t - sp.log_ndtr(t))


# The density is 2 phi(z) Phi(a z); its distribution function Phi(z) - 2 T(z, a), with the function
# T of Owen, whose slope in a is exp(-z z (1 + a a) / 2) / (2 pi (1 + a a)).
def skewnorm_score(z, a):
    return a * normal_hazard(a * z) - z


def skewnorm_in_shape(z, a):
    return z * normal_hazard(a * z)


def skewnorm_drift(z, a):
    return -normal_hazard(a * z) / (1.0 + a * a)


def pareto_score(z, b):
    return -(b + 1.0) / z


def pareto_in_shape(z, b):
    return 1.0 / b - np.log(z)


def pareto_drift(z, b):
    return sp.xlogy(z, z) / b


def weibull_min_score(z, c):
    return (c - 1.0 - c * z ** c) / z


def weibull_min_in_shape(z, c):
    return 1.0 / c + np.log(z) - sp.xlogy(z ** c, z)


def weibull_min_drift(z, c):
    return sp.xlogy(z, z) / c


def beta_score(z, a, b):
    return divide_or_zero(a - 1.0, z) - divide_or_zero(b - 1.0, 1.0 - z)


def beta_in_first(z, a, b):
    return np.log(z) - sp.digamma(a) + sp.digamma(a + b)


def beta_in_second(z, a, b):
    return np.log1p(-z) - sp.digamma(b) + sp.digamma(a + b)


def f_score(z, a, b):
    return divide_or_zero(0.5 * a - 1.0, z) - 0.5 * (a + b) * a / (b + a * z)


def f_in_first(z, a, b):
    whole = b + a * z
    return 0.5 * (np.log(a * z / whole) + 1.0 - (a + b) * z / whole
                  - sp.digamma(0.5 * a) + sp.digamma(0.5 * (a + b)))


def f_in_second(z, a, b):
    whole = b + a * z
    return 0.5 * (np.log(b / whole) + 1.0 - (a + b) / whole
                  - sp.digamma(0.5 * b) + sp.digamma(0.5 * (a + b)))


# Counts -----------------------------------------------------------------------------------------
def odds_slope(hits, misses, p):
    """hits / p - misses / (1 - p): the slope in p of p^hits (1 - p)^misses, relative to it."""
    return np.where(hits == 0.0, 0.0, hits / np.where(hits == 0.0, 1.0, p)) \
        - np.where(misses == 0.0, 0.0, misses / np.where(misses == 0.0, 1.0, 1.0 - p))


def poisson_score(k, mu):
    return odds_slope(k, 0.0, mu) - 1.0


def poisson_tail(k, mu):
    return -1.0


def bernoulli_score(k, p):
    return odds_slope(k, 1.0 - k, p)


def bernoulli_tail(k, p):
    return odds_slope(0.0, 1.0 - k, p)


def geom_score(k, p):
    return odds_slope(1.0, k - 1.0, p)


def geom_tail(k, p):
    return k / p


def binom_score(k, n, p):
    return odds_slope(k, n - k, p)


def binom_tail(k, n, p):
    return odds_slope(0.0, n - k, p)


def nbinom_score(k, n, p):
    return odds_slope(n, k, p)


def nbinom_tail(k, n, p):
    return (k + n) / p


def nbinom_in_number(k, n, p):
    return sp.digamma(k + n) - sp.digamma(n) + np.log(p)


# Of several variables ---------------------------------------------------------------------------
def dirichlet_point(x, alpha):
    """A point of the simplex: the last coordinate is added where x leaves it out."""
    return x if np.shape(x)[0] == np.shape(alpha)[0] else \
        np.concatenate((x, 1.0 - np.sum(x, axis=0, keepdims=True)))


def dirichlet_x_adjoint(dy, x, alpha):
    """Adjoint of x in y = dirichlet.logpdf(x, alpha): (alpha - 1) / x; shape of x, (k, ...).

    Where x leaves out the last coordinate, what that gets goes to all others, with a minus.
    """
    point = dirichlet_point(x, alpha)
    powers = np.reshape(alpha - 1.0, (-1,) + (1,) * (np.ndim(point) - 1))
    dpoint = dy * divide_or_zero(powers, point)
    return dpoint if np.shape(x)[0] == np.shape(alpha)[0] else dpoint[:-1] - dpoint[-1:]


def dirichlet_alpha_adjoint(dy, x, alpha):
    """Adjoint of alpha: log(x) - digamma(alpha) + digamma(sum(alpha)), summed over all points."""
    point = dirichlet_point(x, alpha)
    weighted = np.sum(np.reshape(dy * np.log(point), (np.shape(alpha)[0], -1)), axis=1)
    return weighted - np.sum(dy) * (sp.digamma(alpha) - sp.digamma(np.sum(alpha)))


def dirichlet_tangent(dx, dalpha, x, alpha):
    """Tangent of dirichlet.logpdf(x, alpha) along dx and dalpha."""
    point = dirichlet_point(x, alpha)
    dpoint = dx if np.shape(x)[0] == np.shape(alpha)[0] else \
        np.concatenate((dx, -np.sum(dx, axis=0, keepdims=True)))
    tail = (-1,) + (1,) * (np.ndim(point) - 1)
    return np.sum(np.reshape(alpha - 1.0, tail) / point * dpoint
                  + np.reshape(dalpha, tail) * np.log(point), axis=0) \
        - np.sum(dalpha * (sp.digamma(alpha) - sp.digamma(np.sum(alpha))))


def full_covariance(cov, size):
    """A covariance as a matrix: of one variance, of a vector of variances, or a matrix itself."""
    if not isinstance(cov, (int, float, np.number, np.ndarray, list, tuple)):
        raise InputError(f"a covariance of type {type(cov).__name__} is not looked into", None,
                         "pass the matrix")
    cov = np.asarray(cov)
    if cov.ndim < 2 and cov.size in (1, size):
        return cov * np.eye(size)
    return np.reshape(cov, (size, size))


def covariance_part(dfull, cov):
    """Adjoint of cov in full_covariance(cov, size); shape of cov."""
    if np.ndim(cov) == 2:
        return dfull
    diagonal = np.diagonal(dfull)
    return np.reshape(np.sum(diagonal), np.shape(cov)) if np.size(cov) == 1 else diagonal


def deviations(x, mean, size):
    """x - mean as rows of the given length; mean is None for 0."""
    gap = np.asarray(x) if mean is None else x - np.asarray(mean)
    return np.reshape(gap, (-1, size))


def dimension(mean, cov):
    """Of how many variables a multivariate normal distribution is."""
    if mean is not None:
        return np.size(mean)
    return np.shape(cov)[0] if np.ndim(cov) > 1 else 1


def whitened(x, mean, cov):
    """inv(cov) (x - mean), in rows: minus the slope of the logarithm of the density in x."""
    size = dimension(mean, cov)
    return np.linalg.solve(full_covariance(cov, size), deviations(x, mean, size).T).T


def normal_x_adjoint(dy, x, mean, cov):
    """Adjoint of x in y = multivariate_normal.logpdf(x, mean, cov); shape of x."""
    rows = whitened(x, mean, cov)
    return np.reshape(-np.reshape(dy, (-1, 1)) * rows, np.shape(x))


def normal_mean_adjoint(dy, x, mean, cov):
    """Adjoint of mean; shape of mean."""
    rows = np.reshape(dy, (-1, 1)) * whitened(x, mean, cov)
    return np.sum(rows) if np.ndim(mean) == 0 else np.reshape(np.sum(rows, axis=0), np.shape(mean))


def normal_cov_adjoint(dy, x, mean, cov):
    """Adjoint of cov: half of r r^T - inv(cov), r = inv(cov) (x - mean), summed over all points.

    It is symmetric: that of a covariance all of whose elements count alike, though SciPy reads
    one triangle only (Petersen and Pedersen, The Matrix Cookbook, section 8.1.1).
    """
    rows = whitened(x, mean, cov)
    inverse = np.linalg.inv(full_covariance(cov, np.shape(rows)[1]))
    weighted = np.reshape(dy, (-1, 1)) * rows
    return covariance_part(0.5 * (weighted.T @ rows - np.sum(dy) * inverse), cov)


def normal_tangent(dx, dmean, dcov, y, x, mean, cov):
    """Tangent of y = multivariate_normal.logpdf(x, mean, cov)."""
    rows = whitened(x, mean, cov)
    size = np.shape(rows)[1]
    full = full_covariance(cov, size)
    moved = deviations(dx, dmean, size)
    turned = rows @ (0.5 * full_covariance(dcov, size))
    inverse = np.linalg.inv(full)
    along = np.sum(rows * (turned - moved), axis=1) \
        - 0.5 * np.sum(inverse * full_covariance(dcov, size))
    return np.reshape(along, np.shape(y))


def entropy_cov_adjoint(dy, mean, cov):
    """Adjoint of cov in the entropy of a normal distribution, log(det(2 pi e cov)) / 2."""
    return covariance_part(0.5 * dy * np.linalg.inv(full_covariance(cov, dimension(mean, cov))),
                           cov)


def entropy_tangent(dcov, mean, cov):
    """Tangent of that entropy along dcov."""
    size = dimension(mean, cov)
    return 0.5 * np.sum(np.linalg.inv(full_covariance(cov, size)) * full_covariance(dcov, size))
