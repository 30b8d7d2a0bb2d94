"""What emitted code may call for products with diagonal matrices, which are never made.

The adjoint of a matrix of which only the diagonal is read is such a matrix. All of these are linear
in each factor, and the adjoints of one are others (rules/helpers_diagonals.py). Only NumPy is
imported.
"""
from __future__ import annotations

import numpy as np


def diagonal_matmul(d, m, x):
    """`D @ m` in the shape of the matrix x; D has d on its diagonal, zeros elsewhere.

    d: a number, or a vector as long as the diagonal; m: a matrix with as many columns as x.
    ValueError if its columns are more or fewer.
    """
    rows, columns = x.shape
    height, width = m.shape
    if width != columns:
        raise ValueError(f"matmul: {columns} columns do not fit to {width} rows")
    if height == rows:
        return m * (d if np.ndim(d) == 0 else d[:, None])
    z = np.zeros((rows, columns), np.result_type(d, m))
    count = min(rows, height)
    z[:count] = m[:count] * (d if np.ndim(d) == 0 else d[:, None])
    return z


def matmul_diagonal(m, d, x):
    """`m @ D` in the shape of the matrix x, which has as many rows as m; as diagonal_matmul."""
    rows, columns = x.shape
    height, width = m.shape
    if height != rows:
        raise ValueError(f"matmul: {height} columns do not fit to {rows} rows")
    if width == columns:
        return m * d
    z = np.zeros((rows, columns), np.result_type(d, m))
    count = min(columns, width)
    z[:, :count] = m[:, :count] * d
    return z


def diagonal_of_matmul(a, b, d):
    """The diagonal of `a @ b` if d is a vector, its trace if d is a number."""
    product = a @ b
    return np.trace(product) if np.ndim(d) == 0 else np.diagonal(product).copy()
