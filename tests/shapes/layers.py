"""Layers of nets that change as they run, and what holds functions of them to differences."""
import copy

import numpy as np
import pytest

import tangent_lite as tl

X = np.random.default_rng(1).normal(size=(2, 3)) * 0.5


class Dense:
    def __init__(self, w, b):
        self.w, self.b, self.x = w, b, None

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b


class Tanh:
    def __init__(self):
        self.y = None

    def forward(self, x):
        self.y = np.tanh(x)
        return self.y


class Scale:
    def __init__(self, by):
        self.by, self.calls = by, 0

    def forward(self, x):
        self.calls += 1
        return x * self.by


class Mean:
    """Keeps an average of what it met, which it changes in place."""

    def __init__(self, w):
        self.w, self.mean, self.log = w, np.zeros(3), []

    def forward(self, x):
        self.mean *= 0.5
        self.mean += x[0]
        self.log.append(np.sum(self.mean))
        return x - self.mean * self.w


class Block:
    def __init__(self, layers):
        self.layers, self.out = layers, None

    def forward(self, x):
        y = x
        for layer in self.layers:
            y = layer.forward(y)
        self.out = x + y
        return self.out


class Model:
    def __init__(self, blocks):
        self.blocks = blocks

    def __call__(self, x):
        for block in self.blocks:
            x = block.forward(x)
        return x


class Plus:
    def __init__(self, w):
        self.w, self.calls = w, 0

    def forward(self, x):
        self.calls += 1
        return x + self.w


class Times(Plus):
    def forward(self, x):
        self.calls += 1
        return x * self.w


def in_turn(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x ** 2)


def dense(rng):
    return Dense(rng.normal(size=(3, 3)), rng.normal(size=3))


def several(seed=0):
    rng = np.random.default_rng(seed)
    return [dense(rng), Tanh(), Mean(0.3), Scale(1.5), dense(rng)]


def leaves(value, path=()):
    """The arrays and floats of a structure, with functions that read and write them."""
    if isinstance(value, np.ndarray) or type(value) is float:
        yield path, value
    elif isinstance(value, (list, tuple)):
        for k, part in enumerate(value):
            yield from leaves(part, (*path, k))
    elif hasattr(value, "__dict__"):
        for name, part in vars(value).items():
            yield from leaves(part, (*path, name))


def state(net):
    return [(path, np.copy(leaf)) for path, leaf in leaves(net)]


def part(value, path):
    for step in path:
        value = getattr(value, step) if isinstance(step, str) else value[step]
    return value


def slope_along(function, x, way):
    return (function(x + 1e-6 * way) - function(x - 1e-6 * way)) / 2e-6


def check(function, given, x, derivative=None):
    """Value, gradients of all that varies, and that what is given stays as it is."""
    derivative = derivative or tl.value_and_grad(function, wrt=(0, 1))
    wanted = function(copy.deepcopy(given), x)
    before = [(path, np.copy(leaf)) for path, leaf in leaves(given)]
    value, (found, slopes) = derivative(given, x)
    assert value == wanted
    assert [path for path, _ in leaves(given)] == [path for path, _ in before]
    assert all(np.array_equal(leaf, old) for (_, leaf), (_, old) in zip(leaves(given), before))
    rng = np.random.default_rng(7)
    for path, leaf in before:
        if path and path[-1] in ("x", "y", "out", "log") or isinstance(path[-1], int):
            continue
        way = rng.normal(size=np.shape(leaf))

        def moved(step, path=path, leaf=leaf, way=way):
            other = copy.deepcopy(given)
            setattr(part(other, path[:-1]), path[-1], leaf + step * way)
            return function(other, x)

        slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
        assert np.sum(part(found, path) * way) == pytest.approx(slope, rel=1e-5, abs=1e-6), path
    way = rng.normal(size=x.shape)
    slope = (function(copy.deepcopy(given), x + 1e-6 * way)
             - function(copy.deepcopy(given), x - 1e-6 * way)) / 2e-6
    assert np.sum(slopes * way) == pytest.approx(slope, rel=1e-5, abs=1e-6)
    return derivative
