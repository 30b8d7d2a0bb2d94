"""Matrices of scipy.sparse, and their adjoints, which are never dense.

SciPy leaves out what happens to be zero: `eye - k * eye` holds nothing at k = 1. So the pattern of
a matrix does not say which of its elements vary, and the adjoint of one is not kept by its pattern:
it is what *any* element would receive, as a sum of products of tall matrices (u v^T, from y = A x)
and of sparse matrices. Where it is asked for (at the places of diagonals, of triplets, of another
matrix), just these elements are computed. An adjoint of such an adjoint is a sparse matrix again.

Only NumPy is imported; what matrices themselves can do is asked of them.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.duck import is_duck


def is_sparse(x):
    """Whether x is a matrix of scipy.sparse, of any class; no object is asked that may answer to
    any name, and none of a class of yours that has a method by that name."""
    return hasattr(type(x), "tocsr") and not is_duck(x) and any(
        str(one.__module__).startswith("scipy.sparse") for one in type(x).__mro__)


def is_sparse_matrix(x):
    """Whether x is of one of the older classes of scipy.sparse, for which `*` is the product of
    matrices; for csr_array and its like it works element by element."""
    return hasattr(type(x), "getH") and is_sparse(x)


def refuse_matrix(*others, **options):
    """What general code would do with a sparse matrix or its adjoint, not knowing what it is."""
    raise NotImplementedError("the derivative of this with a matrix of scipy.sparse that varies; "
                              "write it so that it is seen to be one, or use a dense array")


class MatrixAdjoint:
    """The adjoint of a sparse matrix, or of its factors.

    shape: (n, m); products: pairs u (n, r), v (m, r), for the sum of all u @ v.T; sparse: matrices
    of scipy.sparse; dense: arrays (n, m), of matrices that the function itself makes dense.
    """

    __array_ufunc__ = None              # arrays leave all operators to it
    is_of_matrix = True                 # by which it is told without being named

    def __init__(self, shape, products=(), sparse=(), dense=()):
        self.shape = tuple(shape)
        self.products, self.sparse, self.dense = tuple(products), tuple(sparse), tuple(dense)

    # Sums and multiples ---------------------------------------------------------------------------
    def __add__(self, other):
        if not isinstance(other, MatrixAdjoint):
            if np.ndim(other) == 0 and not is_sparse(other):
                return self                     # of a sum that is yet to begin
            other = as_adjoint(other, self.shape)
        return MatrixAdjoint(self.shape, self.products + other.products,
                             self.sparse + other.sparse, self.dense + other.dense)

    __radd__ = __add__

    def __neg__(self):
        return self.times(-1.0)

    def __sub__(self, other):
        return self + (-1.0 * other if np.ndim(other) == 0 else -other)

    def __rsub__(self, other):
        return -self + other

    def times(self, s):
        """All elements times a number."""
        return MatrixAdjoint(self.shape, [(u * s, v) for u, v in self.products],
                             [one * s for one in self.sparse], [one * s for one in self.dense])

    # What is asked of its elements ----------------------------------------------------------------
    def at(self, rows, columns):
        """The elements at some places, one by one."""
        rows, columns = np.asarray(rows), np.asarray(columns)
        found = np.zeros(rows.shape)
        for u, v in self.products:
            found = found + np.einsum("kr,kr->k", u[rows], v[columns])
        for one in self.sparse:
            found = found + _elements(one, rows, columns)
        for one in self.dense:
            found = found + one[rows, columns]
        return found

    def along(self, matrix):
        """The sum of all elements times those of a sparse matrix."""
        total = 0.0
        for u, v in self.products:
            total = total + np.sum(u * (matrix @ v))
        if self.sparse or self.dense:
            places = matrix.tocoo()
            rest = MatrixAdjoint(self.shape, (), self.sparse, self.dense)
            total = total + np.sum(rest.at(places.row, places.col) * places.data)
        return total

    def whole(self):
        """All elements, as an array: of a matrix that was made of a dense one."""
        found = np.zeros(self.shape)
        for u, v in self.products:
            found = found + u @ v.T
        for one in self.sparse:
            found = found + one.toarray()
        for one in self.dense:
            found = found + one
        return found

    # Linear maps of it ----------------------------------------------------------------------------
    @property
    def T(self):
        return MatrixAdjoint(self.shape[::-1], [(v, u) for u, v in self.products],
                             [one.T for one in self.sparse], [one.T for one in self.dense])

    def behind(self, matrix):
        """matrix.T @ self, for a matrix (n, k), sparse or dense; shape (k, m)."""
        turned = matrix.T
        return MatrixAdjoint((matrix.shape[1], self.shape[1]),
                             [(turned @ u, v) for u, v in self.products],
                             [turned @ one for one in self.sparse],
                             [turned @ one for one in self.dense])

    def part(self, top, left, shape):
        """The elements of a block; shape: that of the block."""
        rows, columns = slice(top, top + shape[0]), slice(left, left + shape[1])
        return MatrixAdjoint(shape, [(u[rows], v[columns]) for u, v in self.products],
                             [one.tocsr()[rows, columns] for one in self.sparse],
                             [one[rows, columns] for one in self.dense])

    # What general code would do -------------------------------------------------------------------
    def refuse(self, *others, **options):
        refuse_matrix()

    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = refuse
    __matmul__ = __rmatmul__ = __getitem__ = __array__ = __float__ = refuse


def _elements(matrix, rows, columns):
    """Elements of a sparse matrix, one by one."""
    if rows.size == 0:
        return np.zeros(rows.shape)
    return np.asarray(matrix.tocsr()[rows.ravel(), columns.ravel()]).reshape(rows.shape) \
        if not is_sparse(found := matrix.tocsr()[rows.ravel(), columns.ravel()]) \
        else found.toarray().reshape(rows.shape)


def as_adjoint(x, shape):
    """What is an adjoint of a matrix as one: a sparse matrix, or the number zero that a sum begins
    with."""
    if isinstance(x, MatrixAdjoint):
        return x
    if is_sparse(x):
        return MatrixAdjoint(shape, (), (x,))
    if isinstance(x, (int, float, complex, np.number)):
        return MatrixAdjoint(shape)
    if not isinstance(x, np.ndarray) or x.ndim != 2:
        refuse_matrix()
    return MatrixAdjoint(shape, (), (), (x,))


def tall(x):
    """A vector as a matrix of one column, another array as it is."""
    x = np.asarray(x)
    return x[:, None] if x.ndim == 1 else x


def of_product(dz, y, shape):
    """The adjoint of a matrix A (shape) in z = A @ y, for dense y of one or two dimensions."""
    return MatrixAdjoint(shape, [(tall(dz), tall(y))])


def like_matrix(gradient, matrix):
    """The elements of an adjoint at the places that a sparse matrix stores, as a matrix like it."""
    gradient = as_adjoint(0.0 if gradient is None else gradient, matrix.shape)
    places = matrix.tocoo()
    found = gradient.at(places.row, places.col)
    if matrix.dtype.kind != "c":
        found = np.real(found)
    found = found.astype(matrix.dtype if matrix.dtype.kind in "fc" else float)
    if matrix.format in ("csr", "csc", "coo") and len(found) == len(matrix.data):
        made = matrix.copy()
        made.data = found
        return made
    places = places.copy()
    places.data = found
    return places.asformat(matrix.format)


def like_right_side(t, b):
    """The adjoint t of a right side b in the shape of b: a column has a vector for its solution. A
    sparse one is refused."""
    if is_sparse(b):
        raise NotImplementedError("the derivative of a solution for a sparse right side; use "
                                  "b.toarray()")
    found = np.reshape(t, np.shape(b))
    return found if np.iscomplexobj(b) else np.real(found)
