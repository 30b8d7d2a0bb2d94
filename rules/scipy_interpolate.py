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
from tangent_lite.result_kinds import shaped_like_second, unknown
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
    recipe_of,
    slope_adjoint,
    slope_tangent,
    spread_values,
    summed_values,
    weights_adjoint,
)

POINTS = "the points where the values stand are taken as constant"
FIXED_RECIPE = {"recipe": POINTS}
FIXED = {"recipe": POINTS, "nu": "it says which derivative is taken"}
nondifferentiable(made_of, linear_of, kind=unknown)


@adjoint(recipe_of, kind=unknown, constant={"maker": POINTS, "x": POINTS, "axis": POINTS,
                                             "options": "the options are taken as constant"})
def recipe_of_(recipe, maker, x, axis, options):
    pass


@tangent(recipe_of, constant={"maker": POINTS, "x": POINTS, "axis": POINTS,
                              "options": "the options are taken as constant"})
def recipe_of_tangent(recipe, maker, x, axis, options):
    d[recipe] = 0.0


@written_as(interpolate.CubicSpline)
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    recipe = recipe_of("CubicSpline", x, axis, (("bc_type", bc_type), ("extrapolate", extrapolate)))
    return Interpolant(y, made_of(recipe, y), recipe)


entry_for(interpolate.make_interp_spline).kind = unknown         # so that its source is not read


@written_as(interpolate.make_interp_spline)
def interp_spline(x, y, k=3, *, bc_type=None, axis=0):
    recipe = recipe_of("make_interp_spline", x, axis, (("k", k), ("bc_type", bc_type)))
    return Interpolant(y, made_of(recipe, y), recipe)


@written_as(interpolate.interp1d)
def interp1d(x, y, kind="linear", axis=-1, *, bounds_error=None, fill_value=np.nan,
             assume_sorted=False):
    recipe = recipe_of("interp1d", x, axis, (
        ("kind", kind), ("bounds_error", bounds_error), ("fill_value", fill_value),
        ("assume_sorted", assume_sorted)))
    return Interpolant(y, made_of(recipe, y), recipe)


# What was made is kept in an object beside y, and does not vary by itself; a recipe of points that
# is refused wherever it is read.
@adjoint(interpolated, kind=interpolated_kind, constant=FIXED)
def interpolated_(z, t, y, made, recipe, nu=0, extrapolate=None):
    d[t] = slope_adjoint(d[z], t, y, made, recipe, nu, extrapolate)
    d[y] = weights_adjoint(d[z], t, y, recipe, nu, extrapolate)
    d[made] = None


@tangent(interpolated, constant=FIXED)
def interpolated_tangent(z, t, y, made, recipe, nu=0, extrapolate=None):
    d[z] = slope_tangent(d[t], t, y, made, recipe, nu, extrapolate) \
        + interpolated(t, d[y], linear_of(recipe, d[y]), recipe, nu, extrapolate)
    d[made] = None


@adjoint(weights_adjoint, kind=weights_kind, constant=FIXED)
def weights_adjoint_(b, dz, t, y, recipe, nu=0, extrapolate=None):
    made = linear_of(recipe, d[b])
    d[dz] = interpolated(t, d[b], made, recipe, nu, extrapolate)
    d[t] = slope_adjoint(dz, t, d[b], made, recipe, nu, extrapolate)
    d[y] = None


@tangent(weights_adjoint, constant=FIXED)
def weights_adjoint_tangent(b, dz, t, y, recipe, nu=0, extrapolate=None):
    d[b] = weights_adjoint(d[dz], t, y, recipe, nu, extrapolate) \
        + weights_adjoint(as_values(d[t], t, y, recipe) * dz, t, y, recipe, nu + 1, extrapolate)
    d[y] = None


@adjoint(as_values, kind=values_kind, view="maybe", constant=FIXED_RECIPE)
def as_values_(z, dt, t, y, recipe):
    d[dt] = np.reshape(d[z], np.shape(t))
    d[t] = None
    d[y] = None


@tangent(as_values, constant=FIXED_RECIPE)
def as_values_tangent(z, dt, t, y, recipe):
    d[z] = as_values(d[dt], t, y, recipe)
    d[t] = None
    d[y] = None


@adjoint(summed_values, kind=places_kind, constant=FIXED_RECIPE)
def summed_values_(s, dz, t, y, recipe):
    d[dz] = spread_values(d[s], dz, t, y, recipe)
    d[t] = None
    d[y] = None


@tangent(summed_values, constant=FIXED_RECIPE)
def summed_values_tangent(s, dz, t, y, recipe):
    d[s] = summed_values(d[dz], t, y, recipe)
    d[t] = None
    d[y] = None


@adjoint(spread_values, kind=shaped_like_second, constant=FIXED_RECIPE)
def spread_values_(z, ds, like, t, y, recipe):
    d[ds] = summed_values(d[z], t, y, recipe)
    d[like] = None
    d[t] = None
    d[y] = None


@tangent(spread_values, constant=FIXED_RECIPE)
def spread_values_tangent(z, ds, like, t, y, recipe):
    d[z] = spread_values(d[ds], like, t, y, recipe)
    d[like] = None
    d[t] = None
    d[y] = None


refuse(interpolate.PchipInterpolator, interpolate.Akima1DInterpolator,
       interpolate.pchip_interpolate, interpolate.UnivariateSpline, interpolate.splrep,
       interpolate.RegularGridInterpolator, interpolate.griddata, interpolate.interpn,
       interpolate.RBFInterpolator, interpolate.make_smoothing_spline, interpolate.make_lsq_spline,
       why="it is not one of the interpolants that are linear in the values and known here",
       instead="use CubicSpline, make_interp_spline or interp1d; np.interp for straight lines")
