"""Branches: the condition is kept, each branch has its adjoint."""


def huber(r, delta):
    if abs(r) <= delta:
        loss = 0.5 * r * r
    else:
        loss = delta * (abs(r) - 0.5 * delta)
    return loss


FUNCTION = huber
ARGS = (-1.7, 0.8)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def huber_grad(r, delta, bhuber=1.0):
    """Gradient of huber (huber.py:4) with respect to r, delta."""
    # Backward pass
    bloss = bhuber
    if abs(r) <= delta:
        # loss = 0.5 * r * r
        br = bloss * r
        bdelta = 0.0
    else:
        # loss = delta * (abs(r) - 0.5 * delta)
        bt = bloss * delta
        bdelta = bloss * (abs(r) - 0.5 * delta) - 0.5 * bt
        br = bt * np.sign(r)
    return br, bdelta
