"""What is computed once: elements that are read again, squares with a minus in front."""

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
