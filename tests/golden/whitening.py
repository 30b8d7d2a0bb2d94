"""An array divided in place by its own size, a product with its own transpose, a root of a mean."""

import numpy as np


def whiteness(X, w, wanted):
    weights = np.exp(w)
    weights /= weights.sum()
    centred = X - weights @ X
    C = centred.T @ centred / X.shape[0]
    error = np.sqrt(np.mean((C - wanted) ** 2))
    for weight in w:
        if weight > 2.0:
            error += 0.1 * (weight - 2.0) ** 2
    return error


FUNCTION = whiteness
ARGS = (
    np.array([[0.5, -1.2], [0.8, 1.7], [0.4, 0.3]]),
    np.array([0.1, 2.3, -0.4]),
    np.eye(2),
)
WRT = ("X", "w")


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def whiteness_grad(X, w, wanted, bwhiteness=1.0):
    """Gradient of whiteness (whitening.py:6) with respect to X, w.

    Written for X.shape[1] == wanted.shape[0], X.shape[1] == wanted.shape[1],
    X.shape[0] == w.shape[0], X.shape[1] >= 1.
    """
    # Forward pass
    weights = np.exp(w)
    sum_weights = weights.sum()
    weights_1 = weights / sum_weights
    centred = X - weights_1 @ X
    n = X.shape[0]
    C = (centred.T @ centred) / n
    t = C - wanted
    error = np.sqrt(np.mean(t ** 2))
    error_tape = []
    for weight in w:
        if weight > 2.0:
            error_tape.append(error)
            error += 0.1 * (weight - 2.0) ** 2

    # Backward pass
    berror = bwhiteness
    bw = np.zeros_like(w)
    for k in range(len(w) - 1, -1, -1):
        weight = w[k]
        bweight = 0.0
        if weight > 2.0:
            error = error_tape.pop()
            # error += 0.1 * (weight - 2.0) ** 2
            bweight = 0.2 * berror * (weight - 2.0)
        # for weight in w:
        bw[k] = bweight
    # error = np.sqrt(np.mean((C - wanted) ** 2))
    bC = berror / error / t.size * t
    # C = centred.T @ centred / X.shape[0]
    bt = bC / n
    bcentred = centred @ bt
    bcentred += centred @ bt.T
    # centred = X - weights @ X
    bt_1 = -np.sum(bcentred, axis=0)
    bweights = X @ bt_1
    bX = bcentred + weights_1[:, None] * bt_1
    # weights /= weights.sum()
    bweights = bweights / sum_weights
    bweights -= bweights @ weights_1
    # weights = np.exp(w)
    bw += bweights * weights
    return bX, bw
