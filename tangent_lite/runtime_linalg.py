"""What emitted code may call for linear algebra. Matrices may be stacked: (..., n, n).

Only NumPy is imported. Sources: M. Giles, An extended collection of matrix derivative results for
forward and reverse mode automatic differentiation (2008); I. Murray, Differentiation of the
Cholesky decomposition (2016). Complex numbers are paired without conjugation.
"""
from __future__ import annotations

import numpy as np


def transposed(x):
    """x with its last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


def as_matrix_factor(x):
    """x with two axes of length 1 behind, to scale matrices by."""
    return np.asarray(x)[..., None, None]


def diagonal_sum(x):
    """The trace over the last two axes."""
    return np.trace(x, axis1=-2, axis2=-1)


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


def cholesky_adjoint(dlow, low):
    """Adjoint of a in low = cholesky(a); symmetric, real; (..., n, n)."""
    inner = np.tril(transposed(low) @ dlow)
    inner = inner - 0.5 * inner * np.eye(np.shape(low)[-1])
    half = np.linalg.solve(transposed(low), transposed(np.linalg.solve(transposed(low),
                                                                     transposed(inner))))
    return 0.5 * (half + transposed(half))


def cholesky_tangent(da, low):
    """Tangent of low = cholesky(a) along a symmetric da."""
    inner = np.linalg.solve(low, transposed(np.linalg.solve(low, transposed(da))))
    inner = 0.5 * (inner + transposed(inner))
    return low @ (np.tril(inner) - 0.5 * inner * np.eye(np.shape(low)[-1]))


def gaps(w):
    """1 / (w[j] - w[i]) at i, j, and 0 where both are equal; (..., n) to (..., n, n)."""
    difference = w[..., None, :] - w[..., :, None]
    zero = difference == 0
    return np.where(zero, 0.0, 1.0 / np.where(zero, 1.0, difference))


def eigh_adjoint(dw, dv, w, v):
    """Adjoint of a in w, v = eigh(a), for real symmetric a; symmetric."""
    inner = gaps(w) * (transposed(v) @ dv) + _on_diagonal(dw)
    full = v @ inner @ transposed(v)
    return 0.5 * (full + transposed(full))


def eigh_tangent(da, w, v):
    """Tangents of w, v = eigh(a) along a symmetric da."""
    inner = transposed(v) @ da @ v
    return np.diagonal(inner, axis1=-2, axis2=-1), v @ (gaps(w) * inner)


def eigvalsh_adjoint(dw, a):
    """Adjoint of a in w = eigvalsh(a), for real symmetric a."""
    v = np.linalg.eigh(a)[1]
    return (v * dw[..., None, :]) @ transposed(v)


def _on_diagonal(w):
    return w[..., None] * np.eye(np.shape(w)[-1])


def svd_adjoint(du, ds, dvh, u, s, vh):
    """Adjoint of a in u, s, vh = svd(a, full_matrices=False), for real a of distinct s."""
    v = transposed(vh)
    dv = transposed(dvh)
    f = gaps(s * s)
    rank = np.shape(s)[-1]
    utdu, vtdv = transposed(u) @ du, transposed(v) @ dv
    inner = (f * (utdu - transposed(utdu))) * s[..., None, :] \
        + s[..., :, None] * (f * (vtdv - transposed(vtdv))) + _on_diagonal(ds)
    full = u @ inner @ vh
    if np.shape(u)[-2] > rank:
        outside = du - u @ utdu
        full = full + (outside / s[..., None, :]) @ vh
    if np.shape(v)[-2] > rank:
        outside = dv - v @ vtdv
        full = full + (u / s[..., None, :]) @ transposed(outside)
    return full


def svdvals_adjoint(ds, a):
    """Adjoint of a in s = svd(a, compute_uv=False)."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.conj((u * ds[..., None, :]) @ vh)


def svd_back(dy, y, a, full_matrices=True, compute_uv=True):
    """Adjoint of a in y = svd(a, full_matrices, compute_uv), for real a of distinct values."""
    if not compute_uv:
        return svdvals_adjoint(dy, a)
    _refuse_full(a, full_matrices)
    return svd_adjoint(dy[0], dy[1], dy[2], y[0], y[1], y[2])


def svd_forth(da, y, a, full_matrices=True, compute_uv=True):
    """Tangent of y = svd(a, full_matrices, compute_uv) along da, as svd_back."""
    if not compute_uv:
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        return np.real(np.sum(np.conj(u) * (da @ np.conj(transposed(vh))), axis=-2))
    _refuse_full(a, full_matrices)
    u, s, vh = y
    v = transposed(vh)
    inner = transposed(u) @ da @ v
    f, row, column = gaps(s * s), s[..., None, :], s[..., :, None]
    du = u @ (f * (inner * row + column * transposed(inner)))
    dv = v @ (f * (column * inner + transposed(inner) * row))
    if np.shape(u)[-2] > np.shape(s)[-1]:
        du = du + (da @ v - u @ inner) / row
    if np.shape(v)[-2] > np.shape(s)[-1]:
        dv = dv + (transposed(da) @ u - v @ transposed(inner)) / row
    return du, np.diagonal(inner, axis1=-2, axis2=-1), transposed(dv)


def _refuse_full(a, full_matrices):
    if np.iscomplexobj(a):
        raise NotImplementedError("the derivative of the vectors of a complex np.linalg.svd")
    if full_matrices and np.shape(a)[-1] != np.shape(a)[-2]:
        raise NotImplementedError(
            "the derivative of np.linalg.svd with full_matrices=True: the vectors beyond the "
            "singular values are arbitrary; write full_matrices=False")


def pinv_adjoint(dy, y, a):
    """Adjoint of a in y = pinv(a), for real a of constant rank."""
    yt, eye = transposed(y), np.eye
    m, n = np.shape(a)[-2:]
    dyt = transposed(dy)
    return -yt @ dy @ yt \
        + (eye(m) - a @ y) @ dyt @ (y @ yt) \
        + (yt @ y) @ dyt @ (eye(n) - y @ a)


def pinv_tangent(da, y, a):
    """Tangent of y = pinv(a) along da, for real a of constant rank."""
    m, n = np.shape(a)[-2:]
    yt, dat = transposed(y), transposed(da)
    return -y @ da @ y + y @ yt @ dat @ (np.eye(m) - a @ y) \
        + (np.eye(n) - y @ a) @ dat @ yt @ y


def matrix_power_adjoint(dy, a, n):
    """Adjoint of a in y = matrix_power(a, n)."""
    if n < 0:
        inverse = transposed(np.linalg.inv(a))
        return -inverse @ matrix_power_adjoint(dy, np.linalg.inv(a), -n) @ inverse
    total = np.zeros(np.shape(a), np.result_type(dy))
    at = transposed(a)
    for k in range(n):
        total = total + np.linalg.matrix_power(at, k) @ dy @ np.linalg.matrix_power(at, n - 1 - k)
    return total


def matrix_power_tangent(da, a, n):
    """Tangent of y = matrix_power(a, n) along da."""
    if n < 0:
        inverse = np.linalg.inv(a)
        return matrix_power_tangent(-inverse @ da @ inverse, inverse, -n)
    total = np.zeros(np.shape(a), np.result_type(da))
    for k in range(n):
        total = total + np.linalg.matrix_power(a, k) @ da @ np.linalg.matrix_power(a, n - 1 - k)
    return total


def chain_part(dy, k, arrays):
    """Adjoint of arrays[k] in y = multi_dot(arrays)."""
    full = [np.atleast_2d(a) if i == 0 else a for i, a in enumerate(arrays)]
    full = [a[:, None] if np.ndim(a) == 1 else a for a in full]
    dy = np.reshape(dy, (np.shape(full[0])[0], np.shape(full[-1])[1]))
    part = dy
    for a in reversed(full[k + 1:]):
        part = part @ transposed(a)
    left = np.eye(np.shape(full[0])[0])
    for a in full[:k]:
        left = left @ a
    return np.reshape(transposed(left) @ part, np.shape(arrays[k]))


def chain_parts(dy, arrays):
    """Adjoint of a list of arrays in y = multi_dot(arrays)."""
    return [chain_part(dy, k, arrays) for k in range(len(arrays))]


def chain_tangent(darrays, arrays):
    """Tangent of multi_dot(arrays) along darrays."""
    return sum(np.linalg.multi_dot([*arrays[:k], darray, *arrays[k + 1:]])
               for k, darray in enumerate(darrays))
