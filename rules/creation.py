"""Functions that make arrays: of zeros, of one value, of even steps, at random."""
import numpy as np

from tangent_lite.registry import adjoint, entry_for, nondifferentiable, tangent
from tangent_lite.result_kinds import random_draw, unknown
from tangent_lite.runtime import through_dtype, unbroadcast
from tangent_lite.runtime_shapes import line_adjoint, line_tangent, line_weights
from tangent_lite.shape_kinds import arange as arange_kind
from tangent_lite.shape_kinds import eye as eye_kind
from tangent_lite.shape_kinds import from_shape, like_first
from tangent_lite.shape_kinds import full as full_kind
from tangent_lite.shape_kinds import full_like as full_like_kind
from tangent_lite.shape_kinds import linspace as linspace_kind

nondifferentiable(np.zeros, np.ones, np.empty, kind=from_shape)
nondifferentiable(np.zeros_like, np.ones_like, np.empty_like, kind=like_first)
nondifferentiable(np.eye, np.identity, np.tri, kind=eye_kind)
nondifferentiable(np.arange, kind=arange_kind)
nondifferentiable(np.indices, np.tril_indices, np.triu_indices, np.diag_indices,
                  np.unravel_index, np.ravel_multi_index, np.broadcast_shapes, np.result_type,
                  np.iterable, np.finfo, np.iinfo, np.dtype, np.ndindex, kind=unknown)
nondifferentiable(np.ix_, kind=unknown, view="maybe")


@adjoint(np.full, kind=full_kind, constant=("shape",))
def full(y, shape, fill_value, dtype=None):
    d[fill_value] = unbroadcast(through_dtype(d[y], dtype), fill_value)


@tangent(np.full, constant=("shape",))
def full_tangent(y, shape, fill_value, dtype=None):
    d[y] = through_dtype(np.full(shape, d[fill_value]), dtype)


@adjoint(np.full_like, kind=full_like_kind)
def full_like(y, a, fill_value, dtype=None):
    d[a] = 0.0 * d[y]
    d[fill_value] = unbroadcast(through_dtype(d[y], dtype), fill_value)


@tangent(np.full_like)
def full_like_tangent(y, a, fill_value, dtype=None):
    d[y] = through_dtype(np.full(np.shape(a), d[fill_value]), dtype) + 0.0 * d[a]


@adjoint(np.linspace, kind=linspace_kind, constant=("num",))
def linspace(y, start, stop, num=50, endpoint=True):
    weights = line_weights(num, endpoint)
    d[start] = unbroadcast(line_adjoint(d[y], 1.0 - weights), start)
    d[stop] = unbroadcast(line_adjoint(d[y], weights), stop)


@tangent(np.linspace, constant=("num",))
def linspace_tangent(y, start, stop, num=50, endpoint=True):
    weights = line_weights(num, endpoint)
    d[y] = line_tangent(d[start], 1.0 - weights, y) + line_tangent(d[stop], weights, y)


# Random draws differ at each call: they are never run again. Of those with parameters only the
# ones that scale and shift have a derivative; the others are refused when a parameter varies.
_FLOATS = ("random", "rand", "randn", "random_sample", "ranf", "sample", "uniform", "normal",
           "standard_normal", "exponential", "standard_exponential", "gamma", "standard_gamma",
           "beta", "laplace", "logistic", "lognormal", "chisquare", "standard_t", "gumbel",
           "rayleigh", "weibull", "vonmises", "triangular", "pareto", "power", "wald", "f",
           "noncentral_chisquare", "noncentral_f", "standard_cauchy")
_OTHERS = ("poisson", "binomial", "randint", "random_integers", "integers", "choice",
           "permutation", "permuted", "multivariate_normal", "dirichlet", "multinomial",
           "geometric", "hypergeometric", "logseries", "negative_binomial", "zipf", "bytes",
           "seed", "shuffle", "get_state", "set_state")
for place in (np.random, np.random.Generator, np.random.RandomState):
    for name in (*_FLOATS, *_OTHERS):
        if hasattr(place, name):
            entry = entry_for(getattr(place, name))
            entry.pure, entry.kind = False, random_draw if name in _FLOATS else unknown


@adjoint(np.random.normal, kind=random_draw, pure=False)
def normal(y, loc=0.0, scale=1.0, size=None):
    d[loc] = unbroadcast(d[y], loc)
    d[scale] = unbroadcast(d[y] * (y - loc) / scale, scale)


@tangent(np.random.normal)
def normal_tangent(y, loc=0.0, scale=1.0, size=None):
    d[y] = d[loc] + d[scale] * (y - loc) / scale


@adjoint(np.random.uniform, kind=random_draw, pure=False)
def uniform(y, low=0.0, high=1.0, size=None):
    d[low] = unbroadcast(d[y] * (high - y) / (high - low), low)
    d[high] = unbroadcast(d[y] * (y - low) / (high - low), high)


@tangent(np.random.uniform)
def uniform_tangent(y, low=0.0, high=1.0, size=None):
    d[y] = d[low] * (high - y) / (high - low) + d[high] * (y - low) / (high - low)
