"""A nonlinear stencil: each step makes a new array."""

import numpy as np


def burgers(u, nu, dt, n):
    for i in range(n):
        left, right = np.roll(u, 1), np.roll(u, -1)
        u = u - dt * u * (right - left) + nu * (right - 2.0 * u + left)
    return np.sum(u ** 2)


FUNCTION = burgers
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 0.1, 0.05, 3)
WRT = ("u", "nu")


# Emitted -----------------------------------------------------------------------------------------
import numpy as np
from tangent_lite.runtime.shapes import roll_back


def burgers_grad(u, nu, dt, n, bburgers=1.0):
    """Gradient of burgers (burgers.py:6) with respect to u, nu."""
    # Forward pass
    u_tape = []
    t_tape_1 = []
    t_tape = []
    for i in range(n):
        left = np.roll(u, 1)
        right = np.roll(u, -1)
        t = right - left
        t_1 = right - 2.0 * u + left
        u_tape.append(u)
        u = u - dt * u * t + nu * t_1
        t_tape_1.append(t_1)
        t_tape.append(t)

    # Backward pass
    # return np.sum(u ** 2)
    bu = 2.0 * bburgers * u
    bnu = 0.0
    for i in range(n - 1, -1, -1):
        t = t_tape.pop()
        t_1 = t_tape_1.pop()
        u = u_tape.pop()
        # u = u - dt * u * (right - left) + nu * (right - 2.0 * u + left)
        bt_2 = bu
        bnu += bu @ t_1
        bt_1 = bu * nu
        bu = -2.0 * bt_1
        bu += bt_2
        bt = bt_2 * (dt * u)
        bright = bt_1 - bt
        bleft = bt_1 + bt
        bu -= bt_2 * t * dt
        # left, right = np.roll(u, 1), np.roll(u, -1)
        bu += roll_back(bright, -1)
        bu += roll_back(bleft, 1)
    return bu, bnu
