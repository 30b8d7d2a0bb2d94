"""A namedtuple in, a namedtuple out."""

from typing import NamedTuple

import numpy as np


class Params(NamedTuple):
    scale: float
    shift: np.ndarray


def fit(params, x, y):
    r = params.scale * x + params.shift - y
    return np.sum(r * r)


FUNCTION = fit
ARGS = (Params(1.5, np.array([0.1, -0.2, 0.3])),
        np.array([0.5, -0.4, 0.2]),
        np.array([0.3, -0.2, 0.5]))
WRT = ("params",)


# Emitted -----------------------------------------------------------------------------------------
import numpy as np
from tangent_lite.runtime import unbroadcast


def fit_grad(params, x, y, bfit=1.0):
    """Gradient of fit (namedtuple.py:13) with respect to params."""
    # Forward pass
    t = params.scale * x
    params_shift = params.shift
    t_1 = t + params_shift
    r = t_1 - y

    # Backward pass
    # return np.sum(r * r)
    br = 2.0 * bfit * r
    # r = params.scale * x + params.shift - y
    bt_1 = unbroadcast(br, t_1)
    return Params(np.sum(unbroadcast(bt_1, t) * x), unbroadcast(bt_1, params_shift))
