"""What emitted code may call for scipy.spatial.distance: how distances depend on their points.

a, b: points in rows; y: their distances, y[i, j] that of a[i] and b[j]. All these metrics are
symmetric: what belongs to b is that of a with the roles exchanged. Only NumPy is imported.
"""
import numpy as np

from tangent_lite.runtime import divide_or_zero, unbroadcast

METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "cosine",
           "correlation", "canberra", "braycurtis")


def metric_name(metric):
    """The name of a metric, given by its name or by the function of SciPy."""
    name = metric.lower() if isinstance(metric, str) else \
        getattr(metric, "__name__", "") if getattr(metric, "__module__", "").startswith(
            "scipy.spatial.") else ""
    if name not in METRICS:
        raise NotImplementedError(
            f"the derivative of distances with metric={metric!r}; write one of "
            f"{', '.join(METRICS)}, or the formula with a[:, None] - b[None]")
    return name


def distance_slopes(y, a, b, metric, p=2.0):
    """The derivatives of y[i, j] with respect to a[i], for each pair: shape (rows, rows, columns).

    Zero where points coincide, as with norms.
    """
    metric = metric_name(metric)
    u, v, y = a[:, None, :], b[None, :, :], y[:, :, None]
    if metric == "sqeuclidean":
        return 2.0 * (u - v)
    if metric == "euclidean":
        return divide_or_zero(u - v, y)
    if metric == "cityblock":
        return np.sign(u - v)
    if metric == "minkowski":
        return np.sign(u - v) * divide_or_zero(np.abs(u - v), y) ** (p - 1.0)
    if metric == "chebyshev":
        largest = np.abs(u - v) == y
        return np.sign(u - v) * largest / np.sum(largest, axis=2, keepdims=True)
    if metric == "canberra":
        both = np.abs(u) + np.abs(v)
        share = divide_or_zero(np.abs(u - v), both)
        return divide_or_zero(np.sign(u - v) - share * np.sign(u), both)
    if metric == "braycurtis":
        both = np.sum(np.abs(u + v), axis=2, keepdims=True)
        return divide_or_zero(np.sign(u - v) - y * np.sign(u + v), both)
    is_centred = metric == "correlation"
    if is_centred:
        u = u - np.mean(u, axis=2, keepdims=True)
        v = v - np.mean(v, axis=2, keepdims=True)
    of_u = np.sqrt(np.sum(u * u, axis=2, keepdims=True))
    of_v = np.sqrt(np.sum(v * v, axis=2, keepdims=True))
    found = (1.0 - y) * u / (of_u * of_u) - v / (of_u * of_v)
    return found - np.mean(found, axis=2, keepdims=True) if is_centred else found


def distances_back(dy, y, a, b, metric="euclidean", p=2.0):
    """Adjoint of a in y = cdist(a, b, metric, p=p)."""
    metric = metric_name(metric)
    if metric == "sqeuclidean" or metric == "euclidean":
        weights = 2.0 * dy if metric == "sqeuclidean" else divide_or_zero(dy, y)
        return np.sum(weights, axis=1)[:, None] * a - weights @ b
    return np.sum(dy[:, :, None] * distance_slopes(y, a, b, metric, p), axis=1)


def distances_along(da, y, a, b, metric="euclidean", p=2.0):
    """Tangent of y = cdist(a, b, metric, p=p) along one of a."""
    return np.sum(da[:, None, :] * distance_slopes(y, a, b, metric, p), axis=2)


def distance_slope(y, u, v, metric, p=2.0):
    """The derivative of the distance y of two vectors with respect to the first one."""
    if np.ndim(y) != 0:
        raise NotImplementedError("the derivative of distances of many vectors at once; write "
                                  "scipy.spatial.distance.cdist, or a loop")
    return distance_slopes(np.reshape(y, (1, 1)), u[None, :], v[None, :], metric, p)[0, 0]


def along_last(factor, difference, like):
    """A difference of vectors times a number; of arrays of vectors along the last axis, times one
    for each vector, and summed where `like` was spread over several of them."""
    if np.ndim(factor) == 0:
        return factor * difference
    return unbroadcast(np.expand_dims(factor, -1) * difference, like)


def squared_pairs(v, count):
    """The symmetric matrix of numbers for pairs of rows, as squareform makes it."""
    rows, columns = np.triu_indices(count, 1)
    made = np.zeros((count, count), v.dtype)
    made[rows, columns] = v
    return made + made.T


def pairs_of(m):
    """The numbers for pairs of rows, of a matrix whose upper half counts."""
    rows, columns = np.triu_indices(len(m), 1)
    return m[rows, columns]


def square_back(dy, x):
    """Adjoint of x in y = squareform(x): of pairs, or of a matrix whose upper half counts."""
    if np.ndim(x) == 1:
        return pairs_of(dy + dy.T)
    return np.triu(squared_pairs(dy, len(x)), 1)


def square_along(dx, x):
    """Tangent of y = squareform(x)."""
    if np.ndim(x) == 1:
        return squared_pairs(dx, rows_of_pairs(x))
    return pairs_of(dx)


def rows_of_pairs(v):
    """How many rows so many pairs are of."""
    return int(np.ceil(np.sqrt(2.0 * len(v)))) if len(v) else 1
