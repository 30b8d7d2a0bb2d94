"""The means of Python's own module statistics."""
import statistics

from tangent_lite.registry import adjoint, entry_for, same_as, tangent
from tangent_lite.result_kinds.of_python import float_of, product_of
from tangent_lite.runtime import spread_over


@adjoint(statistics.fmean, kind=float_of)
def fmean(y, data):
    for x in data:
        d[x] = d[y] / len(data)
    d[data] = spread_over(d[y] / len(data), data)


@tangent(statistics.fmean)
def fmean_tangent(y, data):
    d[y] = sum(d[data]) / len(data)


same_as(statistics.fmean, statistics.mean)
entry_for(statistics.mean).kind = product_of        # of integers it may be one
