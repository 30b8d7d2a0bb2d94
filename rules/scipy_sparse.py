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

from tangent_lite.registry import adjoint, entry_for, lookup, refuse, refuse_where, tangent
from tangent_lite.registry.matrices import compute_for_matrices, for_matrices
from tangent_lite.result_kinds.of_matrices import (
    cast_matrix,
    dense_kind,
    kept_matrix,
    no_dense_sum,
    no_np_matrix,
    no_number,
    numbers_kind,
    one_number,
    product_kind,
    same_matrix,
    sum_kind,
    todense_kind,
    total_kind,
)
from tangent_lite.runtime.scipy_sparse import (
    added,
    applied,
    applied_right,
    dense_part,
    diagonal_back,
    diagonal_placed,
    divided,
    element,
    element_of,
    element_placed,
    from_columns,
    from_dense,
    from_rows,
    from_triplets,
    kept_in,
    lessened,
    made_dense,
    multiplied,
    multiplied_left,
    negated,
    of_blocks,
    of_diagonals,
    of_one_diagonal,
    pairing,
    product,
    product_left,
    product_right,
    scaled,
    selected,
    selected_back,
    subtracted,
    summed,
    term_back,
    term_forth,
    times,
    total,
    total_back,
    transposed,
    turned,
)

PLACES = "it says where the elements stand"
CLASS = "it says what is made"
for_matrices(added=added, subtracted=subtracted, scaled=scaled, divided=divided, negated=negated,
             product=product, applied=applied, applied_right=applied_right,
             multiplied=multiplied, transposed=transposed, element=element, selected=selected,
             summed=summed, lessened=lessened, from_triplets=from_triplets, from_rows=from_rows,
             from_columns=from_columns, from_dense=from_dense, of_diagonals=of_diagonals,
             of_one_diagonal=of_one_diagonal, of_blocks=of_blocks)
compute_for_matrices("tocsr", "tocsc", "tocoo", "todia", "tobsr", "asformat", "toarray", "multiply")
CLASSES = (sparse.csr_matrix, sparse.csr_array, sparse.coo_array)   # which stand for all formats


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


refuse_where(no_np_matrix, *_methods("sum"))
refuse_where(no_dense_sum, summed, lessened)
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
