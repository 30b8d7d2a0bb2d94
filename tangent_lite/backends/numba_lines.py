"""Functions of vectors, applied to all lines of an array along an axis.

    def cumulated(x, out): ...              =>      np.cumsum(x, axis=1)

A function of vectors reads its lines and writes to the last of its arguments; `along` puts loops
over all other axes around it. What moves elements along an axis is said by places: which element
each one comes from, or -1.
"""
from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_functions import stop, value_of, written_function


@functools.cache
def along(function: Any, ndim: int, axis: int, lines: int = 1, shared: int = 0,
          dtype: str = "x0.dtype") -> Any:
    """`def lifted(x0, ..., s0, ..., n)`: function(line of x0, ..., s0, ..., line of the result) for
    all lines along an axis; n: how long the lines of the result are.

    lines: how many arrays are read by line, and shared: what all lines are given.
    """
    arrays = [f"x{k}" for k in range(lines)]
    others = [f"s{k}" for k in range(shared)]
    axis = axis % ndim
    shape = ", ".join("n" if k == axis else f"x0.shape[{k}]" for k in range(ndim))
    index = ", ".join(":" if k == axis else f"i{k}" for k in range(ndim))
    text = [f"def lifted({', '.join([*arrays, *others, 'n'])}):"]
    for name in arrays[1:]:
        text += [f"    if {name}.shape[{k}] != x0.shape[{k}]:\n        stop()"
                 for k in range(ndim) if k != axis]
    text.append(f"    out = np.empty(({shape},), {dtype})")
    depth = 1
    for k in range(ndim):
        if k != axis:
            text.append(f"{'    ' * depth}for i{k} in range(x0.shape[{k}]):")
            depth += 1
    given = ", ".join([*(f"{name}[{index}]" for name in arrays), *others, f"out[{index}]"])
    text += [f"{'    ' * depth}function({given})", "    return out"]
    return written_function(text, {"np": np, "function": function, "stop": stop})


def one_axis(axis: Any, ndim: int) -> int | None:
    """An axis counted from the front; None where there is no such axis."""
    return axis % ndim if isinstance(axis, int) and not isinstance(axis, bool) \
        and -ndim <= axis < ndim else None


def for_each_line(function: Any, x: Any, axis: Any, flat: bool = False,
                  of_ints: bool = False) -> Any:
    """An overload of `f(x, axis=None)` by a function of vectors that keeps their length; None for
    what it does not take.

    x, axis: their types; flat: whether the result without an axis is a vector; of_ints: whether it
    takes ints too.
    """
    if not is_float_array(x) and not (of_ints and is_int_array(x)):
        return None
    where = value_of(axis)
    if where is None:
        whole = along(function, 1, 0)
        if flat:
            return lambda x, axis=None: whole(x.flatten(), x.size)
        return lambda x, axis=None: whole(x.flatten(), x.size).reshape(x.shape)
    one = one_axis(where, x.ndim)
    if one is None:
        return None
    lifted = along(function, x.ndim, one)
    return lambda x, axis=None: lifted(x, x.shape[one])


# Places ---------------------------------------------------------------------------------------
@register_jitable
def take_places(x, places, out):
    for i in range(places.shape[0]):
        p = places[i]
        if p >= 0:
            out[i] = x[p]
        else:
            out[i] = 0


@register_jitable
def add_places(dy, places, out):
    """The adjoint of take_places: what was taken several times is summed."""
    out[:] = 0
    for i in range(places.shape[0]):
        p = places[i]
        if p >= 0:
            out[p] += dy[i]


@functools.cache
def taking(ndim: int, axis: int) -> Any:
    """`def take(x, places)`"""
    lifted = along(take_places, ndim, axis, 1, 1)
    return register_jitable(lambda x, places: lifted(x, places, places.shape[0]))


@functools.cache
def adding(ndim: int, axis: int) -> Any:
    """`def add(dy, places, n)`: the adjoint of an array of n elements along the axis."""
    lifted = along(add_places, ndim, axis, 1, 1, "np.float64")

    def add(dy, places, n):
        if dy.shape[axis] != places.shape[0]:
            stop()
        return lifted(dy, places, n)
    return register_jitable(add)


# Orders ---------------------------------------------------------------------------------------
@register_jitable
def comes_before(x, y):
    """Whether x is sorted before y: nan comes last."""
    return x < y or (y != y and x == x)


@register_jitable
def stable_order(x):
    """The places of a vector's elements from small to large, equal ones as they stand."""
    n = x.shape[0]
    order, spare = np.arange(n), np.empty(n, np.int64)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or not comes_before(x[order[j]], x[order[i]])):
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        order, spare = spare, order
        width *= 2
    return order


@register_jitable
def order_of(x, out):
    out[:] = stable_order(x)


@register_jitable
def only_order_of(x, out):
    """The order of elements of which no two are equal, which all ways to sort agree on."""
    order = stable_order(x)
    for k in range(1, x.shape[0]):
        if not comes_before(x[order[k - 1]], x[order[k]]):
            stop()
    out[:] = order


@register_jitable
def sorted_line(x, out):
    order = stable_order(x)
    for k in range(x.shape[0]):
        out[k] = x[order[k]]


@register_jitable
def unsorted_line(dy, x, out):
    order = stable_order(x)
    for k in range(x.shape[0]):
        out[order[k]] = dy[k]


# Sums and products from the front ----------------------------------------------------------------
@register_jitable
def cumulated(x, out):
    if x.shape[0] == 0:
        return
    total = x[0]
    out[0] = total
    for k in range(1, x.shape[0]):
        total = total + x[k]
        out[k] = total


@register_jitable
def cumulated_back(dy, out):
    total = 0.0
    for k in range(dy.shape[0] - 1, -1, -1):
        total = total + dy[k]
        out[k] = total


@register_jitable
def multiplied(x, out):
    if x.shape[0] == 0:
        return
    product = x[0]
    out[0] = product
    for k in range(1, x.shape[0]):
        product = product * x[k]
        out[k] = product


@register_jitable
def multiplied_back(dy, x, out):
    """With s[k] = dy[k] + x[k + 1] s[k + 1] it is s[k] times the product of all before k."""
    total = 0.0
    for k in range(x.shape[0] - 1, -1, -1):
        total = dy[k] + (x[k + 1] * total if k + 1 < x.shape[0] else 0.0)
        out[k] = total
    before = 1.0
    for k in range(x.shape[0]):
        out[k] *= before
        before *= x[k]


@register_jitable
def products_of_all_others(x, out):
    before = 1.0
    for k in range(x.shape[0]):
        out[k] = before
        before = before * x[k]
    after = 1.0
    for k in range(x.shape[0] - 1, -1, -1):
        out[k] = out[k] * after
        after = after * x[k]


# Middle elements --------------------------------------------------------------------------------
@register_jitable
def middle(x, out):
    n = x.shape[0]
    if n == 0:
        stop()
    order = stable_order(x)
    last, one, other = x[order[n - 1]], x[order[(n - 1) // 2]], x[order[n // 2]]
    out[0] = last if last != last else other if n % 2 else 0.5 * (one + other)


@register_jitable
def middle_weights(x, out):
    """1 at the middle element, 0.5 at the two of an even number; nan where one is."""
    n = x.shape[0]
    order = stable_order(x)
    out[:] = 0.0
    if n:
        last = x[order[n - 1]]
        if last != last:
            out[:] = np.nan
        else:
            out[order[(n - 1) // 2]] += 0.5
            out[order[n // 2]] += 0.5


def is_int_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.dtype == types.int64 and kind.ndim > 0


def is_float_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.dtype == types.float64 and kind.ndim > 0
