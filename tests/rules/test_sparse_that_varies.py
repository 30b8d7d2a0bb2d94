"""scipy.sparse: matrices that vary, held against differences and dense algebra in both modes."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import InputError, MissingRuleError, TangentError

sp = pytest.importorskip("scipy.sparse")
linalg = pytest.importorskip("scipy.sparse.linalg")

N = 4
rng = np.random.default_rng(3)
DENSE = np.diag(2.0 + rng.random(N)) + np.diag(rng.random(N - 1), 1) \
    + np.diag(rng.random(N - 1), -1)
L, LA = sp.csr_matrix(DENSE), sp.csr_array(DENSE)
X, V, K = rng.random(N) + 0.5, rng.random(N), 0.7
DATA = rng.random(7)
ROWS, COLUMNS = np.array([0, 1, 2, 3, 0, 0, 3]), np.array([0, 1, 2, 3, 1, 1, 0])     # one twice


def implicit(k, x):
    A = sp.eye(N) - 0.1 * k * L
    return np.sum(linalg.spsolve(A.tocsc(), x) ** 2)


def implicit_of_arrays(k, x):
    A = sp.eye_array(N) - 0.1 * k * LA
    return np.sum(linalg.spsolve(A.tocsc(), x) ** 2)


def tridiagonal(d):
    A = sp.diags([d[1:], 2.0 + d, d[:-1]], [-1, 0, 1], format="csc")
    return np.sum(linalg.spsolve(A, V) ** 2)


def one_diagonal(d):
    return np.sum((sp.diags(d) @ V) ** 3) + np.sum((sp.diags_array(d).T @ V) ** 2)


def long_diagonals(d):
    A = sp.diags([d, d, d], [-1, 0, 1], shape=(N, N))
    return np.sum((A @ V) ** 2)


def spread_numbers(d):
    A = sp.diags([d[0], -2.0 * d[1], d[2]], [-1, 0, 1], shape=(N, N))
    return np.sum((A @ V) ** 2)


def from_triplets(data):
    A = sp.csr_matrix((data, (ROWS, COLUMNS)), shape=(N, N))
    return np.sum((A @ (A.T @ V)) ** 2)


def from_triplets_of_arrays(data):
    A = sp.coo_array((data, (ROWS, COLUMNS)), shape=(N, N)).tocsr()
    return np.sum((A @ (A @ V)) ** 2)


def from_compressed(data):
    A = sp.csr_matrix((data, L.indices, L.indptr), shape=(N, N))
    B = sp.csc_array((data, L.indices, L.indptr), shape=(N, N))
    return np.sum((A @ V) ** 3) + np.sum(A.toarray() ** 2) + np.sum((B @ V) ** 2)


def from_dense(x):
    A = sp.csr_matrix(np.outer(x, x))
    return np.sum((x @ A) ** 2) + np.sum((A / x[0]) @ x) + np.sum(-A @ x)


def canceled(k, x):
    """What is zero is stored nowhere, but varies."""
    A = sp.eye(N) - k * sp.eye(N)
    return np.sum((A @ x) * np.arange(1.0, N + 1.0))


def element_by_element(d):
    A = sp.diags(d).tocsr()
    B = A.multiply(L) + A.multiply(V[:, None]) + A.multiply(V)
    return np.sum((B @ V) ** 2) + B.sum() + np.sum(B.diagonal() ** 2)


def products(d):
    A = sp.diags([d], [0]).tocsr()
    C = A @ L @ A.T
    return np.sum((C @ V) ** 2) + C[0, 1] * C[1, 1]


def stars(x):
    A = sp.diags(x).tocsr() + L
    B = sp.diags_array(x).tocsr()
    return np.sum((A * V) ** 2) + np.sum((V * A) ** 2) + np.sum(A.dot(V) ** 2) \
        + np.sum((A * L).toarray() ** 2) + np.sum((B * LA + B * 2.0) @ x)


def of_parts(x):
    A = sp.diags_array(x).tocsr() + LA
    return np.sum(A[1:3, :] @ x) + np.sum(A.sum(axis=0) ** 2) + np.sum(A[:, [0, 2]].toarray() ** 2)


def kronecker(d):
    A = sp.kron(sp.diags(d), sp.eye(2)) + sp.kron(L, sp.diags(d[:2]))
    return np.sum((A @ np.arange(2.0 * N)) ** 2)


def joined(d):
    A = sp.diags(d).tocsr()
    B = sp.hstack([A, L]).tocsr()
    C = sp.vstack([A, 2.0 * A]).tocsr()
    E = sp.bmat([[A, None], [L, A]]).tocsr()
    F = sp.block_diag([A, L]).tocsr()
    w = np.arange(2.0 * N)
    return np.sum((B @ w) ** 2) + np.sum((C @ V) ** 2) + np.sum((E @ w) ** 2) + np.sum((F @ w) ** 2)


def with_dense(x):
    A = sp.diags_array(x).tocsr() + LA
    return np.sum((A + np.outer(x, x)) ** 2) + np.sum((np.outer(x, x) - A) ** 3)


def factors(d, b):
    A = (L + sp.diags(d)).tocsc()
    lu = linalg.splu(A)
    x = lu.solve(b)
    return np.sum(x ** 2) + np.sum(lu.solve(x, "T") ** 3)


def factorized(d, b):
    solve = linalg.factorized((L + sp.diags(d)).tocsc())
    for _ in range(3):
        b = solve(b)
    return np.sum(b ** 2)


def iterated(d, b):
    A = (L + L.T + sp.diags(d + 5.0)).tocsr()
    x, info = linalg.cg(A, b, rtol=1e-13)
    y, info = linalg.gmres(A, x, rtol=1e-13)
    return np.sum(x ** 2) + np.sum(y ** 3)


def several_right_sides(x):
    b = np.outer(x, np.arange(1.0, 4.0))
    A = (sp.diags(x) + L).tocsc()
    return np.sum(linalg.spsolve(A, b) ** 2) + np.sum(linalg.spsolve(A, x[:, None]) ** 3)


def nonlinear_steps(d, x):
    for _ in range(3):
        A = sp.eye(N) + 0.1 * sp.diags(x * d) @ L
        x = linalg.spsolve(A.tocsc(), x)
    return np.sum(x ** 2)


def carried(x):
    A = sp.eye(N).tocsr()
    for _ in range(2):
        A = A @ L * 0.3 + sp.diags(x)
    A += L
    for _ in range(0):
        A = A + x[0] * L
    return np.sum((A @ x) ** 2)


def step(A, u):
    return linalg.spsolve(A, u)


class Heat:
    def __init__(self, d):
        self.A = (sp.diags(d) + L).tocsc()

    def run(self, u):
        for _ in range(2):
            u = step(self.A, u)
        return u


def in_an_object(d):
    return np.sum(Heat(d).run(V) ** 2)


def by_branch(x):
    A = sp.diags(x).tocsr() if x[0] > 0.1 else L
    return np.sum((A @ x) ** 2)


def summed_up(x):
    A = sum([sp.diags(x) * c for c in (1.0, 2.0)])
    return np.sum((A @ x) ** 2)


def complex_numbers(x):
    A = (x[0] * 1j) * L + sp.diags(x * 1j).tocsr() + sp.eye(N) * x[1]
    return np.sum(np.abs(linalg.spsolve(A.tocsc(), V + 0j)) ** 2)


PROGRAMS = [(implicit, (K, X)), (implicit_of_arrays, (K, X)), (tridiagonal, (X,)),
            (one_diagonal, (X,)), (long_diagonals, (X,)), (spread_numbers, (X,)),
            (from_triplets, (DATA,)), (from_triplets_of_arrays, (DATA,)),
            (from_compressed, (L.data.copy(),)), (from_dense, (X,)), (canceled, (1.0, X)),
            (element_by_element, (X,)), (products, (X,)), (stars, (X,)), (of_parts, (X,)),
            (kronecker, (X,)), (joined, (X,)), (with_dense, (X,)), (factors, (X, V)),
            (factorized, (X, V)), (iterated, (X, V)), (several_right_sides, (X,)),
            (nonlinear_steps, (X, V)), (carried, (X,)), (in_an_object, (X,)), (by_branch, (X,)),
            (complex_numbers, (X,))]


@pytest.mark.parametrize("f, args", PROGRAMS, ids=lambda f: getattr(f, "__name__", ""))
@pytest.mark.sweep(6)
def test_programs(f, args):
    tl.check_grads(f, args, order=1, modes=("fwd", "rev"))
    tl.check_grads(f, args, order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("f, args", PROGRAMS, ids=lambda f: getattr(f, "__name__", ""))
@pytest.mark.sweep(6)
def test_reverse_over_reverse(f, args):
    """The gradient of a gradient along a vector is the Hessian times that vector."""
    count = len(args[0]) if np.ndim(args[0]) else 1
    along = np.arange(1.0, count + 1.0) if np.ndim(args[0]) else 2.0

    def directional(x):
        return np.sum(tl.grad(f)(x, *args[1:]) * along)

    assert np.allclose(tl.grad(directional)(args[0]), tl.hvp(f)(*args, along), rtol=1e-8)


def test_what_is_zero_varies():
    assert np.isclose(tl.grad(canceled)(1.0, X), -np.sum(X * np.arange(1.0, N + 1.0)))
    assert np.allclose(tl.grad(one_diagonal)(np.zeros(N)), 0.0)
    assert np.allclose(tl.jacobian(lambda d: sp.diags(d).tocsr() @ V)(np.zeros(N)), np.diag(V))


def test_sums_of_lists():
    tl.check_grads(summed_up, (X,), order=1, modes=("fwd", "rev"))


def test_what_is_written_reads_as_by_hand():
    text = tl.grad(implicit).source_for(K, X)
    assert "A = sp.eye(N) - L * t" in text
    assert "bA = product_left(" in text
    constant = tl.grad(lambda x: np.sum((L @ (L @ x)) ** 2)).source_for(X)
    assert "L.T @ (L.T @" in constant


def test_nothing_dense_is_made(monkeypatch):
    """A matrix of a million rows, of which the array would not fit into memory."""
    n = 1_000_000

    def f(d):
        A = sp.diags([d[1:], 2.0 + d, d[:-1]], [-1, 0, 1], format="csc") * d[0]
        return np.sum(linalg.spsolve(A, np.ones(n)))

    found = tl.grad(f)(np.full(n, 0.3))
    assert found.shape == (n,) and np.all(np.isfinite(found))


def solved(A, x):
    return np.sum(linalg.spsolve(A.tocsc(), x) ** 2)


def dense_gradient():
    return tl.grad(lambda D, x: np.sum(np.linalg.solve(D, x) ** 2))(DENSE, X)


@pytest.mark.parametrize("form", ["csr_matrix", "csr_array", "csc_matrix", "coo_array",
                                  "dia_matrix", "bsr_matrix"])
def test_a_matrix_as_argument(form):
    A = getattr(sp, form)(L)
    found = tl.grad(solved)(A, X)
    assert type(found) is type(A) and found.shape == A.shape
    assert np.allclose(found.toarray(), dense_gradient() * (DENSE != 0.0))
    assert found.nnz == A.nnz
    both = tl.value_and_grad(solved, wrt=("A", "x"))(A, X)
    assert both[0] == solved(A, X) and np.allclose(both[1][0].toarray(), found.toarray())


def test_tangents_and_cotangents_are_matrices():
    direction = sp.csr_matrix(np.diag(X))
    found = tl.jvp(solved, (L, X), (direction, None))[1]
    assert np.isclose(found, np.sum(dense_gradient() * direction.toarray()))
    value, pullback = tl.vjp(lambda x: 2.0 * sp.diags(x), X)
    assert np.array_equal(value.toarray(), 2.0 * np.diag(X))
    assert np.allclose(pullback(sp.csr_matrix(DENSE))[0], 2.0 * np.diag(DENSE))
    assert np.allclose(tl.jvp(lambda x: sp.diags(x), (X,), (V,))[1].toarray(), np.diag(V))
    with pytest.raises(InputError, match="no sparse matrix"):
        pullback(np.ones(N))
    with pytest.raises(InputError, match="shape"):
        pullback(sp.eye(N + 1))
    with pytest.raises(InputError, match="no sparse matrix"):
        tl.jvp(solved, (L, X), (DENSE, None))


def test_values_are_the_functions_own():
    for f, args in PROGRAMS:
        assert tl.value_and_grad(f)(*args)[0] == f(*args)


def test_arguments_stay_as_they_are():
    A = L.copy()
    A.data.flags.writeable = False
    before = A.toarray()
    tl.grad(solved, wrt=("A", "x"))(A, X)
    assert np.array_equal(A.toarray(), before)


def test_sizes_zero_and_one():
    assert tl.grad(lambda x: np.sum((sp.diags([x], [0], shape=(0, 0)) @ x) ** 2))(
        np.zeros(0)).shape == (0,)
    tl.check_grads(lambda x: np.sum(linalg.spsolve(sp.diags([x], [0]).tocsc(), x * x)),
                   (np.array([1.5]),), order=1)


def constants(x):
    A = sp.eye(N).tocsr()
    A[0, 0] = 3.0
    return np.sum((A @ x) ** 2)


def test_constant_matrices_are_written_into():
    tl.check_grads(constants, (X,), order=1, modes=("fwd", "rev"))


def written_into(x):
    A = sp.diags(x).tocsr()
    A[0, 0] = x[1]
    return np.sum((A @ V) ** 2)


def scaled_in_place(x):
    A = sp.diags(x).tocsr()
    A *= x[0]
    return np.sum((A @ V) ** 2)


def numbers_read(x):
    A = sp.diags(x).tocsr()
    return np.sum(A.data ** 2)


def power(x):
    A = sp.diags(x).tocsr() + L
    return np.sum(((A ** 2) @ V) ** 2)


def root(x):
    return np.sum((np.sqrt(sp.diags(x).tocsr()) @ V) ** 2)


def modulus(x):
    return np.sum((abs(sp.diags(x).tocsr()) @ V) ** 2)


def compared(x):
    return np.sum(((sp.diags(x).tocsr() > 0.5) @ x) ** 2)


def row(x):
    return np.sum((sp.diags(x).tocsr()[0] @ V) ** 2)


def summed_along(x):
    A = sp.diags(x).tocsr() + L
    return np.sum(np.asarray(A.sum(axis=1)).ravel() ** 2)


def np_matrix(x):
    return np.sum(np.asarray(sp.diags(x).tocsr() + np.ones((N, N))) ** 2)


def diagonal_set(x):
    A = L.copy()
    A.setdiag(x)
    return np.sum((A @ V) ** 2)


def squares(x):
    return np.sum((sp.diags(x).tocsr().power(2) @ V) ** 2)


def lower(x):
    return np.sum((sp.tril(sp.diags(x) + L) @ V) ** 2)


REFUSED = [(written_into, "is written into"), (scaled_in_place, "not differentiated for a matrix"),
           (numbers_read, "data of a sparse matrix"), (power, "not differentiated for a matrix"),
           (root, "not differentiated for a matrix"), (modulus, "not differentiated for a matrix"),
           (compared, "not differentiated for a matrix"), (row, "not differentiated for a matrix"),
           (summed_along, "an np.matrix"), (np_matrix, "an np.matrix"),
           (diagonal_set, "setdiag is not differentiated"),
           (squares, "power is not differentiated"), (lower, "tril is not differentiated")]


@pytest.mark.parametrize("f, why", REFUSED, ids=lambda f: getattr(f, "__name__", ""))
def test_refused_in_both_modes(f, why):
    for derivative in (tl.grad(f), lambda x: tl.jvp(f, (x,), (V,))):
        with pytest.raises(TangentError, match=why):
            derivative(X)


def test_a_solver_that_does_not_converge_is_an_error():
    def f(b):
        x, info = linalg.cg(L + L.T, b, maxiter=1, rtol=1e-14)
        return np.sum(x)
    with pytest.raises(InputError, match="does not converge"):
        tl.grad(f)(X)


def test_by_identity_it_is_refused_by_name():
    def f(x):
        class Holder:
            def __init__(self, v):
                self.v = v
        held = Holder(sp.diags(x).tocsr())
        return np.sum((held.v @ V) ** 2)
    with pytest.raises(TangentError):
        tl.grad(f)(X)

    def g(x):
        class Holder:
            def __init__(self, v):
                self.v = v
        held = Holder(L)
        return np.sum((held.v @ x) ** 2) + np.sum(held.v.dot(x) ** 3)
    tl.check_grads(g, (X,), order=1, modes=("fwd", "rev"))


def test_a_sparse_right_side_is_refused():
    def f(x):
        b = sp.diags(x).tocsc()
        return linalg.spsolve((L + sp.diags(x)).tocsc(), b).sum()
    with pytest.raises((TangentError, MissingRuleError)):
        tl.grad(f)(X)
