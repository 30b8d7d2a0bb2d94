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
