"""What emitted code may call for scipy.integrate.

Differential equations: the derivatives of a solution solve linear differential equations. The
tangent is integrated forward with the solution (the variational equation); the adjoint backward,
along the solution (Cao, Li, Petzold and Serban, Adjoint sensitivity analysis for differential-
algebraic equations, 2003; Chen, Rubanova, Bettencourt and Duvenaud, Neural ordinary differential
equations, 2018). The solution is not integrated backward, which would be unstable where it decays,
but kept as a piecewise polynomial.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate

from tangent_lite.errors import InputError
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.scipy_functions import (
    _function,
    adjoints_of,
    called,
    head,
    joined,
    kept,
    one_of,
    pushing_of,
    rest,
    varying,
    with_first,
)


# Points -----------------------------------------------------------------------------------------
def widths_along(y, x, dx, axis):
    """The distances of the points of a rule along an axis, so that they broadcast with y."""
    if x is None:
        return dx
    steps = np.diff(x, axis=axis) if np.ndim(x) > 1 else np.diff(x)
    return steps if np.ndim(x) > 1 else \
        np.reshape(steps, (-1,) + (1,) * (np.ndim(y) - 1 - axis % np.ndim(y)))


def pairs_along(y, axis):
    """All elements but the last along an axis, and all but the first."""
    return np.take(y, range(np.shape(y)[axis] - 1), axis), \
        np.take(y, range(1, np.shape(y)[axis]), axis)


def panels_y_adjoint(dpanels, y, x, dx, axis):
    """Adjoint of y in the panels (y[i] + y[i + 1]) / 2 (x[i + 1] - x[i]) along an axis."""
    shares = 0.5 * dpanels * widths_along(y, x, dx, axis)
    edge = np.zeros_like(np.take(y, [0], axis))
    return np.concatenate((shares, edge), axis) + np.concatenate((edge, shares), axis)


def panels_x_adjoint(dpanels, y, x, axis):
    """Adjoint of x in those panels; shape of x."""
    first, second = pairs_along(y, axis)
    dsteps = dpanels * 0.5 * (first + second)
    if np.ndim(x) < np.ndim(y):
        dsteps = np.ravel(np.sum(dsteps, axis=tuple(
            k for k in range(np.ndim(y)) if k != axis % np.ndim(y))))
    where = axis if np.ndim(x) > 1 else 0
    edge = np.zeros_like(np.take(dsteps, [0], where))
    return np.concatenate((edge, dsteps), where) - np.concatenate((dsteps, edge), where)


def panels_dx_adjoint(dpanels, y, x, dx, axis):
    """Adjoint of the distances dx in those panels, which are a number or broadcast with y; zeros
    where there are points x."""
    if x is not None:
        return np.zeros_like(dx)[()]
    first, second = pairs_along(y, axis)
    return unbroadcast(dpanels * 0.5 * (first + second), dx)


def spread_panels(dz, y, axis):
    """Adjoint of all panels in their sum along an axis, one less than there are elements of y."""
    return np.repeat(np.expand_dims(dz, axis), np.shape(y)[axis] - 1, axis)


def summed_panels(dz, axis, initial=None):
    """Adjoint of the panels in their running sum: sums from the end; initial adds one in front."""
    inner = dz if initial is None else np.take(dz, range(1, np.shape(dz)[axis]), axis)
    return np.flip(np.cumsum(np.flip(inner, axis), axis), axis)


def trapezoid_along(ddx, y, x, axis):
    """Tangent of the trapezoidal rule along ddx: it is linear in dx; 0 where there are points x."""
    return integrate.trapezoid(y, None, ddx, axis) if x is None else 0.0


def cumulative_trapezoid_along(ddx, y, x, axis, initial):
    """The same of the running sums."""
    return integrate.cumulative_trapezoid(y, None, ddx, axis, initial) if x is None else 0.0


def simpson_weights(y, x, dx, axis):
    """The weights of Simpson's rule along an axis, as scipy.integrate.simpson has them; they
    broadcast with y.

    Panels of two intervals h0, h1 have the weights (h0 + h1) / 6 times 2 - h1 / h0,
    (h0 + h1)^2 / (h0 h1) and 2 - h0 / h1. Of an even number of points the last interval has the
    correction of Cartwright (Simpson's rule cumulative integration with MS Excel and irregularly
    spaced data, 2017, equation 8).
    """
    n = np.shape(y)[axis]
    if x is None:
        steps = np.full((n - 1, 1), 1.0 * dx)
    elif np.ndim(x) > 1:
        steps = np.moveaxis(np.diff(x, axis=axis), axis, 0)
    else:
        steps = np.reshape(np.diff(x), (-1,) + (1,) * (np.ndim(y) - 1))
    if x is None:
        steps = np.reshape(steps, (-1,) + (1,) * (np.ndim(y) - 1))
    weights = np.zeros((n, *steps.shape[1:]))
    if n == 2:
        weights[:] = 0.5 * steps
    elif n > 2:
        last = n if n % 2 else n - 1
        h0, h1 = steps[0:last - 1:2], steps[1:last - 1:2]
        both = h0 + h1
        ratio = np.divide(h0, h1, out=np.zeros_like(h0), where=h1 != 0)
        inverse = np.divide(1.0, ratio, out=np.zeros_like(h0), where=ratio != 0)
        product = h0 * h1
        middle = np.divide(both, product, out=np.zeros_like(h0), where=product != 0)
        weights[0:last - 2:2] += both / 6.0 * (2.0 - inverse)
        weights[1:last - 1:2] += both / 6.0 * both * middle
        weights[2:last:2] += both / 6.0 * (2.0 - ratio)
        if last < n:
            h0, h1 = steps[-2], steps[-1]
            weights[-1] += (2.0 * h1 ** 2 + 3.0 * h0 * h1) / (6.0 * (h0 + h1))
            weights[-2] += (h1 ** 2 + 3.0 * h1 * h0) / (6.0 * h0)
            weights[-3] -= h1 ** 3 / (6.0 * h0 * (h0 + h1))
    return np.moveaxis(weights, 0, axis)


# Integrals of functions -------------------------------------------------------------------------
def slope_of(function, number, args):
    """The function (x, *args) -> its derivative with respect to argument number."""
    from tangent_lite.api import grad
    function = one_of(function)
    names = ", ".join(["x", *(f"a{k}" for k in range(len(args)))])
    made = _function(("called", function, len(args)),
                     f"def made({names}):\n    return function({names})\n",
                     {"function": function})
    return kept(("slope", function, number, len(args)), lambda: grad(made, wrt=number))


def applied(function, x, args):
    """function(x, *args), a function that is known only at run time."""
    return called(function, with_first(x, args))


def pair_with_zero(dy):
    """The tangent of a result with an estimate of its error, which does not count."""
    return dy, 0.0


def quad_parts(dy, function, a, b, args):
    """Adjoints of args in quad(function, a, b, args): integrals of the derivatives (Leibniz)."""
    return [dy * integral_of_slope(function, k, a, b, args) for k in range(len(args))]


def quad_tangent(dargs, function, a, b, args):
    """What the tangents of args add to that of the integral."""
    total = 0.0
    for k in range(len(args)):
        total = total + dargs[k] * integral_of_slope(function, k, a, b, args)
    return total


def integral_of_slope(function, k, a, b, args):
    """The integral of the derivative of function(x, *args) with respect to args[k], a number."""
    if k not in varying(args):
        return 0.0
    if np.ndim(args[k]) > 0:
        raise InputError("the parameters of quad have to be numbers to vary", None,
                         "pass the elements of an array as numbers")
    real_parameters(args, "quad")
    return integrate.quad(slope_of(function, k + 1, args), a, b, args)[0]


def real_parameters(args, caller):
    """Raise InputError where what may vary among args is complex: integrals are of real numbers."""
    if any(np.iscomplexobj(args[k]) for k in varying(args)):
        raise InputError(f"a parameter of {caller} is complex", None,
                         "pass its real and its imaginary part")


# Differential equations -------------------------------------------------------------------------
def doubled(function, args, tfirst):
    """The right-hand side of the equation of solution and tangent, one behind the other; its
    arguments are those of the equation and then their tangents."""
    function = one_of(function)
    moving, count = varying(args), len(args)
    names = [f"a{k}" for k in range(count)]
    along = [f"u{k}" for k in moving]
    first = "t, z" if tfirst else "z, t"
    given = ["t", "z[:n]", *names, "z[n:]"] if tfirst else ["z[:n]", "t", *names, "z[n:]"]
    text = (f"def made({', '.join([first, *names, *(f'u{k}' for k in range(count))])}):\n"
            f"    n = len(z) // 2\n"
            f"    y, dy = pushing({', '.join([*given, *along])})\n"
            f"    return np.concatenate((np.ravel(np.asarray(y)), np.ravel(np.asarray(dy))))\n")
    positions = (1 if tfirst else 0, *(k + 2 for k in moving))
    return _function(("doubled", function, count, moving, tfirst), text,
                     {"pushing": pushing_of(function, positions)})


def flat_state(y0):
    """An initial value as a vector."""
    return np.ravel(np.asarray(y0, dtype=float))


def ode_adjoint(dy, function, y0, t, args, tfirst=False, rtol=None, atol=None):
    """Adjoints of y0 (shape of y0) and of args: a tuple, for y of shape (times, n) at times t.

    lambda' = -f_y^T lambda backward in time, dy[i] added at t[i]; those of args are the integral of
    f_p^T lambda. rtol and atol are the tolerances (default 1.49e-8), relative to the largest dy.
    """
    real_parameters((y0, *args), "a differential equation")
    rtol = 1.49012e-8 if rtol is None else max(rtol, 2.3e-14)
    atol = 1.49012e-8 if atol is None else atol
    t, start = np.asarray(t, dtype=float), flat_state(y0)
    dy = np.reshape(np.asarray(dy, dtype=float), (len(t), -1))
    size = float(np.max(np.abs(dy))) if dy.size else 0.0
    moving = varying(args)
    shapes = [np.shape(args[k]) for k in moving]
    lengths = [int(np.prod(shape)) for shape in shapes]
    n, total = len(start), sum(lengths)

    def right(s, y):
        given = (s, y, *args) if tfirst else (y, s, *args)
        return np.ravel(np.asarray(function(*given), dtype=float))

    state = np.concatenate((dy[-1] / size if size else dy[-1], np.zeros(total)))
    if size and len(t) > 1:
        found = integrate.solve_ivp(right, (t[0], t[-1]), start, method="LSODA",
                                    dense_output=True, rtol=rtol, atol=atol)
        if not found.success:
            raise InputError(f"the equation could not be solved again: {found.message}", None,
                             "set tolerances that it allows")

        # What all calls of the right-hand side have in common is looked up once.
        given = (t[0], start, *args) if tfirst else (start, t[0], *args)
        is_number = np.ndim(function(*given)) == 0
        derivative = adjoints_of(function, given, start[0] if is_number else start,
                                 (1 if tfirst else 0, *(2 + k for k in moving)))

        def backward(s, state):
            y, costate = found.sol(s), state[:n]
            given = (s, y, *args) if tfirst else (y, s, *args)
            parts = derivative(*given, costate[0] if is_number else costate)
            return -np.concatenate([np.ravel(part) for part in parts])

        last = len(t) - 1                   # so far it is integrated: where nothing is added, on
        for i in range(len(t) - 2, -1, -1):
            if i and not np.any(dy[i]):
                continue
            if t[i] != t[last]:
                step = integrate.solve_ivp(backward, (t[last], t[i]), state, method="LSODA",
                                           rtol=rtol, atol=np.max(atol) * 1e-2)
                if not step.success:
                    raise InputError(f"the adjoint equation could not be solved: {step.message}",
                                     None, "set tolerances that it allows")
                state = step.y[:, -1]
            state[:n] += dy[i] / size
            last = i
    state = state * (size or 1.0)
    by0 = np.reshape(state[:n], np.shape(y0)) if np.ndim(y0) else float(state[0])
    parts, place = [], n
    for shape, length in zip(shapes, lengths):
        part = np.reshape(state[place:place + length], shape)
        parts.append(part if shape else float(part))
        place += length
    every = iter(parts)
    return (by0, *(next(every) if k in moving else 0.0 for k in range(len(args))))


def ode_parts(dy, function, y0, t, args, tfirst=False, rtol=None, atol=None):
    """ode_adjoint, of a call whose args may be written out."""
    return ode_adjoint(dy, function, y0, t, args, tfirst, rtol, atol)


def sum_of_parts(a, b):
    """The sums of the parts of two tuples."""
    return tuple([p + q for p, q in zip(a, b)])


# What solve_ivp finds ---------------------------------------------------------------------------
@dataclass
class IvpResult:
    """What solve_ivp returns in a differentiated function: the same attributes, of which y varies.
    """
    y: Any
    t: Any
    success: Any
    status: Any
    message: Any
    nfev: Any
    njev: Any
    nlu: Any


def has_start(found, t_span):
    """Whether the solution that was found has the start among its times: t_eval may leave it out.
    """
    return len(found.t) > 0 and found.t[0] == t_span[0]


def times_of(found, t_span):
    """The times of the solution that was found, with the start of it in front."""
    return found.t if has_start(found, t_span) else np.concatenate(([t_span[0]], found.t))


def behind_start(dy, found, t_span, y0):
    """Adjoints at the times of the solution, as adjoints at those of `times_of`."""
    if has_start(found, t_span):
        return dy
    before = np.zeros((1, np.size(y0)))
    return before if len(found.t) == 0 else np.concatenate((before, dy))


def without_start(y, found, t_span):
    """Values at the times of `times_of`, as those at the times of the solution."""
    return y if has_start(found, t_span) else y[1:]


def ivp_found(fun, t_span, y0, method, t_eval, args, rtol, atol, max_step, first_step):
    """What solve_ivp returns."""
    return integrate.solve_ivp(fun, t_span, y0, method, t_eval, args=args, rtol=rtol, atol=atol,
                               max_step=max_step, first_step=first_step)


def ivp_values(found, fun, t_span, y0, args, rtol, atol):
    """The solution in what solve_ivp found, of shape (n, times)."""
    return found.y


def ode_tangent(dy0, dargs, function, y0, t, args, tfirst=False, rtol=None, atol=None):
    """Tangent of the solution at times t, shape (times, n), along dy0 and dargs."""
    real_parameters((y0, *args), "a differential equation")
    start = np.concatenate((np.ravel(y0), np.ravel(dy0 + 0.0 * np.asarray(y0))))
    both = integrate.odeint(doubled(function, args, tfirst), start, t,
                            args=joined(args, tangents_like(dargs, args)), tfirst=tfirst,
                            rtol=rtol, atol=atol)
    return both[:, np.size(y0):]


def tangents_like(dargs, args):
    """Tangents of the shapes of args, which an equation for both needs."""
    return tuple(np.broadcast_to(np.asarray(da, dtype=float), np.shape(a)) + 0.0
                 if isinstance(a, np.ndarray) else da for da, a in zip(dargs, args))


def tangents_back(parts, dargs):
    """Adjoints of dargs in tangents_like(dargs, args)."""
    return tuple(unbroadcast(part, da) for part, da in zip(parts, dargs))


def ode_curvature(dy, along, function, y0, t, args, tfirst=False, rtol=None, atol=None):
    """How ode_adjoint(dy, ...) moves along (a tuple for y0 and args), and the adjoint of the same,
    since second derivatives are symmetric: the adjoint of the equation of solution and tangent."""
    moved = np.concatenate((np.zeros_like(dy), dy), axis=1)
    start = np.concatenate((np.ravel(y0), np.ravel(along[0] + 0.0 * np.asarray(y0))))
    every = joined(args, tangents_like(rest(along), args))
    parts = ode_adjoint(moved, doubled(function, args, tfirst), start, t, every, tfirst, rtol,
                        atol)
    return with_first(np.reshape(parts[0][:np.size(y0)], np.shape(y0)), head(rest(parts), args))
