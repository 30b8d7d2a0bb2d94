"""scipy.integrate: rules for points, integrals of functions, differential equations."""
import math

import numpy as np
from scipy import integrate

from tangent_lite.registry import (
    adjoint,
    entry_for,
    nondifferentiable,
    refuse,
    tangent,
    written_as,
)
from tangent_lite.result_kinds import pair_of_floats, unknown
from tangent_lite.result_kinds.of_scipy import (
    adjoints_of_ode,
    adjoints_of_second,
    matrix,
    running_integral,
)
from tangent_lite.result_kinds.shapes import less_rank_or_number
from tangent_lite.runtime import stop_gradient
from tangent_lite.runtime.scipy_functions import detail, parts_for, rest, with_first
from tangent_lite.runtime.scipy_integrate import (
    IvpResult,
    applied,
    behind_start,
    cumulative_trapezoid_along,
    doubled,
    has_start,
    ivp_found,
    ivp_values,
    ode_adjoint,
    ode_curvature,
    ode_parts,
    ode_tangent,
    pair_with_zero,
    panels_dx_adjoint,
    panels_x_adjoint,
    panels_y_adjoint,
    quad_parts,
    quad_tangent,
    simpson_weights,
    slope_of,
    spread_panels,
    sum_of_parts,
    summed_panels,
    tangents_back,
    tangents_like,
    times_of,
    trapezoid_along,
    without_start,
)

FUNCTION = "what a function that is handed on reads may not vary: pass it through args"
TIMES = "the times are taken as constant: scale the equation instead"
TOLERANCE = "it is a tolerance"

nondifferentiable(simpson_weights, slope_of, doubled, kind=unknown)


# Points -----------------------------------------------------------------------------------------
@adjoint(integrate.trapezoid, kind=less_rank_or_number, constant={"axis": "it is an axis"})
def trapezoid(z, y, x=None, dx=1.0, axis=-1):
    panels = spread_panels(d[z], y, axis)
    d[y] = panels_y_adjoint(panels, y, x, dx, axis)
    d[x] = panels_x_adjoint(panels, y, x, axis)
    d[dx] = panels_dx_adjoint(panels, y, x, dx, axis)


@tangent(integrate.trapezoid, constant={"axis": "it is an axis"})
def trapezoid_tangent(z, y, x=None, dx=1.0, axis=-1):
    d[z] = integrate.trapezoid(d[y], x, dx, axis) + integrate.trapezoid(y, d[x], dx, axis) \
        + trapezoid_along(d[dx], y, x, axis)


@adjoint(integrate.cumulative_trapezoid, kind=running_integral,
         constant={"axis": "it is an axis"})
def cumulative_trapezoid(z, y, x=None, dx=1.0, axis=-1, initial=None):
    panels = summed_panels(d[z], axis, initial)
    d[y] = panels_y_adjoint(panels, y, x, dx, axis)
    d[x] = panels_x_adjoint(panels, y, x, axis)
    d[dx] = panels_dx_adjoint(panels, y, x, dx, axis)


@tangent(integrate.cumulative_trapezoid, constant={"axis": "it is an axis"})
def cumulative_trapezoid_tangent(z, y, x=None, dx=1.0, axis=-1, initial=None):
    d[z] = integrate.cumulative_trapezoid(d[y], x, dx, axis, initial) \
        + integrate.cumulative_trapezoid(y, d[x], dx, axis, initial) \
        + cumulative_trapezoid_along(d[dx], y, x, axis, initial)


NODES = {"axis": "it is an axis", "x": "the points are taken as constant: use trapezoid",
         "dx": "the points are taken as constant: scale the result"}


@adjoint(integrate.simpson, kind=less_rank_or_number, constant=NODES)
def simpson(z, y, x=None, *, dx=1.0, axis=-1):
    d[y] = np.expand_dims(d[z], axis) * simpson_weights(y, x, dx, axis)


@tangent(integrate.simpson, constant=NODES)
def simpson_tangent(z, y, x=None, *, dx=1.0, axis=-1):
    d[z] = integrate.simpson(d[y], x=x, dx=dx, axis=axis)


refuse(integrate.cumulative_simpson, integrate.romb, integrate.newton_cotes,
       why="its weights are not known here", instead="use cumulative_trapezoid, or simpson")


# Integrals of functions: a pair, the integral and an estimate of its error ----------------------
@adjoint(integrate.quad, kind=pair_of_floats, constant={"func": FUNCTION})
def quad(y, func, a, b, args=()):
    parts = quad_parts(d[y][0], func, a, b, args)
    d[a] = -d[y][0] * applied(func, a, args)
    d[b] = d[y][0] * applied(func, b, args)
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts_for(parts, args)


@tangent(integrate.quad, constant={"func": FUNCTION})
def quad_tangent_(y, func, a, b, args=()):
    d[y] = pair_with_zero(d[b] * applied(func, b, args) - d[a] * applied(func, a, args)
                          + quad_tangent(d[args], func, a, b, args))


refuse(integrate.dblquad, integrate.tplquad, integrate.nquad, integrate.quad_vec,
       integrate.fixed_quad, integrate.qmc_quad,
       why="the functions that it is given are not looked into",
       instead="use quad, or a rule for points")


# Differential equations -------------------------------------------------------------------------
TIMES_AND_TOLERANCES = {"func": FUNCTION, "t": TIMES, "rtol": TOLERANCE, "atol": TOLERANCE}


@adjoint(integrate.odeint, kind=matrix, constant=TIMES_AND_TOLERANCES)
def odeint(y, func, y0, t, args=(), *, tfirst=False, rtol=None, atol=None):
    parts = ode_parts(d[y], func, y0, t, args, tfirst, rtol, atol)
    d[y0] = parts[0]
    for k, p in enumerate(args):
        d[p] = rest(parts)[k]
    d[args] = parts_for(rest(parts), args)


@tangent(integrate.odeint, constant=TIMES_AND_TOLERANCES)
def odeint_tangent(y, func, y0, t, args=(), *, tfirst=False, rtol=None, atol=None):
    d[y] = ode_tangent(d[y0], d[args], func, y0, t, args, tfirst, rtol, atol)


@adjoint(ode_adjoint, ode_parts, kind=adjoints_of_ode, constant=("function", "t", "rtol", "atol"))
def ode_adjoint_(z, dy, function, y0, t, args, tfirst=False, rtol=None, atol=None):
    curvature = ode_curvature(dy, d[z], function, y0, t, args, tfirst, rtol, atol)
    d[dy] = ode_tangent(d[z][0], rest(d[z]), function, y0, t, args, tfirst, rtol, atol)
    d[y0] = curvature[0]
    for k, p in enumerate(args):
        d[p] = rest(curvature)[k]
    d[args] = parts_for(rest(curvature), args)


@tangent(ode_adjoint, ode_parts, constant=("function", "t", "rtol", "atol"))
def ode_adjoint_tangent(z, dy, function, y0, t, args, tfirst=False, rtol=None, atol=None):
    d[z] = sum_of_parts(ode_adjoint(d[dy], function, y0, t, args, tfirst, rtol, atol),
                        ode_curvature(dy, with_first(d[y0], d[args]), function, y0, t, args,
                                      tfirst, rtol, atol))


# What solve_ivp returns is an object; that of a differentiated function has the same attributes.
entry_for(integrate.solve_ivp).kind = unknown         # so that its source is not read


@written_as(integrate.solve_ivp)
def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, *, args=(), rtol=1e-3, atol=1e-6,
              max_step=math.inf, first_step=None):
    found = ivp_found(fun, t_span, stop_gradient(y0), method, t_eval, stop_gradient(args), rtol,
                      atol, max_step, first_step)
    return IvpResult(ivp_values(found, fun, t_span, y0, args, rtol, atol), detail(found, "t"),
                     detail(found, "success"), detail(found, "status"), detail(found, "message"),
                     detail(found, "nfev"), detail(found, "njev"), detail(found, "nlu"))


nondifferentiable(detail, times_of, has_start, kind=unknown)


IVP = {"fun": FUNCTION, "t_span": TIMES, "t_eval": TIMES, "rtol": TOLERANCE, "atol": TOLERANCE,
       "method": "it is a method", "max_step": "it is a step", "first_step": "it is a step",
       "y0": "", "args": ""}


@adjoint(ivp_found, kind=unknown, constant=IVP)
def ivp_found_(found, fun, t_span, y0, method, t_eval, args, rtol, atol, max_step, first_step):
    pass


@tangent(ivp_found, constant=IVP)
def ivp_found_tangent(found, fun, t_span, y0, method, t_eval, args, rtol, atol, max_step,
                      first_step):
    d[found] = 0.0


@adjoint(ivp_values, kind=matrix, constant=("found", "fun", "t_span", "rtol", "atol"))
def ivp_values_(y, found, fun, t_span, y0, args, rtol=1e-3, atol=1e-6):
    parts = ode_adjoint(behind_start(np.transpose(d[y]), found, t_span, y0), fun, y0,
                        times_of(found, t_span), args, True, rtol, atol)
    d[y0] = parts[0]
    for k, p in enumerate(args):
        d[p] = rest(parts)[k]
    d[args] = parts_for(rest(parts), args)


@tangent(ivp_values, constant=("found", "fun", "t_span", "rtol", "atol"))
def ivp_values_tangent(y, found, fun, t_span, y0, args, rtol=1e-3, atol=1e-6):
    d[y] = np.transpose(without_start(
        ode_tangent(d[y0], d[args], fun, y0, times_of(found, t_span), args, True, rtol, atol),
        found, t_span))


@adjoint(behind_start, kind=matrix, constant=("found", "t_span", "y0"))
def behind_start_(z, dy, found, t_span, y0):
    d[dy] = without_start(d[z], found, t_span)


@tangent(behind_start, constant=("found", "t_span", "y0"))
def behind_start_tangent(z, dy, found, t_span, y0):
    d[z] = behind_start(d[dy], found, t_span, y0)


@adjoint(without_start, kind=matrix, constant=("found", "t_span"))
def without_start_(z, y, found, t_span):
    d[y] = behind_start(d[z], found, t_span, y[0])


@tangent(without_start, constant=("found", "t_span"))
def without_start_tangent(z, y, found, t_span):
    d[z] = without_start(d[y], found, t_span)


@adjoint(tangents_like, kind=adjoints_of_second)
def tangents_like_(y, dargs, args):
    d[dargs] = tangents_back(d[y], dargs)
    d[args] = None


@tangent(tangents_like)
def tangents_like_tangent(y, dargs, args):
    d[y] = tangents_like(d[dargs], args)
    d[args] = None


@adjoint(tangents_back, kind=adjoints_of_second)
def tangents_back_(y, parts, dargs):
    d[parts] = tangents_like(d[y], parts)
    d[dargs] = None


@tangent(tangents_back)
def tangents_back_tangent(y, parts, dargs):
    d[y] = tangents_back(d[parts], dargs)
    d[dargs] = None


@adjoint(sum_of_parts, kind=adjoints_of_second)
def sum_of_parts_(z, a, b):
    d[a] = d[z]
    d[b] = d[z]


@tangent(sum_of_parts)
def sum_of_parts_tangent(z, a, b):
    d[z] = sum_of_parts(d[a], d[b])
