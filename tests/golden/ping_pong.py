"""Two buffers that change places: their adjoints change places with them."""

import numpy as np


def relax(u, n):
    old, new = u.copy(), u.copy()
    for i in range(n):
        new[1:-1] = 0.5 * (old[2:] + old[:-2])
        old, new = new, old
    return np.sum(old ** 2)


FUNCTION = relax
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 3)
WRT = ("u",)
