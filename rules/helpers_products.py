"""Rules of the helpers in runtime/products.py: each is linear in both factors."""
import numpy as np

from tangent_lite.registry import adjoint, tangent
from tangent_lite.result_kinds import shaped_like_second, shaped_like_third, unknown
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.products import (
    dot_adjoint_left,
    dot_adjoint_right,
    einsum_adjoint,
    einsum_adjoint_other,
    einsum_adjoint_tangent,
    einsum_along,
    einsum_along_adjoint,
    einsum_along_second,
    einsum_operand,
    einsum_operand_other,
    einsum_operand_tangent,
    einsum_replaced,
    einsum_second,
    einsum_tangent,
    einsum_tangent_adjoint,
    einsum_with,
    inner_adjoint_left,
    inner_adjoint_right,
    kron_adjoint_left,
    kron_adjoint_right,
    outer_adjoint_left,
    outer_adjoint_right,
    tensordot_adjoint_left,
    tensordot_adjoint_right,
)


@adjoint(dot_adjoint_left, kind=shaped_like_second)
def dot_left(bx, dz, x, y):
    d[dz] = np.dot(d[bx], y)
    d[x] = None
    d[y] = dot_adjoint_right(dz, d[bx], y)


@tangent(dot_adjoint_left)
def dot_left_tangent(bx, dz, x, y):
    d[bx] = dot_adjoint_left(d[dz], x, y) + dot_adjoint_left(dz, x, d[y])
    d[x] = None


@adjoint(dot_adjoint_right, kind=shaped_like_third)
def dot_right(by, dz, x, y):
    d[dz] = np.dot(x, d[by])
    d[x] = dot_adjoint_left(dz, x, d[by])
    d[y] = None


@tangent(dot_adjoint_right)
def dot_right_tangent(by, dz, x, y):
    d[by] = dot_adjoint_right(d[dz], x, y) + dot_adjoint_right(dz, d[x], y)
    d[y] = None


@adjoint(inner_adjoint_left, kind=shaped_like_second)
def inner_left(bx, dz, x, y):
    d[dz] = np.inner(d[bx], y)
    d[x] = None
    d[y] = inner_adjoint_right(dz, d[bx], y)


@tangent(inner_adjoint_left)
def inner_left_tangent(bx, dz, x, y):
    d[bx] = inner_adjoint_left(d[dz], x, y) + inner_adjoint_left(dz, x, d[y])
    d[x] = None


@adjoint(inner_adjoint_right, kind=shaped_like_third)
def inner_right(by, dz, x, y):
    d[dz] = np.inner(x, d[by])
    d[x] = inner_adjoint_left(dz, x, d[by])
    d[y] = None


@tangent(inner_adjoint_right)
def inner_right_tangent(by, dz, x, y):
    d[by] = inner_adjoint_right(d[dz], x, y) + inner_adjoint_right(dz, d[x], y)
    d[y] = None


@adjoint(outer_adjoint_left, kind=shaped_like_second)
def outer_left(bx, dz, x, y):
    d[dz] = np.outer(d[bx], y)
    d[x] = None
    d[y] = outer_adjoint_right(dz, d[bx], y)


@tangent(outer_adjoint_left)
def outer_left_tangent(bx, dz, x, y):
    d[bx] = outer_adjoint_left(d[dz], x, y) + outer_adjoint_left(dz, x, d[y])
    d[x] = None


@adjoint(outer_adjoint_right, kind=shaped_like_third)
def outer_right(by, dz, x, y):
    d[dz] = np.outer(x, d[by])
    d[x] = outer_adjoint_left(dz, x, d[by])
    d[y] = None


@tangent(outer_adjoint_right)
def outer_right_tangent(by, dz, x, y):
    d[by] = outer_adjoint_right(d[dz], x, y) + outer_adjoint_right(dz, d[x], y)
    d[y] = None


@adjoint(kron_adjoint_left, kind=shaped_like_second)
def kron_left(bx, dz, x, y):
    d[dz] = np.kron(d[bx], y)
    d[x] = None
    d[y] = kron_adjoint_right(dz, d[bx], y)


@tangent(kron_adjoint_left)
def kron_left_tangent(bx, dz, x, y):
    d[bx] = kron_adjoint_left(d[dz], x, y) + kron_adjoint_left(dz, x, d[y])
    d[x] = None


@adjoint(kron_adjoint_right, kind=shaped_like_third)
def kron_right(by, dz, x, y):
    d[dz] = np.kron(x, d[by])
    d[x] = kron_adjoint_left(dz, x, d[by])
    d[y] = None


@tangent(kron_adjoint_right)
def kron_right_tangent(by, dz, x, y):
    d[by] = kron_adjoint_right(d[dz], x, y) + kron_adjoint_right(dz, d[x], y)
    d[y] = None


@adjoint(tensordot_adjoint_left, kind=shaped_like_second, constant=("axes",))
def tensordot_left(bx, dz, x, y, axes=2):
    d[dz] = np.tensordot(d[bx], y, axes)
    d[x] = None
    d[y] = tensordot_adjoint_right(dz, d[bx], y, axes)


@tangent(tensordot_adjoint_left, constant=("axes",))
def tensordot_left_tangent(bx, dz, x, y, axes=2):
    d[bx] = tensordot_adjoint_left(d[dz], x, y, axes) + tensordot_adjoint_left(dz, x, d[y], axes)
    d[x] = None


@adjoint(tensordot_adjoint_right, kind=shaped_like_third, constant=("axes",))
def tensordot_right(by, dz, x, y, axes=2):
    d[dz] = np.tensordot(x, d[by], axes)
    d[x] = tensordot_adjoint_left(dz, x, d[by], axes)
    d[y] = None


@tangent(tensordot_adjoint_right, constant=("axes",))
def tensordot_right_tangent(by, dz, x, y, axes=2):
    d[by] = tensordot_adjoint_right(d[dz], x, y, axes) + tensordot_adjoint_right(dz, d[x], y, axes)
    d[y] = None


# Sums of products of several arrays ---------------------------------------------------------------
@adjoint(einsum_operand, kind=unknown, view="maybe", constant=("spec", "k"))
def einsum_operand_(y, spec, k, dz, xs):
    d[dz] = einsum_replaced(spec, k, d[y], xs)
    for j, x in enumerate(xs):
        d[x] = unbroadcast(einsum_operand_other(spec, j, k, d[y], dz, xs), x)


@tangent(einsum_operand, constant=("spec", "k"))
def einsum_operand_tangent_(y, spec, k, dz, xs):
    d[y] = einsum_operand(spec, k, d[dz], xs) + einsum_operand_tangent(spec, k, dz, d[xs], xs)


@adjoint(einsum_adjoint, kind=unknown, view="maybe", constant=("k",))
def einsum_adjoint_(y, k, dz, operands):
    d[dz] = einsum_with(k, d[y], operands)
    for j, x in enumerate(operands):
        d[x] = unbroadcast(einsum_adjoint_other(j, k, d[y], dz, operands), x)


@tangent(einsum_adjoint, constant=("k",))
def einsum_adjoint_tangent_(y, k, dz, operands):
    d[y] = einsum_adjoint(k, d[dz], operands) + einsum_adjoint_tangent(k, dz, d[operands], operands)


@adjoint(einsum_tangent, kind=unknown, constant=("spec",))
def einsum_tangent_(z, spec, dxs, xs):
    for k, dx in enumerate(dxs):
        d[dx] = unbroadcast(einsum_operand(spec, k, d[z], xs), dx)
    for j, x in enumerate(xs):
        d[x] = unbroadcast(einsum_tangent_adjoint(spec, j, d[z], dxs, xs), x)


@tangent(einsum_tangent, constant=("spec",))
def einsum_tangent_tangent(z, spec, dxs, xs):
    d[z] = einsum_tangent(spec, d[dxs], xs) + einsum_second(spec, d[xs], dxs, xs)


@adjoint(einsum_along, kind=unknown)
def einsum_along_(z, dxs, operands):
    for k, dx in enumerate(dxs):
        d[dx] = unbroadcast(einsum_adjoint(k, d[z], operands), dx)
    for j, x in enumerate(operands):
        d[x] = unbroadcast(einsum_along_adjoint(j, d[z], dxs, operands), x)


@tangent(einsum_along)
def einsum_along_tangent(z, dxs, operands):
    d[z] = einsum_along(d[dxs], operands) + einsum_along_second(d[operands], dxs, operands)
