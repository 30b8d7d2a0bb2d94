"""What emitted code may call for polynomials, whose coefficients stand from the highest power down.

Coefficients are vectors; a helper takes numbers and lists where NumPy's function does, and the
adjoint has the shape of what was given. Only NumPy is imported.
"""
from __future__ import annotations

import numpy as np


def falling(count, m=1):
    """The factors with which the first count - m of count coefficients come into the m-th
    derivative of a polynomial: of p[i] x**n it is n (n - 1) ... (n - m + 1), n = count - 1 - i.

    >>> falling(4, 1).tolist(), falling(4, 2).tolist()
    ([3.0, 2.0, 1.0], [6.0, 2.0])
    """
    powers = np.arange(count - 1, m - 1, -1, dtype=float)
    factors = np.ones_like(powers)
    for k in range(m):
        factors *= powers - k
    return factors


def check_vector(p):
    """Functions of NumPy that take coefficients in columns mean something else by them each."""
    if np.ndim(p) > 1:
        raise NotImplementedError("the derivative of several polynomials at once; call the "
                                  "function for one after the other")


def polyder_adjoint(dy, p, m=1):
    """Adjoint of p in y = np.polyder(p, m): y[i] is falling(n, m)[i] p[i], and the last m
    coefficients are lost."""
    check_vector(p)
    kept = max(np.size(p) - m, 0)
    inner = np.asarray(dy)[:kept] * falling(np.size(p), m).astype(np.real(dy).dtype)
    return np.reshape(np.concatenate((inner, np.zeros(np.size(p) - kept, inner.dtype))),
                      np.shape(p))


def polyint_tangent(dp, m=1):
    """Tangent of np.polyint(p, m, k) along that of p: the constants k do not vary."""
    check_vector(dp)
    dp = np.atleast_1d(dp)
    inner = dp / falling(dp.size + m, m).astype(np.real(dp).dtype)
    return np.concatenate((inner, np.zeros(m, inner.dtype)))


def polyint_adjoint(dy, p, m=1):
    """Adjoint of p in y = np.polyint(p, m)."""
    check_vector(p)
    inner = dy[:np.size(p)] / falling(np.size(p) + m, m).astype(np.real(dy).dtype)
    return np.reshape(inner, np.shape(p))[()]


def tail_like(dy, p):
    """The last coefficients of dy, as many as p has and in its shape: the adjoint of a summand."""
    check_vector(p)
    return np.reshape(dy[len(dy) - np.size(p):], np.shape(p))[()]


def in_tail(dp, p, y):
    """dp as the last coefficients of a polynomial of as many as y has, shaped like y."""
    check_vector(p)
    dp = np.ravel(np.broadcast_to(dp, np.shape(p)))
    return np.concatenate((np.zeros(np.size(y) - dp.size, dp.dtype), dp))


def leading_zeros(p):
    """How many coefficients a product leaves out in front, since they are zero; one is kept."""
    hits = np.flatnonzero(p)
    return hits[0] if hits.size else max(np.size(p) - 1, 0)


def trimmed(p):
    """The coefficients from the first that is not zero on; one of zero if there are none."""
    if np.size(p) == 0:
        return np.zeros(1)
    return np.ravel(p)[leading_zeros(p):]


def trimmed_like(dp, p):
    """Tangent of trimmed(p) along dp."""
    if np.size(p) == 0:
        return np.zeros(1)
    return np.ravel(np.broadcast_to(dp, np.shape(p)))[leading_zeros(p):]


def factor_adjoint(dy, p, other):
    """Adjoint of p in y = np.convolve(trimmed(p), other): a correlation of dy with the other
    factor. Leading zeros, with which the result would get more coefficients, have none."""
    return in_tail_of(np.convolve(dy, other[::-1], "valid"), p)


def in_tail_of(inner, p):
    """inner as the last coefficients of p, zero in front; shape of p."""
    if np.size(p) == 0:
        return np.zeros(np.shape(p))
    inner = np.concatenate((np.zeros(np.size(p) - np.size(inner), np.result_type(inner)), inner))
    return np.reshape(inner, np.shape(p))[()]


def polydiv_adjoint(dq, dr, q, u, v):
    """Adjoints of u and of v in (q, r) = np.polydiv(u, v).

    u = v q + r. The first coefficients of u determine q by a triangular system, whose matrix T is
    made of v: T q = u[:m]; the others are those of r = u - v q, without leading zeros. So with
    s = T^-T (dq - V^T dr), V being the convolution with v, u has dr + s in front, v has
    -(correlation of dr + s with q).
    """
    if np.ndim(u) > 1 or np.ndim(v) > 1:
        raise NotImplementedError("the derivative of np.polydiv of arrays that are no vectors")
    if np.size(u) < np.size(v):
        return in_tail_of(dr, u), np.zeros(np.shape(v))
    first, q = np.size(q), np.atleast_1d(q)
    rest = np.concatenate((np.zeros(np.size(u) - np.size(dr), np.result_type(dr)), np.ravel(dr)))
    right = np.atleast_1d(dq) - np.convolve(rest, np.ravel(v)[::-1], "valid")
    padded = np.concatenate((right[::-1], np.zeros(np.size(v) - 1, np.result_type(right))))
    solved = np.polydiv(padded, np.ravel(v))[0][::-1]
    both = rest + np.concatenate((solved, np.zeros(np.size(u) - first, np.result_type(solved))))
    return np.reshape(both, np.shape(u))[()], \
        np.reshape(-np.convolve(both, q[::-1], "valid"), np.shape(v))[()]


def polydiv_tangent(du, dv, q, r, u, v):
    """Tangents of (q, r) = np.polydiv(u, v): dq and dr solve v dq + dr = du - dv q, which is
    another division."""
    if np.ndim(u) > 1 or np.ndim(v) > 1:
        raise NotImplementedError("the derivative of np.polydiv of arrays that are no vectors")
    left = np.ravel(np.broadcast_to(du, np.shape(u)))
    if np.size(u) < np.size(v):
        return np.zeros(np.shape(q)), tail_like(left, r)
    left = left - np.convolve(np.ravel(np.broadcast_to(dv, np.shape(v))), np.atleast_1d(q))
    dq = np.polydiv(left, np.ravel(v))[0]
    rest = left - np.convolve(np.ravel(v), dq)
    return np.reshape(dq, np.shape(q)), tail_like(rest, r)


def polyval_slopes(dy, p, x):
    """Adjoint of p in y = np.polyval(p, x): the sum of dy x**n over all x, for each power n."""
    check_vector(p)
    powers = np.vander(np.ravel(x), np.size(p)).astype(np.result_type(np.ravel(x), np.float16))
    return np.reshape(np.ravel(dy) @ powers, np.shape(p))


def polyval_rate(p, x):
    """The derivative of np.polyval(p, x) with respect to x, in the precision of p."""
    check_vector(p)
    p = np.asarray(p)
    return np.polyval(p[:-1] * falling(p.size).astype(np.result_type(p, np.float16)), x)


def vander_slope(x, y, increasing=False):
    """The derivative of each element of y = np.vander(x, N, increasing) with respect to its x:
    n x**(n - 1), one column for each power n; shape of y."""
    count = np.shape(y)[1]
    x = np.asarray(x)
    powers = np.arange(count, dtype=np.result_type(x, 0.0)) if increasing else \
        np.arange(count, dtype=np.result_type(x, 0.0))[::-1]
    lower = np.vander(x, max(count - 1, 0), increasing=increasing)
    none = np.zeros((np.size(x), min(count, 1)), lower.dtype)
    return powers * np.concatenate((none, lower) if increasing else (lower, none), axis=1)


def poly_slopes(y, roots):
    """The derivatives of the coefficients y = np.poly(roots) with respect to each root, one row for
    each: the coefficients of minus the product of the other factors; (roots, coefficients)."""
    rows = [-np.poly(np.delete(roots, k)) for k in range(np.size(roots))]
    return np.concatenate((np.zeros((np.size(roots), 1)), np.reshape(
        np.array(rows), (np.size(roots), np.size(y) - 1))), axis=1)


def poly_adjoint(dy, y, seq):
    """Adjoint of the roots or of the square matrix in y = np.poly(seq).

    Of a matrix A, y is det(x I - A), so d y = -trace(adj(x I - A) dA). The coefficients B of the
    adjugate follow from B[0] = I, B[k] = A B[k - 1] + y[k] I (Faddeev and LeVerrier).
    """
    seq = np.asarray(seq)
    if seq.ndim < 2:
        return np.reshape(poly_slopes(y, np.atleast_1d(seq)) @ np.atleast_1d(dy), seq.shape)
    coefficient = np.eye(len(seq))
    total = -dy[1] * coefficient
    for k in range(1, len(seq)):
        coefficient = seq @ coefficient + y[k] * np.eye(len(seq))
        total = total - dy[k + 1] * coefficient.T
    return total


def poly_tangent(dseq, y, seq):
    """Tangent of y = np.poly(seq) along dseq; see poly_adjoint."""
    seq, dseq = np.asarray(seq), np.asarray(dseq)
    if seq.ndim < 2:
        return np.reshape(np.ravel(dseq) @ poly_slopes(y, np.atleast_1d(seq)), np.shape(y))
    coefficient = np.eye(len(seq))
    found = [0.0 * np.trace(dseq), -np.trace(dseq)]
    for k in range(1, len(seq)):
        coefficient = seq @ coefficient + y[k] * np.eye(len(seq))
        found.append(-np.sum(coefficient.T * dseq))
    return np.array(found)


def root_slopes(r, p):
    """The factors -r**n / p'(r) with which the coefficients of p move its roots r, by the theorem
    on implicit functions; (roots, coefficients). Infinite at a root of several equal ones."""
    return -np.vander(r, np.size(p)) / np.polyval(np.polyder(p), r)[:, np.newaxis]


def real_as(dx, x):
    """The adjoint dx of x without its imaginary part if x is real: what came to it through complex
    numbers, of which no kind tells."""
    return dx if np.iscomplexobj(x) else np.real(dx)


# Fits -------------------------------------------------------------------------------------------
def fit_matrix(x, deg, w=None):
    """The weighted matrix of powers that np.polyfit(x, y, deg, w=w) fits with, (points, deg + 1).

    Refused where the points do not determine the polynomial, which then has no derivative.
    """
    if np.iscomplexobj(x) or np.iscomplexobj(w):
        raise NotImplementedError("the derivative of np.polyfit at complex points; write "
                                  "np.linalg.lstsq(np.vander(x, deg + 1), y)")
    powers = np.vander(np.asarray(x) + 0.0, deg + 1)
    if np.linalg.matrix_rank(powers / np.linalg.norm(powers, axis=0)) < deg + 1:
        raise NotImplementedError("the derivative of np.polyfit where the points do not determine "
                                  "the polynomial")
    return powers if w is None else (powers * w[:, np.newaxis]).astype(powers.dtype)


def fit_solved(dp, matrix):
    """(A^T A)^-1 dp for a matrix A of full rank, by the pseudoinverse of the scaled one."""
    scale = np.sqrt(np.sum(matrix * matrix, axis=0))
    inverse = np.linalg.pinv(matrix / scale)
    scaled = (dp.T / scale).T
    return ((inverse @ (inverse.T @ scaled)).T / scale).T


def polyfit_points(dp, p, x, y, deg, w=None):
    """Adjoint of the values y in p = np.polyfit(x, y, deg, w=w): W A (A^T A)^-1 dp, A = W V being
    the weighted matrix of powers."""
    matrix = fit_matrix(x, deg, w)
    found = matrix @ fit_solved(dp, matrix)
    return found if w is None else (found.T * w).T


def polyfit_places(dp, p, x, y, deg, w=None):
    """Adjoint of the places x in p = np.polyfit(x, y, deg, w=w).

    With z = (A^T A)^-1 dp and the residuals e = W (y - V p), A = W V has the adjoint
    e z^T - (A z) p^T (Golub and Pereyra 1973); V has W times that, and x that times n x**(n - 1).
    """
    matrix = fit_matrix(x, deg, w)
    powers = np.vander(x, deg + 1)
    slopes = vander_slope(x, powers)
    return np.sum(fit_adjoint(dp, p, y, matrix, w) * slopes, axis=1)


def fit_adjoint(dp, p, y, matrix, w=None):
    """Adjoint of the powers V in a fit; see polyfit_places."""
    z = fit_solved(dp, matrix)
    weighted = y if w is None else (y.T * w).T
    rest = weighted - matrix @ p
    if np.ndim(y) == 1:
        found = rest[:, np.newaxis] * z - (matrix @ z)[:, np.newaxis] * p
    else:
        found = rest @ z.T - (matrix @ z) @ p.T
    return found if w is None else found * w[:, np.newaxis]


def polyfit_weights(dp, p, x, y, deg, w):
    """Adjoint of the weights w in p = np.polyfit(x, y, deg, w=w): 2 (W e / w) (V z), with e and z
    as in polyfit_places."""
    matrix = fit_matrix(x, deg, w)
    powers = np.vander(x, deg + 1)
    rest = y - powers @ p
    found = 2.0 * (rest.T * w).T * (powers @ fit_solved(dp, matrix))
    return found if np.ndim(y) == 1 else np.sum(found, axis=1)


def polyfit_tangent(dx, dy, dw, p, x, y, deg, w=None):
    """Tangent of p = np.polyfit(x, y, deg, w=w): (A^T A)^-1 (dA^T e + A^T de), with A and e as in
    polyfit_places."""
    matrix = fit_matrix(x, deg, w)
    powers = np.vander(x, deg + 1)
    dpowers = vander_slope(x, powers) * np.broadcast_to(dx, np.shape(x))[:, np.newaxis]
    rest = y - powers @ p
    drest = np.broadcast_to(dy, np.shape(y)) - dpowers @ p
    if w is None:
        return fit_solved(dpowers.T @ rest + powers.T @ drest, matrix)
    square = w * w
    both = dpowers.T @ (rest.T * square).T + powers.T @ (drest.T * square).T \
        + powers.T @ (rest.T * (2.0 * w * np.broadcast_to(dw, np.shape(w)))).T
    return fit_solved(both, matrix)
