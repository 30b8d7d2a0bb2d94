"""Functions of polynomials, given by their coefficients from the highest power down, and fits."""
import numpy as np

from tangent_lite.registry import adjoint, makes_fresh, nondifferentiable, refuse, tangent
from tangent_lite.result_kinds import scalar_int, shaped_like_second, unknown
from tangent_lite.result_kinds.of_numpy import (
    coefficients,
    coefficients_of_two,
    fit_kind,
    float_vector,
    polyval_kind,
    powers_of_vector,
    quotient_of_two,
)
from tangent_lite.result_kinds.shapes import vector
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.polynomials import (
    factor_adjoint,
    falling,
    in_tail,
    in_tail_of,
    leading_zeros,
    poly_adjoint,
    poly_tangent,
    polyder_adjoint,
    polydiv_adjoint,
    polydiv_tangent,
    polyfit_places,
    polyfit_points,
    polyfit_tangent,
    polyfit_weights,
    polyint_adjoint,
    polyint_tangent,
    polyval_rate,
    polyval_slopes,
    real_as,
    root_slopes,
    tail_like,
    trimmed,
    trimmed_like,
    vander_slope,
)


@adjoint(np.polyval, kind=polyval_kind)
def polyval(y, p, x):
    d[p] = polyval_slopes(d[y], p, x)
    d[x] = d[y] * polyval_rate(p, x)


@tangent(np.polyval)
def polyval_tangent(y, p, x):
    d[y] = np.polyval(d[p], x) + d[x] * polyval_rate(p, x)


@adjoint(np.polyder, kind=coefficients, view="maybe", constant=("m",))
def polyder(y, p, m=1):
    d[p] = polyder_adjoint(d[y], p, m)


@tangent(np.polyder, constant=("m",))
def polyder_tangent(y, p, m=1):
    d[y] = np.polyder(d[p], m)


@adjoint(np.polyint, kind=coefficients, view="maybe", constant=("m",))
def polyint(y, p, m=1, k=None):
    d[p] = polyint_adjoint(d[y], p, m)


@tangent(np.polyint, constant=("m",))
def polyint_tangent_(y, p, m=1, k=None):
    d[y] = polyint_tangent(d[p], m)


@adjoint(np.polyadd, kind=coefficients_of_two)
def polyadd(y, a1, a2):
    d[a1] = tail_like(d[y], a1)
    d[a2] = tail_like(d[y], a2)


@tangent(np.polyadd)
def polyadd_tangent(y, a1, a2):
    d[y] = in_tail(d[a1], a1, y) + in_tail(d[a2], a2, y)


@adjoint(np.polysub, kind=coefficients_of_two)
def polysub(y, a1, a2):
    d[a1] = tail_like(d[y], a1)
    d[a2] = -tail_like(d[y], a2)


@tangent(np.polysub)
def polysub_tangent(y, a1, a2):
    d[y] = in_tail(d[a1], a1, y) - in_tail(d[a2], a2, y)


# A leading coefficient that is zero is left out by these two, and has no derivative.
@adjoint(np.polymul, kind=coefficients_of_two)
def polymul(y, a1, a2):
    d[a1] = factor_adjoint(d[y], a1, trimmed(a2))
    d[a2] = factor_adjoint(d[y], a2, trimmed(a1))


@tangent(np.polymul)
def polymul_tangent(y, a1, a2):
    d[y] = np.convolve(trimmed_like(d[a1], a1), trimmed(a2)) \
        + np.convolve(trimmed(a1), trimmed_like(d[a2], a2))


@adjoint(np.polydiv, kind=quotient_of_two)
def polydiv(y, u, v):
    both = polydiv_adjoint(d[y][0], d[y][1], y[0], u, v)
    d[u] = real_as(both[0], u)
    d[v] = real_as(both[1], v)


@tangent(np.polydiv)
def polydiv_tangent_(y, u, v):
    d[y] = polydiv_tangent(d[u], d[v], y[0], y[1], u, v)


@adjoint(np.poly, kind=unknown)
def poly(y, seq_of_zeros):
    d[seq_of_zeros] = real_as(poly_adjoint(d[y], y, seq_of_zeros), seq_of_zeros)


@tangent(np.poly)
def poly_tangent_(y, seq_of_zeros):
    d[y] = poly_tangent(d[seq_of_zeros], y, seq_of_zeros)


@adjoint(np.roots, kind=unknown)
def roots(y, p):
    d[p] = real_as(d[y] @ root_slopes(y, p), p)


@tangent(np.roots)
def roots_tangent(y, p):
    d[y] = root_slopes(y, p) @ d[p]


@adjoint(np.vander, kind=powers_of_vector)
def vander(y, x, N=None, increasing=False):
    d[x] = np.sum(d[y] * vander_slope(x, y, increasing), axis=1)


@tangent(np.vander)
def vander_tangent(y, x, N=None, increasing=False):
    d[y] = np.expand_dims(d[x], 1) * vander_slope(x, y, increasing)


@adjoint(np.polyfit, kind=fit_kind, constant=("deg",))
def polyfit(p, x, y, deg, rcond=None, *, w=None):
    d[x] = polyfit_places(d[p], p, x, y, deg, w)
    d[y] = polyfit_points(d[p], p, x, y, deg, w)
    d[w] = polyfit_weights(d[p], p, x, y, deg, w)


@tangent(np.polyfit, constant=("deg",))
def polyfit_tangent_(p, x, y, deg, rcond=None, *, w=None):
    d[p] = polyfit_tangent(d[x], d[y], d[w], p, x, y, deg, w)


refuse(np.poly1d, why="a poly1d is an object",
       instead="keep the coefficients in an array, and call np.polyval and its like")


# The helpers that are linear; the others are differentiated as they are written.
makes_fresh(polyval_slopes, polyfit_points, polyfit_places, polyfit_weights, polyfit_tangent,
            poly_adjoint, poly_tangent, root_slopes, polydiv_adjoint, polydiv_tangent, vander_slope,
            factor_adjoint)
nondifferentiable(falling, kind=float_vector)
nondifferentiable(leading_zeros, kind=scalar_int)


@adjoint(polyder_adjoint, kind=shaped_like_second, constant=("m",))
def polyder_adjoint_(y, dy, p, m=1):
    d[dy] = np.polyder(d[y], m)
    d[p] = None


@tangent(polyder_adjoint, constant=("m",))
def polyder_adjoint_tangent(y, dy, p, m=1):
    d[y] = polyder_adjoint(d[dy], p, m)
    d[p] = None


@adjoint(polyint_tangent, kind=vector, constant=("m",))
def polyint_tangent_adjoint(y, dp, m=1):
    d[dp] = polyint_adjoint(d[y], dp, m)


@tangent(polyint_tangent, constant=("m",))
def polyint_tangent_tangent(y, dp, m=1):
    d[y] = polyint_tangent(d[dp], m)


@adjoint(polyint_adjoint, kind=shaped_like_second, constant=("m",))
def polyint_adjoint_(y, dy, p, m=1):
    d[dy] = polyint_tangent(d[y], m)
    d[p] = None


@tangent(polyint_adjoint, constant=("m",))
def polyint_adjoint_tangent(y, dy, p, m=1):
    d[y] = polyint_adjoint(d[dy], p, m)
    d[p] = None


@adjoint(tail_like, kind=shaped_like_second, view="maybe")
def tail_like_(y, dy, p):
    d[dy] = in_tail(d[y], p, dy)
    d[p] = None


@tangent(tail_like)
def tail_like_tangent(y, dy, p):
    d[y] = tail_like(d[dy], p)
    d[p] = None


@adjoint(in_tail, kind=vector)
def in_tail_(z, dp, p, y):
    d[dp] = unbroadcast(tail_like(d[z], p), dp)
    d[p] = None
    d[y] = None


@tangent(in_tail)
def in_tail_tangent(z, dp, p, y):
    d[z] = in_tail(d[dp], p, y)
    d[p] = None
    d[y] = None


@adjoint(in_tail_of, kind=shaped_like_second)
def in_tail_of_(y, inner, p):
    d[inner] = tail_like(np.ravel(d[y]), inner)
    d[p] = None


@tangent(in_tail_of)
def in_tail_of_tangent(y, inner, p):
    d[y] = in_tail_of(d[inner], p)
    d[p] = None


@adjoint(trimmed, kind=vector, view="maybe")
def trimmed_(y, p):
    d[p] = in_tail_of(d[y], p)


@tangent(trimmed)
def trimmed_tangent(y, p):
    d[y] = trimmed_like(d[p], p)


@adjoint(trimmed_like, kind=vector, view="maybe")
def trimmed_like_(y, dp, p):
    d[dp] = unbroadcast(in_tail_of(d[y], p), dp)
    d[p] = None


@tangent(trimmed_like)
def trimmed_like_tangent(y, dp, p):
    d[y] = trimmed_like(d[dp], p)
    d[p] = None


@adjoint(polyval_rate, kind=polyval_kind)
def polyval_rate_(y, p, x):
    d[p] = polyder_adjoint(polyval_slopes(d[y], p[1:], x), p)
    d[x] = d[y] * polyval_rate(np.polyder(p), x)


@tangent(polyval_rate)
def polyval_rate_tangent(y, p, x):
    d[y] = np.polyval(np.polyder(d[p]), x) + d[x] * polyval_rate(np.polyder(p), x)


@adjoint(real_as, kind=shaped_like_second, view="maybe")
def real_as_(y, dx, x):
    d[dx] = real_as(d[y], x)
    d[x] = None


@tangent(real_as)
def real_as_tangent(y, dx, x):
    d[y] = real_as(d[dx], x)
    d[x] = None
