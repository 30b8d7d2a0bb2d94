"""Arrays that adjoints read, and that a list holds alone from then on: what is written into the
list later is put back before they are read."""
import numpy as np
import pytest

import tangent_lite as tl

EYE = np.eye(3)


def cubes(y):
    z = y * 1.0
    for _ in range(2):
        z = z * y
    return np.sum(z)


def solved(x):
    a = 3.0 * EYE
    for k in range(2):
        a = a + 0.1 * k * np.outer(x, x)
    return np.linalg.solve(a, x)        # its adjoint reads what it returns


def writes(xs, a):
    xs[0][1] = xs[1][2] * a


def appended(x):
    y = np.exp(x)
    s = np.sum(y ** 3)
    xs = []
    xs.append(y)
    xs[0][1] = x[2] * 2.0
    return s * np.sum(xs[0])


def appended_in_a_loop(x):
    xs, s = [], 0.0
    for k in range(2):
        y = np.exp(x * (k + 1.0))
        s = s + np.sum(y ** 3)
        xs.append(y)
    xs[0][1] = x[2] * 2.0
    return s * np.sum(xs[0] * xs[1])


def read_by_a_helper(x):
    xs, s = [], 0.0
    for k in range(2):
        y = np.exp(x * (k + 1.0))
        s = s + cubes(y)
        xs.append(y)
    xs[0][:] = 0.0
    return s * np.sum(xs[0] + xs[1])


def made_by_a_helper(x):
    xs = [solved(x * k) for k in (1.0, 2.0)]
    xs[0][1] = xs[1][2] * x[0]
    return np.sum(xs[0] * xs[1])


def written_by_a_helper(x):
    xs = [solved(x * k) for k in (1.0, 2.0)]
    writes(xs, x[0])
    return np.sum(xs[0] * xs[1])


def under_another_name(x):
    xs = [solved(x * k) for k in (1.0, 2.0)]
    y = xs[0]
    y[1] = xs[1][2] * x[0]
    return np.sum(xs[0] * xs[1])


def written_while_it_grows(x):
    xs, s = [], 0.0
    for k in range(3):
        y = np.exp(x * (k + 1.0))
        s = s + np.sum(y ** 3)
        xs.append(y)
        if k > 0:
            xs[k - 1][1] = s * 0.01
    return s * np.sum(xs[0] * xs[1])


def read_as_a_view(x):
    xs, s = [], 0.0
    for k in range(3):
        y = np.exp(x * (k + 1.0))
        z = y[1:]
        s = s + np.sum(z ** 3)
        xs.append(y)
    xs[1][1] = s * 0.01
    return s * np.sum(xs[0] * xs[1])


def element_by_element(x):
    xs, s, n = [], 0.0, 0
    while n < 3:
        y = np.exp(x * (n + 1.0))
        s = s + np.sum(y ** 3)
        xs.append(y)
        n = n + 1
    for i in range(len(xs)):
        for j in range(3):
            xs[i][j] = xs[i][j] * s * 0.01
    return s * np.sum(xs[0] * xs[1])


def in_place(x):
    xs, s = [], 0.0
    for k in range(2):
        y = np.exp(x * (k + 1.0))
        s = s + np.sum(y ** 3)
        xs.insert(0, y)
    xs[0] += x
    xs[1] *= 2.0
    return s * np.sum(xs[0] * xs[1])


def in_a_display(x):
    y = np.exp(x)
    s = np.sum(y ** 3)
    xs = [y, np.sin(x)]
    xs[0][1] = x[2] * 2.0
    return s * np.sum(xs[0] * xs[1])


def looped_over(x):
    xs, s = [], 0.0
    for k in range(2):
        xs.append(np.exp(x * (k + 1.0)))
    for v in xs:
        s = s + cubes(v)
    xs[0][1] = x[2] * 2.0
    return s * np.sum(xs[0] * xs[1])


PROGRAMS = [appended, appended_in_a_loop, read_by_a_helper, made_by_a_helper, written_by_a_helper,
            under_another_name, written_while_it_grows, read_as_a_view, element_by_element,
            in_place, in_a_display, looped_over]
X = np.array([0.3, 0.5, 0.7])


def slopes(f, step=1e-6):
    return [(f(X + h) - f(X - h)) / (2.0 * step) for h in step * EYE]


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_a_list_holds_is_put_back(f):
    d, expected = tl.grad(f), slopes(f)
    for _ in range(2):
        np.testing.assert_allclose(d(X), expected, rtol=1e-6, atol=1e-7)
    value, pullback = tl.vjp(f, X)
    for _ in range(2):
        np.testing.assert_allclose(2.0 * pullback(1.0)[0], pullback(2.0)[0], rtol=1e-12)
    np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-6, atol=1e-7)
    assert value == f(X)
    np.testing.assert_allclose(tl.jvp(f, (X,), (np.ones(3),))[1], np.sum(expected), rtol=1e-6)


@pytest.mark.parametrize("f", PROGRAMS)
def test_twice(f):
    d, along = tl.grad(f), np.array([0.5, -1.0, 0.3])
    expected = (d(X + 1e-5 * along) - d(X - 1e-5 * along)) / 2e-5
    np.testing.assert_allclose(tl.hvp(f)(X, along), expected, rtol=1e-6, atol=1e-6)
    if f not in (looped_over,):                 # by identity
        np.testing.assert_allclose(tl.grad(lambda x: np.sum(d(x) * along))(X), expected,
                                   rtol=1e-6, atol=1e-6)
