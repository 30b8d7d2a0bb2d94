"""Operators and the NumPy functions behind them."""
import operator

import numpy as np

from tangent_lite.registry import adjoint, entry_for, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import (
    comparison,
    elementwise,
    elementwise_bool,
    elementwise_float,
    elementwise_int,
    quotient_and_rest,
    scalar_bool,
    unknown,
)
from tangent_lite.result_kinds.products import matmul as matmul_kind
from tangent_lite.runtime import (
    log_or_zero,
    matmul_adjoint_left,
    matmul_adjoint_right,
    power_slope,
    unbroadcast,
)


@adjoint(np.add, operator.add, kind=elementwise)
def add(z, x, y):
    d[x] = unbroadcast(d[z], x)
    d[y] = unbroadcast(d[z], y)


@tangent(np.add, operator.add)
def add_tangent(z, x, y):
    d[z] = d[x] + d[y]


@adjoint(np.subtract, operator.sub, kind=elementwise)
def subtract(z, x, y):
    d[x] = unbroadcast(d[z], x)
    d[y] = unbroadcast(-d[z], y)


@tangent(np.subtract, operator.sub)
def subtract_tangent(z, x, y):
    d[z] = d[x] - d[y]


@adjoint(np.multiply, operator.mul, kind=elementwise)
def multiply(z, x, y):
    d[x] = unbroadcast(d[z] * y, x)
    d[y] = unbroadcast(d[z] * x, y)


@tangent(np.multiply, operator.mul)
def multiply_tangent(z, x, y):
    d[z] = d[x] * y + x * d[y]


# By way of the quotient: y * y may be too small a number, or too large.
@adjoint(np.divide, operator.truediv, kind=elementwise_float)
def divide(z, x, y):
    t = d[z] / y
    d[x] = unbroadcast(t, x)
    d[y] = unbroadcast(-t * z, y)


@tangent(np.divide, operator.truediv)
def divide_tangent(z, x, y):
    d[z] = (d[x] - z * d[y]) / y


@pointwise(np.power, operator.pow, kind=elementwise_int)
def power(z, x, y):
    d[x] = unbroadcast(d[z] * power_slope(x, y), x)
    d[y] = unbroadcast(d[z] * z * log_or_zero(x), y)


@pointwise(np.float_power, kind=elementwise_float)
def float_power(z, x, y):
    d[x] = unbroadcast(d[z] * power_slope(x, y), x)
    d[y] = unbroadcast(d[z] * z * log_or_zero(x), y)


@pointwise(np.negative, operator.neg, kind=elementwise)
def negative(z, x):
    d[x] = -d[z]


@pointwise(np.positive, operator.pos, kind=elementwise, view="never")
def positive(z, x):
    d[x] = d[z]


@pointwise(np.remainder, operator.mod, kind=elementwise_int)
def remainder(z, x, y):
    d[x] = unbroadcast(d[z], x)
    d[y] = unbroadcast(-d[z] * (x // y), y)


@adjoint(np.matmul, operator.matmul, kind=matmul_kind)
def matmul(z, x, y):
    d[x] = matmul_adjoint_left(d[z], x, y)
    d[y] = matmul_adjoint_right(d[z], x, y)


@tangent(np.matmul, operator.matmul)
def matmul_tangent(z, x, y):
    d[z] = d[x] @ y + x @ d[y]


nondifferentiable(np.floor_divide, operator.floordiv, kind=elementwise_int)
nondifferentiable(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal,
                  kind=elementwise_bool)
nondifferentiable(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
                  kind=comparison)
nondifferentiable(np.logical_and, np.logical_or, np.logical_xor, np.logical_not,
                  kind=elementwise_bool)
nondifferentiable(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.gcd, np.lcm,
                  kind=elementwise)
nondifferentiable(np.left_shift, np.right_shift, kind=elementwise_int)
# Of integers, where nothing varies; but `|` also joins dicts: known by kind only, not as constant.
for function in (operator.and_, operator.or_, operator.xor, operator.invert, operator.inv):
    entry_for(function).kind = elementwise
for function in (operator.lshift, operator.rshift):
    entry_for(function).kind = elementwise_int
nondifferentiable(operator.not_, operator.truth, operator.is_, operator.is_not,
                  operator.contains, kind=scalar_bool)
nondifferentiable(operator.index, operator.length_hint, operator.indexOf, operator.countOf,
                  kind=unknown)


@adjoint(divmod, np.divmod, kind=quotient_and_rest)
def divmod_(z, x, y):
    d[x] = unbroadcast(d[z][1], x)
    d[y] = unbroadcast(-d[z][1] * z[0], y)


@tangent(divmod, np.divmod)
def divmod_tangent(z, x, y):
    d[z] = (0.0 * z[0], d[x] - d[y] * z[0])
