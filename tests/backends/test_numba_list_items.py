"""Lists that begin with ints and come to hold floats: in compiled code they begin with floats."""
import numpy as np
import pytest

pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402

X = np.array([1.3, 0.7, -0.9, 1.1])


def one_by_one(x):
    v = [0, 2]
    v[0] = x[0] * x[1]
    v[1] = v[0] * v[1] + x[2]
    return v[0] * v[1]


def in_a_loop(x):
    n = len(x)
    v, counts = [0] * n, [0, 0]
    for i in range(n):
        v[i] = x[i] ** 3
        counts[i % 2] += 1
    return v[0] * v[1] * counts[0] + v[3] / counts[1]


def added_up(x):
    sums = [0, 0, 1]
    for i in range(len(x)):
        sums[i % 3] += x[i] * x[i]
    return sums[0] * sums[1] * sums[2]


def products(x):
    n = len(x)
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(2):
                rows[i][j] += x[i] * x[j] ** k
    return rows[0][1] * rows[2][3] + rows[1][0]


def rows_with_names(x):
    rows = []
    for _ in range(2):
        row = [0, 1]
        rows.append(row)
    rows[0][1] = x[0] * x[1]
    return rows[0][1] ** 2 * rows[1][1]


def shifted(x):
    last = [0, 0]
    for i in range(len(x)):
        last[1] = last[0]
        last[0] = x[i] * x[i]
    return last[0] * last[1]


@pytest.mark.parametrize("f", [one_by_one, in_a_loop, added_up, products, rows_with_names, shifted])
def test_values_and_gradients_are_those_of_python(f):
    value, gradient = tl.value_and_grad(f, backend="numba")(X)
    assert value == f(X)
    assert np.allclose(gradient, tl.grad(f)(X), rtol=1e-14, atol=1e-14)


def zeros(n):
    return [0] * n


def of_a_function(x):
    v = zeros(3)
    v[1] = x[0] * x[1]
    return v[1] * v[1]


def truths(x):
    v = [True, False]
    v[0] = x[0] * x[1]
    return v[0] * x[2]


@pytest.mark.parametrize("f", [of_a_function, truths])
def test_what_would_be_cut_is_refused(f):
    with pytest.raises(tl.TangentError, match=r"a list of (int64|bool) holds no float64"):
        tl.grad(f, backend="numba")(X)
