"""Functions that make arrays: of zeros, of one value, of even steps."""
import numpy as np

from tangent_lite.registry import adjoint, entry_for, nondifferentiable, refuse, tangent, written_as
from tangent_lite.result_kinds import places, shaped_like_second, unknown
from tangent_lite.result_kinds.bins import indices_kind, numbers_of_places, places_kind
from tangent_lite.result_kinds.of_numpy import (
    complex_of_number,
    dtype_of_all,
    float_of_number,
    float_vector,
    int_of_number,
    logspace_kind,
    sum_of_line,
)
from tangent_lite.result_kinds.shapes import arange as arange_kind
from tangent_lite.result_kinds.shapes import eye as eye_kind
from tangent_lite.result_kinds.shapes import from_shape, like_first
from tangent_lite.result_kinds.shapes import full as full_kind
from tangent_lite.result_kinds.shapes import full_like as full_like_kind
from tangent_lite.result_kinds.shapes import linspace as linspace_kind
from tangent_lite.runtime import through_dtype, unbroadcast
from tangent_lite.runtime.lines import exponents, kaiser_slope, start_adjoint, start_tangent
from tangent_lite.runtime.shapes import line_adjoint, line_tangent, line_weights

nondifferentiable(np.zeros, np.ones, np.empty, kind=from_shape)
nondifferentiable(np.zeros_like, np.ones_like, np.empty_like, kind=like_first)
nondifferentiable(np.eye, np.identity, np.tri, kind=eye_kind)
nondifferentiable(np.tril_indices, np.triu_indices, np.tril_indices_from, np.triu_indices_from,
                  kind=places.in_triangle)
nondifferentiable(np.diag_indices, kind=places.on_diagonal)
nondifferentiable(np.diag_indices_from, kind=places.on_diagonal_of)
nondifferentiable(np.indices, kind=indices_kind)
nondifferentiable(np.unravel_index, kind=places_kind)
nondifferentiable(np.ravel_multi_index, kind=numbers_of_places)
nondifferentiable(np.result_type, kind=dtype_of_all)
nondifferentiable(np.broadcast_shapes,
                  np.iterable, np.finfo, np.iinfo, np.dtype, np.ndindex, kind=unknown)


@adjoint(np.full, kind=full_kind, constant=("shape",))
def full(y, shape, fill_value, dtype=None, order="C"):
    d[fill_value] = unbroadcast(through_dtype(d[y], dtype), fill_value)


@tangent(np.full, constant=("shape",))
def full_tangent(y, shape, fill_value, dtype=None, order="C"):
    d[y] = through_dtype(np.full(shape, d[fill_value]), dtype)


@adjoint(np.full_like, kind=full_like_kind)
def full_like(y, a, fill_value, dtype=None, order="K", subok=True, shape=None):
    d[a] = None
    d[fill_value] = unbroadcast(through_dtype(d[y], dtype), fill_value)


@tangent(np.full_like)
def full_like_tangent(y, a, fill_value, dtype=None, order="K", subok=True, shape=None):
    d[y] = through_dtype(np.full(np.shape(y), d[fill_value]), dtype)
    d[a] = None


# Types of NumPy, called to convert to them; whole numbers do not vary.
@adjoint(np.float64, np.float32, np.float16, kind=float_of_number, view="maybe")
def float64(y, x=0):
    d[x] = unbroadcast(d[y], x)


@tangent(np.float64)
def float64_tangent(y, x=0):
    d[y] = np.float64(d[x])


@tangent(np.float32)
def float32_tangent(y, x=0):
    d[y] = np.float32(d[x])


@tangent(np.float16)
def float16_tangent(y, x=0):
    d[y] = np.float16(d[x])


@adjoint(np.complex128, np.complex64, kind=complex_of_number, view="maybe")
def complex128(y, x=0):
    d[x] = unbroadcast(d[y], x)


@tangent(np.complex128)
def complex128_tangent(y, x=0):
    d[y] = np.complex128(d[x])


@tangent(np.complex64)
def complex64_tangent(y, x=0):
    d[y] = np.complex64(d[x])


nondifferentiable(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
                  np.intc, np.uintc, np.longlong, np.ulonglong, kind=int_of_number)


# How many numbers there are changes in jumps alone, and only that depends on where they stop. With
# one bound alone, the first is that.
@adjoint(np.arange, kind=arange_kind)
def arange(y, start=0, stop=None, step=1, dtype=None, *, device=None, like=None):
    by = through_dtype(d[y], dtype)
    d[start] = start_adjoint(by, stop)
    d[stop] = None
    d[step] = np.sum(by * np.arange(len(by)))


@tangent(np.arange)
def arange_tangent(y, start=0, stop=None, step=1, dtype=None, *, device=None, like=None):
    d[y] = through_dtype(start_tangent(d[start], y, stop) + d[step] * np.arange(len(y)), dtype)
    d[stop] = None


@adjoint(start_adjoint, kind=sum_of_line)
def start_adjoint_(y, dy, stop):
    d[dy] = start_tangent(d[y], dy, stop)
    d[stop] = None


@tangent(start_adjoint)
def start_adjoint_tangent(y, dy, stop):
    d[y] = start_adjoint(d[dy], stop)
    d[stop] = None


@adjoint(start_tangent, kind=shaped_like_second)
def start_tangent_(y, dstart, x, stop):
    d[dstart] = start_adjoint(d[y], stop)
    d[x] = None
    d[stop] = None


@tangent(start_tangent)
def start_tangent_tangent(y, dstart, x, stop):
    d[y] = start_tangent(d[dstart], x, stop)
    d[x] = None
    d[stop] = None


# Lines of numbers: each point lies so far along the way from start to stop as its weight says.
@adjoint(np.linspace, kind=linspace_kind, constant=("num", "axis"))
def linspace(y, start, stop, num=50, endpoint=True, *, dtype=None, axis=0):
    weights = line_weights(num, endpoint)
    d[start] = unbroadcast(line_adjoint(through_dtype(d[y], dtype), 1.0 - weights, axis), start)
    d[stop] = unbroadcast(line_adjoint(through_dtype(d[y], dtype), weights, axis), stop)


@tangent(np.linspace, constant=("num", "axis"))
def linspace_tangent(y, start, stop, num=50, endpoint=True, *, dtype=None, axis=0):
    weights = line_weights(num, endpoint)
    d[y] = through_dtype(line_tangent(d[start], 1.0 - weights, y, axis)
                         + line_tangent(d[stop], weights, y, axis), dtype)


@adjoint(np.geomspace, kind=linspace_kind, constant=("num", "axis"))
def geomspace(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    weights = line_weights(num, endpoint)
    by = through_dtype(d[y], dtype) * y
    d[start] = unbroadcast(line_adjoint(by, 1.0 - weights, axis) / np.array(start), start)
    d[stop] = unbroadcast(line_adjoint(by, weights, axis) / np.array(stop), stop)


@tangent(np.geomspace, constant=("num", "axis"))
def geomspace_tangent(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    weights = line_weights(num, endpoint)
    # Lists are made arrays.
    d[y] = through_dtype(
        y * (line_tangent(np.array(d[start]) / np.array(start), 1.0 - weights, y, axis)
             + line_tangent(np.array(d[stop]) / np.array(stop), weights, y, axis)), dtype)


@adjoint(np.logspace, kind=logspace_kind, constant=("num", "axis"))
def logspace(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    weights = line_weights(num, endpoint)
    by = through_dtype(d[y], dtype) * y
    d[start] = unbroadcast(line_adjoint(by, 1.0 - weights, axis) * np.log(base), start)
    d[stop] = unbroadcast(line_adjoint(by, weights, axis) * np.log(base), stop)
    d[base] = unbroadcast(np.sum(by * exponents(start, stop, num, endpoint, base, axis), axis=axis)
                          / base, base)


@tangent(np.logspace, constant=("num", "axis"))
def logspace_tangent(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    weights = line_weights(num, endpoint)
    d[y] = through_dtype(y * (
        line_tangent(d[start] * np.log(base), 1.0 - weights, y, axis)
        + line_tangent(d[stop] * np.log(base), weights, y, axis)
        + line_tangent(d[base] / base, np.ones(num), y, axis)
        * exponents(start, stop, num, endpoint, base, axis)), dtype)


# Windows: of a number of points, of which one has a shape that varies.
for function in (np.bartlett, np.blackman, np.hamming, np.hanning):
    refuse(function, why="it takes a number of points, which is whole",
           instead="make the window of an int")
    entry = entry_for(function)
    entry.kind, entry.view, entry.pure = float_vector, "never", True


@adjoint(np.kaiser, kind=float_vector, constant=("M",))
def kaiser(y, M, beta):
    d[beta] = np.sum(d[y] * kaiser_slope(M, beta))


@tangent(np.kaiser, constant=("M",))
def kaiser_tangent(y, M, beta):
    d[y] = d[beta] * kaiser_slope(M, beta)


@adjoint(kaiser_slope, kind=float_vector, constant=("M", "order"))
def kaiser_slope_(y, M, beta, order=1):
    d[beta] = np.sum(d[y] * kaiser_slope(M, beta, order + 1))


@tangent(kaiser_slope, constant=("M", "order"))
def kaiser_slope_tangent(y, M, beta, order=1):
    d[y] = d[beta] * kaiser_slope(M, beta, order + 1)


# np.array(x, ndmin=2) puts axes in front, as np.atleast_2d does (and np.atleast_3d does not).
@written_as(np.array)
def array_of_one_dimension(object, *, ndmin: 1):
    return np.atleast_1d(np.array(object))


@written_as(np.array)
def array_of_two_dimensions(object, *, ndmin: 2):
    return np.atleast_2d(np.array(object))


@written_as(np.array)
def typed_array_of_one_dimension(object, dtype, *, ndmin: 1):
    return np.atleast_1d(np.array(object, dtype))


@written_as(np.array)
def typed_array_of_two_dimensions(object, dtype, *, ndmin: 2):
    return np.atleast_2d(np.array(object, dtype))
