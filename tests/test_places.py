"""Loops over the places of arrays: np.ndindex, np.ndenumerate, itertools.product of one thing."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl


def by_shape(x):
    s = 0.0
    for i, j in np.ndindex(x.shape):
        s = s + x[i, j] ** 2 * (i + 1)
    return s


def by_spread_shape(x):
    s = 0.0
    for i, j in np.ndindex(*x.shape):
        if i == 1:
            continue
        s = s + x[i, j] * x[0, j]
    return s


def by_sizes(x):
    y = x.copy()
    n, m = x.shape
    for place in np.ndindex(n, m):
        y[place] = y[place] * np.sin(x[place])
    return np.sum(y * y)


def by_one_size(x):
    v = x[0]
    s = 0.0
    for (k,) in np.ndindex(v.size):
        s = s + v[k] ** 3
    return s


def of_three_axes(x):
    y = x[:, None, :] * x[None, :, :]
    s = 0.0
    for i, j, k in np.ndindex(y.shape):
        s = s + y[i, j, k] * (i - j + 2 * k)
    return s


def numbered(x):
    s = 0.0
    for (i, j), v in np.ndenumerate(x):
        s = s + v * v * (i + 2 * j)
    return s


def numbered_into(x):
    y = np.zeros_like(x)
    for place, v in np.ndenumerate(x):
        y[place] = np.sin(v) * (1 + place[0])
    return np.sum(y ** 2)


def in_comprehensions(x):
    return sum(v ** 3 for place, v in np.ndenumerate(x)) + sum(
        [x[place] ** 2 for place in np.ndindex(x.shape)])


def enumerated(x):
    s = 0.0
    for n, (i, j) in enumerate(np.ndindex(x.shape)):
        s = s + n * x[i, j] ** 2
    return s


def three_times(x):
    s = 0.0
    for i, j, k in itertools.product(range(2), repeat=3):
        s = s + x[i, j] * x[j, k] * x[k, i]
    return s


def left_early(x):
    s = 0.0
    for i, j in np.ndindex(x.shape):
        if s > 1.5:
            break
        s = s + x[i, j] ** 2
    return s


PROGRAMS = [by_shape, by_spread_shape, by_sizes, by_one_size, of_three_axes, numbered,
            numbered_into, in_comprehensions, enumerated, three_times, left_early]


def changed_while_numbered(x):
    """What is read later is what was written on the way: by identity."""
    s = 0.0
    w = x * 1.0
    for _, v in np.ndenumerate(w):
        s = s + v * v
        w[-1, -1] = v * 2.0
    return s + np.sum(w)


def differences(f, x, h=1e-6):
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += h
        down[place] -= h
        found[place] = (f(up) - f(down)) / (2.0 * h)
    return found


@pytest.mark.parametrize("f", [*PROGRAMS, changed_while_numbered])
def test_gradients(f):
    x = np.random.default_rng(5).normal(size=(2, 3)) * 0.7
    np.testing.assert_allclose(tl.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)
    t = np.random.default_rng(6).normal(size=(2, 3))
    np.testing.assert_allclose(tl.jvp(f, (x,), (t,))[1], np.sum(differences(f, x) * t), rtol=1e-6)
    assert tl.value_and_grad(f)(x)[0] == f(x)


@pytest.mark.parametrize("f", PROGRAMS)
def test_by_names(f):
    assert "(tape," not in tl.grad(f).source_for(np.ones((2, 3)))


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_derivatives(f):
    x = np.random.default_rng(7).normal(size=(2, 3)) * 0.7
    v = np.random.default_rng(8).normal(size=(2, 3))
    h = 1e-5
    expected = (tl.grad(f)(x + h * v) - tl.grad(f)(x - h * v)) / (2.0 * h)
    np.testing.assert_allclose(tl.hvp(f)(x, v), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
@pytest.mark.parametrize("f", [by_shape, by_sizes, numbered, numbered_into, in_comprehensions])
def test_no_places(f, shape):
    x = np.full(shape, 0.3)
    np.testing.assert_allclose(tl.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)


def test_text():
    source = tl.grad(by_shape).source_for(np.ones((2, 3)))
    assert "items = places_in(x.shape)" in source
    assert "bx[i, j] += " in source
