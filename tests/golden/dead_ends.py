"""What does not matter leaves no trace: unused values, constants, a flag that is off."""

import numpy as np


def weighted(x, w, squared=False):
    unused = np.exp(x)
    scale = 2.0 * 3.0
    if squared:
        w = w * w
    print_me = len(x)
    return scale * np.sum(w * x)


FUNCTION = weighted
ARGS = (np.array([0.5, -1.2]), np.array([0.3, 0.4]))
WRT = ("x",)


# Emitted -----------------------------------------------------------------------------------------
def weighted_grad(x, w, squared=False, bweighted=1.0):
    """Gradient of weighted (dead_ends.py:6) with respect to x.

    Written for w.shape[0] == x.shape[0].
    """
    # Forward pass
    scale = 2.0 * 3.0
    if squared:
        w = w * w

    # Backward pass
    # return scale * np.sum(w * x)
    bx = bweighted * scale * w
    return bx
