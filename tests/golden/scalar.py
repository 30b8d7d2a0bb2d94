"""A scalar expression: no helper, no array, each slope once."""

import math


def damped(t, k, w):
    return math.exp(-k * t) * math.cos(w * t) + 0.5 * k * k


FUNCTION = damped
ARGS = (0.7, 0.3, 2.1)


# Emitted -----------------------------------------------------------------------------------------
import math


def damped_grad(t, k, w, bdamped=1.0):
    """Gradient of damped (scalar.py:6) with respect to t, k, w."""
    # Forward pass
    minus_k = -k
    exp_t = math.exp(minus_k * t)
    wt = w * t
    cos_wt = math.cos(wt)

    # Backward pass
    # return math.exp(-k * t) * math.cos(w * t) + 0.5 * k * k
    bk = bdamped * k
    bwt = -bdamped * exp_t * math.sin(wt)
    bw = bwt * t
    bt_1 = bdamped * cos_wt * exp_t
    bt = bwt * w + bt_1 * minus_k
    bk -= bt_1 * t
    return bt, bk, bw
