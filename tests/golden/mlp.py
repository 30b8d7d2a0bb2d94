"""A network of two layers and its softmax loss."""

import numpy as np


def loss(W1, b1, W2, b2, x, labels):
    h = np.maximum(x @ W1 + b1, 0.0)
    scores = h @ W2 + b2
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_sum = np.log(np.sum(np.exp(scores), axis=1))
    return np.mean(log_sum - np.sum(scores * labels, axis=1))


FUNCTION = loss
ARGS = (np.linspace(-0.5, 0.6, 12).reshape(3, 4), np.array([0.1, -0.2, 0.3, 0.4]),
        np.linspace(-0.7, 0.4, 8).reshape(4, 2), np.array([0.1, -0.1]),
        np.linspace(-1.0, 1.3, 15).reshape(5, 3), np.eye(2)[[0, 1, 1, 0, 1]])
WRT = ("W1", "b1", "W2", "b2")
