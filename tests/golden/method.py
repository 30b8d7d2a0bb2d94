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


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def energy_grad(self, x, benergy=1.0):
    """Gradient of energy (method.py:11) with respect to self.W, x.

    Written for self.W.shape[0] == self.b.shape[0].
    """
    # Forward pass
    self_W = self.W
    h = np.tanh(self_W @ x + self.b)

    # Backward pass
    # return np.sum(h * h)
    bh = 2.0 * benergy * h
    # h = np.tanh(self.W @ x + self.b)
    bt = bh * (1.0 - h * h)
    bx = bt @ self_W
    return bt[:, None] * x, bx
