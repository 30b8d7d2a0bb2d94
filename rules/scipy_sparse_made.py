"""scipy.sparse: what makes matrices, of numbers and the places where they stand, and of matrices.

How the adjoint of a matrix becomes that of its numbers: `runtime.sparse`. Constructors are written
out as calls of the functions of `runtime.scipy_sparse` (`expansion/matrices.py`).
"""
import numpy as np
from scipy import sparse

from tangent_lite.registry import adjoint, entry_for, nondifferentiable, refuse, tangent
from tangent_lite.registry.matrices import makes_matrices
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_matrices import (
    as_the_blocks,
    as_the_maker,
    constant_matrix,
    converted_matrix,
    joined_matrix,
    pair_of_matrices,
)
from tangent_lite.runtime import through_dtype
from tangent_lite.runtime.scipy_sparse import (
    block_part,
    converted_back,
    converted_forth,
    corners,
    diagonal_back,
    diagonal_placed,
    diagonals_tangent,
    elements,
    from_columns,
    from_dense,
    from_rows,
    from_triplets,
    joined_tangent,
    kronecker,
    kronecker_left,
    kronecker_right,
    of_blocks,
    of_diagonals,
    of_one_diagonal,
    offset_at,
    placed,
    row_places,
    starts,
    whole_part,
)

PLACES = "it says where the elements stand"
CLASS = "it says what is made"
OLD = [getattr(sparse, f"{kind}_matrix") for kind in ("csr", "csc", "coo", "bsr", "dia")]
NEW = [getattr(sparse, f"{kind}_array") for kind in ("csr", "csc", "coo", "bsr", "dia")]
makes_matrices("parts", *OLD, *NEW)
makes_matrices("diagonals", sparse.diags, sparse.diags_array)
for _function, _old in ((sparse.diags, True), (sparse.diags_array, False)):
    entry_for(_function).kind = constant_matrix(_old)
for _function, _old in ((sparse.lil_matrix, True), (sparse.lil_array, False)):
    entry_for(_function).kind = constant_matrix(_old)


# Of numbers and places -------------------------------------------------------------------------
@adjoint(from_triplets, kind=as_the_maker, view="any",
         constant={"maker": CLASS, "rows": PLACES, "columns": PLACES})
def from_triplets_(z, maker, data, rows, columns, shape=None, dtype=None, copy=False):
    d[data] = through_dtype(elements(d[z], rows, columns, data), dtype)


@tangent(from_triplets, constant={"maker": CLASS, "rows": PLACES, "columns": PLACES})
def from_triplets_tangent(z, maker, data, rows, columns, shape=None, dtype=None, copy=False):
    d[z] = placed(through_dtype(d[data], dtype), rows, columns, np.shape(z))


@adjoint(from_rows, kind=as_the_maker, view="any",
         constant={"maker": CLASS, "indices": PLACES, "indptr": PLACES})
def from_rows_(z, maker, data, indices, indptr, shape=None, dtype=None, copy=False):
    d[data] = through_dtype(elements(d[z], row_places(indices, indptr), indices, data), dtype)


@tangent(from_rows, constant={"maker": CLASS, "indices": PLACES, "indptr": PLACES})
def from_rows_tangent(z, maker, data, indices, indptr, shape=None, dtype=None, copy=False):
    d[z] = placed(through_dtype(d[data], dtype), row_places(indices, indptr), indices, np.shape(z))


@adjoint(from_columns, kind=as_the_maker, view="any",
         constant={"maker": CLASS, "indices": PLACES, "indptr": PLACES})
def from_columns_(z, maker, data, indices, indptr, shape=None, dtype=None, copy=False):
    d[data] = through_dtype(elements(d[z], indices, row_places(indices, indptr), data), dtype)


@tangent(from_columns, constant={"maker": CLASS, "indices": PLACES, "indptr": PLACES})
def from_columns_tangent(z, maker, data, indices, indptr, shape=None, dtype=None, copy=False):
    d[z] = placed(through_dtype(d[data], dtype), indices, row_places(indices, indptr), np.shape(z))


@adjoint(from_dense, kind=as_the_maker, constant={"maker": CLASS})
def from_dense_(z, maker, x, shape=None, dtype=None, copy=False):
    d[x] = through_dtype(whole_part(d[z], x), dtype)


@tangent(from_dense, constant={"maker": CLASS})
def from_dense_tangent(z, maker, x, shape=None, dtype=None, copy=False):
    d[z] = from_dense(maker, through_dtype(d[x], dtype))


@adjoint(of_diagonals, kind=as_the_maker, constant={"maker": CLASS, "offsets": PLACES})
def of_diagonals_(z, maker, diagonals, offsets=0, shape=None, format=None, dtype=None):
    for k, x in enumerate(diagonals):
        d[x] = through_dtype(diagonal_back(d[z], offset_at(offsets, k), np.shape(z), x), dtype)


@tangent(of_diagonals, constant={"maker": CLASS, "offsets": PLACES})
def of_diagonals_tangent(z, maker, diagonals, offsets=0, shape=None, format=None, dtype=None):
    d[z] = diagonals_tangent(d[diagonals], offsets, np.shape(z))


@adjoint(of_one_diagonal, kind=as_the_maker, constant={"maker": CLASS, "offsets": PLACES})
def of_one_diagonal_(z, maker, x, offsets=0, shape=None, format=None, dtype=None):
    d[x] = through_dtype(diagonal_back(d[z], offset_at(offsets, 0), np.shape(z), x), dtype)


@tangent(of_one_diagonal, constant={"maker": CLASS, "offsets": PLACES})
def of_one_diagonal_tangent(z, maker, x, offsets=0, shape=None, format=None, dtype=None):
    d[z] = diagonal_placed(through_dtype(d[x], dtype), offset_at(offsets, 0), np.shape(z))


nondifferentiable(offset_at, row_places, starts, corners, kind=unknown)
nondifferentiable(sparse.eye, sparse.identity, kind=constant_matrix(True))
nondifferentiable(sparse.random, sparse.rand, kind=constant_matrix(True), pure=False)
for _name, _is_pure in (("eye_array", True), ("random_array", False)):
    if hasattr(sparse, _name):
        nondifferentiable(getattr(sparse, _name), kind=constant_matrix(False), pure=_is_pure)


@adjoint(*OLD, kind=converted_matrix(True), view="maybe")
def old_converted(z, arg1, shape=None, dtype=None, copy=False):
    d[arg1] = converted_back(d[z], arg1, dtype)


@tangent(*OLD)
def old_converted_tangent(z, arg1, shape=None, dtype=None, copy=False):
    d[z] = converted_forth(d[arg1], arg1, dtype)


@adjoint(*NEW, kind=converted_matrix(False), view="maybe")
def new_converted(z, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    d[arg1] = converted_back(d[z], arg1, dtype)


@tangent(*NEW)
def new_converted_tangent(z, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    d[z] = converted_forth(d[arg1], arg1, dtype)


# Matrices of matrices --------------------------------------------------------------------------
@adjoint(sparse.hstack, kind=joined_matrix)
def hstack(z, blocks, format=None, dtype=None):
    for k, x in enumerate(blocks):
        d[x] = block_part(d[z], 0, starts(blocks, 1)[k], x)


@tangent(sparse.hstack)
def hstack_tangent(z, blocks, format=None, dtype=None):
    d[z] = joined_tangent(d[blocks], [0] * len(blocks), starts(blocks, 1), np.shape(z))


@adjoint(sparse.vstack, kind=joined_matrix)
def vstack(z, blocks, format=None, dtype=None):
    for k, x in enumerate(blocks):
        d[x] = block_part(d[z], starts(blocks, 0)[k], 0, x)


@tangent(sparse.vstack)
def vstack_tangent(z, blocks, format=None, dtype=None):
    d[z] = joined_tangent(d[blocks], starts(blocks, 0), [0] * len(blocks), np.shape(z))


@adjoint(sparse.block_diag, kind=joined_matrix)
def block_diag(z, mats, format=None, dtype=None):
    for k, x in enumerate(mats):
        d[x] = block_part(d[z], starts(mats, 0)[k], starts(mats, 1)[k], x)


@tangent(sparse.block_diag)
def block_diag_tangent(z, mats, format=None, dtype=None):
    d[z] = joined_tangent(d[mats], starts(mats, 0), starts(mats, 1), np.shape(z))


@adjoint(of_blocks, kind=as_the_blocks, constant={"maker": CLASS, "layout": PLACES})
def of_blocks_(z, maker, layout, parts, format=None, dtype=None):
    for k, x in enumerate(parts):
        d[x] = block_part(d[z], corners(layout, parts)[0][k], corners(layout, parts)[1][k], x)


@tangent(of_blocks, constant={"maker": CLASS, "layout": PLACES})
def of_blocks_tangent(z, maker, layout, parts, format=None, dtype=None):
    places = corners(layout, parts)
    d[z] = joined_tangent(d[parts], places[0], places[1], np.shape(z))


for _function in (sparse.bmat, sparse.block_array):
    entry_for(_function).kind = joined_matrix
makes_matrices("blocks", sparse.bmat, sparse.block_array)


@adjoint(sparse.kron, kind=pair_of_matrices)
def kron(z, A, B, format=None):
    d[A] = kronecker_left(d[z], A, B)
    d[B] = kronecker_right(d[z], A, B)


@tangent(sparse.kron)
def kron_tangent(z, A, B, format=None):
    d[z] = kronecker(d[A], B) + kronecker(A, d[B])
refuse(*(getattr(sparse, name) for name in ("spdiags", "kronsum", "tril", "triu")
         if hasattr(sparse, name)),
       why="it is not one of the functions that are known here",
       instead="use diags, or the numbers, rows and columns: csr_matrix((data, (rows, columns)))")
