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
    old_2 = u.copy()
    bold = np.zeros_like(old_2)
    old = old_2
    new_1 = u.copy()
    bnew = np.zeros_like(new_1)
    new = new_1
    bnew_tape = []
    new_tape = []
    bold_tape = []
    for i in range(n):
        new[1:-1] = 0.5 * (old[2:] + old[:-2])
        bold_1 = bnew
        old_1 = new
        bnew_tape.append(bnew)
        bnew = bold
        new_tape.append(new)
        new = old
        bold_tape.append(bold)
        bold = bold_1
        old = old_1

    # Backward pass
    # return np.sum(old ** 2)
    bold += 2.0 * old * brelax
    for i in range(n - 1, -1, -1):
        bold = bold_tape.pop()
        new = new_tape.pop()
        bnew = bnew_tape.pop()
        # new[1:-1] = 0.5 * (old[2:] + old[:-2])
        bnew_part = bnew[1:-1].copy()
        bnew[1:-1] = 0.0
        bt = 0.5 * bnew_part
        bold[:-2] += bt
        bold[2:] += bt
    # old, new = u.copy(), u.copy()
    bu = bnew + bold
    return bu
