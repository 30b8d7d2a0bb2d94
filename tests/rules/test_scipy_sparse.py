"""scipy.sparse: products with a constant matrix, and solutions."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import MissingRuleError, TangentError

sparse = pytest.importorskip("scipy.sparse")
linalg = pytest.importorskip("scipy.sparse.linalg")

DENSE = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [0.5, 0.0, 4.0]])
WIDE = sparse.csr_array(DENSE[:2])
X = np.array([0.3, -1.2, 0.7])
Y = np.arange(6.0).reshape(3, 2) - 2.0
FORMS = [getattr(sparse, f"{kind}_{form}") for kind in ("csr", "coo", "dia")
         for form in ("array", "matrix")]


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_products(form):
    A = form(DENSE)
    for x in (X, Y):
        tl.check_grads(lambda x: np.sum((A @ x) ** 3), (x,), order=2, modes=("fwd", "rev"))
        tl.check_grads(lambda x: np.sum(A.dot(x) ** 2), (x,), order=1, modes=("fwd", "rev"))
    tl.check_grads(lambda x: np.sum((x @ A) ** 2), (X,), order=2, modes=("fwd", "rev"))
    tl.check_grads(lambda x: np.sum((x @ A) ** 2), (Y.T,), order=1, modes=("fwd", "rev"))
    found = tl.grad(lambda A, x: np.sum(A @ x), wrt=1)(A, X)
    assert np.allclose(found, DENSE.sum(axis=0))


def test_star_of_a_matrix_is_a_product():
    A = sparse.csr_matrix(DENSE)
    tl.check_grads(lambda x: np.sum((A * x) ** 3), (X,), order=1, modes=("fwd", "rev"))
    tl.check_grads(lambda x: np.sum((A * x) ** 3), (Y,), order=1, modes=("fwd", "rev"))
    B = sparse.csr_array(DENSE)         # of which it is the product by elements
    got = tl.grad(lambda x: np.sum((B * x).toarray() ** 3))(X)
    np.testing.assert_allclose(got, 3.0 * np.sum(DENSE ** 3, axis=0) * X ** 2, rtol=1e-12)


def diffused(u, steps):
    for k in range(steps):
        u = u - 0.1 * (LAPLACE @ u) * u
    return np.sum(u * u)


LAPLACE = sparse.csr_array(DENSE)


class Model:
    def __init__(self):
        self.A = LAPLACE

    def energy(self, x):
        return 0.5 * np.sum((self.A @ x) ** 2)


def test_where_the_matrix_is_kept():
    tl.check_grads(Model().energy, (X,), order=1)
    found = tl.grad(lambda x, p: np.sum(p["A"] @ x))(X, {"A": LAPLACE})
    assert np.allclose(found, DENSE.sum(axis=0))
    assert np.allclose(tl.grad(lambda x: np.sum(LAPLACE.T @ x))(X), DENSE.sum(axis=1))
    assert np.allclose(tl.grad(lambda x: np.sum(x @ LAPLACE.T))(X), DENSE.sum(axis=0))


def test_in_a_loop():
    tl.check_grads(diffused, (X, 3), order=2, modes=("fwd", "rev"))
    tl.check_grads(lambda x: np.sum((WIDE @ x) ** 3), (X,), order=2, modes=("fwd", "rev"))


def test_solutions():
    A = sparse.csc_matrix(DENSE)
    tl.check_grads(lambda b: np.sum(linalg.spsolve(A, b) ** 3), (X,), order=2,
                   modes=("fwd", "rev"))
    tl.check_grads(lambda b: np.sum(linalg.spsolve(A, b) ** 2), (Y,), order=1,
                   modes=("fwd", "rev"))


def implicit_step(x):
    n = len(x)
    A = sparse.diags([np.ones(n - 1), -2.0 * np.ones(n), np.ones(n - 1)], [-1, 0, 1],
                     format="csr")
    for _ in range(2):
        x = x + 0.1 * (A @ x) * x
    return np.sum(x * x)


def from_triplets(x):
    A = sparse.coo_matrix((np.ones(3), (np.arange(3), np.array([1, 1, 2]))), shape=(3, 3)).tocsr()
    return np.sum((A.T @ (A @ x)) ** 3)


def from_dense(x):
    A = sparse.csr_matrix(DENSE)
    return np.sum((A @ x) ** 3)


@pytest.mark.parametrize("f", [implicit_step, from_triplets, from_dense])
def test_matrices_that_are_made_in_the_function(f):
    tl.check_grads(f, (X,), order=2, modes=("fwd", "rev"))


def scaled(x):
    A = sparse.eye(3) * x[0]
    return np.sum(A @ X)


def scaled_outside(x):
    return np.sum((MATRIX * x[0]) @ X)


def scaled_and_multiplied(x):
    A = x[0] * sparse.eye(3).tocsr()
    return np.sum(A.T @ (A * X))


def shifted(x):
    A = sparse.eye(3).tocsr() - sparse.eye(3) / x[0]
    for _ in range(2):
        x = A @ x
    return np.sum(x)


MATRIX = sparse.csr_matrix(DENSE)


@pytest.mark.parametrize("f", [scaled, scaled_outside, scaled_and_multiplied, shifted])
def test_matrices_are_scaled_by_what_varies(f):
    tl.check_grads(f, (X,), order=2, modes=("fwd", "rev"))


def test_a_matrix_of_keys_is_refused_in_both_modes():
    def f(x):
        A = sparse.dok_matrix((3, 3))
        A[0, 0] = x[0]
        A[1, 1] = A[2, 2] = 1.0
        return linalg.spsolve(A.tocsc(), X)
    for derivative in (tl.jacrev(f), tl.jacfwd(f), lambda x: tl.jvp(f, (x,), (X,))):
        with pytest.raises(TangentError, match="dok_matrix"):
            derivative(X)


def test_what_is_refused_says_so_where_it_stands():
    signal = pytest.importorskip("scipy.signal")

    def spectrum(x):
        frequencies, power = signal.welch(x, nperseg=3)
        return np.sum(power) + frequencies[0]

    with pytest.raises(MissingRuleError, match="no adjoint rule for .*welch"):
        tl.grad(spectrum)(X)
