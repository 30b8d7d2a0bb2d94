"""Products of arrays: dot, inner, outer, tensordot, einsum, kron, cross, vecdot."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, same_as, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.factorisations import some_numbers, vecdot_kind
from tangent_lite.result_kinds.products import cross_kind, scalar_product
from tangent_lite.result_kinds.products import dot as dot_kind
from tangent_lite.result_kinds.products import einsum as einsum_kind
from tangent_lite.result_kinds.products import inner as inner_kind
from tangent_lite.result_kinds.products import kron as kron_kind
from tangent_lite.result_kinds.products import outer as outer_kind
from tangent_lite.result_kinds.products import tensordot as tensordot_kind
from tangent_lite.runtime import through_dtype, unbroadcast
from tangent_lite.runtime.products import (
    cross_adjoint_left,
    cross_adjoint_right,
    dot_adjoint_left,
    dot_adjoint_right,
    einsum_adjoint,
    einsum_along,
    inner_adjoint_left,
    inner_adjoint_right,
    kron_adjoint_left,
    kron_adjoint_right,
    matvec_adjoint_left,
    matvec_adjoint_right,
    outer_adjoint_left,
    outer_adjoint_right,
    tensordot_adjoint_left,
    tensordot_adjoint_right,
    vecdot_adjoint_left,
    vecdot_adjoint_right,
    vecmat_adjoint_left,
    vecmat_adjoint_right,
)
from tangent_lite.runtime.shapes import reshape_like


@adjoint(np.dot, kind=dot_kind)
def dot(z, a, b):
    d[a] = dot_adjoint_left(d[z], a, b)
    d[b] = dot_adjoint_right(d[z], a, b)


@tangent(np.dot)
def dot_tangent(z, a, b):
    d[z] = np.dot(d[a], b) + np.dot(a, d[b])


@adjoint(np.inner, kind=inner_kind)
def inner(z, a, b):
    d[a] = inner_adjoint_left(d[z], a, b)
    d[b] = inner_adjoint_right(d[z], a, b)


@tangent(np.inner)
def inner_tangent(z, a, b):
    d[z] = np.inner(d[a], b) + np.inner(a, d[b])


@adjoint(np.vdot, kind=scalar_product)
def vdot(z, a, b):
    d[a] = reshape_like(np.conj(d[z] * b), a)
    d[b] = reshape_like(d[z] * np.conj(a), b)


@tangent(np.vdot)
def vdot_tangent(z, a, b):
    d[z] = np.vdot(d[a], b) + np.vdot(a, d[b])


@adjoint(np.outer, kind=outer_kind)
def outer(z, a, b):
    d[a] = outer_adjoint_left(d[z], a, b)
    d[b] = outer_adjoint_right(d[z], a, b)


@tangent(np.outer)
def outer_tangent(z, a, b):
    d[z] = np.outer(d[a], b) + np.outer(a, d[b])


@adjoint(np.tensordot, kind=tensordot_kind, constant=("axes",))
def tensordot(z, a, b, axes=2):
    d[a] = tensordot_adjoint_left(d[z], a, b, axes)
    d[b] = tensordot_adjoint_right(d[z], a, b, axes)


@tangent(np.tensordot, constant=("axes",))
def tensordot_tangent(z, a, b, axes=2):
    d[z] = np.tensordot(d[a], b, axes) + np.tensordot(a, d[b], axes)


# Both forms: np.einsum("ij,jk", x, y) and np.einsum(x, [0, 1], y, [1, 2]).
@adjoint(np.einsum, kind=einsum_kind, view="maybe")
def einsum(z, *xs, dtype=None, order="K", optimize=False):
    for k, x in enumerate(xs):
        d[x] = unbroadcast(einsum_adjoint(k, through_dtype(d[z], dtype), xs), x)


@tangent(np.einsum)
def einsum_tangent_(z, *xs, dtype=None, order="K", optimize=False):
    d[z] = through_dtype(einsum_along(d[xs], xs), dtype)


@adjoint(np.kron, kind=kron_kind)
def kron(z, a, b):
    d[a] = kron_adjoint_left(d[z], a, b)
    d[b] = kron_adjoint_right(d[z], a, b)


@tangent(np.kron)
def kron_tangent(z, a, b):
    d[z] = np.kron(d[a], b) + np.kron(a, d[b])


@adjoint(np.cross, kind=cross_kind, constant=("axisa", "axisb", "axisc"))
def cross(z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    d[a] = cross_adjoint_left(d[z], a, b, axisa, axisb, axisc, axis)
    d[b] = cross_adjoint_right(d[z], a, b, axisa, axisb, axisc, axis)


@tangent(np.cross, constant=("axisa", "axisb", "axisc"))
def cross_tangent(z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    d[z] = np.cross(d[a], b, axisa, axisb, axisc, axis) \
        + np.cross(a, d[b], axisa, axisb, axisc, axis)


same_as(np.dot, np.ndarray.dot)
nondifferentiable(np.einsum_path, kind=unknown)

if hasattr(np.linalg, "matmul"):                # NumPy 2
    same_as(np.matmul, np.linalg.matmul)
    same_as(np.outer, np.linalg.outer)
    same_as(np.tensordot, np.linalg.tensordot)

    @adjoint(np.linalg.cross, kind=cross_kind, constant=("axis",))
    def cross_along(z, a, b, *, axis=-1):
        d[a] = cross_adjoint_left(d[z], a, b, axis, axis, axis)
        d[b] = cross_adjoint_right(d[z], a, b, axis, axis, axis)

    @tangent(np.linalg.cross, constant=("axis",))
    def cross_along_tangent(z, a, b, *, axis=-1):
        d[z] = np.linalg.cross(d[a], b, axis=axis) + np.linalg.cross(a, d[b], axis=axis)

    @adjoint(np.vecdot, np.linalg.vecdot, kind=vecdot_kind, constant=("axis",))
    def vecdot(z, a, b, *, axis=-1):
        d[a] = vecdot_adjoint_left(d[z], a, b, axis)
        d[b] = vecdot_adjoint_right(d[z], a, b, axis)

    @tangent(np.vecdot, np.linalg.vecdot, constant=("axis",))
    def vecdot_tangent(z, a, b, *, axis=-1):
        d[z] = np.vecdot(d[a], b, axis=axis) + np.vecdot(a, d[b], axis=axis)

if hasattr(np, "matvec"):                       # NumPy 2.2
    @adjoint(np.matvec, kind=some_numbers)
    def matvec(z, a, b):
        d[a] = matvec_adjoint_left(d[z], a, b)
        d[b] = matvec_adjoint_right(d[z], a, b)

    @tangent(np.matvec)
    def matvec_tangent(z, a, b):
        d[z] = np.matvec(d[a], b) + np.matvec(a, d[b])

    @adjoint(np.vecmat, kind=some_numbers)
    def vecmat(z, a, b):
        d[a] = vecmat_adjoint_left(d[z], a, b)
        d[b] = vecmat_adjoint_right(d[z], a, b)

    @tangent(np.vecmat)
    def vecmat_tangent(z, a, b):
        d[z] = np.vecmat(d[a], b) + np.vecmat(a, d[b])
