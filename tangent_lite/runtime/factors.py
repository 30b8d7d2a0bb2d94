"""What emitted code may call for factorisations: Cholesky, eigenvalues, singular values, QR.

Matrices may be stacked: (..., n, n). Only NumPy is imported. Complex numbers are paired without
conjugation: the adjoint of z is the conjugate of what is called gradient in the papers.

Sources: M. Giles, An extended collection of matrix derivative results for forward and reverse mode
automatic differentiation (2008); I. Murray, Differentiation of the Cholesky decomposition (2016);
S. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions (2010). What
depends on a phase of complex vectors is this project's own: LAPACK leaves one component of each
vector real, and so does the derivative.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.linalg import (
    dagger,
    diagonal_part,
    hermitian_part,
    identity_like,
    on_diagonal,
    real_for,
    transposed,
)


def _several(*parts):
    """What a NumPy without named results returns."""
    return parts


def _class_of(result):
    return type(result) if hasattr(result, "_fields") else _several


EighResult = _class_of(np.linalg.eigh(np.eye(1)))
EigResult = _class_of(np.linalg.eig(np.eye(1)))
SVDResult = _class_of(np.linalg.svd(np.eye(1)))
QRResult = _class_of(np.linalg.qr(np.eye(1)))
SlogdetResult = _class_of(np.linalg.slogdet(np.eye(1)))


# Cholesky -----------------------------------------------------------------------------------------
def cholesky_adjoint(dfactor, factor, upper=False):
    """Adjoint of a in factor = cholesky(a, upper=upper), as a function of Hermitian matrices.

    NumPy solves triangular systems as any others, in the time of an inverse, which serves both
    sides here. That of an upper triangle is found by substitution alone, without exchanged rows.
    """
    low, dlow = (dagger(factor), dagger(dfactor)) if upper else (factor, dfactor)
    inner = half_below(transposed(low) @ dlow)
    inner = hermitian_part(inner)
    inverse = np.linalg.inv(transposed(low))
    return inverse @ inner @ dagger(inverse)


def cholesky_tangent(da, factor, upper=False):
    """Tangent of factor = cholesky(a, upper=upper) along the Hermitian part of da."""
    low = dagger(factor) if upper else factor
    inverse = np.linalg.inv(dagger(low))
    inner = dagger(inverse) @ hermitian_part(da) @ inverse
    dlow = low @ half_below(inner)
    return dagger(dlow) if upper else dlow


def half_below(x):
    """x below the diagonal, half of it on the diagonal, 0 above."""
    return np.tril(x) - 0.5 * x * identity_like(x)


# Differences of eigenvalues -----------------------------------------------------------------------
def over_gaps(x, w):
    """x[i, j] / (w[j] - w[i]), and 0 on the diagonal; x is (..., n, n), w is (..., n).

    Where two values are equal it is infinite, for the vectors are then not defined; but 0 where x
    is 0, which is to say that nobody asks for these vectors.
    """
    gaps = w[..., None, :] - w[..., :, None]
    none = np.equal(x, 0) | (identity_like(w) != 0)
    return np.where(none, 0.0, np.divide(x, np.where(none & (gaps == 0), 1, gaps)))


def gap_products(dw, y):
    """y[i, j] (dw[j] - dw[i]): for the tangent of over_gaps along dw."""
    return y * (dw[..., None, :] - dw[..., :, None])


def gap_sums(x):
    """The sums of x over its columns less those over its rows: adjoint of w in w[j] - w[i]."""
    return np.sum(x, axis=-2) - np.sum(x, axis=-1)


# Phases of complex vectors ------------------------------------------------------------------------
def pins(z, rows=None):
    """1 at the component of each column of z that the factorisation leaves real, else 0.

    That is the first of the rows that are named, if it is real in all columns but for rounding;
    without rows the largest component. A column of which no such component is real, or where it is
    0, gets no pin: its phase is arbitrary.
    """
    tolerance = 64.0 * np.finfo(np.real(z).dtype).eps
    real = np.abs(np.imag(z)) <= tolerance
    found = np.zeros(np.shape(z), np.real(z).dtype)
    if rows is None:
        size = np.where(real, np.abs(z), 0.0)
        largest = np.argmax(size, axis=-2)[..., None, :] == np.arange(np.shape(z)[-2])[:, None]
        found[largest & (size > tolerance)] = 1.0
        return found
    for row in rows:
        left = np.sum(found, axis=-2) == 0
        whole = np.all(real[..., row, :], axis=-1, keepdims=True)
        found[..., row, :] = left & whole & (np.abs(z[..., row, :]) > tolerance)
    return found


def pair_pins(u, v):
    """The pins of singular vectors u over v: LAPACK leaves the first row of v real, and that of u
    where there are more columns than rows."""
    rows, columns = np.shape(u)[-2], np.shape(v)[-2]
    z = np.concatenate((u, v), axis=-2)
    return pins(z, (0, rows) if columns > rows else (rows, 0))


def turn_of(dz, z, pinned):
    """By how much each column of z turns for the pinned component to stay real along dz; (..., 1,
    k)."""
    length = np.sum(pinned * np.real(z), axis=-2, keepdims=True)
    return -np.sum(pinned * np.imag(dz), axis=-2, keepdims=True) \
        / (length * phases_known(np.inf, 1.0, pinned))


def turn_adjoint(dz, z, pinned):
    """What the turn of each column adds to the adjoint dz of z + 1j z turn_of(dz, z, pinned)."""
    turn = np.imag(np.sum(dz * z, axis=-2, keepdims=True))
    size = np.sum(np.abs(dz * z), axis=-2, keepdims=True)
    length = np.sum(pinned * np.real(z), axis=-2, keepdims=True)
    turn = turn * phases_known(turn, size, pinned) / np.where(length == 0, 1.0, length)
    return -1j * pinned * turn


def phases_known(turn, size, pinned):
    """1.0; NotImplementedError if a column without a pin shall turn by more than rounding."""
    free = np.sum(pinned, axis=-2, keepdims=True) == 0
    if np.any(free & (np.abs(turn) > 1e-6 * size)):
        raise NotImplementedError(
            "the derivative of complex eigenvectors or singular vectors whose phases are "
            "arbitrary, since the component that LAPACK leaves real is 0; reverse mode takes it "
            "where the result does not depend on them")
    return 1.0


# Hermitian eigenvalues ----------------------------------------------------------------------------
def eigh_adjoint(dw, dv, w, v, uplo="L"):
    """Adjoint of a in w, v = eigh(a), as a function of Hermitian matrices."""
    if np.iscomplexobj(v):
        dv = dv + turn_adjoint(dv, v, pins(v, (0,) if uplo in "Ll" else (-1,)))
    inner = over_gaps(transposed(v) @ dv, w) + on_diagonal(dw)
    return real_for(hermitian_part(np.conj(v) @ inner @ transposed(v)), v)


def in_basis(da, v):
    """v^H da v, for the Hermitian part of da."""
    return dagger(v) @ hermitian_part(da) @ v


def eigh_vectors(inner, w, v, uplo="L"):
    """Tangent of v in w, v = eigh(a), where inner is v^H da v."""
    dv = v @ over_gaps(inner, w)
    if np.iscomplexobj(v):
        dv = dv + 1j * v * turn_of(dv, v, pins(v, (0,) if uplo in "Ll" else (-1,)))
    return real_for(dv, v)


# Eigenvalues --------------------------------------------------------------------------------------
def eig_adjoint(dw, dv, w, v, a):
    """Adjoint of a in w, v = eig(a), whose vectors have length 1 and a largest component that is
    real; real for a real a."""
    along = np.real(np.sum(dv * v, axis=-2, keepdims=True))
    if np.iscomplexobj(v):
        dv = dv + turn_adjoint(dv, v, pins(v))
    dv = dv - np.conj(v) * along
    inner = over_gaps(transposed(v) @ dv, w) + on_diagonal(dw)
    return real_for(np.linalg.solve(transposed(v), inner @ transposed(v)), a)


def in_eigenbasis(da, v):
    """inv(v) da v."""
    return np.linalg.solve(v, da @ v)


def eig_vectors(inner, w, v):
    """Tangent of v in w, v = eig(a), where inner is inv(v) da v."""
    dv = v @ over_gaps(inner, w)
    dv = dv - v * np.sum(np.real(np.conj(v) * dv), axis=-2, keepdims=True)
    if np.iscomplexobj(v):
        dv = dv + 1j * v * turn_of(dv, v, pins(v))
    return real_for(dv, v)


def eigvals_adjoint(dw, w, a):
    """Adjoint of a in w = eigvals(a)."""
    v = vectors_of(w, a)
    inner = on_diagonal(dw) @ transposed(v)
    return real_for(np.linalg.solve(transposed(v), inner), a)


def eigvals_tangent(da, w, a):
    """Tangent of w = eigvals(a) along da."""
    return diagonal_part(in_eigenbasis(da, vectors_of(w, a)))


def vectors_of(w, a):
    """The eigenvectors of a in the order of w = eigvals(a), which may be another than that of eig.
    """
    found = np.linalg.eig(a)
    return np.take_along_axis(found[1], places_of(w, found[0]), axis=-1)


def places_of(w, others):
    """Where in others the values w stand, to choose columns by."""
    return np.argmin(np.abs(w[..., :, None] - others[..., None, :]), axis=-1)[..., None, :]


# Singular values ----------------------------------------------------------------------------------
def svd_adjoint(du, ds, dvh, u, s, vh):
    """Adjoint of a in u, s, vh = svd(a), for different singular values other than 0.

    Of a full factorisation only the vectors that belong to singular values have a derivative.
    """
    k = np.shape(s)[-1]
    u, v = u[..., :k], dagger(vh[..., :k, :])
    du = du[..., :k] * nothing_in(du[..., k:])
    dv = dagger(dvh[..., :k, :]) * nothing_in(dvh[..., k:, :])
    if np.iscomplexobj(u):
        rows = np.shape(u)[-2]
        z, dz = np.concatenate((u, v), axis=-2), np.concatenate((du, dv), axis=-2)
        dz = dz + turn_adjoint(dz, z, pair_pins(u, v))
        du, dv = dz[..., :rows, :], dz[..., rows:, :]
    gu, gv = np.conj(du), np.conj(dv)                       # gradients, as in the papers
    p, q = dagger(u) @ gu, dagger(v) @ gv
    x, y = over_gaps(p, s * s), over_gaps(q, s * s)
    inner = (x + dagger(x)) * s[..., None, :] + s[..., :, None] * (y + dagger(y)) \
        + on_diagonal(ds)
    if np.iscomplexobj(u):
        inner = inner + 1j * on_diagonal(np.imag(diagonal_part(p)) / s)
    full = u @ inner @ dagger(v)
    if np.shape(u)[-2] > k:
        full = full + ((gu - u @ p) / s[..., None, :]) @ dagger(v)
    if np.shape(v)[-2] > k:
        full = full + (u / s[..., None, :]) @ dagger(gv - v @ q)
    return real_for(np.conj(full), u)


def nothing_in(dx):
    """1.0; NotImplementedError if there is something in the adjoint of arbitrary vectors."""
    if np.any(np.not_equal(dx, 0)):
        raise NotImplementedError(
            "the derivative of vectors that are arbitrary: those of np.linalg.svd beyond the "
            "singular values (write full_matrices=False), those of np.linalg.qr beyond the columns "
            "of the matrix (write mode=\"reduced\")")
    return 1.0


def svd_tangent(da, u, s, vh):
    """Tangents of u and vh in u, s, vh = svd(a) along da; NaN in what a full factorisation has
    beyond the singular values, which is arbitrary."""
    k, rows, columns = np.shape(s)[-1], np.shape(u)[-2], np.shape(vh)[-1]
    thin, v = u[..., :k], dagger(vh[..., :k, :])
    m = dagger(thin) @ da @ v
    row, column = s[..., None, :], s[..., :, None]
    du = thin @ over_gaps(m * row + column * dagger(m), s * s)
    dv = v @ over_gaps(column * m + dagger(m) * row, s * s)
    if rows > k:
        du = du + (da @ v - thin @ m) / row
    if columns > k:
        dv = dv + (dagger(da) @ thin - v @ dagger(m)) / row
    if np.iscomplexobj(u):
        du = du + 1j * thin * (np.imag(diagonal_part(m)) / s)[..., None, :]
        z, dz = np.concatenate((thin, v), axis=-2), np.concatenate((du, dv), axis=-2)
        dz = dz + 1j * z * turn_of(dz, z, pair_pins(thin, v))
        du, dv = dz[..., :rows, :], dz[..., rows:, :]
    du, dvh = real_for(du, u), real_for(dagger(dv), vh)
    return np.concatenate((du, np.nan * u[..., k:]), axis=-1), \
        np.concatenate((dvh, np.nan * vh[..., k:, :]), axis=-2)


def svdvals_adjoint(ds, a):
    """Adjoint of a in the singular values s of a."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.conj((u * ds[..., None, :]) @ vh)


def svdvals_tangent(da, a):
    """Tangent of the singular values of a along da."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.real(np.sum(np.conj(u) * (da @ dagger(vh)), axis=-2))


def svd_back(dy, y, a, compute_uv=True, hermitian=False):
    """Adjoint of a in y = svd(a, compute_uv=compute_uv, hermitian=hermitian)."""
    if isinstance(y, (tuple, list)):            # SciPy returns lists for stacks of matrices
        full = svd_adjoint(dy[0], dy[1], dy[2], y[0], y[1], y[2])
    else:
        full = svdvals_adjoint(dy, a)
    return hermitian_part(full) if hermitian else full


def svd_tangents(da, y, a, compute_uv=True, hermitian=False):
    """Tangents of the parts of y = svd(a, compute_uv=compute_uv, hermitian=hermitian)."""
    if hermitian:
        da = hermitian_part(da)
    ds = svdvals_tangent(da, a)
    if isinstance(y, (tuple, list)):
        du, dvh = svd_tangent(da, y[0], y[1], y[2])
        return du, ds, dvh
    return ds


def svd_forth(da, y, a, compute_uv=True, hermitian=False):
    """The same with the names that NumPy gives them."""
    if isinstance(y, tuple):
        du, ds, dvh = svd_tangents(da, y, a, True, hermitian)
        return SVDResult(du, ds, dvh)
    return svd_tangents(da, y, a, False, hermitian)


# QR -----------------------------------------------------------------------------------------------
def qr_adjoint(dq, dr, q, r, a):
    """Adjoint of a in q, r = qr(a), for independent columns; a is (..., m, n).

    With a = [a1, a2] and k = min(m, n) columns in a1: a1 = q r1, and r2 = q^H a2 follows from q.
    """
    k = min(np.shape(a)[-2:])
    q, r1 = q[..., :k], r[..., :k, :k]
    gq = np.conj(dq[..., :k]) * nothing_in(dq[..., k:])             # gradients, as in the papers
    gr = np.conj(dr[..., :k, :])
    if np.shape(a)[-1] > k:
        gq = gq + a[..., k:] @ dagger(gr[..., k:])
    inner = dagger(q) @ gq - gr[..., :k] @ dagger(r1)
    upper = np.triu(inner, 1)
    symmetric = upper + dagger(upper) + on_diagonal(np.real(diagonal_part(inner)))
    full = dagger(np.linalg.solve(r1, dagger(gq - q @ symmetric)))
    if np.shape(a)[-1] > k:
        full = np.concatenate((full, q @ gr[..., k:]), axis=-1)
    return np.conj(full)


def qr_tangent(da, q, r, a):
    """Tangents of q and r in q, r = qr(a) along da; NaN in the columns of q beyond those of a."""
    k = min(np.shape(a)[-2:])
    thin, r1 = q[..., :k], r[..., :k, :k]
    x = transposed(np.linalg.solve(transposed(r1), transposed(da[..., :k])))
    c = dagger(thin) @ x
    below = np.tril(c, -1)
    turn = below - dagger(below)
    if np.iscomplexobj(c):
        turn = turn + 1j * on_diagonal(np.imag(diagonal_part(c)))
    turn = real_for(turn, c)
    dthin = thin @ turn + x - thin @ c
    dr = (c - turn) @ r1
    if np.shape(a)[-1] > k:
        dr = np.concatenate((dr, dagger(dthin) @ a[..., k:] + dagger(thin) @ da[..., k:]), axis=-1)
    dr = np.concatenate((dr, np.zeros_like(r[..., k:, :])), axis=-2)
    return np.concatenate((dthin, np.nan * q[..., k:]), axis=-1), dr


def qr_back(dy, y, a, mode="reduced"):
    """Adjoint of a in y = qr(a, mode)."""
    if isinstance(y, tuple):                    # what kinds decide, as they do not of mode
        return qr_adjoint(dy[0] * factors_of(mode), dy[1], y[0], y[1], a)
    return triangle_adjoint(dy, a)


def qr_forth(da, y, a, mode="reduced"):
    """Tangent of y = qr(a, mode) along da."""
    if isinstance(y, tuple):
        dq, dr = qr_tangent(da * factors_of(mode), y[0], y[1], a)
        return QRResult(dq, dr)
    return triangle_tangent(da, a)


def triangle_adjoint(dr, a):
    """Adjoint of a in r = qr(a, "r")."""
    q, r = np.linalg.qr(a)
    return qr_adjoint(np.zeros_like(q), dr, q, r, a)


def triangle_tangent(da, a):
    """Tangent of r = qr(a, "r") along da."""
    q, r = np.linalg.qr(a)
    return qr_tangent(da, q, r, a)[1]


def factors_of(mode):
    """1.0; NotImplementedError for the modes of qr that return Householder's reflections."""
    if mode not in ("reduced", "complete"):
        raise NotImplementedError(f"the derivative of np.linalg.qr with mode={mode!r}; write "
                                  "mode=\"reduced\"")
    return 1.0
