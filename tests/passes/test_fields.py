"""Objects and dicts of which nothing is read but what has a name already."""
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl


class Layer:
    scale = 1.5

    def __init__(self, W, b):
        self.W, self.b = W, b

    @property
    def both(self):
        return self.W * self.b

    def __call__(self, x):
        return np.tanh(x * self.W + self.b)


@dataclass
class Body:
    place: float
    mass: float = 2.0


def called_twice(W, b):
    first, second = Layer(W, b), Layer(b, W)
    return np.sum(second(first(b)))


def of_a_dict(W, b):
    params = {"W": W, "b": b, "name": "layer"}
    return np.sum(np.tanh(params["W"] * params["b"]) + params["b"])


def by_a_default(W, b):
    body = Body(W)
    return np.sum(body.place * b) * body.mass


def of_the_class(W, b):
    layer = Layer(W, b)
    return np.sum(layer.both * layer.scale)


def bound_anew(W, b):
    layer = Layer(W, b)
    W = W * 2.0
    return np.sum(layer.W * W + layer.b)


def bound_in_a_loop(W, b):
    layer = Layer(W, b)
    total = 0.0
    for k in range(3):
        W = W * layer.W + b
        total = total + np.sum(W * layer.b)
    return total


def made_in_a_loop(W, b):
    for k in range(3):
        layer = Layer(W, b)
        W = layer(W)
    return np.sum(W * layer.W)


def made_in_branches(W, b):
    layer = Layer(W, b) if W[0] > 0.0 else Layer(b, W)
    return np.sum(layer.W * layer.W * layer.b)


def written_to(W, b):
    W = W.copy()
    layer = Layer(W, b)
    W[0] = W[1] * b[0]
    layer.W[1] *= 3.0
    return np.sum(layer.W * W + layer.b)


def given_a_part(W, b):
    layer = Layer(W, b)
    before = np.sum(layer.W)
    layer.b = layer.b * layer.W
    return np.sum(layer.b * layer.b) * before


def two_names(W, b):
    layer = Layer(W, b)
    other = layer
    other.W = b
    return np.sum(layer.W * layer.b)


def handed_on(W, b):
    layer = Layer(W, b)
    layers = [layer, Layer(b, W)]
    return np.sum(layer.W * layers[0](b) * layers[1].W)


def returned(W, b):
    return Layer(W, b)


def of_a_helper(W, b):
    layer = returned(W, b)
    return np.sum(layer.W * layer.b * layer.b)


PROGRAMS = [called_twice, of_a_dict, by_a_default, of_the_class, bound_anew, bound_in_a_loop,
            made_in_a_loop, made_in_branches, written_to, given_a_part, two_names, handed_on,
            of_a_helper]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right(function):
    W, b = np.array([0.7, -0.4]), np.array([0.3, 1.1])
    W.flags.writeable = b.flags.writeable = False
    wanted = [[(function(W + e, b) - function(W - e, b)) / 2e-6 for e in 1e-6 * np.eye(2)],
              [(function(W, b + e) - function(W, b - e)) / 2e-6 for e in 1e-6 * np.eye(2)]]
    value, found = tl.value_and_grad(function, wrt=("W", "b"))(W, b)
    assert value == function(W, b)
    assert np.allclose(found, wanted, rtol=1e-7, atol=1e-8)
    pushed = [tl.jvp(function, (W, b), (e, 0.0 * e))[1] for e in np.eye(2)]
    assert np.allclose(pushed, wanted[0], rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("function", [called_twice, of_a_dict], ids=lambda f: f.__name__)
def test_nothing_is_made(function):
    x = np.ones(2)
    text = tl.grad(function).source_for(x, x)
    assert not any(word in text for word in ("blank", "replaced", "Layer(", "Body(", '{"'))
    tl.check_grads(function, (x * 0.3, x * 0.7))


# Dicts that a loop makes anew -------------------------------------------------------------------
def turned(W, b, n):
    state = {"x": W, "v": b}
    for k in range(n):
        state = {"x": state["v"] * 1.1, "v": state["x"] * b}
    return np.sum(state["x"] * state["v"] * W)


def exchanged(W, b, n):
    state = {"x": W, "v": b, "t": 0.0}
    for k in range(n):
        state = {"x": state["v"], "v": state["x"], "t": state["t"] + np.sum(state["x"] * W)}
    return np.sum(state["x"] ** 2) * state["t"]


def part_of_it_stays(W, b, n):
    state = {"h": b, "W": W}
    for k in range(n):
        h = np.tanh(state["h"] * state["W"])
        state = {"h": h, "W": state["W"]}
    return np.sum(state["h"] * state["W"])


def what_stays_is_bound_anew(W, b, n):
    state = {"h": b, "W": W}
    for k in range(n):
        w = state["W"]
        h = np.tanh(state["h"] * w)
        w = w * h
        state = {"h": h, "W": w}
    return np.sum(state["h"] * state["W"])


def what_stays_is_older(W, b, n):
    state = {"h": b, "W": W}
    for k in range(n):
        w = state["W"]
        state = {"h": state["h"] * w, "W": w * 0.5}
        state = {"h": state["h"] + b, "W": w}
        if k == 1:
            w = state["h"]
        state = {"h": w * state["W"], "W": w}
    return np.sum(state["h"] * state["W"])


def in_one_branch(W, b, n):
    state = {"x": W, "v": b}
    for k in range(n):
        if k % 2 == 0:
            state = {"x": state["x"] * state["v"], "v": state["v"]}
        elif k == 3:
            state = {"v": state["x"], "x": W}
    return np.sum(state["x"] * state["v"])


def with_what_was(W, b, n):
    state = {"x": W, "v": b}
    total = 0.0
    for k in range(n):
        before = state
        state = {"x": state["x"] * state["v"], "v": state["v"] + W}
        total = total + np.sum(before["x"] * state["x"])
    return total


def until(W, b, n):
    state = {"x": W, "t": 0}
    while state["t"] < n:
        state = {"x": np.sin(state["x"] * b), "t": state["t"] + 1}
    return np.sum(state["x"] * W)


def of_numbers_first(W, b, n):
    state = {"x": 1, "v": 2.0}
    for k in range(n):
        state = {"x": state["x"] * W[0], "v": state["v"] * state["x"]}
    return state["x"] * state["v"] * b[0] * np.sum(W)


def written_in_place(W, b, n):
    state = {"x": W.copy(), "v": b}
    for k in range(n):
        x = state["x"]
        x[0] = x[1] * b[0]
        state = {"x": x * state["v"], "v": state["v"]}
    return np.sum(state["x"] ** 2)


def in_two_loops(W, b, n):
    total = 0.0
    for i in range(2):
        state = {"x": W * (i + 1.0), "v": b}
        for k in range(n):
            state = {"x": state["x"] * state["v"], "v": state["v"] * 0.9}
        total = total + np.sum(state["x"])
    return total


def deeper(state, dt):
    x = state["body"]["x"]
    return {"body": {"x": x + dt * state["v"]}, "v": state["v"] * x}


def nested(W, b, n):
    state = {"body": {"x": W}, "v": b}
    for k in range(n):
        state = deeper(state, 0.1)
    return np.sum(state["body"]["x"] * state["v"])


def energy_of(state):
    return np.sum(state["x"] * state["v"])


def asked_by_a_helper(W, b, n):
    state, total = {"x": W, "v": b}, 0.0
    for k in range(n):
        total = total + energy_of(state) ** 2
        state = {"x": state["x"] * state["v"], "v": state["v"] * 0.9}
    return total + energy_of(state)


def kept_in_a_list(W, b, n):
    state = {"x": W, "v": b}
    states = [state]
    for k in range(n):
        state = {"x": state["x"] * state["v"], "v": state["v"] + b}
        states.append(state)
    return sum([np.sum(one["x"] * one["v"]) for one in states])


def looped_over(W, b, n):
    state, total = {"x": W, "v": b}, 0.0
    for k in range(n):
        state = {"v": state["x"] * state["v"], "x": state["x"] * 0.5}
        for key in state:
            total = total * 1.5 + np.sum(state[key])
    return total


STEPS = [turned, exchanged, part_of_it_stays, what_stays_is_bound_anew, what_stays_is_older,
         in_one_branch, with_what_was, until, of_numbers_first, written_in_place, in_two_loops,
         nested, asked_by_a_helper, kept_in_a_list, looped_over]


@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
def test_dicts_made_anew(function):
    W, b = np.array([0.7, -0.4]), np.array([0.3, 1.1])
    W.flags.writeable = b.flags.writeable = False
    gradient = tl.grad(function, wrt=("W", "b"))
    for n in (0, 1, 4):
        wanted = [[(function(W + e, b, n) - function(W - e, b, n)) / 2e-6
                   for e in 1e-6 * np.eye(2)],
                  [(function(W, b + e, n) - function(W, b - e, n)) / 2e-6
                   for e in 1e-6 * np.eye(2)]]
        assert np.allclose(gradient(W, b, n), wanted, rtol=1e-6, atol=1e-8)
        value, pullback = tl.vjp(function, W, b, n)
        assert value == function(W, b, n)
        for _ in range(2):
            assert np.allclose(pullback(1.0)[:2], wanted, rtol=1e-6, atol=1e-8)
        pushed = [tl.jvp(function, (W, b, n), (e, 0.0 * e, None))[1] for e in np.eye(2)]
        assert np.allclose(pushed, wanted[0], rtol=1e-6, atol=1e-8)


def test_dicts_made_anew_are_variables():
    W, b = np.array([0.7, -0.4]), np.array([0.3, 1.1])
    for function in (turned, exchanged, part_of_it_stays, until, asked_by_a_helper):
        assert '"' not in tl.grad(function).source_for(W, b, 3).split("Backward")[0].split('"""')[2]
    tl.check_grads(lambda W, b: exchanged(W, b, 2) + part_of_it_stays(W, b, 2), (W, b))
