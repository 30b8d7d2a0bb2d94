"""Branches that Numba drops, since it knows their conditions: their tapes stay empty."""
import math

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_checks import CheckedCompiler  # noqa: E402
from tests.backends.comparing import compare  # noqa: E402

X = np.array([0.7, -0.4, 1.2, 0.3])


def by_order(x):
    """A condition that the text decides, of which Numba drops one branch."""
    s = 1.0
    order = 2
    for i in range(len(x)):
        if order == 2:
            s = s * x[i] + np.sin(s)
        elif order == 3:
            t = np.exp(x[i])
            s = s * t * s
    if not True:
        for i in range(len(x)):
            s = s * x[i]
    return s


def with_break(x):
    """The way back asks a record, and not the condition."""
    s = x[0]
    order = 2
    for _ in range(2):
        for i in range(len(x)):
            if order == 3 and s > 0.0:
                y = np.exp(x[i] * s)
                s = s * y * s
            s = s * x[i]
            if s > 100.0 and order == 4:
                s = s * s * x[i]
                break
    return s


def whole_arrays(x):
    h = x.copy()
    mode = 0
    for _ in range(3):
        if mode == 1:
            h = np.tanh(h * x) * h
        else:
            h = h * x
    return h.sum()


def step(x, y, s, n):
    """Too long to be written out where it is called: its tapes are returned."""
    order = 2
    a = s
    for _ in range(n):
        if order == 3:
            z = math.exp(a * x)
            a = z * a * y
        a = math.sin(a * x) + y
        a = a * a - y
        a = a + a * x * y
        a = a * 0.5
        if order == 4:
            a = a * a * x
    return a


def of_helpers(x):
    s = 0.1
    for i in range(3):
        s = step(x, 0.4, s, i)
        s = step(0.4, x, s, 2)
    return s + step(x, x, x, 1)


def own_list(x):
    """The list is the user's: it is asked for its length."""
    out = []
    keep = False
    s = 0.0
    for k in range(len(x)):
        s = s + x[k] ** 2
        if keep:
            out.append(s * s)
    for o in out:
        s = s + o
    return s * (1 + len(out))


@pytest.mark.parametrize("function, x", [
    (by_order, X), (by_order, X[:0]), (with_break, X), (whole_arrays, X), (of_helpers, 0.3),
    (own_list, X), (own_list, X[:0])])
def test_branches_that_are_never_taken(function, x):
    assert compare(function, [x], [0]) == ("same", "")
    step = 1e-6 * np.cos(np.arange(np.size(x))).reshape(np.shape(x))
    slope = np.sum(tl.grad(function, backend="numba")(x) * step)
    assert np.isclose(slope, (function(x + step) - function(x - step)) / 2.0, rtol=1e-6, atol=1e-14)


def test_taking_from_what_is_never_filled_raises():
    def taking(x, n):
        order = 2
        tape = []
        if order == 3:
            tape.append(x)
        tape.room(n)
        for _ in range(n):
            x = x * tape.pop()
        return x

    run = numba.njit(pipeline_class=CheckedCompiler, error_model="python")(taking)
    assert run(2.0, 0) == 2.0
    with pytest.raises(IndexError, match="pop from empty list"):
        run(2.0, 1)
