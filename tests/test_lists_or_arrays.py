"""Values that are lists on some ways and arrays on others, of which no kind is known."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([0.83, 1.27, 0.46])


def either(x, listed):
    return [x[0], x[1], x[2]] if listed else x * 2


def of_a_helper(x):
    xs, ys = either(x, x[0] > 0.5), either(x * x, x[0] > 0.5)
    product = np.multiply(xs, 3)[1] * np.multiply(2, xs)[0]
    return np.add(xs, ys)[1] * np.subtract(xs, ys)[2] + product


def in_a_list(x):
    rows = [[x[0], x[1], x[2]], x, [x[1], x[2], x[0]]]
    total = np.add(rows[0], rows[2])[0] + np.hypot(rows[1], rows[2])[0]
    for row in rows:
        total = total + np.add(row, rows[0])[1] * np.sum(np.power(row, 3))
    return total


def in_a_tuple(x):
    pair = (either(x, x[0] > 0.5), 2.0)
    return np.negative(pair[0])[1] * np.sum(np.square(pair[0])) * pair[1]


def repeated_and_cut(x):
    xs = either(x, x[0] > 0.5)
    ys = xs + xs
    for _ in range(2):
        xs = xs * 2
    return np.sum(np.power(ys[::-1], 3)) * len(ys) + np.sum(np.square(xs[1:]))


def parts_of_a_helper(x):
    def g(v):
        return np.sum(np.square(v)) * np.mean(np.exp(v))
    xs = either(x, x[0] > 0.5)
    return g(xs) + g([x[0], 2.0]) + g(x) + np.dot(x, xs) + np.std(xs) + np.sum(np.clip(xs, 0.5, 1))


def of_a_dict(x):
    d = {"a": [x[0], x[1]], "b": [x[1], x[2]], "c": x[1:]}
    k = "a" if x[0] > 0.5 else "b"
    rest = {"c": x[1:]}.get(k, [x[1], x[0]])
    return np.multiply(d.get(k), 2)[1] * np.add(d[k], d.get("z", x[1:]))[0] + np.add(rest, rest)[0]


def of_no_known_length(x):
    t, n = (x[0], x[1], x[2]), int(x[0] + 2)
    a, b = t[:n], (x[1], x[0]) * n
    return np.add(a, t[-n:])[1] * np.multiply(2, a)[0] * np.multiply(b, 2)[1] * len(b)


@pytest.mark.parametrize("function", [
    of_a_dict, of_no_known_length, of_a_helper, in_a_list, in_a_tuple, repeated_and_cut,
    parts_of_a_helper])
@pytest.mark.parametrize("x", [X, X / 2.0], ids=["a list", "an array"])
@pytest.mark.sweep(5)
def test_derivatives(function, x):
    want = [(function(x + h) - function(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    gradient = tl.grad(function)
    np.testing.assert_allclose(gradient(x), want, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tl.jvp(function, (x,), (np.ones(3),))[1], np.sum(want), rtol=1e-6)
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(x), want, rtol=1e-6, atol=1e-7)
    direction = np.array([1.0, -0.5, 2.0])
    ends = [gradient(x + h * direction) for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(tl.hvp(function)(x, direction), (ends[0] - ends[1]) / 2e-6,
                               rtol=1e-5, atol=1e-6)
