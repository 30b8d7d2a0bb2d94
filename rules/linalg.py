"""Linear algebra: norms, determinants, solutions, factorisations."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import norm as norm_kind
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime import unbroadcast, unreduce
from tangent_lite.runtime_linalg import (
    as_matrix_factor,
    chain_part,
    chain_parts,
    chain_tangent,
    cholesky_adjoint,
    cholesky_tangent,
    diagonal_sum,
    eigh_adjoint,
    eigh_tangent,
    eigvalsh_adjoint,
    matrix_power_adjoint,
    matrix_power_tangent,
    pinv_adjoint,
    pinv_tangent,
    solve_outer,
    solve_tangent,
    solve_transposed,
    svd_back,
    svd_forth,
    transposed,
)
from tangent_lite.runtime_reductions import norm_slope
from tangent_lite.shape_kinds import (
    determinant,
    eigenvalues,
    pinv_kind,
    sign_and_log,
    singular_parts,
    solve_kind,
    square_like,
    values_and_vectors,
)


@adjoint(np.linalg.norm, kind=norm_kind)
def norm(y, x, ord=None, axis=None, keepdims=False):
    d[x] = unreduce(d[y], x, axis, keepdims) * norm_slope(y, x, ord, axis, keepdims)


@tangent(np.linalg.norm)
def norm_tangent(y, x, ord=None, axis=None, keepdims=False):
    d[y] = np.real(np.sum(d[x] * norm_slope(y, x, ord, axis, keepdims), axis=axis,
                          keepdims=keepdims))


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


@adjoint(np.linalg.det, kind=determinant)
def det(y, a):
    d[a] = as_matrix_factor(d[y] * y) * transposed(np.linalg.inv(a))


@tangent(np.linalg.det)
def det_tangent(y, a):
    d[y] = y * diagonal_sum(np.linalg.solve(a, d[a]))


@adjoint(np.linalg.slogdet, kind=sign_and_log)
def slogdet(y, a):
    d[a] = as_matrix_factor(d[y][1]) * transposed(np.linalg.inv(a))


@tangent(np.linalg.slogdet)
def slogdet_tangent(y, a):
    d[y] = (0.0 * y[0], diagonal_sum(np.linalg.solve(a, d[a])))


@adjoint(np.linalg.cholesky, kind=square_like)
def cholesky(y, a):
    d[a] = cholesky_adjoint(d[y], y)


@tangent(np.linalg.cholesky)
def cholesky_tangent_(y, a):
    d[y] = cholesky_tangent(d[a], y)


@adjoint(np.linalg.eigh, kind=values_and_vectors)
def eigh(y, a):
    d[a] = eigh_adjoint(d[y][0], d[y][1], y[0], y[1])


@tangent(np.linalg.eigh)
def eigh_tangent_(y, a):
    d[y] = eigh_tangent(d[a], y[0], y[1])


@adjoint(np.linalg.eigvalsh, kind=eigenvalues)
def eigvalsh(y, a):
    d[a] = eigvalsh_adjoint(d[y], a)


@tangent(np.linalg.eigvalsh)
def eigvalsh_tangent(y, a):
    d[y] = eigh_tangent(d[a], y, np.linalg.eigh(a)[1])[0]


@adjoint(np.linalg.svd, kind=singular_parts)
def svd(y, a, full_matrices=True, compute_uv=True):
    d[a] = svd_back(d[y], y, a, full_matrices, compute_uv)


@tangent(np.linalg.svd)
def svd_tangent(y, a, full_matrices=True, compute_uv=True):
    d[y] = svd_forth(d[a], y, a, full_matrices, compute_uv)


@adjoint(np.linalg.pinv, kind=pinv_kind)
def pinv(y, a):
    d[a] = pinv_adjoint(d[y], y, a)


@tangent(np.linalg.pinv)
def pinv_tangent_(y, a):
    d[y] = pinv_tangent(d[a], y, a)


@adjoint(np.linalg.matrix_power, kind=square_like, constant=("n",))
def matrix_power(y, a, n):
    d[a] = matrix_power_adjoint(d[y], a, n)


@tangent(np.linalg.matrix_power, constant=("n",))
def matrix_power_tangent_(y, a, n):
    d[y] = matrix_power_tangent(d[a], a, n)


@adjoint(np.linalg.multi_dot, kind=unknown)
def multi_dot(y, arrays):
    for k, x in enumerate(arrays):
        d[x] = chain_part(d[y], k, arrays)
    d[arrays] = chain_parts(d[y], arrays)


@tangent(np.linalg.multi_dot)
def multi_dot_tangent(y, arrays):
    d[y] = chain_tangent(d[arrays], arrays)


nondifferentiable(np.linalg.matrix_rank, kind=unknown)
