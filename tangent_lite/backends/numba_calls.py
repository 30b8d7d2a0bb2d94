"""Derivatives called from the user's own compiled code.

A derivative has a type of Numba's (`_numba_type_`), so `d(x, y)` in a function under `numba.njit`
compiles into a call of the compiled derivative, with nothing of Python in between. A variant is
made for the types of the arguments when the caller is compiled.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import NativeValue, models, register_model, unbox
from numba.np.numpy_support import as_dtype

from tangent_lite.backends.numba_settled_calls import settled_call
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
                self.found[kinds] = self.derivative.compiled_for(values)(kinds)
            except TangentError as error:
                raise TypingError(str(error)) from None
        return kinds, self.found[kinds]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            raise TypingError("compiled code calls a derivative by position only")
        if self.derivative.request.bound:
            raise TypingError(f"{self.derivative.request.name} is a method of an object, which "
                              "compiled code does not pass: write a function of the numbers")
        taken = self.derivative.request.visible
        if len(args) != len(taken):
            raise TypingError(f"the derivative of {self.derivative.request.name} takes "
                              f"{', '.join(taken)}: compiled code passes all of them, those with "
                              f"defaults too, and passes {len(args)} here")
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


@unbox(DerivativeType)
def _argument(kind, value, context):
    """A derivative that is an argument of compiled code: its type says all about it."""
    return NativeValue(context.context.get_dummy_value())


def example(kind: Any) -> Any:
    """A value of a type: variants are made for kinds of values, never for values."""
    if isinstance(kind, types.Boolean):
        return True
    if isinstance(kind, types.Integer):
        return 1
    if isinstance(kind, types.NoneType):
        return None
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


# The call -----------------------------------------------------------------------------------------
def entry_of(compiled: Any, with_value: bool, drops_value: bool, spots: list[int],
             in_a_tuple: bool, written: dict[int, str], kinds: Any) -> Any:
    """A function of Numba for compiled callers, with what the derivative reads from outside in it.

    written: the positions and names of the arguments that the function writes into. For all else
    see `settled_call`.
    """
    for look_up in compiled.outside:
        if isinstance(look_up(), (np.ndarray, tuple)):
            raise TangentError("a derivative that reads an array from outside its function cannot "
                               "be called from compiled code, which would not see it change", None,
                               "pass the array as an argument")
    return settled_call(compiled, with_value, drops_value, spots, in_a_tuple, kinds,
                        [look_up() for look_up in compiled.outside], written=written)
