"""Whole numbers that functions change: what is decided by them waits for its calls."""
import numpy as np
import pytest

import tangent_lite as tl


def a_branch(x):
    k = 0

    def count():
        nonlocal k
        k = k + 1
        return x

    y = count()
    if isinstance(x, float) and k == 1:
        y = y * 5.0
    return y


def a_length(x):
    pair = (x,)

    def grow():
        nonlocal pair
        pair = (x, x)
        return x

    y = grow()
    if len(pair) == 2:
        y = y * 5.0
    return y


def a_slice_of_functions(x):
    n = 2

    def more(v):
        nonlocal n
        n = 3
        return v * 2.0

    functions = (np.sin, np.cos, np.exp)
    x = more(x)
    for function in functions[:n]:
        x = function(x)
    return x


def a_slice(x):
    n = 2

    def more(v):
        nonlocal n
        n = 3
        return v * 2.0

    parts = (1.0, x, x * x)
    x = more(x)
    total = 0.0
    for part in parts[:n]:
        total = total + part
    return x * total


def bounds(x):
    n = 2

    def more(v):
        nonlocal n
        n = 3
        return v * 2.0

    functions = (np.sin, np.cos, np.exp)
    x = more(x)
    for k in range(n - 1, -1, -1):
        x = functions[k](x)
    return x


def put(d, v):
    d["n"] = 3
    return v * 2.0


def a_part_of_a_dict(x):
    d = {"n": 2}
    functions = (np.sin, np.cos, np.exp)
    x = put(d, x)
    for function in functions[:d["n"]]:
        x = function(x)
    if d["n"] == 2 and isinstance(x, float):
        x = x * 9.0
    return x


def times_a_part(x):
    d = {"n": 2}
    y = put(d, x)
    total = 0.0
    for part in (x, 1.0) * d["n"]:
        total = total + part
    return total * y


@pytest.mark.parametrize("f", [times_a_part, a_branch, a_length, a_slice_of_functions, a_slice,
                               bounds, a_part_of_a_dict])
def test_right(f):
    value, slope = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    assert slope == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-7)
    assert tl.jvp(f, (0.7,), (1.0,)) == (value, pytest.approx(slope))
