"""Values that are read from the element they were written to, before that is put back."""

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 0.4, 0.8, 0.2, 0.6])


def exponentials(x, w):
    y = x.copy()
    for i in range(1, x.shape[0]):
        y[i] = np.exp(y[i] * w - y[i - 1])
    return np.sum(y * y)


def overwritten_again(x, w):
    y = x.copy()
    for i in range(1, x.shape[0]):
        y[i] = np.tanh(y[i] * w)
        y[i] = y[i] / (y[i - 1] + 2.0)
        y[i - 1] = np.sqrt(y[i] + 1.0)
    return np.sum(y * y)


def bound_anew(x, w):
    y = x.copy()
    for i in range(1, x.shape[0]):
        y[i] = np.exp(y[i] * w)
        y = y * y[0]
    return np.sum(y * y)


def in_branches(x, w):
    y = x.copy()
    for i in range(1, x.shape[0]):
        s = np.sqrt(y[i] * w + 3.0)
        if s > 1.85:
            y[i] = s * s * 0.1
        y[i - 1] = s
        y[i] = y[i] / (s + y[i - 1])
    return np.sum(y * y)


def through_a_view(x, w):
    y = x.copy()
    v = y[1:]
    for i in range(v.shape[0]):
        v[i] = np.exp(v[i] * w)
        y[i] = np.sin(v[i]) * y[i]
    return np.sum(y * y)


def left_early(x, w):
    y = x.copy()
    for i in range(x.shape[0]):
        y[i] = 1.0 / (1.0 + np.exp(-y[i] * w))
        if y[i] > 0.6:
            break
        y[i] = y[i] * y[0]
    return np.sum(y * y)


def index_moves(x, w):
    y = x.copy()
    for i in range(1, x.shape[0]):
        j = i % 2
        y[j] = np.sqrt(y[i] * w + 3.0)
        j = j + 1
        y[j] = np.tanh(y[j] * y[j - 1])
    return np.sum(y * y)


def read_later(x, w):
    y = x.copy()
    total = 0.0
    for i in range(1, x.shape[0]):
        s = np.exp(y[i] * w)
        y[i] = s
        total = total + s * s * y[i - 1]
        y[i] = 0.5 * y[i] * s
    return total + np.sum(y)


def nested(x, w):
    A = np.outer(x, x)
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = np.exp(A[i, j] * w) / A[j, j]
            A[j, i] = np.log(A[i, j] + 2.0)
    return np.sum(A * A)


def at_while(x, w):
    y = x.copy()
    k = 0
    while k < y.shape[0]:
        y[k] = np.sqrt(y[k] * w + y[0])
        k = k + 2
    return np.sum(y * y)


CASES = (exponentials, overwritten_again, bound_anew, in_branches, through_a_view, left_early,
         index_moves, read_later, nested, at_while)


@pytest.mark.parametrize("function", CASES)
@pytest.mark.parametrize("size", (1, 2, 5))
@pytest.mark.sweep(8)
def test_derivatives(function, size):
    if function is index_moves and size < 3:
        size = 3
    tl.check_grads(function, (X[:size], 0.7), order=2)
    both = tl.grad(function, wrt=(0, 1))
    pushed = tl.jacfwd(function, wrt=(0, 1))
    for found, wanted in zip(both(X[:size], 0.7), pushed(X[:size], 0.7)):
        assert np.allclose(found, wanted, rtol=1e-12, atol=1e-14)
    single = X[:size].astype(np.float32)
    assert np.allclose(tl.grad(function)(single, 0.7), both(X[:size], 0.7)[0], rtol=2e-4)


def test_no_tape_where_the_array_holds_the_value():
    assert "_tape" not in tl.grad(exponentials).source_for(X, 0.7)
    text = tl.grad(exponentials, wrt=(0, 1)).source_for(X, 0.7)
    assert text.count("_tape = []") == 1
    # What it overwrote is on the tape, for the adjoint of w; the value itself is read first.
    assert text.index("exp_t = y[i]") < text.index("y_i = y_i_tape.pop()")


def whole_numbers(x, n):
    y = np.zeros(3, dtype=int)
    total = 0.0
    for i in range(n):
        s = np.exp(x * i)
        y[i] = s                        # which keeps the whole part only
        total = total + s * y[i]
    return total


def test_what_an_array_rounds_is_not_read_from_it():
    found = tl.grad(whole_numbers)(0.7, 3)
    parts = [np.floor(np.exp(0.7 * i)) * i * np.exp(0.7 * i) for i in range(3)]
    assert found == pytest.approx(sum(parts))
