"""Forward substitution: rows are read, elements written."""

import numpy as np


def substitute(L, b):
    x = np.zeros(len(b))
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s = s - L[i, j] * x[j]
        x[i] = s / L[i, i]
    return np.sum(x * x)


FUNCTION = substitute
ARGS = (np.array([[2.0, 0.0, 0.0], [0.3, 1.5, 0.0], [-0.4, 0.6, 1.2]]),
        np.array([0.5, -0.4, 0.9]))


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def substitute_grad(L, b, bsubstitute=1.0):
    """Gradient of substitute (triangular.py:6) with respect to L, b."""
    # Forward pass
    x = np.zeros(len(b))
    x_i_tape = []
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s = s - L[i, j] * x[j]
        x_i_tape.append(x[i])
        x[i] = s / L[i, i]

    # Backward pass
    # return np.sum(x * x)
    bx = 2.0 * bsubstitute * x
    bL = np.zeros_like(L)
    bb = np.zeros_like(b)
    for i in range(len(b) - 1, -1, -1):
        x_i = x[i]
        x[i] = x_i_tape.pop()
        # x[i] = s / L[i, i]
        bx_part = bx[i]
        bx[i] = 0.0
        bs = bx_part / L[i, i]
        bL[i, i] = -(bs * x_i)
        for j in range(i - 1, -1, -1):
            # s = s - L[i, j] * x[j]
            bx[j] -= bs * L[i, j]
            bL[i, j] -= bs * x[j]
        # s = b[i]
        bb[i] = bs
    return bL, bb
