"""Two loops with one counter, and a name that is used for two things: both keep their names."""

import math


def two_loops(x, n):
    for i in range(n):
        t = math.sin(x)
        x = x + t * i
    for i in range(n):
        t = 0.5 * x
        x = t * t
    return x


FUNCTION = two_loops
ARGS = (0.7, 3)
WRT = ("x",)
LINES = 18


# Emitted -----------------------------------------------------------------------------------------
import math


def two_loops_grad(x, n, btwo_loops=1.0):
    """Gradient of two_loops (two_loops.py:6) with respect to x."""
    # Forward pass
    x_tape = []
    for i in range(n):
        x_tape.append(x)
        t = math.sin(x)
        x = x + t * i
    for i in range(n):
        t = 0.5 * x
        x_tape.append(x)
        x = t * t

    # Backward pass
    bx = btwo_loops
    for i in range(n - 1, -1, -1):
        x = x_tape.pop()
        t = 0.5 * x
        # x = t * t
        bt = 2.0 * bx * t
        # t = 0.5 * x
        bx = 0.5 * bt
    for i in range(n - 1, -1, -1):
        x = x_tape.pop()
        # x = x + t * i
        bt = bx * i
        # t = math.sin(x)
        bx += bt * math.cos(x)
    return bx
