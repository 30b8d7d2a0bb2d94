"""What emitted code may call for scipy.linalg: bands, and matrices that are made of few numbers
or of blocks.

Only NumPy is imported; see runtime/matrices.py.
"""
from __future__ import annotations

import numpy as np


def not_stacked(x, rank, word):
    """NotImplementedError for a stack of what has rank dimensions: functions of SciPy go over the
    parts of one by one."""
    if np.ndim(x) > rank:
        raise NotImplementedError(f"the derivative of a stack of {word} systems; write a loop over "
                                  "them, one call for each")


# Bands ------------------------------------------------------------------------------------------
# A[i, j] stands in ab[u + i - j, j], for l diagonals below and u above.
def flipped(l_and_u):
    """How many diagonals the transposed matrix has below and above."""
    return l_and_u[1], l_and_u[0]


def band_places(n, first, count):
    """For count rows of a band of n columns the row of the matrix, number first + row + column, and
    whether there is such a row."""
    rows = first + np.arange(count)[:, None] + np.arange(n)
    return np.clip(rows, 0, max(n - 1, 0)), (rows >= 0) & (rows < n)


def band_outer(t, x, l_and_u):
    """-t x^T in the form of a band: adjoint of ab in x = solve_banded(l_and_u, ab, b)."""
    not_stacked(x, 2, "banded")
    rows, inside = band_places(np.shape(x)[0], -l_and_u[1], sum(l_and_u) + 1)
    product = np.take(t, rows, axis=0) * x
    if np.ndim(x) > 1:
        product = np.sum(product, axis=-1)
    return -product * inside


def band_transposed(ab, l_and_u):
    """The band of the transposed matrix."""
    not_stacked(ab, 2, "banded")
    rows, inside = band_places(np.shape(ab)[-1], -l_and_u[0], sum(l_and_u) + 1)
    return ab[np.arange(sum(l_and_u), -1, -1)[:, None], rows] * inside


def band_product(ab, x, l_and_u):
    """A x for the matrix of a band."""
    not_stacked(x, 2, "banded")
    columns, _ = band_places(np.shape(x)[0], -l_and_u[0], sum(l_and_u) + 1)
    taken, band = np.take(x, columns, axis=0), band_transposed(ab, l_and_u)
    return np.sum((band[..., None] if np.ndim(x) > 1 else band) * taken, axis=0)


def half_bands(ab, lower=False):
    """How many diagonals the whole matrix has below and above, of which one half is stored."""
    not_stacked(ab, 2, "banded")
    return np.shape(ab)[0] - 1, np.shape(ab)[0] - 1


def whole_band(ab, lower=False):
    """The band of a Hermitian matrix of which one half is stored, all of it."""
    not_stacked(ab, 2, "banded")
    count = np.shape(ab)[0] - 1
    if lower:
        above = np.conj(band_transposed(ab, (count, 0)))[:-1]
        return np.concatenate((above, np.real(ab[:1]), ab[1:]), axis=0)
    below = np.conj(band_transposed(ab, (0, count)))[1:]
    return np.concatenate((ab[:-1], np.real(ab[-1:]), below), axis=0)


def stored_band(dband, lower=False):
    """The adjoint dband of whole_band(ab, lower) as one of ab, of whose diagonal only the real part
    is read."""
    count = np.shape(dband)[0] // 2
    above, middle, below = dband[:count], np.real(dband[count:count + 1]), dband[count + 1:]
    if lower:
        other = np.conj(band_transposed(dband[:count + 1], (0, count)))[1:]
        return np.concatenate((middle, below + other), axis=0)
    other = np.conj(band_transposed(dband[count:], (count, 0)))[:-1]
    return np.concatenate((above + other, middle), axis=0)


# Toeplitz and block diagonal matrices -----------------------------------------------------------
def toeplitz_column(dt, c, r=None):
    """Adjoint of the first column c in toeplitz(c, r): the sums of the diagonals from the middle
    down, and of those above as well if the row is conj(c)."""
    not_stacked(dt, 2, "Toeplitz")
    sums = np.reshape(np.stack([np.trace(dt, -k) for k in range(np.size(c))]), np.shape(c))
    return sums + np.conj(toeplitz_row(dt, c)) if r is None else sums


def toeplitz_row(dt, r):
    """Adjoint of the first row r in toeplitz(c, r): the sums of the diagonals above the middle; the
    first element is not read."""
    not_stacked(dt, 2, "Toeplitz")
    sums = np.stack([np.trace(dt, k) for k in range(np.size(r))])
    return np.reshape(sums * (np.arange(np.size(r)) > 0), np.shape(r))


def block_of(dy, k, arrays):
    """Adjoint of arrays[k] in y = block_diag(*arrays): its block of dy."""
    row = sum(block_shape(a)[0] for a in arrays[:k])
    column = sum(block_shape(a)[1] for a in arrays[:k])
    rows, columns = block_shape(arrays[k])
    return np.reshape(dy[row:row + rows, column:column + columns], np.shape(arrays[k]))


def block_shape(a):
    """The shape of a block: a vector is a row, a number one element."""
    return (1,) * (2 - np.ndim(a)) + np.shape(a)


def in_block(x, k, arrays):
    """Zeros of the shape of block_diag(*arrays), with x in block k; adjoint of dy in block_of."""
    rows, columns = (sum(block_shape(a)[i] for a in arrays) for i in (0, 1))
    row = sum(block_shape(a)[0] for a in arrays[:k])
    column = sum(block_shape(a)[1] for a in arrays[:k])
    made = np.zeros((rows, columns), np.result_type(x))
    count, width = block_shape(arrays[k])
    made[row:row + count, column:column + width] = x
    return made


def in_blocks(dxs, arrays):
    """Tangent of block_diag(*arrays) along dxs."""
    return sum(in_block(dx, k, arrays) for k, dx in enumerate(dxs))


# Matrices of a few numbers ------------------------------------------------------------------------
def hankel_places(c, r=None, of_row=False):
    """Which element of c (of_row: of the last row r) stands where in hankel(c, r); -1 for none."""
    count = np.size(c)
    width = count if r is None else np.size(r)
    i, j = np.arange(count)[:, None], np.arange(width)
    place = i + j
    if of_row:
        return np.where(place < count, -1, place - count + 1)
    return np.where(place < count, place, -1)


def circulant_places(c):
    """Which element of c stands where in circulant(c)."""
    if np.ndim(c) != 1:
        raise NotImplementedError("the derivative of a stack of circulant matrices; call circulant "
                                  "for one vector after the other")
    count = np.size(c)
    return (np.arange(count)[:, None] - np.arange(count)) % max(count, 1)


def transposed_toeplitz(c_or_cr):
    """The first column and row of the transpose of a Toeplitz matrix."""
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
        not_stacked(c, 1, "Toeplitz")
        return np.concatenate((c[:1], r[1:])), c
    not_stacked(c_or_cr, 1, "Toeplitz")
    return np.conj(c_or_cr), c_or_cr


def outer_of_columns(t, y):
    """The sum of the outer products of the columns of t and y; vectors are one column."""
    not_stacked(t, 2, "Toeplitz")
    return np.outer(t, y) if np.ndim(t) == 1 else t @ y.T


def toeplitz_parts(dt, c_or_cr):
    """Adjoint of what toeplitz(*c_or_cr) is made of, from that of the matrix."""
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
        return toeplitz_column(dt, c, r), toeplitz_row(dt, r)
    return toeplitz_column(dt, c_or_cr)
