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


def a_default(x, mask=None):
    def put_it():
        nonlocal mask
        mask = 2.0
        return x

    y = put_it()
    if mask is None:
        return y * 3.0
    return y * 7.0


def a_default_that_holds(x, mask=None):
    def put_it():
        nonlocal mask
        mask = 2.0
        return x

    y = put_it()
    if not mask:
        return y * 3.0
    return y * 7.0


def a_default_found_once(x, scale=None):
    def scaled(v):
        nonlocal scale
        if scale is None:
            scale = 3.0
        return v * scale

    return scaled(x) + (0.0 if scale is None else scale * x)


def a_default_in_a_loop(x, scale=None):
    for _ in range(2):
        def put_it(v):
            nonlocal scale
            scale = 3.0
            return v

        if scale is None:
            x = x * 5.0
        x = put_it(x)
    return x


def unpacked(x):
    parts = (x, 1.0)

    def grow():
        nonlocal parts
        parts = (x, 1.0, x)
        return x

    y = grow()
    _, *rest = parts
    return y * len(rest) + sum(parts)


def handed_on(x):
    given = (x,)

    def times(a, b=5.0):
        return a * b

    def grow(v):
        nonlocal given
        given = (v, v)
        return v

    y = grow(x)
    return times(*given) * y


def square(v):
    return v * v


def cube(v):
    return v * v * v


def by_what_a_list_holds(x):
    n = 0

    def advance(v):
        nonlocal n
        n = 1
        return v * 2.0

    steps = [advance]
    y = steps[0](x)
    return (square, cube)[n](y)


def a_key(x):
    key = "a"

    def change(v):
        nonlocal key
        key = "b"
        return v * 2.0

    table = {"a": square, "b": cube}
    y = change(x)
    return table[key](y)


@pytest.mark.parametrize("f", [
    times_a_part, a_branch, a_length, a_slice_of_functions, a_slice, bounds, a_part_of_a_dict,
    a_default, a_default_that_holds, a_default_found_once, a_default_in_a_loop, unpacked,
    handed_on, by_what_a_list_holds, a_key])
def test_right(f):
    value, slope = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    assert slope == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-7)
    assert tl.jvp(f, (0.7,), (1.0,)) == (value, pytest.approx(slope))
