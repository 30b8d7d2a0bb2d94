"""Dicts and objects that have two names, or one and a place in an object, and change under both."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, 0.9, -0.4])


class Momentum:
    def __init__(self, params, rate):
        self.params, self.rate = params, rate
        self.speeds = {k: np.zeros_like(v) for k, v in params.items()}

    def step(self, slopes):
        for k in self.params:
            self.speeds[k] = 0.9 * self.speeds[k] + 0.1 * slopes[k]
            self.params[k] = self.params[k] - self.rate * self.speeds[k]

    def use(self, params):
        self.params = params


class Holder:
    def __init__(self, held):
        self.held = held


class Body:
    def __init__(self, x):
        self.x, self.v = x, x * 0.0


def _slopes(p):
    h = np.tanh(p["w"] + p["b"])
    return {"w": h - h ** 3, "b": 1.0 - h * h}


def trained(x):
    p = {"w": x * 2.0, "b": x * 0.5}
    optimiser = Momentum(p, x[0])
    for _ in range(4):
        optimiser.step(_slopes(p))
    return np.sum(p["w"] ** 2) + np.sum(optimiser.params["b"] * p["b"])


def in_two_objects(x):
    d = {"u": x, "v": x * 2.0}
    one, other = Holder(d), Holder(d)
    one.held["u"] = one.held["u"] * x
    other.held["v"] = other.held["v"] + one.held["u"]
    d["u"] = d["u"] * 3.0
    return np.sum(one.held["u"] * other.held["v"])


def by_turns(x):
    d = {"u": x, "v": x * 2.0}
    e = d
    e["u"] = e["u"] * 2.0
    d["v"] = d["v"] + e["u"]
    return np.sum(d["u"] * e["v"])


def an_object(x):
    b = Body(x)
    c = b
    for _ in range(3):
        c.v = c.v + 2.0 * b.x
        b.x = b.x + 0.1 * c.v
    return np.sum(c.x * b.v)


def a_new_one(x):
    d = {"u": x, "v": x * 2.0}
    e = d
    e = {**e, "u": e["u"] * 2.0}
    return np.sum(d["u"] * e["v"] + e["u"])


def bound_anew(x):
    p = {"u": x, "v": x * 2.0}
    n = p
    n["u"] = n["u"] * 3.0
    p, q = {"u": x * 5.0, "v": x}, 3.0
    n["v"] = n["v"] * q
    return np.sum(n["v"] * p["u"])


def used_for_another(x):
    p, q = {"w": x * 2.0, "b": x * 0.5}, {"w": x, "b": x * 3.0}
    optimiser = Momentum(p, 0.3)
    optimiser.step(_slopes(p))
    optimiser.use(q)
    optimiser.step(_slopes(q))
    return np.sum(p["w"] ** 2) + np.sum(q["b"] * p["b"])


def one_of_two(x):
    d, f = {"u": x, "v": x * 2.0}, {"u": x * 3.0, "v": x}
    e = d if x[0] > 0.0 else f
    e["u"] = e["u"] * 2.0
    return np.sum(d["u"] * f["u"])


def of_the_step_before(x):
    y = 0.0
    c = {"u": x, "v": x}
    for k in range(3):
        p = {"u": x * (k + 1), "v": x * 2.0}
        n = p
        if k:
            y = y + np.sum(c["u"])
        c = n
        n["u"] = n["u"] * 2.0
        c["v"] = c["v"] + p["u"]
    return y + np.sum(c["v"])


def another_in_each_step(x):
    d = {"u": x, "v": x * 2.0}
    for k in range(3):
        e = d
        e["u"] = e["u"] * 2.0
        if k == 1:
            d = {"u": x * 2.0, "v": x}
    return np.sum(d["u"] * e["u"])


BY_NAMES = [trained, in_two_objects, by_turns, an_object, a_new_one, bound_anew]


@pytest.mark.parametrize("function", [
    *BY_NAMES, used_for_another, one_of_two, of_the_step_before, another_in_each_step])
def test_gradients(function):
    derivative = tl.value_and_grad(function)
    value, bx = derivative(X)
    assert value == function(X)
    np.testing.assert_allclose(bx, [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6
                                    for e in np.eye(3)], rtol=1e-6, atol=1e-8)
    assert not derivative._latest.by_identity or function not in BY_NAMES
    direction = np.array([0.2, -1.0, 0.5])
    _, slope = tl.jvp(function, (X,), (direction,))
    assert slope == pytest.approx(bx @ direction)
