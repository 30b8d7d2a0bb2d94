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
