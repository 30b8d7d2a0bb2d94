"""Means and spreads of Python's own module statistics.

What is given besides the data (weights, a mean that is known) is in no rule: what it does differs
from one Python to the next.
"""
import statistics

import numpy as np

from tangent_lite.registry import adjoint, entry_for, same_as, tangent
from tangent_lite.result_kinds import scalar_float
from tangent_lite.result_kinds.of_python import float_of_numbers, product_of
from tangent_lite.runtime import divide_or_zero, scaled_parts, spread_over, sum_of_products


@adjoint(statistics.fmean, kind=float_of_numbers)
def fmean(y, data):
    for x in data:
        d[x] = d[y] / len(data)
    d[data] = spread_over(d[y] / len(data), data)


@tangent(statistics.fmean)
def fmean_tangent(y, data):
    d[y] = sum(d[data]) / len(data)


same_as(statistics.fmean, statistics.mean)
entry_for(statistics.mean).kind = product_of        # of integers it may be one


@adjoint(statistics.geometric_mean, kind=scalar_float)
def geometric_mean(y, data):
    for x in data:
        d[x] = d[y] * y / (len(data) * x)
    d[data] = scaled_parts(d[y] * y / len(data), 1.0 / np.array(data), data)


@tangent(statistics.geometric_mean)
def geometric_mean_tangent(y, data):
    d[y] = y / len(data) * sum_of_products(d[data], 1.0 / np.array(data))


@adjoint(statistics.harmonic_mean, kind=product_of)
def harmonic_mean(y, data):
    for x in data:
        d[x] = d[y] * (y / x) ** 2 / len(data)
    d[data] = scaled_parts(d[y] / len(data), (y / np.array(data)) ** 2, data)


@tangent(statistics.harmonic_mean)
def harmonic_mean_tangent(y, data):
    d[y] = sum_of_products(d[data], (y / np.array(data)) ** 2) / len(data)


# Spreads ----------------------------------------------------------------------------------------
@adjoint(statistics.variance, kind=product_of)
def variance(y, data):
    for x in data:
        d[x] = 2.0 * d[y] * (x - statistics.fmean(data)) / (len(data) - 1)
    d[data] = scaled_parts(2.0 * d[y] / (len(data) - 1), np.array(data) - np.mean(data), data)


@tangent(statistics.variance)
def variance_tangent(y, data):
    d[y] = 2.0 * sum_of_products(d[data], np.array(data) - np.mean(data)) / (len(data) - 1)


@adjoint(statistics.pvariance, kind=product_of)
def pvariance(y, data):
    for x in data:
        d[x] = 2.0 * d[y] * (x - statistics.fmean(data)) / len(data)
    d[data] = scaled_parts(2.0 * d[y] / len(data), np.array(data) - np.mean(data), data)


@tangent(statistics.pvariance)
def pvariance_tangent(y, data):
    d[y] = 2.0 * sum_of_products(d[data], np.array(data) - np.mean(data)) / len(data)


@adjoint(statistics.stdev, kind=scalar_float)
def stdev(y, data):
    for x in data:
        d[x] = divide_or_zero(d[y], y) * (x - statistics.fmean(data)) / (len(data) - 1)
    d[data] = scaled_parts(divide_or_zero(d[y], y) / (len(data) - 1),
                           np.array(data) - np.mean(data), data)


@tangent(statistics.stdev)
def stdev_tangent(y, data):
    d[y] = divide_or_zero(sum_of_products(d[data], np.array(data) - np.mean(data)), y) \
        / (len(data) - 1)


@adjoint(statistics.pstdev, kind=scalar_float)
def pstdev(y, data):
    for x in data:
        d[x] = divide_or_zero(d[y], y) * (x - statistics.fmean(data)) / len(data)
    d[data] = scaled_parts(divide_or_zero(d[y], y) / len(data),
                           np.array(data) - np.mean(data), data)


@tangent(statistics.pstdev)
def pstdev_tangent(y, data):
    d[y] = divide_or_zero(sum_of_products(d[data], np.array(data) - np.mean(data)), y) / len(data)
