"""Programs for functions with rules that `check` cannot be given: they take functions or sparse
matrices, or return what is no array.

`@program(functions, *args)` enters one, with the functions that it stands for.
"""
import math
import statistics

import numpy as np
import pytest

integrate = pytest.importorskip("scipy.integrate")
optimize = pytest.importorskip("scipy.optimize")
sparse = pytest.importorskip("scipy.sparse")
special = pytest.importorskip("scipy.special")
solvers = pytest.importorskip("scipy.sparse.linalg")

PROGRAMS = []                   # (the functions, the program, its arguments)
X = np.array([0.3, -1.2, 0.7])
Y = np.array([[0.5, -0.4, 0.9], [1.1, 0.2, -0.6]])
SQUARE = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [0.5, 0.0, 4.0]])
ARRAY, COO, MATRIX = (form(SQUARE) for form in (sparse.csr_array, sparse.coo_array,
                                                sparse.csr_matrix))


def program(functions, *args):
    def register(function):
        PROGRAMS.append((functions, function, args))
        return function
    return register


@program([np.broadcast_arrays], X, Y)
def broadcast(x, y):
    a, b = np.broadcast_arrays(x, y)
    return np.sum(a ** 2 * b ** 3)


@program([np.require], X)
def required(x):
    return np.sum(np.require(x, float, ["C"]) ** 3)


@program([math.nextafter], 0.3)
def next_number(x):
    return math.nextafter(x, 2.0) ** 3


@program([special.factorial], 2.3)
def factorial(x):
    return special.factorial(x) ** 2


@program([special.assoc_laguerre], X)
def laguerre(x):
    return np.sum(special.assoc_laguerre(x, 3, 0.5) ** 2)


VALUE_OF_1_2 = special.obl_cv(1, 2, 1.3)


@program([special.obl_ang1_cv], np.array([0.2, 0.6]))
def oblate_angle(x):
    value, slope = special.obl_ang1_cv(1, 2, 1.3, VALUE_OF_1_2, x)
    return np.sum(value ** 2) + np.sum(slope * value)


@program([special.obl_rad1_cv], np.array([0.4, 0.8]))
def oblate_radius(x):
    value, slope = special.obl_rad1_cv(1, 2, 1.3, VALUE_OF_1_2, x)
    return np.sum(value ** 2) + np.sum(slope * value)


@program([statistics.mean], 0.3, 1.4)
def mean_of_numbers(a, b):
    return statistics.mean([a, b, a * b]) ** 3


@program([statistics.fmean], 0.3, 1.4)
def mean_of_floats(a, b):
    return statistics.fmean([a, b, a * b]) ** 3


@program([statistics.geometric_mean], 0.3, 1.4)
def geometric_mean(a, b):
    return statistics.geometric_mean([a, b, a + b]) ** 3


@program([statistics.harmonic_mean], 0.3, 1.4)
def harmonic_mean(a, b):
    return statistics.harmonic_mean([a, b, a + b]) ** 3


@program([statistics.variance], 0.3, 1.4)
def variance(a, b):
    return statistics.variance([a, b, a * b]) ** 2


@program([statistics.pvariance], 0.3, 1.4)
def variance_of_all(a, b):
    return statistics.pvariance([a, b, a * b]) ** 2


@program([statistics.stdev], 0.3, 1.4)
def deviation(a, b):
    return statistics.stdev([a, b, a * b]) ** 3


@program([statistics.pstdev], 0.3, 1.4)
def deviation_of_all(a, b):
    return statistics.pstdev([a, b, a * b]) ** 3


# Roots --------------------------------------------------------------------------------------------
def residual(x, p, q):
    return x * x * q - p


@program([optimize.brentq], 2.0, 1.3)
def by_brentq(p, q):
    return optimize.brentq(residual, 0.0, 10.0, args=(p, q), xtol=1e-14) ** 2


@program([optimize.brenth], 2.0, 1.3)
def by_brenth(p, q):
    return optimize.brenth(residual, 0.0, 10.0, args=(p, q), xtol=1e-14) ** 2


@program([optimize.bisect], 2.0, 1.3)
def by_bisect(p, q):
    return optimize.bisect(residual, 0.0, 10.0, args=(p, q), xtol=1e-14) ** 2


@program([optimize.ridder], 2.0, 1.3)
def by_ridder(p, q):
    return optimize.ridder(residual, 0.0, 10.0, args=(p, q), xtol=1e-14) ** 2


@program([optimize.toms748], 2.0, 1.3)
def by_toms748(p, q):
    return optimize.toms748(residual, 0.0, 10.0, args=(p, q), xtol=1e-14) ** 2


@program([optimize.newton], 2.0, 1.3)
def by_newton(p, q):
    return optimize.newton(residual, 1.0, args=(p, q), tol=1e-14) ** 2


def system(x, p, q):
    return [x[0] ** 2 + x[1] * p - 2.0, np.sin(x[0]) + q * x[1] - 0.3]


@program([optimize.fsolve], 0.7, 1.3)
def by_fsolve(p, q):
    return np.sum(optimize.fsolve(system, np.array([1.0, 0.5]), args=(p, q), xtol=1e-13) ** 2)


def contraction(x, p, q):
    return np.cos(p * x) * q


@program([optimize.fixed_point], 0.4, 0.9)
def by_fixed_point(p, q):
    return optimize.fixed_point(contraction, 0.5, args=(p, q), xtol=1e-14) ** 2


# Integrals ----------------------------------------------------------------------------------------
def integrand(t, p):
    return np.exp(-p * t) * np.sin(t)


@program([integrate.quad], 0.2, 1.7, 0.6)
def by_quad(a, b, p):
    return integrate.quad(integrand, a, b, args=(p,))[0] ** 2


def pendulum(y, t, k):
    return [y[1], -k * np.sin(y[0])]


@program([integrate.odeint], np.array([0.4, -0.1]), 1.3)
def by_odeint(start, k):
    times = np.array([0.0, 0.4, 1.0])
    return np.sum(integrate.odeint(pendulum, start, times, args=(k,), rtol=1e-12, atol=1e-12) ** 2)


# Sparse matrices: more in tests/rules/test_sparse_that_varies.py --------------------------------
def _of_both(name):
    return list(dict.fromkeys(getattr(cls, name) for cls in (
        sparse.csr_array, sparse.csr_matrix, sparse.coo_array)))


@program([*_of_both("dot"), *_of_both("multiply"), *_of_both("tocsr"), *_of_both("toarray")], X)
def sparse_methods(x):
    A = sparse.diags_array(x).tocsr()
    return np.sum(ARRAY.dot(x) ** 3) + np.sum(A.multiply(ARRAY).toarray() ** 2)


@program([*_of_both("tocsc"), *_of_both("tocoo"), *_of_both("todia"), *_of_both("tobsr"),
          *_of_both("asformat"), *_of_both("copy"), *_of_both("astype")], X)
def sparse_formats(x):
    A = sparse.diags(x).tocsr()
    B = A.tocsc() + A.tocoo() + A.todia() + A.tobsr() + A.asformat("csc") + A.copy()
    return np.sum((B.tocsr().astype(float) @ x) ** 2)


@program([*_of_both("diagonal"), *_of_both("sum")], X)
def sparse_parts(x):
    A = sparse.diags_array(x).tocsr() + ARRAY
    return np.sum(A.diagonal() ** 2) + A.sum() ** 2 + np.sum(A.sum(axis=0) ** 2)


@program([getattr(sparse, f"{kind}_{form}") for kind in ("csr", "csc", "coo", "bsr", "dia")
          for form in ("array", "matrix")], X)
def sparse_classes(x):
    A = sparse.csr_array(sparse.csc_array(np.outer(x, x)))
    return np.sum((A @ x) ** 2)


@program([sparse.hstack, sparse.vstack, sparse.block_diag, sparse.kron], X)
def sparse_blocks(x):
    A = sparse.diags(x).tocsr()
    B = sparse.vstack([sparse.hstack([A, MATRIX]), sparse.block_diag([A, A])]).tocsr()
    return np.sum((B @ np.arange(6.0)) ** 2) + np.sum((sparse.kron(A, MATRIX) @ np.ones(9)) ** 2)


@program([solvers.spsolve, solvers.splu], X)
def sparse_solution(x):
    A = (MATRIX + sparse.diags(x)).tocsc()
    return np.sum(solvers.spsolve(A, x) ** 3) + np.sum(solvers.splu(A).solve(x) ** 2)


@program([solvers.cg, solvers.bicg, solvers.bicgstab, solvers.cgs, solvers.gmres,
          solvers.minres], X)
def iterated_solution(x):
    A = (sparse.diags(x * x) + MATRIX + MATRIX.T).tocsr()
    found = x
    for solver in (solvers.cg, solvers.gmres):
        found, info = solver(A, found, rtol=1e-13)
    found, info = solvers.bicgstab(A, found, rtol=1e-13)
    return np.sum(found ** 2)
