"""scipy.linalg: solutions, factors, eigenvalues, matrix functions."""
import inspect

import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check
from tests.rules.values import hermitian, of_hermitian

sl = pytest.importorskip("scipy.linalg")
rng = np.random.default_rng(41)
START = rng.bit_generator.state


@pytest.fixture(autouse=True)
def same_numbers():
    """Each test draws the same numbers, whatever runs before it."""
    rng.bit_generator.state = START


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


def complex_draw(*shape):
    return draw(*shape) + 1j * draw(*shape)


def regular(*shape):
    return draw(*shape) + 2.0 * np.eye(shape[-1])


def dagger(a):
    return np.conj(np.swapaxes(a, -1, -2))


def apart(n, dtype=float):
    a = complex_draw(n, n) if dtype is complex else draw(n, n)
    return hermitian(a) + 2.0 * np.diag(np.arange(1.0, n + 1))


A, C = regular(3, 3), regular(3, 3) + 0.3j * draw(3, 3)
HERMITIAN = [apart(3), apart(3, complex), apart(1), apart(3).astype(np.float32)]
RIGHT = [(3,), (3, 2), (3, 1)]


@pytest.mark.parametrize("shape", RIGHT)
@pytest.mark.sweep(2)
def test_solve(shape):
    for a, b in ((A, draw(*shape)), (C, complex_draw(*shape)), (A, complex_draw(*shape))):
        check(sl.solve, a, b)
        check(sl.solve, a, b, check_finite=False, assume_a="gen")
        if not np.iscomplexobj(b):
            check(sl.solve, a, b, transposed=True)
    for a in HERMITIAN[:2]:
        b = complex_draw(*shape) if np.iscomplexobj(a) else draw(*shape)
        for assume in ("her", "pos"):
            for lower in (False, True):
                check(sl.solve, a, b, lower, assume_a=assume, compare=of_hermitian(sl.solve))
    check(sl.solve, A + A.T, draw(*shape), assume_a="sym",
          compare=of_hermitian(sl.solve))


STRUCTURES = ["diagonal", "tridiagonal", "upper triangular", "lower triangular", "banded"]


@pytest.mark.skipif("tridiagonal" not in (sl.solve.__doc__ or ""), reason="of SciPy 1.15")
@pytest.mark.parametrize("assume", STRUCTURES)
def test_solve_of_structures(assume):
    check(sl.solve, A, draw(3), assume_a=assume)
    check(sl.solve, A, draw(3, 2), assume_a=assume)


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.sweep(4)
def test_solve_triangular(trans, lower):
    for shape in RIGHT:
        for a, b in ((A, draw(*shape)), (C, complex_draw(*shape))):
            check(sl.solve_triangular, a, b, trans, lower)
            check(sl.solve_triangular, a, b, trans=trans, lower=lower, unit_diagonal=True,
                  check_finite=False)
    check(sl.solve_triangular, A.astype(np.float32), draw(3).astype(np.float32), trans, lower)


BANDS = [(1, 1), (2, 1), (0, 2), (1, 0), (0, 0)]


@pytest.mark.parametrize("l_and_u", BANDS)
def test_solve_banded(l_and_u):
    ab = draw(sum(l_and_u) + 1, 5)
    ab[l_and_u[1]] += 3.0
    for shape in ((5,), (5, 2)):
        check(sl.solve_banded, l_and_u, ab, draw(*shape), wrt=[1, 2])
        check(sl.solve_banded, l_and_u, ab + 0.3j * draw(*ab.shape), complex_draw(*shape),
              wrt=[1, 2])


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_solveh_banded(lower, count):
    ab = draw(count + 1, 5)
    ab[0 if lower else -1] += 4.0
    for shape in ((5,), (5, 2)):
        check(sl.solveh_banded, ab, draw(*shape), lower=lower)
        z = ab + 0.3j * draw(*ab.shape)
        z[0 if lower else -1] = z[0 if lower else -1].real
        check(sl.solveh_banded, z, complex_draw(*shape), lower=lower)


def test_sylvester_and_lyapunov():
    for a, b, q in ((A, regular(2, 2), draw(3, 2)), (C, complex_draw(2, 2), complex_draw(3, 2))):
        check(sl.solve_sylvester, a, b, q)
    for a in (0.3 * A, 0.3 * C):
        q = complex_draw(3, 3) if np.iscomplexobj(a) else draw(3, 3)
        check(sl.solve_continuous_lyapunov, a, q)
        check(sl.solve_discrete_lyapunov, 0.5 * a, q)


@pytest.mark.parametrize("a, b", [
    (draw(5, 3), draw(5)), (draw(5, 3), draw(5, 2)), (draw(3, 5), draw(3)), (A, draw(3, 2)),
    (complex_draw(5, 3), complex_draw(5, 2)),
])
def test_lstsq(a, b):
    check(sl.lstsq, a, b, rtol=1e-4)
    check(sl.lstsq, a, b, 1e-12, wrt=[0, 1], rtol=1e-4)


@pytest.mark.parametrize("a", [A, C, regular(1, 1), A.astype(np.float32)])
def test_square(a):
    check(sl.inv, a)
    check(sl.det, a)
    check(sl.det, a, check_finite=False)
    check(sl.pinv, a)
    check(sl.norm, a)
    check(sl.norm, a, 1)
    check(sl.norm, a, axis=0)
    if a.dtype != np.float32:
        check(sl.pinv, draw(4, 2))
        check(sl.norm, a, "nuc", check_finite=False)


@pytest.mark.parametrize("a", HERMITIAN)
@pytest.mark.parametrize("lower", [False, True])
def test_hermitian(a, lower):
    check(sl.eigvalsh, a, lower=lower, compare=of_hermitian(sl.eigvalsh))
    # The signs of the vectors are steadier with this driver.
    check(sl.eigh, a, lower=lower, driver="evd", compare=of_hermitian(sl.eigh), rtol=1e-4)
    check(sl.eigh, a, eigvals_only=True, lower=lower, compare=of_hermitian(sl.eigh))
    a = a @ dagger(a)
    check(sl.cholesky, a, lower, compare=of_hermitian(sl.cholesky))
    check(sl.cho_factor, a, lower=lower,
          compare=of_hermitian(lambda a, lower: (sl.cho_factor(a, lower)[0], 0.0)))
    if a.dtype != np.float32:
        check(sl.pinvh, a, lower=lower, compare=of_hermitian(sl.pinvh), rtol=1e-4)


@pytest.mark.parametrize("lower", [False, True])
def test_eigenvalues_of_two_matrices(lower):
    a, b = apart(3), 0.3 * apart(3) + 2.0 * np.eye(3)
    check(sl.eigh, a, b, lower=lower, driver="gvd", compare=of_hermitian(sl.eigh, 2), rtol=1e-4)
    check(sl.eigh, a, b, eigvals_only=True, compare=of_hermitian(sl.eigh, 2), rtol=1e-4)
    check(sl.eigvalsh, a, b, lower=lower, compare=of_hermitian(sl.eigvalsh, 2), rtol=1e-4)
    check(sl.eigvalsh, apart(3, complex), apart(3, complex), compare=of_hermitian(sl.eigvalsh, 2),
          rtol=1e-4)


@pytest.mark.parametrize("a", [A, C, A + np.array([[0, 4, 0], [-4, 0, 0], [0, 0, 0]])])
def test_eigenvalues(a):
    check(sl.eigvals, a, rtol=1e-4)
    check(sl.eig, a, rtol=1e-4)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (1, 1)])
def test_factors(shape):
    steps = 3.0 ** -np.arange(shape[1]) * np.eye(*shape)
    for a in (0.2 * draw(*shape) + steps, 0.2 * complex_draw(*shape) + steps):
        check(sl.lu, a, rtol=1e-4)
        check(sl.lu, a, True, rtol=1e-4)
        check(sl.lu, a, p_indices=True, rtol=1e-4)
        if shape[0] == shape[1] or "(M, N)" in (sl.lu_factor.__doc__ or ""):
            check(sl.lu_factor, a, rtol=1e-4)
        check(sl.svd, a, full_matrices=False, rtol=1e-3, step=1e-4)
        check(sl.svd, a, compute_uv=False, lapack_driver="gesvd", rtol=1e-4)
        check(sl.svdvals, a, rtol=1e-4)
        for pivoting in (False, True):
            check(sl.qr, a, mode="economic", pivoting=pivoting, rtol=1e-4)
            if shape[0] <= shape[1]:
                check(sl.qr, a, mode="r", pivoting=pivoting, rtol=1e-4)
                check(sl.qr, a, pivoting=pivoting, rtol=1e-4)


@pytest.mark.parametrize("shape", RIGHT)
def test_solutions_by_factors(shape):
    for a, b in ((A, draw(*shape)), (C, complex_draw(*shape))):
        for trans in (0, 1, 2):
            check(sl.lu_solve, sl.lu_factor(a), b, trans, wrt=[1])
        c = a @ dagger(a)
        for lower in (False, True):
            check(sl.cho_solve, sl.cho_factor(c, lower), b, wrt=[1])


FUNCTIONS = [sl.expm, sl.cosm, sl.sinm, sl.tanm, sl.coshm, sl.sinhm, sl.tanhm]


@pytest.mark.parametrize("fun", FUNCTIONS, ids=lambda f: f.__name__)
def test_matrix_functions(fun):
    for a in (0.4 * A, 0.3 * C, draw(1, 1), np.zeros((2, 2)), np.array([[0.0, 1.0], [0.0, 0.0]])):
        check(fun, a)
    if fun is sl.expm:
        check(fun, 0.4 * regular(2, 3, 3))
        check(fun, (0.4 * A).astype(np.float32))


@pytest.mark.parametrize("a", [A, C, A @ A, np.diag([1.0, 2.0, 3.0]), np.eye(2)])
@pytest.mark.sweep(2)
def test_roots_and_logarithms(a):
    check(sl.logm, a)
    check(sl.sqrtm, a)
    check(sl.fractional_matrix_power, a, 0.7, wrt=[0])
    check(sl.fractional_matrix_power, a, -1.3, wrt=[0])


def test_special_matrices():
    check(sl.toeplitz, draw(4))
    check(sl.toeplitz, complex_draw(4))
    check(sl.toeplitz, draw(4), draw(3))
    check(sl.toeplitz, complex_draw(2), complex_draw(4))
    check(sl.toeplitz, draw(1), draw(1))
    check(sl.block_diag, draw(2, 3), draw(1, 2), draw(2, 2))
    check(sl.block_diag, draw(3), draw(2, 2), complex_draw(1, 1))
    check(sl.block_diag, draw(2, 2))


# Through the public interface -------------------------------------------------------------------
def triangular(x):
    y = sl.solve_triangular(np.tril(x) + 3.0 * np.eye(3), np.sin(x), lower=True)
    return np.sum(y ** 2) + np.sum(sl.solve_triangular(x + 3.0 * np.eye(3), x[0], trans="T"))


def solved(x):
    y = sl.solve(x + 3.0 * np.eye(3), np.cos(x[0]))
    return np.sum(y ** 2) + np.sum(sl.solve(x @ x.T + np.eye(3), x, assume_a="pos") ** 3)


def by_cholesky(x):
    """A Gaussian log-density, as it is usually written."""
    c = sl.cho_factor(x @ x.T + np.eye(3), lower=True)
    y = sl.cho_solve(c, np.sin(x[0]))
    return np.sum(y * np.sin(x[0])) + 2.0 * np.sum(np.log(np.diag(c[0])))


def by_cholesky_unpacked(x):
    c, lower = sl.cho_factor(x @ x.T + np.eye(3))
    return np.sum(sl.cho_solve((c, lower), x) ** 2)


def by_lu(x):
    factors = sl.lu_factor(x + 3.0 * np.eye(3))
    y = sl.lu_solve(factors, np.sin(x), trans=1)
    return np.sum(sl.lu_solve(factors, x) ** 2) + np.sum(y ** 3)


def by_lu_unpacked(x):
    lu, piv = sl.lu_factor(x + 3.0 * np.eye(3))
    return np.sum(sl.lu_solve((lu, piv), np.sin(x)) ** 2) + np.sum(np.diag(lu) ** 2)


def of_lu(x):
    p, low, up = sl.lu(x)
    pl, u = sl.lu(np.sin(x), permute_l=True)
    return np.sum(p @ low ** 2) + np.sum(up ** 3) + np.sum(pl ** 3 @ u)


def exponential(x):
    return np.sum(sl.expm(0.3 * x) ** 2) + np.trace(sl.cosm(x) @ sl.sinm(x))


def roots(x):
    a = x[:2] @ x[:2].T + np.eye(2)
    return np.sum(sl.sqrtm(a) ** 3)


def sylvester(x):
    a = x + 3.0 * np.eye(3)
    return np.sum(sl.solve_sylvester(a, a.T, np.sin(x)) ** 2) \
        + np.sum(sl.solve_continuous_lyapunov(a, x) ** 3) \
        + np.sum(sl.solve_discrete_lyapunov(0.2 * x, x) ** 2)


def banded(x):
    return np.sum(sl.solve_banded((1, 1), x + np.array([[0.0], [3.0], [0.0]]), x[0]) ** 2)


def half_banded(x):
    return np.sum(sl.solveh_banded(x[:2] + np.array([[0.0], [4.0]]), np.sin(x[2])) ** 2)


def special(x):
    t = sl.toeplitz(x[0], x[1])
    return np.sum((t @ sl.block_diag(x[0, 0] * x[:1, :1], np.sin(x[:2, :2]))) ** 3) \
        + np.sum(sl.toeplitz(x[0]) ** 3)


def spectral(x):
    w, v = sl.eigh(x + x.T)
    u, s = sl.eigh(x @ x.T, x @ x.T + np.eye(3))[::-1]
    return np.sum((v * np.sin(w)) @ v.T * x) + np.sum(u ** 3) + np.sum(s) \
        + np.sum(sl.eigvalsh(x @ x.T) ** 2)


def singular(x):
    u, s, vh = sl.svd(x, full_matrices=False)
    return np.sum(u ** 3) + np.sum(s ** 3 * vh) + np.sum(sl.svdvals(np.sin(x)) ** 2)


def orthogonal(x):
    q, r = sl.qr(x, mode="economic")
    k, t, order = sl.qr(np.sin(x), pivoting=True)
    return np.sum(q ** 3) + np.sum(r ** 3) + np.sum(k ** 3 @ t)


def others(x):
    return np.sum(sl.inv(x + 3.0 * np.eye(3)) ** 2) + sl.det(x) + sl.norm(x, "nuc") ** 2 \
        + np.sum(sl.pinv(x[:, :2]) ** 2) + np.sum(sl.cholesky(x @ x.T + np.eye(3)) ** 3)


def fitted(x):
    c, rest, rank, s = sl.lstsq(x[:, :2], np.sin(x))
    return np.sum(c ** 2) * rank + np.sum(rest ** 2) + np.sum(s)


def eigenvalues(x):
    w, v = sl.eig(x + np.diag([1.0, 4.0, 8.0]))
    return np.sum(np.abs(w) ** 2) + np.sum(np.abs(v) ** 3) + np.sum(sl.eigvals(x).real ** 3)


def integrated(x):
    """Steps of a linear system in a loop, its propagator from a helper."""
    state = x[0]
    for k in range(3):
        state = propagator(x, 0.1 * (k + 1)) @ state
    return np.sum(state ** 2)


def propagator(x, step):
    return sl.expm(step * x)


EVERY = [triangular, solved, by_cholesky_unpacked, by_lu_unpacked, of_lu,
         exponential, roots, sylvester, banded, half_banded, special, spectral, singular,
         orthogonal, others, fitted, eigenvalues, integrated]
LONG = {integrated, orthogonal}


@pytest.mark.parametrize("f", [pytest.param(f, marks=pytest.mark.slow) if f in LONG else f
                               for f in EVERY], ids=lambda f: f.__name__)
@pytest.mark.sweep(8)
def test_second_order(f):
    x = draw(3, 3) + np.diag([1.0, 2.0, 4.0])
    tl.check_grads(f, (x,), order=2, modes=("fwd", "rev"))


def test_a_logarithm():
    tl.check_grads(lambda x: np.sum(sl.logm(x @ x.T + np.eye(2)) ** 3), (draw(2, 2),), order=1)


@pytest.mark.parametrize("f", [by_cholesky, by_lu])
def test_factors_that_are_kept(f):
    tl.check_grads(f, (draw(3, 3),), order=1)


@pytest.mark.parametrize("f", [
    lambda x: sl.inv(x, True), lambda x: sl.inv(x, overwrite_a=True),
    lambda x: sl.solve(x, x, overwrite_b=True), lambda x: sl.lu_factor(x, overwrite_a=True)[0],
    lambda x: sl.eigh(x, subset_by_index=[0, 1])[1], lambda x: sl.eigh(x, x, type=2)[1],
    lambda x: sl.qr(x, mode="raw")[1],
])
def test_options_that_are_not_covered_are_refused(f):
    with pytest.raises((tl.TangentError, NotImplementedError)):
        tl.grad(lambda x: np.sum(f(x) ** 2))(apart(3) @ apart(3))


def test_signatures_are_those_of_scipy():
    """The parameters of a rule have the places that they have in SciPy."""
    from tangent_lite import registry
    for entry in registry.all_entries():
        if entry.adjoint is None or "scipy_linalg" not in entry.adjoint.source.function.__module__ \
                or not (entry.function.__module__ or "").startswith("scipy."):
            continue
        theirs = inspect.signature(entry.function).parameters
        order = [n for n, p in theirs.items() if p.kind is not p.KEYWORD_ONLY]
        plain = [p.name for p in entry.adjoint.parameters if not p.keyword_only]
        assert plain == order[:len(plain)] or entry.function in (sl.block_diag,), entry.function
        for parameter in entry.adjoint.parameters:
            assert parameter.name in theirs, (entry.function, parameter.name)


STACKED = [
    (lambda ab, b: sl.solve_banded((1, 1), ab, b), (3, 3, 3), (3, 3, 3)),
    (lambda ab, b: sl.solve_banded((1, 1), ab, b), (3, 3), (3, 3, 3)),
    (lambda ab, b: sl.solveh_banded(ab, b, lower=True), (2, 2, 3), (2, 3, 2)),
    (lambda c, b: sl.solve_toeplitz(c, b), (3, 3), (3, 3, 3)),
    (lambda c, b: sl.solve_toeplitz((c, c), b), (3, 3), (3, 3)),
]


@pytest.mark.parametrize("f, first, second", STACKED)
def test_stacks_of_systems_of_few_numbers_are_refused(f, first, second):
    """Batches of SciPy 1.17 were taken for the rows of one matrix where their sizes fitted."""
    a, b = draw(*first), draw(*second)
    a[..., 0] += 4.0
    a[..., 0, :] += 4.0             # the diagonal of a band that is stored below it
    try:
        f(a, b)
    except ValueError as error:
        pytest.skip(f"this SciPy takes no stacks: {error}")
    with pytest.raises(tl.MissingRuleError, match="stack of (banded|Toeplitz) systems"):
        tl.grad(lambda a, b: np.sum(f(a, b) ** 2), wrt=(0, 1))(a, b)
