"""What emitted code may call for covariances and histograms. Only NumPy is imported."""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import share_ties
from tangent_lite.runtime.shapes import line_weights, undiff


# Covariances ------------------------------------------------------------------------------------
def variables(m, rowvar=True):
    """One row for each variable of np.cov(m): (variables, observations)."""
    m = np.array(m)
    if m.ndim < 2:
        return np.reshape(m, (1, -1))
    return m if rowvar or m.shape[0] == 1 else m.T


def all_variables(m, y=None, rowvar=True):
    """The rows of m, and those of y below them."""
    if y is None:
        return variables(m, rowvar)
    return np.concatenate((variables(m, rowvar), variables(y, rowvar)), axis=0)


def observation_weights(fweights=None, aweights=None):
    """One weight for each observation of np.cov, or 1."""
    if fweights is None:
        return 1.0 if aweights is None else np.asarray(aweights, dtype=float)
    found = np.asarray(fweights, dtype=float)
    return found if aweights is None else found * aweights


def covariance_factor(count, bias=False, ddof=None, fweights=None, aweights=None):
    """What np.cov divides the weighted sum of products by, for count observations."""
    if ddof is None:
        ddof = 0 if bias else 1
    weights = np.broadcast_to(observation_weights(fweights, aweights), (count,))
    total = np.sum(weights)
    if fweights is None and aweights is None:
        return max(count - ddof, 0)
    if ddof == 0:
        return total
    lost = ddof if aweights is None else ddof * np.sum(weights * aweights) / total
    return np.maximum(total - lost, 0.0)


def centred(rows, weights):
    """The rows without their weighted means."""
    if np.ndim(weights) == 0:
        return rows - np.mean(rows, axis=1, keepdims=True)
    return rows - np.sum(rows * weights, axis=1, keepdims=True) / np.sum(weights)


def covariance_adjoint(dc, rows, weights, factor):
    """Adjoint of the rows X in C = X diag(w) X^H / factor, X being centred: with G = dC it is
    (G conj(X) + conj(G^T X)) diag(w) / factor, which centring leaves as it is."""
    rows = centred(rows, weights)
    dc = np.reshape(dc, (len(rows), len(rows)))
    return (dc @ np.conj(rows) + np.conj(dc.T @ rows)) * weights / factor


def covariance_tangent(drows, rows, weights, factor):
    """Tangent of C = X diag(w) X^H / factor along that of the rows."""
    rows, drows = centred(rows, weights), centred(drows, weights)
    return (drows @ np.conj((rows * weights).T) + (rows * weights) @ np.conj(drows.T)) / factor


def part_of_rows(drows, m, y, rowvar=True, is_second=False):
    """Adjoint of m, or of y, in all_variables(m, y, rowvar)."""
    first = len(variables(m, rowvar))
    part = drows[first:] if is_second else drows[:first]
    x = y if is_second else m
    if np.ndim(x) >= 2 and not rowvar and np.shape(x)[0] != 1:
        part = part.T
    return np.reshape(part, np.shape(x))


def rows_along(dm, dy, m, y, rowvar=True):
    """Tangent of all_variables(m, y, rowvar) along those of m and y."""
    dm = np.broadcast_to(dm, np.shape(m))
    return all_variables(dm, None if y is None else np.broadcast_to(dy, np.shape(y)), rowvar)


def rows_of_part(dx, m, y, rowvar=True, is_second=False):
    """Tangent of all_variables(m, y, rowvar) along that of m, or of y, alone: the adjoint of drows
    in part_of_rows."""
    return rows_along(0.0 if is_second else dx, dx if is_second else 0.0, m, y, rowvar)


def correlation_adjoint(dr, r, c):
    """Adjoint of a covariance C in R[i, j] = C[i, j] / sqrt(C[i, i] C[j, j])."""
    size = np.sqrt(np.real(np.diagonal(c)))
    direct = dr / (size[:, np.newaxis] * size)
    lost = np.real(np.sum(dr * r, axis=1) + np.sum(dr * r, axis=0)) / (2.0 * size * size)
    return direct - np.diag(lost)


def correlation_tangent(dc, r, c):
    """Tangent of R[i, j] = C[i, j] / sqrt(C[i, i] C[j, j]) along that of C."""
    size = np.sqrt(np.real(np.diagonal(c)))
    rate = np.real(np.diagonal(dc)) / (2.0 * size * size)
    return dc / (size[:, np.newaxis] * size) - r * (rate[:, np.newaxis] + rate)


# Histograms ---------------------------------------------------------------------------------------
def bin_numbers(x, edges):
    """In which bin each element of x lies, -1 for none; the last bin holds its upper edge."""
    x, edges = np.asarray(x), np.asarray(edges)
    found = np.searchsorted(edges, x, side="right") - 1
    found = np.where(x == edges[-1], len(edges) - 2, found)
    return np.where((x < edges[0]) | (x > edges[-1]) | (x != x), -1, found)


def counted(weights, bins, like):
    """The sum of the weights in each bin, how many there are for None; shape of like."""
    if weights is None:
        weights = 1.0
    total = np.zeros(np.shape(like), np.result_type(weights))
    if bins.size == 0:
        return total                            # however many weights there are
    inside = bins >= 0
    np.add.at(total, np.ravel(bins[inside]), np.ravel(np.broadcast_to(weights, bins.shape)[inside]))
    return total


def counted_adjoint(dh, bins, weights):
    """Adjoint of the weights in counted(weights, bins, h): what the bin of each has."""
    taken = np.where(bins >= 0, np.asarray(dh)[np.maximum(bins, 0)], 0.0)
    return np.reshape(taken, np.shape(weights)) if np.size(weights) == bins.size else \
        np.broadcast_to(np.sum(taken), np.shape(weights))


def raw_adjoint(dh, h, edges, counts, density=None):
    """Adjoint of the counts c in h = c / (sum(c) diff(edges)), or in h = c without density."""
    if not density:
        return dh
    return dh / (np.sum(counts) * np.diff(edges)) - np.sum(dh * h) / np.sum(counts)


def edges_adjoint(dh, dedges, h, edges, density=None):
    """Adjoint of the edges of a histogram: what they got themselves, and for a density what the
    widths of the bins add to it."""
    if not density:
        return dedges
    return dedges - undiff(dh * h / np.diff(edges))


def density_tangent(dcounts, dedges, h, edges, counts, density=None):
    """Tangent of h = c / (sum(c) diff(edges)) along those of the counts and the edges, or of h = c
    without density."""
    if not density:
        return dcounts
    return dcounts / (np.sum(counts) * np.diff(edges)) - h * (
        np.sum(dcounts) / np.sum(counts) + np.diff(dedges) / np.diff(edges))


def bounds_adjoint(dedges, x, bins=10, bounds=None):
    """Adjoint of the data x in the edges of a histogram: they divide what lies between the
    smallest and the largest element evenly, unless bins or bounds say where they lie."""
    if bounds is not None or np.ndim(bins) > 0 or np.size(x) == 0:
        return np.zeros(np.shape(x), np.result_type(dedges))
    weights = line_weights(len(dedges))
    low, high = np.sum(dedges * (1.0 - weights)), np.sum(dedges * weights)
    return low * share_ties(np.min(x), x) + high * share_ties(np.max(x), x)


def bounds_tangent(dx, x, edges, bins=10, bounds=None):
    """Tangent of the edges of a histogram along that of the data x; see bounds_adjoint."""
    if bounds is not None or np.ndim(bins) > 0 or np.size(x) == 0:
        return np.zeros(np.shape(edges))
    weights = line_weights(len(edges))
    return (1.0 - weights) * np.sum(dx * share_ties(np.min(x), x)) \
        + weights * np.sum(dx * share_ties(np.max(x), x))


def axis_bins(bins, k, shared=False):
    """What np.histogramdd is given for the bins of axis k; shared: np.histogram2d takes one array
    of edges for both axes."""
    if not isinstance(bins, (list, tuple, np.ndarray)):
        return bins
    return bins if shared and len(bins) > 2 else bins[k]


def axis_range(bounds, k):
    """What np.histogramdd is given for the range of axis k."""
    return None if bounds is None else bounds[k]


def columns_of(sample):
    """The coordinates of the points of np.histogramdd along each axis."""
    if isinstance(sample, np.ndarray) and sample.ndim == 2:
        return list(sample.T)
    return list(np.atleast_2d(sample))


def sample_adjoint(dedges, sample, bins=10, bounds=None):
    """Adjoint of the points in the edges of np.histogramdd."""
    parts = [bounds_adjoint(de, x, axis_bins(bins, k), axis_range(bounds, k))
             for k, (de, x) in enumerate(zip(dedges, columns_of(sample)))]
    if not isinstance(sample, np.ndarray):
        return parts
    return np.stack(parts, axis=1) if sample.ndim == 2 else parts[0]


def sample_tangent(dsample, sample, edges, bins=10, bounds=None):
    """Tangents of the edges of np.histogramdd along that of the points."""
    return [bounds_tangent(dx, x, one, axis_bins(bins, k), axis_range(bounds, k))
            for k, (dx, x, one) in enumerate(zip(
                columns_of(np.broadcast_to(dsample, np.shape(sample))), columns_of(sample),
                edges))]


def histogram_along(da, dweights, h, edges, a, weights, bins=10, bounds=None, density=None):
    """Tangents of np.histogram(a, bins, bounds, density, weights) along those of the data and of
    the weights."""
    places = bin_numbers(a, edges)
    dedges = bounds_tangent(np.broadcast_to(da, np.shape(a)), a, edges, bins, bounds)
    dcounts = counted(0.0 if weights is None else np.broadcast_to(dweights, np.shape(weights)),
                      places, h)
    return density_tangent(dcounts, dedges, h, edges, counted(weights, places, h), density), dedges


def flat_bins(columns, edges):
    """In which of all bins, numbered one after the other, each point of np.histogramdd lies, -1
    for none; columns: the coordinates along each axis."""
    total = np.zeros(np.shape(columns[0]), int)
    inside = np.ones(np.shape(columns[0]), bool)
    for x, one in zip(columns, edges):
        found = bin_numbers(x, one)
        inside &= found >= 0
        total = total * (len(one) - 1) + found
    return np.where(inside, total, -1)


def counted_in(dweights, bins, weights, like):
    """The tangent of the counts of a histogram of several dimensions along that of the weights."""
    dweights = 0.0 if weights is None else np.broadcast_to(dweights, np.shape(weights))
    return np.reshape(counted(dweights, bins, np.ravel(like)), np.shape(like))
