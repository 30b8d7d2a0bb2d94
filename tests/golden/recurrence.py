"""Nested loops with a recurrence in both indices: elements cost O(1) in both passes."""

import numpy as np


def paths(cost, a):
    best = np.zeros(cost.shape)
    for i in range(1, cost.shape[0]):
        for j in range(1, cost.shape[1]):
            best[i, j] = cost[i, j] + a * best[i - 1, j] * best[i, j - 1] + best[i - 1, j - 1]
    return best[-1, -1]


FUNCTION = paths
ARGS = (np.linspace(0.1, 1.4, 12).reshape(3, 4), 0.3)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def paths_grad(cost, a, bpaths=1.0):
    """Gradient of paths (recurrence.py:6) with respect to cost, a."""
    # Forward pass
    best = np.zeros(cost.shape)
    stop = cost.shape[0]
    for i in range(1, stop):
        for j in range(1, cost.shape[1]):
            best[i, j] = cost[i, j] + a * best[i - 1, j] * best[i, j - 1] + best[i - 1, j - 1]

    # Backward pass
    # return best[-1, -1]
    bbest = np.zeros_like(best)
    bbest[-1, -1] = bpaths
    ba = 0.0
    bcost = np.zeros_like(cost)
    for i in range(stop - 1, 0, -1):
        for j in range(cost.shape[1] - 1, 0, -1):
            # best[i, j] = cost[i, j] + a * best[i - 1, j] * best[i, j - 1] + best[i - 1, j - 1]
            bbest_part = bbest[i, j]
            bbest[i - 1, j - 1] += bbest_part
            best_part = best[i - 1, j]
            bt = bbest_part * best[i, j - 1]
            bbest[i, j - 1] += bbest_part * (a * best_part)
            ba += bt * best_part
            bbest[i - 1, j] += bt * a
            bcost[i, j] = bbest_part
    return bcost, ba
