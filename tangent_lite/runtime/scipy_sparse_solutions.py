"""What emitted code may call for solutions with matrices of scipy.sparse: by spsolve, by factors,
and step by step.
"""
from __future__ import annotations

import numpy as np
from scipy.sparse import linalg
from scipy.sparse.linalg import factorized, spsolve

from tangent_lite.errors import InputError
from tangent_lite.runtime.scipy_sparse import is_number


def sparse_solution(matrix, b):
    """The solution x of matrix x = b; b dense, of one or two dimensions."""
    return np.reshape(spsolve(matrix.tocsc(), b), np.shape(b))


def sparse_solution_adjoint(matrix, dx):
    """Adjoint of b in matrix x = b: the solution for the transposed matrix (Giles 2008)."""
    return np.reshape(spsolve(matrix.T.tocsc(), dx), np.shape(dx))


def right_side(db, da, x):
    """What the tangent of x in a x = b solves: db - da @ x, in the shape of x."""
    start = np.reshape(db, np.shape(x))
    return start if is_number(da) else start - da @ x


def factors_of(matrix):
    """What `factorized(matrix)` solves with: the factors of SuperLU."""
    solve = factorized(matrix)
    if not hasattr(solve, "__self__"):
        raise NotImplementedError("the derivative of a solution by UMFPACK; use splu(A).solve")
    return solve.__self__


def solved(factors, b):
    """The solution x of A x = b, for the factors of A."""
    return factors.solve(b)


def solved_turned(factors, b):
    """The solution x of A.T x = b, for the factors of A."""
    return factors.solve(b, "T")


class Solver:
    """What `factorized` returns, in a differentiated function."""

    def __init__(self, factors):
        self.factors = factors

    def __call__(self, b):
        return solved(self.factors, b)


# Step by step ----------------------------------------------------------------------------------
def iterated_forth(matrix, b, how):
    """The solution x of matrix x = b by the same method; how: its name, its tolerances, the most
    steps, what prepares it and what else it takes."""
    return _iterated(matrix, b, how, False)


def iterated_back(matrix, dx, how):
    """The solution x of matrix.T x = dx by the same method."""
    return _iterated(matrix.T, dx, how, True)


def _iterated(matrix, b, how, is_turned):
    name, rtol, atol, maxiter, prepared, *more = how
    options = {"rtol": rtol, "maxiter": maxiter}
    if atol is not None:
        options["atol"] = atol
    if prepared is not None:
        options["M"] = prepared.T if is_turned else prepared
    if more:
        options["restart" if name == "gmres" else "shift"] = more[0]
    b = np.asarray(b)
    found, info = getattr(linalg, name)(matrix, np.ravel(b), **options)
    if info != 0:
        raise InputError(f"{name} does not converge for the derivative of its solution", None,
                         "give it more steps, or use spsolve")
    return np.reshape(found, b.shape)
