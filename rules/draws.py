"""Random draws: of NumPy's generators, of `np.random`, and of Python's `random`.

They differ at each call, so they are never run again. A draw that is a fixed one, shifted and
scaled or bent by its parameters, has the derivative of that (the pathwise derivative, or
reparametrisation; Kingma and Welling, Auto-Encoding Variational Bayes, 2014): of
`y = loc + scale * z` it is 1 and `z = (y - loc) / scale`. NumPy draws so what has a rule here.
Where a parameter also decides what is drawn (the shape of a gamma, a probability, a rate of whole
numbers) there is none, and a parameter that varies is refused.
"""
import random

import numpy as np

from tangent_lite.registry import adjoint, entry_for, nondifferentiable, refuse, tangent, written_as
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.draws import (
    ARRAY,
    ROWS,
    chosen,
    drawn,
    drawn_by_sizes,
    drawn_vector,
    generator,
    number,
    one_of,
    permuted,
    whole_number,
)
from tangent_lite.runtime import unbroadcast

NUMPY = (np.random, np.random.Generator, np.random.RandomState)
PYTHON = (random, random.Random)
SELF = ("self",)

# The parameters in front of `size`.
_FLOATS = {
    "random": (), "random_sample": (), "ranf": (), "sample": (), "standard_normal": (),
    "standard_exponential": (), "standard_cauchy": (), "uniform": ("low", "high"),
    "normal": ("loc", "scale"), "laplace": ("loc", "scale"), "logistic": ("loc", "scale"),
    "gumbel": ("loc", "scale"), "lognormal": ("mean", "sigma"), "exponential": ("scale",),
    "rayleigh": ("scale",), "gamma": ("shape", "scale"), "standard_gamma": ("shape",),
    "beta": ("a", "b"), "chisquare": ("df",), "standard_t": ("df",), "weibull": ("a",),
    "pareto": ("a",), "power": ("a",), "vonmises": ("mu", "kappa"),
    "triangular": ("left", "mode", "right"), "wald": ("mean", "scale"), "f": ("dfnum", "dfden"),
    "noncentral_chisquare": ("df", "nonc"), "noncentral_f": ("dfnum", "dfden", "nonc")}
_WHOLE = {
    "randint": ("low", "high"), "random_integers": ("low", "high"), "integers": ("low", "high"),
    "poisson": ("lam",), "binomial": ("n", "p"), "negative_binomial": ("n", "p"),
    "geometric": ("p",), "hypergeometric": ("ngood", "nbad", "nsample"), "logseries": ("p",),
    "zipf": ("a",)}
_KINDS = {
    **{name: drawn(*parameters) for name, parameters in _FLOATS.items()},
    **{name: drawn(*parameters, dtype="int") for name, parameters in _WHOLE.items()},
    "rand": drawn_by_sizes, "randn": drawn_by_sizes, "permutation": permuted,
    "permuted": permuted, "choice": chosen, "multivariate_normal": drawn_vector}
_OTHERS = ("dirichlet", "multinomial", "multivariate_hypergeometric", "bytes", "seed", "shuffle",
           "get_state", "set_state", "spawn")
_OF_PYTHON = {
    **dict.fromkeys(("random", "uniform", "triangular", "gauss", "normalvariate", "betavariate",
                     "expovariate", "gammavariate", "lognormvariate", "vonmisesvariate",
                     "paretovariate", "weibullvariate"), number),
    **dict.fromkeys(("randint", "randrange", "getrandbits"), whole_number),
    **dict.fromkeys(("choices", "sample", "shuffle", "randbytes", "seed", "getstate", "setstate"),
                    unknown),
    "choice": one_of}


def _of(places, *names):
    """Functions of these names, where there are such."""
    return [getattr(place, name) for place in places for name in names if hasattr(place, name)]


for _places, _names in ((NUMPY, {**_KINDS, **dict.fromkeys(_OTHERS, unknown)}),
                        (PYTHON, _OF_PYTHON)):
    for _name, _kind in _names.items():
        for _function in _of(_places, _name):
            entry_for(_function).pure, entry_for(_function).kind = False, _kind


for _maker, _made in ((np.random.default_rng, np.random.Generator),
                      (np.random.RandomState, np.random.RandomState),
                      (random.Random, random.Random)):
    nondifferentiable(_maker, kind=generator(_made), pure=False)


# Shifted and scaled ---------------------------------------------------------------------------
@adjoint(*_of(NUMPY, "normal", "laplace", "logistic", "gumbel"), pure=False, constant=SELF)
def shifted_and_scaled(y, self, loc=0.0, scale=1.0, size=None):
    d[loc] = unbroadcast(d[y], loc)
    d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)


@tangent(*_of(NUMPY, "normal", "laplace", "logistic", "gumbel"), constant=SELF)
def shifted_and_scaled_tangent(y, self, loc=0.0, scale=1.0, size=None):
    d[y] = d[loc] * np.ones_like(y) + d[scale] * (y - loc) / scale


@adjoint(*_of(NUMPY, "uniform"), pure=False, constant=SELF)
def uniform(y, self, low=0.0, high=1.0, size=None):
    d[low] = unbroadcast(d[y] * (high - y) / (high - low), low)
    d[high] = unbroadcast(d[y] * (y - low) / (high - low), high)


@tangent(*_of(NUMPY, "uniform"), constant=SELF)
def uniform_tangent(y, self, low=0.0, high=1.0, size=None):
    d[y] = d[low] * (high - y) / (high - low) + d[high] * (y - low) / (high - low)


@adjoint(*_of(NUMPY, "exponential", "rayleigh"), pure=False, constant=SELF)
def scaled(y, self, scale=1.0, size=None):
    d[scale] = unbroadcast(d[y] * y / scale, scale)


@tangent(*_of(NUMPY, "exponential", "rayleigh"), constant=SELF)
def scaled_tangent(y, self, scale=1.0, size=None):
    d[y] = d[scale] * y / scale


_SHAPE = {"self": "", "shape": "the shape of a gamma distribution decides what is drawn"}


@adjoint(*_of(NUMPY, "gamma"), pure=False, constant=_SHAPE)
def gamma(y, self, shape, scale=1.0, size=None):
    d[scale] = unbroadcast(d[y] * y / scale, scale)


@tangent(*_of(NUMPY, "gamma"), constant=_SHAPE)
def gamma_tangent(y, self, shape, scale=1.0, size=None):
    d[y] = d[scale] * y / scale


# Bent -----------------------------------------------------------------------------------------
@adjoint(*_of(NUMPY, "lognormal"), pure=False, constant=SELF)
def lognormal(y, self, mean=0.0, sigma=1.0, size=None):
    d[mean] = unbroadcast(d[y] * y, mean)
    d[sigma] = unbroadcast(d[y] * y * (np.log(y) - mean) / sigma, sigma)


@tangent(*_of(NUMPY, "lognormal"), constant=SELF)
def lognormal_tangent(y, self, mean=0.0, sigma=1.0, size=None):
    d[y] = d[mean] * y + d[sigma] * y * (np.log(y) - mean) / sigma


@adjoint(*_of(NUMPY, "weibull", "power"), pure=False, constant=SELF)
def root(y, self, a, size=None):
    d[a] = unbroadcast(-d[y] * y * np.log(y) / a, a)        # y = u ** (1 / a)


@tangent(*_of(NUMPY, "weibull", "power"), constant=SELF)
def root_tangent(y, self, a, size=None):
    d[y] = -d[a] * y * np.log(y) / a


@adjoint(*_of(NUMPY, "pareto"), pure=False, constant=SELF)
def pareto(y, self, a, size=None):
    d[a] = unbroadcast(-d[y] * (y + 1) * np.log1p(y) / a, a)    # y = u ** (1 / a) - 1


@tangent(*_of(NUMPY, "pareto"), constant=SELF)
def pareto_tangent(y, self, a, size=None):
    d[y] = -d[a] * (y + 1) * np.log1p(y) / a


# One factor of the covariance is drawn with, and which one is not said.
_COVARIANCE = {"self": "", "tol": "",
               "cov": "which root of the covariance is drawn with is not known"}


@adjoint(*_of(NUMPY, "multivariate_normal"), pure=False, constant=_COVARIANCE)
def multivariate_normal(y, self, mean, cov, size=None, check_valid="warn", tol=1e-8,
                        method="svd"):
    d[mean] = unbroadcast(d[y], mean)


@tangent(*_of(NUMPY, "multivariate_normal"), constant=_COVARIANCE)
def multivariate_normal_tangent(y, self, mean, cov, size=None, check_valid="warn", tol=1e-8,
                                method="svd"):
    d[y] = d[mean] * np.ones_like(y)


# Of Python: one number a call -----------------------------------------------------------------
@adjoint(*_of(PYTHON, "gauss", "normalvariate"), pure=False, constant=SELF)
def gauss(y, self, mu=0.0, sigma=1.0):
    d[mu] = d[y]
    d[sigma] = d[y] * (y - mu) / sigma


@tangent(*_of(PYTHON, "gauss", "normalvariate"), constant=SELF)
def gauss_tangent(y, self, mu=0.0, sigma=1.0):
    d[y] = d[mu] + d[sigma] * (y - mu) / sigma


@adjoint(*_of(PYTHON, "uniform"), pure=False, constant=SELF)
def uniform_of_python(y, self, a, b):
    d[a] = d[y] * (b - y) / (b - a)
    d[b] = d[y] * (y - a) / (b - a)


@tangent(*_of(PYTHON, "uniform"), constant=SELF)
def uniform_of_python_tangent(y, self, a, b):
    d[y] = d[a] * (b - y) / (b - a) + d[b] * (y - a) / (b - a)


@adjoint(*_of(PYTHON, "expovariate"), pure=False, constant=SELF)
def expovariate(y, self, lambd=1.0):
    d[lambd] = -d[y] * y / lambd


@tangent(*_of(PYTHON, "expovariate"), constant=SELF)
def expovariate_tangent(y, self, lambd=1.0):
    d[y] = -d[lambd] * y / lambd


@adjoint(*_of(PYTHON, "lognormvariate"), pure=False, constant=SELF)
def lognormvariate(y, self, mu=0.0, sigma=1.0):
    d[mu] = d[y] * y
    d[sigma] = d[y] * y * (np.log(y) - mu) / sigma


@tangent(*_of(PYTHON, "lognormvariate"), constant=SELF)
def lognormvariate_tangent(y, self, mu=0.0, sigma=1.0):
    d[y] = d[mu] * y + d[sigma] * y * (np.log(y) - mu) / sigma


# Which of the rows come, and in which order, is drawn for so many of them, whatever they hold.
@written_as(np.random.Generator.permutation, np.random.RandomState.permutation)
def permutation(self, x: ROWS):
    return np.asarray(x)[self.permutation(len(x))]


@written_as(np.random.permutation)
def permutation_of_numpy(x: ROWS):
    return np.asarray(x)[np.random.permutation(len(x))]


@written_as(np.random.Generator.choice)
def choice(self, a: ROWS, size=None, replace=True, p=None, *, shuffle=True):
    return np.asarray(a)[self.choice(len(a), size, replace, p, shuffle=shuffle)]


@written_as(np.random.RandomState.choice)
def choice_of_state(self, a: ROWS, size=None, replace=True, p=None):
    return np.asarray(a)[self.choice(len(a), size, replace, p)]


@written_as(np.random.choice)
def choice_of_numpy(a: ROWS, size=None, replace=True, p=None):
    return np.asarray(a)[np.random.choice(len(a), size, replace, p)]


@written_as(np.random.Generator.shuffle, np.random.RandomState.shuffle)
def shuffle(self, x: ARRAY):
    x[...] = x[self.permutation(len(x))]


@written_as(np.random.shuffle)
def shuffle_of_numpy(x: ARRAY):
    x[...] = x[np.random.permutation(len(x))]


refuse(*_of(NUMPY, "shuffle"), why="it writes its argument in an order that is drawn",
       instead="draw the order, p = rng.permutation(n), and write x[p]")
