"""A view that is written: its adjoint is the same view of the adjoint."""

import numpy as np


def clamp_ends(x, a):
    y = a * x
    inner = y[1:-1]
    inner *= x[1:-1]
    y[0] = a * a
    return np.sum(y * y)


FUNCTION = clamp_ends
ARGS = (np.array([0.5, -1.2, 0.8, 1.7]), 0.7)
