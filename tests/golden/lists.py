"""A list that grows in a loop, and is read: it records what it holds."""

import math


def trajectory(x, k, n):
    xs = [x]
    for i in range(n):
        xs.append(k * math.sin(xs[i]))
    total = 0.0
    for v in xs:
        total = total + v * v
    return total


FUNCTION = trajectory
ARGS = (0.4, 1.3, 4)
WRT = ("x", "k")


# Emitted -----------------------------------------------------------------------------------------
import math


def trajectory_grad(x, k, n, btrajectory=1.0):
    """Gradient of trajectory (lists.py:6) with respect to x, k."""
    # Forward pass
    xs = [x]
    for i in range(n):
        xs.append(k * math.sin(xs[i]))
    stop = len(xs)

    # Backward pass
    btotal = btrajectory
    bxs = [0.0] * len(xs)
    for k_1 in range(stop - 1, -1, -1):
        # total = total + v * v
        v = xs[k_1]
        bv = 2.0 * btotal * v
        # for v in xs:
        bxs[k_1] = bv
    bk = 0.0
    for i in range(n - 1, -1, -1):
        xs.pop()
        # xs.append(k * math.sin(xs[i]))
        bt = bxs.pop()
        xs_i = xs[i]
        bk += bt * math.sin(xs_i)
        bxs[i] += bt * k * math.cos(xs_i)
    # xs = [x]
    bx = bxs[0]
    return bx, bk
