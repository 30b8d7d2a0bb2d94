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


# What is written into an array of ints is cut off: nothing of it varies.
def number_or_int(t):
    return 2.5 * t if t > 0.5 else 0


def of_numbers(x):
    y = np.array([number_or_int(t) for t in x])
    y[0] = x[1] * 1.5
    return np.sum(y)


def like_numbers(x):
    y = np.zeros_like(np.array([number_or_int(t) for t in x]))
    for k in range(3):
        y[k] = x[k] * 1.5
    return np.sum(y * x)


def of_the_type_of_a_number(x):
    y = np.zeros(3, np.asarray(number_or_int(x[0])).dtype)
    y[1:] = x[:2] * 1.5
    return np.sum(y)


def filled_with_a_number(x):
    total = 0
    for t in x:
        if t > 0.5:
            total += t
    y = np.full(3, total)
    y[2] += x[0] * 3.0
    return np.sum(y)


def the_larger_one(x):
    y = np.array([max(0, t) for t in x])
    y[0] = x[1] * 1.5
    return np.sum(y)


def arrays_of_one_type(x):
    y = np.arange(3) if x[0] > 0.5 else np.zeros(3)
    z = np.empty(3, y.dtype)
    z[:] = x * 1.5
    return np.sum(z)


@pytest.mark.parametrize("function", [of_numbers, like_numbers, of_the_type_of_a_number,
                                      filled_with_a_number, the_larger_one, arrays_of_one_type])
@pytest.mark.parametrize("x", [np.array([0.7, 0.9, 1.2]), np.array([0.1, 0.2, 0.3]),
                               np.array([-0.7, -0.9, -1.2])])
def test_what_ints_cut_off_has_no_derivative(function, x):
    gradient = tl.grad(function)(x)
    wanted = [(function(x + 1e-6 * e) - function(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)


def test_the_type_of_an_array_is_known():
    def made_like(x):
        y = np.zeros(3, dtype=x.dtype)
        for k in range(3):
            y[k] = x[k] * x[k]
        return np.sum(y * y)
    text = tl.grad(made_like).source_for(X)
    assert "unbroadcast" not in text and "unreduce" not in text
    tl.check_grads(made_like, (X,))
