"""scipy.sparse: matrices that share their numbers with arrays, and what is changed in place."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import TangentError

sp = pytest.importorskip("scipy.sparse")

N = 4
X, V = np.array([1.5, 0.5, 0.7, 0.9]), np.arange(1.0, N + 1.0)
PLACES, STARTS = np.arange(N), np.arange(N + 1)
CONSTANT = sp.csr_array(np.eye(N) * 2.0 + np.eye(N, k=1))


def rows_written_behind(x):
    d = x * 1.0
    A = sp.csr_array((d, PLACES, STARTS), shape=(N, N))
    d[0] = 5.0 * x[1]
    return np.sum((A @ V) ** 2)


def columns_written_behind(x):
    d = x * 1.0
    B = sp.csc_array((d, PLACES, STARTS), shape=(N, N)).T
    d += x
    return np.sum((B @ V) ** 2)


def triplets_written_behind(x):
    d = x * 1.0
    A = sp.coo_matrix((d, (PLACES, PLACES)), shape=(N, N))
    d *= 2.0
    return np.sum((A @ V) ** 2)


def constants_written_behind(x):
    d = np.ones(N)
    A = sp.csr_array((d, PLACES, STARTS), shape=(N, N))
    d[0] = x[0]
    return np.sum((A @ V) ** 2)


def numbers_of_a_constant(x):
    A = CONSTANT.copy()
    A.data[0] = x[0]
    return np.sum((A @ V) ** 2)


def numbers_by_a_name(x):
    A = sp.eye_array(N).tocsr()
    numbers = A.data
    numbers[:] = x
    return np.sum((A @ V) ** 2)


def diagonal_that_is_a_view(x):
    A = sp.diags_array(x)
    d = A.diagonal()
    d[0] *= 3.0
    return np.sum((A @ x) ** 2)


@pytest.mark.parametrize("f", [
    rows_written_behind, columns_written_behind, triplets_written_behind, constants_written_behind,
    numbers_of_a_constant, numbers_by_a_name, diagonal_that_is_a_view], ids=lambda f: f.__name__)
def test_what_changes_a_matrix_in_place_is_refused(f):
    with pytest.raises(TangentError, match="in place|by identity"):
        tl.grad(f)(X)
    with pytest.raises(TangentError, match="in place|by identity"):
        tl.jvp(f, (X,), (V,))


def constants_in_a_matrix(x):
    A = CONSTANT.copy()
    A.data[:] = 2.0
    A.data[0] += 1.0
    return np.sum((A @ x) ** 2)


def test_numbers_of_an_argument():
    def f(x, A):
        A.data[0] = x[0]
        return np.sum((A @ V) ** 2)

    with pytest.raises(TangentError, match="in place"):
        tl.grad(f)(X, CONSTANT.copy())


def diagonal_written_behind(x):
    d = x * 1.0
    A = sp.diags_array(d)           # which has numbers of its own
    d[0] = 5.0 * x[1]
    return np.sum((A @ V) ** 2) + d[0]


def array_scaled_behind(x):
    y = x * 1.0
    A = sp.diags_array(y)
    y *= 2.0
    z = V * 1.0
    u = A @ z
    z *= y
    B = sp.diags(z)
    z[0] = 0.0
    return np.sum((A @ u) ** 2) + np.sum((B @ V) ** 2)


def filled_in_front(x):
    d, total = np.zeros(N), 0.0
    for k in range(3):
        for i in range(N):
            d[i] = x[i] ** 2 * k
        A = sp.csr_array((d, PLACES, STARTS), shape=(N, N))
        total = total + np.sum((A @ V) ** 2)
    return total


@pytest.mark.parametrize("f", [
    constants_in_a_matrix, diagonal_written_behind, array_scaled_behind, filled_in_front],
                         ids=lambda f: f.__name__)
def test_what_changes_no_matrix_has_its_derivative(f):
    h = 1e-6
    by_differences = [(f(X + h * e) - f(X - h * e)) / (2.0 * h) for e in np.eye(N)]
    np.testing.assert_allclose(tl.grad(f)(X), by_differences, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tl.jacfwd(f)(X), by_differences, rtol=1e-6, atol=1e-7)
