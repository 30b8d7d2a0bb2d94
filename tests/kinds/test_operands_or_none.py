"""Lists of None that are filled with numbers and arrays, and what is computed with their items: an
operator gives nothing of None but an error, so that its result is a number or an array."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.held_to_both import X, is_by_names, is_right

NODES = [[], [0.5], [0.1, 0.9]]
WEIGHTS = [0.25, 0.25, 0.5]


def stages(x):
    """A Runge-Kutta method with its table, as it is written with a list of slopes."""
    y, h = np.array([x[0], x[1]]), 0.2
    k = [None] * 3
    for _ in range(2):
        for s in range(3):
            z = y.copy()
            for j, a in enumerate(NODES[s]):
                z += h * a * k[j]
            k[s] = np.array([z[1], -x[2] * z[0]])
        y = y + h * sum(w * one for w, one in zip(WEIGHTS, k))
        h *= min(1.5, 0.9 / (np.sqrt(np.mean(y ** 2)) + 1e-9))
    return np.sum(y)


def added(x):
    y, k = x[:2] * 1.0, [None] * 2
    for _ in range(3):
        for s in range(2):
            k[s] = np.sin(y) * (1 + s)
        y = y + 0.1 * (k[0] + k[1]) - -k[0] * 0.01
    return np.sum(y)


def of_numbers(x):
    y, k = x[0], [None] * 2
    for n in range(4):
        k[n % 2] = y * x[n] + 0.3
        y = k[n % 2] * 2.0 if n == 0 else k[0] * k[1] + k[0] ** 2 / 2
    return y


def in_place(x):
    last, total = [None], x[:3] * 0.0
    for n in range(3):
        if n > 0:
            total += last[0]
            total -= 0.5 * last[0]
        last[0] = x[:3] * x[n]
    return np.sum(total ** 2)


@pytest.mark.parametrize("f", [stages, added, of_numbers, in_place])
def test_such_functions(f):
    is_right(f)
    is_by_names(f)


def test_what_is_nothing_is_an_error_as_in_the_function():
    def missing(x):
        k = [None] * 2
        k[0] = x * 2.0
        return np.sum(k[0] + k[1])

    for derivative in (tl.grad(missing), tl.value_and_grad(missing)):
        with pytest.raises(TypeError):
            derivative(X)


class Shift:
    """What an object does with None is said by its class."""

    def __init__(self, by):
        self.by = by

    def __add__(self, other):
        return self.by if other is None else self.by * other


def beside_objects(x):
    shift, k = Shift(x[0]), [None, x[1]]
    return (shift + k[0]) * x[2] + (shift + k[1])


def test_objects_say_themselves_what_they_do_with_none():
    is_right(beside_objects)


def test_where_nothing_is_ever_put_the_function_is_called_all_the_same():
    def unused(x, n=0):
        k = [None] * 2
        y = x[0]
        for _ in range(n):
            y = y + k[0] + k[1]
        return y * x[1]

    np.testing.assert_allclose(tl.grad(unused)(X)[:2], [X[1], X[0]])
    with by_names():
        np.testing.assert_allclose(tl.jvp(stages, (X,), (np.cos(X),))[1],
                                   tl.grad(stages)(X) @ np.cos(X), rtol=1e-10)
