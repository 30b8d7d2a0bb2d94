"""Parameters in a dict: the gradient is a dict."""

import numpy as np


def misfit(params, t, seen):
    model = params["height"] * np.exp(-params["rate"] * t) + params["floor"]
    return np.sum((model - seen) ** 2)


FUNCTION = misfit
ARGS = ({"height": 2.0, "rate": 0.7, "floor": 0.1}, np.linspace(0.0, 3.0, 6),
        np.array([2.0, 1.3, 0.9, 0.6, 0.4, 0.3]))
WRT = ("params",)
