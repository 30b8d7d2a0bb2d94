"""Arrays that are laid by on a tape and taken from there: who holds them, and what is put back."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.polish.array_parts import makes_new
from tangent_lite.polish.tapes import laid_by
from tests.reference.modes import hold_curvature_to_differences, hold_to_differences

X = np.array([0.3, -0.7, 1.1, 0.4])
DIRECTION = np.array([0.5, 0.2, -0.4, 0.9])

# A forward loop -> whether the array that `w = w_tape.pop()` takes back is nobody else's.
LAID = {
    "w = np.zeros(3)\nw_tape.append(w)": True,
    "w = np.zeros(3)\nfor j in range(3):\n    w[j] = 1.0\nw_tape.append(w)": True,
    "w_tape.append(w)\nw = np.zeros(3)": False,
    "if i:\n    w = np.zeros(3)\nw_tape.append(w)": False,
    "w = np.zeros(3)\nif i:\n    w = v\nw_tape.append(w)": False,
    "w = np.zeros(3)\nw_tape.append(w)\nw_tape.append(w)": False,
    "w = np.zeros(3)\nw_tape.append(w)\nv = w_tape[-1]": False,
    "w = v\nw_tape.append(w)": False,
    "w = np.zeros(3)\nfor j in range(2):\n    w_tape.append(w)": False,
    "v = np.zeros(3)\nw_tape.append(v)": False,
}


@pytest.mark.parametrize("body", LAID)
def test_what_is_laid_by(body):
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    tree = gast.parse(f"def f(v, n):\n    w_tape = []\n    w = v\n    for i in range(n):\n{lines}"
                      "    for i in range(n):\n        w = w_tape.pop()\n").body[0]
    assert bool(laid_by(tree, lambda value: makes_new(value, {"np": np}.get))) == LAID[body]


# Gradients --------------------------------------------------------------------------------------
def solved_each_time(x):
    n, u = len(x), x
    for _ in range(3):
        w = np.empty(n)
        w[0] = u[0]
        for i in range(1, n):
            w[i] = u[i] - 0.3 * w[i - 1] ** 2
        u = u + np.sin(w)
    return np.sum(u ** 2)


def two_sweeps(x):
    n, u = len(x), x
    for _ in range(3):
        c, d = np.empty(n), np.empty(n)
        c[0] = 0.5 / (2.0 + u[0] ** 2)
        d[0] = u[0] * c[0]
        for i in range(1, n):
            m = 2.0 + u[i] ** 2 - 0.5 * c[i - 1]
            c[i] = 0.5 / m
            d[i] = (u[i] + 0.5 * d[i - 1]) / m
        v = np.empty(n)
        v[n - 1] = d[n - 1]
        for i in range(n - 2, -1, -1):
            v[i] = d[i] + c[i] * v[i + 1]
        u = v
    return np.sum(u ** 2)


def row_by_row(x):
    total = 0.0
    for k in range(3):
        w = np.zeros((3, len(x)))
        w[0] = x
        for i in range(2):
            w[i + 1] = np.tanh(w[i] * (k + 1.0))
        total = total + np.sum(w[2] * w[1])
    return total


def written_twice(x):
    n, u = len(x), x
    for _ in range(3):
        w = np.empty(n)
        w[0] = u[0]
        for i in range(1, n):
            w[i] = u[i] - 0.3 * w[i - 1] ** 2
        for i in range(1, n):
            w[i] = w[i] * w[i - 1]
        u = u + np.sin(w)
    return np.sum(u ** 2)


def one_array_for_some(x):
    n, u = len(x), x
    w = np.zeros(n)
    for k in range(4):
        if k % 2 == 0:
            w = np.zeros(n)
            w[0] = u[0]
        for i in range(1, n):
            w[i] = u[i] - 0.3 * w[i - 1] ** 2
        u = u + np.sin(w)
    return np.sum(u ** 2)


def held_by_a_list(x):
    n, u, held = len(x), x, []
    for _ in range(3):
        w = np.zeros(n)
        held.append(w)
        for i in range(1, n):
            w[i] = u[i] - 0.3 * w[i - 1] ** 2
        u = u + np.sin(w)
    return np.sum(u ** 2) + np.sum(held[0] * held[1])


def read_behind_the_loop(x):
    n, u = len(x), x
    w = np.zeros(n)
    for _ in range(3):
        w = np.zeros(n)
        w[0] = u[1]
        for i in range(1, n):
            w[i] = u[i] - 0.3 * w[i - 1] ** 2
        u = u * np.cos(w)
    return np.sum(u ** 2) + w[1] ** 2


def no_iterations(x):
    n, u = len(x), x
    for _ in range(len(x) - 4):
        w = np.empty(n)
        w[0] = u[0]
        for i in range(1, n):
            w[i] = u[i] - 0.3 * w[i - 1] ** 2
        u = u + np.sin(w)
    return np.sum(u ** 2)


FUNCTIONS = [solved_each_time, two_sweeps, row_by_row, written_twice, one_array_for_some,
             held_by_a_list, read_behind_the_loop, no_iterations]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients_are_right(function):
    hold_to_differences(function, X, DIRECTION)
    hold_curvature_to_differences(function, X, DIRECTION, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function, tapes", [
    (solved_each_time, 1), (row_by_row, 2)])
def test_what_each_iteration_makes_is_not_put_back(function, tapes):
    assert tl.grad(function).source_for(X).count("_tape.append(") == tapes
