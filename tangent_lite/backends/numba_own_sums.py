"""Sums of floats in NumPy's order, to the last bit.

NumPy sums along memory by halves, down to runs of at most 128 elements, of which it keeps eight
sums side by side; across memory it adds whole rows. An array that lies otherwise than in order is
summed through buffers, which NumPy does best itself.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_axes import counting, normal_axes, reduction
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_by_numpy import axes_left, by_numpy, floats
from tangent_lite.backends.numba_functions import add_own, is_array, stop, value_of
from tangent_lite.backends.numba_linalg import np_norm
from tangent_lite.backends.numba_numpy import np_mean, np_std, np_sum, np_var

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


# In Python ----------------------------------------------------------------------------------------
def summed(x, axis=None, keepdims=False):
    """NumPy's sum, called in Python."""
    return np.sum(x, axis=axis, keepdims=keepdims)


def averaged(x, axis=None, keepdims=False):
    """NumPy's mean, called in Python."""
    return np.mean(x, axis=axis, keepdims=keepdims)


def spread(x, axis=None, ddof=0, keepdims=False):
    """NumPy's variance, called in Python."""
    return np.var(x, axis=axis, ddof=ddof, keepdims=keepdims)


def deviation(x, axis=None, ddof=0, keepdims=False):
    """NumPy's standard deviation, called in Python."""
    return np.std(x, axis=axis, ddof=ddof, keepdims=keepdims)


def normed(x, ord=None, axis=None, keepdims=False):
    """A norm, computed in Python."""
    return np.linalg.norm(x, ord, axis, keepdims)


for _function in (summed, averaged, spread, deviation, normed):
    by_numpy(_function, lambda x, axis, keepdims: floats(axes_left(x, axis, keepdims)))


# In compiled code ---------------------------------------------------------------------------------
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


def own_sum(x, axis=None, keepdims=False):
    """np.sum, in NumPy's order."""
    return np.sum(x, axis=axis, keepdims=keepdims)


@overload(own_sum, prefer_literal=True)
def _own_sum(x, axis=None, keepdims=False):
    if not _is_taken(x):
        return lambda x, axis=None, keepdims=False: np_sum(x, axis, keepdims)
    run = _summing(x, normal_axes(value_of(axis), x.ndim), bool(value_of(keepdims)))
    if run is None:
        return lambda x, axis=None, keepdims=False: summed(x, axis, keepdims)
    return lambda x, axis=None, keepdims=False: run(x)


def own_mean(x, axis=None, keepdims=False):
    """np.mean, summed in NumPy's order."""
    return np.mean(x, axis=axis, keepdims=keepdims)


@overload(own_mean, prefer_literal=True)
def _own_mean(x, axis=None, keepdims=False):
    if not _is_taken(x):
        return lambda x, axis=None, keepdims=False: np_mean(x, axis, keepdims)
    axes = normal_axes(value_of(axis), x.ndim)
    run = _summing(x, axes, bool(value_of(keepdims)))
    if run is None:
        return lambda x, axis=None, keepdims=False: averaged(x, axis, keepdims)
    count = register_jitable(counting(x.ndim, axes))
    return lambda x, axis=None, keepdims=False: np.divide(run(x), count(x))


def _spread(numpy_function: Any, plain: Any, in_python: Any, is_root: bool) -> Any:
    """var or std."""
    def stub(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
        return numpy_function(x, axis, ddof=ddof, keepdims=keepdims)

    @overload(stub, prefer_literal=True)
    def typed(x, axis=None, ddof=0, keepdims=False):
        if not _is_taken(x):
            return lambda x, axis=None, ddof=0, keepdims=False: plain(x, axis, ddof, keepdims)
        axes = normal_axes(value_of(axis), x.ndim)
        total = _summing(x, axes, True)
        of_squares = _summing(x, axes, bool(value_of(keepdims)))
        if total is None or of_squares is None or x.layout != "C":
            return lambda x, axis=None, ddof=0, keepdims=False: in_python(x, axis, ddof, keepdims)
        count = register_jitable(counting(x.ndim, axes))

        def run(x, axis=None, ddof=0, keepdims=False):
            n = count(x)
            if n - ddof <= 0:
                stop()
            apart = x - total(x) / n
            found = of_squares(apart * apart) / (n - ddof)
            return np.sqrt(found) if is_root else found
        return run

    stub.__name__ = stub.__qualname__ = f"own_{numpy_function.__name__}"
    return stub


own_var = _spread(np.var, np_var, spread, False)
own_std = _spread(np.std, np_std, deviation, True)


def own_norm(x, ord=None, axis=None, keepdims=False):
    """np.linalg.norm, whose squares NumPy sums by BLAS."""
    return np.linalg.norm(x, ord, axis, keepdims)


@overload(own_norm, prefer_literal=True)
def _own_norm(x, ord=None, axis=None, keepdims=False):
    if not _is_taken(x):
        return lambda x, ord=None, axis=None, keepdims=False: np_norm(x, ord, axis, keepdims)
    is_plain = value_of(axis) is None and not value_of(keepdims) and value_of(ord) is None
    if is_plain and x.layout == "C":
        def run(x, ord=None, axis=None, keepdims=False):
            line = x.reshape(x.size)
            return np.sqrt(np.dot(line, line))
        return run
    return lambda x, ord=None, axis=None, keepdims=False: normed(x, ord, axis, keepdims)


add_own(np_norm, own_norm)
for _plain, _own in ((np_sum, own_sum), (np_mean, own_mean), (np_var, own_var), (np_std, own_std)):
    add_own(_plain, _own)
