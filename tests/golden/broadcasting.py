"""Broadcasting: what was stretched is summed back, and only that."""

import numpy as np


def standardised(x, scale, shift):
    z = (x - shift) / scale
    return np.mean(z * z)


FUNCTION = standardised
ARGS = (np.linspace(-1.0, 2.0, 12).reshape(4, 3), np.array([0.5, 1.5, 2.0]), 0.3)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def standardised_grad(x, scale, shift, bstandardised=1.0):
    """Gradient of standardised (broadcasting.py:6) with respect to x, scale, shift.

    Written for x.shape[1] == scale.shape[0], x.shape[0] >= 1, x.shape[1] >= 1.
    """
    # Forward pass
    z = (x - shift) / scale

    # Backward pass
    # return np.mean(z * z)
    bz = 2.0 * bstandardised / z.size * z
    # z = (x - shift) / scale
    bt = bz / scale
    bscale = -np.sum(bt * z, axis=0)
    bx = bt
    bshift = -np.sum(bt)
    return bx, bscale, bshift
