"""The loops that NumPy's functions of elements run, called from compiled code.

NumPy computes exp, tanh and their like by loops of its own, with vector instructions where the
processor has them; Numba calls the C library. The two differ in the last bit, the one at some
elements and the other at others. A ufunc holds the addresses of its loops: compiled code that calls
them has NumPy's numbers to the last bit, at NumPy's speed.
"""
from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

# Where the loops of a ufunc stand, and what each is given as its last argument: their addresses, in
# cells that are found by name, so that code that is kept on disk finds them in the next process.
_CELLS: dict[str, Any] = {}
_WORD, _BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
_LOOP = ir.FunctionType(ir.VoidType(), [_BYTES.as_pointer(), _WORD.as_pointer(), _WORD.as_pointer(),
                                        _BYTES])


class _Ufunc(ctypes.Structure):
    """What stands behind the head of a ufunc (`PyUFuncObject`, the same in NumPy 1 and 2)."""
    _fields_ = [("nin", ctypes.c_int), ("nout", ctypes.c_int), ("nargs", ctypes.c_int),
                ("identity", ctypes.c_int), ("functions", ctypes.POINTER(ctypes.c_void_p)),
                ("data", ctypes.POINTER(ctypes.c_void_p)), ("ntypes", ctypes.c_int)]


def loop_of(function: np.ufunc) -> str | None:
    """The name of the cell with the loop that a ufunc runs for floats, with one result; None where
    it is not found."""
    symbol = f"tangent_lite_loop_{function.__name__}"
    if symbol not in _CELLS:
        wanted = "d" * function.nin + "->d"
        seen = _Ufunc.from_address(id(function) + object.__basicsize__)
        counts = (seen.nin, seen.nout, seen.nargs, seen.ntypes)
        if wanted not in function.types or counts != (
                function.nin, function.nout, function.nargs, function.ntypes):
            return None
        at = function.types.index(wanted)
        cell = (ctypes.c_void_p * 2)(seen.functions[at], seen.data[at] if seen.data else None)
        if not cell[0] or not _runs(function, cell):
            return None
        llvmlite.binding.add_symbol(symbol, ctypes.addressof(cell))
        _CELLS[symbol] = cell
    return symbol


def _runs(function: np.ufunc, cell: Any) -> bool:
    """Whether a loop gives what the ufunc gives."""
    count = 5
    given = np.linspace(0.15, 0.85, count * function.nin).reshape(function.nin, count)
    found = np.empty(count)
    arrays = [*given, found]
    loop = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(cell[0])
    loop((ctypes.c_void_p * len(arrays))(*[one.ctypes.data for one in arrays]),
         (ctypes.c_ssize_t * 1)(count), (ctypes.c_ssize_t * len(arrays))(*[8] * len(arrays)),
         cell[1])
    with np.errstate(all="ignore"):
        return bool(np.array_equal(found, function(*given), equal_nan=True))


def _call(builder: Any, symbol: str, places: list[Any], steps: list[Any], count: Any) -> None:
    """Run a loop over elements: from these places on, so many bytes from one to the next."""
    cell = builder.module.globals.get(symbol)
    if cell is None:
        cell = ir.GlobalVariable(builder.module, ir.ArrayType(_BYTES, 2), symbol)
        cell.global_constant = True
    loop, data = (builder.load(cgutils.gep_inbounds(builder, cell, 0, k)) for k in range(2))
    arguments, lengths, strides = (
        cgutils.alloca_once(builder, kind, size) for kind, size in (
            (_BYTES, len(places)), (_WORD, 1), (_WORD, len(places))))
    for k, (place, step) in enumerate(zip(places, steps)):
        number = ir.Constant(ir.IntType(32), k)
        builder.store(builder.bitcast(place, _BYTES), builder.gep(arguments, [number]))
        builder.store(step, builder.gep(strides, [number]))
    builder.store(count, lengths)
    builder.call(builder.bitcast(loop, _LOOP.as_pointer()), [arguments, lengths, strides, data])


def pure_function(module: Any, name: str, count: int, is_rare: bool = False) -> Any:
    """A function of so many floats that reads and writes no memory as far as the compiler needs to
    know: what is the same at each step is computed once, in front of the loop, also where something
    may be raised before; is_rare: only where it is asked for."""
    double = ir.DoubleType()
    function = cgutils.get_or_insert_function(
        module, ir.FunctionType(double, [double] * count), name)
    for attribute in ("nounwind", "readnone", "willreturn", *([] if is_rare else ["speculatable"])):
        set.add(function.attributes, attribute)     # llvmlite knows the first two of them
    return function


def _filled(builder: Any, value: Any) -> Any:
    """A place that holds a number eight times: a loop reads a whole vector at once, and waits where
    that was not written at once."""
    vector = ir.VectorType(ir.DoubleType(), 8)
    lanes = builder.insert_element(ir.Constant(vector, ir.Undefined), value,
                                   ir.Constant(ir.IntType(32), 0))
    lanes = builder.shuffle_vector(lanes, ir.Constant(vector, ir.Undefined), ir.Constant(
        ir.VectorType(ir.IntType(32), 8), [0] * 8))
    place = cgutils.alloca_once(builder, vector)
    place.align = 64
    builder.store(lanes, place, align=64)
    return place


def of_numbers(symbol: str, count: int) -> Any:
    """`run(x, ...)` for floats, as many as the loop takes."""
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = pure_function(builder.module, f"{symbol}_once", count)
        if function.is_declaration:
            function.linkage = "linkonce_odr"
            function.attributes.add("noinline")
            inner = ir.IRBuilder(function.append_basic_block("entry"))
            places = [_filled(inner, one) for one in function.args]
            found = cgutils.alloca_once(inner, ir.DoubleType())
            size = ir.Constant(_WORD, 8)
            _call(inner, symbol, [*places, found], [size] * (count + 1), ir.Constant(_WORD, 1))
            inner.ret(inner.load(found))
        return builder.call(function, args)

    kinds = [types.float64] * count
    if count == 1:
        @intrinsic
        def one(typingctx, x):
            return types.float64(*kinds), generate
        return one

    @intrinsic
    def two(typingctx, x, y):
        return types.float64(*kinds), generate
    return two


def of_arrays(symbol: str, count: int) -> Any:
    """`run(out, n, x, dx, ...)`: n elements of vectors, so many bytes apart, into an array that
    lies in order."""
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [make_array(kind)(context, builder, value).data for kind, value in zip(
            signature.args, args) if isinstance(kind, types.Array)]
        steps = [value for kind, value in zip(signature.args, args)
                 if not isinstance(kind, types.Array)]
        _call(builder, symbol, [*arrays[1:], arrays[0]], [*steps[1:], ir.Constant(_WORD, 8)],
              steps[0])
        return context.get_dummy_value()

    if count == 1:
        @intrinsic
        def one(typingctx, out, n, x, dx):
            return types.none(out, types.int64, x, types.int64), generate
        return one

    @intrinsic
    def two(typingctx, out, n, x, dx, y, dy):
        return types.none(out, types.int64, x, types.int64, y, types.int64), generate
    return two
