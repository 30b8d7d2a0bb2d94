"""Variables that are called like builtins: by names, and right."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names


def running_maximum(x):
    u = np.zeros(4)
    len = 4
    for k in range(1, len):
        u[k] = u[k - 1] * x + k
    max = u[0]
    for k in range(len):
        if u[k] > max:
            max = u[k]
    return max


def kept_in_a_list(x):
    list, max_ = [x, x * x], x
    s = 0.0
    for max in list:
        s += max * max_
    list.append(s + max)
    return s * list[-1]


def read_inside(x):
    range = x * 2.0
    def scaled(t):
        return range * t
    range = range * x
    return scaled(x) + (lambda q: q * range)(x)


def a_function(x):
    min = np.multiply
    if (max := min(x, x)) > 1.0:
        max = max * x
    match x:
        case len: pass
    return max * len


@pytest.mark.parametrize("f", [running_maximum, kept_in_a_list, read_inside, a_function])
def test_variables(f):
    with by_names():
        value, slope = tl.value_and_grad(f)(1.3)
        assert tl.jvp(f, (1.3,), (1.0,)) == (value, pytest.approx(slope))
    assert value == f(1.3)
    assert slope == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6)


def test_parameters_keep_their_names():
    def clipped(x, max):
        return x * x if x < max else max * x

    refused_by_names(tl.UnsupportedSyntaxError, clipped, 1.3, 2.0, match="max is given a new")
    assert tl.grad(clipped, wrt=("x", "max"))(3.0, max=2.0) == (2.0, 3.0)
