"""What emitted code may call for functions that work element by element: slopes, and adjoints that
branch by the values. It imports them from `runtime`.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.duck import as_array


def power_slope(x, y):
    """Derivative of x ** y with respect to x: y * x ** (y - 1), and 0 where y is 0."""
    if isinstance(y, (int, float)):
        return y * x ** (y - 1) if y != 0 else 0.0 * x
    return np.where(y == 0, 0.0, y * np.power(x, np.where(y == 0, 1, y - 1)))[()]


def power_slopes(x, y, order):
    """Derivative number `order` of x ** y with respect to x: y (y - 1) ... x ** (y - order), of
    `order` factors in front, and 0 where one of them is 0, as for whole numbers below `order`."""
    factor = y
    for k in range(1, order):
        factor = factor * (y - k)
    if isinstance(y, (int, float)):
        return factor * x ** (y - order) if factor != 0 else 0.0 * x
    return np.where(factor == 0, 0.0, factor * np.power(x, np.where(factor == 0, 1, y - order)))[()]


def log_or_zero(x):
    """log(x), and 0 where x is 0: the factor of x ** y in its derivative with respect to y."""
    return np.where(x == 0, 0.0, np.log(np.where(x == 0, 1, x)))[()]


def divide_or_zero(x, y):
    """x / y, and 0 where y is 0: for slopes of norms at zero."""
    zero = np.equal(y, 0)
    return np.where(zero, 0.0, np.divide(x, np.where(zero, 1, y)))[()]


ZERO = np.zeros(())          # compared with sooner than a number, which NumPy first makes an array
DOUBLE = np.dtype(float)


def is_finite(x):
    """Whether the squares of an array's numbers add up to something finite, so that each is."""
    return np.isfinite(np.vdot(x, x))


def where_larger(dz, x, y):
    """dz where x is larger than y, half of it where both are equal, else 0.

    The adjoint of x in z = maximum(x, y), and of y in z = minimum(x, y) with x and y exchanged.
    """
    below = x < y
    if type(dz) is type(below) is np.ndarray and below.shape == dz.shape:
        if dz.size > 2048 and is_finite(dz):
            # A product has no branches to guess; 0 times what is not finite would be NaN.
            dx = dz * ~below
        else:
            dx = dz.copy()
            np.putmask(dx, below, 0.0)
        equal = x == y
        if np.count_nonzero(equal):
            np.putmask(dx, equal, 0.5 * dz)
        return dx
    dx = np.where(below, 0.0, np.where(x == y, 0.5 * dz, dz))
    return dx if dx.ndim else dx[()]


def of_larger(dx, dy, x, y):
    """dx where x is larger than y, dy where y is, half of their sum where both are equal.

    The adjoint of what x and y are made of in z = maximum(x, y), and the tangent of z; of their sum
    where one of them is no number, as of `where_larger`.
    """
    below = x < y
    dz = np.where(below, dy, dx)
    neither = below == (y < x)
    if np.count_nonzero(neither):
        both = dx + dy
        dz = np.where(neither, np.where(x == y, 0.5 * both, both), dz)
    return dz if dz.ndim else dz[()]


def where_positive(dz, x):
    """dz where x is positive, half of it where x is 0, else 0; both are arrays.

    The adjoint of x in z = maximum(x, 0.0), that is in z = relu(x).
    """
    size = x.size
    if not dz.size == size <= 2048 or dz.dtype is not DOUBLE:
        return where_larger(dz, x, 0.0)
    dx = dz.copy()
    if size < 64:               # few numbers are found sooner by their places
        try:
            dx[x < ZERO] = ZERO
        except IndexError:      # dz has an axis more, of length 1
            return where_larger(dz, x, 0.0)
        has_zeros = len(x.nonzero()[0]) != size
    else:
        np.putmask(dx, x < ZERO, ZERO)
        has_zeros = np.count_nonzero(x) != size
    if has_zeros:
        np.putmask(dx, x == ZERO, 0.5 * dz)
    return dx


def abs_slope(x):
    """Derivative of abs(x): the sign of x, conj(x) / abs(x) for complex x, and 0 at 0."""
    return np.conj(np.sign(x))


def imag_adjoint(dy, x):
    """Adjoint of x in y = imag(x): -1j dy, and 0 for real x."""
    return -1j * np.real(dy) if np.iscomplexobj(x) else 0.0 * np.real(dy)


def angle_slope(x, deg=False):
    """The factor of dy in the adjoint of angle(x): -1j / x, 0 for real x and at 0."""
    if not np.iscomplexobj(x):
        return 0.0 * x
    return divide_or_zero(-180j / np.pi if deg else -1j, x)


def clip_inner(dz, x, low=None, high=None, low_2=None, high_2=None):
    """Adjoint of x in clip(x, low, high) before unbroadcasting; half of dz at a bound."""
    low = low_2 if low is None else low
    high = high_2 if high is None else high
    if high is not None:
        dz = where_larger(dz, high, x if low is None else np.maximum(x, low))
    return dz if low is None else where_larger(dz, x, low)


def clip_low(dz, x, low, high=None):
    """Adjoint of low in clip(x, low, high) before unbroadcasting."""
    if high is not None:
        dz = where_larger(dz, high, np.maximum(x, low))
    return where_larger(dz, low, x)


def clip_high(dz, x, low, high):
    """Adjoint of high in clip(x, low, high) before unbroadcasting."""
    return where_larger(dz, x if low is None else np.maximum(x, low), high)


def sinc_slope(x):
    """Derivative of sinc(x) = sin(pi x) / (pi x); by its series near 0."""
    u = np.pi * as_array(x)
    small = np.abs(u) < 0.06
    t = np.where(small, 1.0, u)
    series = u * (-1 / 3 + u * u * (1 / 30 - u * u * (1 / 840 - u * u / 45360)))
    return (np.pi * np.where(small, series, (np.cos(t) - np.sin(t) / t) / t))[()]


def sinc_curve(x):
    """Second derivative of sinc(x); by its series near 0."""
    u = np.pi * as_array(x)
    small = np.abs(u) < 0.06
    t = np.where(small, 1.0, u)
    series = -1 / 3 + u * u * (1 / 10 - u * u * (1 / 168 - u * u / 6480))
    exact = (-np.sin(t) - 2.0 * np.cos(t) / t + 2.0 * np.sin(t) / (t * t)) / t
    return (np.pi * np.pi * np.where(small, series, exact))[()]


def abs_slope_adjoint(dy, x):
    """Adjoint of x in y = abs_slope(x): 0 for real x."""
    if not np.iscomplexobj(x):
        return 0.0 * x
    size = np.abs(x)
    return divide_or_zero(np.conj(dy), size) \
        - divide_or_zero(np.real(dy * np.conj(x)) * np.conj(x), size ** 3)


def abs_slope_tangent(dx, x):
    """Tangent of abs_slope(x) = conj(x) / abs(x) along dx: 0 for real x."""
    if not np.iscomplexobj(x):
        return 0.0 * x
    size = np.abs(x)
    return divide_or_zero(np.conj(dx), size) \
        - divide_or_zero(np.conj(x) * np.real(np.conj(x) * dx), size ** 3)


def power_slope_in_exponent(x, y, order=1):
    """Derivative of power_slopes(x, y, order) with respect to y; 0 where x is 0."""
    zero = np.equal(x, 0)
    t = np.where(zero, 1, x)
    factor, slope = y, 1.0
    for k in range(1, order):
        slope = slope * (y - k) + factor
        factor = factor * (y - k)
    return np.where(zero, 0.0, np.power(t, y - float(order)) * (slope + factor * np.log(t)))[()]


def over_log(x, base=None):
    """x / log(base): what the base of a logarithm adds to its derivative; base e by default."""
    return x if base is None else x / np.log(base)


def over_complex_log(x, base=None):
    """x / log(base) for a complex logarithm; base e by default."""
    return x if base is None else x / np.log(base + 0j)


def polygamma(n, x):
    """Derivative number n + 1 of the logarithm of the gamma function, for real x.

    The recurrence goes up to where the asymptotic series is exact to rounding.
    """
    factorial = 1.0
    for k in range(1, n + 1):
        factorial *= k
    sign = -1.0 if n % 2 else 1.0
    x = np.array(x, dtype=float)[()]
    total = np.zeros(np.shape(x))[()]
    is_number = np.ndim(x) == 0
    while is_number and x < 16 + n:         # masks would take ten times as long
        total -= sign * factorial / x ** (n + 1)
        x += 1.0
    while not is_number and np.any(x < 16 + n):
        low = x < 16 + n
        total -= np.where(low, sign * factorial / np.where(low, x, 1.0) ** (n + 1), 0.0)
        x = np.where(low, x + 1.0, x)
    bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
    if n == 0:
        total += np.log(x) - 0.5 / x
        for k, b in enumerate(bernoulli, 1):
            total -= b / (2 * k * x ** (2 * k))
        return total
    series = factorial / n / x ** n + 0.5 * factorial / x ** (n + 1)
    for k, b in enumerate(bernoulli, 1):
        rising = 1.0                # (2k + n - 1)! / (2k)!
        for i in range(2 * k + 1, 2 * k + n):
            rising *= i
        series += b * rising / x ** (2 * k + n)
    return total - sign * series


def bessel_moment(x, k):
    """The mean of exp(x cos t) cos(t) ** k over t in (0, pi): for k = 0 the Bessel function i0(x),
    and derivative number k of it.

    The trapezoidal rule is exact to rounding for periodic functions.
    """
    n = 64 + 32 * int(np.max(np.abs(x), initial=0.0) ** 0.5)
    cosine = np.cos((np.arange(n) + 0.5) * (np.pi / n))
    moment = np.mean(np.exp(np.multiply.outer(x, cosine)) * cosine ** k, axis=-1)
    return moment.astype(np.result_type(x, 0.0))
