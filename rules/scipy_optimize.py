"""scipy.optimize: roots and fixed points, by the implicit function theorem.

The derivative with respect to what is in `args`; where the search began has no influence on what it
finds, nor have tolerances. Minimizers are refused.
"""
from scipy import optimize

from tangent_lite.registry import adjoint, refuse, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime_scipy_functions import (
    fixed_parts,
    fixed_tangent,
    root_parts,
    root_tangent,
    system_parts,
    system_tangent,
)
from tangent_lite.scipy_kinds import float_if_alone

FUNCTION = "what a function that is handed on reads may not vary: pass it through args"
FIXED = {"f": FUNCTION, "xtol": "it is a tolerance", "rtol": "it is a tolerance",
         "maxiter": "it counts steps"}


@adjoint(optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, kind=float_if_alone,
         constant=FIXED)
def bracketed(x, f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, *,
              disp=True):
    parts = root_parts(d[x], x, f, args)
    d[a] = None
    d[b] = None
    for k, p in enumerate(args):
        d[p] = parts[k]
    d[args] = parts


@tangent(optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, constant=FIXED)
def bracketed_tangent(x, f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, *,
                      disp=True):
    d[a] = None
    d[b] = None
    d[x] = root_tangent(d[args], x, f, args)
