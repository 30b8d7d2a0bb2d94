"""What emitted code may call for scipy.sparse: what operators do with matrices, and constructors.

Adjoints of matrices: `runtime.sparse`. A form z of two of them, as A @ B is, has two adjoints
(`product_left`, `product_right`); these three are derivatives of each other, in any order, since
all come from one number that is linear in dz, in A and in B.
"""
from __future__ import annotations

import numpy as np
from scipy import sparse

from tangent_lite.runtime.sparse import (
    MatrixAdjoint,
    as_adjoint,
    is_sparse,
    like_right_side,
    of_product,
    tall,
)


def is_number(x):
    """Whether x is a number: no array, and no matrix."""
    return isinstance(x, (int, float, complex, np.number))


def real_like(x, like):
    """x, and its real part where it belongs to a real number or to real ones."""
    dtype = getattr(like, "dtype", None)
    return x if np.iscomplexobj(like) or getattr(dtype, "kind", "f") == "c" else np.real(x)


# Sums -------------------------------------------------------------------------------------------
def added(a, b):
    """a + b, of two matrices."""
    return a + b


def subtracted(a, b):
    """a - b, of two matrices."""
    return a - b


def summed(a, b):
    """a + b, one of them a sparse matrix, the other a dense array or zero."""
    return a + b


def lessened(a, b):
    """a - b, one of them a sparse matrix, the other a dense array or zero."""
    return a - b


def term_back(dz, a, z):
    """Adjoint of a in z = a + b."""
    if is_sparse(z):
        return dz if is_sparse(a) else 0.0      # sum() begins with a zero
    if isinstance(z, np.matrix):
        raise NotImplementedError("the derivative of a sum of a sparse matrix and a dense array, "
                                  "which is an np.matrix; use A.toarray()")
    return as_adjoint(dz, z.shape) if is_sparse(a) else like_right_side(dz, a)


def term_forth(da, a, z):
    """Adjoint of dz in term_back(dz, a, z), and the tangent of z along da: it lies where z does."""
    if is_sparse(z) or not is_sparse(a):
        return da
    return da.toarray() if is_sparse(da) else np.zeros(z.shape)


# Multiples --------------------------------------------------------------------------------------
def scaled(a, s):
    """a * s, of a sparse matrix and a number."""
    return a * s


def divided(a, s):
    """a / s, of a sparse matrix and a number."""
    return a / s


def negated(a):
    """-a, of a sparse matrix."""
    return -a


def times(a, s):
    """All elements of a sparse matrix, or of an adjoint, times a number."""
    return a.times(s) if isinstance(a, MatrixAdjoint) else a * s


def pairing(one, other, like):
    """The sum of all products of the elements of an adjoint and of a sparse matrix, in either
    order; like: the number of which this is the adjoint."""
    if is_number(one) or is_number(other):
        return 0.0
    if isinstance(one, MatrixAdjoint):
        return real_like(one.along(other), like)
    return real_like(as_adjoint(other, one.shape).along(one), like)


# Products ---------------------------------------------------------------------------------------
def product(a, b):
    """a @ b, at least one of them a sparse matrix."""
    return a @ b


def applied(a, x):
    """a @ x, for a dense array x."""
    return a @ x


def applied_right(x, a):
    """x @ a, for a dense array x."""
    return x @ a


def product_or_zero(a, b, like):
    """a @ b in the realness of like, and zeros in its shape where one of the two is the zero that a
    sum begins with."""
    if is_number(a) or is_number(b):
        return np.zeros(np.shape(like)) if isinstance(like, np.ndarray) else 0.0
    found = a @ b
    return real_like(found, like) if isinstance(found, np.ndarray) else found


def product_left(dz, a, b):
    """Adjoint of a in z = a @ b: dz @ b.T, of which only the elements are computed that are asked
    for if a is a matrix."""
    if is_number(dz) or is_number(b):
        return np.zeros(np.shape(a)) if isinstance(a, np.ndarray) else 0.0
    if is_sparse(b):
        return as_adjoint(dz, (a.shape[0], b.shape[1])).T.behind(b.T).T if is_sparse(a) \
            else dz @ b.T
    return of_product(dz, b, a.shape) if not isinstance(a, np.ndarray) else tall(dz) @ tall(b).T


def product_right(dz, a, b):
    """Adjoint of b in z = a @ b."""
    if is_number(dz) or is_number(a):
        return np.zeros(np.shape(b)) if isinstance(b, np.ndarray) else 0.0
    if is_sparse(a):
        return as_adjoint(dz, (a.shape[0], b.shape[1])).behind(a) if is_sparse(b) else a.T @ dz
    return of_product(np.transpose(a), np.transpose(dz), b.shape)


def multiplied(a, b):
    """The products element by element, a.multiply(b), of a sparse matrix and one or an array."""
    return a.multiply(b) if is_sparse(a) else b.multiply(a)


def multiplied_or_zero(a, b):
    """multiplied(a, b), also where one of them is the zero that a sum begins with."""
    return 0.0 if is_number(a) or is_number(b) else multiplied(a, b)


def multiplied_left(dz, a, b):
    """Adjoint of a in z = multiplied(a, b)."""
    if is_number(dz) or is_number(b):
        return np.zeros(np.shape(a)) if isinstance(a, np.ndarray) else 0.0
    if is_number(a):
        return pairing(dz, b, a)
    shape = b.shape if is_sparse(b) else a.shape
    if is_sparse(b) and is_sparse(a) and a.shape != b.shape:
        raise NotImplementedError("the derivative of a product element by element of two sparse "
                                  "matrices of different shapes; use B.toarray() for the row or "
                                  "the column")
    dz = as_adjoint(dz, shape)
    if is_sparse(b):
        places = b.tocoo()
        found = dz.at(places.row, places.col) * places.data
        if is_sparse(a):
            return sparse.coo_array((found, (places.row, places.col)), shape=shape)
        return _spread_sums(found, places, a)
    b = np.asarray(b)
    row = np.broadcast_to(b, (shape[0], shape[1]))[0] if np.ndim(b) < 2 or b.shape[0] == 1 else None
    if row is not None:
        return MatrixAdjoint(shape, [(u, row[:, None] * v) for u, v in dz.products],
                             [one.multiply(row[None, :]) for one in dz.sparse],
                             [one * row for one in dz.dense])
    if b.shape[1] == 1:
        return MatrixAdjoint(shape, [(b * u, v) for u, v in dz.products],
                             [one.multiply(b) for one in dz.sparse],
                             [one * b for one in dz.dense])
    return MatrixAdjoint(shape, (), (), [dz.whole() * b])       # as large as b is


def _spread_sums(found, places, a):
    """What elements at places of a matrix give to the array a that was broadcast to it."""
    a = np.asarray(a)
    made = np.zeros(a.shape, np.result_type(found, float))
    whole = (1,) * (2 - a.ndim) + a.shape
    spots = [p if n != 1 else np.zeros_like(p) for p, n in zip((places.row, places.col), whole)]
    np.add.at(made.reshape(whole), tuple(spots), found)
    return made


# Rearranging -----------------------------------------------------------------------------------
def transposed(a):
    """a.T, of a sparse matrix."""
    return a.T


def turned(a):
    """The transpose of an adjoint, or of the tangent of a matrix."""
    return a if is_number(a) else a.T


def converted(a):
    """A matrix in another format, which has the same elements."""
    return a


def dense_part(dz, a):
    """Adjoint of a in z = a.toarray()."""
    return MatrixAdjoint(a.shape, (), (), [np.asarray(dz)])


def made_dense(a, like):
    """A sparse matrix as an array of the shape and the realness of like; of zero, zeros."""
    return np.zeros(np.shape(like)) if is_number(a) else real_like(a.toarray(), like)


def whole_part(da, x):
    """Adjoint of the array x of which a sparse matrix was made: all elements."""
    return real_like(as_adjoint(da, np.shape(x)).whole(), x)


def made_sparse(x):
    """A dense array as a sparse matrix."""
    return 0.0 if is_number(x) else sparse.csr_array(x)


def kept_in(da, dtype=None):
    """The adjoint or tangent of a matrix through a conversion of its numbers."""
    if dtype is None or np.dtype(dtype).kind in "fc":
        return da
    return 0.0 * da if is_sparse(da) else 0.0


def converted_back(dz, x, dtype=None):
    """Adjoint of x in z = csr_matrix(x), for a matrix or an array."""
    if is_sparse(x):
        return kept_in(dz, dtype)
    if isinstance(x, np.ndarray) and x.ndim == 2:
        return whole_part(kept_in(dz, dtype), x)
    raise NotImplementedError("the derivative of a sparse matrix that is made of this; give it "
                              "(data, (rows, columns)), or an array")


def converted_forth(dx, x, dtype=None):
    """Tangent of z = csr_matrix(x)."""
    if is_sparse(x) or (isinstance(x, np.ndarray) and x.ndim == 2):
        return kept_in(dx if is_sparse(dx) else made_sparse(dx), dtype)
    raise NotImplementedError("the derivative of a sparse matrix that is made of this; give it "
                              "(data, (rows, columns)), or an array")


def block_part(da, top, left, like):
    """The elements of an adjoint that belong to a block like `like`, whose first element lies at
    (top, left); an array where that is one."""
    if is_number(da):
        return 0.0 if is_sparse(like) else np.zeros(np.shape(like))
    found = as_adjoint(da, getattr(da, "shape", None)).part(top, left, np.shape(like))
    return found if is_sparse(like) else found.whole()


def block_placed(x, top, left, shape):
    """A sparse matrix of a shape with a block at (top, left), and nothing beside it."""
    if is_number(x):
        return 0.0
    places = sparse.coo_array(x)
    return sparse.coo_array((places.data, (places.row + top, places.col + left)), shape=shape)


def of_blocks(maker, layout, parts, format=None, dtype=None):
    """maker(blocks), for bmat and block_array; layout: which part stands where, None for nothing.
    """
    return maker([[None if k is None else parts[k] for k in row] for row in layout],
                 format=format, dtype=dtype)


def corners(layout, parts):
    """Where the blocks of a matrix begin: their tops, and their lefts."""
    heights = [max(np.shape(parts[k])[0] for k in row if k is not None) for row in layout]
    widths = [max(np.shape(parts[k])[1] for k in column if k is not None)
              for column in zip(*layout)]
    above, before = np.cumsum([0, *heights]), np.cumsum([0, *widths])
    places = {k: (i, j) for i, row in enumerate(layout) for j, k in enumerate(row)}
    return [int(above[places[k][0]]) for k in range(len(parts))], \
        [int(before[places[k][1]]) for k in range(len(parts))]


def starts(blocks, axis):
    """Where each of some blocks begins that are joined along an axis."""
    return [int(v) for v in np.cumsum([0, *[np.shape(b)[axis] for b in blocks]])]


def joined_tangent(parts, tops, lefts, shape):
    """The tangent of a matrix of blocks: each where its block lies."""
    found = sparse.csr_array(shape)
    for part, top, left in zip(parts, tops, lefts):
        if not is_number(part):
            found = found + block_placed(part, top, left, shape)
    return found


# Elements --------------------------------------------------------------------------------------
def elements(a, rows, columns, like):
    """Elements of a matrix or an adjoint, one by one, in the shape and realness of like."""
    if is_number(a):
        return np.zeros(np.shape(rows))
    return real_like(as_adjoint(a, a.shape).at(rows, columns), like)


def placed(x, rows, columns, shape):
    """A sparse matrix with these elements at some places, those of one place added up."""
    if len(shape) != 2:                     # that of the zero that a sum begins with
        return 0.0
    x = np.array(np.broadcast_to(x, np.shape(rows)))        # which may be changed later on
    return sparse.coo_array((np.ravel(x), (np.ravel(rows), np.ravel(columns))), shape=shape)


def diagonal_places(offset, shape):
    """The rows and the columns of a diagonal."""
    steps = np.arange(max(0, min(shape[0] + min(offset, 0), shape[1] - max(offset, 0))))
    return steps + max(-offset, 0), steps + max(offset, 0)


def diagonal_back(da, offset, shape, x):
    """Adjoint of x in diagonal_placed(x, offset, shape), and the diagonal of a matrix da in the
    shape of x."""
    rows, columns = diagonal_places(offset, shape)
    found = elements(da, rows, columns, x)
    if np.size(x) == 1:
        return np.reshape(np.sum(found), np.shape(x))[()]
    if np.shape(x) == found.shape:
        return found
    return np.concatenate([found, np.zeros(len(x) - len(found))])   # what is left over of x


def diagonal_placed(x, offset, shape):
    """A sparse matrix with a diagonal, and nothing beside it; a number is spread over it, and what
    is too much of a vector is left out."""
    rows, columns = diagonal_places(offset, shape)
    return placed(x if np.size(x) == 1 else x[:len(rows)], rows, columns, shape)


def diagonals_tangent(dxs, offsets, shape):
    """The tangent of a matrix of several diagonals."""
    found = sparse.csr_array(shape)
    for k, dx in enumerate(dxs):
        found = found + diagonal_placed(dx, offset_at(offsets, k), shape)
    return found


def element_placed(x, i, j, shape):
    """A sparse matrix with one element."""
    return placed(x, i % shape[0], j % shape[1], shape)


def offset_at(offsets, k):
    """Which diagonal the k-th of some is."""
    return int(np.atleast_1d(offsets)[k])


def row_places(indices, indptr):
    """The row of each element of a matrix in compressed rows."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def element(a, i, j):
    """a[i, j], one element."""
    return a[i, j]


def element_of(a, i, j):
    """The same, of the tangent of a matrix."""
    return 0.0 if is_number(a) else a[i, j] if hasattr(a, "__getitem__") else a.tocsr()[i, j]


def selected(a, rows, columns):
    """a[rows, columns], one of the two a slice."""
    return 0.0 if is_number(a) else (a if a.format in ("csr", "csc", "lil") else a.tocsr())[
        rows, columns]


def selected_back(dz, rows, columns, shape):
    """Adjoint of a (shape) in z = a[rows, columns]."""
    if is_number(dz) or len(shape) != 2:
        return 0.0
    places = [np.arange(n)[one] for n, one in zip(shape, (rows, columns))]
    left, right = [sparse.csr_array((np.ones(len(p)), (np.arange(len(p)), p)), shape=(len(p), n))
                   for p, n in zip(places, shape)]
    return as_adjoint(dz, dz.shape).behind(left).T.behind(right).T


# Sums of elements ------------------------------------------------------------------------------
def total_back(dz, a, axis):
    """Adjoint of a in z = a.sum(axis)."""
    if is_number(a):
        return 0.0
    ones = np.ones((a.shape[0], 1)), np.ones((a.shape[1], 1))
    if axis is None:
        return MatrixAdjoint(a.shape, [(ones[0] * dz, ones[1])])
    dz = np.asarray(dz).reshape(-1, 1)
    return MatrixAdjoint(a.shape, [(dz, ones[1]) if axis in (1, -1) else (ones[0], dz)])


def total(a, axis, like):
    """a.sum(axis) in the shape and the realness of like."""
    if is_number(a):
        return np.zeros(np.shape(like))[()]
    return real_like(np.reshape(np.asarray(a.sum(axis=axis)), np.shape(like))[()], like)


# Kronecker's product ---------------------------------------------------------------------------
def kronecker(a, b):
    """sparse.kron(a, b)"""
    return 0.0 if is_number(a) or is_number(b) else sparse.kron(a, b)


def kronecker_left(dz, a, b):
    """Adjoint of a in z = kron(a, b): sums over the blocks, element by element times b."""
    if is_number(dz) or is_number(b):
        return 0.0
    (n, m), (k, w) = a.shape, b.shape
    dz, b = as_adjoint(dz, (n * k, m * w)), sparse.csr_array(b)
    products = []
    for u, v in dz.products:
        r = u.shape[1]
        right = b @ v.reshape(m, w, r).transpose(1, 0, 2).reshape(w, m * r)      # (k, m * r)
        right = right.reshape(k, m, r).transpose(1, 0, 2).reshape(m, k * r)
        products.append((u.reshape(n, k * r), right))
    found = []
    for one in dz.sparse:
        p = one.tocoo()
        values = p.data * _at(b, p.row % k, p.col % w)
        found.append(sparse.coo_array((values, (p.row // k, p.col // w)), shape=(n, m)))
    dense = [np.einsum("nkml,kl->nm", one.reshape(n, k, m, w), b.toarray()) for one in dz.dense]
    return MatrixAdjoint((n, m), products, found, dense)


def kronecker_right(dz, a, b):
    """Adjoint of b in z = kron(a, b)."""
    if is_number(dz) or is_number(a):
        return 0.0
    (n, m), (k, w) = a.shape, b.shape
    dz, a = as_adjoint(dz, (n * k, m * w)), sparse.csr_array(a)
    products = []
    for u, v in dz.products:
        r = u.shape[1]
        right = a @ v.reshape(m, w * r)                                          # (n, w * r)
        products.append((u.reshape(n, k, r).transpose(1, 0, 2).reshape(k, n * r),
                         right.reshape(n, w, r).transpose(1, 0, 2).reshape(w, n * r)))
    found = []
    for one in dz.sparse:
        p = one.tocoo()
        values = p.data * _at(a, p.row // k, p.col // w)
        found.append(sparse.coo_array((values, (p.row % k, p.col % w)), shape=(k, w)))
    dense = [np.einsum("nkml,nm->kl", one.reshape(n, k, m, w), a.toarray()) for one in dz.dense]
    return MatrixAdjoint((k, w), products, found, dense)


def _at(matrix, rows, columns):
    return MatrixAdjoint(matrix.shape, (), (matrix,)).at(rows, columns)


# What makes matrices ---------------------------------------------------------------------------
def from_triplets(maker, data, rows, columns, shape=None, dtype=None, copy=False):
    """maker((data, (rows, columns))), for a class of matrices."""
    return maker((data, (rows, columns)), shape=shape, dtype=dtype, copy=copy)


def from_rows(maker, data, indices, indptr, shape=None, dtype=None, copy=False):
    """maker((data, indices, indptr)), of compressed rows."""
    return maker((data, indices, indptr), shape=shape, dtype=dtype, copy=copy)


def from_columns(maker, data, indices, indptr, shape=None, dtype=None, copy=False):
    """maker((data, indices, indptr)), of compressed columns."""
    return maker((data, indices, indptr), shape=shape, dtype=dtype, copy=copy)


def from_dense(maker, x, shape=None, dtype=None, copy=False):
    """maker(x), of a dense array."""
    return 0.0 if is_number(x) else maker(x, shape=shape, dtype=dtype, copy=copy)


def of_diagonals(maker, diagonals, offsets=0, shape=None, format=None, dtype=None):
    """maker(diagonals, offsets=offsets), for diags and diags_array."""
    options = {} if dtype is None else {"dtype": dtype}     # a default of None is not SciPy's
    return maker(list(diagonals), offsets=offsets, shape=shape, format=format, **options)


def of_one_diagonal(maker, x, offsets=0, shape=None, format=None, dtype=None):
    """maker(x, offsets=offsets), for one vector."""
    options = {} if dtype is None else {"dtype": dtype}
    return maker(x, offsets=offsets, shape=shape, format=format, **options)
