"""Elements overwritten in place, in a loop: what was there is recorded, and put back."""

import numpy as np


def smooth(u, k):
    u = u.copy()
    for i in range(1, len(u) - 1):
        u[i] = u[i] + k * u[i - 1] * (u[i + 1] - u[i])
    return np.sum(u * u)


FUNCTION = smooth
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 0.3)
LINES = 16


# Emitted -----------------------------------------------------------------------------------------
def smooth_grad(u, k, bsmooth=1.0):
    """Gradient of smooth (smooth.py:6) with respect to u, k."""
    # Forward pass
    u = u.copy()
    u_i_tape = []
    for i in range(1, len(u) - 1):
        u_i = u[i]
        u_i_tape.append(u_i)
        u[i] = u_i + k * u[i - 1] * (u[i + 1] - u_i)

    # Backward pass
    # return np.sum(u * u)
    bu = 2.0 * bsmooth * u
    bk = 0.0
    for i in range(len(u) - 2, 0, -1):
        u[i] = u_i_tape.pop()
        # u[i] = u[i] + k * u[i - 1] * (u[i + 1] - u[i])
        bu_part = bu[i]
        u_part = u[i - 1]
        bt = bu_part * (u[i + 1] - u[i])
        bt_1 = bu_part * (k * u_part)
        bu[i] -= bt_1
        bu[i + 1] += bt_1
        bk += bt * u_part
        bu[i - 1] += bt * k
    return bu, bk
