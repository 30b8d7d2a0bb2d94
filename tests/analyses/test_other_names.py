"""What kinds say of a part that changes under another name decides on no branch."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 0.9, -0.4])


class Part:
    gain = 2.0

    def __init__(self, x):
        self.x, self.y, self.on = x, None, False


def is_none(x):
    p = Part(x)
    q = p
    q.y = x * 2.0
    return np.sum(x) if p.y is None else np.sum(p.y * x)


def in_a_list(x):
    p = Part(x)
    for q in [p]:
        q.y = x * 2.0
    return np.sum(x) if p.y is None else np.sum(p.y * x)


def in_a_dict(x):
    d = {"v": 1, "w": x}
    e = d
    e["v"] = x * 2.0
    return np.sum(x) if isinstance(d["v"], int) else np.sum(d["v"] * x)


def an_attribute_that_is_new(x):
    p = Part(x)
    q = p
    q.z = x * 2.0
    return np.sum(p.z * x) if hasattr(p, "z") else np.sum(x)


def by_a_name_for_the_part(x):
    p = Part(x)
    q = p
    q.on = True
    on = p.on
    other = on
    return np.sum(x * x) if other else np.sum(x)


def of_the_class(x):
    p = Part(x)
    q = p
    q.gain = x[0]
    return p.gain * np.sum(x)


def another_one(x):
    p, q = Part(x), Part(x * 2.0)
    q.y = x * 2.0
    return np.sum(x * x) if p.y is None else np.sum(p.y * q.y)


@pytest.mark.parametrize("function", [is_none, in_a_list, in_a_dict, an_attribute_that_is_new,
                                      by_a_name_for_the_part, of_the_class, another_one])
def test_gradients(function):
    derivative = tl.value_and_grad(function)
    value, bx = derivative(X)
    assert value == function(X)
    np.testing.assert_allclose(bx, [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6
                                    for e in np.eye(3)], rtol=1e-6, atol=1e-8)
    assert not derivative._latest.by_identity or function is not another_one
