"""A linear stencil: nothing is recorded."""

import numpy as np


def heat(u, k, n):
    u = u.copy()
    for i in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


FUNCTION = heat
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 0.2, 3)
WRT = ("u",)
LINES = 10


# Emitted -----------------------------------------------------------------------------------------
def heat_grad(u, k, n, bheat=1.0):
    """Gradient of heat (heat.py:6) with respect to u.

    Written for u.shape[0] >= 2.
    """
    # Forward pass
    u = u.copy()
    for i in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])

    # Backward pass
    # return np.sum(u * u)
    bu = 2.0 * bheat * u
    for i in range(n - 1, -1, -1):
        # u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        bt = bu[1:-1] * k
        bu[:-2] += bt
        bu[1:-1] -= 2.0 * bt
        bu[2:] += bt
    return bu
