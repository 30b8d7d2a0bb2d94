"""scipy.linalg: solutions, factors, matrix functions. Read once scipy.linalg is in use.

Results are left alone by options that save time (`check_finite`, `lapack_driver`); those that write
over the arguments (`overwrite_a`) are not covered, and refused.
"""
import numpy as np
import scipy.linalg as sl

from tangent_lite.registry import adjoint, nondifferentiable, refuse, same_as, tangent
from tangent_lite.result_kinds import int_vector, scalar_float, text, unknown
from tangent_lite.result_kinds import norm as norm_kind
from tangent_lite.runtime import unreduce
from tangent_lite.runtime_factors import (
    cholesky_adjoint,
    cholesky_tangent,
    eig_adjoint,
    eig_vectors,
    eigvals_adjoint,
    eigvals_tangent,
    in_eigenbasis,
    svd_back,
    svd_tangents,
    svdvals_adjoint,
    svdvals_tangent,
)
from tangent_lite.runtime_linalg import (
    as_matrix_factor,
    cofactors,
    dagger,
    diagonal_part,
    lstsq_adjoint_left,
    lstsq_adjoint_right,
    lstsq_tangent,
    on_diagonal,
    pinv_adjoint,
    pinv_tangent,
    real_for,
    residuals_tangent,
    transposed,
)
from tangent_lite.runtime_matrices import (
    applied,
    back_mode,
    band_outer,
    band_places,
    band_product,
    band_transposed,
    block_of,
    cho_change,
    cho_factor_adjoint,
    cho_factor_tangent,
    cho_solve_adjoint,
    conjugate_for,
    corner,
    factors_adjoint,
    factors_tangent,
    flipped,
    half_bands,
    in_block,
    in_blocks,
    lu_change,
    lu_solve_adjoint,
    order_of_pivots,
    packed_adjoint,
    packed_tangent,
    pair_adjoint_first,
    pair_adjoint_second,
    pair_tangent,
    pair_weights,
    part_read,
    pivoted_adjoint,
    pivoted_tangent,
    row_numbers,
    singular_share,
    stored_band,
    structure_of,
    system_adjoint,
    toeplitz_column,
    toeplitz_row,
    triangle,
    turned_back,
    two_factors_adjoint,
    two_factors_tangent,
    whole_band,
    whole_factors,
    whole_matrix,
    with_corner,
)
from tangent_lite.runtime_reductions import norm_slope
from tangent_lite.shape_kinds import determinant, int_array, pinv_kind, square_like
from tangent_lite.shape_kinds_algebra import (
    cho_factor_kind,
    lu_factor_kind,
    lu_kind,
    matrix_function,
    matrix_of_parts,
    scipy_eig_kind,
    scipy_eigh_kind,
    scipy_eigvals_kind,
    scipy_lstsq_kind,
    scipy_qr_kind,
    scipy_svd_kind,
    second_solved,
    singular_values,
    solved,
    solved_by_third,
    solved_for_third,
    toeplitz_kind,
)


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


@adjoint(sl.lstsq, kind=scipy_lstsq_kind)
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


@adjoint(sl.pinv, kind=pinv_kind)
def pinv(y, a, *, atol=None, rtol=None, check_finite=True):
    d[a] = pinv_adjoint(d[y], y, a)


@tangent(sl.pinv)
def pinv_tangent_(y, a, *, atol=None, rtol=None, check_finite=True):
    d[y] = pinv_tangent(d[a], y, a)


@adjoint(sl.pinvh, kind=pinv_kind)
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


# Factors ----------------------------------------------------------------------------------------
@adjoint(sl.cholesky, kind=square_like)
def cholesky(y, a, lower=False, *, check_finite=True):
    d[a] = cholesky_adjoint(d[y], y, not lower)


@tangent(sl.cholesky)
def cholesky_tangent_(y, a, lower=False, *, check_finite=True):
    d[y] = cholesky_tangent(d[a], y, not lower)


@adjoint(sl.cho_factor, kind=cho_factor_kind)
def cho_factor(y, a, lower=False, *, check_finite=True):
    d[a] = cho_factor_adjoint(d[y][0], y[0], lower)


@tangent(sl.cho_factor)
def cho_factor_tangent_(y, a, lower=False, *, check_finite=True):
    d[y] = (cho_factor_tangent(d[a], y[0], lower), 0.0)


@adjoint(sl.cho_solve, kind=second_solved)
def cho_solve(x, c_and_lower, b, *, check_finite=True):
    t = np.conj(sl.cho_solve(c_and_lower, np.conj(d[x])))
    for c in c_and_lower:
        d[c] = cho_solve_adjoint(t, x, b, c_and_lower[0], c_and_lower[1])
    d[c_and_lower] = (cho_solve_adjoint(t, x, b, c_and_lower[0], c_and_lower[1]), None)
    d[b] = t


@tangent(sl.cho_solve)
def cho_solve_tangent(x, c_and_lower, b, *, check_finite=True):
    d[x] = sl.cho_solve(c_and_lower, d[b]) - sl.cho_solve(
        c_and_lower, cho_change(d[c_and_lower][0], c_and_lower[0], x, c_and_lower[1]))


@adjoint(sl.lu_factor, kind=lu_factor_kind)
def lu_factor(y, a, *, check_finite=True):
    d[a] = packed_adjoint(d[y][0], y[0], y[1])


@tangent(sl.lu_factor)
def lu_factor_tangent(y, a, *, check_finite=True):
    d[y] = (packed_tangent(d[a], y[0], y[1]), 0.0 * y[1])


@adjoint(sl.lu_solve, kind=second_solved, constant=("trans",))
def lu_solve(x, lu_and_piv, b, trans=0, *, check_finite=True):
    t = conjugate_for(sl.lu_solve(lu_and_piv, conjugate_for(d[x], trans), back_mode(trans)), trans)
    for part in lu_and_piv:
        d[part] = lu_solve_adjoint(t, x, b, lu_and_piv[0], lu_and_piv[1], trans)
    d[lu_and_piv] = (lu_solve_adjoint(t, x, b, lu_and_piv[0], lu_and_piv[1], trans), None)
    d[b] = t


@tangent(sl.lu_solve, constant=("trans",))
def lu_solve_tangent(x, lu_and_piv, b, trans=0, *, check_finite=True):
    d[x] = sl.lu_solve(lu_and_piv, d[b], trans) - sl.lu_solve(
        lu_and_piv, lu_change(d[lu_and_piv][0], lu_and_piv[0], lu_and_piv[1], x, trans), trans)


@adjoint(sl.lu, kind=lu_kind)
def lu(y, a, permute_l=False, *, check_finite=True, p_indices=False):
    d[a] = two_factors_adjoint(d[y], y, sl.lu(a, p_indices=True)[0]) if permute_l \
        else factors_adjoint(d[y], y)


@tangent(sl.lu)
def lu_tangent(y, a, permute_l=False, *, check_finite=True, p_indices=False):
    d[y] = two_factors_tangent(d[a], y, sl.lu(a, p_indices=True)[0]) if permute_l \
        else factors_tangent(d[a], y)


@adjoint(sl.qr, kind=scipy_qr_kind)
def qr(y, a, *, lwork=None, mode="full", pivoting=False, check_finite=True):
    d[a] = pivoted_adjoint(d[y], y, a, mode, pivoting)


@tangent(sl.qr)
def qr_tangent(y, a, *, lwork=None, mode="full", pivoting=False, check_finite=True):
    d[y] = pivoted_tangent(d[a], y, a, mode, pivoting)


# Eigenvalues and singular values ----------------------------------------------------------------
@adjoint(sl.eigh, kind=scipy_eigh_kind)
def eigh(y, a, b=None, *, lower=True, eigvals_only=False, check_finite=True, driver=None):
    found = sl.eigh(a, b, lower=lower) if eigvals_only else y
    inner = pair_weights(d[y], found[0], found[1], lower, eigvals_only)
    d[a] = pair_adjoint_first(inner, found[1])
    d[b] = pair_adjoint_second(d[y], inner, found[0], found[1], eigvals_only)


@tangent(sl.eigh)
def eigh_tangent(y, a, b=None, *, lower=True, eigvals_only=False, check_finite=True, driver=None):
    found = sl.eigh(a, b, lower=lower) if eigvals_only else y
    d[y] = pair_tangent(d[a], d[b], b, found[0], found[1], lower, eigvals_only)


@adjoint(sl.eigvalsh, kind=singular_values)
def eigvalsh(y, a, b=None, *, lower=True, check_finite=True, driver=None):
    v = sl.eigh(a, b, lower=lower)[1]
    d[a] = pair_adjoint_first(on_diagonal(d[y]), v)
    d[b] = pair_adjoint_second(d[y], on_diagonal(d[y]), y, v, True)


@tangent(sl.eigvalsh)
def eigvalsh_tangent(y, a, b=None, *, lower=True, check_finite=True, driver=None):
    v = sl.eigh(a, b, lower=lower)[1]
    d[y] = pair_tangent(d[a], d[b], b, y, v, lower, True)


@adjoint(sl.eig, kind=scipy_eig_kind)
def eig(y, a, *, check_finite=True):
    d[a] = eig_adjoint(d[y][0], d[y][1], y[0], y[1], a)


@tangent(sl.eig)
def eig_tangent(y, a, *, check_finite=True):
    inner = in_eigenbasis(d[a], y[1])
    d[y] = (diagonal_part(inner) + 0j, eig_vectors(inner, y[0], y[1]))


@adjoint(sl.eigvals, kind=scipy_eigvals_kind)
def eigvals(y, a, *, check_finite=True):
    d[a] = eigvals_adjoint(d[y], y, a)


@tangent(sl.eigvals)
def eigvals_tangent_(y, a, *, check_finite=True):
    d[y] = eigvals_tangent(d[a], y, a) + 0j


@adjoint(sl.svd, kind=scipy_svd_kind)
def svd(y, a, full_matrices=True, compute_uv=True, *, check_finite=True, lapack_driver="gesdd"):
    d[a] = svd_back(d[y], y, a, compute_uv)


@tangent(sl.svd)
def svd_tangent(y, a, full_matrices=True, compute_uv=True, *, check_finite=True,
                lapack_driver="gesdd"):
    d[y] = svd_tangents(d[a], y, a, compute_uv)


@adjoint(sl.svdvals, kind=singular_values)
def svdvals(y, a, *, check_finite=True):
    d[a] = svdvals_adjoint(np.real(d[y]), a)


@tangent(sl.svdvals)
def svdvals_tangent_(y, a, *, check_finite=True):
    d[y] = svdvals_tangent(d[a], a)


# Matrix functions -------------------------------------------------------------------------------
@adjoint(sl.expm, kind=square_like)
def expm(y, A):
    d[A] = real_for(corner(sl.expm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.expm)
def expm_tangent(y, A):
    d[y] = corner(sl.expm(with_corner(A, d[A])))


@adjoint(sl.cosm, kind=square_like)
def cosm(y, A):
    d[A] = real_for(corner(sl.cosm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.cosm)
def cosm_tangent(y, A):
    d[y] = corner(sl.cosm(with_corner(A, d[A])))


@adjoint(sl.sinm, kind=square_like)
def sinm(y, A):
    d[A] = real_for(corner(sl.sinm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.sinm)
def sinm_tangent(y, A):
    d[y] = corner(sl.sinm(with_corner(A, d[A])))


@adjoint(sl.tanm, kind=square_like)
def tanm(y, A):
    d[A] = real_for(corner(sl.tanm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.tanm)
def tanm_tangent(y, A):
    d[y] = corner(sl.tanm(with_corner(A, d[A])))


@adjoint(sl.coshm, kind=square_like)
def coshm(y, A):
    d[A] = real_for(corner(sl.coshm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.coshm)
def coshm_tangent(y, A):
    d[y] = corner(sl.coshm(with_corner(A, d[A])))


@adjoint(sl.sinhm, kind=square_like)
def sinhm(y, A):
    d[A] = real_for(corner(sl.sinhm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.sinhm)
def sinhm_tangent(y, A):
    d[y] = corner(sl.sinhm(with_corner(A, d[A])))


@adjoint(sl.tanhm, kind=square_like)
def tanhm(y, A):
    d[A] = real_for(corner(sl.tanhm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.tanhm)
def tanhm_tangent(y, A):
    d[y] = corner(sl.tanhm(with_corner(A, d[A])))


@adjoint(sl.logm, kind=matrix_function)
def logm(y, A):
    d[A] = real_for(corner(sl.logm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.logm)
def logm_tangent(y, A):
    d[y] = corner(sl.logm(with_corner(A, d[A])))


@adjoint(sl.sqrtm, kind=matrix_function)
def sqrtm(y, A):
    d[A] = real_for(sl.solve_sylvester(transposed(y), transposed(y), d[y]), A)


@tangent(sl.sqrtm)
def sqrtm_tangent(y, A):
    d[y] = sl.solve_sylvester(y, y, d[A])


@adjoint(sl.fractional_matrix_power, kind=matrix_function, constant=("t",))
def fractional_matrix_power(y, A, t):
    d[A] = real_for(corner(sl.fractional_matrix_power(with_corner(transposed(A), d[y]), t)), A)


@tangent(sl.fractional_matrix_power, constant=("t",))
def fractional_matrix_power_tangent(y, A, t):
    d[y] = corner(sl.fractional_matrix_power(with_corner(A, d[A]), t))


# Special matrices -------------------------------------------------------------------------------
@adjoint(sl.toeplitz, kind=toeplitz_kind)
def toeplitz(y, c, r=None):
    d[c] = toeplitz_column(d[y], c, r)
    d[r] = toeplitz_row(d[y], r)


@tangent(sl.toeplitz)
def toeplitz_tangent(y, c, r=None):
    d[y] = sl.toeplitz(d[c], np.conj(d[c]) if r is None else d[r])


@adjoint(sl.block_diag, kind=matrix_of_parts)
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
