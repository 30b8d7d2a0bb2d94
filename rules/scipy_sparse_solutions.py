"""scipy.sparse.linalg: solutions, by spsolve, by factors, and step by step.

The adjoint of the right side is a solution for the transposed matrix, and that of the matrix the
product of the two solutions (Giles 2008).
"""
from scipy.sparse import linalg

from tangent_lite.registry import adjoint, entry_for, tangent, written_as
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_matrices import (
    factors_kind,
    iterated_kind,
    like_right_side_kind,
    shaped_as_last,
    solution_kind,
)
from tangent_lite.runtime.scipy_sparse import product_left, product_or_zero, product_right, turned
from tangent_lite.runtime.scipy_sparse_solutions import (
    Solver,
    factors_of,
    iterated_back,
    iterated_forth,
    right_side,
    solved,
    solved_turned,
    sparse_solution,
    sparse_solution_adjoint,
)
from tangent_lite.runtime.shapes import reshape_like
from tangent_lite.runtime.sparse import like_right_side

PLACES = "it says how the solution is found"
TOLERANCE = "it is a tolerance"
ITERATED = {"rtol": TOLERANCE, "atol": TOLERANCE,
            "M": "it changes how the solution is found, not which it is"}
OF_MINRES = {"rtol": TOLERANCE, "M": ITERATED["M"], "shift": "it is taken as constant"}


@adjoint(linalg.spsolve, kind=solution_kind)
def spsolve(x, A, b, permc_spec=None, use_umfpack=True):
    t = sparse_solution_adjoint(A, d[x])
    d[A] = product_left(-t, A, x)
    d[b] = like_right_side(t, b)


@tangent(linalg.spsolve)
def spsolve_tangent(x, A, b, permc_spec=None, use_umfpack=True):
    d[x] = sparse_solution(A, right_side(d[b], d[A], x))


@adjoint(linalg.splu, kind=factors_kind, constant={
    "permc_spec": PLACES, "diag_pivot_thresh": PLACES, "relax": PLACES, "panel_size": PLACES})
def splu(z, A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None,
         options={}):  # noqa: B006
    d[A] = d[z]
    d[options] = None


@tangent(linalg.splu, constant={
    "permc_spec": PLACES, "diag_pivot_thresh": PLACES, "relax": PLACES, "panel_size": PLACES})
def splu_tangent(z, A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None,
                 options={}):  # noqa: B006
    d[z] = d[A]
    d[options] = None


@adjoint(factors_of, kind=factors_kind)
def factors_of_(z, matrix):
    d[matrix] = d[z]


@tangent(factors_of)
def factors_of_tangent(z, matrix):
    d[z] = d[matrix]


entry_for(linalg.factorized).kind = unknown         # so that its source is not read


@written_as(linalg.factorized)
def factorized(A):
    return Solver(factors_of(A))


@written_as(linalg.SuperLU.solve)
def solve(lu, rhs):
    return solved(lu, rhs)


@written_as(linalg.SuperLU.solve)
def solve_as_it_is(lu, rhs, trans: "N"):
    return solved(lu, rhs)


@written_as(linalg.SuperLU.solve)
def solve_turned(lu, rhs, trans: "T"):
    return solved_turned(lu, rhs)


entry_for(linalg.SuperLU.solve).kind = like_right_side_kind


@adjoint(linalg.cg, kind=iterated_kind, constant=ITERATED)
def cg(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
       callback=None):
    t = iterated_back(A, d[z][0], ("cg", rtol, atol, maxiter, M))
    d[A] = product_left(-t, A, z[0])
    d[b] = like_right_side(t, b)
    d[x0] = None


@tangent(linalg.cg, constant=ITERATED)
def cg_tangent(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
               callback=None):
    step = right_side(d[b], d[A], z[0])
    d[z] = (iterated_forth(A, step, ("cg", rtol, atol, maxiter, M)), 0)
    d[x0] = None


@adjoint(linalg.bicg, kind=iterated_kind, constant=ITERATED)
def bicg(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
         callback=None):
    t = iterated_back(A, d[z][0], ("bicg", rtol, atol, maxiter, M))
    d[A] = product_left(-t, A, z[0])
    d[b] = like_right_side(t, b)
    d[x0] = None


@tangent(linalg.bicg, constant=ITERATED)
def bicg_tangent(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
                 callback=None):
    step = right_side(d[b], d[A], z[0])
    d[z] = (iterated_forth(A, step, ("bicg", rtol, atol, maxiter, M)), 0)
    d[x0] = None


@adjoint(linalg.bicgstab, kind=iterated_kind, constant=ITERATED)
def bicgstab(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
             callback=None):
    t = iterated_back(A, d[z][0], ("bicgstab", rtol, atol, maxiter, M))
    d[A] = product_left(-t, A, z[0])
    d[b] = like_right_side(t, b)
    d[x0] = None


@tangent(linalg.bicgstab, constant=ITERATED)
def bicgstab_tangent(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
                     callback=None):
    step = right_side(d[b], d[A], z[0])
    d[z] = (iterated_forth(A, step, ("bicgstab", rtol, atol, maxiter, M)), 0)
    d[x0] = None


@adjoint(linalg.cgs, kind=iterated_kind, constant=ITERATED)
def cgs(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
        callback=None):
    t = iterated_back(A, d[z][0], ("cgs", rtol, atol, maxiter, M))
    d[A] = product_left(-t, A, z[0])
    d[b] = like_right_side(t, b)
    d[x0] = None


@tangent(linalg.cgs, constant=ITERATED)
def cgs_tangent(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None,
                callback=None):
    step = right_side(d[b], d[A], z[0])
    d[z] = (iterated_forth(A, step, ("cgs", rtol, atol, maxiter, M)), 0)
    d[x0] = None


@adjoint(linalg.gmres, kind=iterated_kind, constant=ITERATED)
def gmres(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None, M=None,
          callback=None, callback_type=None):
    t = iterated_back(A, d[z][0], ("gmres", rtol, atol, maxiter, M, restart))
    d[A] = product_left(-t, A, z[0])
    d[b] = like_right_side(t, b)
    d[x0] = None


@tangent(linalg.gmres, constant=ITERATED)
def gmres_tangent(z, A, b, x0=None, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None, M=None,
                  callback=None, callback_type=None):
    step = right_side(d[b], d[A], z[0])
    d[z] = (iterated_forth(A, step, ("gmres", rtol, atol, maxiter, M, restart)), 0)
    d[x0] = None


@adjoint(linalg.minres, kind=iterated_kind, constant=OF_MINRES)
def minres(z, A, b, x0=None, *, rtol=1e-05, shift=0.0, maxiter=None, M=None, callback=None,
           show=False, check=False):
    t = iterated_back(A, d[z][0], ("minres", rtol, None, maxiter, M, shift))
    d[A] = product_left(-t, A, z[0])
    d[b] = like_right_side(t, b)
    d[x0] = None


@tangent(linalg.minres, constant=OF_MINRES)
def minres_tangent(z, A, b, x0=None, *, rtol=1e-05, shift=0.0, maxiter=None, M=None, callback=None,
                   show=False, check=False):
    step = right_side(d[b], d[A], z[0])
    d[z] = (iterated_forth(A, step, ("minres", rtol, None, maxiter, M, shift)), 0)
    d[x0] = None


# What the rules above call -----------------------------------------------------------------------
@adjoint(sparse_solution, kind=like_right_side_kind)
def sparse_solution_(x, matrix, b):
    t = sparse_solution_adjoint(matrix, d[x])
    d[matrix] = product_left(-t, matrix, x)
    d[b] = t


@tangent(sparse_solution)
def sparse_solution_tangent(x, matrix, b):
    d[x] = sparse_solution(matrix, right_side(d[b], d[matrix], x))


@adjoint(sparse_solution_adjoint, kind=shaped_as_last)
def sparse_solution_adjoint_(y, matrix, dx):
    s = sparse_solution(matrix, d[y])
    d[matrix] = product_left(-y, matrix, s)
    d[dx] = s


@tangent(sparse_solution_adjoint)
def sparse_solution_adjoint_tangent(y, matrix, dx):
    d[y] = sparse_solution_adjoint(matrix, right_side(d[dx], turned(d[matrix]), y))


@adjoint(right_side, kind=shaped_as_last)
def right_side_(y, db, da, x):
    d[db] = reshape_like(d[y], db)
    d[da] = product_left(-d[y], da, x)
    d[x] = product_right(-d[y], da, x)


@tangent(right_side)
def right_side_tangent(y, db, da, x):
    d[y] = reshape_like(d[db], x) - product_or_zero(d[da], x, x) - product_or_zero(da, d[x], x)


@adjoint(like_right_side, kind=shaped_as_last, view="maybe")
def like_right_side_(y, t, b):
    d[t] = reshape_like(d[y], t)
    d[b] = None


@tangent(like_right_side)
def like_right_side_tangent(y, t, b):
    d[y] = like_right_side(d[t], b)
    d[b] = None


@adjoint(solved, kind=like_right_side_kind)
def solved_(x, factors, b):
    t = solved_turned(factors, d[x])
    d[factors] = product_left(-t, factors, x)
    d[b] = t


@tangent(solved)
def solved_tangent(x, factors, b):
    d[x] = solved(factors, right_side(d[b], d[factors], x))


@adjoint(solved_turned, kind=like_right_side_kind)
def solved_turned_(x, factors, b):
    t = solved(factors, d[x])
    d[factors] = product_left(-x, factors, t)
    d[b] = t


@tangent(solved_turned)
def solved_turned_tangent(x, factors, b):
    d[x] = solved_turned(factors, right_side(d[b], turned(d[factors]), x))


@adjoint(iterated_forth, kind=like_right_side_kind)
def iterated_forth_(x, matrix, b, how):
    t = iterated_back(matrix, d[x], how)
    d[matrix] = product_left(-t, matrix, x)
    d[b] = t
    d[how] = None


@tangent(iterated_forth)
def iterated_forth_tangent(x, matrix, b, how):
    d[x] = iterated_forth(matrix, right_side(d[b], d[matrix], x), how)
    d[how] = None


@adjoint(iterated_back, kind=like_right_side_kind)
def iterated_back_(y, matrix, dx, how):
    s = iterated_forth(matrix, d[y], how)
    d[matrix] = product_left(-y, matrix, s)
    d[dx] = s
    d[how] = None


@tangent(iterated_back)
def iterated_back_tangent(y, matrix, dx, how):
    d[y] = iterated_back(matrix, right_side(d[dx], turned(d[matrix]), y), how)
    d[how] = None
