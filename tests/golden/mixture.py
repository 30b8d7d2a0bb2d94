"""Reductions along an axis, and a mean of logarithms."""

import numpy as np


def mixture(means, logits, x):
    weights = np.exp(logits) / np.sum(np.exp(logits))
    d = x[:, None] - means
    return -np.mean(np.log(np.sum(weights * np.exp(-0.5 * d * d), axis=1)))


FUNCTION = mixture
ARGS = (np.array([-0.5, 0.9]), np.array([0.1, -0.3]), np.array([0.5, -1.2, 0.8, 1.7]))
WRT = ("means", "logits")


# Emitted -----------------------------------------------------------------------------------------
import numpy as np
from tangent_lite.runtime import unreduce


def mixture_grad(means, logits, x, bmixture=1.0):
    """Gradient of mixture (mixture.py:6) with respect to means, logits.

    Written for logits.shape[0] == means.shape[0], x.shape[0] >= 1.
    """
    # Forward pass
    exp_logits = np.exp(logits)
    sum_exp = np.sum(exp_logits)
    weights = exp_logits / sum_exp
    d = x[:, None] - means
    exp_td = np.exp(-0.5 * d * d)
    sum_t = np.sum(weights * exp_td, axis=1)

    # Backward pass
    # return -np.mean(np.log(np.sum(weights * np.exp(-0.5 * d * d), axis=1)))
    bt = unreduce(-bmixture / sum_t.size / sum_t, exp_td, 1)
    bweights = np.sum(bt * exp_td, axis=0)
    bd = -bt * weights * exp_td * d
    # d = x[:, None] - means
    bmeans = -np.sum(bd, axis=0)
    # weights = np.exp(logits) / np.sum(np.exp(logits))
    bexp_logits = bweights / sum_exp
    bexp_logits -= bexp_logits @ weights
    blogits = bexp_logits * exp_logits
    return bmeans, blogits
