"""Loops over items, and repetitions, in the text that runs."""
import numpy as np
import pytest

import tangent_lite as tl

X, Y = np.array([0.3, -0.7, 1.9]), np.array([1.1, 0.4, -0.6])
ROWS = np.array([[0.3, -0.7], [1.9, 0.2], [-0.4, 0.6]])


def items(x, r):
    total = 1.0
    for v in x:
        total = total * (r + v * v)
    return total


def pairs(x, y, r):
    total = 1.0
    for v, w in zip(x, y):
        total = total * (r + v * w)
    return total


def one_of_a_pair(x, y, r):
    total = 1.0
    for v, _ in zip(x, y):
        total = total * (r + v * v)
    return total


def numbered(x, r):
    total = 1.0
    for k, v in enumerate(x):
        total = total * (r + v * k)
    return total


def rows(x, r):
    total = 1.0
    for a, b in x:
        total = total * (r + a * b)
    return total


def numbers_are_needed(x, r):
    total = 1.0
    for k in range(len(x)):
        v = x[k]
        total = total * (r + v * k)
    return total


def written_to(x, r):
    x = x.copy()
    total = 1.0
    for v in x:
        x[0] = x[0] * r
        total = total * (1.0 + v * x[0])
    return total


def repeated(x, r):
    y = np.sum(x)
    for _ in range(3):
        y = r * y
    return y


def late(x, r):
    total = 1.0
    for _ in range(2, 5):
        total = total * r + x[0]
    return total


def last_value(x, r):
    total = 1.0
    for v in x:
        total = total * (r + v)
    return total * v


CASES = {
    items: ((X, 1.5), "for v in x:"),
    pairs: ((X, Y, 1.5), "for v, w in zip(x, y):"),
    one_of_a_pair: ((X, Y, 1.5), "for v, _ in zip(x, y):"),
    numbered: ((X, 1.5), "for k, v in enumerate(x):"),
    rows: ((ROWS, 1.5), "for a, b in x:"),
    numbers_are_needed: ((X, 1.5), "for k in range(len(x)):"),
    written_to: ((X, 0.9), "for k in range(len(x)):"),
    repeated: ((X, 1.5), "for _ in range(3):"),
    late: ((X, 1.5), "for _ in range(2, 5):"),
    last_value: ((X, 1.5), "for v in x:"),
}


def differences(function, args, h=1e-6):
    x, *rest = args
    found = np.zeros_like(x)
    for spot in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[spot] = h
        found[spot] = (function(x + step, *rest) - function(x - step, *rest)) / (2.0 * h)
    return found


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_text_and_gradient(function):
    args, expected = CASES[function]
    assert expected in tl.grad(function).source_for(*args)
    np.testing.assert_allclose(tl.grad(function)(*args), differences(function, args), rtol=1e-6,
                               atol=1e-8)


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_nothing(function):
    """Loops over nothing, with lists too."""
    args, _ = CASES[function]
    if function in (last_value, written_to, late):
        return
    empty = [a[:0] if isinstance(a, np.ndarray) else a for a in args]
    assert tl.grad(function)(*empty).shape == empty[0].shape


def test_a_name_of_the_user_stays():
    def f(x, _):
        y = x * _
        for k in range(3):
            y = y * x
        return y

    assert tl.grad(f)(2.0, 5.0) == 5.0 * 4.0 * 8.0


def test_sequences_of_other_lengths():
    found = tl.grad(pairs)(X, Y[:2], 1.5)
    np.testing.assert_allclose(found, differences(pairs, (X, Y[:2], 1.5)), atol=1e-8)


def test_forward_mode():
    value, slope = tl.jvp(pairs, (X, Y, 1.5), (np.ones(3), None, None))
    assert value == pairs(X, Y, 1.5)
    np.testing.assert_allclose(slope, np.sum(differences(pairs, (X, Y, 1.5))), rtol=1e-6)
