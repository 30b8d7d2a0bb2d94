"""Lists and branches that hold arrays of ints beside arrays of floats."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 1.2, -0.7])


def items(x):
    parts = [np.arange(3), x]
    total = 0.0
    for part in parts:
        total = total + np.sum(part * part * x)
    return total + np.sum(parts[0] * parts[1])


def elements(x):
    parts = [np.ones(3, bool), x * x]
    total = 0.0
    for k in range(2):
        total = total + parts[k][1] * x[0] * parts[k][2]
    return total


def rows_in_rows(x):
    rows = [[np.arange(3)], [x, x * x]]
    total = 0.0
    for row in rows:
        for part in row:
            total = total + np.sum(part * part * x)
    return total


def appended(x):
    powers = [np.ones(3, int)]
    for _ in range(3):
        powers.append(powers[-1] * x)
    return np.sum(np.sin(np.stack(powers))) + np.sum(powers[0] * powers[2])


def branches(x):
    y = np.arange(3) if x[0] > 1.0 else x * x
    total = 0.0
    for k in range(3):
        total = total + y[k] * y[k] * x[k]
    return total + np.sum(y * x)


@pytest.mark.parametrize("function", [items, elements, rows_in_rows, appended, branches])
def test_adjoints_of_ints_are_floats(function):
    tl.check_grads(function, (X,))
    tl.check_grads(function, (X + 1.0,))


def views_and_copies(x):
    y = np.arange(1, 4) if x[0] > 1.0 else x * x
    total = 0.0
    for z in (y[1:], y * 2, np.maximum(y, 1), y.T, np.concatenate([y, y])):
        for k in range(2):
            total = total + z[k] * z[k] * x[k]
    y = -y
    y[0] = y[1]
    return total + np.sum(y * x)


@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_what_is_computed_of_ints_may_be_ints_too(shift):
    tl.check_grads(views_and_copies, (X + shift,), order=2)


def test_zeros_are_made_as_before_where_all_are_floats():
    def floats(x, k=0):
        parts = [np.ones(3), x]
        return np.sum(parts[k] * parts[1])
    assert "np.zeros_like(item)" in tl.grad(floats).source_for(X)
    assert "zeros_like(parts)" in tl.grad(items).source_for(X)
