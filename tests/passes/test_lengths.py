"""Lengths that nothing changes have no names and no records; those that change have."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, -0.7, 1.9, 0.4])
LIST = [0.3, -0.7, 1.9, 0.4]


def in_a_loop(x, n):
    total = 1.0
    for _ in range(n):
        for k in range(len(x)):
            total = total * (1.0 + 0.1 * x[k])
    return total


def written(x, n):
    x = x.copy()
    for _ in range(n):
        for k in range(1, len(x)):
            x[k] = x[k] * x[k - 1]
    return np.sum(x)


def items_change(x, n):
    y = [v * v for v in x]
    for _ in range(n):
        for k in range(len(y)):
            y[k] = y[k] * x[0]
    return sum(y)


def divided(x, n):
    total = 0.0
    for k in range(n):
        total += x[k] * total + x[k] / len(x)
    return total


def grows(x, n):
    y = [x[0]]
    total = 0.0
    for _ in range(n):
        for k in range(len(y)):
            total += y[k] * x[1]
        y.append(total * x[2])
    return total


def bound_anew(x, n):
    y = x
    total = 0.0
    for _ in range(n):
        for k in range(len(y)):
            total += y[k] * y[k] * x[1]
        y = y[1:]
    return total


def shrinks(x, n):
    y = [v * 2.0 for v in x]
    total = 1.0
    for _ in range(n):
        for k in range(len(y)):
            total = total * (1.0 + y[k] * x[1])
        y.pop()
    return total


def differences(function, x, n, h=1e-6):
    found = []
    for k in range(len(x)):
        above, below = list(x), list(x)
        above[k], below[k] = x[k] + h, x[k] - h
        if isinstance(x, np.ndarray):
            above, below = np.array(above), np.array(below)
        found.append((function(above, n) - function(below, n)) / (2.0 * h))
    return found


@pytest.mark.parametrize(("function", "x"), [
    (in_a_loop, X), (in_a_loop, LIST), (written, X), (items_change, LIST), (divided, X),
    (divided, LIST), (grows, X), (grows, LIST), (bound_anew, X), (bound_anew, LIST),
    (shrinks, X), (shrinks, LIST)], ids=lambda p: getattr(p, "__name__", type(p).__name__))
def test_gradients(function, x):
    np.testing.assert_allclose(tl.grad(function)(x, 3), differences(function, x, 3), rtol=1e-6,
                               atol=1e-9)


@pytest.mark.parametrize(("function", "x"), [
    (in_a_loop, X), (in_a_loop, LIST), (written, X), (divided, X)],
    ids=lambda p: getattr(p, "__name__", type(p).__name__))
def test_what_stays_is_asked_for_again(function, x):
    text = tl.grad(function).source_for(x, 3)
    assert "stop" not in text and "len_x_tape" not in text
    assert "len(" in text[text.index("# Backward"):]


@pytest.mark.parametrize("function", [grows, shrinks])
def test_what_changes_is_kept(function):
    assert "stop_tape" in tl.grad(function).source_for(X, 3)


def test_nothing_is_recorded_of_an_array_for_its_length():
    text = tl.grad(written).source_for(X, 3)
    assert text.count("_tape = []") == 1
