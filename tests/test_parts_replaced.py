"""Parts of lists that are replaced: what they hold then may be floats where all were ints."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient

X = np.array([0.7, 0.31, 0.93])


def first(x):
    v = [0, 0]
    v[0:1] = [x[0] * 1.5]
    return v[0] * x[1]


def longer(x):
    v = [0, 0]
    v[0:1] = [x[0] * 1.5, x[1]]
    return v[0] * x[1] + v[1]


def by_name(x):
    v = [0, 0, 0]
    part = slice(1, 2)
    v[part] = [x[0] * 1.5]
    return v[1] * x[1]


def every_other(x):
    v = [0] * 4
    v[::2] = [x[0], x[1]]
    return v[0] * v[2]


def by_an_array(x):
    v = [0] * 3
    v[:] = x
    return v[0] * v[1] * v[2]


def by_a_tuple(x):
    v = [0] * 3
    v[1:] = (x[0], x[1] * x[2])
    return v[1] * v[2]


def of_a_row(x):
    v = [[0, 0], [0, 0]]
    v[0][0:1] = [x[0] * 1.5]
    return v[0][0] * x[1]


def in_a_loop(x):
    v = [0, 0]
    for i in range(2):
        v[i:i + 1] = [x[i] * x[2]]
    return v[0] * v[1]


def under_another_name(x):
    v = [0, 0]
    w = v
    w[0:1] = [x[0] * 1.5]
    return v[0] * x[1]


def in_a_dict(x):
    d = {"v": [0, 0]}
    d["v"][0:1] = [x[0] * 1.5]
    return d["v"][0] * x[1]


def read_by_name(x):
    part = slice(0, 2)
    made = [x[0], x[1] * x[2], x[2]]
    both = made[part]
    return both[0] * both[1]


def of_a_tuple_by_name(x):
    part = slice(1, 3)
    made = (x[0], x[1] * x[2], x[2])
    both = made[part]
    return both[0] * both[1] + len(both)


@pytest.mark.parametrize("function", [
    first, longer, by_name, every_other, by_an_array, by_a_tuple, of_a_row, in_a_loop,
    under_another_name, in_a_dict, read_by_name, of_a_tuple_by_name])
def test_derivatives(function):
    (expected,), is_smooth = numeric_gradient(function, (X,), (0,))
    assert is_smooth
    np.testing.assert_allclose(tl.grad(function)(X), expected, atol=1e-6)
    tangents = [tl.jvp(function, (X,), (direction,))[1] for direction in np.eye(3)]
    np.testing.assert_allclose(tangents, expected, atol=1e-6)


def test_a_slice_by_name_goes_by_names():
    assert "tape.pull" not in tl.grad(read_by_name).source_for(X)
