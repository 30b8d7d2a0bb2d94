"""A method, with respect to an attribute."""

import numpy as np


class Layer:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def energy(self, x):
        h = np.tanh(self.W @ x + self.b)
        return np.sum(h * h)


FUNCTION = Layer.energy
ARGS = (Layer(np.linspace(-0.5, 0.6, 6).reshape(2, 3),
        np.array([0.1, -0.2])),
        np.array([0.5, -1.2, 0.8]))
WRT = ("self.W", "x")
