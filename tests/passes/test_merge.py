"""Elements reached by several indices, `x[i][j]`: they cost what elements cost."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.linspace(-1.0, 1.3, 12).reshape(3, 4)


def energy(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += x[i][j] * x[i - 1][j] + 0.5 * x[i][j - 1] ** 2
    return total


def written(x):
    y = np.zeros((3, 5))
    for i in range(3):
        for j in range(4):
            y[i][j + 1] = y[i][j] * x[i][j] + x[i - 1][j]
            y[i][0] += x[i][j] ** 2
    return np.sum(y * y)


def three(x):
    cube = x.reshape(2, 3, 2)
    total = 0.0
    for i in range(2):
        total += cube[i][1][0] * cube[1 - i, 2][1] + np.sum(cube[i][0] ** 3)
    return total


def slices(x):
    x = x.copy()
    for i in range(1, 3):
        x[i][1:] = x[i][:-1] * x[i - 1][1:]
        x[i][::2] *= 2.0
    return np.sum(x ** 2)


def bound_between(x):
    total = 0.0
    i = 0
    for j in range(3):
        i, part = i + 1, x[i][j]
        total += part * x[min(i, 2)][j + 1]
        x, i = x * 0.5, i - (j % 2)
    return total


def named(x):
    total = 0.0
    for i in range(3):
        row = x[i]
        total += row[0] * row[1]
    return total


def masks(x):
    total = 0.0
    for i in range(3):
        total += np.sum(x[i][x[i] > 0.0] ** 2) + np.sum(x[i][[0, 2, 0]] ** 2) + x[i][None][0][1]
    return total


def rows_of_lists(x):
    rows = [x * 1.0, x * 2.0]
    total = 0.0
    for k in range(2):
        total += rows[k][0][1] * rows[1 - k][2][k]
    return total


@pytest.mark.parametrize("function", [
    energy, written, three, slices, bound_between, named, masks, rows_of_lists])
def test_derivatives(function):
    tl.check_grads(function, (X,))
    value, gradient = tl.value_and_grad(function)(X)
    assert value == function(X.copy()) and gradient.shape == X.shape


@pytest.mark.parametrize("function", [energy, written, three])
def test_no_row_has_an_adjoint(function):
    source = tl.grad(function).source_for(X)
    lines = [line for line in source.splitlines() if not line.lstrip().startswith("#")]
    assert not any("][" in line for line in lines)
    assert sum("zeros_like" in line for line in lines) <= 2


def test_what_it_is_written_as():
    def f(x):
        return x[0][1] * x[2][3]

    assert tl.grad(f).source_for(X).endswith("""\
    # return x[0][1] * x[2][3]
    bx = np.zeros_like(x)
    bx[2, 3] = bf * x[0, 1]
    bx[0, 1] = bf * x[2, 3]
    return bx
""")


def test_errors_are_those_of_python():
    def f(x, i):
        return x[0][i] + x[i][0]

    with pytest.raises(IndexError):
        tl.grad(f)(X, 3)
    assert tl.grad(f)(X, 2).sum() == 2.0


