"""What compiled derivatives call in place of functions that Numba lacks or does otherwise.

A function here is a name: what it does is said by overloads, by the types of the arguments. Those
of `math` and of Python raise where Python raises (Numba gives nan, inf, or a number that wrapped
around); whoever called the derivative from Python then gets what Python does there.
"""
from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.typeconv import Conversion
from numba.extending import (
    intrinsic,
    lower_cast,
    models,
    overload,
    register_jitable,
    register_model,
)

LIMIT = 2.0 ** 53               # up to here an int is a float

# function of Python, math or NumPy -> what compiled code calls in its place
REPLACED: dict[Any, Any] = {}
# what compiled code calls -> what gives the same to the last bit as NumPy does (`numba_own_value`),
# and what those functions are called by NumPy and Python
OWN: dict[Any, Any] = {}
ORIGINALS: dict[Any, Any] = {}
# method -> the same for `x.method(...)`
METHODS: dict[str, Any] = {}
# Functions of NumPy that are given a list of arrays.
JOINING = {np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack}
# function of the module -> options of it that change how a result is computed, and not what it is
WITHOUT_EFFECT: dict[Any, tuple[str, ...]] = {}
# Types that compiled code may name.
TYPES = {np.float64, np.int64, np.bool_, float, int, bool}


def instead_of(*originals: Any, methods: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    """Compiled code calls the decorated function in place of these."""
    def register(stub: Any) -> Any:
        for original in originals:
            REPLACED[original] = stub
        for name in methods:
            METHODS[name] = stub
        return stub
    return register


def add_own(plain: Any, own: Any) -> None:
    """Compiled code calls a function in place of another where a value is to be NumPy's."""
    OWN[plain] = own
    ORIGINALS[own] = next((one for one, stub in REPLACED.items() if stub is plain), plain)


def own_of(function: Any) -> Any:
    """What compiled code calls in place of a function where a value is to be NumPy's, or None."""
    if function is None:
        return None
    return next((own for plain, own in OWN.items()
                 if plain is function or REPLACED.get(plain) is function), None)


def is_number(kind: Any) -> bool:
    return isinstance(kind, (types.Number, types.Boolean)) or (
        isinstance(kind, types.Literal) and isinstance(kind.literal_value, (int, float)))


def is_integer(kind: Any) -> bool:
    return isinstance(kind, (types.Integer, types.Boolean, types.IntegerLiteral,
                             types.BooleanLiteral))


def is_real(kind: Any) -> bool:
    return is_number(kind) and not isinstance(kind, types.Complex)


def is_array(kind: Any) -> bool:
    return isinstance(kind, types.Array)


class WrittenType(types.Type):
    """The type of a value that the type holds (`numba_known`)."""

    def __init__(self, value: Any) -> None:
        self.value = value
        super().__init__(f"written({value!r})")


class NotWritten(TypingError):
    """A value that has to be known when the code is compiled, and is not: no overload fits."""


def is_none(kind: Any) -> bool:
    """Whether an argument is None, or a parameter was left out."""
    return isinstance(kind, (types.NoneType, types.Omitted, type(None)))


def value_of(kind: Any, default: Any = None) -> Any:
    """The value of a literal, the default where a parameter was left out."""
    if isinstance(kind, WrittenType):
        return kind.value
    if isinstance(kind, types.Literal):
        return kind.literal_value
    if isinstance(kind, types.Omitted):
        return kind.value
    if isinstance(kind, types.NoneType):
        return None
    if isinstance(kind, (types.BaseTuple,)):
        return tuple(value_of(k) for k in kind.types)
    if kind is None or isinstance(kind, (bool, int, float, str, tuple)):
        return kind
    raise NotWritten(f"{kind} is not known when the code is compiled")


def written_function(lines: list[str], space: dict[str, Any]) -> Any:
    """A function that compiled code may call, from the lines of its text; space: what its names
    mean."""
    name = lines[0].removeprefix("def ").partition("(")[0]
    exec("\n".join(lines), space)
    return register_jitable(space[name])


# Names that are not bound yet ---------------------------------------------------------------------
class Unbound(types.Type):
    """The type of what stands in a name before something is bound to it: it becomes any other."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__.lower())

    def unify(self, typingctx: Any, other: Any) -> Any:
        return other

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe


class Undecided(Unbound):
    """The same where no call takes it: Numba asks again when it knows what else the name is bound
    to. If `row *= 2.0` took it for a number, row could be no array any more."""

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        return None


register_model(Unbound)(models.OpaqueModel)
register_model(Undecided)(models.OpaqueModel)


@lower_cast(Unbound, types.Any)
@lower_cast(Unbound, types.Boolean)
@lower_cast(Unbound, types.Optional)
def _zeros_for_unbound(context, builder, fromty, toty, value):
    return context.get_constant_null(toty)


@intrinsic
def unbound(typingctx):
    """What stands in a name before something is bound to it; nobody reads it."""
    def generate(context, builder, signature, args):
        return context.get_dummy_value()
    return Unbound()(), generate


@intrinsic
def undecided(typingctx):
    """The same, for what is nothing to a call."""
    def generate(context, builder, signature, args):
        return context.get_dummy_value()
    return Undecided()(), generate


def is_unset(value, is_bound):
    """Whether a name is None that was None at first."""
    return value is None or not is_bound


@overload(is_unset)
def _is_unset(value, is_bound):
    if isinstance(value, types.Optional):       # it was bound to what may be None
        return lambda value, is_bound: value is None or not is_bound
    if isinstance(value, types.NoneType):
        return lambda value, is_bound: True
    return lambda value, is_bound: not is_bound


# math -----------------------------------------------------------------------------------------
@register_jitable
def stop():
    raise ArithmeticError("Python raises or gives another kind of number here")


def checked(name: str, count: int, compiled: Any = None) -> Any:
    """A function of math that raises where Python's does: nan or inf of finite numbers; compiled:
    what computes it, if Numba lacks it."""
    function = compiled or getattr(math, name)

    if count == 1:
        def stub(x: Any) -> Any:
            return function(x)

        @overload(stub)
        def one(x):
            if not is_real(x):
                return None

            def run(x):
                y = function(float(x))
                if not math.isfinite(y) and math.isfinite(x):
                    stop()
                if math.isnan(y) and not math.isnan(x):
                    stop()
                return y
            return run
    else:
        def stub(x: Any, y: Any) -> Any:                # type: ignore[misc]
            return function(x, y)

        @overload(stub)
        def two(x, y):
            if not (is_real(x) and is_real(y)):
                return None

            def run(x, y):
                z = function(float(x), float(y))
                if not math.isfinite(z):
                    stop()
                return z
            return run

    stub.__name__ = stub.__qualname__ = f"math_{name}"
    return stub


def limited(x: Any) -> Any:
    """A parameter of a derivative: an int must leave room for the ints just beside it."""
    return x


@overload(limited)
def _limited(x):
    if isinstance(x, types.Integer):
        if not x.signed:
            def refuse(x):
                stop()
                return x
            return refuse

        def run(x):
            if x >= LIMIT or x <= -LIMIT:
                stop()
            return x
        return run
    if isinstance(x, types.BaseTuple) and any(map(_holds_ints, x.types)):
        looks = [f"    look(x[{k}])" for k, part in enumerate(x.types) if _holds_ints(part)]
        space: dict[str, Any] = {"look": limited}
        exec("\n".join(["def run(x):", *looks, "    return x"]), space)
        return space["run"]
    return lambda x: x


def _holds_ints(kind: Any) -> bool:
    return isinstance(kind, types.Integer) or (
        isinstance(kind, types.BaseTuple) and any(map(_holds_ints, kind.types)))


for _name in ("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "asin",
              "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc",
              "gamma", "lgamma", "fabs", "radians", "degrees"):
    REPLACED[getattr(math, _name)] = checked(_name, 1)
for _name in ("atan2", "pow", "hypot", "copysign"):
    REPLACED[getattr(math, _name)] = checked(_name, 2)


def _to_int(name: str, function: Any) -> Any:
    """A conversion to int that stops where the number is no int64."""
    def stub(x: Any) -> Any:
        return function(x)

    @overload(stub)
    def convert(x):
        if is_integer(x):
            return lambda x: np.int64(x)
        if isinstance(x, types.Float):
            def run(x):
                if not abs(x) < LIMIT:
                    stop()
                return np.int64(function(x))
            return run
        return None

    stub.__name__ = stub.__qualname__ = name
    return stub


REPLACED[int] = _to_int("to_int", math.trunc)
REPLACED[math.floor] = _to_int("math_floor", math.floor)
REPLACED[math.ceil] = _to_int("math_ceil", math.ceil)
REPLACED[math.trunc] = _to_int("math_trunc", math.trunc)


# Python ---------------------------------------------------------------------------------------
@instead_of(round)
def rounded(x, digits=None):
    return round(x, digits)


@overload(rounded)
def _rounded(x, digits=None):
    if is_integer(x) and value_of(digits) is None:
        return lambda x, digits=None: x
    if isinstance(x, types.Float) and value_of(digits) is None:
        def run(x, digits=None):
            if not abs(x) < LIMIT:
                stop()
            return np.int64(np.rint(x))
        return run
    return None


@instead_of(divmod)
def quotient_and_rest(x, y):
    return divmod(x, y)


@overload(quotient_and_rest)
def _quotient_and_rest(x, y):
    if is_integer(x) and is_integer(y):
        return lambda x, y: (x // y, x % y)
    return (lambda x, y: (float(x) // y, float(x) % y)) if is_real(x) and is_real(y) else None


@instead_of(reversed)
def backwards(items):
    return reversed(items)


@overload(backwards)
def _backwards(items):
    if isinstance(items, types.RangeType):
        def of_range(items):
            last = items.start + (len(items) - 1) * items.step
            return range(last, items.start - items.step, -items.step)
        return of_range
    if isinstance(items, types.Array):
        return lambda items: items[::-1]
    return None


@overload(operator.getitem)
def _part_of_range(items, index):
    if isinstance(items, types.RangeType) and isinstance(index, types.SliceType):
        def run(items, index):
            start, stop, step = index.indices(len(items))
            return range(items.start + start * items.step, items.start + stop * items.step,
                         items.step * step)
        return run
    if isinstance(items, types.RangeType) and is_integer(index):
        def item(items, index):
            at = index + len(items) if index < 0 else index
            if at < 0 or at >= len(items):
                raise IndexError("range object index out of range")
            return items.start + at * items.step
        return item
    return None


@instead_of(builtins.sum)
def summed(items, start=0):
    return builtins.sum(items, start)


@overload(summed)
def _summed(items, start=0):
    if isinstance(items, types.Array) and items.ndim > 1:
        return None

    def run(items, start=0):
        total = start + 0.0
        for item in items:
            total = total + item
        return total

    def of_ints(items, start=0):
        total = start
        for item in items:
            step = int(item)
            if abs(step) > 2 ** 61 or abs(total) > 2 ** 61:
                stop()                          # it may become too large for an int
            total += step
        return total
    dtype = getattr(items, "dtype", None)
    if isinstance(dtype, (types.Integer, types.Boolean)) and (
            is_integer(start) or isinstance(start, types.Omitted) or type(start) is int):
        return of_ints
    return run if isinstance(dtype, (types.Float, types.Complex)) else None
