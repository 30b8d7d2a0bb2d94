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
