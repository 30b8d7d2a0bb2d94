"""scipy.interpolate: interpolants that are linear in the values they go through.

With respect to these values, and to where the interpolant is evaluated; the points x where the
values stand are constant. In a differentiated function the interpolant is an object that can be
called, and nothing else.
"""
import numpy as np
from scipy import interpolate

from tangent_lite.registry import (
    adjoint,
    entry_for,
    nondifferentiable,
    refuse,
    tangent,
    written_as,
)
from tangent_lite.result_kinds import shaped_like_second, unchanged, unknown
from tangent_lite.result_kinds.of_scipy import (
    interpolated_kind,
    places_kind,
    values_kind,
    weights_kind,
)
from tangent_lite.runtime.scipy_interpolate import (
    Interpolant,
    as_values,
    interpolated,
    linear_of,
    made_of,
    on_points,
    recipe_of,
    slope_adjoint,
    slope_tangent,
    spread_values,
    summed_values,
    weights_adjoint,
)

POINTS = "the points where the values stand are taken as constant"
nondifferentiable(made_of, linear_of, kind=unknown)


@adjoint(recipe_of, kind=unknown, constant={"maker": POINTS, "x": POINTS, "axis": POINTS,
                                             "options": "the options are taken as constant"})
def recipe_of_(recipe, maker, x, axis, options):
    pass


@tangent(recipe_of, constant={"maker": POINTS, "x": POINTS, "axis": POINTS,
                              "options": "the options are taken as constant"})
def recipe_of_tangent(recipe, maker, x, axis, options):
    d[recipe] = 0.0


# What recipes hold gets no adjoint, so points that vary are refused here.
@adjoint(on_points, kind=unchanged, view="always", constant={"x": POINTS})
def on_points_(z, y, x):
    d[y] = d[z]


@tangent(on_points, constant={"x": POINTS})
def on_points_tangent(z, y, x):
    d[z] = d[y]


@written_as(interpolate.CubicSpline)
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    recipe = recipe_of("CubicSpline", x, axis, (("bc_type", bc_type), ("extrapolate", extrapolate)))
    values = on_points(y, x)
    return Interpolant(values, made_of(recipe, values), recipe)


entry_for(interpolate.make_interp_spline).kind = unknown         # so that its source is not read


@written_as(interpolate.make_interp_spline)
def interp_spline(x, y, k=3, *, bc_type=None, axis=0):
    recipe = recipe_of("make_interp_spline", x, axis, (("k", k), ("bc_type", bc_type)))
    values = on_points(y, x)
    return Interpolant(values, made_of(recipe, values), recipe)


@written_as(interpolate.interp1d)
def interp1d(x, y, kind="linear", axis=-1, *, bounds_error=None, fill_value=np.nan,
             assume_sorted=False):
    recipe = recipe_of("interp1d", x, axis, (
        ("kind", kind), ("bounds_error", bounds_error), ("fill_value", fill_value),
        ("assume_sorted", assume_sorted)))
    values = on_points(y, x)
    return Interpolant(values, made_of(recipe, values), recipe)


# What is made and how is kept in an object beside y, but does not vary itself.
@adjoint(interpolated, kind=interpolated_kind, constant=("nu",))
def interpolated_(z, t, y, made, recipe, nu=0, extrapolate=None):
    d[t] = slope_adjoint(d[z], t, y, made, recipe, nu, extrapolate)
    d[y] = weights_adjoint(d[z], t, y, recipe, nu, extrapolate)
    d[made] = None
    d[recipe] = None


@tangent(interpolated, constant=("nu",))
def interpolated_tangent(z, t, y, made, recipe, nu=0, extrapolate=None):
    d[z] = slope_tangent(d[t], t, y, made, recipe, nu, extrapolate) \
        + interpolated(t, d[y], linear_of(recipe, d[y]), recipe, nu, extrapolate)
    d[made] = None
    d[recipe] = None


@adjoint(weights_adjoint, kind=weights_kind, constant=("nu",))
def weights_adjoint_(b, dz, t, y, recipe, nu=0, extrapolate=None):
    made = linear_of(recipe, d[b])
    d[dz] = interpolated(t, d[b], made, recipe, nu, extrapolate)
    d[t] = slope_adjoint(dz, t, d[b], made, recipe, nu, extrapolate)
    d[y] = None
    d[recipe] = None


@tangent(weights_adjoint, constant=("nu",))
def weights_adjoint_tangent(b, dz, t, y, recipe, nu=0, extrapolate=None):
    d[b] = weights_adjoint(d[dz], t, y, recipe, nu, extrapolate) \
        + weights_adjoint(as_values(d[t], t, y, recipe) * dz, t, y, recipe, nu + 1, extrapolate)
    d[y] = None
    d[recipe] = None


@adjoint(as_values, kind=values_kind, view="maybe")
def as_values_(z, dt, t, y, recipe):
    d[dt] = np.reshape(d[z], np.shape(t))
    d[t] = None
    d[y] = None
    d[recipe] = None


@tangent(as_values)
def as_values_tangent(z, dt, t, y, recipe):
    d[z] = as_values(d[dt], t, y, recipe)
    d[t] = None
    d[y] = None
    d[recipe] = None


@adjoint(summed_values, kind=places_kind)
def summed_values_(s, dz, t, y, recipe):
    d[dz] = spread_values(d[s], dz, t, y, recipe)
    d[t] = None
    d[y] = None
    d[recipe] = None


@tangent(summed_values)
def summed_values_tangent(s, dz, t, y, recipe):
    d[s] = summed_values(d[dz], t, y, recipe)
    d[t] = None
    d[y] = None
    d[recipe] = None


@adjoint(spread_values, kind=shaped_like_second)
def spread_values_(z, ds, like, t, y, recipe):
    d[ds] = summed_values(d[z], t, y, recipe)
    d[like] = None
    d[t] = None
    d[y] = None
    d[recipe] = None


@tangent(spread_values)
def spread_values_tangent(z, ds, like, t, y, recipe):
    d[z] = spread_values(d[ds], like, t, y, recipe)
    d[like] = None
    d[t] = None
    d[y] = None
    d[recipe] = None


refuse(interpolate.PchipInterpolator, interpolate.Akima1DInterpolator,
       interpolate.pchip_interpolate, interpolate.UnivariateSpline, interpolate.splrep,
       interpolate.RegularGridInterpolator, interpolate.griddata, interpolate.interpn,
       interpolate.RBFInterpolator, interpolate.make_smoothing_spline, interpolate.make_lsq_spline,
       why="it is not one of the interpolants that are linear in the values and known here",
       instead="use CubicSpline, make_interp_spline or interp1d; np.interp for straight lines")
