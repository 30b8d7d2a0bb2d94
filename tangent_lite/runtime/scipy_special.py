"""What emitted code may call for scipy.special. Imported where SciPy is in use, and only there.

None of these has rules: they are differentiated through their source.
"""
from __future__ import annotations

import numpy as np
import scipy.special as sp

from tangent_lite.errors import InputError
from tangent_lite.runtime import match, unbroadcast, unreduce


def weak(constant):
    """A number as one of Python's, which leaves arrays of single precision what they are."""
    return constant.item() if np.ndim(constant) == 0 and hasattr(constant, "item") else constant


def narrowed(y, x):
    """y in single precision where x is: scipy.special gives doubles for a number and such an x."""
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype == np.float32:
        return np.asarray(y, dtype=np.float32) if isinstance(y, np.ndarray) else np.float32(y)
    return y


def along_imaginary(dy, z):
    """Adjoint of z in y = imag(z): -1j * real(dy) for complex z, 0 for real z."""
    return -1j * np.real(dy) if np.iscomplexobj(z) else 0.0 * dy


def spherical_curve(function, slope, n, z, sign):
    """Second derivative of a spherical Bessel function, whose first derivative is slope.

    y'' = -2 / z y' + (sign + n (n + 1) / z^2) y, with sign -1 for jn and yn and 1 for the modified
    in and kn (DLMF 10.47.1 and 10.47.2); at 0 the limit for jn and in: sign / 3 for n = 0, 2 / 15
    for n = 2, and 0 for all others.
    """
    zero = z == 0.0
    safe = np.where(zero, 1.0, z)
    limit = sign / 3.0 * (n == 0) + 2.0 / 15.0 * (n == 2)
    return np.where(zero, limit, (sign + n * (n + 1) / (safe * safe)) * function(n, z)
                    - 2.0 * slope / safe)


def legendre_slope(y, m, v, x):
    """Derivative of y = lpmv(m, v, x): ((v + m) P(v - 1) - v x y) / (1 - x^2) (DLMF 14.10.5).

    At degree v = m the lower one is 0 by definition.
    """
    lower = weak(np.where(v == m, v, v - 1.0))
    below = np.where(v == m, 0.0, sp.lpmv(m, lower, x))
    return ((v + m) * below - v * x * y) / (1.0 - x * x)


def sphere_slope(n, m, theta, phi, diff_n=0):
    """Derivative of the spherical harmonic sph_harm_y(n, m, theta, phi) with respect to theta.

    Half of sqrt((n - m)(n + m + 1)) exp(-i phi) Y(m + 1)
          - sqrt((n + m)(n - m + 1)) exp(i phi) Y(m - 1), as the ladder operators of angular
    momentum say; it has no singularity at the poles. Beyond |m| = n, where slopes of slopes lead,
    all is 0. Outside of [0, pi] SciPy has the value of the angle inside of which cos is the same.
    """
    if diff_n:
        raise InputError("the derivatives that sph_harm_y returns with diff_n have none here", None,
                         "call it with diff_n=0, and differentiate that")
    turn = np.exp(1j * phi)
    up = np.sqrt(np.maximum((n - m) * (n + m + 1.0), 0.0))
    down = np.sqrt(np.maximum((n + m) * (n - m + 1.0), 0.0))
    side = np.where(np.sin(theta) < 0.0, -0.5, 0.5)
    return side * (up * sp.sph_harm_y(n, m + 1, theta, phi) / turn
                   - down * turn * sp.sph_harm_y(n, m - 1, theta, phi))


def prolate_curve(y, m, c, cv, x):
    """Second derivative of a prolate spheroidal wave function, y its value and slope (DLMF 30.2.1).

    ((1 - x^2) w')' + (cv - c^2 x^2 - m^2 / (1 - x^2)) w = 0; oblate ones have i c in place of c.
    """
    value, slope = y
    rest = 1.0 - x * x
    return (2.0 * x * slope - (cv - np.real(c * c) * x * x - m * m / rest) * value) / rest


def oblate_curve(y, m, c, cv, x):
    """Second derivative of an oblate radial wave function: that equation with i x in place of x."""
    value, slope = y
    rest = 1.0 + x * x
    return ((cv - c * c * x * x - m * m / rest) * value - 2.0 * x * slope) / rest


# Logarithms and powers --------------------------------------------------------------------------
def exprel_slope(x):
    """Derivative of exprel(x) = (exp(x) - 1) / x, without cancellation near 0.

    exprel(x) is 1F1(1; 2; x), and its derivative half of 1F1(2; 3; x) (DLMF 13.3.15).
    """
    return 0.5 * sp.hyp1f1(2.0, 3.0, x)


def boxcox_slope(logarithm, power):
    """Derivative of (x^p - 1) / p = log(x) exprel(p log(x)) with respect to p; log(x) is given."""
    return logarithm * logarithm * exprel_slope(power * logarithm)


# Gamma functions --------------------------------------------------------------------------------
def gamma_density(a, x):
    """x^(a - 1) exp(-x) / gamma(a): the slope of gammainc(a, x) in x."""
    return narrowed(np.exp(sp.xlogy(a - 1.0, x) - x - sp.gammaln(a)), x)


def beta_density(a, b, x):
    """x^(a - 1) (1 - x)^(b - 1) / beta(a, b): the slope of betainc(a, b, x) in x."""
    return narrowed(np.exp(sp.xlogy(a - 1.0, x) + sp.xlog1py(b - 1.0, -x) - sp.betaln(a, b)),
                    x)


def digamma_sum(a, d):
    """The sum of digamma(a - j / 2) over j = 0, ..., d - 1: the slope of multigammaln(a, d)."""
    total = 0.0 * a
    for j in range(int(d)):
        total = total + sp.digamma(a - 0.5 * j)
    return total


def comb_slope(y, N, k, repetition=False):
    """Derivatives of y = comb(N, k) with respect to N and to k; 0 where comb is cut off at 0.

    comb is gamma(N + 1) / (gamma(k + 1) gamma(N - k + 1)); with repetition N stands for N + k - 1.
    """
    top = N + k - 1.0 if repetition else 1.0 * N
    inside = y != 0.0
    top, below = np.where(inside, top, 1.0), np.where(inside, k, 0.5)
    in_top = y * (sp.digamma(top + 1.0) - sp.digamma(top - below + 1.0))
    in_k = y * (sp.digamma(top - below + 1.0) - sp.digamma(below + 1.0))
    return in_top, in_k + in_top if repetition else in_k


def perm_slope(y, N, k):
    """Derivatives of y = perm(N, k) = gamma(N + 1) / gamma(N - k + 1) with respect to N and k."""
    inside = y != 0.0
    top, below = np.where(inside, N, 1.0), np.where(inside, k, 0.5)
    rest = sp.digamma(top - below + 1.0)
    return y * (sp.digamma(top + 1.0) - rest), y * rest


# Elliptic integrals -----------------------------------------------------------------------------
def ellipkinc_slope(phi, m):
    """Derivative of F(phi | m) with respect to m (DLMF 19.4.5).

    Near m = 0 by the first terms of its series, since the formula divides by m.
    """
    sine, cosine = np.sin(phi), np.cos(phi)
    small = np.abs(m) < 1e-6
    safe = np.where(small, 0.5, m)
    squares = 0.5 * (phi - sine * cosine)
    fourth = 0.75 * squares - 0.25 * sine * sine * sine * cosine
    formula = (sp.ellipeinc(phi, safe) / (1.0 - safe) - sp.ellipkinc(phi, safe)) / (2.0 * safe) \
        - sine * cosine / (2.0 * (1.0 - safe) * np.sqrt(1.0 - safe * sine * sine))
    return np.where(small, 0.5 * squares + 0.75 * m * fourth, formula)


def ellipeinc_slope(phi, m):
    """Derivative of E(phi | m) with respect to m: (E - F) / (2 m) (DLMF 19.4.6)."""
    sine, cosine = np.sin(phi), np.cos(phi)
    small = np.abs(m) < 1e-6
    safe = np.where(small, 0.5, m)
    squares = 0.5 * (phi - sine * cosine)
    fourth = 0.75 * squares - 0.25 * sine * sine * sine * cosine
    formula = (sp.ellipeinc(phi, safe) - sp.ellipkinc(phi, safe)) / (2.0 * safe)
    return np.where(small, -0.5 * squares - 0.25 * m * fourth, formula)


def ellipj_slope(y, m):
    """Derivatives of sn, cn, dn and the amplitude, y, with respect to m.

    From u = F(ph | m): the amplitude ph moves by -dn times the derivative of F, the others with it.
    """
    sn, cn, dn, ph = y
    turn = -dn * ellipkinc_slope(ph, m)
    return cn * turn, -sn * turn, -(0.5 * sn * sn + m * sn * cn * turn) / dn, turn


def ellipj_tangent(du, dm, y, m):
    """Tangent of ellipj(u, m) along du and dm."""
    sn, cn, dn, _ = y
    in_sn, in_cn, in_dn, in_ph = ellipj_slope(y, m)
    return (du * cn * dn + dm * in_sn, dm * in_cn - du * sn * dn,
            dm * in_dn - du * m * sn * cn, du * dn + dm * in_ph)


def agm_slope(y, a, b):
    """Derivative of the arithmetic-geometric mean y of a and b with respect to a.

    y = pi (a + b) / (4 K(m)) with m = k^2, k = (a - b) / (a + b) (DLMF 19.8.5), and the derivative
    of K is (E - (1 - m) K) / (2 m (1 - m)).
    """
    total = a + b
    k = (a - b) / total
    small = np.abs(k) < 1e-4
    safe = np.where(small, 0.5, k)
    m = safe * safe
    whole = sp.ellipk(m)
    along = np.where(small, 0.5 * k, (sp.ellipe(m) / (1.0 - m) - whole) / (safe * whole))
    return y / total - y * along * 2.0 * b / (total * total)


# Exponential integrals --------------------------------------------------------------------------
def expn_slope(n, x):
    """E with order n - 1: minus the derivative of expn(n, x); for n = 0 that of exp(-x) / x.

    expn knows no negative orders: x^2 E_{-1}(x) = (1 + x) exp(-x) (DLMF 8.19.11).
    """
    below = (1.0 + x) * np.exp(-x) / (x * x)
    return np.where(n > 0, sp.expn(np.maximum(n - 1, 0), x), below)


def spence_slope(x):
    """Derivative of spence(x): log(x) / (1 - x), -1 at x = 1, and by its series near there."""
    step = x - 1.0
    near = np.abs(step) < 1e-4
    series = -1.0 + step * (0.5 - step * (1.0 / 3.0 - 0.25 * step))
    return np.where(near, series, np.log(x) / np.where(near, 1.0, -step))


# Faddeeva function ------------------------------------------------------------------------------
def wofz_slope(y, z):
    """Derivative of y = wofz(z): 2i / sqrt(pi) - 2 z y (DLMF 7.10.2)."""
    return 1.1283791670955126j - 2.0 * z * y


def voigt_slopes(y, x, sigma, gamma):
    """Derivatives of y = voigt_profile(x, sigma, gamma) with respect to x, sigma and gamma.

    y is the real part of w(z) / (sigma sqrt(2 pi)), with z = (x + i gamma) / (sigma sqrt(2)).
    """
    z = (x + 1j * gamma) / (1.4142135623730951 * sigma)
    slope = wofz_slope(sp.wofz(z), z) / (2.5066282746310002 * sigma)
    in_z = slope / (1.4142135623730951 * sigma)
    return np.real(in_z), -(y + np.real(slope * z)) / sigma, -np.imag(in_z)


# Sums of exponentials ---------------------------------------------------------------------------
def logsumexp_shares(y, a, axis=None, b=None, keepdims=False, return_sign=False):
    """What one more b adds to y = log(abs(sum(b exp(a)))), in the shape of a and b together.

    exp(a - y), with the sign of the sum where return_sign asks for it: y is then a pair, and real,
    so that complex a are refused.
    """
    full = a if b is None else match(a, b)
    if not return_sign:
        return np.exp(full - unreduce(y, full, axis, keepdims))
    if np.iscomplexobj(full) or np.iscomplexobj(b):
        raise InputError("the derivative of logsumexp with return_sign=True is that of real "
                         "numbers", None, "leave return_sign out")
    return np.exp(full - unreduce(y[0], full, axis, keepdims)) \
        * unreduce(y[1], full, axis, keepdims)


def logsumexp_adjoint(dy, y, a, axis=None, b=None, keepdims=False, return_sign=False):
    """Adjoint of a in y = logsumexp(a, axis, b, keepdims, return_sign); shape of a."""
    shares = logsumexp_shares(y, a, axis, b, keepdims, return_sign)
    part = unreduce(dy[0] if return_sign else dy, shares, axis, keepdims) * shares
    return part if b is None else unbroadcast(part * b, a)


def logsumexp_adjoint_weights(dy, y, a, axis=None, b=None, keepdims=False, return_sign=False):
    """Adjoint of b, shape of b; finite where b is 0."""
    shares = logsumexp_shares(y, a, axis, b, keepdims, return_sign)
    return unbroadcast(unreduce(dy[0] if return_sign else dy, shares, axis, keepdims) * shares, b)


def logsumexp_tangent(da, db, y, a, axis=None, b=None, keepdims=False, return_sign=False):
    """Tangent of y along da and db; db is 0 where b does not vary."""
    shares = logsumexp_shares(y, a, axis, b, keepdims, return_sign)
    moved = da * shares if b is None else (da * b + db) * shares
    dy = np.sum(moved, axis=axis, keepdims=keepdims)
    return (dy, 0.0 * y[1]) if return_sign else dy


# Densities --------------------------------------------------------------------------------------
def t_density(df, t):
    """The density of Student's t distribution with df degrees of freedom."""
    return np.exp(-0.5 * (df + 1.0) * np.log1p(t * t / df) - weak(sp.betaln(0.5 * df, 0.5))) \
        / weak(np.sqrt(df))


def f_density(dfn, dfd, x):
    """The density of the F distribution."""
    ratio = dfn * x / dfd
    return ratio ** (0.5 * dfn) * (1.0 + ratio) ** (-0.5 * (dfn + dfd)) \
        * weak(np.exp(-sp.betaln(0.5 * dfn, 0.5 * dfd))) / x


def noncentral_density(x, df, nc):
    """The density of the noncentral chi-squared distribution, nc > 0.

    exp(-(x + nc) / 2) (x / nc)^(df / 4 - 1 / 2) I(sqrt(nc x)) / 2, I of order df / 2 - 1; taken
    with respect to nc, the distribution function has minus the density with df + 2 as its slope
    (Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 29).
    """
    gap = np.sqrt(x) - np.sqrt(nc)
    return 0.5 * np.exp(-0.5 * gap * gap) * (x / nc) ** (0.25 * df - 0.5) \
        * sp.ive(0.5 * df - 1.0, np.sqrt(nc * x))


def tukey_density(p, lmbda):
    """The density of Tukey's lambda distribution where its distribution function is p: outside of
    what values it has, for a positive lmbda, p is 0 or 1, and the density 0."""
    return ((p > 0.0) & (p < 1.0)) / (p ** (lmbda - 1.0) + (1.0 - p) ** (lmbda - 1.0))
