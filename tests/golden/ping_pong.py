"""Two buffers that change places: their adjoints change places with them."""

import numpy as np


def relax(u, n):
    old, new = u.copy(), u.copy()
    for i in range(n):
        new[1:-1] = 0.5 * (old[2:] + old[:-2])
        old, new = new, old
    return np.sum(old ** 2)


FUNCTION = relax
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 3)
WRT = ("u",)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def relax_grad(u, n, brelax=1.0):
    """Gradient of relax (ping_pong.py:6) with respect to u.

    Written for u.shape[0] >= 2.
    """
    # Forward pass
    old = u.copy()
    bold = np.zeros_like(old)
    new = u.copy()
    bnew = np.zeros_like(new)
    for i in range(n):
        new[1:-1] = 0.5 * (old[2:] + old[:-2])
        old, new = new, old
        bold, bnew = bnew, bold

    # Backward pass
    # return np.sum(old ** 2)
    bold += 2.0 * brelax * old
    for i in range(n - 1, -1, -1):
        bold, bnew = bnew, bold
        old, new = new, old
        # new[1:-1] = 0.5 * (old[2:] + old[:-2])
        bnew_part = bnew[1:-1].copy()
        bnew[1:-1] = 0.0
        bt = 0.5 * bnew_part
        bold[:-2] += bt
        bold[2:] += bt
    # old, new = u.copy(), u.copy()
    bu = bnew + bold
    return bu
