"""A scalar expression: no helper, no array, each slope once."""

import math


def damped(t, k, w):
    return math.exp(-k * t) * math.cos(w * t) + 0.5 * k * k


FUNCTION = damped
ARGS = (0.7, 0.3, 2.1)
