"""Dicts and objects in dicts and objects, of which parts change: `params["layer"]["w"] -= g`."""
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

W = np.array([0.7, 1.1, 0.4])


class Layer:
    def __init__(self, w):
        self.w = w.copy()


class Block:
    def __init__(self, w):
        self.linear, self.gain = Layer(w), 1.0


class Net:
    def __init__(self, w):
        self.a, self.b = Block(w), Block(2.0 * w)

    def run(self, x):
        return np.tanh(self.a.linear.w * x) * self.a.gain + self.b.linear.w

    def step(self, x):
        y = self.run(x)
        self.a.linear.w -= 0.1 * y
        self.b.linear.w -= 0.2 * y * y
        self.a.gain = self.a.gain * 0.9


@dataclass
class Pair:
    a: np.ndarray
    b: np.ndarray


def tree(w):
    return {"a": {"w": w.copy(), "b": w[:1].copy()}, "c": {"w": 2.0 * w}}


def total(params):
    return sum(np.sum(v ** 2) for layer in params.values() for v in layer.values())


# By names -----------------------------------------------------------------------------------------
def bound_anew(w, x):
    params = {"a": {"w": w}, "c": x}
    for _ in range(3):
        params["a"]["w"] = params["a"]["w"] * x
    return np.sum(params["a"]["w"]) * params["c"]


def in_place(w, x):
    params = {"a": {"w": w.copy()}, "c": w}
    for _ in range(3):
        params["a"]["w"] -= x * params["c"]
    return np.sum(params["a"]["w"] * params["c"])


def by_keys(w, x):
    params = {"a": {"w": w * 1.0, "b": w[:1] * 1.0}, "c": {"w": 2.0 * w}}
    for name in params:
        for key in params[name]:
            params[name][key] = params[name][key] - x * params[name][key] ** 2
    return total(params)


def made_by_keys(w, x):
    params, out = {"a": {"w": w}, "c": {"w": 2.0 * w, "b": x * w}}, {}
    for name, layer in params.items():
        out[name] = {}
        for key, v in layer.items():
            out[name][key] = v - x * v
    return total(out)


def optimiser(w, x):
    state = {"adam": {"m": {"w": np.zeros(3)}, "t": 0}, "params": {"w": w.copy()}}
    for _ in range(3):
        state["adam"]["t"] += 1
        state["adam"]["m"]["w"] = 0.9 * state["adam"]["m"]["w"] + 0.1 * state["params"]["w"] * x
        state["params"]["w"] -= state["adam"]["m"]["w"] / (1.0 - 0.9 ** state["adam"]["t"])
    return np.sum(state["params"]["w"] ** 2)


def objects(w, x):
    net = Net(w)
    for _ in range(3):
        net.step(x)
    return np.sum(net.run(x))


def dataclasses(w, x):
    net = Pair(Pair(w.copy(), x), Pair(w * x, x))
    for _ in range(2):
        net.a.a -= x * net.b.a
        net.b.a -= x * net.a.a
    return np.sum(net.a.a * net.b.a)


# Two places of one array or dict ------------------------------------------------------------------
def one_array_twice(w, x):
    v = w.copy()
    params = {"a": {"w": v}, "c": {"w": v}}
    params["a"]["w"] -= x
    return np.sum(params["a"]["w"] * params["c"]["w"])


def one_array_in_a_loop(w, x):
    v, params = w.copy(), {}
    for name in ("a", "c"):
        params[name] = {"w": v}
    params["a"]["w"] -= x
    return np.sum(params["a"]["w"] * params["c"]["w"])


def put_into_another(w, x):
    params = tree(w)
    params["c"]["w"] = params["a"]["w"]
    params["a"]["w"] -= x
    return total(params)


def a_view_of_it(w, x):
    params = {"a": {"w": w.copy()}}
    params["c"] = {"w": params["a"]["w"][1:]}
    for _ in range(2):
        params["a"]["w"] -= x
        params["c"]["w"] *= x
    return total(params)


def a_copy_of_the_dict(w, x):
    params = {"a": {"w": w.copy()}, "c": {}}
    params["c"] = {**params["a"]}
    params["a"]["w"] -= x
    return total(params)


def one_dict_twice(w, x):
    one = {"w": w.copy()}
    params = {"a": one, "c": one}
    params["a"]["w"] = params["a"]["w"] * x
    return total(params)


def a_second_name(w, x):
    params = {"a": {"w": w}}
    layer = params["a"]
    params["a"]["w"] = params["a"]["w"] * x
    return np.sum(layer["w"])


def one_array_in_a_dataclass(w, x):
    v = w.copy()
    pair = Pair(v, v)
    pair.a -= x
    return np.sum(pair.a * pair.b)


def one_array_of_two_dataclasses(w, x):
    v = w.copy()
    net = Pair(Pair(v, x), Pair(v, x))
    net.a.a -= x
    return np.sum(net.a.a * net.b.a)


# Of loops that are written out, views of the dicts inside have one name.
BY_IDENTITY = [made_by_keys]
BY_NAMES = [bound_anew, in_place, by_keys, optimiser, objects, dataclasses,
            a_second_name, one_dict_twice]
SHARED = [one_array_twice, one_array_in_a_loop, put_into_another, a_view_of_it, a_copy_of_the_dict,
          one_array_in_a_dataclass, one_array_of_two_dataclasses]


@pytest.mark.parametrize("function", BY_NAMES + BY_IDENTITY + SHARED)
def test_right(function):
    tl.check_grads(function, (W, 0.8), order=1)
    gradient = tl.value_and_grad(function, wrt=(0, 1))
    assert gradient(W, 0.8)[0] == function(W, 0.8)
    assert gradient._latest.by_identity or function in BY_NAMES


@pytest.mark.parametrize("function", BY_NAMES + SHARED)
@pytest.mark.sweep(3)
def test_second_order(function):
    tl.check_grads(function, (W, 0.8), order=2)


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names(function):
    gradient = tl.grad(function)
    found = gradient(W, 0.8)
    assert not gradient._latest.by_identity
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(W, 0.8), found, rtol=1e-12)


# Arguments whose parts share memory ---------------------------------------------------------------
def first_changes(params, x):
    params["w"] -= x
    return np.sum(params["w"] * params["v"])


def inner_changes(params, x):
    params["a"]["w"] -= x
    return np.sum(params["a"]["w"] * params["v"])


def attribute_changes(pair, x):
    pair.a -= x
    return np.sum(pair.a * pair.b)


@pytest.mark.parametrize("function, make", [
    (first_changes, lambda w, v: {"w": w, "v": v}),
    (inner_changes, lambda w, v: {"a": {"w": w}, "v": v}), (attribute_changes, Pair)])
def test_parts_of_an_argument_that_are_one_array(function, make):
    for v in (W.copy(), W, W[::-1]):
        given = make(W, v)
        value, slope = tl.value_and_grad(function, wrt=1)(given, 0.8)
        np.testing.assert_array_equal(W, [0.7, 1.1, 0.4])

        def at(x, second=v):
            w = W.copy()
            view = w if second is W else w[::-1] if second.base is W else second
            return function(make(w, view), x)
        assert value == at(0.8)
        np.testing.assert_allclose(slope, (at(0.8 + 1e-6) - at(0.8 - 1e-6)) / 2e-6, rtol=1e-6)
        assert tl.jvp(function, (given, 0.8), (None, 1.0)) == pytest.approx((value, slope))
