"""A nonlinear stencil: each step makes a new array."""

import numpy as np


def burgers(u, nu, dt, n):
    for i in range(n):
        left, right = np.roll(u, 1), np.roll(u, -1)
        u = u - dt * u * (right - left) + nu * (right - 2.0 * u + left)
    return np.sum(u ** 2)


FUNCTION = burgers
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 0.1, 0.05, 3)
WRT = ("u", "nu")
