"""Covariances, correlations and histograms.

Of a histogram the counts do not vary; the weights do, and so do the edges, which lie between the
smallest and the largest element unless the call says where.
"""
import numpy as np

from tangent_lite.registry import adjoint, makes_fresh, nondifferentiable, tangent
from tangent_lite.result_kinds import shaped_like_third, unknown
from tangent_lite.result_kinds.of_numpy import (
    bin_edges_kind,
    cov_kind,
    histogram2d_kind,
    histogram_kind,
    rows_kind,
)
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.statistics import (
    all_variables,
    axis_bins,
    axis_range,
    bin_numbers,
    bounds_adjoint,
    bounds_tangent,
    columns_of,
    correlation_adjoint,
    correlation_tangent,
    counted,
    counted_adjoint,
    counted_in,
    covariance_adjoint,
    covariance_factor,
    covariance_tangent,
    edges_adjoint,
    flat_bins,
    histogram_along,
    observation_weights,
    part_of_rows,
    raw_adjoint,
    rows_along,
    rows_of_part,
    sample_adjoint,
    sample_tangent,
)


@adjoint(np.cov, kind=cov_kind)
def cov(c, m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    rows = all_variables(m, y, rowvar)
    drows = covariance_adjoint(d[c], rows, observation_weights(fweights, aweights),
                               covariance_factor(np.shape(rows)[1], bias, ddof, fweights, aweights))
    d[m] = part_of_rows(drows, m, y, rowvar)
    d[y] = part_of_rows(drows, m, y, rowvar, True)


@tangent(np.cov)
def cov_tangent(c, m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    rows = all_variables(m, y, rowvar)
    d[c] = np.reshape(covariance_tangent(
        rows_along(d[m], d[y], m, y, rowvar), rows, observation_weights(fweights, aweights),
        covariance_factor(np.shape(rows)[1], bias, ddof, fweights, aweights)), np.shape(c))


@adjoint(np.corrcoef, kind=cov_kind)
def corrcoef(r, x, y=None, rowvar=True):
    rows = all_variables(x, y, rowvar)
    dc = correlation_adjoint(np.atleast_2d(d[r]), np.atleast_2d(r), np.atleast_2d(np.cov(rows)))
    drows = covariance_adjoint(dc, rows, 1.0, np.shape(rows)[1] - 1)
    d[x] = part_of_rows(drows, x, y, rowvar)
    d[y] = part_of_rows(drows, x, y, rowvar, True)


@tangent(np.corrcoef)
def corrcoef_tangent(r, x, y=None, rowvar=True):
    rows = all_variables(x, y, rowvar)
    d[r] = np.reshape(correlation_tangent(
        covariance_tangent(rows_along(d[x], d[y], x, y, rowvar), rows, 1.0, np.shape(rows)[1] - 1),
        np.atleast_2d(r), np.atleast_2d(np.cov(rows))), np.shape(r))


@adjoint(np.histogram, kind=histogram_kind, constant=("bins",))
def histogram(y, a, bins=10, range=None, density=None, weights=None):
    places = bin_numbers(a, y[1])
    counts = counted(weights, places, y[0])
    d[a] = bounds_adjoint(edges_adjoint(d[y][0], d[y][1], y[0], y[1], density), a, bins, range)
    d[weights] = counted_adjoint(raw_adjoint(d[y][0], y[0], y[1], counts, density), places, weights)


@tangent(np.histogram, constant=("bins",))
def histogram_tangent(y, a, bins=10, range=None, density=None, weights=None):
    d[y] = histogram_along(d[a], d[weights], y[0], y[1], a, weights, bins, range, density)


@adjoint(np.histogram_bin_edges, kind=bin_edges_kind, constant=("bins",))
def histogram_bin_edges(y, a, bins=10, range=None, weights=None):
    d[a] = bounds_adjoint(d[y], a, bins, range)
    d[weights] = None


@tangent(np.histogram_bin_edges, constant=("bins",))
def histogram_bin_edges_tangent(y, a, bins=10, range=None, weights=None):
    d[y] = bounds_tangent(d[a], a, y, bins, range)
    d[weights] = None


@adjoint(np.histogram2d, kind=histogram2d_kind, constant=("bins",))
def histogram2d(z, x, y, bins=10, range=None, *, weights=None):
    d[x] = bounds_adjoint(d[z][1], x, axis_bins(bins, 0, True), axis_range(range, 0))
    d[y] = bounds_adjoint(d[z][2], y, axis_bins(bins, 1, True), axis_range(range, 1))
    d[weights] = counted_adjoint(np.ravel(d[z][0]), flat_bins((x, y), (z[1], z[2])), weights)


@tangent(np.histogram2d, constant=("bins",))
def histogram2d_tangent(z, x, y, bins=10, range=None, *, weights=None):
    d[z] = (counted_in(d[weights], flat_bins((x, y), (z[1], z[2])), weights, z[0]),
            bounds_tangent(d[x], x, z[1], axis_bins(bins, 0, True), axis_range(range, 0)),
            bounds_tangent(d[y], y, z[2], axis_bins(bins, 1, True), axis_range(range, 1)))


@adjoint(np.histogramdd, kind=unknown, constant=("bins",))
def histogramdd(y, sample, bins=10, range=None, *, weights=None):
    d[sample] = sample_adjoint(d[y][1], sample, bins, range)
    d[weights] = counted_adjoint(np.ravel(d[y][0]), flat_bins(columns_of(sample), y[1]), weights)


@tangent(np.histogramdd, constant=("bins",))
def histogramdd_tangent(y, sample, bins=10, range=None, *, weights=None):
    d[y] = (counted_in(d[weights], flat_bins(columns_of(sample), y[1]), weights, y[0]),
            sample_tangent(d[sample], sample, y[1], bins, range))


# The helpers that are linear; the others are differentiated as they are written.
makes_fresh(covariance_adjoint, covariance_tangent, correlation_adjoint, correlation_tangent)
nondifferentiable(observation_weights, covariance_factor, bin_numbers, flat_bins, axis_bins,
                  axis_range, kind=unknown)


@adjoint(counted, kind=unknown, constant=("bins",))
def counted_(y, weights, bins, like):
    d[weights] = counted_adjoint(d[y], bins, weights)
    d[like] = None


@tangent(counted, constant=("bins",))
def counted_tangent(y, weights, bins, like):
    d[y] = counted(d[weights], bins, like)
    d[like] = None


@adjoint(counted_adjoint, kind=shaped_like_third, view="maybe", constant=("bins",))
def counted_adjoint_(y, dh, bins, weights):
    d[dh] = counted(d[y], bins, dh)
    d[weights] = None


@tangent(counted_adjoint, constant=("bins",))
def counted_adjoint_tangent(y, dh, bins, weights):
    d[y] = counted_adjoint(d[dh], bins, weights)
    d[weights] = None


@adjoint(all_variables, kind=rows_kind)
def all_variables_(z, m, y=None, rowvar=True):
    d[m] = part_of_rows(d[z], m, y, rowvar)
    d[y] = part_of_rows(d[z], m, y, rowvar, True)


@tangent(all_variables)
def all_variables_tangent(z, m, y=None, rowvar=True):
    d[z] = rows_along(d[m], d[y], m, y, rowvar)


@adjoint(part_of_rows, kind=unknown, view="maybe")
def part_of_rows_(z, drows, m, y, rowvar=True, is_second=False):
    d[drows] = rows_of_part(d[z], m, y, rowvar, is_second)
    d[m] = None
    d[y] = None


@tangent(part_of_rows)
def part_of_rows_tangent(z, drows, m, y, rowvar=True, is_second=False):
    d[z] = part_of_rows(d[drows], m, y, rowvar, is_second)
    d[m] = None
    d[y] = None


@adjoint(rows_of_part, kind=rows_kind)
def rows_of_part_(z, dx, m, y, rowvar=True, is_second=False):
    d[dx] = unbroadcast(part_of_rows(d[z], m, y, rowvar, is_second), dx)
    d[m] = None
    d[y] = None


@tangent(rows_of_part)
def rows_of_part_tangent(z, dx, m, y, rowvar=True, is_second=False):
    d[z] = rows_of_part(d[dx], m, y, rowvar, is_second)
    d[m] = None
    d[y] = None


@adjoint(rows_along, kind=rows_kind)
def rows_along_(z, dm, dy, m, y, rowvar=True):
    d[dm] = unbroadcast(part_of_rows(d[z], m, y, rowvar), dm)
    d[dy] = unbroadcast(part_of_rows(d[z], m, y, rowvar, True), dy)
    d[m] = None
    d[y] = None


@tangent(rows_along)
def rows_along_tangent(z, dm, dy, m, y, rowvar=True):
    d[z] = rows_along(d[dm], d[dy], m, y, rowvar)
    d[m] = None
    d[y] = None
