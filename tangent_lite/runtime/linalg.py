"""What emitted code may call for linear algebra: solutions, inverses, determinants, powers.

Matrices may be stacked: (..., n, n). Only NumPy is imported. Source: M. Giles, An extended
collection of matrix derivative results for forward and reverse mode automatic differentiation
(2008). Complex numbers are paired without conjugation, so that the adjoint of z -> a @ z is the
transpose of a. Factorisations stand in runtime/factors.py.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.duck import as_array, is_duck
from tangent_lite.runtime.reductions import norm_slope


def transposed(x):
    """x with its last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


def dagger(x):
    """The conjugate transpose of x, over the last two axes."""
    return np.conj(np.swapaxes(x, -1, -2))


def as_matrix_factor(x):
    """x with two axes of length 1 behind, to scale matrices by."""
    return as_array(x)[..., None, None]


def diagonal_sum(x):
    """The trace over the last two axes."""
    return np.trace(x, axis1=-2, axis2=-1)


def diagonal_part(x):
    """The diagonals of matrices: (..., n, n) to (..., n)."""
    return np.diagonal(x, axis1=-2, axis2=-1)


def on_diagonal(w):
    """Matrices that are zero but for the diagonal w: (..., n) to (..., n, n)."""
    return w[..., None] * identity_like(w)


def identity_like(w):
    """The identity of as many rows as w has on its last axis, in the precision of w."""
    count = np.shape(w)[-1]
    return np.diag(np.ones_like(np.real(w), shape=(count,))) if is_duck(w) else \
        np.eye(count, dtype=np.real(w).dtype)


def real_for(dx, x):
    """The adjoint dx of x, without its imaginary part if x is real."""
    return dx if np.iscomplexobj(x) else np.real(dx)


def hermitian_part(x):
    """The mean of x and its conjugate transpose."""
    return 0.5 * (x + dagger(x))


# Solutions --------------------------------------------------------------------------------------
def solve_transposed(a, dz, b):
    """solve(a.T, dz): adjoint of b in z = solve(a, b), before unbroadcasting; b is (n,) or
    (..., n, k)."""
    if np.ndim(b) == 1:
        return np.linalg.solve(transposed(a), np.expand_dims(dz, -1))[..., 0]
    return np.linalg.solve(transposed(a), dz)


def solve_outer(t, z, b):
    """t z^T, for vectors z if b is one, else for matrices."""
    if np.ndim(b) == 1:
        return np.expand_dims(t, -1) * np.expand_dims(z, -2)
    return t @ transposed(z)


def solve_tangent(a, da, z, b):
    """-solve(a, da @ z): tangent of z = solve(a, b) along da."""
    if np.ndim(b) == 1:
        return -np.linalg.solve(a, da @ np.expand_dims(z, -1))[..., 0]
    return -np.linalg.solve(a, da @ z)


def tensor_matrix(a, b, axes=None):
    """The matrix of tensorsolve(a, b, axes): as many rows and columns as b has elements."""
    return np.reshape(np.transpose(a, tensor_order(a, axes)), (np.size(b), np.size(b)))


def tensor_order(a, axes=None):
    """The order of the axes of a in tensorsolve: those named in axes come last."""
    moved = [] if axes is None else [k % np.ndim(a) for k in axes]
    return [k for k in range(np.ndim(a)) if k not in moved] + moved


def tensorsolve_adjoint(dx, a, b, axes=None):
    """Adjoint of b in x = tensorsolve(a, b, axes); shape of b."""
    t = np.linalg.solve(transposed(tensor_matrix(a, b, axes)), np.ravel(dx))
    return np.reshape(t, np.shape(b))


def tensorsolve_outer(t, x, a, axes=None):
    """-t x^T in the shape of a, for the adjoint t of b: adjoint of a in x = tensorsolve(a, b)."""
    order = tensor_order(a, axes)
    outer = np.reshape(np.outer(t, x), [np.shape(a)[k] for k in order])
    return -np.transpose(outer, np.argsort(order))


def tensorsolve_tangent(da, x, a, b, axes=None):
    """Tangent of x = tensorsolve(a, b, axes) along da."""
    change = np.reshape(tensor_matrix(da, b, axes) @ np.ravel(x), np.shape(b))
    return -np.linalg.tensorsolve(a, change, axes)


def tensorinv_adjoint(dy, y, a, ind=2):
    """Adjoint of a in y = tensorinv(a, ind); shape of a."""
    n = tensor_rows(a, ind)
    yt = np.transpose(np.reshape(y, (n, n)))
    return np.reshape(-yt @ np.reshape(dy, (n, n)) @ yt, np.shape(a))


def tensorinv_tangent(da, y, a, ind=2):
    """Tangent of y = tensorinv(a, ind) along da; shape of y."""
    n = tensor_rows(a, ind)
    inverse = np.reshape(y, (n, n))
    return np.reshape(-inverse @ np.reshape(da, (n, n)) @ inverse, np.shape(y))


def tensor_rows(a, ind):
    """How many elements the first ind axes of a have."""
    return int(np.prod(np.shape(a)[:ind]))


# Determinants -----------------------------------------------------------------------------------
def cofactors(y, a):
    """The derivative of y = det(a) with respect to a: y inv(a)^T, and by singular values where a is
    singular. With a = u diag(s) vh it is det(u) det(vh) conj(u) diag(products of the other s)
    conj(vh).
    """
    if np.all(np.not_equal(y, 0)):
        return as_matrix_factor(y) * transposed(np.linalg.inv(a))
    u, s, vh = np.linalg.svd(a)
    sign = as_matrix_factor(np.linalg.det(u) * np.linalg.det(vh))
    return sign * ((np.conj(u) * products_but(s)[..., None, :]) @ np.conj(vh))


def products_but(s):
    """For each element the product of all others, along the last axis."""
    n = np.shape(s)[-1]
    spread = np.broadcast_to(s[..., None, :], (*np.shape(s), n))
    return np.prod(np.where(np.eye(n, dtype=bool), 1.0, spread), axis=-1, dtype=s.dtype)


def products_but_two(s):
    """At i, j the product of all s besides s[i] and s[j]; 0 on the diagonal."""
    n = np.shape(s)[-1]
    eye = np.eye(n, dtype=bool)
    spread = np.broadcast_to(s[..., None, None, :], (*np.shape(s), n, n))
    kept = np.where(eye[:, None, :] | eye[None, :, :], 1.0, spread)
    return np.where(eye, 0.0, np.prod(kept, axis=-1)).astype(s.dtype)


def cofactors_tangent(da, y, a):
    """Tangent of cofactors(y, a) along da; as a function of da its own adjoint.

    It is tr(x) c - c x^T with x = inv(a) da. For a singular a, in the basis of the singular
    vectors, it is the sum of m[k, k] p[i, k] on the diagonal and -m[j, i] p[i, j] beside it, where
    p are the products of all singular values but two.
    """
    if np.all(np.not_equal(y, 0)):
        c, x = cofactors(y, a), np.linalg.solve(a, da)
        return as_matrix_factor(diagonal_sum(x)) * c - c @ transposed(x)
    u, s, vh = np.linalg.svd(a)
    sign = as_matrix_factor(np.linalg.det(u) * np.linalg.det(vh))
    m = dagger(u) @ da @ dagger(vh)
    pairs = products_but_two(s)
    change = on_diagonal((pairs @ diagonal_part(m)[..., None])[..., 0]) - transposed(m) * pairs
    return sign * (np.conj(u) @ change @ np.conj(vh))


def cofactors_curve(da, db, a):
    """The tangent of cofactors_tangent(da, det(a), a) along db, for a regular a; symmetric in da
    and db, so that it is the adjoint of a as well."""
    c = as_matrix_factor(np.linalg.det(a)) * transposed(np.linalg.inv(a))
    x, y = np.linalg.solve(a, da), np.linalg.solve(a, db)
    xt, yt = transposed(x), transposed(y)
    traces = diagonal_sum(x) * diagonal_sum(y) - diagonal_sum(x @ y)
    return as_matrix_factor(traces) * c - as_matrix_factor(diagonal_sum(x)) * (c @ yt) \
        - as_matrix_factor(diagonal_sum(y)) * (c @ xt) + c @ (xt @ yt + yt @ xt)


def spin(x):
    """The imaginary part of x as an imaginary number, by which a complex sign turns; 0 for a real
    x."""
    return 1j * np.imag(x) if np.iscomplexobj(x) else 0.0 * x


def slogdet_weight(dsign, dlog, sign):
    """What the adjoints of slogdet weigh inv(a)^T by: the sign turns with the imaginary part of the
    trace of inv(a) da, the logarithm grows with its real part."""
    return dlog + spin(dsign * sign)


# Powers and products ------------------------------------------------------------------------------
def matrix_power_slope(da, a, n):
    """The sum of a^k da a^(n - 1 - k): tangent of matrix_power(a, n) along da, and adjoint with a
    transposed. It is a block of the power of [[a, da], [0, a]] (Higham, Functions of Matrices,
    theorem 3.6), which holds for negative n as well."""
    size = np.shape(a)[-1]
    upper = np.concatenate((a, da), axis=-1)
    lower = np.concatenate((0.0 * a, a), axis=-1)
    power = np.linalg.matrix_power(np.concatenate((upper, lower), axis=-2), n)
    return power[..., :size, size:]


def chain_part(dy, k, arrays):
    """Adjoint of arrays[k] in y = multi_dot(arrays): the transposes of all that stand before it,
    dy, and the transposes of all behind it."""
    before = [transposed(chain_matrix(i, arrays)) for i in range(k)]
    after = [transposed(chain_matrix(i, arrays)) for i in range(k + 1, len(arrays))]
    rows, columns = np.shape(chain_matrix(0, arrays))[0], \
        np.shape(chain_matrix(len(arrays) - 1, arrays))[1]
    factors = [*before[::-1], np.reshape(dy, (rows, columns)), *after[::-1]]
    return np.reshape(np.linalg.multi_dot(factors), np.shape(arrays[k]))


def chain_matrix(k, arrays):
    """arrays[k] as multi_dot reads it: a vector in front is a row, one at the end a column."""
    if np.ndim(arrays[k]) == 2:
        return arrays[k]
    if np.ndim(arrays[k]) != 1:
        raise NotImplementedError("the derivative of np.linalg.multi_dot where it is np.dot of two "
                                  "arrays that are no matrices; write np.dot")
    return arrays[k][None, :] if k == 0 else arrays[k][:, None]


def chain_parts(dy, arrays):
    """Adjoint of a list of arrays in y = multi_dot(arrays)."""
    return [chain_part(dy, k, arrays) for k in range(len(arrays))]


def chain_tangent(darrays, arrays):
    """Tangent of multi_dot(arrays) along darrays."""
    return sum(np.linalg.multi_dot(with_part(arrays, k, darray))
               for k, darray in enumerate(darrays))


def with_part(arrays, k, x):
    """The arrays with x in place of number k."""
    return [x if i == k else a for i, a in enumerate(arrays)]


# Pseudoinverses and least squares -----------------------------------------------------------------
def pinv_adjoint(dy, y, a, hermitian=False):
    """Adjoint of a in y = pinv(a), for a of constant rank (Golub and Pereyra 1973); of shape
    (..., m, n), y of shape (..., n, m)."""
    yt, yc, w = transposed(y), np.conj(y), dagger(dy)
    rows = w - np.conj(a) @ (yc @ w)                # (1 - a y) w, conjugated
    columns = w - (w @ yc) @ np.conj(a)             # w (1 - y a), conjugated
    full = -yt @ dy @ yt + rows @ yc @ yt + yt @ yc @ columns
    return hermitian_part(full) if hermitian else full


def pinv_tangent(da, y, a, hermitian=False):
    """Tangent of y = pinv(a) along da, for a of constant rank."""
    if hermitian:
        da = hermitian_part(da)
    dah, yh = dagger(da), dagger(y)
    return -y @ da @ y + y @ yh @ (dah - (dah @ a) @ y) + (dah - y @ (a @ dah)) @ yh @ y


def least_singular(a, rcond=None):
    """The share of the largest singular value below which lstsq(a, b, rcond) takes one as 0."""
    eps = np.finfo(np.result_type(a, np.float32)).eps
    if rcond is None:
        return eps * max(np.shape(a))
    return eps if rcond == -1 else rcond


# With the rest r = b - a x and the pseudoinverse y, the tangent of x in x, residuals, rank, s =
# lstsq(a, b) is y (db - da x) + y y^H da^H r + (1 - y a) da^H y^H x, and that of the residuals
# 2 Re r^H (db - da x). a is (m, n), b and x are vectors, or matrices of k columns.
def as_columns(b):
    """A vector as a column, a matrix as it is."""
    return b[:, None] if np.ndim(b) == 1 else b


def lstsq_adjoint_right(dx, dresiduals, x, y, a, b):
    """Adjoint of b in lstsq(a, b); shape of b."""
    db = transposed(y) @ as_columns(dx)
    if np.size(dresiduals):
        rest = as_columns(b) - a @ as_columns(x)
        db = db + 2.0 * np.conj(rest) * dresiduals
    return np.reshape(db, np.shape(b))


def lstsq_adjoint_left(db, dx, x, y, a, b):
    """Adjoint of a in lstsq(a, b), for a of constant rank, where db is that of b; shape of a."""
    dx, x, b, db = as_columns(dx), as_columns(x), as_columns(b), as_columns(db)
    t = transposed(y) @ dx
    return np.conj(b - a @ x) @ transposed(y @ np.conj(t)) - db @ transposed(x) \
        + transposed(y) @ np.conj(x) @ dagger(dx - transposed(a) @ t)


def lstsq_tangent(da, db, x, y, a, b):
    """Tangent of x in lstsq(a, b) along da and db; shape of x."""
    columns = as_columns(x)
    rest = as_columns(b) - a @ columns
    change = as_columns(db) - da @ columns
    inside, outside = dagger(da) @ rest, dagger(da) @ (dagger(y) @ columns)
    dx = y @ (change + dagger(y) @ inside) + outside - y @ (a @ outside)
    return np.reshape(dx, np.shape(x))


def residuals_tangent(da, db, residuals, x, a, b):
    """Tangent of the residuals in lstsq(a, b) along da and db; of none if there are none."""
    x = as_columns(x)
    rest = as_columns(b) - a @ x
    change = as_columns(db) - da @ x
    sums = 2.0 * np.real(np.sum(np.conj(rest) * change, axis=0))
    return np.reshape(sums[:np.size(residuals)], np.shape(residuals))


# Norms and condition numbers ----------------------------------------------------------------------
def vector_norm_slope(y, x, ord=2, axis=None, keepdims=False):
    """Derivative of y = vector_norm(x, ord=ord, axis=axis) with respect to x, which takes several
    axes as one; shape of x."""
    if axis is None or np.ndim(axis) == 0:
        whole = np.ravel(x) if axis is None else x
        slope = norm_slope(np.ravel(y)[0] if axis is None else y, whole, ord, axis,
                           keepdims and axis is not None)
        return np.reshape(slope, np.shape(x))
    axes = counted_axes(axis, x)
    lines = np.moveaxis(x, axes, tuple(range(len(axes))))
    flat = np.reshape(lines, (-1, *np.shape(lines)[len(axes):]))
    slope = norm_slope(np.linalg.norm(flat, ord, 0), flat, ord, 0)
    return np.moveaxis(np.reshape(slope, np.shape(lines)), tuple(range(len(axes))), axes)


def counted_axes(axis, x):
    """Several axes of x, counted from the front."""
    return tuple(a % np.ndim(x) for a in axis)


def cond_slope(x, p=None):
    """Derivative of cond(x, p) with respect to x: of the quotient of two singular values for p
    None, 2 and -2, else of norm(x, p) norm(inv(x), p); shape of x."""
    if p is None or p == 2 or p == -2:
        large, small = np.linalg.norm(x, 2, (-2, -1)), np.linalg.norm(x, -2, (-2, -1))
        top = norm_slope(large, x, 2, (-2, -1)) / as_matrix_factor(large)
        bottom = norm_slope(small, x, -2, (-2, -1)) / as_matrix_factor(small)
        if p == -2:
            return as_matrix_factor(small / large) * (bottom - top)
        return as_matrix_factor(large / small) * (top - bottom)
    inverse = np.linalg.inv(x)
    one, other = np.linalg.norm(x, p, (-2, -1)), np.linalg.norm(inverse, p, (-2, -1))
    back = transposed(inverse)
    return as_matrix_factor(other) * norm_slope(one, x, p, (-2, -1)) \
        - as_matrix_factor(one) * (back @ norm_slope(other, inverse, p, (-2, -1)) @ back)
