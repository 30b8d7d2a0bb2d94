"""Logarithms as functions of what is behind what they are taken of: see `passes/logarithms`.

No text calls these; what is emitted takes the logarithm as the user wrote it.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def rise(x: ArrayLike) -> ArrayLike:
    """1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + np.exp(-np.asarray(x)))


def fall(x: ArrayLike) -> ArrayLike:
    """1 / (1 + exp(x))."""
    return 1.0 / (1.0 + np.exp(x))


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


def minus_log_of_sum(x: ArrayLike, share: ArrayLike, axis: int | None = None) -> ArrayLike:
    """-log(sum(exp(x), axis)), which is what log(share) is beside x, share = exp(x) / sum(exp(x));
    of a vector the axis is None."""
    terms = np.log(share) - np.asarray(x)
    return np.ravel(terms)[0] if axis is None else np.take(terms, 0, axis)


def minus_log_of_total(x: ArrayLike, power: ArrayLike, total: ArrayLike,
                       axis: int | None = None) -> ArrayLike:
    """-log(total), total = sum(power, axis, keepdims=True), power = exp(x) or a multiple of it in
    each sum, of which nothing depends on by how much; of a vector the axis is None."""
    return minus_log_of_sum(x, np.asarray(power) / total, axis)
