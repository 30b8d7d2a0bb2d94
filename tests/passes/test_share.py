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


@pytest.mark.parametrize("function", (bell, tilted, rows, last_element, counter_moved,
                                      written_between, nested))
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
