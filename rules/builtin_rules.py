"""Python's own functions of numbers and sequences."""
import operator
from bisect import bisect_left, bisect_right

import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import (
    elementwise_int,
    elementwise_real,
    length_of,
    nothing,
    scalar_bool,
    scalar_complex,
    scalar_float,
    scalar_int,
    text,
    unknown,
)
from tangent_lite.result_kinds.of_python import (
    builtin_extreme,
    builtin_round,
    builtin_sum,
    range_of,
    slice_of,
)
from tangent_lite.runtime import (
    abs_slope,
    largest_part,
    largest_tangent,
    log_or_zero,
    power_slope,
    smallest_part,
    smallest_tangent,
    spread_over,
    unbroadcast,
)
from tangent_lite.runtime.shapes import reshape_like


@adjoint(abs, operator.abs, np.absolute, kind=elementwise_real)
def absolute(y, x):
    d[x] = np.real(d[y]) * abs_slope(x)


@tangent(abs, operator.abs, np.absolute)
def absolute_tangent(y, x):
    d[y] = np.real(d[x] * abs_slope(x))


@pointwise(pow, kind=elementwise_int)
def pow_(z, base, exp):
    d[base] = unbroadcast(d[z] * power_slope(base, exp), base)
    d[exp] = unbroadcast(d[z] * z * log_or_zero(base), exp)


# The extreme of several numbers, or of the items of one sequence; ties share equally.
@adjoint(max, kind=builtin_extreme, view="maybe")
def max_(y, *xs):
    for k, x in enumerate(xs):
        d[x] = largest_part(d[y], k, xs)


@adjoint(min, kind=builtin_extreme, view="maybe")
def min_(y, *xs):
    for k, x in enumerate(xs):
        d[x] = smallest_part(d[y], k, xs)


@tangent(max)
def max_tangent(y, *xs):
    d[y] = largest_tangent(d[xs], xs)


@tangent(min)
def min_tangent(y, *xs):
    d[y] = smallest_tangent(d[xs], xs)


@adjoint(sum, kind=builtin_sum, constant=())
def sum_(y, iterable, start=0):
    for x in iterable:
        d[x] = unbroadcast(d[y], x)
    d[iterable] = spread_over(d[y], iterable)
    d[start] = unbroadcast(d[y], start)


@tangent(sum)
def sum_tangent(y, iterable, start=0):
    d[y] = sum(d[iterable]) + d[start]


@adjoint(float, kind=scalar_float)
def float_(y, x):
    d[x] = reshape_like(d[y], x)            # of one element, or float(x) is an error


@tangent(float)
def float_tangent(y, x):
    d[y] = float(d[x])


@adjoint(complex, kind=scalar_complex)
def complex_(y, real, imag=0):
    d[real] = reshape_like(d[y], real)
    d[imag] = reshape_like(1j * d[y], imag)


@tangent(complex)
def complex_tangent(y, real, imag=0):
    d[y] = d[real] + 1j * d[imag]


nondifferentiable(len, kind=length_of)
nondifferentiable(int, ord, hash, id, bisect_left, bisect_right, kind=scalar_int)
nondifferentiable(bool, isinstance, issubclass, callable, hasattr, any, all, kind=scalar_bool)
nondifferentiable(str, repr, format, chr, bin, hex, oct, ascii, kind=text)
nondifferentiable(round, kind=builtin_round)
nondifferentiable(range, kind=range_of)
nondifferentiable(slice, kind=slice_of)
nondifferentiable(type, kind=unknown)
nondifferentiable(print, kind=nothing, pure=False)
nondifferentiable(input, kind=text, pure=False)
