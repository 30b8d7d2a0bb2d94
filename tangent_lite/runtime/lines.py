"""What emitted code may call for lines of numbers and windows. Only NumPy is imported."""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import bessel_moment


def exponents(start, stop, num=50, endpoint=True, base=10.0, axis=0):
    """The exponents of np.logspace(start, stop, num, endpoint, base, axis=axis), in its shape."""
    shape = np.broadcast_shapes(np.shape(start), np.shape(stop), np.shape(base))
    return np.linspace(np.broadcast_to(start, shape), stop, num, endpoint, axis=axis)


def start_adjoint(dy, stop):
    """Adjoint of start in y = np.arange(start, stop). A bound that stands alone is the stop, which
    says how many numbers there are, and not where they lie."""
    return 0.0 if stop is None else np.sum(dy)


def start_tangent(dstart, y, stop):
    """Tangent of y = np.arange(start, stop) along that of start, in the shape of y."""
    return np.full(np.shape(y), 0.0 if stop is None else dstart)


def kaiser_slope(M, beta, order=1):
    """Derivative number order of y = np.kaiser(M, beta) with respect to beta.

    y i0(beta) = i0(beta s) with s = sqrt(1 - t**2), so by the rule of Leibniz the derivatives of y
    follow one from the other: y(n) i0 = s**n i0(n)(beta s) - sum over k > 0 of binomial(n, k)
    i0(k)(beta) y(n - k).
    """
    if M < 2:
        return np.zeros(max(M, 0))
    t = 2.0 * np.arange(M) / (M - 1.0) - 1.0
    s = np.sqrt(np.maximum(1.0 - t * t, 0.0))
    found = [np.kaiser(M, beta)]
    for n in range(1, order + 1):
        rest = s ** n * bessel_moment(beta * s, n)
        binomial = 1.0
        for k in range(1, n + 1):
            binomial *= (n - k + 1) / k
            rest = rest - binomial * bessel_moment(beta, k) * found[n - k]
        found.append(rest / bessel_moment(beta, 0))
    return found[order]
