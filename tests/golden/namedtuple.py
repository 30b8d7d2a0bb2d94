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


def fit_grad(params, x, y, bfit=1.0):
    """Gradient of fit (namedtuple.py:13) with respect to params.

    Written for x.shape[0] == params[1].shape[0], x.shape[0] == y.shape[0].
    """
    # Forward pass
    r = params.scale * x + params.shift - y

    # Backward pass
    # return np.sum(r * r)
    br = 2.0 * bfit * r
    return Params(np.sum(br * x), br)
