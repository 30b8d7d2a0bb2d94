"""Derivatives called from the user's own compiled code.

A derivative has a type of Numba's (`_numba_type_`), so `d(x, y)` in a function under `numba.njit`
compiles into a call of the compiled derivative, with nothing of Python in between. A variant is
made for the types of the arguments when the caller is compiled.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import NativeValue, models, register_model, unbox
from numba.np.numpy_support import as_dtype

from tangent_lite.backends.numba_boxing import handed, leaves_by_copy
from tangent_lite.backends.numba_checks import InliningCompiler
from tangent_lite.backends.numba_functions import is_array, is_number
from tangent_lite.backends.numba_linking import by_address
from tangent_lite.backends.numba_memory import all_apart, extent, meet
from tangent_lite.backends.numba_overloads import by_types
from tangent_lite.backends.numba_packers import ElsewhereError, Part, count_of, together
from tangent_lite.backends.numba_passing import meaning, opened
from tangent_lite.backends.numba_settling import holds_parts, meanings, settling_lines
from tangent_lite.errors import AliasError, TangentError


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


# What the derivative returns, in the space of its arguments --------------------------------------
def _is_settled(gradient: Any, argument: Any) -> bool:
    """Whether a gradient has the type that it should have, but for its shape and memory."""
    if is_number(argument):
        return bool(gradient == types.float64)
    return is_array(argument) and is_array(gradient) and gradient.ndim == argument.ndim \
        and gradient.layout == "C" and gradient.mutable and gradient.dtype == types.float64


@by_types()
def fits(gradient, argument):
    """Whether a gradient has the shape of its argument."""
    if is_array(argument):
        return lambda gradient, argument: gradient.shape == argument.shape
    return lambda gradient, argument: True


@by_types()
def settled(gradient, argument):
    """A gradient with the shape of its argument."""
    if is_number(argument) and is_number(gradient):
        return lambda gradient, argument: float(gradient)
    if is_array(argument) and is_number(gradient):
        return lambda gradient, argument: np.full(argument.shape, gradient * 1.0)
    if not (is_array(argument) and is_array(gradient) and argument.ndim == gradient.ndim):
        return None
    in_order = gradient.layout == "C" and gradient.mutable

    def run(gradient, argument):
        if gradient.shape != argument.shape:
            raise ValueError("a gradient of another shape")
        return gradient if in_order else gradient.copy()
    return run


@by_types()
def separate(gradient, is_shared):
    """The gradient, or a copy if others hold its memory."""
    if is_array(gradient):
        return lambda gradient, is_shared: gradient.copy() if is_shared else gradient
    return lambda gradient, is_shared: gradient


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


# So many pairs of arrays are compared in a line of their own each; Numba takes its time to compile.
_FEW_PAIRS = 12


def settled_call(compiled: Any, with_value: bool, drops_value: bool, spots: list[int],
                 in_a_tuple: bool, kinds: Any, outside: list[Any] | None = None,
                 holders: Mapping[int, Part] | None = None,
                 written: Mapping[int, str] = MappingProxyType({}),
                 attributes: list[tuple[str, ...]] | None = None, asked: str = "") -> Any:
    """A function of Numba that calls a derivative and returns what a call from Python returns:
    gradients in the shape of their arguments, writable, in memory that nobody else holds.

    spots: the positions of the arguments that the gradients belong to; kinds: the types of the
    arguments; outside: what the derivative reads from outside, or None where it is passed in front
    of the arguments; holders: how those arguments are made up whose numbers and arrays are passed
    one by one; written: the names of arguments that must share no memory with others; attributes:
    the names that lead from the arguments at `spots` to what is varied in them; asked: a test of
    the shapes of the arguments, which is made first (`numba_fitting`). Most derivatives return what
    they should as it is: then one look is all.
    """
    space: dict[str, Any] = {"main": compiled.main, "settled": settled, "separate": separate,
                             "extent": extent, "meet": meet, "all_apart": all_apart, "np": np,
                             "one_number": one_number, "fits": fits, "opened": opened,
                             "handed": handed, "leaves_by_copy": leaves_by_copy,
                             "AliasError": AliasError, "ElsewhereError": ElsewhereError}
    looked_up = [look_up() for look_up in compiled.outside] if outside is None else outside
    data = {f"data_{k}": value for k, value in enumerate(looked_up)}
    names = [f"a{k}" for k in range(compiled.count)]
    parameters = [*data] if outside is None else []
    opening = []
    for k, name in enumerate(names):
        holder = (holders or {}).get(k)
        leaves = leaves_of(k, holder)
        parameters += leaves
        whole = name if holder is None else together(holder, iter(leaves), space)
        if k in compiled.lists or holder is not None:
            opening.append(f"    {name} = {f'opened({whole})' if k in compiled.lists else whole}")
    looks = [f"    if not ({asked}):", "        raise ElsewhereError"] if asked else []
    lines = [f"def {compiled.name}({', '.join(parameters)}):", *looks, *opening]
    for k, name in written.items():
        lines += [line for j, kind in enumerate(kinds)
                  if is_array(kind) and j != k and not (j in written and j < k) for line in (
            f"    if meet(extent(a{k}), extent(a{j})):",
            f"        raise AliasError('{compiled.name}: {name} is written into, and may share '"
            f"'memory with argument {j}')")]
    lines.append(f"    found = main({', '.join([*data, *names])})")
    if with_value:
        lines += ["    value, found = found", "    one_number(value)"]
    outer = tuple(map(numba.typeof, looked_up))
    result = compiled.compile_kinds((*outer, *kinds))
    if outside is None:                         # compiled callers may be kept on disk
        space["main"] = by_address(compiled.main, tuple(map(meaning, (*outer, *kinds))))
    if (with_value or len(spots) > 1) and not isinstance(result, types.BaseTuple):
        raise TypingError("the derivative returns nothing: it always raises")
    gradients = result[1] if with_value else result
    if with_value and len(spots) > 1 and not isinstance(gradients, types.BaseTuple):
        raise TypingError("the derivative returns no gradients")
    each = [gradients] if len(spots) == 1 else list(gradients)
    ones = ["found"] if len(spots) == 1 else [f"found[{k}]" for k in range(len(spots))]
    paths = attributes or [()] * len(spots)
    varied = [".".join([f"a{spot}", *path]) for spot, path in zip(spots, paths)]
    types_varied = [_type_at(kinds[spot], path) for spot, path in zip(spots, paths)]
    held = [name for name, kind in zip([*data, *names], (*outer, *kinds)) if not is_number(kind)]

    def returned(parts: list[str]) -> str:
        if outside is None:                     # they go to Python
            parts = [f"handed({part})" for part in parts]
        gradients = f"({', '.join(parts)},)" if in_a_tuple else parts[0]
        return f"(value, {gradients})" if with_value and not drops_value else gradients

    if outside is not None:
        space.update(data)

    def finished(lines: list[str]) -> Any:
        filename = f"<tangent_lite numba {compiled.name} called>"
        exec(compile("\n".join(lines), filename, "exec"), space)
        made = space[compiled.name]
        made.is_inlined = outside is not None and getattr(compiled.main.py_func, "is_inlined",
                                                          False)
        return numba.njit(error_model="python", pipeline_class=InliningCompiler)(made)

    if any(map(holds_parts, (*outer, *kinds))):
        space.update(meanings())
        settling, made = settling_lines(
            list(zip(ones, varied, types_varied)),
            list(zip([*data, *names], (*outer, *kinds))), outside is None)
        return finished([*lines, *settling, f"    return {returned(made)}"])
    if all(map(_is_settled, each, types_varied)):
        good = [f"fits({one}, {argument})" for one, argument in zip(ones, varied)]
        arrays = [one for one, kind in zip(ones, each) if is_array(kind)]
        if outside is None:                     # what leaves by a copy need not be compared
            by_copy = [f"leaves_by_copy({one})" for one in arrays]
            lines += [f"    if {' and '.join([*good, *by_copy])}:",
                      f"        return {returned(ones)}"]
        lines += [f"    e{k} = extent({name})" for k, name in enumerate([*arrays, *held])]
        pairs = [(j, k) for k in range(len(arrays) + len(held)) for j in range(k)
                 if j < len(arrays)]
        apart = [f"not meet(e{j}, e{k})" for j, k in pairs]
        if len(pairs) > _FEW_PAIRS:
            lines.append(f"    extents = np.empty(({len(arrays) + len(held)}, 2), np.int64)")
            lines += [f"    extents[{k}, 0], extents[{k}, 1] = e{k}"
                      for k in range(len(arrays) + len(held))]
            apart = [f"all_apart(extents, {len(arrays)})"]
        lines += [f"    if {' and '.join([*good, *apart])}:", f"        return {returned(ones)}"]
    lines += [f"    e_{name} = extent({name})" for name in held]
    parts: list[str] = []
    for k, (one, argument) in enumerate(zip(ones, varied)):
        others = " or ".join(f"meet(e, e_{name})" for name in [*held, *parts]) or "False"
        lines += [f"    g{k} = settled({one}, {argument})", f"    e = extent(g{k})",
                  f"    g{k} = separate(g{k}, {others})", f"    e_g{k} = extent(g{k})"]
        parts.append(f"g{k}")
    lines.append(f"    return {returned(parts)}")
    return finished(lines)


def leaves_of(number: int, holder: Part | None) -> list[str]:
    """The names of what is passed for an argument: one, or one for each part of one that holds
    others."""
    name = f"a{number}"
    return [name] if holder is None else [f"{name}_{j}" for j in range(count_of(holder))]


def _type_at(kind: Any, path: tuple[str, ...]) -> Any:
    """The type of what names of attributes lead to."""
    for name in path:
        kind = kind.types[kind.fields.index(name)]
    return kind


@by_types()
def one_number(value):
    """Refuses a result that is no float."""
    if value == types.float64 or isinstance(value, types.Integer):
        return lambda value: None
    raise TypingError("the function returns no single number; its derivative is not called from "
                      "compiled code")
