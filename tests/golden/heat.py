"""A linear stencil: nothing is recorded."""

import numpy as np


def heat(u, k, n):
    u = u.copy()
    for i in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


FUNCTION = heat
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 0.2, 3)
WRT = ("u",)
