"""scipy.sparse: matrices that vary, their products, sums and parts, and solutions.

The adjoint of a matrix is never dense, and none of the matrix's own pattern: `runtime.sparse` says
what it is. Operators of matrices are written out as calls of the functions of
`runtime.scipy_sparse` (`expansion/matrices.py`), whose rules stand here and in
scipy_sparse_helpers.
"""
import inspect

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from tangent_lite.registry import (
    adjoint,
    entry_for,
    lookup,
    nondifferentiable,
    refuse,
    refuse_where,
    tangent,
)
from tangent_lite.registry.matrices import compute_for_matrices, for_matrices, makes_matrices
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_matrices import (
    as_the_blocks,
    as_the_maker,
    cast_matrix,
    constant_matrix,
    converted_matrix,
    dense_kind,
    joined_matrix,
    kept_matrix,
    no_dense_sum,
    no_np_matrix,
    no_number,
    numbers_kind,
    one_number,
    pair_of_matrices,
    product_kind,
    same_matrix,
    sum_kind,
    todense_kind,
    total_kind,
)
from tangent_lite.runtime import through_dtype
from tangent_lite.runtime.scipy_sparse import (
    added,
    applied,
    applied_right,
    block_part,
    converted_back,
    converted_forth,
    corners,
    dense_part,
    diagonal_back,
    diagonal_placed,
    diagonals_tangent,
    divided,
    element,
    element_of,
    element_placed,
    elements,
    from_columns,
    from_dense,
    from_rows,
    from_triplets,
    joined_tangent,
    kept_in,
    kronecker,
    kronecker_left,
    kronecker_right,
    lessened,
    made_dense,
    multiplied,
    multiplied_left,
    negated,
    of_blocks,
    of_diagonals,
    of_one_diagonal,
    offset_at,
    pairing,
    placed,
    product,
    product_left,
    product_right,
    row_places,
    scaled,
    selected,
    selected_back,
    starts,
    subtracted,
    summed,
    term_back,
    term_forth,
    times,
    total,
    total_back,
    transposed,
    turned,
    whole_part,
)

PLACES = "it says where the elements stand"
CLASS = "it says what is made"
for_matrices(added=added, subtracted=subtracted, scaled=scaled, divided=divided, negated=negated,
             product=product, applied=applied, applied_right=applied_right,
             multiplied=multiplied, transposed=transposed, element=element, selected=selected,
             summed=summed, lessened=lessened, from_triplets=from_triplets, from_rows=from_rows,
             from_columns=from_columns, from_dense=from_dense, of_diagonals=of_diagonals,
             of_one_diagonal=of_one_diagonal, of_blocks=of_blocks)
OLD = [getattr(sparse, f"{kind}_matrix") for kind in ("csr", "csc", "coo", "bsr", "dia")]
NEW = [getattr(sparse, f"{kind}_array") for kind in ("csr", "csc", "coo", "bsr", "dia")]
compute_for_matrices("tocsr", "tocsc", "tocoo", "todia", "tobsr", "asformat", "toarray", "multiply")
makes_matrices("parts", *OLD, *NEW)
makes_matrices("diagonals", sparse.diags, sparse.diags_array)
CLASSES = (sparse.csr_matrix, sparse.csr_array, sparse.coo_array)   # which stand for all formats
for _function, _old in ((sparse.diags, True), (sparse.diags_array, False)):
    entry_for(_function).kind = constant_matrix(_old)
for _function, _old in ((sparse.lil_matrix, True), (sparse.lil_array, False)):
    entry_for(_function).kind = constant_matrix(_old)


def _methods(*names):
    """Methods of matrices, by name."""
    return list(dict.fromkeys(getattr(cls, name) for cls in CLASSES for name in names
                              if hasattr(cls, name)))


# Operators -------------------------------------------------------------------------------------
@adjoint(added, kind=same_matrix)
def added_(z, a, b):
    d[a] = d[z]
    d[b] = d[z]


@tangent(added)
def added_tangent(z, a, b):
    d[z] = d[a] + d[b]


@adjoint(subtracted, kind=same_matrix)
def subtracted_(z, a, b):
    d[a] = d[z]
    d[b] = times(d[z], -1.0)


@tangent(subtracted)
def subtracted_tangent(z, a, b):
    d[z] = d[a] + times(d[b], -1.0)


@adjoint(summed, kind=sum_kind)
def summed_(z, a, b):
    d[a] = term_back(d[z], a, z)
    d[b] = term_back(d[z], b, z)


@tangent(summed)
def summed_tangent(z, a, b):
    d[z] = term_forth(d[a], a, z) + term_forth(d[b], b, z)


@adjoint(lessened, kind=sum_kind)
def lessened_(z, a, b):
    d[a] = term_back(d[z], a, z)
    d[b] = term_back(times(d[z], -1.0), b, z)


@tangent(lessened)
def lessened_tangent(z, a, b):
    d[z] = term_forth(d[a], a, z) + times(term_forth(d[b], b, z), -1.0)


@adjoint(scaled, kind=same_matrix)
def scaled_(z, a, s):
    d[a] = times(d[z], s)
    d[s] = pairing(d[z], a, s)


@tangent(scaled)
def scaled_tangent(z, a, s):
    d[z] = times(d[a], s) + times(a, d[s])


@adjoint(divided, kind=same_matrix)
def divided_(z, a, s):
    d[a] = times(d[z], 1.0 / s)
    d[s] = -pairing(d[z], z, s) / s


@tangent(divided)
def divided_tangent(z, a, s):
    d[z] = times(d[a], 1.0 / s) + times(z, -d[s] / s)


@adjoint(negated, kind=same_matrix)
def negated_(z, a):
    d[a] = times(d[z], -1.0)


@tangent(negated)
def negated_tangent(z, a):
    d[z] = times(d[a], -1.0)


@adjoint(product, kind=product_kind)
def product_(z, a, b):
    d[a] = product_left(d[z], a, b)
    d[b] = product_right(d[z], a, b)


@tangent(product)
def product_tangent(z, a, b):
    d[z] = product(d[a], b) + product(a, d[b])


@adjoint(applied, kind=product_kind)
def applied_(z, a, x):
    d[a] = product_left(d[z], a, x)
    d[x] = applied(transposed(a), d[z])


@tangent(applied)
def applied_tangent(z, a, x):
    d[z] = product(d[a], x) + applied(a, d[x])


@adjoint(applied_right, kind=product_kind)
def applied_right_(z, x, a):
    d[x] = applied_right(d[z], transposed(a))
    d[a] = product_right(d[z], x, a)


@tangent(applied_right)
def applied_right_tangent(z, x, a):
    d[z] = applied_right(d[x], a) + product(x, d[a])


@adjoint(multiplied, kind=same_matrix)
def multiplied_(z, a, b):
    d[a] = multiplied_left(d[z], a, b)
    d[b] = multiplied_left(d[z], b, a)


@tangent(multiplied)
def multiplied_tangent(z, a, b):
    d[z] = multiplied(d[a], b) + multiplied(a, d[b])


@adjoint(transposed, kind=kept_matrix, view="maybe")
def transposed_(z, a):
    d[a] = turned(d[z])


@tangent(transposed)
def transposed_tangent(z, a):
    d[z] = turned(d[a])


# By identity these are called as methods.
@adjoint(*_methods("dot"), kind=product_kind)
def dot(z, self, other):
    d[self] = product_left(d[z], self, other)
    d[other] = product_right(d[z], self, other)


@tangent(*_methods("dot"))
def dot_tangent(z, self, other):
    d[z] = product(d[self], other) + product(self, d[other])


@adjoint(*_methods("multiply"), kind=same_matrix)
def multiply(z, self, other):
    d[self] = multiplied_left(d[z], self, other)
    d[other] = multiplied_left(d[z], other, self)


@tangent(*_methods("multiply"))
def multiply_tangent(z, self, other):
    d[z] = multiplied(d[self], other) + multiplied(self, d[other])


refuse_where(no_number, *_methods("dot", "multiply"))


# Parts -----------------------------------------------------------------------------------------
@adjoint(element, kind=one_number, constant={"i": PLACES, "j": PLACES})
def element_(z, a, i, j):
    d[a] = element_placed(d[z], i, j, np.shape(a))


@tangent(element, constant={"i": PLACES, "j": PLACES})
def element_tangent(z, a, i, j):
    d[z] = element_of(d[a], i, j)


@adjoint(selected, kind=kept_matrix, constant={"rows": PLACES, "columns": PLACES})
def selected_(z, a, rows, columns):
    d[a] = selected_back(d[z], rows, columns, np.shape(a))


@tangent(selected, constant={"rows": PLACES, "columns": PLACES})
def selected_tangent(z, a, rows, columns):
    d[z] = selected(d[a], rows, columns)


@adjoint(*_methods("toarray"), kind=dense_kind)
def toarray(z, self, order=None, out=None):
    d[self] = dense_part(d[z], self)


@tangent(*_methods("toarray"))
def toarray_tangent(z, self, order=None, out=None):
    d[z] = made_dense(d[self], z)


# Matrices share their numbers with those that they are made of, as far as they can.
@adjoint(*_methods("tocsr", "tocsc", "tocoo", "todia"), kind=kept_matrix, view="maybe")
def converted(z, self, copy=False):
    d[self] = d[z]


@adjoint(*_methods("copy"), kind=kept_matrix)
def copied(z, self):
    d[self] = d[z]


@tangent(*_methods("tocsr", "tocsc", "tocoo", "todia", "copy"))
def converted_tangent(z, self, copy=False):
    d[z] = d[self]


@adjoint(*_methods("tobsr"), kind=kept_matrix, view="maybe", constant={"blocksize": PLACES})
def tobsr(z, self, blocksize=None, copy=False):
    d[self] = d[z]


@tangent(*_methods("tobsr"), constant={"blocksize": PLACES})
def tobsr_tangent(z, self, blocksize=None, copy=False):
    d[z] = d[self]


@adjoint(*_methods("asformat"), kind=kept_matrix, view="maybe", constant={"format": CLASS})
def asformat(z, self, format, copy=False):
    d[self] = d[z]


@tangent(*_methods("asformat"), constant={"format": CLASS})
def asformat_tangent(z, self, format, copy=False):
    d[z] = d[self]


@adjoint(*_methods("astype"), kind=cast_matrix, constant={"dtype": CLASS})
def astype(z, self, dtype, casting="unsafe", copy=True):
    d[self] = kept_in(d[z], dtype)


@tangent(*_methods("astype"), constant={"dtype": CLASS})
def astype_tangent(z, self, dtype, casting="unsafe", copy=True):
    d[z] = kept_in(d[self], dtype)


@adjoint(*_methods("diagonal"), kind=numbers_kind, view="maybe", constant={"k": PLACES})
def diagonal(z, self, k=0):
    d[self] = diagonal_placed(d[z], k, np.shape(self))


@tangent(*_methods("diagonal"), constant={"k": PLACES})
def diagonal_tangent(z, self, k=0):
    d[z] = diagonal_back(d[self], k, np.shape(self), z)


@adjoint(*_methods("sum"), kind=total_kind)
def sum_(z, self, axis=None, dtype=None, out=None):
    d[self] = total_back(d[z], self, axis)


@tangent(*_methods("sum"))
def sum_tangent(z, self, axis=None, dtype=None, out=None):
    d[z] = total(d[self], axis, z)


# What makes matrices ---------------------------------------------------------------------------
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
refuse_where(no_np_matrix, *_methods("sum"))
refuse_where(no_dense_sum, summed, lessened)


@adjoint(sparse.kron, kind=pair_of_matrices)
def kron(z, A, B, format=None):
    d[A] = kronecker_left(d[z], A, B)
    d[B] = kronecker_right(d[z], A, B)


@tangent(sparse.kron)
def kron_tangent(z, A, B, format=None):
    d[z] = kronecker(d[A], B) + kronecker(A, d[B])


refuse(linalg.lsqr, linalg.lsmr, linalg.spilu,
       why="what it returns is no solution of the equations", instead="use spsolve")
refuse(linalg.eigs, linalg.eigsh, linalg.svds, linalg.expm_multiply, linalg.expm, linalg.inv,
       linalg.norm,
       why="only products, sums and solutions have rules", instead="use dense matrices")
refuse(*dict.fromkeys(
    function for cls in CLASSES for name, function in inspect.getmembers(cls, inspect.isfunction)
    if not name.startswith("_") and lookup(function) is None),
       why="it is not one of the methods that are known here",
       instead="compute with what the matrix is made of")
for _function in _methods("todense"):
    entry_for(_function).kind = todense_kind
for _function in _methods("mean"):
    entry_for(_function).kind = total_kind
refuse(*(getattr(sparse, name) for name in ("spdiags", "kronsum", "tril", "triu")
         if hasattr(sparse, name)),
       why="it is not one of the functions that are known here",
       instead="use diags, or the numbers, rows and columns: csr_matrix((data, (rows, columns)))")
