"""The value too: it is what the forward pass computed."""

import numpy as np


def ridge(w, x, y):
    r = x @ w - y
    return np.sum(r * r) + 0.1 * np.sum(w * w)


FUNCTION = ridge
ARGS = (np.array([0.5, -0.4]),
        np.linspace(-1.0, 1.3, 6).reshape(3, 2),
        np.array([0.3, -0.2, 0.5]))
WRT = ("w",)
FORM = "value_and_grad"
