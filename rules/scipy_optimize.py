"""scipy.optimize: roots and fixed points, by the implicit function theorem.

The derivative with respect to what is in `args`; where the search began has no influence on what it
finds, nor have tolerances. Minimizers are refused.
"""
from dataclasses import dataclass
from typing import Any

from scipy import optimize

from tangent_lite.registry import (
    adjoint,
    entry_for,
    nondifferentiable,
    refuse,
    tangent,
    written_as,
)
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_scipy import float_if_alone, like_start, vector
from tangent_lite.runtime.scipy_functions import (
    detail,
    fixed_parts,
    fixed_tangent,
    parts_for,
    root_found,
    root_of,
    root_parts,
    root_tangent,
    system_parts,
    system_tangent,
)

FUNCTION = "what a function that is handed on reads may not vary: pass it through args"
TOLERANCE = "it is a tolerance"
FIXED = {"f": FUNCTION, "xtol": TOLERANCE, "rtol": TOLERANCE, "maxiter": "it counts steps"}


@adjoint(optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, kind=float_if_alone,
         constant=FIXED)
def bracketed(x, f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, *,
              disp=True):
    parts = root_parts(d[x], x, f, args)
    d[a] = None
    d[b] = None
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts_for(parts, args)


@tangent(optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, constant=FIXED)
def bracketed_tangent(x, f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, *,
                      disp=True):
    d[a] = None
    d[b] = None
    d[x] = root_tangent(d[args], x, f, args)


@adjoint(optimize.toms748, kind=float_if_alone, constant={**FIXED, "k": "it counts steps"})
def toms748(x, f, a, b, args=(), k=1, xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, *,
            disp=True):
    parts = root_parts(d[x], x, f, args)
    d[a] = None
    d[b] = None
    for j, p in enumerate(args):
        d[p] = parts[j]
    d[args] = parts_for(parts, args)


@tangent(optimize.toms748, constant={**FIXED, "k": "it counts steps"})
def toms748_tangent(x, f, a, b, args=(), k=1, xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100,
                    *, disp=True):
    d[a] = None
    d[b] = None
    d[x] = root_tangent(d[args], x, f, args)


# Of an array x0, newton looks for as many roots, one for each element.
NEWTON = {"func": FUNCTION, "tol": TOLERANCE, "rtol": TOLERANCE, "maxiter": "it counts steps"}


@adjoint(optimize.newton, kind=like_start, constant=NEWTON)
def newton(x, func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None,
           rtol=0.0, *, disp=True):
    parts = root_parts(d[x], x, func, args)
    d[x0] = None
    d[x1] = None
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts_for(parts, args)


@tangent(optimize.newton, constant=NEWTON)
def newton_tangent(x, func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None,
                   x1=None, rtol=0.0, *, disp=True):
    d[x0] = None
    d[x1] = None
    d[x] = root_tangent(d[args], x, func, args)


@adjoint(optimize.fsolve, kind=vector, constant={"func": FUNCTION, "xtol": TOLERANCE})
def fsolve(x, func, x0, args=(), fprime=None, *, xtol=1.49012e-8):
    parts = system_parts(d[x], x, func, args)
    d[x0] = None
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts_for(parts, args)


@tangent(optimize.fsolve, constant={"func": FUNCTION, "xtol": TOLERANCE})
def fsolve_tangent(x, func, x0, args=(), fprime=None, *, xtol=1.49012e-8):
    d[x0] = None
    d[x] = system_tangent(d[args], x, func, args)


FIXED_POINT = {"func": FUNCTION, "xtol": TOLERANCE, "maxiter": "it counts steps"}


@adjoint(optimize.fixed_point, kind=unknown, constant=FIXED_POINT)
def fixed_point(x, func, x0, args=(), xtol=1e-8, maxiter=500, method="del2"):
    parts = fixed_parts(d[x], x, func, args)
    d[x0] = None
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts_for(parts, args)


@tangent(optimize.fixed_point, constant=FIXED_POINT)
def fixed_point_tangent(x, func, x0, args=(), xtol=1e-8, maxiter=500, method="del2"):
    d[x0] = None
    d[x] = fixed_tangent(d[args], x, func, args)


# What root returns is an object; that of a differentiated function has the same attributes.
@dataclass
class RootResult:
    """What root returns in a differentiated function, of which x varies."""
    x: Any
    fun: Any
    success: Any
    status: Any
    message: Any


entry_for(optimize.root).kind = unknown         # so that its source is not read


@written_as(optimize.root)
def root(fun, x0, args=(), method="hybr", *, tol=None, options=None):
    found = root_found(fun, x0, args, method, tol, options)
    return RootResult(root_of(found, fun, args), detail(found, "fun"), detail(found, "success"),
                      detail(found, "status"), detail(found, "message"))


nondifferentiable(root_found, detail, kind=unknown)


@adjoint(root_of, kind=vector, constant=("found", "fun"))
def root_of_(x, found, fun, args):
    parts = system_parts(d[x], x, fun, args)
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts_for(parts, args)


@tangent(root_of, constant=("found", "fun"))
def root_of_tangent(x, found, fun, args):
    d[x] = system_tangent(d[args], x, fun, args)


refuse(optimize.minimize, optimize.minimize_scalar, optimize.least_squares, optimize.curve_fit,
       optimize.fmin, optimize.fmin_bfgs, optimize.fmin_cg, optimize.fmin_l_bfgs_b,
       optimize.linprog,
       optimize.differential_evolution, optimize.root_scalar, optimize.basinhopping,
       why="what is found depends on which constraints are met, and on where the search stops",
       instead="look for a root of the gradient: root(tangent_lite.grad(fun), x0, args).x; for one "
           "variable brentq or newton")
