"""Elements read in a loop, from the back: one array of adjoints, written by element."""

import numpy as np


def horner(c, x):
    p = 0.0
    for k in range(len(c) - 1, -1, -1):
        p = p * x + c[k]
    return p


FUNCTION = horner
ARGS = (np.array([0.5, -1.2, 0.8]), 1.3)
LINES = 14


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def horner_grad(c, x, bhorner=1.0):
    """Gradient of horner (horner.py:6) with respect to c, x."""
    # Forward pass
    p = 0.0
    p_tape = []
    for k in range(len(c) - 1, -1, -1):
        p_tape.append(p)
        p = p * x + c[k]

    # Backward pass
    bp = bhorner
    bc = np.zeros_like(c)
    bx = 0.0
    for k in range(len(c)):
        p = p_tape.pop()
        # p = p * x + c[k]
        bc[k] = bp
        bx += bp * p
        bp = bp * x
    return bc, bx
