"""A call of a user function: a pair of it, forward and backward."""

import numpy as np


def softplus(x, sharpness):
    return np.log(1.0 + np.exp(sharpness * x)) / sharpness


def hinge(w, x, y):
    margins = 1.0 - y * (x @ w)
    return np.sum(softplus(margins, 3.0)) + 0.1 * np.sum(w ** 2)


FUNCTION = hinge
ARGS = (np.array([0.5, -0.4]),
        np.linspace(-1.0, 1.3, 10).reshape(5, 2),
        np.array([1.0, -1.0, 1.0, 1.0, -1.0]))
WRT = ("w",)
