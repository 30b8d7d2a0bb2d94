"""What is the same in each iteration is read in front of the loop."""

import numpy as np
import pytest

import tangent_lite as tl


def flat(x):
    total = 0.0
    for k in range(x.size):
        total += x.flat[k] ** 2
    return total


def in_a_row(x, y):
    total = 0.0
    for k in range(3):
        total += np.sin(x.ravel()[k]) * x.reshape(-1)[k + 1] + y.T[k, 0]
    return total


def without_a_trip(x, y):
    total = x[0, 0]
    k = 0
    while k < 0:
        total += y.T[1, 0]
        k += 1
    return total


def changed(x, y):
    total = 0.0
    for k in range(4):
        total += x.ravel()[k] * y.T[1, 0]
        y[0, 1] = total
    return total


def changed_elsewhere(x, y):
    z = y[:]
    total = 0.0
    for k in range(3):
        total += y.T[1, 0] * x[0, 1]
        z[0, 1] = total + 1.0
    return total


def changed_apart(x, y):
    z = (x * y)[:, ::2]                 # of which ravel makes a copy, each time anew
    total = 0.0
    for k in range(4):
        total += z.ravel()[0] * x[1, 1]
        z[0, 0] = total + k
    return total


def changed_in_a_row(x, y):
    z = np.asfortranarray(x * y)
    total = 0.0
    for k in range(4):
        total += z.reshape(-1)[k]
        z *= 0.5
    return total


def bound_anew(x, y):
    total = 0.0
    for k in range(3):
        total += x.ravel()[k]
        x = x * y
    return total


def whole(x, y):
    for _ in range(2):
        x = np.tanh(x @ y.T @ y)
    return np.sum(x)


X, Y = np.random.default_rng(0).normal(size=(2, 2, 3))


@pytest.mark.parametrize("function", [in_a_row, without_a_trip, changed, changed_elsewhere,
                                      changed_apart, changed_in_a_row, bound_anew, whole])
def test_derivatives(function):
    tl.check_grads(function, (X, Y), order=1)


def test_elements_in_a_row():
    tl.check_grads(flat, (X,))
    text = tl.grad(flat).source_for(X)
    # One adjoint for all iterations, and nothing on a tape.
    assert text.count("zeros_like") == 1 and "append" not in text


def test_what_is_multiplied_stays():
    before, _, behind = tl.grad(whole, wrt="x").source_for(X, Y).partition("    for ")
    assert "y.T" not in before and "y.T" in behind
