"""The way into compiled code: machine code that looks at the arguments of a call from Python.

What a call of two numbers costs is the way there: the object that is called, the looks at the
arguments and at names around the function, the way out. `machine_entry` writes them as machine
code, one function for arguments of one kind. In Python it would be

    def enter(*args, **keywords):
        if not keywords and len(args) == 2 and type(args[0]) is list and len(args[0]) == 3 and \\
                ... and function.__code__ is code and table.get(name) is meant:
            try:
                return callee(*leaves)              # numbers and arrays, those in lists too
            except Exception:
                pass
        return fallback(*args, **keywords)

The fallback does all else, from the start: a derivative changes nothing, so to run it again is
safe. What arrays are like (axes, layout) is asked by Numba behind this.

Only functions of Python's own interface are called, on objects that the entry holds. Nothing runs
between the first look at an argument and the last that could change one.
"""
from __future__ import annotations

import ctypes
import itertools
import types as python_types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from tangent_lite.backends.numba_boxing import (
    LETTERS,
    OF_DTYPE,
    OF_LETTERS,
    letters_of,
    place_in,
)
from tangent_lite.backends.numba_packers import Leaf, Part
from tangent_lite.calling.resolve import MISSING, Cell, Watched

_numbers = itertools.count(1)


class MachineCode(NamedTuple):
    """An entry that waits for its fallback; held: what it reads, as long as it is there."""
    method: Any
    held: tuple[Any, ...]

    def before(self, fallback: Callable[..., Any]) -> Callable[..., Any]:
        """The way in, for a derivative that does all else itself."""
        made: Callable[..., Any] = _new_function(
            ctypes.addressof(self.method), (fallback, *self.held), None)
        return made


class _Method(ctypes.Structure):
    """PyMethodDef."""
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p),
                ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


_BY_TUPLE_AND_DICT = 1 | 2          # METH_VARARGS | METH_KEYWORDS
_new_function = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi))


@global_compiler_lock
def machine_entry(name: str, parts: Sequence[Part], watched: Watched, holds: Callable[[], bool],
                  callee: Callable[..., Any]) -> MachineCode:
    """The way in for arguments that are made up as `parts` say.

    watched: the names whose meaning the callee rests on; holds: asks for it, where that takes
    more than a look at each.
    """
    context = cpu_target.target_context
    library = context.codegen().create_library(f"the way into {name}")
    module = library.create_ir_module(f"the way into {name}")
    symbol = f"tangent_lite_entry_{next(_numbers)}"
    writer = _Writer(context, module, symbol)
    writer.look_at_names(watched, holds)
    writer.look_at_arguments(parts)
    writer.finish(callee)
    library.add_ir_module(module)
    library.finalize()
    text = ctypes.create_string_buffer(name.encode())
    method = _Method(ctypes.cast(text, ctypes.c_char_p),
                     library.get_pointer_to_function(symbol), _BY_TUPLE_AND_DICT, None)
    return MachineCode(method, (method, text, library, *writer.held))


class _Writer:
    """Writes the function; where something is not as it should be it goes to the fallback."""

    def __init__(self, context: Any, module: Any, symbol: str) -> None:
        thing = context.get_argument_type(types.pyobject)
        function = ir.Function(module, ir.FunctionType(thing, [thing] * 3), name=symbol)
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.otherwise = function.append_basic_block("otherwise")
        self.api = context.get_python_api(self.builder)
        self.thing, self.size = thing, context.get_value_type(types.intp)
        self.own, self.args, self.keywords = function.args
        self.held: list[Any] = []
        self.leaves: list[Any] = []
        self.is_flat = True

    # Words ------------------------------------------------------------------------------------
    def known(self, value: Any) -> Any:
        """An object that is known now."""
        self.held.append(value)
        return ir.Constant(self.size, id(value)).inttoptr(self.thing)

    def number(self, value: int) -> Any:
        return ir.Constant(self.size, value)

    def ask(self, name: str, *args: Any, returns: Any = None) -> Any:
        """Call a function of Python's interface, by its address."""
        kind = ir.FunctionType(returns or self.thing, [arg.type for arg in args])
        address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
        function = self.builder.inttoptr(ir.Constant(self.size, address), kind.as_pointer())
        return self.builder.call(function, args)

    def unless(self, condition: Any) -> None:
        """Go to the fallback unless a condition holds."""
        behind = self.builder.append_basic_block()
        self.builder.cbranch(condition, behind, self.otherwise)
        self.builder.position_at_end(behind)

    def same(self, found: Any, value: Any) -> None:
        self.unless(self.builder.icmp_unsigned("==", found, self.known(value)))

    # Names ------------------------------------------------------------------------------------
    def look_at_names(self, watched: Watched, holds: Callable[[], bool]) -> None:
        """What `Watched.holds` asks."""
        if watched.varies or watched.changeable or watched.defaults or watched.lacked or not all(
                type(table) in (dict, Cell) for table, _, _ in watched.checks):
            answer = self.api.call(self.known(holds))
            self.unless(cgutils.is_not_null(self.builder, answer))
            self.api.decref(answer)             # nobody but us: True and False stay
            self.same(answer, True)
            return
        for function, code in watched.codes:
            assert type(function) is python_types.FunctionType
            self.same(self.ask("PyFunction_GetCode", self.known(function)), code)
        for table, name, old in watched.checks:
            if type(table) is Cell:
                found = self.ask("PyCell_Get", self.known(table.cell))
                self.ask("Py_DecRef", found, returns=ir.VoidType())   # the cell holds it
            else:
                found = self.ask("PyDict_GetItemWithError", self.known(table), self.known(name))
            if old is MISSING:
                self.unless(cgutils.is_null(self.builder, found))
            else:
                self.same(found, old)

    # Arguments --------------------------------------------------------------------------------
    def look_at_arguments(self, parts: Sequence[Part]) -> None:
        self.unless(cgutils.is_null(self.builder, self.keywords))
        self.of_length("PyTuple_Size", self.args, len(parts))
        for number, part in enumerate(parts):
            self.look(self.api.tuple_getitem(self.args, number), part)
            self.is_flat = self.is_flat and isinstance(part, Leaf)

    def of_length(self, asked: str, thing: Any, length: int) -> None:
        found = self.ask(asked, thing, returns=self.size)
        self.unless(self.builder.icmp_signed("==", found, self.number(length)))

    def look(self, thing: Any, part: Part) -> None:
        """Leave unless something is made up as a part says."""
        self.same(self.api.get_type(thing), part.kind)
        if isinstance(part, Leaf):
            self.leaves.append(thing)
            if part.dtype is not None:
                word, builder = ir.IntType(32), self.builder
                dtype = builder.load(place_in(builder, thing, OF_DTYPE, self.size, self.thing))
                letters = builder.load(place_in(builder, dtype, OF_LETTERS, self.size, word))
                self.unless(builder.icmp_unsigned(
                    "==", builder.and_(letters, ir.Constant(word, LETTERS)),
                    ir.Constant(word, letters_of(part.dtype))))
        elif part.kind is dict:
            self.of_length("PyDict_Size", thing, len(part.parts))
            place = cgutils.alloca_once_value(self.builder, self.number(0))
            key, value = (cgutils.alloca_once(self.builder, self.thing) for _ in range(2))
            self.builder.store(self.number(0), place)
            for name, one in zip(part.keys or (), part.parts):
                self.ask("PyDict_Next", thing, place, key, value, returns=ir.IntType(32))
                self.same(self.builder.load(key), name)
                self.look(self.builder.load(value), one)
        else:
            of_tuple = part.kind is tuple
            self.of_length("PyTuple_Size" if of_tuple else "PyList_Size", thing, len(part.parts))
            for number, one in enumerate(part.parts):
                name = "PyTuple_GetItem" if of_tuple else "PyList_GetItem"
                self.look(self.ask(name, thing, self.number(number)), one)

    # The call ---------------------------------------------------------------------------------
    def finish(self, callee: Any) -> None:
        """Call what computes, and the fallback where that stops."""
        builder, api = self.builder, self.api
        given = self.args
        if not self.is_flat:
            given = self.ask("PyTuple_New", self.number(len(self.leaves)))
            self.unless(cgutils.is_not_null(builder, given))
            for number, leaf in enumerate(self.leaves):
                api.incref(leaf)
                self.ask("PyTuple_SetItem", given, self.number(number), leaf,
                         returns=ir.IntType(32))
        found = api.call(self.known(callee), given)
        if not self.is_flat:
            api.decref(given)
        with builder.if_then(cgutils.is_not_null(builder, found), likely=True):
            builder.ret(found)
        # What is no Exception (Ctrl-C) is not ours to pass over.
        stopped = self.ask("PyErr_ExceptionMatches", self.known(Exception),
                           returns=ir.IntType(32))
        with builder.if_then(cgutils.is_null(builder, stopped), likely=False):
            builder.ret(api.get_null_object())
        builder.branch(self.otherwise)
        builder.position_at_end(self.otherwise)
        api.err_clear()
        fallback = self.ask("PyTuple_GetItem", self.own, self.number(0))
        builder.ret(api.call(fallback, self.args, self.keywords))
