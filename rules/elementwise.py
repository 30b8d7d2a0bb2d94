"""NumPy functions of one array that work element by element."""
import numpy as np

from tangent_lite.registry import (
    adjoint,
    nondifferentiable,
    nondifferentiable_of_real,
    pointwise,
    tangent,
)
from tangent_lite.result_kinds import (
    conj_kind,
    elementwise_angle,
    elementwise_bool,
    elementwise_float,
    elementwise_int,
    floor_kind,
    part,
    scalar_bool,
    unknown,
    whether_complex,
)
from tangent_lite.result_kinds.of_numpy import (
    fraction_and_exponent,
    i0_kind,
    isclose_kind,
    nan_to_num_kind,
    round_kind,
    two_parts,
)
from tangent_lite.runtime import (
    abs_slope_adjoint,
    abs_slope_tangent,
    angle_slope,
    bessel_moment,
    imag_adjoint,
    sinc_slope,
)


# Trigonometric ----------------------------------------------------------------------------------
@pointwise(np.sin, kind=elementwise_float)
def sin(y, x):
    d[x] = d[y] * np.cos(x)


@pointwise(np.cos, kind=elementwise_float)
def cos(y, x):
    d[x] = -d[y] * np.sin(x)


@pointwise(np.tan, kind=elementwise_float)
def tan(y, x):
    d[x] = d[y] * (1.0 + y * y)


@pointwise(np.arcsin, kind=elementwise_float)
def arcsin(y, x):
    d[x] = d[y] / np.sqrt(1.0 - x * x)


@pointwise(np.arccos, kind=elementwise_float)
def arccos(y, x):
    d[x] = -d[y] / np.sqrt(1.0 - x * x)


@pointwise(np.arctan, kind=elementwise_float)
def arctan(y, x):
    d[x] = d[y] / (1.0 + x * x)


@pointwise(np.sinh, kind=elementwise_float)
def sinh(y, x):
    d[x] = d[y] * np.cosh(x)


@pointwise(np.cosh, kind=elementwise_float)
def cosh(y, x):
    d[x] = d[y] * np.sinh(x)


@pointwise(np.tanh, kind=elementwise_float)
def tanh(y, x):
    d[x] = d[y] * (1.0 - y * y)


@pointwise(np.arcsinh, kind=elementwise_float)
def arcsinh(y, x):
    d[x] = d[y] / np.sqrt(x * x + 1.0)


@pointwise(np.arccosh, kind=elementwise_float)
def arccosh(y, x):
    d[x] = d[y] / (np.sqrt(x - 1.0) * np.sqrt(x + 1.0))


@pointwise(np.arctanh, kind=elementwise_float)
def arctanh(y, x):
    d[x] = d[y] / (1.0 - x * x)


@pointwise(np.deg2rad, np.radians, kind=elementwise_float)
def deg2rad(y, x):
    d[x] = d[y] * (np.pi / 180.0)


@pointwise(np.rad2deg, np.degrees, kind=elementwise_float)
def rad2deg(y, x):
    d[x] = d[y] * (180.0 / np.pi)


@pointwise(np.sinc, kind=elementwise_float)
def sinc(y, x):
    d[x] = d[y] * sinc_slope(x)


# Exponentials, logarithms and powers ------------------------------------------------------------
@pointwise(np.exp, kind=elementwise_float)
def exp(y, x):
    d[x] = d[y] * y


@pointwise(np.exp2, kind=elementwise_float)
def exp2(y, x):
    d[x] = d[y] * y * 0.6931471805599453    # log(2)


@pointwise(np.expm1, kind=elementwise_float)
def expm1(y, x):
    d[x] = d[y] * (y + 1.0)


@pointwise(np.log, kind=elementwise_float)
def log(y, x):
    d[x] = d[y] / x


@pointwise(np.log2, kind=elementwise_float)
def log2(y, x):
    d[x] = d[y] / (x * 0.6931471805599453)      # log(2)


@pointwise(np.log10, kind=elementwise_float)
def log10(y, x):
    d[x] = d[y] / (x * 2.302585092994046)       # log(10)


@pointwise(np.log1p, kind=elementwise_float)
def log1p(y, x):
    d[x] = d[y] / (1.0 + x)


@pointwise(np.sqrt, kind=elementwise_float)
def sqrt(y, x):
    d[x] = d[y] / (2.0 * y)


@pointwise(np.cbrt, kind=elementwise_float)
def cbrt(y, x):
    d[x] = d[y] / (3.0 * y * y)


@pointwise(np.square, kind=elementwise_int)
def square(y, x):
    d[x] = 2.0 * x * d[y]


@pointwise(np.reciprocal, kind=elementwise_int)
def reciprocal(y, x):
    d[x] = -d[y] * y * y


@pointwise(np.i0, kind=i0_kind)
def i0(y, x):
    d[x] = d[y] * bessel_moment(x, 1)


# Parts of numbers -------------------------------------------------------------------------------
@pointwise(np.fabs, kind=elementwise_float)
def fabs(y, x):
    d[x] = d[y] * np.sign(x)


@adjoint(np.real, np.ndarray.real, kind=part, view="maybe")
def real(y, x):
    d[x] = np.real(d[y])


@tangent(np.real, np.ndarray.real)
def real_tangent(y, x):
    d[y] = np.real(d[x])


@adjoint(np.imag, np.ndarray.imag, kind=part, view="maybe")
def imag(y, x):
    d[x] = imag_adjoint(d[y], x)


@tangent(np.imag, np.ndarray.imag)
def imag_tangent(y, x):
    d[y] = np.imag(d[x])


@adjoint(np.conj, kind=elementwise_int)
def conj(y, x):
    d[x] = np.conj(d[y])


@tangent(np.conj)
def conj_tangent(y, x):
    d[y] = np.conj(d[x])


# Of a real array the method returns the array itself.
@adjoint(np.ndarray.conj, np.ndarray.conjugate, kind=conj_kind, view="maybe")
def conj_method(y, x):
    d[x] = np.conj(d[y])


@tangent(np.ndarray.conj, np.ndarray.conjugate)
def conj_method_tangent(y, x):
    d[y] = np.conj(d[x])


@adjoint(np.angle, kind=elementwise_angle)
def angle(y, z, deg=False):
    d[z] = np.real(d[y]) * angle_slope(z, deg)


@tangent(np.angle)
def angle_tangent(y, z, deg=False):
    d[y] = np.real(d[z] * angle_slope(z, deg))


@pointwise(np.nan_to_num, kind=nan_to_num_kind, constant=("nan", "posinf", "neginf"))
def nan_to_num(y, x, *, nan=0.0, posinf=None, neginf=None):
    d[x] = d[y] * np.isfinite(x)


@pointwise(np.real_if_close, kind=unknown, constant=("tol",), view="maybe")
def real_if_close(y, a, tol=100):
    d[a] = d[y]


@adjoint(np.modf, kind=two_parts)
def modf(y, x):
    d[x] = d[y][0]


@tangent(np.modf)
def modf_tangent(y, x):
    d[y] = (d[x], 0.0 * d[x])


@adjoint(np.frexp, kind=fraction_and_exponent)
def frexp(y, x):
    d[x] = np.ldexp(d[y][0], -y[1])


@tangent(np.frexp)
def frexp_tangent(y, x):
    d[y] = (np.ldexp(d[x], -y[1]), 0 * y[1])


nondifferentiable(np.floor, np.ceil, np.trunc, np.fix, kind=floor_kind)
nondifferentiable(np.rint, np.round, np.around, np.ndarray.round, kind=round_kind)


# z / abs(z) of complex numbers.
@adjoint(np.sign, kind=round_kind)
def sign(y, x):
    d[x] = abs_slope_adjoint(np.conj(d[y]), x)


@tangent(np.sign)
def sign_tangent(y, x):
    d[y] = np.conj(abs_slope_tangent(d[x], x))


nondifferentiable_of_real(np.sign)
nondifferentiable(np.spacing, kind=elementwise_float)
nondifferentiable(np.isnan, np.isinf, np.isfinite, np.signbit, np.isposinf, np.isneginf,
                  np.iscomplex, np.isreal, np.isnat, kind=elementwise_bool)
nondifferentiable(np.iscomplexobj, kind=whether_complex)
nondifferentiable(np.isrealobj, np.isscalar, np.allclose, np.array_equal,
                  np.array_equiv, kind=scalar_bool)
nondifferentiable(np.isclose, kind=isclose_kind)
