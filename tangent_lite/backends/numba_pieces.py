"""Interpolation, convolution, weights and functions of single numbers, for Numba."""
from __future__ import annotations

import math

import numpy as np
from numba import vectorize
from numba.extending import register_jitable

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    is_none,
    is_real,
    stop,
    value_of,
)
from tangent_lite.backends.numba_lines import is_float_array
from tangent_lite.runtime import convolve as runtime_convolve
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import shapes as runtime_shapes


# Interpolation ----------------------------------------------------------------------------------
@register_jitable
def piece_of(x, xp):
    """Which piece of the line through the points xp a number lies in."""
    k = np.searchsorted(xp, x, side="right") - 1
    return min(max(k, 0), xp.shape[0] - 2)


@register_jitable
def slope_at(x, xp, fp):
    if xp.shape[0] != fp.shape[0] or xp.shape[0] < 2 or x != x:
        stop()
    k = piece_of(x, xp)
    if x < xp[0] or x > xp[-1] or xp[k + 1] == xp[k]:
        return 0.0
    return (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])


@overload(runtime_shapes.interp_slope)
def _interp_slope(x, xp, fp):
    if not (is_float_array(xp) and is_float_array(fp) and xp.ndim == 1 == fp.ndim):
        return None
    if is_real(x):
        return lambda x, xp, fp: slope_at(x * 1.0, xp, fp)
    if not is_float_array(x):
        return None

    def run(x, xp, fp):
        out = np.empty(x.size)
        flat = x.flatten()
        for k in range(x.size):
            out[k] = slope_at(flat[k], xp, fp)
        return out.reshape(x.shape)
    return run


@register_jitable
def give_to_neighbours(total, dy, x, xp, no_left, no_right):
    if xp.shape[0] != total.shape[0] or xp.shape[0] < 2 or x != x:
        stop()
    if (no_left and x < xp[0]) or (no_right and x > xp[-1]):
        return
    k = piece_of(x, xp)
    t = 1.0 if x >= xp[k] else 0.0              # where there is a step
    if xp[k + 1] != xp[k]:
        t = min(max((x - xp[k]) / (xp[k + 1] - xp[k]), 0.0), 1.0)
    total[k] += dy * (1.0 - t)
    total[k + 1] += dy * t


@overload(runtime_shapes.interp_values)
def _interp_values(dy, x, xp, fp, left=None, right=None):
    if not (is_float_array(xp) and is_float_array(fp) and xp.ndim == 1 == fp.ndim):
        return None
    no_left, no_right = (not is_none(end) for end in (left, right))
    if is_real(x) and is_real(dy):
        def of_one(dy, x, xp, fp, left=None, right=None):
            total = np.zeros(fp.shape[0])
            give_to_neighbours(total, dy, x * 1.0, xp, no_left, no_right)
            return total
        return of_one
    if not (is_float_array(x) and is_float_array(dy) and x.ndim == dy.ndim):
        return None

    def run(dy, x, xp, fp, left=None, right=None):
        if dy.shape != x.shape:
            stop()
        total = np.zeros(fp.shape[0])
        flat_dy, flat = dy.flatten(), x.flatten()
        for k in range(x.size):
            give_to_neighbours(total, flat_dy[k], flat[k], xp, no_left, no_right)
        return total
    return run


# Convolution ------------------------------------------------------------------------------------
@overload(runtime_convolve.convolution_front, prefer_literal=True)
def _convolution_front(a, v, mode):
    mode = value_of(mode)
    if mode == "full":
        return lambda a, v, mode: 0
    if mode == "valid":
        return lambda a, v, mode: min(a.size, v.size) - 1
    return (lambda a, v, mode: (min(a.size, v.size) - 1) // 2) if mode == "same" else None


@overload(runtime_convolve.correlation_front, prefer_literal=True)
def _correlation_front(a, v, mode):
    text, front = value_of(mode), runtime_convolve.convolution_front
    if text == "same":
        return lambda a, v, mode: a.size // 2 if v.size > a.size else front(a, v, "same")
    if text == "full":
        return lambda a, v, mode: front(a, v, "full")
    return (lambda a, v, mode: front(a, v, "valid")) if text == "valid" else None


@overload(runtime_convolve.convolve_adjoint)
def _convolve_adjoint(dy, x, other, front):
    if not all(is_float_array(a) and a.ndim == 1 for a in (dy, x, other)):
        return None

    def run(dy, x, other, front):
        out = np.zeros(x.shape[0])
        for i in range(x.shape[0]):
            for j in range(other.shape[0]):
                k = i + j - front
                if 0 <= k < dy.shape[0]:
                    out[i] += dy[k] * other[j]
        return out
    return run


# Products ---------------------------------------------------------------------------------------
@overload(runtime_products.kron_adjoint_left)
def _kron_adjoint_left(dz, x, y):
    if all(is_float_array(a) and a.ndim == 1 for a in (dz, x, y)):
        return lambda dz, x, y: np.dot(np.ascontiguousarray(dz).reshape((x.size, y.size)), y)
    if not all(is_float_array(a) and a.ndim == 2 for a in (dz, x, y)):
        return None

    def run(dz, x, y):
        m, n = y.shape
        out = np.empty(x.shape)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                out[i, j] = np.sum(dz[i * m:(i + 1) * m, j * n:(j + 1) * n] * y)
        return out
    return run


@overload(runtime_products.kron_adjoint_right)
def _kron_adjoint_right(dz, x, y):
    if all(is_float_array(a) and a.ndim == 1 for a in (dz, x, y)):
        return lambda dz, x, y: np.dot(x, np.ascontiguousarray(dz).reshape((x.size, y.size)))
    if not all(is_float_array(a) and a.ndim == 2 for a in (dz, x, y)):
        return None

    def run(dz, x, y):
        m, n = y.shape
        out = np.zeros(y.shape)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                out += x[i, j] * dz[i * m:(i + 1) * m, j * n:(j + 1) * n]
        return out
    return run


# Numbers that are there --------------------------------------------------------------------------
@overload(runtime_reductions.ones_for_nan)
def _ones_for_nan(x):
    return (lambda x: np.where(np.isnan(x), 1.0, x)) if is_float_array(x) else None


@overload(runtime_reductions.without_nans)
def _without_nans(dx, x):
    if is_float_array(dx) and is_float_array(x) and dx.ndim == x.ndim:
        return lambda dx, x: np.where(np.isnan(x), 0.0, dx)
    return None


# One number at a time ---------------------------------------------------------------------------
@overload(runtime.sinc_slope)
def _sinc_slope(x):
    if is_real(x):
        return lambda x: slope_of_sinc(x * 1.0)
    return (lambda x: slopes_of_sinc(x)) if is_float_array(x) else None


def _slope_of_sinc(x):
    u = math.pi * x
    if abs(u) < 0.06:
        return math.pi * u * (-1 / 3 + u * u * (1 / 30 - u * u * (1 / 840 - u * u / 45360)))
    return math.pi * (math.cos(u) - math.sin(u) / u) / u


slope_of_sinc = register_jitable(_slope_of_sinc)
slopes_of_sinc = vectorize(nopython=True)(_slope_of_sinc)
