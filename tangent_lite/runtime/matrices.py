"""What emitted code may call for scipy.linalg: triangles, factors, matrix functions.

Only NumPy is imported; what has to be solved is solved by SciPy, in the rules. Complex numbers are
paired without conjugation. Sources as for runtime/factors.py, and N. Higham, Functions of Matrices
(2008) for matrix functions.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.factors import (
    cholesky_adjoint,
    cholesky_tangent,
    over_gaps,
    pins,
    qr_adjoint,
    qr_tangent,
    triangle_adjoint,
    triangle_tangent,
    turn_adjoint,
    turn_of,
)
from tangent_lite.runtime.linalg import (
    dagger,
    diagonal_part,
    hermitian_part,
    on_diagonal,
    real_for,
    solve_outer,
    transposed,
)


# Triangles --------------------------------------------------------------------------------------
def triangle(x, lower=False, unit=False):
    """The triangle of x that a solver reads, without the diagonal where that is taken as 1."""
    if lower:
        return np.tril(x, -1 if unit else 0)
    return np.triu(x, 1 if unit else 0)


def other_triangle(x, lower=False):
    """The triangle of x that a solver does not read, without the diagonal."""
    return np.triu(x, 1) if lower else np.tril(x, -1)


def back_mode(trans):
    """The mode in which a system is solved for the adjoint: transposed, or not where it was."""
    return 1 if trans == 0 or trans == "N" else 0


def conjugate_for(x, trans):
    """x, or its conjugate where the matrix was taken as its conjugate transpose."""
    return np.conj(x) if trans == 2 or trans == "C" else x


def applied(a, x, trans=0):
    """a x, a^T x or a^H x, as trans says."""
    if trans == 0 or trans == "N":
        return a @ x
    return conjugate_for(transposed(a), trans) @ x


def turned_back(a, transposed=False):
    """The matrix of the adjoint's system: a^T, or a itself where a^T was solved."""
    return a if transposed else np.swapaxes(a, -1, -2)


def system_adjoint(t, x, b, trans=0):
    """Adjoint of a in x = solve(a, b), or with a transposed as trans says, where t is that of b."""
    if trans == 0 or trans == "N":
        return -solve_outer(t, x, b)
    return -conjugate_for(solve_outer(x, t, b), trans)


# Matrices of which a part is read ---------------------------------------------------------------
def whole_matrix(a, assume_a=None, lower=False):
    """The matrix that solve(a, b, assume_a=assume_a, lower=lower) means, all of it."""
    kind = structure_of(assume_a)
    if kind == "general":
        return a
    if kind == "diagonal":
        return on_diagonal(diagonal_part(a))
    if kind == "tridiagonal":
        return np.tril(np.triu(a, -1), 1)
    if kind in ("upper", "lower"):
        return triangle(a, kind == "lower")
    half = triangle(a, lower, unit=True)
    other = dagger(half) if kind == "hermitian" else transposed(half)
    return half + other + on_diagonal(diagonal_part(a))


def part_read(da, assume_a=None):
    """The adjoint da of whole_matrix(a, assume_a, lower) as one of a; for symmetric matrices as a
    function of these."""
    kind = structure_of(assume_a)
    if kind == "hermitian":
        return hermitian_part(da)
    if kind == "symmetric":
        return 0.5 * (da + transposed(da))
    return da if kind == "general" else whole_matrix(da, assume_a)


def structure_of(assume_a):
    """What scipy.linalg.solve is told of a matrix, in one word; NotImplementedError if unknown."""
    names = {None: "general", "gen": "general", "general": "general", "banded": "general",
             "diagonal": "diagonal", "tridiagonal": "tridiagonal", "sym": "symmetric",
             "symmetric": "symmetric", "her": "hermitian", "hermitian": "hermitian",
             "pos": "hermitian", "positive definite": "hermitian", "upper triangular": "upper",
             "lower triangular": "lower"}
    if assume_a not in names:
        raise NotImplementedError(f"the derivative of a solution with assume_a={assume_a!r}")
    return names[assume_a]


# Cholesky factors -------------------------------------------------------------------------------
def cho_solve_adjoint(t, x, b, c, lower=False):
    """Adjoint of c in x = cho_solve((c, lower), b), where t is that of b."""
    g = np.conj(solve_outer(t, x, b))
    both = -(g + dagger(g))
    factor = triangle(c, lower)
    return np.conj(triangle(both @ factor if lower else factor @ both, lower))


def cho_change(dc, c, x, lower=False):
    """The change of a x along dc, where a is the matrix of which c is the factor."""
    factor, dfactor = triangle(c, lower), triangle(dc, lower)
    if lower:
        return dfactor @ (dagger(factor) @ x) + factor @ (dagger(dfactor) @ x)
    return dagger(dfactor) @ (factor @ x) + dagger(factor) @ (dfactor @ x)


def cho_factor_adjoint(dc, c, lower=False):
    """Adjoint of a in c, lower = cho_factor(a, lower); beside the factor stands what a has, or,
    since SciPy 1.18, zeros, which vary with nothing."""
    beside = other_triangle(dc, lower) * (c != 0.0)
    return cholesky_adjoint(triangle(dc, lower), triangle(c, lower), not lower) \
        + hermitian_part(beside)


def cho_factor_tangent(da, c, lower=False):
    """Tangent of c in c, lower = cho_factor(a, lower) along da."""
    return cholesky_tangent(da, triangle(c, lower), not lower) \
        + other_triangle(hermitian_part(da), lower) * (c != 0.0)


# LU ---------------------------------------------------------------------------------------------
def order_of_pivots(piv, lu):
    """The order of the rows that the pivots of lu_factor make: a[order] = l u."""
    if np.ndim(lu) != 2:
        raise NotImplementedError("the derivative of a stack of packed LU factors")
    order = np.arange(len(lu))
    for i, p in enumerate(piv):
        order[[i, p]] = order[[p, i]]
    return order


def lower_factor(lu):
    """l in the packed factors of lu_factor: (m, min(m, n)), of unit diagonal."""
    k = min(np.shape(lu)[-2:])
    return np.tril(lu[..., :, :k], -1) + np.eye(np.shape(lu)[-2], k, dtype=np.real(lu).dtype)


def upper_factor(lu):
    """u in the packed factors of lu_factor: (min(m, n), n)."""
    return np.triu(lu[..., :min(np.shape(lu)[-2:]), :])


def lu_adjoint(dl, du, low, up):
    """Adjoint of l u in its factors l (m, k) and u (k, n), k = min(m, n).

    A square part determines both, what is left follows: for m > n from l2 = a2 inv(u), for m < n
    from u2 = inv(l) a2.
    """
    (m, k), n = np.shape(low)[-2:], np.shape(up)[-1]
    low1, up1 = low[..., :k, :], up[..., :, :k]
    rest = dl
    if m > k:
        rest = transposed(np.linalg.solve(up1, transposed(dl[..., k:, :])))
        du = du - transposed(low[..., k:, :]) @ rest
        dl = dl[..., :k, :]
    if n > k:
        rest = np.linalg.solve(transposed(low1), du[..., :, k:])
        dl = dl - rest @ transposed(up[..., :, k:])
        du = du[..., :, :k]
    inner = np.tril(transposed(low1) @ dl, -1) + np.triu(du @ transposed(up1))
    left = np.linalg.solve(transposed(low1), inner)
    square = transposed(np.linalg.solve(up1, transposed(left)))
    if m > k:
        return np.concatenate((square, rest), axis=-2)
    return np.concatenate((square, rest), axis=-1) if n > k else square


def lower_tangent(da, low, up):
    """Tangent of l in the factors l u of a, along da."""
    k = np.shape(low)[-1]
    dlow = low[..., :k, :] @ np.tril(in_factors(da, low, up), -1)
    if np.shape(low)[-2] == k:
        return dlow
    dup = np.triu(in_factors(da, low, up)) @ up
    change = da[..., k:, :] - low[..., k:, :] @ dup
    rest = transposed(np.linalg.solve(transposed(up), transposed(change)))
    return np.concatenate((dlow, rest), axis=-2)


def upper_tangent(da, low, up):
    """Tangent of u in the factors l u of a, along da."""
    k = np.shape(up)[-2]
    dup = np.triu(in_factors(da, low, up)) @ up[..., :, :k]
    if np.shape(up)[-1] == k:
        return dup
    dlow = low @ np.tril(in_factors(da, low, up), -1)
    rest = np.linalg.solve(low, da[..., :, k:] - dlow @ up[..., :, k:])
    return np.concatenate((dup, rest), axis=-1)


def in_factors(da, low, up):
    """inv(l1) da1 inv(u1), of the square parts."""
    k = np.shape(low)[-1]
    left = np.linalg.solve(low[..., :k, :], da[..., :k, :k])
    return transposed(np.linalg.solve(transposed(up[..., :, :k]), transposed(left)))


def permuted(x, p):
    """p x, for the permutation p of lu, a matrix or the numbers of rows."""
    if np.ndim(p) == np.ndim(x):
        return p @ x
    return np.take_along_axis(x, row_numbers(p), axis=-2)


def unpermuted(x, p):
    """p^T x, for the permutation p of lu, a matrix or the numbers of rows."""
    if np.ndim(p) == np.ndim(x):
        return transposed(p) @ x
    return np.take_along_axis(x, np.argsort(row_numbers(p), axis=-2), axis=-2)


def row_numbers(p):
    """The numbers of rows as a column of integers, to take rows by."""
    return np.asarray(p, int)[..., None]


def factors_adjoint(dy, y):
    """Adjoint of a in p, l, u = lu(a)."""
    return permuted(lu_adjoint(dy[1], dy[2], y[1], y[2]), y[0])


def factors_tangent(da, y):
    """Tangents of p, l, u = lu(a) along da."""
    da = unpermuted(da, y[0])
    return 0.0 * y[0], lower_tangent(da, y[1], y[2]), upper_tangent(da, y[1], y[2])


def two_factors_adjoint(dy, y, p):
    """Adjoint of a in y = lu(a, permute_l=True), the factors p l and u, where p are numbers of
    rows."""
    full = lu_adjoint(unpermuted(dy[0], p), dy[1], unpermuted(y[0], p), y[1])
    return permuted(full, p)


def two_factors_tangent(da, y, p):
    """Tangents of y = lu(a, permute_l=True) along da, where p are numbers of rows."""
    da, low = unpermuted(da, p), unpermuted(y[0], p)
    return permuted(lower_tangent(da, low, y[1]), p), upper_tangent(da, low, y[1])


def packed_adjoint(dlu, lu, piv):
    """Adjoint of a in lu, piv = lu_factor(a)."""
    k = min(np.shape(lu))
    full = lu_adjoint(np.tril(dlu[:, :k], -1), np.triu(dlu[:k]), lower_factor(lu), upper_factor(lu))
    return full[np.argsort(order_of_pivots(piv, lu))]


def packed_tangent(da, lu, piv):
    """Tangent of lu in lu, piv = lu_factor(a) along da."""
    (m, n), k = np.shape(lu), min(np.shape(lu))
    low, up, da = lower_factor(lu), upper_factor(lu), da[order_of_pivots(piv, lu)]
    dlow, dup = lower_tangent(da, low, up), upper_tangent(da, low, up)
    if n > k:
        dlow = np.concatenate((dlow, np.zeros_like(dup[:, k:])), axis=1)
    if m > k:
        dup = np.concatenate((dup, np.zeros_like(dlow[k:])), axis=0)
    return dlow + dup


def lu_solve_adjoint(t, x, b, lu, piv, trans=0):
    """Adjoint of the packed factors in x = lu_solve((lu, piv), b, trans), where t is that of b."""
    da = system_adjoint(t, x, b, trans)[..., order_of_pivots(piv, lu), :]
    low, up = lower_factor(lu), upper_factor(lu)
    return np.tril(da @ transposed(up), -1) + np.triu(transposed(low) @ da)


def lu_change(dlu, lu, piv, x, trans=0):
    """The change of a x, or with a transposed as trans says, along the packed factors dlu."""
    da = np.tril(dlu, -1) @ upper_factor(lu) + lower_factor(lu) @ np.triu(dlu)
    return applied(da[..., np.argsort(order_of_pivots(piv, lu)), :], x, trans)


# Eigenvalues of two matrices --------------------------------------------------------------------
# a v = b v diag(w) and v^H b v = 1, for Hermitian a and b; 1 in place of b if there is none.
def pair_weights(dy, w, v, lower=True, eigvals_only=False):
    """What the adjoint of y = eigh(a, b) weighs the changes of a by, in the basis v."""
    if eigvals_only:
        return on_diagonal(dy)
    dw, dv = dy[0], dy[1]
    if np.iscomplexobj(v):
        dv = dv + turn_adjoint(dv, v, pins(v, (0,) if lower else (-1,)))
    return over_gaps(transposed(v) @ dv, w) + on_diagonal(dw)


def pair_adjoint_first(inner, v):
    """Adjoint of a in w, v = eigh(a, b), as a function of Hermitian matrices."""
    return hermitian_part(np.conj(v) @ inner @ transposed(v))


def pair_adjoint_second(dy, inner, w, v, eigvals_only=False):
    """Adjoint of b in y = eigh(a, b), which fixes the lengths of the vectors as well."""
    full = -inner * w[..., None, :]
    if not eigvals_only:
        full = full - 0.5 * on_diagonal(np.real(diagonal_part(transposed(v) @ dy[1])))
    return hermitian_part(np.conj(v) @ full @ transposed(v))


def pair_changes(da, db, b, w, v):
    """v^H (da - w db) v: what the values and the directions of the vectors change by."""
    inner = dagger(v) @ hermitian_part(da) @ v
    if b is None:
        return inner
    return inner - dagger(v) @ hermitian_part(db) @ v * w[..., None, :]


def pair_tangent(da, db, b, w, v, lower=True, eigvals_only=False):
    """Tangents of the parts of y = eigh(a, b) along da and db."""
    inner = pair_changes(da, db, b, w, v)
    dw = np.real(diagonal_part(inner))
    if eigvals_only:
        return dw
    dv = v @ over_gaps(inner, w)
    if np.iscomplexobj(v):
        dv = dv + 1j * v * turn_of(dv, v, pins(v, (0,) if lower else (-1,)))
    if b is not None:
        lengths = np.real(diagonal_part(dagger(v) @ hermitian_part(db) @ v))
        dv = dv - 0.5 * v * lengths[..., None, :]
    return dw, real_for(dv, v)


# QR with an order of the columns ----------------------------------------------------------------
def pivoted_adjoint(dy, y, a, mode="full", pivoting=False):
    """Adjoint of a in y = scipy.linalg.qr(a, mode=mode, pivoting=pivoting)."""
    order = y[-1] if pivoting else np.arange(np.shape(a)[-1])
    columns = a[..., order]
    if mode == "r":
        full = triangle_adjoint(dy[0], columns)
    else:
        full = qr_adjoint(dy[0] * whole_factors(mode), dy[1], y[0], y[1], columns)
    return full[..., np.argsort(order)]


def pivoted_tangent(da, y, a, mode="full", pivoting=False):
    """Tangents of the parts of y = scipy.linalg.qr(a, mode=mode, pivoting=pivoting) along da."""
    order = y[-1] if pivoting else np.arange(np.shape(a)[-1])
    columns, dcolumns = a[..., order], da[..., order]
    if mode == "r":
        dr = triangle_tangent(dcolumns, columns)
        return (dr, 0.0 * order) if pivoting else (dr,)
    dq, dr = qr_tangent(dcolumns * whole_factors(mode), y[0], y[1], columns)
    return (dq, dr, 0.0 * order) if pivoting else (dq, dr)


def whole_factors(mode):
    """1.0; NotImplementedError for the mode of qr that returns Householder's reflections."""
    if mode not in ("full", "economic"):
        raise NotImplementedError(f"the derivative of scipy.linalg.qr with mode={mode!r}; write "
                                  "mode=\"economic\"")
    return 1.0


def singular_share(a, cond=None):
    """The share of the largest singular value below which scipy.linalg.lstsq takes one as 0."""
    return np.finfo(np.result_type(a, np.float32)).eps if cond is None else cond


# Matrix functions -------------------------------------------------------------------------------
def with_corner(a, e):
    """[[a, e], [0, a]]: an analytic function f of it has f(a) on its diagonal, and the derivative
    of f at a along e in its corner (Higham, theorem 3.6)."""
    upper = np.concatenate((a, e), axis=-1)
    lower = np.concatenate((0.0 * a, a), axis=-1)
    return np.concatenate((upper, lower), axis=-2)


def corner(x):
    """The upper right block of four."""
    n = np.shape(x)[-1] // 2
    return x[..., :n, n:]
