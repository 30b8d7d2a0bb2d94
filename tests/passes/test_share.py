"""What is computed once: elements that are read again, squares with a minus in front."""

import math

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, -0.7, 1.1, 0.4])


def bell(x):
    return np.sum(np.exp(-x * x))


def tilted(x):
    m = -x
    return np.sum(np.exp(m * x) * m)


def rows(x):
    A = np.outer(x, x)
    total = 0.0
    for i in range(A.shape[0]):
        total = total + np.sum(A[i] * A[i]) * A[i, 0] * A[i, 0]
    return total


def last_element(x):
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i] * x[i]
    return total * x[i] + x[0] * x[0]


def counter_moved(x):
    total = 0.0
    for i in range(2):
        a = x[i]
        i = i + 1
        total = total + a * x[i]
    return total


def written_between(x):
    y = x.copy()
    a = y[0]
    y[0] = np.sin(a)
    b = y[0]
    return a * b + np.sum(y * y)


def nested(x):
    total = 0.0
    for i in range(x.shape[0]):
        a = x[i] * 2.0
        for j in range(i):
            total = total + x[i] * x[j] * a
            x = x * 0.9
    return total


def views_of_written(x):
    """A factor of Cholesky's: the part that is multiplied by itself is of what the loop writes."""
    a = np.outer(x, x) + 3.0 * np.eye(len(x))
    f = np.zeros_like(a)
    for j in range(len(x)):
        f[j, j] = np.sqrt(a[j, j] - f[j, :j] @ f[j, :j])
        for i in range(j + 1, len(x)):
            f[i, j] = (a[i, j] - np.dot(f[i, :j], f[j, :j])) / f[j, j]
    return np.sum(f * f * x)


def view_written_through(x):
    y = x.copy()
    y[::-1][0] *= y[::-1][0]
    y[1:] *= y[1:]
    return np.sum(y)


def view_before_and_behind(x):
    y = x * 1.0
    a = y[1:] * y[1:]
    y[1] = np.sin(x[0])
    return np.sum(a * y[1:]) + y[1:] @ y[1:]


def kept_view(x):
    y = x * 1.0
    first = y[:2]
    second = y[:2]
    a = first * second
    first[0] = x[3]
    return np.sum(a) + second @ second


@pytest.mark.parametrize("function", (bell, tilted, rows, last_element, counter_moved,
                                      written_between, nested, views_of_written,
                                      view_written_through, view_before_and_behind, kept_view))
@pytest.mark.sweep(3)
def test_derivatives(function):
    tl.check_grads(function, (X,), order=2)
    assert np.allclose(tl.grad(function)(X), tl.jacfwd(function)(X), rtol=1e-12)


@pytest.mark.parametrize("x", (0.7, -0.0, 1e200, np.float32(0.7), np.ones((2, 0)),
                               np.array([np.inf, np.nan, -0.0, 5e-324])))
def test_squares_keep_their_values(x):
    with np.errstate(all="ignore"):
        value = tl.value_and_grad(bell)(x)[0]
        assert np.array_equal(value, bell(x), equal_nan=True)


def test_text():
    text = tl.grad(bell).source_for(X)
    assert "bx = -2.0 * bbell * exp_t * x" in text
    text = tl.grad(last_element).source_for(X)
    assert text.count("= x[i]") == 1            # in the loop; behind it there is but one read
    # The name of the user stays what it is.
    assert "m = -x" in tl.grad(tilted).source_for(X)


def test_a_part_that_is_multiplied_by_itself_is_one_view():
    def lengths(x, n):
        total = 0.0
        for i in range(n):
            total += np.sqrt(x[i:] @ x[i:])
        return total

    text = tl.grad(lengths).source_for(X, 2)
    assert text.count("bx[i:] +=") == 1
    assert np.allclose(tl.grad(lengths)(X, 1), X / np.linalg.norm(X))


# Numbers in lists -------------------------------------------------------------------------------
def read_again(x):
    xs = [2.0 * v for v in x]
    for _ in range(3):
        r = math.sqrt(xs[0] * xs[0] + xs[1] * xs[1])
        xs[0] += 0.1 * xs[1] / r
        xs[1] -= 0.1 * xs[0] * xs[0] / r
    return xs[0] * xs[0] + xs[1]


def put_in_between(x):
    xs = [v * v for v in x]
    a = xs[0] * xs[0]
    xs[0] = a * x[1]
    b = xs[0] * xs[0]
    ys = xs
    ys[0] = b * a
    return a * b * xs[0] * xs[0]


def moved_in_between(x):
    xs = [v * v for v in x]
    a = xs[0] * xs[-1]
    xs.append(a)
    b = xs[0] * xs[-1]
    xs.pop(0)
    c = xs[0] * xs[-1]
    xs.insert(0, b)
    d = xs[0] * xs[-1]
    xs.reverse()
    return a + b * c * d + xs[0] * xs[-1]


def put_by_a_function(x):
    xs = [v * v for v in x]

    def halve():
        xs[0] *= 0.5
        return 1.0

    a = xs[0] * xs[0]
    one = halve()
    return a + xs[0] * xs[0] * one * halve() + xs[0]


def another_list_each_time(x):
    rows = [[v, 2.0 * v] for v in x]
    total = 0.0
    for row in rows:
        total += row[0] * row[0] * row[1]
        row[0] = row[1] * row[0]
        total += row[0] * row[0]
    return total


@pytest.mark.parametrize("function", [read_again, put_in_between, moved_in_between,
                                      put_by_a_function, another_list_each_time])
def test_numbers_in_lists(function):
    x = [0.4, 0.9, -0.7]
    steps = np.eye(3) * 1e-6
    wanted = [(function([*(x + e)]) - function([*(x - e)])) / 2e-6 for e in steps]
    assert np.allclose(tl.grad(function)(x), wanted, rtol=1e-7, atol=1e-8)
    assert np.allclose(tl.grad(function)(np.array(x)), wanted, rtol=1e-7, atol=1e-8)


def test_a_number_in_a_list_is_recorded_once():
    text = tl.grad(read_again).source_for([0.4, 0.9])
    assert "math.sqrt(xs_0 * xs_0 + xs_1 * xs_1)" in text
