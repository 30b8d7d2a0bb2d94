"""scipy.linalg: matrices that a few numbers make, and systems of them."""
import numpy as np
import scipy.linalg as sl

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime.bands import (
    circulant_places,
    hankel_places,
    outer_of_columns,
    toeplitz_parts,
    transposed_toeplitz,
)
from tangent_lite.runtime.places import gathered, gathered_back

nondifferentiable(hankel_places, circulant_places, kind=unknown)


@adjoint(sl.hankel, kind=unknown)
def hankel(y, c, r=None):
    d[c] = gathered_back(d[y], hankel_places(c, r), c)
    d[r] = gathered_back(d[y], hankel_places(c, r, True), r)


@tangent(sl.hankel)
def hankel_tangent(y, c, r=None):
    d[y] = gathered(d[c], hankel_places(c, r)) + gathered(d[r], hankel_places(c, r, True))


@adjoint(sl.circulant, kind=unknown)
def circulant(y, c):
    d[c] = gathered_back(d[y], circulant_places(c), c)


@tangent(sl.circulant)
def circulant_tangent(y, c):
    d[y] = gathered(d[c], circulant_places(c))


# y = T x: T has the adjoint dy x^T, of which the diagonals are summed; x that of T^T dy.
@adjoint(sl.matmul_toeplitz, kind=unknown)
def matmul_toeplitz(y, c_or_cr, x, check_finite=False, workers=None):
    for k, part in enumerate(c_or_cr):
        d[part] = toeplitz_parts(outer_of_columns(d[y], x), c_or_cr)[k]
    d[c_or_cr] = toeplitz_parts(outer_of_columns(d[y], x), c_or_cr)
    d[x] = np.reshape(sl.matmul_toeplitz(transposed_toeplitz(c_or_cr), d[y]), np.shape(x))


@tangent(sl.matmul_toeplitz)
def matmul_toeplitz_tangent(y, c_or_cr, x, check_finite=False, workers=None):
    d[y] = sl.matmul_toeplitz(d[c_or_cr], x) + sl.matmul_toeplitz(c_or_cr, d[x])


@adjoint(sl.solve_toeplitz, kind=unknown)
def solve_toeplitz(y, c_or_cr, b, check_finite=True):
    t = sl.solve_toeplitz(transposed_toeplitz(c_or_cr), d[y])
    for k, part in enumerate(c_or_cr):
        d[part] = -toeplitz_parts(outer_of_columns(t, y), c_or_cr)[k]
    d[c_or_cr] = toeplitz_parts(outer_of_columns(-t, y), c_or_cr)
    d[b] = t


@tangent(sl.solve_toeplitz)
def solve_toeplitz_tangent(y, c_or_cr, b, check_finite=True):
    d[y] = sl.solve_toeplitz(c_or_cr, d[b]) \
        - sl.solve_toeplitz(c_or_cr, sl.matmul_toeplitz(d[c_or_cr], y))
