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
