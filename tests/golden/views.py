"""A view that is written: its adjoint is the same view of the adjoint."""

import numpy as np


def clamp_ends(x, a):
    y = a * x
    inner = y[1:-1]
    inner *= x[1:-1]
    y[0] = a * a
    return np.sum(y * y)


FUNCTION = clamp_ends
ARGS = (np.array([0.5, -1.2, 0.8, 1.7]), 0.7)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def clamp_ends_grad(x, a, bclamp_ends=1.0):
    """Gradient of clamp_ends (views.py:6) with respect to x, a.

    Written for x.shape[0] >= 2.
    """
    # Forward pass
    y = a * x
    inner = y[1:-1]
    x_part = x[1:-1]
    inner_old = inner.copy()
    inner *= x_part
    y_0 = y[0]
    y[0] = a * a

    # Backward pass
    # return np.sum(y * y)
    by = 2.0 * bclamp_ends * y
    y[0] = y_0
    # y[0] = a * a
    by_part = by[0]
    by[0] = 0.0
    ba = 2.0 * by_part * a
    inner[...] = inner_old
    # inner *= x[1:-1]
    binner = by[1:-1]
    bx_part_part = binner * inner
    binner *= x_part
    bx = np.zeros_like(x)
    bx[1:-1] = bx_part_part
    # y = a * x
    ba += by @ x
    bx += by * a
    return bx, ba
