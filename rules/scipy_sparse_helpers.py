"""Rules of what derivatives with sparse matrices call, so that they can be differentiated again.

A variable that holds a matrix has an adjoint of `runtime.sparse`, and one that holds such an
adjoint has a sparse matrix for its own: whatever takes the one to the other has its transpose here.
"""
import numpy as np

from tangent_lite.registry import adjoint, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_matrices import (
    one_number,
    same_matrix,
    second_like_it,
    shaped_as_last,
    some_matrix,
)
from tangent_lite.runtime.scipy_sparse import (
    block_part,
    block_placed,
    converted_back,
    converted_forth,
    dense_part,
    diagonal_back,
    diagonal_placed,
    element_of,
    element_placed,
    elements,
    joined_tangent,
    kept_in,
    kronecker,
    kronecker_left,
    kronecker_right,
    made_dense,
    made_sparse,
    multiplied_left,
    multiplied_or_zero,
    pairing,
    placed,
    product_left,
    product_or_zero,
    product_right,
    selected,
    selected_back,
    term_back,
    term_forth,
    times,
    total,
    total_back,
    turned,
    whole_part,
)

PLACES = ("rows", "columns")


# Sums ------------------------------------------------------------------------------------------
@adjoint(term_back, kind=unknown)
def term_back_(y, dz, a, z):
    d[dz] = term_forth(d[y], a, z)
    d[a] = None
    d[z] = None


@tangent(term_back)
def term_back_tangent(y, dz, a, z):
    d[y] = term_back(d[dz], a, z)
    d[a] = None
    d[z] = None


@adjoint(term_forth, kind=unknown)
def term_forth_(y, da, a, z):
    d[da] = term_back(d[y], a, z)
    d[a] = None
    d[z] = None


@tangent(term_forth)
def term_forth_tangent(y, da, a, z):
    d[y] = term_forth(d[da], a, z)
    d[a] = None
    d[z] = None


@adjoint(times, kind=same_matrix)
def times_(z, a, s):
    d[a] = times(d[z], s)
    d[s] = pairing(d[z], a, s)


@tangent(times)
def times_tangent(z, a, s):
    d[z] = times(d[a], s) + times(a, d[s])


@adjoint(turned, kind=same_matrix)
def turned_(y, a):
    d[a] = turned(d[y])


@tangent(turned)
def turned_tangent(y, a):
    d[y] = turned(d[a])


@adjoint(pairing, kind=shaped_as_last)
def pairing_(y, one, other, like):
    d[one] = times(other, d[y])
    d[other] = times(one, d[y])
    d[like] = None


@tangent(pairing)
def pairing_tangent(y, one, other, like):
    d[y] = pairing(d[one], other, like) + pairing(one, d[other], like)
    d[like] = None


# Products --------------------------------------------------------------------------------------
@adjoint(product_or_zero, kind=second_like_it)
def product_or_zero_(z, a, b, like):
    d[a] = product_left(d[z], a, b)
    d[b] = product_right(d[z], a, b)
    d[like] = None


@tangent(product_or_zero)
def product_or_zero_tangent(z, a, b, like):
    d[z] = product_or_zero(d[a], b, like) + product_or_zero(a, d[b], like)
    d[like] = None


@adjoint(product_left, kind=unknown)
def product_left_(y, dz, a, b):
    d[dz] = product_or_zero(d[y], b, dz)
    d[b] = product_right(dz, d[y], b)
    d[a] = None


@tangent(product_left)
def product_left_tangent(y, dz, a, b):
    d[y] = product_left(d[dz], a, b) + product_left(dz, a, d[b])
    d[a] = None


@adjoint(product_right, kind=unknown)
def product_right_(y, dz, a, b):
    d[dz] = product_or_zero(a, d[y], dz)
    d[a] = product_left(dz, a, d[y])
    d[b] = None


@tangent(product_right)
def product_right_tangent(y, dz, a, b):
    d[y] = product_right(d[dz], a, b) + product_right(dz, d[a], b)
    d[b] = None


@adjoint(multiplied_or_zero, kind=some_matrix)
def multiplied_or_zero_(z, a, b):
    d[a] = multiplied_left(d[z], a, b)
    d[b] = multiplied_left(d[z], b, a)


@tangent(multiplied_or_zero)
def multiplied_or_zero_tangent(z, a, b):
    d[z] = multiplied_or_zero(d[a], b) + multiplied_or_zero(a, d[b])


@adjoint(multiplied_left, kind=unknown)
def multiplied_left_(y, dz, a, b):
    d[dz] = multiplied_or_zero(d[y], b)
    d[b] = multiplied_left(dz, b, d[y])
    d[a] = None


@tangent(multiplied_left)
def multiplied_left_tangent(y, dz, a, b):
    d[y] = multiplied_left(d[dz], a, b) + multiplied_left(dz, a, d[b])
    d[a] = None


@adjoint(kronecker, kind=some_matrix)
def kronecker_(z, a, b):
    d[a] = kronecker_left(d[z], a, b)
    d[b] = kronecker_right(d[z], a, b)


@tangent(kronecker)
def kronecker_tangent(z, a, b):
    d[z] = kronecker(d[a], b) + kronecker(a, d[b])


@adjoint(kronecker_left, kind=unknown)
def kronecker_left_(y, dz, a, b):
    d[dz] = kronecker(d[y], b)
    d[b] = kronecker_right(dz, d[y], b)
    d[a] = None


@tangent(kronecker_left)
def kronecker_left_tangent(y, dz, a, b):
    d[y] = kronecker_left(d[dz], a, b) + kronecker_left(dz, a, d[b])
    d[a] = None


@adjoint(kronecker_right, kind=unknown)
def kronecker_right_(y, dz, a, b):
    d[dz] = kronecker(a, d[y])
    d[a] = kronecker_left(dz, a, d[y])
    d[b] = None


@tangent(kronecker_right)
def kronecker_right_tangent(y, dz, a, b):
    d[y] = kronecker_right(d[dz], a, b) + kronecker_right(dz, d[a], b)
    d[b] = None


# Elements --------------------------------------------------------------------------------------
@adjoint(elements, kind=shaped_as_last, constant=PLACES)
def elements_(y, a, rows, columns, like):
    d[a] = placed(d[y], rows, columns, np.shape(a))
    d[like] = None


@tangent(elements, constant=PLACES)
def elements_tangent(y, a, rows, columns, like):
    d[y] = elements(d[a], rows, columns, like)
    d[like] = None


@adjoint(placed, kind=some_matrix, constant=(*PLACES, "shape"))
def placed_(y, x, rows, columns, shape):
    d[x] = elements(d[y], rows, columns, x)


@tangent(placed, constant=(*PLACES, "shape"))
def placed_tangent(y, x, rows, columns, shape):
    d[y] = placed(d[x], rows, columns, shape)


@adjoint(element_of, kind=one_number, constant=("i", "j"))
def element_of_(y, a, i, j):
    d[a] = element_placed(d[y], i, j, np.shape(a))


@tangent(element_of, constant=("i", "j"))
def element_of_tangent(y, a, i, j):
    d[y] = element_of(d[a], i, j)


@adjoint(element_placed, kind=some_matrix, constant=("i", "j", "shape"))
def element_placed_(y, x, i, j, shape):
    d[x] = elements(d[y], i % shape[0], j % shape[1], x)[()]


@tangent(element_placed, constant=("i", "j", "shape"))
def element_placed_tangent(y, x, i, j, shape):
    d[y] = element_placed(d[x], i, j, shape)


@adjoint(diagonal_back, kind=shaped_as_last, constant=("offset", "shape"))
def diagonal_back_(y, da, offset, shape, x):
    d[da] = diagonal_placed(d[y], offset, shape)
    d[x] = None


@tangent(diagonal_back, constant=("offset", "shape"))
def diagonal_back_tangent(y, da, offset, shape, x):
    d[y] = diagonal_back(d[da], offset, shape, x)
    d[x] = None


@adjoint(diagonal_placed, kind=some_matrix, constant=("offset", "shape"))
def diagonal_placed_(y, x, offset, shape):
    d[x] = diagonal_back(d[y], offset, shape, x)


@tangent(diagonal_placed, constant=("offset", "shape"))
def diagonal_placed_tangent(y, x, offset, shape):
    d[y] = diagonal_placed(d[x], offset, shape)


@adjoint(selected_back, kind=unknown, constant=(*PLACES, "shape"))
def selected_back_(y, dz, rows, columns, shape):
    d[dz] = selected(d[y], rows, columns)


@tangent(selected_back, constant=(*PLACES, "shape"))
def selected_back_tangent(y, dz, rows, columns, shape):
    d[y] = selected_back(d[dz], rows, columns, shape)


@adjoint(total_back, kind=unknown)
def total_back_(y, dz, a, axis):
    d[dz] = total(d[y], axis, dz)
    d[a] = None
    d[axis] = None


@tangent(total_back)
def total_back_tangent(y, dz, a, axis):
    d[y] = total_back(d[dz], a, axis)
    d[a] = None
    d[axis] = None


@adjoint(total, kind=shaped_as_last)
def total_(y, a, axis, like):
    d[a] = total_back(d[y], a, axis)
    d[axis] = None
    d[like] = None


@tangent(total)
def total_tangent(y, a, axis, like):
    d[y] = total(d[a], axis, like)
    d[axis] = None
    d[like] = None


# Dense arrays, and blocks ----------------------------------------------------------------------
@adjoint(dense_part, kind=unknown)
def dense_part_(y, dz, a):
    d[dz] = made_dense(d[y], dz)
    d[a] = None


@tangent(dense_part)
def dense_part_tangent(y, dz, a):
    d[y] = dense_part(d[dz], a)
    d[a] = None


@adjoint(made_dense, kind=shaped_as_last)
def made_dense_(y, a, like):
    d[a] = dense_part(d[y], a)
    d[like] = None


@tangent(made_dense)
def made_dense_tangent(y, a, like):
    d[y] = made_dense(d[a], like)
    d[like] = None


@adjoint(whole_part, kind=shaped_as_last)
def whole_part_(y, da, x):
    d[da] = made_sparse(d[y])
    d[x] = None


@tangent(whole_part)
def whole_part_tangent(y, da, x):
    d[y] = whole_part(d[da], x)
    d[x] = None


@adjoint(made_sparse, kind=some_matrix)
def made_sparse_(y, x):
    d[x] = whole_part(d[y], x)


@tangent(made_sparse)
def made_sparse_tangent(y, x):
    d[y] = made_sparse(d[x])


@adjoint(kept_in, kind=same_matrix)
def kept_in_(y, da, dtype=None):
    d[da] = kept_in(d[y], dtype)


@tangent(kept_in)
def kept_in_tangent(y, da, dtype=None):
    d[y] = kept_in(d[da], dtype)


@adjoint(converted_back, kind=unknown)
def converted_back_(y, dz, x, dtype=None):
    d[dz] = converted_forth(d[y], x, dtype)
    d[x] = None


@tangent(converted_back)
def converted_back_tangent(y, dz, x, dtype=None):
    d[y] = converted_back(d[dz], x, dtype)
    d[x] = None


@adjoint(converted_forth, kind=some_matrix)
def converted_forth_(y, dx, x, dtype=None):
    d[dx] = converted_back(d[y], x, dtype)
    d[x] = None


@tangent(converted_forth)
def converted_forth_tangent(y, dx, x, dtype=None):
    d[y] = converted_forth(d[dx], x, dtype)
    d[x] = None


@adjoint(block_part, kind=unknown, constant=("top", "left"))
def block_part_(y, da, top, left, like):
    d[da] = block_placed(d[y], top, left, np.shape(da))
    d[like] = None


@tangent(block_part, constant=("top", "left"))
def block_part_tangent(y, da, top, left, like):
    d[y] = block_part(d[da], top, left, like)
    d[like] = None


@adjoint(block_placed, kind=some_matrix, constant=("top", "left", "shape"))
def block_placed_(y, x, top, left, shape):
    d[x] = block_part(d[y], top, left, x)


@tangent(block_placed, constant=("top", "left", "shape"))
def block_placed_tangent(y, x, top, left, shape):
    d[y] = block_placed(d[x], top, left, shape)


@adjoint(joined_tangent, kind=some_matrix, constant=("tops", "lefts", "shape"))
def joined_tangent_(y, parts, tops, lefts, shape):
    for k, x in enumerate(parts):
        d[x] = block_part(d[y], tops[k], lefts[k], x)


@tangent(joined_tangent, constant=("tops", "lefts", "shape"))
def joined_tangent_tangent(y, parts, tops, lefts, shape):
    d[y] = joined_tangent(d[parts], tops, lefts, shape)
