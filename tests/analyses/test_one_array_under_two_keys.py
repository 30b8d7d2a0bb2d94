"""A dict that a function of the user gives may hold one array under two keys: `+=` is seen in both.
"""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

X = np.array([0.9, -0.4, 1.7])


def twice(x, a):
    u = x * a
    return {"u": u, "v": u}


def two(x, a):
    u = x * a
    return {"u": u}, {"v": u}


def in_dicts(x, a):
    u = x * a
    return {"p": {"u": u}, "v": u}


def beside_a_list(x, a):
    u = x * a
    return {"u": u, "kept": [u]}


def apart(x, a):
    return {"W": np.outer(x, x) * a, "b": x * 1.0}


def changed(x, a):
    d = twice(x, a)
    d["u"] += 1.0
    return np.sum(d["u"] * d["v"])


def both_changed(x, a):
    d = twice(x, a)
    d["u"] += 1.0
    d["v"] *= a
    return np.sum(d["u"] * d["v"])


def written_to(x, a):
    d = twice(x, a)
    d["u"] += 1.0
    d["v"][0] = a
    return np.sum(d["u"] * d["v"])


def of_two_dicts(x, a):
    d, e = two(x, a)
    d["u"] *= a
    return np.sum(e["v"])


def further_in(x, a):
    d = in_dicts(x, a)
    part = d["p"]
    part["u"] *= 2.0
    return np.sum(d["v"]) * a


def in_a_list(x, a):
    d = beside_a_list(x, a)
    d["u"] += a
    return np.sum(d["kept"][0])


def in_a_copy(x, a):
    d = twice(x, a)
    e = dict(d)
    d["u"] += a
    return np.sum(e["u"] * e["v"])


def change(d):
    d["u"] += 1.0
    return np.sum(d["u"] * d["v"])


def handed_on(x, a):
    return change(twice(x, a))


def stepped(x, a):
    d = apart(x, a)
    for _ in range(3):
        d["W"] -= 0.1 * d["W"] @ d["W"]
        d["b"] += d["W"][0] * a
    return np.sum(d["W"]) + np.sum(d["b"])


@pytest.mark.parametrize("f", [changed, both_changed, written_to, of_two_dicts, further_in,
                               in_a_list, in_a_copy, handed_on, stepped], ids=lambda f: f.__name__)
def test_it_is_seen_under_both(f):
    value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(X, 1.3)
    assert value == f(X, 1.3)
    for k, step in enumerate(1e-6 * np.eye(3)):
        assert bx[k] == pytest.approx((f(X + step, 1.3) - f(X - step, 1.3)) / 2e-6, rel=1e-6)
    assert ba == pytest.approx((f(X, 1.3 + 1e-6) - f(X, 1.3 - 1e-6)) / 2e-6, rel=1e-6)
    value, slope = tl.jvp(f, (X, 1.3), (np.ones(3), 1.0))
    assert value == f(X, 1.3)
    assert slope == pytest.approx(np.sum(bx) + ba)


def test_what_is_returned_holds_it_twice_as_well():
    def f(x, a):
        d = twice(x, a)
        d["u"] += 1.0
        return d

    found, _ = tl.vjp(f, X, 1.3)
    np.testing.assert_array_equal(found["v"], X * 1.3 + 1.0)
    np.testing.assert_array_equal(tl.jvp(f, (X, 1.3), (X, 1.0))[0]["v"], X * 1.3 + 1.0)


def test_arrays_that_are_apart_go_by_names():
    with by_names():
        tl.grad(stepped, wrt=("x", "a"))(X, 1.3)
