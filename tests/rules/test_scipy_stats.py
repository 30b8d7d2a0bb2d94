"""scipy.stats: densities, distribution functions and quantiles."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import InputError, MissingRuleError
from tests.rules.support import check

stats = pytest.importorskip("scipy.stats")

# Distribution, shapes, values of the standard one in its support, one outside (if there is one).
CONTINUOUS = [
    ("norm", (), [-0.7, 1.2], None), ("halfnorm", (), [0.7, 1.2], -1.0),
    ("expon", (), [0.7, 1.2], -1.0), ("uniform", (), [0.2, 0.7], 1.5),
    ("laplace", (), [-0.7, 1.2], None), ("logistic", (), [-0.7, 1.2], None),
    ("halflogistic", (), [0.7, 1.2], -1.0), ("cauchy", (), [-0.7, 1.2], None),
    ("halfcauchy", (), [0.7, 1.2], -1.0), ("rayleigh", (), [0.7, 1.2], -1.0),
    ("maxwell", (), [0.7, 1.2], -1.0), ("gumbel_r", (), [-0.7, 1.2], None),
    ("gumbel_l", (), [-0.7, 1.2], None), ("hypsecant", (), [-0.7, 1.2], None),
    ("gamma", (2.3,), [0.7, 1.2], -1.0), ("chi2", (2.7,), [0.7, 1.2], -1.0),
    ("t", (3.4,), [-0.7, 1.2], None), ("invgamma", (2.3,), [0.7, 1.2], -1.0),
    ("lognorm", (0.8,), [0.7, 1.2], -1.0), ("pareto", (2.3,), [1.2, 1.9], 0.5),
    ("weibull_min", (1.6,), [0.7, 1.2], -1.0), ("beta", (2.3, 1.4), [0.2, 0.7], 1.5),
    ("f", (4.5, 5.5), [0.7, 1.2], -1.0), ("skewnorm", (1.4,), [-0.7, 1.2], None),
]
CLOSED = {"lognorm", "pareto", "weibull_min", "skewnorm"}
COUNTS = [("poisson", (1.7,)), ("bernoulli", (0.4,)), ("geom", (0.4,)), ("binom", (5, 0.4)),
          ("nbinom", (3.5, 0.4))]


@pytest.mark.parametrize("name, shapes, values, outside", CONTINUOUS)
@pytest.mark.sweep(5)
def test_continuous(name, shapes, values, outside):
    dist, x = getattr(stats, name), np.array(values)
    loc, scale = np.array([[0.3], [-0.2]]), 1.7
    number = len(shapes)
    for method in ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf"):
        open_shapes = "pdf" in method or name in CLOSED
        wrt = [0, *(range(1, 1 + number) if open_shapes else ()), 1 + number, 2 + number]
        check(getattr(dist, method), loc + scale * x, *shapes, loc, scale, wrt=wrt)
        check(getattr(dist, method), x[0], *shapes, wrt=wrt[:1 + number * open_shapes])
    wrt = [0, *(range(1, 1 + number) if name in CLOSED else ()), 1 + number, 2 + number]
    for method in ("ppf", "isf"):
        check(getattr(dist, method), np.array([0.2, 0.7]), *shapes, loc, scale, wrt=wrt, step=1e-4)


def test_outside_of_the_support():
    x = np.array([-1.0, 0.5])
    for density in (stats.expon.logpdf, stats.expon.pdf):
        assert tl.grad(lambda loc, scale: np.sum(call(density, x[:1], loc, scale)), wrt=(0, 1))(
            0.0, 1.0) == (0.0, 0.0)
    found = tl.grad(lambda x: np.sum(stats.gamma.pdf(x, 2.5) + stats.pareto.cdf(x, 1.5)))(x)
    assert found[0] == 0.0
    found = tl.grad(lambda x: np.sum(stats.beta.logpdf(x, 2.5, 1.5)))(np.array([-1.0, 1.5, 0.5]))
    assert found.tolist()[:2] == [0.0, 0.0] and found[2] != 0.0
    found = tl.grad(lambda s: np.sum(stats.lognorm.logpdf(-1.0, s)))(0.7)
    assert found == 0.0
    assert np.isnan(tl.grad(lambda s: stats.norm.logpdf(0.3, 0.0, s))(-1.0))
    tl.check_grads(lambda x: stats.gamma.pdf(x, 2.5), (-1.0,), order=2, modes=("fwd", "rev"))


def call(density, x, loc, scale):
    return density(x, loc, scale)


@pytest.mark.parametrize("name, shapes", COUNTS)
def test_counts(name, shapes):
    dist = getattr(stats, name)
    p = shapes[-1]
    wrt = [len(shapes)]
    for method in ("logpmf", "pmf", "cdf", "sf", "logcdf", "logsf"):
        call = getattr(dist, method)
        ks = [0] if name == "bernoulli" else [1, 2, 3]
        for k in (ks[0], np.array(ks)):
            check(call, k, *shapes, wrt=wrt)
            check(call, k + 2, *shapes[:-1], np.array([[p], [0.5 * p]]), 2, wrt=wrt)
    if name == "nbinom":
        check(dist.logpmf, 2, 3.5, np.array([0.4, 0.3]))
        check(dist.pmf, 2, 3.5, np.array([0.4, 0.3]))


def test_dirichlet():
    alpha = np.array([1.3, 2.2, 0.8])
    x = np.array([0.2, 0.5, 0.3])
    for method in (stats.dirichlet.logpdf, stats.dirichlet.pdf):
        check(method, x, alpha, wrt=[1])
        check(method, x[:2], alpha)
        check(method, np.array([[0.2, 0.1], [0.5, 0.4]]), alpha)


def test_multivariate_normal():
    rng = np.random.default_rng(2)
    x, mean = rng.standard_normal((4, 3)), rng.standard_normal(3)
    root = rng.standard_normal((3, 3))
    cov = root @ root.T + np.eye(3)
    normal = stats.multivariate_normal
    for method in (normal.logpdf, normal.pdf):
        check(method, x, mean, cov, wrt=[0, 1])
        check(method, x[0], mean, cov, wrt=[0, 1])
        check(method, x, mean, 0.7)
        check(method, x, mean, np.array([0.7, 1.2, 0.4]))
        check(method, x, cov=cov, wrt=[0])
        check(method, x[:, 0], 0.4, 0.9)
        check(method, 0.3)
    check(normal.entropy, mean, np.array([0.7, 1.2, 0.4]))

    def of_root(root):
        cov = root @ root.T + np.eye(3)
        return np.sum(normal.logpdf(x, mean, cov)) + normal.entropy(mean, cov) \
            + np.sum(normal.pdf(x, mean, cov))
    tl.check_grads(of_root, (root,), order=2, modes=("fwd", "rev"))
    with pytest.raises(InputError, match="is not looked into"):
        tl.grad(lambda x, cov: normal.logpdf(x, mean, cov))(x[0], stats.Covariance.from_diagonal(
            np.ones(3)))


def likelihood(mu, sigma, a, x):
    total = 0.0
    for value in x:
        total = total + stats.norm.logpdf(value, loc=mu, scale=sigma)
        total = total + stats.gamma.logpdf(value, a, scale=sigma) + stats.t.logpdf(value, df=a)
    return total - stats.lognorm.cdf(sigma, s=a) + stats.beta.logpdf(0.3, a, b=sigma)


@pytest.mark.parametrize(("name", "shapes"), COUNTS)
def test_quantiles_of_counts_are_moved(name, shapes):
    dist = getattr(stats, name)
    for fun in (dist.ppf, dist.isf):
        check(fun, 0.35, *shapes, 0.5, wrt=[len(shapes) + 1])
        check(fun, np.array([0.31, 0.72]), *shapes, 0.5, wrt=[0, len(shapes) + 1])
    assert tl.grad(lambda a: dist.ppf(0.35, *shapes[:-1], a))(shapes[-1]) == 0.0


@pytest.mark.slow
def test_second_order():
    x = np.array([0.7, 1.2])
    tl.check_grads(lambda mu, sigma, a: likelihood(mu, sigma, a, x), (0.3, 1.2, 1.5), order=2,
                   modes=("fwd", "rev"))
    tl.check_grads(lambda mu, x: np.sum(stats.poisson.logpmf(2, mu) * stats.norm.cdf(x, mu)),
                   (0.7, x), order=2, modes=("fwd", "rev"))
    tl.check_grads(lambda q, s: np.sum(stats.norm.ppf(q, s, s) + stats.weibull_min.ppf(q, s)
                                       + stats.norm.logsf(q, 0.0, s)),
                   (np.array([0.2, 0.6]), 1.3), order=2, modes=("fwd", "rev"))
    tl.check_grads(lambda a: stats.dirichlet.logpdf(np.array([0.2, 0.3]), a),
                   (np.array([1.3, 2.2, 0.8]),), order=2, modes=("fwd", "rev"))


def test_densities_of_points_that_vary_are_refused():
    with pytest.raises(MissingRuleError, match="points and their covariance(.|\n)*norm.pdf"):
        tl.grad(lambda x: np.sum(stats.gaussian_kde(x)(0.2)))(np.array([0.1, 0.5, 0.9]))
    kde = stats.gaussian_kde([0.1, 0.5, 0.9])
    with pytest.raises(MissingRuleError, match="keeps its points(.|\\n)*kde.weights"):
        tl.grad(lambda x: np.sum(kde(x)))(np.array([0.1, 0.5]))


def test_what_is_refused_says_why():
    with pytest.raises(MissingRuleError, match="with respect to a: .* no closed form"):
        tl.grad(lambda a: stats.gamma.cdf(1.0, a))(2.0)
    with pytest.raises(MissingRuleError, match="makes an object that keeps its parameters"):
        tl.grad(lambda m: stats.norm(m, 1.0).logpdf(0.3))(0.5)
    with pytest.raises(MissingRuleError, match="with respect to k: it is a whole number"):
        tl.grad(lambda k: stats.poisson.pmf(k, 1.5))(2.0)


@pytest.mark.parametrize(("function", "words"), [
    (stats.zscore, "np.std"), (stats.gzscore, "np.log"), (stats.gstd, "ddof=1")])
def test_functions_for_arrays_of_all_libraries_are_not_read(function, words):
    """Which would take minutes; the error says what to write."""
    def f(x):
        return np.sum(function(x) ** 3)

    with pytest.raises(MissingRuleError, match="it has no rule") as caught:
        tl.grad(f)(np.array([0.5, 1.2, 2.0]))
    assert words in str(caught.value)


def test_source():
    source = tl.grad(lambda m: stats.norm.logpdf(0.3, m, 2.0)).source_for(0.5)
    assert "norm_score" in source
