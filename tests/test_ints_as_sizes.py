"""Ints among the arguments are sizes: what is written for one serves others, or is written anew.

Each program is called with several ints, in two orders, so that code that was written for one is
asked to serve another; gradients are compared with differences of the function itself.
"""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.7, 1.3, 2.1, 0.4])


def rows_filled(x, n, m):
    a = np.zeros((n, m))
    for i in range(n):
        a[i] = x[:m] * (i + 1.0)
    return np.sum(a * a)


def bound_anew(x, n):
    if n > len(x):
        n = len(x)
    y = np.zeros(n)
    y += x[:n]
    return np.sum(y * y * y)


def counted_down(x, n):
    total = 0.0
    while n > 0:
        total = total + np.sum(np.ones(n) * x[:n])
        n -= 1
    return total


def counted_up(x, n):
    n = n - 1
    y = np.zeros(n)
    for _ in range(2):
        y = np.concatenate([y, x[:n]])
        n += 1
    return np.sum(y * y)


def behind(x, k):
    y = np.zeros(len(x) - k)
    y += x[k:] - x[:len(x) - k]
    return np.sum(y ** 2)


def windows(x, w):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.mean(x[max(0, i - w):min(len(x), i + w + 1)])
    return np.sum(out ** 2)


def batch(x, size, i):
    part = x[i * size:(i + 1) * size]
    w = np.ones(size)
    if len(part) < size:
        w = w[:len(part)]
    return np.sum((part * w) ** 2)


def spread(x, n):
    return np.sum((x + np.zeros(n)) ** 2)


def two_sizes(x, a, b):
    return np.sum((np.zeros(a) + np.ones(b) * x[0]) ** 2 * x[1])


def table(x, a, b):
    u, v = np.zeros(a), np.ones(b)
    return np.sum((u[:, None] + v) * x[0]) + np.sum(np.broadcast_to(x[1], (a, b)) ** 2)


def reshaped(x, n):
    return np.sum(x.reshape(n, -1).sum(axis=0) ** 2)


def reshaped_whole(x, n):
    return np.sum((x.reshape(n) + np.ones(4)) ** 2)


def counting(x, n):
    """np.arange of less than nothing is nothing."""
    return np.sum(x[:1] * np.arange(n) ** 2)


def drawn(x, n):
    rng = np.random.default_rng(0)
    acc = np.zeros(n)
    acc += x[0] * rng.normal(size=n) + x[1]
    acc *= x[0] * np.linspace(0.0, 1.0, n) + np.arange(n)
    return np.sum(acc)


def in_place(x, n):
    s = np.full(n, x[0])
    s *= x[1]
    s /= x[2:3]
    t = np.zeros((2, n))
    t += s
    t *= s
    return np.sum(t)


def along(x, axis):
    return np.sum(np.mean(np.outer(x, x), axis=axis) ** 3)


PROGRAMS = [
    (rows_filled, [(2, 3), (3, 3), (1, 1), (0, 2), (2, 4), (2, 0)]),
    (bound_anew, [(2,), (4,), (9,), (0,)]), (counted_down, [(3,), (0,), (1,)]),
    (counted_up, [(2,), (3,), (1,)]), (behind, [(1,), (0,), (4,), (3,)]),
    (windows, [(1,), (0,), (7,)]), (batch, [(2, 0), (2, 1), (3, 1), (1, 3), (5, 0)]),
    (spread, [(4,), (1,), (4,)]), (two_sizes, [(3, 3), (1, 3), (3, 1), (1, 1), (2, 2)]),
    (table, [(2, 3), (3, 3), (1, 2), (1, 1)]), (reshaped, [(2,), (4,), (1,)]),
    (reshaped_whole, [(4,), (-1,)]), (counting, [(3,), (1,), (0,), (-2,), (6,)]),
    (drawn, [(3,), (1,), (5,)]), (in_place, [(3,), (1,), (2,)]), (along, [(0,), (1,), (-1,)])]


@pytest.mark.parametrize("turned", [False, True], ids=["forwards", "backwards"])
@pytest.mark.parametrize("function, calls", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_right_for_all(function, calls, turned):
    gradient = tl.value_and_grad(function)
    for ints in calls[::-1] if turned else calls:
        value, found = gradient(X, *ints)
        assert value == function(X, *ints)
        steps = 1e-6 * np.eye(len(X))
        want = [(function(X + h, *ints) - function(X - h, *ints)) / 2e-6 for h in steps]
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7, err_msg=str(ints))
        tangents = (np.ones(len(X)), *[0] * len(ints))
        along_ones = tl.jvp(function, (X, *ints), tangents)[1]
        np.testing.assert_allclose(along_ones, np.sum(found), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("function, ints", [
    (spread, (-1,)), (two_sizes, (2, 3)), (reshaped, (3,)), (in_place, (-2,))])
def test_errors_are_those_of_the_function(function, ints):
    gradient = tl.grad(function)
    gradient(X, *(4 for _ in ints))
    with pytest.raises(ValueError) as wanted:
        function(X, *ints)
    with pytest.raises(ValueError) as found:
        gradient(X, *ints)
    assert str(found.value) == str(wanted.value)


def test_arrays_of_one_int_are_equally_long():
    def total(v, n):
        s, t = np.full(n, v), np.zeros(n)
        for _ in range(3):
            s *= v
            t += s
        return np.sum(t)

    gradient = tl.grad(total)
    text = gradient.source_for(1.5, 6)
    assert "unbroadcast" not in text and "Written for" not in text
    assert gradient(1.5, 6) == 6 * (2 * 1.5 + 3 * 1.5 ** 2 + 4 * 1.5 ** 3)
    assert gradient(1.5, 2) == 2 * (2 * 1.5 + 3 * 1.5 ** 2 + 4 * 1.5 ** 3)
    assert len({id(v) for made in gradient._variants.values() for v in made}) == 1


def test_what_is_assumed_of_an_int_is_said():
    gradient = tl.grad(spread)
    assert "Written for x.shape[0] == n." in gradient.source_for(X, 4)
    np.testing.assert_array_equal(gradient(X, 4), 2 * X)
    np.testing.assert_array_equal(gradient(X[:1], 3), 6 * X[:1])
    np.testing.assert_array_equal(gradient(X, 1), 2 * X)


class Grid:
    def __init__(self, n):
        self.n = n

    def energy(self, x):
        y = np.zeros(self.n)
        y += x[:self.n]
        return np.sum(y * y)


def test_ints_in_containers_and_objects():
    for n in (2, 4, 1):
        want = np.where(np.arange(4) < n, 2 * X, 0.0)
        np.testing.assert_array_equal(tl.grad(Grid(n).energy)(X), want)
        held = tl.grad(lambda p: np.sum((np.zeros(p["n"]) + p["x"][:p["n"]]) ** 2))
        np.testing.assert_array_equal(held({"x": X, "n": n})["x"], want)
