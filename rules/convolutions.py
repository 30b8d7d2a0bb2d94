"""Convolutions and correlations of two sequences."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import scalar_int, shaped_like_second
from tangent_lite.result_kinds.shapes import vector_of
from tangent_lite.runtime.convolve import (
    convolution_front,
    convolution_part,
    convolve_adjoint,
    correlation_front,
)

nondifferentiable(convolution_front, correlation_front, kind=scalar_int)


@adjoint(np.convolve, kind=vector_of)
def convolve(y, a, v, mode="full"):
    d[a] = convolve_adjoint(d[y], a, v, convolution_front(a, v, mode))
    d[v] = convolve_adjoint(d[y], v, a, convolution_front(a, v, mode))


@tangent(np.convolve)
def convolve_tangent(y, a, v, mode="full"):
    d[y] = np.convolve(d[a], v, mode) + np.convolve(a, d[v], mode)


# correlate(a, v) is a part of convolve(a, w) with w = conj(v) backwards.
@adjoint(np.correlate, kind=vector_of)
def correlate(y, a, v, mode="valid"):
    d[a] = convolve_adjoint(d[y], a, np.conj(v)[::-1], correlation_front(a, v, mode))
    d[v] = np.conj(convolve_adjoint(d[y], v, a, correlation_front(a, v, mode))[::-1])


@tangent(np.correlate)
def correlate_tangent(y, a, v, mode="valid"):
    d[y] = np.correlate(d[a], v, mode) + np.correlate(a, d[v], mode)


@adjoint(convolve_adjoint, constant=("front",), kind=shaped_like_second)
def convolve_adjoint_(dx, dy, x, other, front):
    d[dy] = convolution_part(d[dx], other, front, dy)
    d[x] = None
    d[other] = convolve_adjoint(dy, other, d[dx], front)


@tangent(convolve_adjoint, constant=("front",))
def convolve_adjoint_tangent(dx, dy, x, other, front):
    d[dx] = convolve_adjoint(d[dy], x, other, front) + convolve_adjoint(dy, x, d[other], front)
    d[x] = None


@adjoint(convolution_part, constant=("front",), kind=vector_of)
def convolution_part_(y, a, v, front, like):
    d[a] = convolve_adjoint(d[y], a, v, front)
    d[v] = convolve_adjoint(d[y], v, a, front)
    d[like] = None


@tangent(convolution_part, constant=("front",))
def convolution_part_tangent(y, a, v, front, like):
    d[y] = convolution_part(d[a], v, front, like) + convolution_part(a, d[v], front, like)
    d[like] = None
