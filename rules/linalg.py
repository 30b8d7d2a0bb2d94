"""Linear algebra: norms, determinants, solutions, inverses."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, refuse_where, tangent
from tangent_lite.result_kinds import (
    elementwise,
    scalar_float,
    scalar_int,
    shaped_like_second,
    unknown,
)
from tangent_lite.result_kinds import norm as norm_kind
from tangent_lite.result_kinds import trace as trace_kind
from tangent_lite.result_kinds.bins import rank_kind
from tangent_lite.result_kinds.factorisations import (
    adjoint_of_second,
    chain_kind,
    cond_kind,
    identity_kind,
    lstsq_kind,
    matrix_norm_kind,
    more_rank,
    slogdet_kind,
    stacked_factor,
    tensor_kind,
    tensorinv_kind,
    vector_norm_kind,
    weight_kind,
)
from tangent_lite.result_kinds.limits import of_one_order
from tangent_lite.result_kinds.of_python import list_of_int
from tangent_lite.result_kinds.shapes import (
    copied,
    determinant,
    less_rank,
    pinv_kind,
    same_rank,
    solve_kind,
    square_like,
)
from tangent_lite.runtime import through_dtype, unbroadcast, unreduce
from tangent_lite.runtime.factors import SlogdetResult, svdvals_adjoint, svdvals_tangent
from tangent_lite.runtime.linalg import (
    as_matrix_factor,
    chain_part,
    chain_parts,
    chain_tangent,
    cofactors,
    cofactors_curve,
    cofactors_tangent,
    cond_slope,
    counted_axes,
    dagger,
    diagonal_part,
    diagonal_sum,
    hermitian_part,
    identity_like,
    least_singular,
    lstsq_adjoint_left,
    lstsq_adjoint_right,
    lstsq_tangent,
    matrix_power_slope,
    on_diagonal,
    pinv_adjoint,
    pinv_tangent,
    real_for,
    residuals_tangent,
    slogdet_weight,
    solve_outer,
    solve_tangent,
    solve_transposed,
    spin,
    tensor_order,
    tensor_rows,
    tensorinv_adjoint,
    tensorinv_tangent,
    tensorsolve_adjoint,
    tensorsolve_outer,
    tensorsolve_tangent,
    transposed,
    vector_norm_slope,
)
from tangent_lite.runtime.reductions import norm_slope
from tangent_lite.runtime.shapes import trace_adjoint, undiagonal


# Norms ------------------------------------------------------------------------------------------
@adjoint(np.linalg.norm, kind=norm_kind)
def norm(y, x, ord=None, axis=None, keepdims=False):
    d[x] = unreduce(d[y], x, axis, keepdims) * norm_slope(y, x, ord, axis, keepdims)


@tangent(np.linalg.norm)
def norm_tangent(y, x, ord=None, axis=None, keepdims=False):
    d[y] = np.real(np.sum(d[x] * norm_slope(y, x, ord, axis, keepdims), axis=axis,
                          keepdims=keepdims))


refuse_where(of_one_order, np.linalg.norm)


@adjoint(np.linalg.cond, kind=cond_kind)
def cond(y, x, p=None):
    d[x] = as_matrix_factor(np.real(d[y])) * cond_slope(x, p)


@tangent(np.linalg.cond)
def cond_tangent(y, x, p=None):
    d[y] = np.real(np.sum(d[x] * cond_slope(x, p), axis=(-2, -1)))


if hasattr(np.linalg, "vector_norm"):           # NumPy 2
    @adjoint(np.linalg.vector_norm, kind=vector_norm_kind, constant=("ord",))
    def vector_norm(y, x, *, axis=None, keepdims=False, ord=2):
        d[x] = unreduce(d[y], x, axis, keepdims) * vector_norm_slope(y, x, ord, axis, keepdims)

    @tangent(np.linalg.vector_norm, constant=("ord",))
    def vector_norm_tangent(y, x, *, axis=None, keepdims=False, ord=2):
        d[y] = np.real(np.sum(d[x] * vector_norm_slope(y, x, ord, axis, keepdims), axis=axis,
                              keepdims=keepdims))

    @adjoint(np.linalg.matrix_norm, kind=matrix_norm_kind)
    def matrix_norm(y, x, *, keepdims=False, ord="fro"):
        d[x] = unreduce(d[y], x, (-2, -1), keepdims) * norm_slope(y, x, ord, (-2, -1), keepdims)

    @tangent(np.linalg.matrix_norm)
    def matrix_norm_tangent(y, x, *, keepdims=False, ord="fro"):
        d[y] = np.real(np.sum(d[x] * norm_slope(y, x, ord, (-2, -1), keepdims), axis=(-2, -1),
                              keepdims=keepdims))

    @adjoint(np.linalg.diagonal, kind=less_rank, view="always", constant=("offset",))
    def diagonal(y, x, *, offset=0):
        d[x] = undiagonal(d[y], x, offset, -2, -1)

    @tangent(np.linalg.diagonal, constant=("offset",))
    def diagonal_tangent(y, x, *, offset=0):
        d[y] = np.diagonal(d[x], offset, -2, -1)

    @adjoint(np.linalg.trace, kind=trace_kind, constant=("offset",))
    def trace(y, x, *, offset=0, dtype=None):
        d[x] = trace_adjoint(through_dtype(d[y], dtype), x, offset, -2, -1)

    @tangent(np.linalg.trace, constant=("offset",))
    def trace_tangent(y, x, *, offset=0, dtype=None):
        d[y] = through_dtype(np.trace(d[x], offset, -2, -1), dtype)


# Solutions and inverses -------------------------------------------------------------------------
@adjoint(np.linalg.inv, kind=square_like)
def inv(y, a):
    d[a] = -transposed(y) @ d[y] @ transposed(y)


@tangent(np.linalg.inv)
def inv_tangent(y, a):
    d[y] = -y @ d[a] @ y


@adjoint(np.linalg.solve, kind=solve_kind)
def solve(z, a, b):
    t = solve_transposed(a, d[z], b)
    d[a] = unbroadcast(-solve_outer(t, z, b), a)
    d[b] = unbroadcast(t, b)


@tangent(np.linalg.solve)
def solve_tangent_(z, a, b):
    d[z] = solve_tangent(a, d[a], z, b) + np.linalg.solve(a, d[b])


@adjoint(np.linalg.tensorsolve, kind=tensor_kind, constant=("axes",))
def tensorsolve(x, a, b, axes=None):
    t = tensorsolve_adjoint(d[x], a, b, axes)
    d[a] = tensorsolve_outer(t, x, a, axes)
    d[b] = t


@tangent(np.linalg.tensorsolve, constant=("axes",))
def tensorsolve_tangent_(x, a, b, axes=None):
    d[x] = tensorsolve_tangent(d[a], x, a, b, axes) + np.linalg.tensorsolve(a, d[b], axes)


@adjoint(np.linalg.tensorinv, kind=tensorinv_kind, constant=("ind",))
def tensorinv(y, a, ind=2):
    d[a] = tensorinv_adjoint(d[y], y, a, ind)


@tangent(np.linalg.tensorinv, constant=("ind",))
def tensorinv_tangent_(y, a, ind=2):
    d[y] = tensorinv_tangent(d[a], y, a, ind)


@adjoint(np.linalg.pinv, kind=pinv_kind)
def pinv(y, a, rcond=None, hermitian=False, *, rtol=None):
    d[a] = pinv_adjoint(d[y], y, a, hermitian)


@tangent(np.linalg.pinv)
def pinv_tangent_(y, a, rcond=None, hermitian=False, *, rtol=None):
    d[y] = pinv_tangent(d[a], y, a, hermitian)


@adjoint(np.linalg.lstsq, kind=lstsq_kind)
def lstsq(y, a, b, rcond=None):
    inverse = np.linalg.pinv(a, least_singular(a, rcond))
    t = lstsq_adjoint_right(d[y][0], np.real(d[y][1]), y[0], inverse, a, b)
    d[a] = lstsq_adjoint_left(t, d[y][0], y[0], inverse, a, b) \
        + svdvals_adjoint(np.real(d[y][3]), a)
    d[b] = t


@tangent(np.linalg.lstsq)
def lstsq_tangent_(y, a, b, rcond=None):
    inverse = np.linalg.pinv(a, least_singular(a, rcond))
    d[y] = (lstsq_tangent(d[a], d[b], y[0], inverse, a, b),
            residuals_tangent(d[a], d[b], y[1], y[0], a, b), 0.0, svdvals_tangent(d[a], a))


# Determinants -----------------------------------------------------------------------------------
@adjoint(np.linalg.det, kind=determinant)
def det(y, a):
    d[a] = as_matrix_factor(d[y]) * cofactors(y, a)


@tangent(np.linalg.det)
def det_tangent(y, a):
    d[y] = np.sum(d[a] * cofactors(y, a), axis=(-2, -1))


@adjoint(np.linalg.slogdet, kind=slogdet_kind)
def slogdet(y, a):
    d[a] = as_matrix_factor(slogdet_weight(d[y][0], np.real(d[y][1]), y[0])) \
        * transposed(np.linalg.inv(a))


@tangent(np.linalg.slogdet)
def slogdet_tangent(y, a):
    t = diagonal_sum(np.linalg.solve(a, d[a]))
    d[y] = SlogdetResult(spin(t) * y[0], np.real(t))


# Powers and products ----------------------------------------------------------------------------
@adjoint(np.linalg.matrix_power, kind=square_like, view="maybe", constant=("n",))
def matrix_power(y, a, n):
    d[a] = matrix_power_slope(d[y], transposed(a), n)


@tangent(np.linalg.matrix_power, constant=("n",))
def matrix_power_tangent(y, a, n):
    d[y] = matrix_power_slope(d[a], a, n)


@adjoint(np.linalg.multi_dot, kind=chain_kind)
def multi_dot(y, arrays):
    for k, x in enumerate(arrays):
        d[x] = chain_part(d[y], k, arrays)
    d[arrays] = chain_parts(d[y], arrays)


@tangent(np.linalg.multi_dot)
def multi_dot_tangent(y, arrays):
    d[y] = chain_tangent(d[arrays], arrays)


nondifferentiable(np.linalg.matrix_rank, kind=rank_kind)


# Helpers ----------------------------------------------------------------------------------------
nondifferentiable(tensor_order, kind=list_of_int)
nondifferentiable(counted_axes, kind=unknown)
nondifferentiable(counted_axes, kind=unknown)
nondifferentiable(tensor_rows, kind=scalar_int)
nondifferentiable(least_singular, kind=scalar_float)


# The derivatives of a determinant are symmetric: one helper serves both modes.
@adjoint(cofactors, kind=shaped_like_second)
def cofactors_(c, y, a):
    d[y] = None
    d[a] = cofactors_tangent(d[c], y, a)


@tangent(cofactors)
def cofactors_tangent_(c, y, a):
    d[y] = None
    d[c] = cofactors_tangent(d[a], y, a)


@adjoint(cofactors_tangent, kind=shaped_like_second)
def cofactors_tangent_adjoint(t, da, y, a):
    d[da] = cofactors_tangent(d[t], y, a)
    d[y] = None
    d[a] = cofactors_curve(da, d[t], a)


@tangent(cofactors_tangent)
def cofactors_tangent_tangent(t, da, y, a):
    d[t] = cofactors_tangent(d[da], y, a) + cofactors_curve(da, d[a], a)
    d[y] = None


nondifferentiable(identity_like, kind=identity_kind)


@adjoint(transposed, kind=same_rank, view="always")
def transposed_(y, x):
    d[x] = transposed(d[y])


@tangent(transposed)
def transposed_tangent(y, x):
    d[y] = transposed(d[x])


@adjoint(dagger, kind=same_rank, view="maybe")
def dagger_(y, x):
    d[x] = dagger(d[y])


@tangent(dagger)
def dagger_tangent(y, x):
    d[y] = dagger(d[x])


@adjoint(hermitian_part, kind=copied)
def hermitian_part_(y, x):
    d[x] = hermitian_part(d[y])


@tangent(hermitian_part)
def hermitian_part_tangent(y, x):
    d[y] = hermitian_part(d[x])


@adjoint(diagonal_part, kind=less_rank, view="always")
def diagonal_part_(y, x):
    d[x] = undiagonal(d[y], x, 0, -2, -1)


@tangent(diagonal_part)
def diagonal_part_tangent(y, x):
    d[y] = diagonal_part(d[x])


@adjoint(on_diagonal, kind=more_rank)
def on_diagonal_(y, w):
    d[w] = diagonal_part(d[y])


@tangent(on_diagonal)
def on_diagonal_tangent(y, w):
    d[y] = on_diagonal(d[w])


@adjoint(diagonal_sum, kind=trace_kind)
def diagonal_sum_(y, x):
    d[x] = trace_adjoint(d[y], x, 0, -2, -1)


@tangent(diagonal_sum)
def diagonal_sum_tangent(y, x):
    d[y] = diagonal_sum(d[x])


@adjoint(as_matrix_factor, kind=stacked_factor, view="maybe")
def as_matrix_factor_(y, x):
    d[x] = np.sum(d[y], axis=(-2, -1))


@tangent(as_matrix_factor)
def as_matrix_factor_tangent(y, x):
    d[y] = as_matrix_factor(d[x])


# Of the real and imaginary parts of numbers: each is its own adjoint.
@adjoint(spin, kind=elementwise)
def spin_(y, x):
    d[x] = spin(d[y])


@tangent(spin)
def spin_tangent(y, x):
    d[y] = spin(d[x])


@adjoint(real_for, kind=adjoint_of_second, view="maybe")
def real_for_(y, dx, x):
    d[dx] = real_for(d[y], x)
    d[x] = None


@tangent(real_for)
def real_for_tangent(y, dx, x):
    d[y] = real_for(d[dx], x)
    d[x] = None


@adjoint(slogdet_weight, kind=weight_kind)
def slogdet_weight_(y, dsign, dlog, sign):
    d[dsign] = spin(d[y]) * sign
    d[dlog] = np.real(d[y])
    d[sign] = spin(d[y]) * dsign


@tangent(slogdet_weight)
def slogdet_weight_tangent(y, dsign, dlog, sign):
    d[y] = slogdet_weight(d[dsign], d[dlog], sign) + spin(dsign * d[sign])
