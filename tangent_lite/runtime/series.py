"""What emitted code may call for numpy.polynomial: series of coefficients along one axis."""
from __future__ import annotations

import numpy as np


def one_series(c, least=1):
    """c, which has to be one series of coefficients; least: 0 where that may be a number."""
    if not least <= np.ndim(c) <= 1:
        raise NotImplementedError("the derivative of several series of coefficients at once; call "
                                  "the function for one after the other")
    return c


def series_moments(dy, powers):
    """Adjoint of the coefficients c in y = powers @ c; powers is of shape (..., len(c))."""
    return np.ravel(dy) @ np.reshape(powers, (-1, np.shape(powers)[-1]))


def combined(dy, matrix, c):
    """Adjoint of the coefficients c in y = matrix @ c."""
    one_series(c, 0)
    return np.reshape(dy @ matrix, np.shape(c))[()]


def slopes_of(slope, deg):
    """The matrix that makes the slopes of the polynomials 0, ..., deg of a family of them."""
    matrix = slope(np.eye(deg + 1))
    return np.concatenate((matrix, np.zeros((deg + 1 - len(matrix), deg + 1))))
