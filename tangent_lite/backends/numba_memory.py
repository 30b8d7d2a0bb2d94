"""Where arrays lie in memory, and whether two of them meet there.

NumPy looks whether what `u[1:] += u[:-1]` reads is overwritten on the way; Numba does not. `apart`
does: of what may share memory with the target it makes a copy first.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable
from numba.np.arrayobj import populate_array

from tangent_lite import syntax
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import Unbound, is_array, is_number


@intrinsic
def address(typingctx, x):
    """Where the first element of an array lies; `x.ctypes.data` takes its time."""
    def generate(context, builder, signature, args):
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.ptrtoint(array.data, context.get_value_type(types.intp))
    return types.intp(x), generate


@intrinsic
def hollow(typingctx, shape):
    """An array of floats of a shape that has no elements: nobody may read any."""
    count = len(shape)
    kind = types.Array(types.float64, count, "C")

    def generate(context, builder, signature, args):
        made = context.make_array(kind)(context, builder)
        sizes = cgutils.unpack_tuple(builder, args[0], count)
        step = context.get_constant(types.intp, 8)
        strides: list[Any] = []
        for size in reversed(sizes):
            strides.insert(0, step)
            step = builder.mul(step, size)
        populate_array(made, made.data.type(None), sizes, strides,
                       context.get_constant(types.intp, 8), None)
        return made._getvalue()
    return kind(types.UniTuple(types.intp, count)), generate


def extent(x):
    """The first and the last byte of an array, and what comes behind it; (0, 0) for a number.

    Tuples of arrays are not passed around here: counting who holds what would cost more than the
    gradient of a small function.
    """


@overload(extent)
def _extent(x):
    if not is_array(x):
        return lambda x: (0, 0)
    if x.layout == "C":
        def in_order(x):
            first = address(x)
            return first, first + x.size * x.itemsize
        return in_order

    def run(x):
        first = address(x)
        last = first + x.itemsize
        for k in range(x.ndim):
            step = (x.shape[k] - 1) * x.strides[k]
            if step < 0:
                first += step
            else:
                last += step
        return first, last if x.size > 0 else first
    return run


@register_jitable
def meet(x, y):
    """Whether two extents have a byte in common."""
    return x[0] < y[1] and y[0] < x[1]


def lie_apart(x, y):
    """Whether two things are known to share no memory."""


@overload(lie_apart)
def _lie_apart(x, y):
    if is_array(x) and is_array(y):
        return lambda x, y: not meet(extent(x), extent(y))
    if isinstance(x, Unbound) or isinstance(y, Unbound):
        return None
    found = is_number(x) or is_number(y)        # a tuple may hold arrays
    return lambda x, y: found


@register_jitable
def all_apart(extents, count):
    """Whether each of the first extents of a table meets none of the others."""
    for k in range(extents.shape[0]):
        for j in range(min(k, count)):
            if extents[j, 0] < extents[k, 1] and extents[k, 0] < extents[j, 1]:
                return False
    return True


def apart(value, target):
    """What is added to a target, or a part of it: in memory of its own."""
    return value


@overload(apart)
def _apart(value, target):
    if isinstance(value, Unbound):
        return None                         # Numba asks again when it knows what it is
    if is_array(value) and is_array(target):
        def run(value, target):
            return value.copy() if meet(extent(value), extent(target)) else value
        return run
    return lambda value, target: value


def lie_apart_as_numbers(tree: gast.FunctionDef, meant: Callable[[gast.expr], Any],
                         is_number: Callable[[gast.expr], bool]) -> None:
    """`s += apart(x, s)` => `s += x`, where x is a number.

    meant: the function that an expression names; is_number: whether an expression is a number.
    """
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.AugAssign) and isinstance(node.value, gast.Call) \
                and meant(node.value.func) is apart and is_number(node.value.args[0]):
            node.value = node.value.args[0]
