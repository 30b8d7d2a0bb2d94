"""Factorisations, and linear algebra of stacks of matrices, in compiled derivatives."""
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tests.backends.comparing import held  # noqa: E402

rng = np.random.default_rng(3)


def drawn(*shape):
    return rng.normal(size=shape)


def symmetric(*shape):
    x = drawn(*shape)
    return x + np.swapaxes(x, -1, -2)


def regular(*shape):
    return drawn(*shape) + 3.0 * np.eye(shape[-1])


def of_eigenvectors(x):
    w, v = np.linalg.eigh(x)
    return np.sum(w * v ** 3) + np.sum(np.linalg.eigvalsh(x, "U") ** 3)


def test_eigenvectors():
    x = symmetric(3, 3)
    spoiled = x.copy()
    spoiled[1, 1] = np.nan
    held(of_eigenvectors, [[x], [x + 1.0], [np.eye(3)], [np.ones((1, 1))], [np.zeros((0, 0))],
                           [spoiled], [np.full((2, 2), np.inf)], [np.zeros((2, 3))]])


@pytest.mark.slow
def test_eigenvectors_of_other_matrices():
    held(of_eigenvectors, [[np.asfortranarray(drawn(3, 3))], [symmetric(6, 6)[::2, ::2]]])
    held(of_eigenvectors, [[symmetric(2, 3, 3)], [np.zeros((0, 3, 3))], [symmetric(1, 1, 1)]])


def of_all_eigenvalues(x):
    w, v = np.linalg.eig(x)
    return np.sum(w * v ** 3) + np.sum(np.linalg.eigvals(x).real ** 2)


@pytest.mark.slow
def test_eigenvalues_of_any_matrices():
    held(of_all_eigenvalues, [[symmetric(3, 3)], [np.triu(drawn(3, 3))], [np.ones((1, 1))]], 1e-10)


def of_eigenvalues(x):
    return np.sum(np.linalg.eigvals(x).real ** 2)


def test_complex_eigenvalues_are_found_in_python():
    turning = np.array([[0.0, -1.0], [1.5, 0.2]])
    held(of_eigenvalues, [[turning]], runs_in_python=True)


def of_singular_vectors(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return np.sum((u ** 3) @ (vh ** 2)) + np.sum(s ** 3)


def of_singular_values(x):
    return np.sum(np.linalg.svd(x)[1] ** 3) + np.sum(np.linalg.svd(x, compute_uv=False))


@pytest.mark.slow
def test_singular_values():
    held(of_singular_values, [[drawn(4, 2)], [drawn(2, 4)], [np.zeros((2, 2))]], 1e-10)


def test_singular_vectors():
    held(of_singular_vectors, [[drawn(4, 2)], [drawn(2, 4)], [drawn(1, 1)], [np.zeros((2, 2))],
                               [np.full((2, 2), np.nan)], [np.zeros((0, 2))]], 1e-10)


def of_orthogonal_factors(x):
    q, r = np.linalg.qr(x)
    return np.sum(np.cos(q @ r)) + np.sum(q ** 3) + np.sum(np.linalg.qr(x, "r") ** 2)


@pytest.mark.slow
def test_orthogonal_factors():
    held(of_orthogonal_factors, [[regular(3, 3)], [drawn(4, 2)], [drawn(1, 1)],
                                 [np.zeros((2, 2))]], 1e-10)


def of_systems(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def of_determinants(a):
    return np.sum(np.linalg.inv(a) ** 2) + np.sum(np.linalg.det(a) ** 2) + np.sum(
        np.linalg.slogdet(a)[1])


@pytest.mark.slow
def test_determinants_of_stacks():
    held(of_determinants, [[regular(2, 3, 3)], [regular(1, 1, 1)], [np.zeros((0, 2, 2))],
                           [np.stack([np.eye(2), np.zeros((2, 2))])]], 1e-10)


def test_systems_of_stacks():
    held(of_systems, [[regular(2, 3, 3), drawn(2, 3, 2)], [regular(2, 3, 3), drawn(1, 3, 2)],
                      [regular(1, 1, 1), drawn(1, 1, 1)], [np.zeros((0, 2, 2)), drawn(0, 2, 1)],
                      [np.stack([np.eye(2), np.zeros((2, 2))]), drawn(2, 2, 1)],
                      [drawn(2, 2, 3), drawn(2, 2, 1)]], 1e-10)


@pytest.mark.slow
def test_systems_that_lie_otherwise():
    held(of_systems, [[regular(2, 3, 3).transpose(0, 2, 1), drawn(2, 3, 2)[:, ::-1]]], 1e-10)


def of_factors_of_stacks(a):
    spread = a @ np.swapaxes(a, -1, -2) + np.eye(a.shape[-1])
    return np.sum(np.linalg.cholesky(spread) ** 3) + np.sum(np.linalg.pinv(a) ** 2) + np.sum(
        np.linalg.matrix_power(a, 3))


@pytest.mark.slow
def test_factors_of_stacks():
    held(of_factors_of_stacks, [[regular(2, 2, 2)], [regular(1, 1, 1)]], 1e-10)


def of_least_squares(a, b):
    x, rest, rank, s = np.linalg.lstsq(a, b, rcond=None)
    return np.sum(x ** 3) * rank + np.sum(rest) + np.sum(s ** 2)


@pytest.mark.slow
def test_least_squares():
    held(of_least_squares, [[drawn(4, 2), drawn(4)], [drawn(3, 3), drawn(3)],
                            [drawn(1, 1), drawn(1)]], 1e-10)


def of_norms(x):
    largest = np.linalg.norm(x, np.inf, axis=(0, 1), keepdims=True)
    return np.linalg.norm(x, "nuc") + np.linalg.norm(x, 2) + np.linalg.cond(x) + np.sum(
        np.linalg.norm(x, 3, axis=-1)) + np.sum(largest)


def of_chains(x):
    return np.sum(np.linalg.multi_dot([x, x, x]) ** 2) * np.trace(x) + np.sum(
        np.linalg.tensorinv(x, 1) ** 2)


@pytest.mark.slow
def test_chains():
    held(of_chains, [[regular(3, 3)], [np.ones((1, 1))], [np.zeros((2, 2))]], 1e-10)


@pytest.mark.slow
def test_norms():
    held(of_norms, [[drawn(3, 2)], [np.zeros((2, 2))], [np.array([[np.inf, 1.0], [2.0, 3.0]])]],
         1e-10)


def of_ints(x, a):
    return np.sum(np.linalg.solve(a, x)) + np.sum(np.linalg.eigh(a)[1][0] * x)


def test_whole_numbers():
    a = np.array([[2, 1], [1, 3]])
    compiled, plain = (tl.grad(of_ints, backend=b) for b in ("numba", "python"))
    assert np.allclose(compiled(np.ones(2), a), plain(np.ones(2), a), rtol=1e-14)


def in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        w, v = np.linalg.eigh(x * (k + 1.0))
        total = total + np.sum(v[0] * w)
    return total


@pytest.mark.slow
def test_steps_of_a_loop():
    x = symmetric(3, 3)
    compiled, plain = (tl.grad(in_a_loop, backend=b) for b in ("numba", "python"))
    assert np.allclose(compiled(x, 4), plain(x, 4), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("function, x", [
    (of_eigenvectors, symmetric(3, 3)), (of_singular_vectors, drawn(3, 2)),
    (of_orthogonal_factors, regular(3, 3)), (of_norms, drawn(3, 2))])
def test_against_differences(function, x):
    along = np.cos(np.arange(x.size)).reshape(x.shape)
    if function is of_eigenvectors:
        along = along + along.T
    gradient = tl.grad(function, backend="numba")(x)
    ends = [function(x + h * along) for h in (1e-5, -1e-5)]
    assert np.isclose((ends[0] - ends[1]) / 2e-5, np.sum(gradient * along), rtol=1e-6)
