"""Lists of which a part is replaced: `u[:] = v`, `u[1:-1] = v`, of whatever length."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 0.9, -0.4, 1.2])


def all_of_it(x):
    u = [v for v in x]
    for _ in range(3):
        u[:] = [v + 0.1 * np.sin(v) for v in u]
    return sum(v * v for v in u)


def inner(x):
    u = [v for v in x]
    for _ in range(3):
        u[1:-1] = [u[i] + 0.2 * (u[i + 1] - 2 * u[i] + u[i - 1]) for i in range(1, len(u) - 1)]
    return sum(v * v for v in u)


def of_rows(x):
    m = [[v * k for v in x] for k in range(3)]
    for row in m:
        row[:] = [v * x[0] for v in row]
    return sum(sum(v * v for v in row) for row in m)


def _scale(u, a):
    u[:] = [a * v for v in u]


def by_a_helper(x):
    u = [v for v in x]
    _scale(u, x[0])
    _scale(u, x[1])
    return sum(v * v for v in u)


def shifted(x):
    window, y = [0.0] * 3, 0.0
    for v in x:
        window[1:] = window[:-1]
        window[0] = v * v
        y = y + sum(window) * window[-1]
    return y


def too_short(x):
    total = 0.0
    for n in range(4):
        u = [x[0] * k for k in range(n)]
        u[1:-1] = [v for v in x[:2]]
        u[3:] = [x[1]]
        u[:-2] = [x[2] * x[2], 1.0]
        u[2:1] = [x[3] * 3.0]
        total = total + sum((k + 1) * v for k, v in enumerate(u))
    return total


def grows_and_shrinks(x):
    u = [v for v in x]
    for _ in range(3):
        u[1:2] = [x[0] * v for v in u]
    while len(u) > 2:
        u[:2] = [u[0] * u[1] + 0.5]
    u[:0] = []
    return sum(u)


def itself(x):
    u = [v for v in x]
    w = [v * x[1] for v in x]
    u[:] = u[::-1]
    u[:] = w
    w[0] = 7.0
    return sum(p * q for p, q in zip(u, w))


def of_another_length_behind_loops(x):
    u, y = [v for v in x], 0.0
    for _ in range(3):
        for k in range(len(u)):
            y = y + u[k] * (k + 1)
        u[:] = [v * 2.0 for v in u[:-1]]
    u[:] = u[:1]
    return y * x[0] + sum(u)


def arrays(x):
    u = [x * 1.0, x * x, x * 2.0]
    for _ in range(2):
        u[:] = [v * x[0] for v in u]
        u[1:] = u[:-1]
    return sum(np.sum(v * v) for v in u)


def of_tuples_and_arrays(x):
    u = [v for v in x]
    u[:] = tuple(2.0 * v for v in u)
    u[1:3] = x * x
    u[1:] = (u[0], x[1], u[2])
    return sum(v * v for v in u)


def places_that_vary(x):
    u = [v for v in x]
    for i in range(len(u) - 1):
        u[i:i + 2] = [2.0 * u[i], u[i + 1] * u[i]]
    u[::2] = [v * x[0] for v in u[::2]]
    return sum(v * v for v in u)


def while_looped_over(x):
    u, y = [v for v in x], 0.0
    for v in u:
        y = y + v
        u[:] = [w * 2.0 for w in u]
    return y


BY_NAMES = [all_of_it, inner, of_rows, by_a_helper, shifted, too_short, grows_and_shrinks, itself,
            of_another_length_behind_loops, arrays]


@pytest.mark.parametrize("function", [*BY_NAMES, of_tuples_and_arrays, places_that_vary,
                                      while_looped_over])
def test_gradients(function):
    derivative = tl.value_and_grad(function)
    value, bx = derivative(X)
    assert value == function(X)
    assert derivative._latest.by_identity == (function not in BY_NAMES)
    np.testing.assert_allclose(bx, [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6
                                    for e in np.eye(4)], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", [inner, of_rows, too_short, arrays])
def test_other_modes(function):
    gradient, direction = tl.grad(function)(X), np.array([0.2, -1.0, 0.5, 0.7])
    assert tl.jvp(function, (X,), (direction,))[1] == pytest.approx(gradient @ direction)
    _, pullback = tl.vjp(function, X)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], gradient)
    np.testing.assert_allclose(tl.hessian(function)(X), [
        (tl.grad(function)(X + 1e-5 * e) - tl.grad(function)(X - 1e-5 * e)) / 2e-5
        for e in np.eye(4)], rtol=1e-4, atol=1e-4)
