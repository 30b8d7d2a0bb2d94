"""scipy.spatial.distance: distances of points in rows, and of vectors. Read once it is in use."""
import numpy as np
from scipy.spatial import distance

from tangent_lite.registry import adjoint, nondifferentiable, refuse, tangent
from tangent_lite.result_kinds import of_scipy, scalar_float, unknown
from tangent_lite.result_kinds.of_scipy import matrix, vector
from tangent_lite.runtime import divide_or_zero
from tangent_lite.runtime.scipy_spatial import (
    along_last,
    distance_slope,
    distances_along,
    distances_back,
    metric_name,
    pairs_of,
    rows_of_pairs,
    square_along,
    square_back,
    squared_pairs,
)

ORDER = "how a distance depends on its exponent has no derivative here"
nondifferentiable(metric_name, rows_of_pairs, kind=unknown)


@adjoint(distance.cdist, kind=matrix, constant={"metric": "it is a choice", "p": ORDER})
def cdist(y, XA, XB, metric="euclidean", *, p=2.0):
    d[XA] = distances_back(d[y], y, XA, XB, metric, p)
    d[XB] = distances_back(np.transpose(d[y]), np.transpose(y), XB, XA, metric, p)


@tangent(distance.cdist, constant={"metric": "it is a choice", "p": ORDER})
def cdist_tangent(y, XA, XB, metric="euclidean", *, p=2.0):
    d[y] = distances_along(d[XA], y, XA, XB, metric, p) \
        + np.transpose(distances_along(d[XB], np.transpose(y), XB, XA, metric, p))


@adjoint(distance.pdist, kind=vector, constant={"metric": "it is a choice", "p": ORDER})
def pdist(y, X, metric="euclidean", *, p=2.0):
    d[X] = distances_back(squared_pairs(d[y], len(X)), squared_pairs(y, len(X)), X, X, metric, p)


@tangent(distance.pdist, constant={"metric": "it is a choice", "p": ORDER})
def pdist_tangent(y, X, metric="euclidean", *, p=2.0):
    along = distances_along(d[X], squared_pairs(y, len(X)), X, X, metric, p)
    d[y] = pairs_of(along + np.transpose(along))


@adjoint(distance.squareform, kind=unknown, constant=("force", "checks"))
def squareform(y, X, force="no", checks=True):
    d[X] = square_back(d[y], X)


@tangent(distance.squareform, constant=("force", "checks"))
def squareform_tangent(y, X, force="no", checks=True):
    d[y] = square_along(d[X], X)


@adjoint(distance.euclidean, kind=of_scipy.distance)
def euclidean(y, u, v):
    d[u] = along_last(divide_or_zero(d[y], y), u - v, u)
    d[v] = along_last(divide_or_zero(d[y], y), v - u, v)


@tangent(distance.euclidean)
def euclidean_tangent(y, u, v):
    d[y] = divide_or_zero(np.sum(d[u] * (u - v), axis=-1), y) \
        + divide_or_zero(np.sum(d[v] * (v - u), axis=-1), y)


@adjoint(distance.sqeuclidean, kind=of_scipy.squared_euclidean)
def sqeuclidean(y, u, v):
    d[u] = along_last(2.0 * d[y], u - v, u)
    d[v] = along_last(2.0 * d[y], v - u, v)


@tangent(distance.sqeuclidean)
def sqeuclidean_tangent(y, u, v):
    d[y] = 2.0 * np.sum(d[u] * (u - v), axis=-1) + 2.0 * np.sum(d[v] * (v - u), axis=-1)


@adjoint(distance.cityblock, kind=scalar_float)
def cityblock(y, u, v):
    d[u] = d[y] * np.sign(u - v)
    d[v] = d[y] * np.sign(v - u)


@tangent(distance.cityblock)
def cityblock_tangent(y, u, v):
    d[y] = np.dot(d[u], np.sign(u - v)) + np.dot(d[v], np.sign(v - u))


@adjoint(distance.minkowski, kind=of_scipy.distance, constant={"p": ORDER})
def minkowski(y, u, v, p=2):
    d[u] = d[y] * distance_slope(y, u, v, "minkowski", p)
    d[v] = d[y] * distance_slope(y, v, u, "minkowski", p)


@tangent(distance.minkowski, constant={"p": ORDER})
def minkowski_tangent(y, u, v, p=2):
    d[y] = np.dot(d[u], distance_slope(y, u, v, "minkowski", p)) \
        + np.dot(d[v], distance_slope(y, v, u, "minkowski", p))


@adjoint(distance.cosine, kind=scalar_float)
def cosine(y, u, v):
    d[u] = d[y] * distance_slope(y, u, v, "cosine")
    d[v] = d[y] * distance_slope(y, v, u, "cosine")


@tangent(distance.cosine)
def cosine_tangent(y, u, v):
    d[y] = np.dot(d[u], distance_slope(y, u, v, "cosine")) \
        + np.dot(d[v], distance_slope(y, v, u, "cosine"))


refuse(distance.chebyshev, distance.correlation, distance.canberra, distance.braycurtis,
       why="of two vectors it has no rule",
       instead="write cdist(u[None], v[None], name)[0, 0] of scipy.spatial.distance")
refuse(distance.mahalanobis, distance.seuclidean, distance.jensenshannon,
       why="this distance has no rule", instead="write its formula")
