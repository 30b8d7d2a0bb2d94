"""Linear algebra that is NumPy's own in compiled code too: factorisations, and stacks of matrices.

Numba's LAPACK may give eigenvectors, singular vectors and the factors of QR another sign than
NumPy's, and it takes no stacks of matrices.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_by_numpy import (
    axes_left,
    by_numpy,
    floats,
    ints,
    like,
    named,
    part_of,
    rank,
)
from tangent_lite.backends.numba_functions import is_array, is_number
from tangent_lite.backends.numba_linalg import is_matrix, is_vector
from tangent_lite.backends.numba_shapes import np_swapaxes
from tangent_lite.runtime import factors as runtime_factors
from tangent_lite.runtime import linalg as runtime_linalg
from tangent_lite.runtime import reductions as runtime_reductions


# Factorisations -----------------------------------------------------------------------------------
def _pair(result: Any, x: Any) -> Any:
    """Eigenvalues and eigenvectors."""
    return named(result, floats(rank(x) - 1), floats(rank(x)))


def _svd(a: Any, compute_uv: Any) -> Any:
    s = floats(rank(a) - 1)
    return named(runtime_factors.SVDResult, floats(rank(a)), s, floats(rank(a))) if compute_uv \
        else s


def _qr(a: Any, mode: Any) -> Any:
    both = floats(rank(a))
    if mode in ("r", "raw"):
        return both if mode == "r" else types.Tuple((both, floats(rank(a) - 1)))
    return named(runtime_factors.QRResult, both, both)


by_numpy(np.linalg.eigh, lambda a: _pair(runtime_factors.EighResult, a))
by_numpy(np.linalg.eig, lambda a: _pair(runtime_factors.EigResult, a))
by_numpy(np.linalg.eigvalsh, lambda a: floats(rank(a) - 1))
by_numpy(np.linalg.eigvals, lambda a: floats(rank(a) - 1))
by_numpy(np.linalg.svd, _svd)
by_numpy(np.linalg.qr, _qr)
by_numpy(np.linalg.cholesky, like("a"), "a, *, upper=False", own=is_matrix)
if hasattr(np.linalg, "svdvals"):
    by_numpy(np.linalg.svdvals, lambda x: floats(rank(x) - 1), "x, /")
by_numpy(runtime_factors.cholesky_adjoint, like("factor"))
by_numpy(runtime_factors.eigh_adjoint, like("v"))
by_numpy(runtime_factors.eig_adjoint, like("a"))
by_numpy(runtime_factors.eigvals_adjoint, like("a"))
by_numpy(runtime_factors.svd_back, like("a"))
by_numpy(runtime_factors.svdvals_adjoint, like("a"))
by_numpy(runtime_factors.qr_back, like("a"))


# Solutions, inverses, determinants ----------------------------------------------------------------
def _solution(a: Any, b: Any) -> Any:
    return floats(rank(a) - 1 if rank(b) == 1 else max(rank(a), rank(b)))


def _same_for_b(a: Any, dz: Any, b: Any) -> Any:
    return floats(max(rank(a) - 1, rank(dz)) if rank(b) == 1 else max(rank(a), rank(dz)))


def _outer(t: Any, z: Any, b: Any) -> Any:
    return floats(max(rank(t), rank(z)) + (rank(b) == 1))


def _least_squares(b: Any) -> Any:
    return types.Tuple((floats(rank(b)), floats(1), types.int64, floats(1)))


by_numpy(np.linalg.solve, _solution,
         own=lambda a, b: is_matrix(a) and (is_vector(b) or is_matrix(b)))
by_numpy(np.linalg.inv, like("a"), own=is_matrix)
by_numpy(np.linalg.pinv, like("a"), own=is_matrix)
by_numpy(np.linalg.det, lambda a: floats(rank(a) - 2), own=is_matrix)
by_numpy(np.linalg.slogdet, lambda a: named(
    runtime_factors.SlogdetResult, floats(rank(a) - 2), floats(rank(a) - 2)), own=is_matrix)
by_numpy(np.linalg.lstsq, _least_squares)
by_numpy(np.linalg.tensorsolve, lambda a, b: floats(rank(a) - rank(b)))
by_numpy(np.linalg.tensorinv, like("a"))
by_numpy(np.linalg.matrix_rank, lambda A: ints(rank(A) - 2))
by_numpy(np.linalg.matrix_power, like("a"), own=lambda a, n: is_matrix(a))
by_numpy(runtime_linalg.solve_transposed, _same_for_b)
by_numpy(runtime_linalg.solve_outer, _outer)
by_numpy(runtime_linalg.cofactors, like("a"))
by_numpy(runtime_linalg.pinv_adjoint, like("a"))
by_numpy(runtime_linalg.least_singular, lambda: floats(0))
by_numpy(runtime_linalg.lstsq_adjoint_right, like("b"))
by_numpy(runtime_linalg.lstsq_adjoint_left, like("a"))
by_numpy(runtime_linalg.tensorsolve_adjoint, like("b"))
by_numpy(runtime_linalg.tensorsolve_outer, like("a"))
by_numpy(runtime_linalg.tensorinv_adjoint, like("a"))
by_numpy(runtime_linalg.matrix_power_slope, like("a"))

# Norms, diagonals, products -----------------------------------------------------------------------
by_numpy(np.linalg.norm, lambda x, axis, keepdims: floats(axes_left(x, axis, keepdims)))
by_numpy(np.linalg.cond, lambda x: floats(rank(x) - 2))
by_numpy(runtime_reductions.norm_slope, like("x"))
by_numpy(runtime_linalg.vector_norm_slope, like("x"))
by_numpy(runtime_linalg.cond_slope, like("x"))
by_numpy(np.trace, lambda a: floats(rank(a) - 2), own=is_matrix, methods=("trace",))
if hasattr(np.linalg, "vector_norm"):           # NumPy 2
    by_numpy(np.linalg.vector_norm, lambda x, axis, keepdims: floats(axes_left(x, axis, keepdims)))
    by_numpy(np.linalg.matrix_norm, lambda x, keepdims: floats(rank(x) - 2 * (not keepdims)))
    by_numpy(np.linalg.trace, lambda x: floats(rank(x) - 2))
by_numpy(np.linalg.multi_dot, lambda arrays: floats(
    rank(part_of(arrays, 0)) + rank(part_of(arrays, -1)) - 2), joins=True)
by_numpy(runtime_linalg.chain_part, lambda k, arrays: floats(rank(part_of(arrays, k))), joins=True)
by_numpy(runtime_linalg.diagonal_sum, lambda x: floats(rank(x) - 2))
by_numpy(runtime_linalg.on_diagonal, lambda w: floats(rank(w) + 1))


# Written for stacks -------------------------------------------------------------------------------
def _is_stack(x: Any) -> bool:
    return is_array(x) and x.ndim > 2 and x.dtype == types.float64


@overload(runtime_linalg.transposed)
@overload(runtime_linalg.dagger)
def _transposed(x):
    return (lambda x: np_swapaxes(x, -1, -2)) if _is_stack(x) else None


@overload(runtime_linalg.hermitian_part)
def _hermitian_part(x):
    return (lambda x: 0.5 * (x + np_swapaxes(x, -1, -2))) if _is_stack(x) else None


@overload(runtime_linalg.as_matrix_factor)
def _as_matrix_factor(x):
    if is_number(x):
        return lambda x: np.full((1, 1), x * 1.0)
    return (lambda x: x[..., None, None]) if is_array(x) and x.ndim else None


@overload(runtime_linalg.real_for)
def _real_for(dx, x):
    return (lambda dx, x: dx) if all(map(_is_real, (dx, x))) else None


def _is_real(kind: Any) -> bool:
    return (is_array(kind) and kind.dtype == types.float64) or is_number(kind)
