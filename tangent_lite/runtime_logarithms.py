"""Logarithms as functions of what is behind what they are taken of: see `passes/logarithms`.

No text calls these; what is emitted takes the logarithm as the user wrote it.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def log_of_rise(x: ArrayLike, rest: ArrayLike) -> ArrayLike:
    """log(s), s = 1 / (1 + exp(-x)), of the same shape; rest: 1 - s, which is its slope."""
    return np.log1p(-np.asarray(rest))


def log_of_fall(x: ArrayLike, rest: ArrayLike) -> ArrayLike:
    """log(s), s = 1 / (1 + exp(x)), of the same shape; rest: 1 - s; its slope is -rest."""
    return np.log1p(-np.asarray(rest))


def log_of_share(x: ArrayLike, share: ArrayLike) -> ArrayLike:
    """log(share), share = exp(x) / sum(exp(x))."""
    return np.log(share)


def log_of_share_along(x: ArrayLike, share: ArrayLike, axis: int) -> ArrayLike:
    """log(share), share = exp(x) / sum(exp(x), axis, keepdims=True)."""
    return np.log(share)
