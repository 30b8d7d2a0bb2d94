"""What loops over elements are made of: reading and writing one element, and where it lies.

`x[i]` looks whether i counts from the end and, if asked for, whether it is inside; a loop that has
looked at the shapes before needs neither, and is compiled to vector instructions without them.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable
from numba.np import arrayobj

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import is_array


class OtherShapes(Exception):
    """Arrays of which one is stretched over another, or that share memory: no loop is for them.

    Its argument is the name of the group of statements.
    """


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    made = context.make_array(kind)(context, builder, array)
    places = cgutils.unpack_tuple(builder, index)
    if kind.layout != "A":
        return cgutils.get_item_pointer(context, builder, kind, made, places, wraparound=False,
                                        boundscheck=False)
    # In steps of whole elements, not of bytes: LLVM then asks in front of a loop whether the step
    # is one, as along the rows of `z[:, :n]`, and has vector instructions for where it is.
    word = context.get_value_type(types.intp)
    size = ir.Constant(word, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    far = ir.Constant(word, 0)
    for place, stride in zip(places, cgutils.unpack_tuple(builder, made.strides, kind.ndim)):
        step = builder.sdiv(stride, size, flags=("exact",))
        far = builder.add(far, builder.mul(place, step, flags=("nsw",)), flags=("nsw",))
    return builder.gep(made.data, [far], inbounds=True)


def in_whole_steps(x):
    """Whether the elements of an array lie whole elements apart, as `item` and `put` take it. A
    field of an array of records need not; Numba does not tell, whose types say that all arrays are
    aligned."""
    return all(step % x.itemsize == 0 for step in x.strides)


@overload(in_whole_steps)
def _in_whole_steps(x):
    if x.layout != "A":
        return lambda x: True

    def look(x):
        rest = 0
        for k in range(x.ndim):
            rest |= x.strides[k] % x.itemsize
        return rest == 0
    return look


@intrinsic
def item(typingctx, x, *index):
    """The element of an array at places that are inside it, counted from its start."""
    def generate(context, builder, signature, args):
        kind = signature.args[0]
        return arrayobj.load_item(context, builder, kind, _pointer(
            context, builder, kind, args[0], args[1]))
    return x.dtype(x, types.StarArgTuple(index)), generate


@intrinsic
def put(typingctx, x, value, *index):
    """Write an element of an array of floats at places that are inside it."""
    def generate(context, builder, signature, args):
        kind = signature.args[0]
        arrayobj.store_item(context, builder, kind, args[1], _pointer(
            context, builder, kind, args[0], args[2]))
        return context.get_dummy_value()
    return types.void(x, types.float64, types.StarArgTuple(index)), generate


@register_jitable
def stepped(first, i, step):
    """The place of item i of a slice. Inside an array nothing is too large for an int."""
    return first + i * step


@register_jitable
def shifted(first, i):
    """The place of item i of a slice of step one."""
    return first + i


@register_jitable
def place(k, count):
    """The place that an index means, counted from the start."""
    if k < 0:
        k += count
    if k < 0 or k >= count:
        raise IndexError("an index out of bounds")
    return k


@register_jitable
def _within(k, count, lowest, highest):
    if k < 0:
        k += count
    return min(max(k, lowest), highest)


@register_jitable
def first_of(start, count, step):
    """The first place of a slice of so many items, its start given."""
    return _within(start, count, 0, count) if step > 0 else _within(start, count, -1, count - 1)


@register_jitable
def length_from(first, stop, count, step):
    """How many items a slice has from its first place on, its stop given."""
    if step > 0:
        return max(0, (_within(stop, count, 0, count) - first + step - 1) // step)
    return max(0, (first - _within(stop, count, -1, count - 1) - step - 1) // -step)


@register_jitable
def length_to_end(first, count, step):
    """How many items a slice has from its first place to the end of the array."""
    if step > 0:
        return max(0, (count - first + step - 1) // step)
    return max(0, (first - step) // -step)


def in_order(x):
    """An array whose elements lie one behind the other, as those that loops make: x or a copy."""
    return np.ascontiguousarray(x)


@overload(in_order)
def _in_order(x):
    if is_array(x) and not (x.layout == "C" and x.mutable and x.aligned):
        return lambda x: x.copy()
    return lambda x: x
