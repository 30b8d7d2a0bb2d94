"""What emitted code may call for scipy.sparse: products with constant matrices, and solutions.

A sparse matrix is a constant: nothing says which of its zeros might vary.
"""
from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import spsolve


def dense(x):
    """x, which a sparse matrix is multiplied with; a number is refused, and another such matrix."""
    if np.ndim(x) == 0 or hasattr(x, "tocsr"):
        raise NotImplementedError("the derivative of a matrix of scipy.sparse that varies; "
                                  "multiply what comes out of a constant one, or use a dense array")
    return x


def sparse_forth(x, matrix):
    """matrix @ x, for a dense x of one or two dimensions."""
    return matrix @ dense(x)


def sparse_back(dz, matrix):
    """Adjoint of x in z = matrix @ x."""
    return matrix.T @ dz


def sparse_right_forth(x, matrix):
    """x @ matrix."""
    return dense(x) @ matrix


def sparse_right_back(dz, matrix):
    """Adjoint of x in z = x @ matrix."""
    return dz @ matrix.T


def sparse_solution(matrix, b):
    """The solution x of matrix x = b; b dense, of one or two dimensions."""
    return spsolve(matrix.tocsc(), b)


def sparse_solution_adjoint(dx, matrix):
    """Adjoint of b in matrix x = b: the solution for the transposed matrix (Giles 2008)."""
    return spsolve(matrix.T.tocsc(), dx)
