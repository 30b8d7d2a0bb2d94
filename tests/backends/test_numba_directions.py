"""Loops that go forward where a backward pass goes back; values to the last bit."""

import gast
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tangent_lite.backends.numba_directions import (  # noqa: E402
    live_behind_loops,
    turn_around,
)
from tangent_lite.emit import emit  # noqa: E402


def turned(text, numbers=("i", "j", "n", "t", "s")):
    """The text of a function with its loops turned around where they may be, and what must lie
    apart for that."""
    body = "".join(f"    {line}\n" for line in text.splitlines())
    tree = gast.parse(f"def f(bx, bA, A, x, t, n):\n{body}    return bx, bA").body[0]
    for node in gast.walk(tree):
        for place in ("lineno", "end_lineno"):
            if isinstance(node, gast.stmt) and hasattr(node, place):
                delattr(node, place)                # of ours
    live = live_behind_loops(tree)
    apart = {}
    for node in list(tree.body):
        if isinstance(node, gast.For):
            apart |= turn_around(node, live, lambda call: getattr(call.func, "id", "") == "pure",
                                 lambda node: getattr(node, "id", None) in numbers).apart
    return "\n".join(line[4:] for line in emit(tree).splitlines()[1:-1]), list(apart)


def test_products_of_a_matrix_and_a_vector():
    found, apart = turned("for i in range(n - 1, -1, -1):\n"
                          "    for j in range(n - 1, 0, -1):\n"
                          "        by_part = x[i]\n"
                          "        bx[j] += by_part * A[i, j]\n"
                          "        bA[i, j] -= pure(by_part) * x[j]", ("i", "j", "n", "by_part"))
    assert found == ("for i in range(n):\n"
                     "    for j in range(1, n):\n"
                     "        by_part = x[i]\n"
                     "        bx[j] += by_part * A[i, j]\n"
                     "        bA[i, j] -= pure(by_part) * x[j]")
    assert sorted(apart) == [("bA", "A"), ("bA", "x"), ("bx", "A"), ("bx", "x")]


@pytest.mark.parametrize("body", [
    "bx[i] += bx[i + 1] * t",                   # it reads what it adds to
    "bx[i] += t\nA[i] = 0.0",
    "bx[i] = t * x[i]",
    "t = t * 2.0\nbx[i] += t",                  # from step to step
    "bx[i] += s\ns = x[i]",                     # of the step before
    "if x[i] > 0.0:\n    s = x[i]\nbx[i] += s",
    "s += x[i]\nbx[i] += s",
    "bx[i] += tape.take()",
    "bx[i] += change(x)",
    "for j in range(i):\n    bx[i] += x[j]\nbx[j] += 1.0",      # j of the step before, perhaps
    "row = x[i]\nfor k in range(3):\n    row[k] += t",          # part of what is read
    "while t > x[i]:\n    bx[i] += t"])
def test_what_goes_back(body):
    text = "for i in range(n - 1, -1, -1):\n" + "\n".join(
        f"    {line}" for line in body.splitlines())
    found, _ = turned(text)
    assert found.splitlines()[0] == "for i in range(n - 1, -1, -1):"


def test_what_is_read_behind_the_loop():
    text = "for i in range(n - 1, -1, -1):\n    s = x[i]\n    bx[i] += s\nbA[0] += {}"
    assert "range(n)" in turned(text.format("t"))[0]
    assert "range(n)" not in turned(text.format("s"))[0]
    assert "range(n)" not in turned(text.format("i"))[0]


def branches(x, A):
    total = 0.0
    for k in range(x.shape[0]):
        if x[k] > 0.5:
            total -= x[k] * np.log(x[k])
    return total + np.sum(A * x)


def by_a_function(x, A):
    total = 0.0
    for k in range(x.shape[0]):
        total += squared_steps(x[k], k) * A[k]
    return total


def squared_steps(y, k):
    for i in range(k):
        y = y * y
    return y


@pytest.mark.parametrize("f", [branches, by_a_function])
def test_what_takes_from_tapes(f):
    x, A = np.array([0.3, 0.8, 0.2, 0.9, 0.7, 0.4]), np.arange(6.0)
    value, gradient = tl.value_and_grad(f, backend="numba")(x, A)
    assert value == f(x, A)
    for k in range(6):
        h = np.zeros(6)
        h[k] = 1e-6
        np.testing.assert_allclose(gradient[k], (f(x + h, A) - f(x - h, A)) / 2e-6, rtol=1e-6,
                                   atol=1e-8)


# Values, to the last bit --------------------------------------------------------------------------
def linear(x, a, b):
    x = x * x
    x = np.sin(x)
    for i in range(50):
        x = x * a + x * b
    return x


def backwards(x, a, b):
    s = 0.0
    for i in range(x.shape[0] - 1, -1, -1):
        s += x[i] * x[i] * a
    return s * b


def twice(x, a, b):
    s = a * b
    t = s * s
    s = 0.0
    for i in range(x.shape[0] - 1, -1, -1):
        s += x[i] * x[i]
    return s + t


def by_a_helper(x, a, b):
    return twice(x, a, b) * 2.0


@pytest.mark.parametrize("f", [linear, backwards, twice, by_a_helper])
def test_values_are_the_functions_own(f):
    rng = np.random.default_rng(1)
    d = tl.value_and_grad(f, backend="numba")
    for _ in range(6):
        a, b, x = rng.uniform(0.3, 0.6, 3)
        if f is not linear:
            x = rng.normal(size=1000)
        value, gradient = d(x, a, b)
        assert value == f(x, a, b)
        np.testing.assert_allclose(gradient, tl.grad(f)(x, a, b), rtol=1e-12)


# What shares memory -------------------------------------------------------------------------------
def power_iteration(A, x, n):
    m = x.shape[0]
    for t in range(n):
        y = np.zeros(m)
        for i in range(m):
            for j in range(m):
                y[i] += A[i, j] * x[j]
        x = y / np.sqrt(y @ y)
    return np.sum(x * x * x)


def in_turn(A, x, n):
    old, new = x.copy(), np.zeros(x.shape[0])
    for t in range(n):
        for i in range(x.shape[0]):
            for j in range(x.shape[0]):
                new[i] += A[i, j] * old[j]
        old, new = new, old
    return np.sum(old * old) + np.sum(new)


def of_a_view(A, x, n):
    u = x.copy()
    tail = u[1:]
    for t in range(n):
        for i in range(x.shape[0] - 1):
            tail[i] += A[t, i] * u[i]
    return np.sum(u * u)


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
@pytest.mark.parametrize("f", [power_iteration, in_turn, of_a_view])
def test_gradients(f, steps):
    rng = np.random.default_rng(2)
    A, x = rng.uniform(0.1, 1.0, (5, 5)), rng.uniform(0.1, 1.0, 5)
    got = tl.grad(f, wrt=("A", "x"), backend="numba")(A, x, steps)
    for spot, gradient in enumerate(got):
        v = rng.normal(size=gradient.shape)

        def moved(h, spot=spot, v=v):
            args = [A, x]
            args[spot] = args[spot] + h * v
            return f(*args, steps)
        np.testing.assert_allclose(np.sum(gradient * v), (moved(1e-6) - moved(-1e-6)) / 2e-6,
                                   rtol=1e-6, atol=1e-8)
