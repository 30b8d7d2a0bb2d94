"""Parameters in a dict: the gradient is a dict."""

import numpy as np


def misfit(params, t, seen):
    model = params["height"] * np.exp(-params["rate"] * t) + params["floor"]
    return np.sum((model - seen) ** 2)


FUNCTION = misfit
ARGS = ({"height": 2.0, "rate": 0.7, "floor": 0.1}, np.linspace(0.0, 3.0, 6),
        np.array([2.0, 1.3, 0.9, 0.6, 0.4, 0.3]))
WRT = ("params",)
LINES = 9


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def misfit_grad(params, t, seen, bmisfit=1.0):
    """Gradient of misfit (parameters.py:6) with respect to params.

    Written for t.shape[0] == seen.shape[0].
    """
    # Forward pass
    height = params["height"]
    exp_t = np.exp(-params["rate"] * t)
    model = height * exp_t + params["floor"]

    # Backward pass
    # return np.sum((model - seen) ** 2)
    bmodel = 2.0 * bmisfit * (model - seen)
    return {
        "height": np.sum(bmodel * exp_t),
        "rate": -np.sum(bmodel * height * exp_t * t),
        "floor": np.sum(bmodel),
    }
