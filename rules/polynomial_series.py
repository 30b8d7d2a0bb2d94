"""numpy.polynomial: values, derivatives and integrals of series in six families of polynomials.

A value is linear in the coefficients, with the values of the polynomials of the family as weights
(`chebvander`), and its slope is the value of the series that `chebder` gives. Derivatives and
integrals are linear in the coefficients: their matrix is what they make of the unit vectors.
"""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from tangent_lite.registry import adjoint, nondifferentiable, refuse, refuse_calls_of, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.series import (
    powers_kind,
    quadrature_kind,
    series_kind,
    value_kind,
)
from tangent_lite.runtime.series import combined, one_series, series_moments, slopes_of

ORDER = "it is a whole number"
OPTIONS = {"m": ORDER, "k": "the constants of integration have no derivative here",
           "lbnd": "where an integral is 0 has no derivative here",
           "scl": "the scale has no derivative here", "axis": ORDER}
FAMILIES = [(polynomial, "poly"), (chebyshev, "cheb"), (legendre, "leg"), (hermite, "herm"),
            (hermite_e, "herme"), (laguerre, "lag")]


def rules_of(value, slope, antiderivative, powers):
    """The rules of one family."""
    @adjoint(value, kind=value_kind)
    def series_value(y, x, c, tensor=True):
        d[x] = d[y] * value(x, slope(one_series(c)))
        d[c] = series_moments(d[y], powers(x, len(one_series(c)) - 1))

    @tangent(value)
    def series_value_tangent(y, x, c, tensor=True):
        d[y] = d[x] * value(x, slope(one_series(c))) + value(x, one_series(d[c]))

    @adjoint(slope, kind=series_kind, constant={n: OPTIONS[n] for n in ("m", "scl")})
    def series_slope(y, c, m=1, scl=1):
        d[c] = combined(d[y], slope(np.eye(np.size(one_series(c, 0))), m, scl), c)

    @tangent(slope, constant={n: OPTIONS[n] for n in ("m", "scl")})
    def series_slope_tangent(y, c, m=1, scl=1):
        d[y] = slope(one_series(d[c], 0), m, scl)

    @adjoint(antiderivative, kind=series_kind, constant={n: OPTIONS[n] for n in
                                                     ("m", "k", "lbnd", "scl")})
    def series_integral(y, c, m=1, k=(), lbnd=0, scl=1):
        unit = np.eye(np.size(one_series(c, 0)))
        d[c] = combined(d[y], antiderivative(unit, m, [], lbnd, scl), c)

    @tangent(antiderivative, constant={n: OPTIONS[n] for n in ("m", "k", "lbnd", "scl")})
    def series_integral_tangent(y, c, m=1, k=(), lbnd=0, scl=1):
        d[y] = antiderivative(one_series(d[c], 0), m, [], lbnd, scl)

    @adjoint(powers, kind=powers_kind, constant={"deg": ORDER})
    def series_powers(y, x, deg):
        d[x] = np.reshape(np.sum(d[y] * (y @ slopes_of(slope, deg)), axis=-1), np.shape(x))

    @tangent(powers, constant={"deg": ORDER})
    def series_powers_tangent(y, x, deg):
        d[y] = np.expand_dims(d[x], -1) * (y @ slopes_of(slope, deg))


nondifferentiable(slopes_of, kind=unknown)
for _module, _name in FAMILIES:
    rules_of(*(getattr(_module, _name + _end) for _end in ("val", "der", "int", "vander")))

nondifferentiable(chebyshev.chebgauss, hermite.hermgauss, hermite_e.hermegauss, laguerre.laggauss,
                  legendre.leggauss, kind=quadrature_kind)
# In the order of FAMILIES.
_CLASSES = (np.polynomial.Polynomial, np.polynomial.Chebyshev, np.polynomial.Legendre,
            np.polynomial.Hermite, np.polynomial.HermiteE, np.polynomial.Laguerre)
refuse(*_CLASSES, why="it makes an object that keeps its coefficients",
       instead="keep the coefficients in an array, and call polyval (chebval, ...) of "
               "numpy.polynomial")
for _class, (_module, _name) in zip(_CLASSES, FAMILIES):
    refuse_calls_of(_class, why="an object that keeps its coefficients has no rule",
                    instead=f"write {_module.__name__.replace('numpy', 'np', 1)}.{_name}val"
                            "(offset + scale * x, p.coef), with offset, scale = p.mapparms() "
                            "outside of the function")
