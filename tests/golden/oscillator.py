"""A loop that carries two numbers and fills an array that the loss reads."""

import numpy as np


def oscillator(k, c, x, v, dt, n):
    path = np.zeros(n)
    for i in range(n):
        v = v - dt * (k * x * x * x + c * v)
        x = x + dt * v
        path[i] = x
    return np.sum(path ** 2)


FUNCTION = oscillator
ARGS = (1.5, 0.2, 0.9, -0.3, 0.1, 6)
WRT = ("k", "c", "x", "v")
