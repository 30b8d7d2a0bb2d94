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
