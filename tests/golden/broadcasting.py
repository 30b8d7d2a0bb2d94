"""Broadcasting: what was stretched is summed back, and only that."""

import numpy as np


def standardised(x, scale, shift):
    z = (x - shift) / scale
    return np.mean(z * z)


FUNCTION = standardised
ARGS = (np.linspace(-1.0, 2.0, 12).reshape(4, 3), np.array([0.5, 1.5, 2.0]), 0.3)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np
from tangent_lite.runtime import unbroadcast


def standardised_grad(x, scale, shift, bstandardised=1.0):
    """Gradient of standardised (broadcasting.py:6) with respect to x, scale, shift."""
    # Forward pass
    z = (x - shift) / scale

    # Backward pass
    # return np.mean(z * z)
    bz = 2.0 * (bstandardised / z.size) * z
    # z = (x - shift) / scale
    t_1 = bz / scale
    bt = unbroadcast(t_1, x)
    bscale = unbroadcast(-t_1 * z, scale)
    bx = bt
    bshift = np.sum(-bt)
    return bx, bscale, bshift
