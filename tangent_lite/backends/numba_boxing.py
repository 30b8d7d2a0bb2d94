"""Arrays on their way from compiled code to Python.

Numba makes an array of NumPy around the memory that compiled code has allotted, with an object that
counts who holds it: three times the work of `np.empty` for a small array. Here a small array is
copied into a new one of NumPy. That memory is nobody else's, so nobody has to ask whether it is;
large arrays keep the memory that they have.

`handed(x)` is x as an array that leaves in this way; `leaves_by_copy(x)` says whether it is copied.
What cells hold leaves so as well (`numba_cells`).
"""
from __future__ import annotations

import ctypes
import sys
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import box, intrinsic, models, register_model

from tangent_lite.backends.numba_borrowing import overload

# Of up to so many elements a copy costs less than an object that holds the memory.
SMALL = 1024
# PyArray_New, as it stands in NumPy's table of functions: extensions are built on these places.
_PLACE, _DOUBLE = 93, 12
_NEW, _CLASS = "tangent_lite_new_array", "tangent_lite_class_of_arrays"
# Where an array of NumPy keeps the address of its elements, and its dtype: behind what each object
# begins with, as extensions are compiled to find them.
_OF_ELEMENTS = object.__basicsize__
OF_DTYPE = _OF_ELEMENTS + 5 * ctypes.sizeof(ctypes.c_void_p)


def _new_array() -> int:
    """The address of the function of NumPy that makes an array."""
    table_of = ctypes.pythonapi.PyCapsule_GetPointer
    table_of.restype, table_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    core: Any = np._core if hasattr(np, "_core") else np.core
    table = table_of(core.multiarray._ARRAY_API, None)
    found = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[_PLACE]
    assert found is not None
    return found


# By name, so that code that is kept on disk finds them in the next process.
llvmlite.binding.add_symbol(_NEW, _new_array())
llvmlite.binding.add_symbol(_CLASS, id(np.ndarray))
for _example in (np.ones(1), np.ones((2, 3), np.int64)):
    assert ctypes.c_void_p.from_address(id(_example) + _OF_ELEMENTS).value == _example.ctypes.data
    assert ctypes.c_void_p.from_address(id(_example) + OF_DTYPE).value == id(_example.dtype)


# A dtype says first, behind its class, what kind it is, of which letter, in which byte order.
OF_LETTERS = object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p)
LETTERS = int.from_bytes(b"\xff\xff\xff\x00", sys.byteorder)


def letters_of(dtype: Any) -> int:
    """What a dtype says there: arrays that were unpickled have dtypes of their own that say it too.
    """
    return ctypes.c_uint32.from_address(id(dtype) + OF_LETTERS).value & LETTERS


for _dtype in map(np.dtype, ("f8", "i8", "?", ">f8", "<f8")):
    assert letters_of(_dtype).to_bytes(4, sys.byteorder)[:3] == (
        _dtype.kind + _dtype.char + _dtype.byteorder).encode()


def place_in(builder: Any, thing: Any, offset: int, size: Any, kind: Any) -> Any:
    """Where an object keeps something of a type."""
    return builder.inttoptr(builder.add(builder.ptrtoint(thing, size), ir.Constant(size, offset)),
                            kind.as_pointer())


def can_be_handed(kind: Any) -> bool:
    """Whether arrays of a type can be copied as they lie."""
    return isinstance(kind, types.Array) and kind.dtype == types.float64 \
        and kind.layout == "C" and kind.mutable


class HandedType(types.Type):
    """The type of an array that is on its way out."""

    def __init__(self, array: Any) -> None:
        self.array = array
        super().__init__(f"handed({array})")


@register_model(HandedType)
class _HandedModel(models.StructModel):
    def __init__(self, manager: Any, kind: HandedType) -> None:
        super().__init__(manager, kind, [("array", kind.array)])


@intrinsic
def handed(typingctx, x):
    """An array on its way out; anything else as it is."""
    target = HandedType(x) if can_be_handed(x) else x

    def generate(context, builder, signature, args):
        made = args[0]
        if isinstance(target, HandedType):
            struct = cgutils.create_struct_proxy(target)(context, builder)
            struct.array = made
            made = struct._getvalue()
        return impl_ret_borrowed(context, builder, target, made)
    return target(x), generate


def leaves_by_copy(x: Any) -> bool:
    """Whether what leaves shares no memory with what stays."""
    raise NotImplementedError


@overload(leaves_by_copy)
def _leaves_by_copy(x):
    if isinstance(x, (types.Number, types.Boolean, types.NoneType)):
        return lambda x: True
    if can_be_handed(x):
        return lambda x: x.size <= SMALL
    if isinstance(x, types.Array) or (isinstance(x, types.List) and not isinstance(
            x.dtype, (types.List, types.StructRef))):
        return lambda x: False
    return (lambda x: False) if isinstance(x, types.BaseTuple) else None


@box(HandedType)
def _box(kind, value, c):
    struct = cgutils.create_struct_proxy(kind)(c.context, c.builder, value=value)
    return boxed(kind.array, struct.array, c, is_ours=True)


def boxed(kind: Any, value: Any, c: Any, is_ours: bool) -> Any:
    """An array of NumPy for one of compiled code; is_ours: the reference to it is given away."""
    builder, context = c.builder, c.context
    thing, size = c.pyapi.pyobj, context.get_value_type(types.intp)
    array = context.make_array(kind)(context, builder, value)
    result = cgutils.alloca_once(builder, thing)
    is_small = builder.icmp_signed("<=", array.nitems, ir.Constant(size, SMALL))
    with builder.if_else(is_small) as (small, large):
        with small:
            number, nothing = ir.IntType(32), c.pyapi.voidptr
            made_by = ir.FunctionType(
                thing, [thing, number, size.as_pointer(), number, nothing, nothing, number,
                        number, nothing])
            function = cgutils.get_or_insert_function(builder.module, made_by, _NEW)
            the_class = cgutils.add_global_variable(
                builder.module, ir.IntType(8), _CLASS) if _CLASS not in builder.module.globals \
                else builder.module.globals[_CLASS]
            sizes = cgutils.alloca_once_value(builder, array.shape)
            zero = ir.Constant(number, 0)
            made = builder.call(function, [
                builder.bitcast(the_class, thing), ir.Constant(number, kind.ndim),
                builder.bitcast(sizes, size.as_pointer()), ir.Constant(number, _DOUBLE),
                ir.Constant(nothing, None), ir.Constant(nothing, None), zero, zero,
                ir.Constant(nothing, None)])
            builder.store(made, result)
            with builder.if_then(cgutils.is_not_null(builder, made), likely=True):
                spot = place_in(builder, made, _OF_ELEMENTS, size, nothing)
                cgutils.raw_memcpy(builder, builder.load(spot), array.data, array.nitems, 8)
            if is_ours:
                context.nrt.decref(builder, kind, value)
        with large:
            if not is_ours:
                context.nrt.incref(builder, kind, value)
            builder.store(c.box(kind, value), result)
    return builder.load(result)
