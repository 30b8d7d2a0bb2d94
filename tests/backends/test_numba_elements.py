"""Elements of arrays that lie in memory in whatever way, read and written at their places."""
import numpy as np
import pytest

numba = pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite.backends.numba_elements import in_whole_steps, item, put  # noqa: E402

Z = np.random.default_rng(0).normal(size=(6, 9))
FIELDS = np.zeros(8, dtype=[("a", "f8"), ("b", "f8")])
FIELDS["b"] = np.arange(8.0)
PACKED = np.zeros(8, dtype=[("a", "i4"), ("b", "f8")])      # its numbers are not aligned
PACKED["b"] = np.arange(8.0)


@numba.njit
def has_whole_steps(x):
    return in_whole_steps(x)


@numba.njit
def doubled_vector(x, out):
    for i in range(x.size):
        put(out, 2.0 * item(x, i), i)


@numba.njit
def doubled_matrix(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            put(out, 2.0 * item(x, i, j), i, j)


@numba.njit
def doubled_in_place(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            put(x, 2.0 * item(x, i, j), i, j)


@pytest.mark.parametrize("x", [
    Z, Z[:, 2:7], Z[1:, ::2], Z[::-1, ::-1], Z.T, Z[:, :0], Z[:0], Z[:, :1],
    np.broadcast_to(Z[0], (6, 9)), np.broadcast_to(Z[:, :1], (6, 9))],
    ids=["whole", "slice", "steps", "backwards", "turned", "no columns", "no rows", "one column",
         "rows repeated", "columns repeated"])
def test_matrices(x):
    out = np.zeros((x.shape[0], x.shape[1] + 3))[:, 1:1 + x.shape[1]]
    doubled_matrix(x, out)
    np.testing.assert_array_equal(out, 2.0 * x)


@pytest.mark.parametrize("x", [Z[0], Z[:, 3], Z[0, ::-2], Z[0, :0], FIELDS["b"]],
                         ids=["row", "column", "backwards", "empty", "field"])
def test_vectors(x):
    out = np.zeros((x.size, 2))[:, 1]
    doubled_vector(x, out)
    np.testing.assert_array_equal(out, 2.0 * x)


def test_nothing_else_is_written():
    whole = Z.copy()
    doubled_in_place(whole[1:4, 2:5])
    wanted = Z.copy()
    wanted[1:4, 2:5] *= 2.0
    np.testing.assert_array_equal(whole, wanted)


def test_elements_that_lie_whole_elements_apart():
    for x in (Z, Z[:, 1:], Z[:, ::2], Z[0], Z[:, 3], FIELDS["b"]):
        assert has_whole_steps(x) and in_whole_steps(x)
    assert not has_whole_steps(PACKED["b"]) and not in_whole_steps(PACKED["b"])


def by_elements(x):
    t = np.sin(x) * x
    return np.sum(t * t)


def of_a_matrix(x, w):
    h = np.tanh(x[:, 1:] * w)
    return np.sum(h * h)


def test_fields_that_are_not_aligned():
    x = PACKED["b"]
    assert not x.flags.aligned
    derivative = tl.grad(by_elements, backend="numba")
    for one in (np.arange(8.0), np.arange(16.0)[::2], x, np.arange(16.0)[::2], x):
        np.testing.assert_allclose(derivative(one), tl.grad(by_elements)(one), rtol=1e-13)

    @numba.njit
    def called(x):
        return derivative(x)

    np.testing.assert_allclose(called(x), tl.grad(by_elements)(x), rtol=1e-13)
    packed = np.zeros((3, 5), dtype=[("a", "i4"), ("b", "f8")])
    packed["b"] = Z[:3, :5]
    compiled = tl.grad(of_a_matrix, (0, 1), backend="numba")
    for one in (Z[:3, :5], packed["b"]):
        for found, wanted in zip(compiled(one, Z[0, 1:5]),
                                 tl.grad(of_a_matrix, (0, 1))(one, Z[0, 1:5])):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
