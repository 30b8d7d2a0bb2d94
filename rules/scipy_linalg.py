"""scipy.linalg: solutions, inverses, determinants, special matrices. Read once it is in use.

Results are left alone by options that save time (`check_finite`, `lapack_driver`); those that write
over the arguments (`overwrite_a`) are not covered, and refused.
"""
import numpy as np
import scipy.linalg as sl

from tangent_lite.registry import adjoint, nondifferentiable, refuse, refuse_where, same_as, tangent
from tangent_lite.result_kinds import int_vector, limits, scalar_float, text, unknown
from tangent_lite.result_kinds import norm as norm_kind
from tangent_lite.result_kinds.factorisations import (
    matrix_of_blocks,
    matrix_of_parts,
    of_one_matrix,
    pseudo_inverse,
    scipy_lstsq_kind,
    solved,
    solved_by_third,
    solved_for_third,
    toeplitz_kind,
)
from tangent_lite.result_kinds.shapes import determinant, int_array, square_like
from tangent_lite.runtime import unreduce
from tangent_lite.runtime.bands import (
    band_outer,
    band_places,
    band_product,
    band_transposed,
    block_of,
    flipped,
    half_bands,
    in_block,
    in_blocks,
    stored_band,
    toeplitz_column,
    toeplitz_row,
    whole_band,
)
from tangent_lite.runtime.factors import svdvals_adjoint, svdvals_tangent
from tangent_lite.runtime.linalg import (
    as_matrix_factor,
    cofactors,
    dagger,
    lstsq_adjoint_left,
    lstsq_adjoint_right,
    lstsq_tangent,
    pinv_adjoint,
    pinv_tangent,
    residuals_tangent,
    transposed,
)
from tangent_lite.runtime.matrices import (
    applied,
    back_mode,
    conjugate_for,
    order_of_pivots,
    part_read,
    row_numbers,
    singular_share,
    structure_of,
    system_adjoint,
    triangle,
    turned_back,
    whole_factors,
    whole_matrix,
)
from tangent_lite.runtime.reductions import norm_slope


# Solutions --------------------------------------------------------------------------------------
@adjoint(sl.solve, kind=solved)
def solve(x, a, b, lower=False, *, check_finite=True, assume_a=None, transposed=False):
    t = sl.solve(turned_back(whole_matrix(a, assume_a, lower), transposed), d[x])
    d[a] = part_read(system_adjoint(t, x, b, transposed), assume_a)
    d[b] = t


@tangent(sl.solve)
def solve_tangent(x, a, b, lower=False, *, check_finite=True, assume_a=None, transposed=False):
    d[x] = sl.solve(a, d[b], lower, assume_a=assume_a, transposed=transposed) \
        - sl.solve(a, applied(part_read(d[a], assume_a), x, transposed), lower, assume_a=assume_a,
                   transposed=transposed)


@adjoint(sl.solve_triangular, kind=solved, constant=("trans",))
def solve_triangular(x, a, b, trans=0, lower=False, unit_diagonal=False, *, check_finite=True):
    t = conjugate_for(sl.solve_triangular(a, conjugate_for(d[x], trans), back_mode(trans), lower,
                                          unit_diagonal), trans)
    d[a] = triangle(system_adjoint(t, x, b, trans), lower, unit_diagonal)
    d[b] = t


@tangent(sl.solve_triangular, constant=("trans",))
def solve_triangular_tangent(x, a, b, trans=0, lower=False, unit_diagonal=False, *,
                             check_finite=True):
    d[x] = sl.solve_triangular(a, d[b], trans, lower, unit_diagonal) \
        - sl.solve_triangular(a, applied(triangle(d[a], lower, unit_diagonal), x, trans), trans,
                              lower, unit_diagonal)


@adjoint(sl.solve_banded, kind=solved_by_third, constant=("l_and_u",))
def solve_banded(x, l_and_u, ab, b, *, check_finite=True):
    t = sl.solve_banded(flipped(l_and_u), band_transposed(ab, l_and_u), d[x])
    d[ab] = band_outer(t, x, l_and_u)
    d[b] = t


@tangent(sl.solve_banded, constant=("l_and_u",))
def solve_banded_tangent(x, l_and_u, ab, b, *, check_finite=True):
    d[x] = sl.solve_banded(l_and_u, ab, d[b]) \
        - sl.solve_banded(l_and_u, ab, band_product(d[ab], x, l_and_u))


@adjoint(sl.solveh_banded, kind=solved)
def solveh_banded(x, ab, b, *, lower=False, check_finite=True):
    t = np.conj(sl.solveh_banded(ab, np.conj(d[x]), lower=lower))
    d[ab] = stored_band(band_outer(t, x, half_bands(ab)), lower)
    d[b] = t


@tangent(sl.solveh_banded)
def solveh_banded_tangent(x, ab, b, *, lower=False, check_finite=True):
    d[x] = sl.solveh_banded(ab, d[b], lower=lower) \
        - sl.solveh_banded(ab, band_product(whole_band(d[ab], lower), x, half_bands(ab)),
                           lower=lower)


@adjoint(sl.solve_sylvester, kind=solved_for_third)
def solve_sylvester(x, a, b, q):
    t = sl.solve_sylvester(transposed(a), transposed(b), d[x])
    d[a] = -t @ transposed(x)
    d[b] = -transposed(x) @ t
    d[q] = t


@tangent(sl.solve_sylvester)
def solve_sylvester_tangent(x, a, b, q):
    d[x] = sl.solve_sylvester(a, b, d[q]) - sl.solve_sylvester(a, b, d[a] @ x) \
        - sl.solve_sylvester(a, b, x @ d[b])


@adjoint(sl.solve_continuous_lyapunov, kind=solved)
def solve_continuous_lyapunov(x, a, q):
    t = sl.solve_sylvester(transposed(a), np.conj(a), d[x])
    d[a] = -t @ transposed(x) - np.conj(transposed(t) @ x)
    d[q] = t


@tangent(sl.solve_continuous_lyapunov)
def solve_continuous_lyapunov_tangent(x, a, q):
    d[x] = sl.solve_continuous_lyapunov(a, d[q]) \
        - sl.solve_continuous_lyapunov(a, d[a] @ x + x @ dagger(d[a]))


@adjoint(sl.solve_discrete_lyapunov, kind=solved)
def solve_discrete_lyapunov(x, a, q, method=None):
    t = sl.solve_discrete_lyapunov(transposed(a), d[x])
    d[a] = t @ np.conj(a) @ transposed(x) + np.conj(transposed(t) @ a @ x)
    d[q] = t


@tangent(sl.solve_discrete_lyapunov)
def solve_discrete_lyapunov_tangent(x, a, q, method=None):
    d[x] = sl.solve_discrete_lyapunov(a, d[q]) \
        + sl.solve_discrete_lyapunov(a, d[a] @ x @ dagger(a) + a @ x @ dagger(d[a]))


@adjoint(sl.lstsq, kind=of_one_matrix(scipy_lstsq_kind))
def lstsq(y, a, b, cond=None, *, check_finite=True):
    inverse = np.linalg.pinv(a, singular_share(a, cond))
    t = lstsq_adjoint_right(d[y][0], np.real(d[y][1]), y[0], inverse, a, b)
    d[a] = lstsq_adjoint_left(t, d[y][0], y[0], inverse, a, b) \
        + svdvals_adjoint(np.real(d[y][3]), a)
    d[b] = t


@tangent(sl.lstsq)
def lstsq_tangent_(y, a, b, cond=None, *, check_finite=True):
    inverse = np.linalg.pinv(a, singular_share(a, cond))
    d[y] = (lstsq_tangent(d[a], d[b], y[0], inverse, a, b),
            residuals_tangent(d[a], d[b], y[1], y[0], a, b), 0.0, svdvals_tangent(d[a], a))


# Inverses, determinants, norms ------------------------------------------------------------------
@adjoint(sl.inv, kind=square_like)
def inv(y, a, *, check_finite=True):
    d[a] = -transposed(y) @ d[y] @ transposed(y)


@tangent(sl.inv)
def inv_tangent(y, a, *, check_finite=True):
    d[y] = -y @ d[a] @ y


@adjoint(sl.pinv, kind=pseudo_inverse)
def pinv(y, a, *, atol=None, rtol=None, check_finite=True):
    d[a] = pinv_adjoint(d[y], y, a)


@tangent(sl.pinv)
def pinv_tangent_(y, a, *, atol=None, rtol=None, check_finite=True):
    d[y] = pinv_tangent(d[a], y, a)


@adjoint(sl.pinvh, kind=pseudo_inverse)
def pinvh(y, a, *, atol=None, rtol=None, lower=True, check_finite=True):
    d[a] = pinv_adjoint(d[y], y, whole_matrix(a, "her", lower), True)


@tangent(sl.pinvh)
def pinvh_tangent(y, a, *, atol=None, rtol=None, lower=True, check_finite=True):
    d[y] = pinv_tangent(d[a], y, whole_matrix(a, "her", lower), True)


@adjoint(sl.det, kind=determinant)
def det(y, a, *, check_finite=True):
    d[a] = as_matrix_factor(d[y]) * cofactors(y, a)


@tangent(sl.det)
def det_tangent(y, a, *, check_finite=True):
    d[y] = np.sum(d[a] * cofactors(y, a), axis=(-2, -1))


@adjoint(sl.norm, kind=norm_kind)
def norm(y, a, ord=None, axis=None, keepdims=False, check_finite=True):
    d[a] = unreduce(d[y], a, axis, keepdims) * norm_slope(y, a, ord, axis, keepdims)


@tangent(sl.norm)
def norm_tangent(y, a, ord=None, axis=None, keepdims=False, check_finite=True):
    d[y] = np.real(np.sum(d[a] * norm_slope(y, a, ord, axis, keepdims), axis=axis,
                          keepdims=keepdims))


# Special matrices -------------------------------------------------------------------------------
@adjoint(sl.toeplitz, kind=toeplitz_kind)
def toeplitz(y, c, r=None):
    d[c] = toeplitz_column(d[y], c, r)
    d[r] = toeplitz_row(d[y], r)


@tangent(sl.toeplitz)
def toeplitz_tangent(y, c, r=None):
    d[y] = sl.toeplitz(d[c], np.conj(d[c]) if r is None else d[r])


@adjoint(sl.block_diag, kind=matrix_of_blocks)
def block_diag(y, *arrs):
    for k, x in enumerate(arrs):
        d[x] = block_of(d[y], k, arrs)


@tangent(sl.block_diag)
def block_diag_tangent(y, *arrs):
    d[y] = in_blocks(d[arrs], arrs)


if hasattr(sl, "kron"):                         # before SciPy 1.15
    same_as(np.kron, sl.kron)

nondifferentiable(back_mode, flipped, half_bands, kind=unknown)
nondifferentiable(order_of_pivots, kind=int_vector)
nondifferentiable(singular_share, whole_factors, kind=scalar_float)
nondifferentiable(row_numbers, kind=int_array)
nondifferentiable(structure_of, kind=text)
nondifferentiable(band_places, kind=unknown)


# Of the blocks of a matrix: each helper is linear.
@adjoint(block_of, kind=unknown, view="maybe", constant=("k",))
def block_of_(x, dy, k, arrays):
    d[dy] = in_block(d[x], k, arrays)
    for a in arrays:
        d[a] = None


@tangent(block_of, constant=("k",))
def block_of_tangent(x, dy, k, arrays):
    d[x] = block_of(d[dy], k, arrays)
    d[arrays] = None


@adjoint(in_block, kind=matrix_of_parts, constant=("k",))
def in_block_(y, x, k, arrays):
    d[x] = block_of(d[y], k, arrays)
    for a in arrays:
        d[a] = None


@tangent(in_block, constant=("k",))
def in_block_tangent(y, x, k, arrays):
    d[y] = in_block(d[x], k, arrays)
    d[arrays] = None


@adjoint(in_blocks, kind=matrix_of_parts)
def in_blocks_(y, dxs, arrays):
    for k, dx in enumerate(dxs):
        d[dx] = block_of(d[y], k, arrays)
    for a in arrays:
        d[a] = None


@tangent(in_blocks)
def in_blocks_tangent(y, dxs, arrays):
    d[y] = in_blocks(d[dxs], arrays)
    d[arrays] = None


# What is decided against ------------------------------------------------------------------------
refuse(sl.schur, sl.qz, sl.ordqz, sl.hessenberg, sl.ldl, sl.rq,
       why="its factors have no derivative that is known here",
       instead="call eigh, eig, qr, svd or cholesky")
refuse(sl.polar, why="it has no rule",
       instead="write u, s, vh = np.linalg.svd(a, full_matrices=False): u @ vh is the first factor")
refuse(sl.eig_banded, sl.eigvals_banded, sl.eigh_tridiagonal, sl.eigvalsh_tridiagonal,
       sl.cholesky_banded, sl.cho_solve_banded, why="it reads bands, and has no rule",
       instead="write the matrix out, and call eigh or cholesky; for solutions call solveh_banded")

# Of numbers SciPy makes matrices, and of stacks of matrices other stacks, as its version has it.
refuse_where(limits.of_systems, sl.solve, sl.solve_triangular, sl.lstsq)
refuse_where(limits.of_third_matrix, sl.solve_sylvester)
refuse_where(limits.of_vectors, sl.toeplitz)
refuse_where(limits.of_parts, sl.block_diag)
refuse_where(limits.of_one_order, sl.norm)
refuse_where(limits.of_matrices, sl.inv, sl.pinv, sl.pinvh, sl.det)
