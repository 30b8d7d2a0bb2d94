"""The call of a compiled derivative that returns what a call from Python returns.

Gradients are in the shapes of their arguments, writable, and in memory that nobody else holds.
Most derivatives return what they should as it is: then one look is all.

    def f_grad(a0, a1):
        found = main(a0, a1)
        e0 = extent(found)
        e1 = extent(a0)
        e2 = extent(a1)
        if fits(found, a0) and not meet(e0, e1) and not meet(e0, e2):
            return found
        ...
"""
from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError

from tangent_lite.backends.numba_boxing import handed, leaves_by_copy
from tangent_lite.backends.numba_checks import InliningCompiler
from tangent_lite.backends.numba_disk import digest_of, keep, load, spelled
from tangent_lite.backends.numba_functions import is_array, is_number
from tangent_lite.backends.numba_linking import by_address, not_on_disk
from tangent_lite.backends.numba_memory import all_apart, extent, meet
from tangent_lite.backends.numba_overloads import by_types
from tangent_lite.backends.numba_packers import ElsewhereError, Part, leaves_of, together
from tangent_lite.backends.numba_passing import meaning, opened
from tangent_lite.backends.numba_settling import holds_parts, meanings, settling_lines
from tangent_lite.errors import AliasError
from tangent_lite.structures.line_writer import LineWriter


# Gradients in the space of their arguments --------------------------------------------------------
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


@by_types()
def one_number(value):
    """Refuses a result that is no float."""
    if value == types.float64 or isinstance(value, types.Integer):
        return lambda value: None
    raise TypingError("the function returns no single number; its derivative is not called from "
                      "compiled code")


# The call -----------------------------------------------------------------------------------------
# So many pairs of arrays are compared in a line of their own each; Numba takes its time to compile.
_FEW_PAIRS = 12


def settled_call(compiled: Any, with_value: bool, drops_value: bool, spots: list[int],
                 in_a_tuple: bool, kinds: Any, outside: list[Any] | None = None,
                 holders: Mapping[int, Part] | None = None,
                 written: Mapping[int, str] = MappingProxyType({}),
                 attributes: list[tuple[str, ...]] | None = None, asked: str = "") -> Any:
    """A function of Numba that calls a derivative and settles what it returns.

    spots: the positions of the arguments that the gradients belong to; kinds: the types of the
    arguments; outside: what the derivative reads from outside, or None where it is passed in front
    of the arguments; holders: how those arguments are made up whose numbers and arrays are passed
    one by one; written: the names of arguments that must share no memory with others; attributes:
    the names that lead from the arguments at `spots` to what is varied in them; asked: a test of
    the shapes of the arguments, which is made first (`numba_fitting`).
    """
    call = _Call(compiled, kinds, outside, with_value, drops_value, in_a_tuple)
    call.open(holders or {}, asked)
    call.refuse_shared(written)
    call.ask()
    gradients = call.gradients(spots, attributes or [()] * len(spots))
    if any(map(holds_parts, call.all_kinds)):
        call.settle_structures(gradients)
    else:
        call.return_what_is_settled(gradients)
        call.settle_each(gradients)
    return call.finished()


class _Gradient(NamedTuple):
    """The text and type of what the derivative returns, and of the argument that it is for."""
    text: str
    kind: Any
    argument: str
    argument_kind: Any


class _Call(LineWriter):
    """Writes the call. Without `outside` it is one from Python, to which the gradients go."""

    def __init__(self, compiled: Any, kinds: Any, outside: list[Any] | None, with_value: bool,
                 drops_value: bool, in_a_tuple: bool) -> None:
        super().__init__({
            "settled": settled, "separate": separate, "extent": extent, "meet": meet,
            "all_apart": all_apart, "np": np, "one_number": one_number, "fits": fits,
            "opened": opened, "handed": handed, "leaves_by_copy": leaves_by_copy,
            "AliasError": AliasError, "ElsewhereError": ElsewhereError, "not_on_disk": not_on_disk})
        self.compiled, self.kinds, self.is_from_python = compiled, kinds, outside is None
        self.with_value, self.drops_value = with_value, drops_value
        self.in_a_tuple = in_a_tuple
        found = [look_up() for look_up in compiled.outside] if outside is None else outside
        self.data = [f"data_{k}" for k in range(len(found))]
        self.names = [f"a{k}" for k in range(compiled.count)]
        self.all_kinds = (*map(numba.typeof, found), *kinds)
        self.parameters = [*self.data] if self.is_from_python else []
        if not self.is_from_python:
            self.space.update(zip(self.data, found))

    @property
    def held(self) -> list[tuple[str, Any]]:
        """Names and types of all that the derivative is given."""
        return list(zip([*self.data, *self.names], self.all_kinds))

    def open(self, holders: Mapping[int, Part], asked: str) -> None:
        """Ask for the shapes of the arguments, and put those together that come in parts."""
        if not self.is_from_python:
            self.write(1, "not_on_disk()")
        if asked:
            self.write(1, f"if not ({asked}):", "    raise ElsewhereError")
        for k, name in enumerate(self.names):
            holder = holders.get(k)
            leaves = leaves_of(k, holder)
            self.parameters += leaves
            whole = name if holder is None else together(holder, iter(leaves), self.space)
            if k in self.compiled.lists:
                self.write(1, f"{name} = opened({whole})")
            elif holder is not None:
                self.write(1, f"{name} = {whole}")

    def refuse_shared(self, written: Mapping[int, str]) -> None:
        """Refuse arguments that are written into and may share memory with others."""
        for k, name in written.items():
            for j, kind in enumerate(self.kinds):
                if is_array(kind) and j != k and not (j in written and j < k):
                    self.write(1, f"if meet(extent(a{k}), extent(a{j})):",
                               f"    raise AliasError('{self.compiled.name}: {name} is written "
                               f"into, and may share memory with argument {j}')")

    def ask(self) -> None:
        self.write(1, f"found = main({', '.join([*self.data, *self.names])})")
        if self.with_value:
            self.write(1, "value, found = found", "one_number(value)")

    def gradients(self, spots: list[int], paths: list[tuple[str, ...]]) -> list[_Gradient]:
        """The gradients that the derivative returns, compiled for these arguments."""
        result = self.compiled.compile_kinds(self.all_kinds)
        # Compiled callers may write it out; compiling may have made another function.
        inside = tuple(map(meaning, self.all_kinds))
        self.space["main"] = by_address(
            self.compiled.main, inside, self.compiled.symbol(inside)) \
            if self.is_from_python else self.compiled.main
        is_single = len(spots) == 1
        if (self.with_value or not is_single) and not isinstance(result, types.BaseTuple):
            raise TypingError("the derivative returns nothing: it always raises")
        found = result[1] if self.with_value else result
        if self.with_value and not is_single and not isinstance(found, types.BaseTuple):
            raise TypingError("the derivative returns no gradients")
        each = [found] if is_single else list(found)
        texts = ["found"] if is_single else [f"found[{k}]" for k in range(len(spots))]
        return [_Gradient(text, kind, ".".join([f"a{spot}", *path]),
                          _type_at(self.kinds[spot], path))
                for text, kind, spot, path in zip(texts, each, spots, paths)]

    def returned(self, parts: list[str]) -> str:
        if self.is_from_python:
            parts = [f"handed({part})" for part in parts]
        gradients = f"({', '.join(parts)},)" if self.in_a_tuple else parts[0]
        return f"return (value, {gradients})" if self.with_value and not self.drops_value \
            else f"return {gradients}"

    def settle_structures(self, gradients: list[_Gradient]) -> None:
        self.space.update(meanings())
        lines, made = settling_lines(
            [(one.text, one.argument, one.argument_kind) for one in gradients], self.held,
            self.is_from_python)
        self.lines += lines
        self.write(1, self.returned(made))

    def return_what_is_settled(self, gradients: list[_Gradient]) -> None:
        """Return the gradients as they are where their shapes and memory are what they should be;
        nothing where their types are not."""
        if not all(_is_settled(one.kind, one.argument_kind) for one in gradients):
            return
        as_they_are = self.returned([one.text for one in gradients])
        good = [f"fits({one.text}, {one.argument})" for one in gradients]
        arrays = [one.text for one in gradients if is_array(one.kind)]
        if self.is_from_python:                 # what leaves by a copy need not be compared
            by_copy = [f"leaves_by_copy({one})" for one in arrays]
            self.write(1, f"if {' and '.join([*good, *by_copy])}:", f"    {as_they_are}")
        compared = [*arrays, *self._held_arrays()]
        self.write(1, *(f"e{k} = extent({name})" for k, name in enumerate(compared)))
        pairs = [(j, k) for k in range(len(compared)) for j in range(k) if j < len(arrays)]
        apart = [f"not meet(e{j}, e{k})" for j, k in pairs]
        if len(pairs) > _FEW_PAIRS:
            self.write(1, f"extents = np.empty(({len(compared)}, 2), np.int64)",
                       *(f"extents[{k}, 0], extents[{k}, 1] = e{k}" for k in range(len(compared))))
            apart = [f"all_apart(extents, {len(arrays)})"]
        self.write(1, f"if {' and '.join([*good, *apart])}:", f"    {as_they_are}")

    def settle_each(self, gradients: list[_Gradient]) -> None:
        """Give each gradient its shape, and memory of its own where others hold it."""
        held = self._held_arrays()
        self.write(1, *(f"e_{name} = extent({name})" for name in held))
        made: list[str] = []
        for k, one in enumerate(gradients):
            others = " or ".join(f"meet(e, e_{name})" for name in [*held, *made]) or "False"
            self.write(1, f"g{k} = settled({one.text}, {one.argument})", f"e = extent(g{k})",
                       f"g{k} = separate(g{k}, {others})", f"e_g{k} = extent(g{k})")
            made.append(f"g{k}")
        self.write(1, self.returned(made))

    def _held_arrays(self) -> list[str]:
        return [name for name, kind in self.held if not is_number(kind)]

    def finished(self) -> Any:
        name = self.compiled.name
        text = "\n".join([f"def {name}({', '.join(self.parameters)}):", *self.lines])
        # What is read from outside is passed by Python, and is part of the code for others.
        is_kept = self.is_from_python and self.compiled.is_kept
        meant = [f"{one}: {spelled(thing)}" for one, thing in sorted(self.space.items())
                 if one != "main" and not one.startswith("data_")]
        digest = digest_of(text, os.path.basename(self.compiled.filename),
                           *map(str, self.all_kinds), *meant)
        _, space, kept = load(digest, name, text, self.space, is_kept)
        made = space[name]
        made.is_inlined = not self.is_from_python and getattr(
            self.compiled.main.py_func, "is_inlined", False)
        called = numba.njit(error_model="python", pipeline_class=InliningCompiler)(made)
        return keep(called) if kept else called


def _type_at(kind: Any, path: tuple[str, ...]) -> Any:
    """The type of what names of attributes lead to."""
    for name in path:
        kind = kind.types[kind.fields.index(name)]
    return kind
