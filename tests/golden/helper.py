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


# Emitted -----------------------------------------------------------------------------------------
import numpy as np
from tangent_lite.runtime import unreduce


def softplus_fwd(x, sharpness):
    """Value of softplus (helper.py:6) and what its backward pass needs."""
    exp_t = np.exp(sharpness * x)
    t = 1.0 + exp_t
    return np.log(t) / sharpness, (exp_t, t)


def softplus_bwd(saved, bsoftplus):
    """Backward pass of softplus (helper.py:6): adjoints of x."""
    exp_t, t = saved
    # return np.log(1.0 + np.exp(sharpness * x)) / sharpness
    bx = bsoftplus / t * exp_t
    return bx


def hinge_grad(w, x, y, bhinge=1.0):
    """Gradient of hinge (helper.py:10) with respect to w.

    Written for y.shape[0] == x.shape[0].
    """
    # Forward pass
    margins = 1.0 - y * (x @ w)
    softplus_1, softplus_saved = softplus_fwd(margins, 3.0)

    # Backward pass
    # return np.sum(softplus(margins, 3.0)) + 0.1 * np.sum(w ** 2)
    bw = 0.2 * bhinge * w
    bmargins = softplus_bwd(softplus_saved, unreduce(bhinge, y))
    # margins = 1.0 - y * (x @ w)
    bw -= (bmargins * y) @ x
    return bw
