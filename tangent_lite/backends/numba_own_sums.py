"""Sums of floats in NumPy's order, to the last bit.

NumPy sums along memory by halves, down to runs of at most 128 elements, of which it keeps eight
sums side by side; across memory it adds whole rows. An array that lies otherwise than in order is
summed through buffers, which NumPy does best itself.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_axes import counting, normal_axes, reduction
from tangent_lite.backends.numba_by_numpy import axes_left, floats, in_python
from tangent_lite.backends.numba_functions import is_array, value_of
from tangent_lite.backends.numba_linalg import np_norm
from tangent_lite.backends.numba_numpy import np_mean, np_std, np_sum, np_var, spreading_around
from tangent_lite.backends.numba_overloads import Choice, own_way, passing

_DEEPEST = 64                       # halves of halves
_RUN, _LANES = 128, 8               # PW_BLOCKSIZE of NumPy's loops_utils.h, and its unrolling


@register_jitable
def _sum_of_run(x, start, count):
    if count < _LANES:
        total = -0.0
        for i in range(start, start + count):
            total += x[i]
        return total
    a, b, c, d, e, f, g, h = (x[start], x[start + 1], x[start + 2], x[start + 3], x[start + 4],
                              x[start + 5], x[start + 6], x[start + 7])
    whole = start + count - count % _LANES
    for i in range(start + _LANES, whole, _LANES):
        a += x[i]
        b += x[i + 1]
        c += x[i + 2]
        d += x[i + 3]
        e += x[i + 4]
        f += x[i + 5]
        g += x[i + 6]
        h += x[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(whole, start + count):
        total += x[i]
    return total


@register_jitable
def _sum_by_halves(x, start, count):
    # No function that calls itself: what is kept on disk would not find it.
    right, sums = np.empty((_DEEPEST, 2), np.int64), np.empty(_DEEPEST)
    is_summed = np.zeros(_DEEPEST, np.bool_)
    depth = 0
    while True:
        while count > _RUN:
            half = count // 2
            half -= half % _LANES
            right[depth, 0], right[depth, 1] = start + half, count - half
            is_summed[depth] = False
            count = half
            depth += 1
        total = _sum_of_run(x, start, count)
        while depth > 0 and is_summed[depth - 1]:
            depth -= 1
            total = sums[depth] + total
        if depth == 0:
            return total
        sums[depth - 1] = total
        is_summed[depth - 1] = True
        start, count = right[depth - 1, 0], right[depth - 1, 1]


@register_jitable
def sum_of_vector(x):
    """The sum of a vector of floats. NumPy adds it to a zero: of zeros below zero alone it is none.
    """
    count = x.shape[0]
    return 0.0 + (_sum_of_run(x, 0, count) if count <= _RUN else _sum_by_halves(x, 0, count))


# Which sums are written out -----------------------------------------------------------------------
def _is_taken(x: Any) -> bool:
    return is_array(x) and x.ndim > 0 and x.dtype == types.float64


def _summing(x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """`def run(x)` for an array of floats; None where NumPy does it best itself."""
    last = x.ndim - 1
    is_all = len(axes) == x.ndim
    if x.ndim == 1 and not keepdims:
        return sum_of_vector
    if is_all and not keepdims:
        if x.layout == "C":
            return register_jitable(lambda x: sum_of_vector(x.reshape(x.size)))
        if x.layout == "F":
            return register_jitable(lambda x: sum_of_vector(x.T.reshape(x.size)))
        return None
    if x.layout == "F" and x.ndim == 2 and not keepdims:
        of_turned = _summing(x.copy(layout="C"), (1 - axes[0],), False)
        return register_jitable(lambda x: of_turned(x.T))
    if x.layout != "C":
        return None
    if last not in axes:
        return register_jitable(reduction("sum", x.ndim, axes, keepdims))
    if axes != tuple(range(axes[0], x.ndim)):
        return None
    left = [f"x.shape[{k}]" for k in range(axes[0])]
    shape = "".join(f"{size}, " for size in [*left, *(["1"] * len(axes) if keepdims else [])])
    space = {"np": np, "sum_of_vector": sum_of_vector}
    exec(f"def rows(x):\n"
         f"    n = {' * '.join(left) or '1'}\n"
         f"    table = x.reshape((n, {' * '.join(f'x.shape[{k}]' for k in axes)}))\n"
         f"    found = np.empty(n)\n"
         f"    for i in range(n):\n"
         f"        found[i] = sum_of_vector(table[i])\n"
         f"    return found.reshape(({shape}))", space)
    return register_jitable(space["rows"])


# The functions -----------------------------------------------------------------------------------
def _own(function: Any, plain: Any, parameters: str) -> Callable[[Choice], Any]:
    """The decorated function chooses what computes a function of NumPy's for an array of floats;
    None leaves it to NumPy.

    plain: what compiled code calls for all else; parameters: in NumPy's order, * in front of those
    that it takes by name.
    """
    by_numpy = in_python(function, lambda x, axis, keepdims: floats(axes_left(x, axis, keepdims)),
                         parameters)
    of_compiled = parameters.replace("*, ", "")

    def register(way: Choice) -> Any:
        def choose(x: Any, *options: Any) -> Any:
            if not _is_taken(x):
                return passing(of_compiled, plain)
            return way(x, *options) or passing(of_compiled, by_numpy)

        choice = passing(of_compiled, choose)
        choice.__module__, choice.__doc__ = way.__module__, way.__doc__
        return own_way(plain, function, way.__name__, prefer_literal=True)(choice)
    return register


_OF_REDUCTION = "x, axis=None, *, keepdims=False"
_OF_SPREAD = "x, axis=None, *, ddof=0, keepdims=False"


@_own(np.sum, np_sum, _OF_REDUCTION)
def own_sum(x, axis, keepdims):
    run = _summing(x, normal_axes(value_of(axis), x.ndim), bool(value_of(keepdims)))
    return run and (lambda x, axis=None, keepdims=False: run(x))


@_own(np.mean, np_mean, _OF_REDUCTION)
def own_mean(x, axis, keepdims):
    axes = normal_axes(value_of(axis), x.ndim)
    run = _summing(x, axes, bool(value_of(keepdims)))
    count = register_jitable(counting(x.ndim, axes))
    return run and (lambda x, axis=None, keepdims=False: np.divide(run(x), count(x)))


def _spread(x: Any, axis: Any, keepdims: Any, is_root: bool) -> Any:
    axes = normal_axes(value_of(axis), x.ndim)
    total, of_squares = _summing(x, axes, True), _summing(x, axes, bool(value_of(keepdims)))
    if total is None or of_squares is None or x.layout != "C":
        return None
    return spreading_around(total, of_squares, counting(x.ndim, axes), is_root)


@_own(np.var, np_var, _OF_SPREAD)
def own_var(x, axis, ddof, keepdims):
    return _spread(x, axis, keepdims, False)


@_own(np.std, np_std, _OF_SPREAD)
def own_std(x, axis, ddof, keepdims):
    return _spread(x, axis, keepdims, True)


@_own(np.linalg.norm, np_norm, "x, ord=None, axis=None, keepdims=False")
def own_norm(x, ord, axis, keepdims):
    """Its squares NumPy sums by BLAS."""
    is_plain = value_of(axis) is None and not value_of(keepdims) and value_of(ord) is None
    if not is_plain or x.layout != "C":
        return None

    def run(x, ord=None, axis=None, keepdims=False):
        line = x.reshape(x.size)
        return np.sqrt(np.dot(line, line))
    return run
