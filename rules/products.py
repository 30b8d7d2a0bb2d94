"""Products of arrays: dot, inner, outer, tensordot, einsum, kron, cross."""
import numpy as np

from tangent_lite.registry import adjoint, same_as, tangent
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime_products import (
    dot_adjoint_left,
    dot_adjoint_right,
    einsum_operand,
    einsum_tangent,
    inner_adjoint_left,
    inner_adjoint_right,
    kron_adjoint_left,
    kron_adjoint_right,
    outer_adjoint_left,
    outer_adjoint_right,
    tensordot_adjoint_left,
    tensordot_adjoint_right,
)
from tangent_lite.runtime_shapes import reshape_like
from tangent_lite.shape_kinds import dot as dot_kind
from tangent_lite.shape_kinds import einsum as einsum_kind
from tangent_lite.shape_kinds import inner as inner_kind
from tangent_lite.shape_kinds import kron as kron_kind
from tangent_lite.shape_kinds import outer as outer_kind
from tangent_lite.shape_kinds import scalar_product, some_array
from tangent_lite.shape_kinds import tensordot as tensordot_kind


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


@adjoint(np.einsum, kind=einsum_kind, constant=("spec",), view="maybe")
def einsum(z, spec, *xs, optimize=False):
    for k, x in enumerate(xs):
        d[x] = unbroadcast(einsum_operand(spec, k, d[z], xs), x)


@tangent(np.einsum, constant=("spec",))
def einsum_tangent_(z, spec, *xs, optimize=False):
    d[z] = einsum_tangent(spec, d[xs], xs)


@adjoint(np.kron, kind=kron_kind)
def kron(z, a, b):
    d[a] = kron_adjoint_left(d[z], a, b)
    d[b] = kron_adjoint_right(d[z], a, b)


@tangent(np.kron)
def kron_tangent(z, a, b):
    d[z] = np.kron(d[a], b) + np.kron(a, d[b])


# Of vectors with three components, along the last axis.
@adjoint(np.cross, kind=some_array)
def cross(z, a, b):
    d[a] = unbroadcast(np.cross(b, d[z]), a)
    d[b] = unbroadcast(np.cross(d[z], a), b)


@tangent(np.cross)
def cross_tangent(z, a, b):
    d[z] = np.cross(d[a], b) + np.cross(a, d[b])


same_as(np.dot, np.ndarray.dot)
if hasattr(np.linalg, "matmul"):                # NumPy 2
    same_as(np.matmul, np.linalg.matmul)
    same_as(np.outer, np.linalg.outer)
    same_as(np.cross, np.linalg.cross)
