"""Calls of NumPy's own functions from compiled code, for what nobody wants to write again.

    by_numpy(np.linalg.eigvalsh, lambda a: floats(rank(a) - 1))

says of a function which type its result has, given the types of its arguments; compiled code then
makes arrays of NumPy around its own, calls the function in Python, and goes on with the memory of
what it returns. So the numbers are those of NumPy to the last bit, and a call costs some
microseconds. A result of another type than was said is not taken: the code stops, and the call runs
in Python. Where the function raises, compiled code raises the same class, which compiled callers
may catch; a derivative that was called from Python then runs there, and says what Python says.

This does by hand what `numba.objmode` does, which would compile a function for each such call.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_containers import DTYPES
from tangent_lite.backends.numba_functions import (
    JOINING,
    REPLACED,
    NotWritten,
    instead_of,
    is_array,
    is_number,
    value_of,
)
from tangent_lite.modules import module_of


class OtherResult(TypeError):
    """A function returned something of another type than compiled code was written for."""


# What rules are made of ---------------------------------------------------------------------------
def rank(x: Any) -> int:
    """How many axes an argument has: a type of Numba's, or a value that is known."""
    if not isinstance(x, types.Type):
        return int(np.ndim(x))
    if isinstance(x, types.Array):
        return int(x.ndim)
    if isinstance(x, (types.List, types.BaseTuple)):
        inner = [rank(kind) for kind in (x.types if isinstance(x, types.BaseTuple) else [x.dtype])]
        return 1 + max(inner, default=0)
    return 0


def part_of(x: Any, place: Any) -> Any:
    """The type of a part of a tuple."""
    if not isinstance(x, types.BaseTuple) or not isinstance(place, int):
        raise NotWritten("the parts of what is no tuple")
    return x.types[place]


def floats(axes: int) -> Any:
    """The type of an array of floats with so many axes; a float for none."""
    return _of(types.float64, axes)


def ints(axes: int) -> Any:
    return _of(types.int64, axes)


def _of(dtype: Any, axes: int) -> Any:
    if axes < 0:
        raise NotWritten("fewer axes than none")
    return types.Array(dtype, axes, "C") if axes else dtype


def named(made_by: Any, *kinds: Any) -> Any:
    """The type of a tuple of NumPy's with names; of one without for a NumPy that has none."""
    return types.NamedTuple(kinds, made_by) if hasattr(made_by, "_fields") else types.Tuple(kinds)


def like(name: str) -> Callable[..., Any]:
    """The rule of a function whose result is of floats, with the axes of a parameter."""
    return _parsed(f"lambda {name}: floats(rank({name}))")


def elementwise(names: str, count: int = 1) -> Callable[..., Any]:
    """The rule of a function of floats by elements, whose arguments of these names are broadcast;
    count: how many results it has."""
    return _parsed(f"lambda {names}: several(floats(max(map(rank, ({names},)))), {count})")


def several(kind: Any, count: int) -> Any:
    """A type, or that of a tuple of so many such things."""
    return types.UniTuple(kind, count) if count > 1 else kind


def _parsed(text: str) -> Any:
    return eval(text, {"floats": floats, "rank": rank, "several": several})


def axes_left(x: Any, axis: Any, keepdims: Any = False) -> int:
    """How many axes a reduction leaves."""
    if keepdims:
        return rank(x)
    return 0 if axis is None else rank(x) - (len(axis) if isinstance(axis, tuple) else 1)


# The call in Python -------------------------------------------------------------------------------
class PythonCall:
    """A call of a function: what is known of its arguments, and of which type the result is.

    fixed: arguments that are known; passed: the names of those that compiled code passes; kind:
    the type that the result has to be of; front: the names of those that are given by position.
    """

    def __init__(self, function: Any, fixed: dict[str, Any], passed: tuple[str, ...], kind: Any,
                 front: tuple[str, ...]) -> None:
        self.function, self.fixed, self.passed, self.kind = function, fixed, passed, kind
        self.front = front

    def __reduce__(self) -> Any:
        """Pickled it is the function that compiled code calls."""
        return called, (self.function, self.fixed, self.passed, self.kind, self.front)


def called(function: Any, fixed: dict[str, Any], passed: tuple[str, ...], kind: Any,
           front: tuple[str, ...]) -> Callable[..., Any]:
    """A function of the arguments that compiled code passes; see PythonCall."""
    taken = _taking(kind)
    if not fixed and passed == front:
        return lambda *values: taken(function(*values), values)

    def run(*values: Any) -> Any:
        named = {**fixed, **dict(zip(passed, values))}
        given = [named.pop(name) for name in front]
        return taken(function(*given, **named), values)
    return run


def _taking(kind: Any) -> Callable[[Any, tuple[Any, ...]], Any]:
    """A function that makes of a result what compiled code takes: of an array one that lies in
    order, in memory of its own. It is given the arguments too, one of which may be the result."""
    def refuse(found: Any) -> Any:
        raise OtherResult(f"{_described(found)} where {kind} was expected")

    if isinstance(kind, types.Array):
        dtype, ndim = as_dtype(kind.dtype), kind.ndim

        def array(found: Any, values: tuple[Any, ...]) -> Any:
            if not isinstance(found, np.ndarray) or found.ndim != ndim or found.dtype != dtype:
                return refuse(found)
            flags = found.flags
            if flags.owndata and flags.c_contiguous and flags.writeable and flags.aligned \
                    and type(found) is np.ndarray:
                for value in values:
                    if found is value:
                        break
                else:
                    return found
            return np.array(found, order="C")
        return array
    if isinstance(kind, types.BaseTuple):
        ways = [_taking(part) for part in kind.types]
        made_by = getattr(kind, "instance_class", None)

        def parts(found: Any, values: tuple[Any, ...]) -> Any:
            if not isinstance(found, (tuple, list)) or len(found) != len(ways):
                return refuse(found)
            each = [way(part, values) for way, part in zip(ways, found)]
            return made_by(*each) if made_by is not None else tuple(each)
        return parts
    if isinstance(kind, types.Float):
        return lambda found, values: float(found) if isinstance(found, float) or (
            isinstance(found, np.ndarray) and not found.ndim
            and found.dtype.char == "d") else refuse(found)
    return lambda found, values: int(found) if isinstance(found, (int, np.integer)) \
        and not isinstance(found, bool) else refuse(found)


def _described(found: Any) -> str:
    if isinstance(found, np.ndarray):
        return f"an array of {found.dtype} with {found.ndim} axes"
    return f"a {type(found).__name__}"


# What is raised in compiled code for an exception of Python's: the first class that it is of.
_ERRORS = (np.linalg.LinAlgError, NotImplementedError, ZeroDivisionError, FloatingPointError,
           IndexError, ValueError, TypeError, Exception)


# The call in compiled code ------------------------------------------------------------------------
def can_be_passed(kind: Any) -> bool:
    """Whether Python is given arguments of a type as the Python backend would give them."""
    if is_array(kind):
        return kind.ndim > 0 and as_dtype(kind.dtype).char in DTYPES
    if isinstance(kind, types.BaseTuple):
        return all(map(can_be_passed, kind.types))
    if isinstance(kind, types.List):
        return kind.dtype in (types.float64, types.int64)
    return kind in (types.float64, types.int64, types.boolean) or isinstance(kind, types.NoneType) \
        or (is_number(kind) and isinstance(kind, types.Literal))


def calling(call: PythonCall) -> Any:
    """`def run(values)`: the call with the values of a tuple, for compiled code."""
    @intrinsic
    def run(typingctx, values):
        def generate(context, builder, signature, args):
            return _generated(call, context, builder, signature.args[0], args[0])
        return call.kind(values), generate
    return run


def _generated(call: PythonCall, context: Any, builder: Any, kind: Any, values: Any) -> Any:
    api = context.get_python_api(builder)
    lock = api.gil_ensure()
    manager = Constants(api, builder)
    function = _kept(call, api, builder)
    given = []
    for k, one in enumerate(kind.types):
        value = builder.extract_value(values, k)
        context.nrt.incref(builder, one, value)         # the object takes a reference over
        given.append(api.from_native_value(one, value, manager))
    # Without memory for one of the objects there is nothing to call with.
    is_missing = cgutils.is_null(builder, function)
    for thing in given:
        is_missing = builder.or_(is_missing, cgutils.is_null(builder, thing))
    found = cgutils.alloca_once_value(builder, ir.Constant(api.pyobj, None))
    with builder.if_then(builder.not_(is_missing), likely=True):
        builder.store(api.call_function_objargs(function, given), found)
    for thing in given:
        api.decref(thing)
    result = builder.load(found)
    with builder.if_then(cgutils.is_null(builder, result), likely=False):
        _leave(call, context, builder, api, lock)
    native = api.to_native_value(call.kind, result)
    api.decref(result)
    if callable(native.cleanup):
        native.cleanup()
    api.gil_release(lock)
    with builder.if_then(native.is_error, likely=False):
        context.call_conv.return_exc(builder)
    return native.value


def _leave(call: PythonCall, context: Any, builder: Any, api: Any, lock: Any) -> None:
    """Leave compiled code by an exception of its own, of the class of the one that Python has set.

    That one belongs to the thread that called Python: compiled code could neither catch it nor
    hand it on from a thread of its own. What is no `Exception`, an interrupt, stays as it is.
    """
    number = ir.IntType(32)
    matches = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(number, [api.pyobj, api.pyobj]),
        "PyErr_GivenExceptionMatches")
    parts = [cgutils.alloca_once(builder, api.pyobj) for _ in range(3)]
    api.err_fetch(*parts)
    said = [builder.load(part) for part in parts]
    for error in _ERRORS:
        one = api.unserialize(api.serialize_object(error))
        with builder.if_then(builder.icmp_signed("!=", builder.call(matches, [said[0], one]),
                                                 ir.Constant(number, 0))):
            for thing in said:
                api.decref(thing)
            api.gil_release(lock)
            made = RuntimeError if error is Exception else error
            context.call_conv.return_user_exc(builder, made, (f"raised by {_name(call)}",))
        api.decref(one)
    api.err_restore(*said)
    api.gil_release(lock)
    context.call_conv.return_exc(builder)


def _name(call: PythonCall) -> str:
    return str(getattr(call.function, "__name__", call.function))


class Constants:
    """The objects that arrays are boxed with. Numba keeps them beside each function that it
    compiles, but on disk only for those that are called from outside."""

    def __init__(self, api: Any, builder: Any) -> None:
        self.api, self.builder = api, builder

    def add_const(self, thing: Any) -> Any:
        return thing

    def read_const(self, thing: Any) -> Any:
        return _kept(thing, self.api, self.builder)


def _kept(thing: Any, api: Any, builder: Any) -> Any:
    """An object: unpickled once in each process, also from code that was kept on disk."""
    module = builder.module
    kept = ir.GlobalVariable(module, api.pyobj, name=module.get_unique_name("kept_object"))
    kept.initializer = ir.Constant(api.pyobj, None)
    kept.linkage = "internal"
    with builder.if_then(cgutils.is_null(builder, builder.load(kept)), likely=False):
        builder.store(api.unserialize(api.serialize_object(thing)), kept)
    return builder.load(kept)


_DECLARED: list[Any] = []
# What stands in compiled code for a function of NumPy's -> the function.
_FUNCTIONS: dict[Any, Any] = {}


# Declarations -------------------------------------------------------------------------------------
def by_numpy(function: Any, rule: Callable[..., Any], parameters: str = "",
             own: Callable[..., bool] | None = None, methods: tuple[str, ...] = (),
             joins: bool = False) -> None:
    """Compiled code calls a function of NumPy's, or a helper of ours, in Python.

    rule: the type of the result; its parameters are called like those of the function that it
    looks at, and are given values where these are known, else types. parameters: those of a
    function that does not say them. own: whether Numba's function of that name takes arguments like
    these, given by position, and is as good. methods: names of methods that do the same; joins:
    whether it is given a list of arrays.
    """
    _DECLARED.append((function, None, rule, parameters, own, methods, joins))


def in_python(function: Any, rule: Callable[..., Any], parameters: str = "") -> Any:
    """A name by which compiled code calls a function of NumPy's in Python, whatever else is written
    for that function; see `by_numpy`."""
    def stub(*values: Any, **named: Any) -> Any:
        return function(*values, **named)

    stub.__name__ = stub.__qualname__ = f"{function.__name__}_in_python"
    _DECLARED.append((function, stub, rule, parameters, None, (), False))
    return stub


def declare() -> None:
    """Let what was declared stand behind all that is written for compiled code: that goes first."""
    while _DECLARED:
        _declare(*_DECLARED.pop(0))


def _declare(function: Any, stub: Any, rule: Callable[..., Any], parameters: str,
             own: Callable[..., bool] | None, methods: tuple[str, ...], joins: bool) -> None:
    names, defaults, by_name = _signature(function, parameters)
    wanted = list(inspect.signature(rule).parameters)

    def implementation(kinds: tuple[Any, ...]) -> Any:
        fixed: dict[str, Any] = {}
        passed: dict[str, Any] = {}
        seen = dict(defaults)
        for name, kind in zip(names, kinds):
            if isinstance(kind, types.Omitted) or not isinstance(kind, types.Type):
                continue
            if isinstance(kind, types.Function) and kind.typing_key in _FUNCTIONS:
                seen[name] = fixed[name] = _FUNCTIONS[kind.typing_key]
                continue
            try:
                seen[name] = fixed[name] = value_of(kind)
            except NotWritten:
                if not can_be_passed(kind):
                    return None
                passed[name] = seen[name] = kind
        count = next((k for k, name in enumerate(names)
                      if name in by_name or not (name in fixed or name in passed)), len(names))
        front = names[:count]
        if own is not None and len(front) == len(fixed) + len(passed) \
                and _fits(own, len(front)) and own(*[seen[name] for name in front]):
            return made(f"    return function({', '.join(front)})", {"function": function})
        kind = rule(**{name: seen[name] for name in wanted})
        if kind is None:
            return None
        run = calling(PythonCall(function, fixed, tuple(passed), kind, tuple(front)))
        return made(f"    return run(({''.join(name + ', ' for name in passed)}))", {"run": run})

    text = ", ".join(name if name not in defaults else f"{name}={defaults[name]!r}"
                     for name in names)

    def made(line: str, space: dict[str, Any]) -> Any:
        exec(f"def typed({text}):\n{line}", space)
        return space["typed"]

    if stub is None and module_of(function).startswith("tangent_lite."):
        stub = function
    if stub is None:
        stub = REPLACED.get(function)
        if stub is None:
            stub = made("    raise NotImplementedError", {})
            stub.__name__ = stub.__qualname__ = f"np_{function.__name__}"
            stub.__module__ = __name__
        instead_of(function, methods=methods)(stub)
        _FUNCTIONS[stub] = function
    if joins:
        JOINING.add(stub)
    overload(stub, prefer_literal=True)(made(
        f"    return implementation(({''.join(name + ', ' for name in names)}))",
        {"implementation": implementation}))


def _fits(function: Callable[..., Any], count: int) -> bool:
    """Whether a function takes so many arguments."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    return True


def _signature(function: Any, parameters: str) -> tuple[list[str], dict[str, Any], set[str]]:
    """The names of the parameters of a function, their defaults as compiled code has them, and
    which of them can only be given by name."""
    if parameters:
        space: dict[str, Any] = {}
        exec(f"def parsed({parameters}): pass", space)
        function = space["parsed"]
    found = inspect.signature(function).parameters.values()
    plain = (bool, int, float, str, type(None))
    # A default that Numba has no type for is never passed on, so anything stands for it.
    return [p.name for p in found], {
        p.name: p.default if type(p.default) in plain else None
        for p in found if p.default is not p.empty}, {
        p.name for p in found if p.kind is p.KEYWORD_ONLY}
