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


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def ridge_value_and_grad(w, x, y, bridge=1.0):
    """Value and gradient of ridge (value_and_grad.py:6) with respect to w.

    Written for x.shape[0] == y.shape[0].
    """
    # Forward pass
    r = x @ w - y
    ridge_1 = np.sum(r * r) + 0.1 * np.sum(w * w)

    # Backward pass
    # return np.sum(r * r) + 0.1 * np.sum(w * w)
    bw = 0.2 * bridge * w
    br = 2.0 * bridge * r
    # r = x @ w - y
    bw += br @ x
    return ridge_1, bw
