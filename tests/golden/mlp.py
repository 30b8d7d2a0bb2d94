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


# Emitted -----------------------------------------------------------------------------------------
import numpy as np
from tangent_lite.runtime import share_ties, where_positive


def loss_grad(W1, b1, W2, b2, x, labels, bloss=1.0):
    """Gradient of loss (mlp.py:6) with respect to W1, b1, W2, b2.

    Written for W1.shape[1] == b1.shape[0], W2.shape[1] == b2.shape[0],
    x.shape[0] == labels.shape[0], W2.shape[1] == labels.shape[1], x.shape[0] >= 1.
    """
    # Forward pass
    t = x @ W1 + b1
    h = np.maximum(t, 0.0)
    scores = h @ W2 + b2
    max_scores = np.max(scores, axis=1, keepdims=True)
    scores_1 = scores - max_scores
    exp_scores = np.exp(scores_1)
    sum_exp_scores = np.sum(exp_scores, axis=1)

    # Backward pass
    # return np.mean(log_sum - np.sum(scores * labels, axis=1))
    bt_1 = bloss / sum_exp_scores.size
    blog_sum = bt_1
    bscores = -bt_1 * labels
    # log_sum = np.log(np.sum(np.exp(scores), axis=1))
    bscores += (blog_sum / sum_exp_scores)[:, None] * exp_scores
    # scores = scores - np.max(scores, axis=1, keepdims=True)
    bscores = (
        bscores - np.sum(bscores, axis=1, keepdims=True) * share_ties(max_scores, scores, 1, True)
    )
    # scores = h @ W2 + b2
    bb2 = np.sum(bscores, axis=0)
    bh = bscores @ W2.T
    bW2 = h.T @ bscores
    # h = np.maximum(x @ W1 + b1, 0.0)
    bt = where_positive(bh, t)
    bb1 = np.sum(bt, axis=0)
    bW1 = x.T @ bt
    return bW1, bb1, bW2, bb2
