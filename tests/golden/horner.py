"""Elements read in a loop, from the back: one array of adjoints, written by element."""

import numpy as np


def horner(c, x):
    p = 0.0
    for k in range(len(c) - 1, -1, -1):
        p = p * x + c[k]
    return p


FUNCTION = horner
ARGS = (np.array([0.5, -1.2, 0.8]), 1.3)
