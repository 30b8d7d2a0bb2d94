"""Broadcasting: what was stretched is summed back, and only that."""

import numpy as np


def standardised(x, scale, shift):
    z = (x - shift) / scale
    return np.mean(z * z)


FUNCTION = standardised
ARGS = (np.linspace(-1.0, 2.0, 12).reshape(4, 3), np.array([0.5, 1.5, 2.0]), 0.3)
