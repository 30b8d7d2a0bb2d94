"""Slices in names, powers and sums of ints, what is set together, grids, other shapes, compiled."""
import numpy as np
import pytest

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_reshaping import np_reshape  # noqa: E402
from tests.backends.comparing import held  # noqa: E402

X = np.sin(np.arange(12.0)).reshape(3, 4)


def weighted_by_powers(x):
    k = np.arange(x.size)
    return np.sum(x * (k ** 2 + 2 ** k + (k + 1) ** k + np.power(k, 3)))


def negative_powers(x):
    return np.sum(x * np.arange(1, x.size + 1) ** (np.arange(x.size) - 1))


def powers_of_matrices(x):
    return np.sum(x * np.arange(6).reshape(2, 3) ** np.array([[1], [2]]))


def slices_in_names(x):
    inner, back = slice(1, -1), slice(None, None, -1)
    z = x.copy()
    z[inner] += x[inner] * x[slice(None, -2)]
    z[back] *= x
    for k in range(2):
        part = slice(k, k + 2)
        z[part] = z[part] * x[part]
    return np.sum(z ** 2)


def tuple_of_slices(u):
    inner = (slice(1, -1), slice(1, -1))
    v = u.copy()
    v[inner] = 0.5 * u[slice(2, None), slice(1, -1)] + u[inner] ** 2
    return np.sum(v * v)


def in_brackets(x, a):
    y = np.r_[x[:3], 0.0, a, x[1:]]
    columns = np.c_[x, x[::-1], np.ones(x.size)]
    return np.sum(y ** 3) + np.sum(columns @ columns.T)


def in_blocks(m):
    whole = np.block([[m, np.zeros((2, 2))], [np.eye(2), m.T]])
    return np.sum(whole @ whole) + np.sum(np.block([m, m[:, :1]]) ** 3)


def with_ends(x, a):
    return np.sum(np.diff(x, append=0.0) ** 2 * x) + np.sum(np.diff(x, prepend=x[:1]) * x[::-1]) \
        + np.sum(np.diff(x, prepend=a) ** 3)


def on_a_grid(x, y):
    u, v = np.meshgrid(x, y)
    s, t = np.meshgrid(x, y, indexing="ij", sparse=True)
    return np.sum(np.sin(u * v)) + np.sum(np.cos(s) * t)


def reshaped(x):
    rows = x.T.reshape(-1)
    column = x[:, ::2].reshape(-1, 1)
    middle = np.reshape(x[:, 1], (-1, 1, 1))
    halves = x[::-1].reshape((2, -1))
    return np.sum(rows[:2] ** 2) + np.sum(column ** 3) + np.sum(middle * x[0, 0]) \
        + np.sum(halves[0] * halves[1])


def of_numbers(a, b):
    return pow(a, b) * pow(a, 2) + pow(2, b)


def sloped(x):
    down, across = np.gradient(x)
    return np.sum(down ** 2 * across) + np.sum(np.gradient(x, 0.5, axis=0) ** 3) \
        + np.sum(np.gradient(x[0])[1:] * x[0, 1:])


def counted(x):
    return np.sum(x ** 2) * sum(1 for v in x if v > 0) + sum([v > 0.5 for v in x]) * x[0]


@pytest.mark.parametrize(("function", "argss"), [
    (weighted_by_powers, [(X[0],), (np.zeros(0),)]),
    (negative_powers, [(X[0],)]),
    (powers_of_matrices, [(X[:2, :3],), (X[:1, :1],), (X[:2],)]),
    pytest.param(slices_in_names, [(X[0],), (X[0, :1],), (X[0, :0],)], marks=pytest.mark.slow),
    pytest.param(tuple_of_slices, [(X,), (X[:2, :2],)], marks=pytest.mark.slow),
    pytest.param(in_brackets, [(X[0], 2.0), (X[0, :1], 2.0)], marks=pytest.mark.slow),
    pytest.param(in_blocks, [(X[:2, :2],)], marks=pytest.mark.slow),
    (with_ends, [(X[0], 2.0), (X[0, :1], 2.0)]),
    pytest.param(on_a_grid, [(X[0], X[1, :3]), (X[0, :0], X[0])], marks=pytest.mark.slow),
    pytest.param(reshaped, [(X,), (np.asfortranarray(X),), (X[:2, :2],)], marks=pytest.mark.slow),
    (sloped, [(X,), (X[:2, :2],)]), (counted, [(X[0],), (-X[0],)]),
    (of_numbers, [(1.5, 2.5), (-1.5, 2.0)])])
@pytest.mark.sweep(3)
def test_equal(function, argss):
    held(function, argss)


@pytest.mark.parametrize("shape", [(12,), (4, -1), (2, 1, 6), (3, 2, 2)])
@pytest.mark.sweep(2)
def test_views_are_views(shape):
    """What is written through a view shows in the array, and not what is written into a copy."""
    run = numba.njit(lambda a: np_reshape(a, shape))
    wide = np.arange(24.0).reshape(4, 6)
    for array in (X, X.T, X[::-1], wide[:3, ::-1][:, :4], wide[:2], wide[:, :3], wide[:, 3:].T):
        if array.size != 12:
            continue
        found, expected = run(array), array.reshape(shape)
        np.testing.assert_array_equal(found, expected)
        assert np.shares_memory(found, array) == np.shares_memory(expected, array)
    with pytest.raises(ValueError, match="reshape"):
        run(np.arange(10.0)[::2])
