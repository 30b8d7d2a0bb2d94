"""A net as it is written in lectures: layers are objects that keep what they met.

Each layer has a class: one keeps its input and its output, one a running mean of what goes through
it. The net is a list of them, `for layer in self.layers: x = layer.forward(x)`. Nothing of it is
written for differentiation: `tl.value_and_grad(loss)` takes the net as an argument, and the
gradient is a net of the same layers. What a layer keeps meanwhile is the derivative's own: the net
that was passed in stays as it is, and keeps something when it is called itself.

    python examples/objects_that_learn.py [STEPS]
"""

import sys
from pathlib import Path

import numpy as np

import tangent_lite as tl


class Dense:
    """A layer of weights that keeps its input, to be looked at."""

    def __init__(self, rng, inputs, outputs):
        self.weights = rng.normal(size=(inputs, outputs)) * np.sqrt(2.0 / inputs)
        self.biases = np.zeros(outputs)
        self.input = None

    def forward(self, x):
        self.input = x
        return x @ self.weights + self.biases


class Centred:
    """Takes the mean of a batch away, and keeps a running mean for single samples."""

    def __init__(self, width):
        self.scale = np.ones(width)
        self.mean = np.zeros(width)
        self.momentum = 0.9

    def forward(self, x):
        if len(x) == 1:
            return self.scale * (x - self.mean)
        mean = np.mean(x, axis=0)
        self.mean = self.momentum * self.mean + (1.0 - self.momentum) * mean
        return self.scale * (x - mean)


class Tanh:
    """Keeps how far its outputs were from zero."""

    def __init__(self):
        self.spread = None

    def forward(self, x):
        y = np.tanh(x)
        self.spread = np.mean(y * y)
        return y


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def loss(net, x, targets):
    """Cross entropy, and a little for weights and for activations that saturate."""
    scores = net(x)
    scores = scores - np.max(scores, axis=1, keepdims=True)
    logs = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    total = -np.mean(np.sum(targets * logs, axis=1))
    for layer in net.layers:
        if isinstance(layer, Dense):
            total += 1e-3 * np.sum(layer.weights**2)
        elif isinstance(layer, Tanh):
            total += 1e-2 * layer.spread
    return total


def step(net, slopes, rate):
    """Move what is learned against its slopes."""
    for layer, slope in zip(net.layers, slopes.layers):
        for name in ("weights", "biases", "scale"):
            if hasattr(layer, name):
                setattr(layer, name, getattr(layer, name) - rate * getattr(slope, name))


def flowers():
    """The measures of 150 irises, and which of three species each is."""
    table = np.loadtxt(Path(__file__).with_name("iris.csv"), delimiter=",", skiprows=1)
    measures = table[:, :4]
    return ((measures - measures.mean(axis=0)) / measures.std(axis=0),
            np.eye(3)[table[:, 4].astype(int)])


def main(steps=300):
    rng = np.random.default_rng(0)
    x, targets = flowers()
    net = Net([Dense(rng, 4, 16), Centred(16), Tanh(), Dense(rng, 16, 16), Centred(16), Tanh(),
               Dense(rng, 16, 3)])
    slopes_of = tl.value_and_grad(loss)
    print(slopes_of.source_for(net, x, targets))
    tl.check_grads(lambda x: loss(net, x, targets), (x,), order=1)
    print("finite differences: passed")
    for number in range(steps):
        value, slopes = slopes_of(net, x, targets)
        if number in (0, 1, 10, 100, 1000):
            print(f"step {number}: loss {value:.4f}")
        step(net, slopes, 0.5)
        net(x)                          # for the running means: a derivative changes nothing
    right = np.mean(np.argmax(net(x), axis=1) == np.argmax(targets, axis=1))
    alone = np.mean([np.argmax(net(one[None])) == np.argmax(kind) for one, kind in zip(x, targets)])
    print(f"after {steps} steps: {right:.1%} right as a batch, {alone:.1%} one by one")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
