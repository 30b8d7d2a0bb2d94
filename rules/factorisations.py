"""Factorisations: Cholesky, eigenvalues, singular values, QR."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import scalar_float, unknown
from tangent_lite.result_kinds.factorisations import (
    eig_kind,
    eigh_kind,
    eigvals_kind,
    gaps_kind,
    pins_kind,
    qr_kind,
    singular_values,
    svd_kind,
)
from tangent_lite.result_kinds.shapes import eigenvalues, square_like
from tangent_lite.runtime.factors import (
    EighResult,
    EigResult,
    cholesky_adjoint,
    cholesky_tangent,
    eig_adjoint,
    eig_vectors,
    eigh_adjoint,
    eigh_vectors,
    eigvals_adjoint,
    eigvals_tangent,
    factors_of,
    gap_products,
    gap_sums,
    in_basis,
    in_eigenbasis,
    nothing_in,
    over_gaps,
    pair_pins,
    phases_known,
    pins,
    places_of,
    qr_back,
    qr_forth,
    svd_back,
    svd_forth,
    svdvals_tangent,
)
from tangent_lite.runtime.linalg import diagonal_part, real_for, transposed


@adjoint(np.linalg.cholesky, kind=square_like)
def cholesky(y, a, *, upper=False):
    d[a] = cholesky_adjoint(d[y], y, upper)


@tangent(np.linalg.cholesky)
def cholesky_tangent_(y, a, *, upper=False):
    d[y] = cholesky_tangent(d[a], y, upper)


# Eigenvalues ------------------------------------------------------------------------------------
@adjoint(np.linalg.eigh, kind=eigh_kind)
def eigh(y, a, UPLO="L"):
    d[a] = eigh_adjoint(np.real(d[y][0]), d[y][1], y[0], y[1], UPLO)


@tangent(np.linalg.eigh)
def eigh_tangent(y, a, UPLO="L"):
    inner = in_basis(d[a], y[1])
    d[y] = EighResult(np.real(diagonal_part(inner)), eigh_vectors(inner, y[0], y[1], UPLO))


@adjoint(np.linalg.eigvalsh, kind=eigenvalues)
def eigvalsh(y, a, UPLO="L"):
    v = np.linalg.eigh(a, UPLO)[1]
    d[a] = (np.conj(v) * np.expand_dims(np.real(d[y]), -2)) @ transposed(v)


@tangent(np.linalg.eigvalsh)
def eigvalsh_tangent_(y, a, UPLO="L"):
    d[y] = np.real(diagonal_part(in_basis(d[a], np.linalg.eigh(a, UPLO)[1])))


@adjoint(np.linalg.eig, kind=eig_kind)
def eig(y, a):
    d[a] = eig_adjoint(d[y][0], d[y][1], y[0], y[1], a)


@tangent(np.linalg.eig)
def eig_tangent(y, a):
    inner = in_eigenbasis(d[a], y[1])
    d[y] = EigResult(diagonal_part(inner), eig_vectors(inner, y[0], y[1]))


@adjoint(np.linalg.eigvals, kind=eigvals_kind)
def eigvals(y, a):
    d[a] = eigvals_adjoint(d[y], y, a)


@tangent(np.linalg.eigvals)
def eigvals_tangent_(y, a):
    d[y] = eigvals_tangent(d[a], y, a)


# Singular values --------------------------------------------------------------------------------
@adjoint(np.linalg.svd, kind=svd_kind)
def svd(y, a, full_matrices=True, compute_uv=True, hermitian=False):
    d[a] = svd_back(d[y], y, a, compute_uv, hermitian)


@tangent(np.linalg.svd)
def svd_tangent(y, a, full_matrices=True, compute_uv=True, hermitian=False):
    d[y] = svd_forth(d[a], y, a, compute_uv, hermitian)


if hasattr(np.linalg, "svdvals"):               # NumPy 2
    @adjoint(np.linalg.svdvals, kind=singular_values)
    def svdvals(y, x):
        t = np.linalg.svd(x, full_matrices=False)
        d[x] = np.conj((t[0] * np.expand_dims(np.real(d[y]), -2)) @ t[2])

    @tangent(np.linalg.svdvals)
    def svdvals_tangent_(y, x):
        d[y] = svdvals_tangent(d[x], x)


@adjoint(np.linalg.qr, kind=qr_kind)
def qr(y, a, mode="reduced"):
    d[a] = qr_back(d[y], y, a, mode)


@tangent(np.linalg.qr)
def qr_tangent(y, a, mode="reduced"):
    d[y] = qr_forth(d[a], y, a, mode)


# Helpers ----------------------------------------------------------------------------------------
nondifferentiable(pins, kind=pins_kind)
nondifferentiable(pair_pins, kind=unknown)
nondifferentiable(places_of, kind=unknown)
nondifferentiable(nothing_in, phases_known, factors_of, kind=scalar_float)


@adjoint(over_gaps, kind=gaps_kind)
def over_gaps_(y, x, w):
    d[x] = over_gaps(d[y], w)
    d[w] = real_for(gap_sums(over_gaps(-d[y] * y, w)), w)


@tangent(over_gaps)
def over_gaps_tangent(y, x, w):
    d[y] = over_gaps(d[x], w) - over_gaps(gap_products(d[w], y), w)
