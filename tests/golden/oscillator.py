"""A loop that carries two numbers and fills an array that the loss reads."""

import numpy as np


def oscillator(k, c, x, v, dt, n):
    path = np.zeros(n)
    for i in range(n):
        v = v - dt * (k * x * x * x + c * v)
        x = x + dt * v
        path[i] = x
    return np.sum(path ** 2)


FUNCTION = oscillator
ARGS = (1.5, 0.2, 0.9, -0.3, 0.1, 6)
WRT = ("k", "c", "x", "v")


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def oscillator_grad(k, c, x, v, dt, n, boscillator=1.0):
    """Gradient of oscillator (oscillator.py:6) with respect to k, c, x, v."""
    # Forward pass
    path = np.zeros(n)
    v_tape = []
    x_tape = []
    for i in range(n):
        v_tape.append(v)
        v = v - dt * (k * x * x * x + c * v)
        x_tape.append(x)
        x = x + dt * v
        path[i] = x

    # Backward pass
    # return np.sum(path ** 2)
    bpath = 2.0 * boscillator * path
    bc = 0.0
    bk = 0.0
    bv = 0.0
    bx = 0.0
    for i in range(n - 1, -1, -1):
        # path[i] = x
        bx += bpath[i]
        x = x_tape.pop()
        # x = x + dt * v
        bv += bx * dt
        v = v_tape.pop()
        # v = v - dt * (k * x * x * x + c * v)
        bt = bv * dt
        bc -= bt * v
        bv -= bt * c
        bkx = bt * x * x
        bk -= bkx * x
        bx -= 3.0 * bkx * k
    return bk, bc, bx, bv
