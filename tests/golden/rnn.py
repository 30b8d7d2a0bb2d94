"""A recurrent network."""

import numpy as np


def rnn(W, U, b, xs):
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(W @ h + U @ x + b)
    return np.sum(h ** 2)


FUNCTION = rnn
ARGS = (np.linspace(-0.5, 0.6, 9).reshape(3, 3),
        np.linspace(-0.4, 0.7, 6).reshape(3, 2),
        np.array([0.1, -0.2, 0.3]),
        np.linspace(-1.0, 1.3, 8).reshape(4, 2))
WRT = ("W", "U", "b")


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def rnn_grad(W, U, b, xs, brnn=1.0):
    """Gradient of rnn (rnn.py:6) with respect to W, U, b.

    Written for W.shape[0] == U.shape[0], W.shape[0] == b.shape[0].
    """
    # Forward pass
    h = np.zeros(len(b))
    h_tape = []
    for x in xs:
        h_tape.append(h)
        h = np.tanh(W @ h + U @ x + b)

    # Backward pass
    # return np.sum(h ** 2)
    bh = 2.0 * brnn * h
    bU = np.zeros_like(U)
    bW = np.zeros_like(W)
    bb = np.zeros_like(b)
    bt_rows = []
    x_rows = []
    h_rows = []
    for k in range(len(xs) - 1, -1, -1):
        # h = np.tanh(W @ h + U @ x + b)
        bt = bh * (1.0 - h * h)
        h = h_tape.pop()
        bt_rows.append(bt)
        x = xs[k]
        x_rows.append(x)
        h_rows.append(h)
        bh = bt @ W
    bt_rows = np.array(bt_rows)
    bb += np.sum(bt_rows, axis=0)
    bU += bt_rows.T @ np.array(x_rows)
    bW += bt_rows.T @ np.array(h_rows)
    return bW, bU, bb
