"""Derivatives called from the user's own compiled code.

A derivative has a type of Numba's (`_numba_type_`), so `d(x, y)` in a function under `numba.njit`
compiles into a call of the compiled derivative, with nothing of Python in between. A variant is
made for the types of the arguments when the caller is compiled.
"""
from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import models, overload, register_jitable, register_model
from numba.np.numpy_support import as_dtype

from tangent_lite.backends.numba_functions import is_array, is_number
from tangent_lite.errors import TangentError


class DerivativeType(types.Callable, types.Opaque):
    """The type of one derivative; entry(values) gives what is compiled for arguments like these."""

    def __init__(self, derivative: Any) -> None:
        self.derivative = derivative
        self.found: dict[Any, Any] = {}
        super().__init__(f"derivative({derivative.__qualname__} at {id(derivative)})")

    def entry(self, args: Any) -> Any:
        kinds = tuple(map(types.unliteral, args))
        if kinds not in self.found:
            try:
                values = tuple(map(example, kinds))
                self.found[kinds] = self.derivative.entry_for(values)
            except TangentError as error:
                raise TypingError(str(error)) from None
        return kinds, self.found[kinds]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            raise TypingError("compiled code calls a derivative by position only")
        kinds, entry = self.entry(args)
        entry.compile(kinds)
        return entry.overloads[kinds].signature

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        kinds, entry = self.entry(sig.args)
        return entry.get_overload(kinds)


register_model(DerivativeType)(models.OpaqueModel)


@lower_constant(DerivativeType)
def _constant(context, builder, kind, value):
    return context.get_dummy_value()


def example(kind: Any) -> Any:
    """A value of a type: variants are made for kinds of values, never for values."""
    if isinstance(kind, types.Boolean):
        return True
    if isinstance(kind, types.Integer):
        return 1
    if kind == types.float64:
        return 1.0
    if kind == types.complex128:
        return 1.0 + 0.0j
    if isinstance(kind, types.Array):
        dtype = as_dtype(kind.dtype)
        return np.ones((2,) * kind.ndim, dtype, "F" if kind.layout == "F" else "C")
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return tuple(map(example, kind))
    raise TypingError(f"a derivative is not called with {kind} from compiled code")


# What the derivative returns, in the space of its arguments --------------------------------------
@register_jitable
def _may_share(x, y):
    """Whether two arrays may share memory; y, if it does not lie in order, may always."""
    first, size = y.ctypes.data, y.size * y.itemsize
    return x.size > 0 and first <= x.ctypes.data < first + size


def shares(x, others):
    """Whether an array may share memory with one of a tuple of things."""
    return False


@overload(shares)
def _shares(x, others):
    if not isinstance(others, types.BaseTuple):
        return None
    if len(others) == 0:
        return lambda x, others: False
    if is_array(others[0]):
        if others[0].layout != "C":
            return lambda x, others: True
        if len(others) == 1:
            return lambda x, others: _may_share(x, others[0])
        return lambda x, others: _may_share(x, others[0]) or shares(x, others[1:])
    if isinstance(others[0], types.BaseTuple):
        if len(others) == 1:
            return lambda x, others: shares(x, others[0])
        return lambda x, others: shares(x, others[0]) or shares(x, others[1:])
    if len(others) == 1:
        return lambda x, others: False
    return lambda x, others: shares(x, others[1:])


def settled(gradient, argument, others):
    """A gradient with the shape of its argument, that shares memory with none of the others."""
    return gradient


@overload(settled)
def _settled(gradient, argument, others):
    if is_number(argument) and is_number(gradient):
        if isinstance(argument, types.Complex):
            return lambda gradient, argument, others: gradient + 0j
        return lambda gradient, argument, others: float(gradient)
    if is_array(argument) and is_number(gradient):
        return lambda gradient, argument, others: np.full(argument.shape, gradient * 1.0)
    if is_array(argument) and is_array(gradient) and argument.ndim == gradient.ndim:
        if gradient.layout == "C" and gradient.mutable:
            def run(gradient, argument, others):
                if gradient.shape != argument.shape:
                    raise ValueError("a gradient of another shape")
                return gradient.copy() if shares(gradient, others) else gradient
            return run

        def copied(gradient, argument, others):
            if gradient.shape != argument.shape:
                raise ValueError("a gradient of another shape")
            return gradient.copy()
        return copied
    if isinstance(argument, types.BaseTuple) and isinstance(gradient, types.BaseTuple) \
            and len(argument) == len(gradient) > 0:
        if len(argument) == 1:
            return lambda gradient, argument, others: (
                settled(gradient[0], argument[0], others),)

        def parts(gradient, argument, others):
            first = settled(gradient[0], argument[0], others)
            return (first,) + settled(gradient[1:], argument[1:], (first,) + others)
        return parts
    return None


def entry_of(compiled: Any, with_value: bool, drops_value: bool, spots: list[int],
             in_a_tuple: bool) -> Any:
    """A function of Numba that calls a derivative and returns what a call from Python returns.

    spots: the positions of the arguments that the gradients belong to.
    """
    outside = {f"data_{k}": look_up() for k, look_up in enumerate(compiled.outside)}
    for value in outside.values():
        if isinstance(value, (np.ndarray, tuple)):
            raise TangentError("a derivative that reads an array from outside its function cannot "
                               "be called from compiled code, which would not see it change", None,
                               "pass the array as an argument")
    names = [f"a{k}" for k in range(compiled.count)]
    everything = ", ".join(names) + ("," if len(names) == 1 else "")
    lines = [f"def {compiled.name}({', '.join(names)}):",
             f"    found = main({', '.join([*outside, *names])})"]
    if with_value:
        lines.append("    value, found = found")
        lines.append("    is_number(value)")
    parts = []
    for k, spot in enumerate(spots):
        one = "found" if len(spots) == 1 else f"found[{k}]"
        before = "".join(f"g{j}, " for j in range(k))
        lines.append(f"    g{k} = settled({one}, a{spot}, ({before}{everything}))")
        parts.append(f"g{k}")
    gradients = f"({', '.join(parts)},)" if in_a_tuple else parts[0]
    lines.append("    return " + (f"(value, {gradients})" if with_value and not drops_value
                                  else gradients))
    space: dict[str, Any] = {"main": compiled.main, "settled": settled, "is_number": one_number,
                             **outside}
    exec(compile("\n".join(lines), f"<tangent_lite numba {compiled.name} called>", "exec"), space)
    return numba.njit(error_model="python")(space[compiled.name])


def one_number(value):
    """Refuses a result that is no float."""


@overload(one_number)
def _one_number(value):
    if value == types.float64 or isinstance(value, types.Integer):
        return lambda value: None
    raise TypingError("the function returns no single number; its derivative is not called from "
                      "compiled code")
