"""scipy.linalg: factors, and systems that are solved by them; eigenvalues and singular values.

Read once scipy.linalg is in use.
"""
import numpy as np
import scipy.linalg as sl

from tangent_lite.registry import adjoint, refuse_where, tangent
from tangent_lite.result_kinds import limits
from tangent_lite.result_kinds.factorisations import (
    cho_factor_kind,
    lu_factor_kind,
    lu_kind,
    of_one_matrix,
    scipy_eig_kind,
    scipy_eigh_kind,
    scipy_eigvals_kind,
    scipy_qr_kind,
    scipy_svd_kind,
    second_solved,
    singular_values,
)
from tangent_lite.result_kinds.shapes import square_like
from tangent_lite.runtime.factors import (
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
from tangent_lite.runtime.linalg import diagonal_part, on_diagonal
from tangent_lite.runtime.matrices import (
    back_mode,
    cho_change,
    cho_factor_adjoint,
    cho_factor_tangent,
    cho_solve_adjoint,
    conjugate_for,
    factors_adjoint,
    factors_tangent,
    lu_change,
    lu_solve_adjoint,
    packed_adjoint,
    packed_tangent,
    pair_adjoint_first,
    pair_adjoint_second,
    pair_tangent,
    pair_weights,
    pivoted_adjoint,
    pivoted_tangent,
    two_factors_adjoint,
    two_factors_tangent,
)


# Factors ----------------------------------------------------------------------------------------
@adjoint(sl.cholesky, kind=square_like)
def cholesky(y, a, lower=False, *, check_finite=True):
    d[a] = cholesky_adjoint(d[y], y, not lower)


@tangent(sl.cholesky)
def cholesky_tangent_(y, a, lower=False, *, check_finite=True):
    d[y] = cholesky_tangent(d[a], y, not lower)


@adjoint(sl.cho_factor, kind=of_one_matrix(cho_factor_kind))
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


@adjoint(sl.lu_factor, kind=of_one_matrix(lu_factor_kind))
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


@adjoint(sl.qr, kind=of_one_matrix(scipy_qr_kind))
def qr(y, a, *, lwork=None, mode="full", pivoting=False, check_finite=True):
    d[a] = pivoted_adjoint(d[y], y, a, mode, pivoting)


@tangent(sl.qr)
def qr_tangent(y, a, *, lwork=None, mode="full", pivoting=False, check_finite=True):
    d[y] = pivoted_tangent(d[a], y, a, mode, pivoting)


# Eigenvalues and singular values ----------------------------------------------------------------
@adjoint(sl.eigh, kind=of_one_matrix(scipy_eigh_kind))
def eigh(y, a, b=None, *, lower=True, eigvals_only=False, check_finite=True, driver=None):
    found = sl.eigh(a, b, lower=lower) if eigvals_only else y
    inner = pair_weights(d[y], found[0], found[1], lower, eigvals_only)
    d[a] = pair_adjoint_first(inner, found[1])
    d[b] = pair_adjoint_second(d[y], inner, found[0], found[1], eigvals_only)


@tangent(sl.eigh)
def eigh_tangent(y, a, b=None, *, lower=True, eigvals_only=False, check_finite=True, driver=None):
    found = sl.eigh(a, b, lower=lower) if eigvals_only else y
    d[y] = pair_tangent(d[a], d[b], b, found[0], found[1], lower, eigvals_only)


@adjoint(sl.eigvalsh, kind=of_one_matrix(singular_values))
def eigvalsh(y, a, b=None, *, lower=True, check_finite=True, driver=None):
    v = sl.eigh(a, b, lower=lower)[1]
    d[a] = pair_adjoint_first(on_diagonal(d[y]), v)
    d[b] = pair_adjoint_second(d[y], on_diagonal(d[y]), y, v, True)


@tangent(sl.eigvalsh)
def eigvalsh_tangent(y, a, b=None, *, lower=True, check_finite=True, driver=None):
    v = sl.eigh(a, b, lower=lower)[1]
    d[y] = pair_tangent(d[a], d[b], b, y, v, lower, True)


@adjoint(sl.eig, kind=of_one_matrix(scipy_eig_kind))
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


@adjoint(sl.svd, kind=of_one_matrix(scipy_svd_kind))
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


# Of numbers SciPy makes matrices.
refuse_where(limits.of_matrices, sl.cholesky, sl.cho_factor, sl.lu, sl.qr, sl.eigh, sl.eigvalsh,
             sl.eig, sl.eigvals, sl.svd, sl.svdvals)
refuse_where(limits.of_one_matrix, sl.lu_factor)
