"""Hooks of `grad_hook`: functions of the user that are called in the backward pass.

A run works on copies of what it is given. A hook is there to tell the user something, so it is
called with what the user holds: the log that was given is the one that is written to. What the run
has changed is not the same there and here, so a hook must not read it.
"""
from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from tangent_lite.analyses.special_methods import names_of_globals
from tangent_lite.errors import AliasError, Place, UnsupportedSyntaxError
from tangent_lite.heap.memory import Cell, can_vary, root_of, spread, taken
from tangent_lite.heap.own import holds_state, is_record
from tangent_lite.heap.primitives import Back, varies
from tangent_lite.runtime import copy_as_it_lies
from tangent_lite.runtime.custom import hooked
from tangent_lite.runtime.tangents import attributes


def call(tape: Any, x: Any, fun: Any) -> tuple[Any, Back | None]:
    """`grad_hook(x, fun)`

    Adjoints of arrays belong to their memory. So that the hook sees what comes back by this way
    alone, an array that is watched is another one than x, and neither may be written to.

    UnsupportedSyntaxError for derivatives of derivatives: what goes back there is the adjoint of a
    value with its tangents, which is not what the hook of the first derivative is given. And for
    lists, dicts and objects, whose items have the adjoints.
    """
    if not varies(x) or not tape.heap.records:
        return x, None
    place = tape.place()
    if tape.heap.order:
        raise UnsupportedSyntaxError(
            "a hook changes the first derivative, whose derivative is not followed here",
            place, "leave the hook out where further derivatives are taken")
    if not can_vary(x) and not isinstance(x, np.ndarray):
        raise UnsupportedSyntaxError(f"a hook of a {type(x).__name__} is not followed here", place,
                                     "hook the numbers or arrays in it")
    value = x
    if isinstance(x, np.ndarray):
        value = copy_as_it_lies(x)
        tape.heap.shared.watch("an array that a hook watches is changed afterwards",
                               "give the hook a copy: grad_hook(x.copy(), ...)", root_of(x), value)

    def back(adjoint: Any) -> Any:
        seed = taken(tape.adjoints, value, adjoint)
        if seed is None:
            return None
        hook = _Outside(tape.heap, place).of(fun)
        return (spread(tape.adjoints, x, hooked(seed, hook)),)
    return value, back


class _Outside:
    """What the user holds of which the things of a run are copies; place: of the hook."""

    def __init__(self, heap: Any, place: Place | None) -> None:
        self.heap, self.shared, self.place = heap, heap.shared, place

    def of(self, thing: Any) -> Any:
        """What the user holds, or the thing itself where it is no copy.

        AliasError where the run changes it, or holds it in a container of its own: then the two
        are not alike.
        """
        if id(thing) in self.shared.originals:
            self._check(thing)
            return self.shared.originals[id(thing)]
        if type(thing) is tuple:
            return tuple([self.of(part) for part in thing])
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        if isinstance(thing, functools.partial):
            return functools.partial(self.of(thing.func), *self.of(thing.args),
                                     **{k: self.of(v) for k, v in thing.keywords.items()})
        if isinstance(thing, types.MethodType):
            return types.MethodType(self.of(thing.__func__), self.of(thing.__self__))
        if isinstance(thing, types.BuiltinMethodType) and holds_state(thing):
            return getattr(self.of(thing.__self__), thing.__name__)
        if any(id(part) in self.shared.originals for part in _parts(thing, set())):
            raise self._refusal()
        return thing

    def _function(self, function: types.FunctionType) -> Any:
        """A function; if it was defined in the run, with the variables of the run as hooks see
        them."""
        self._check_names(function, set())
        cells = function.__closure__ or ()
        if not any(type(_content(cell)) is Cell for cell in cells):
            return function
        made = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__,
            tuple([types.CellType(_Variable(self, _content(cell)))
                   if type(_content(cell)) is Cell else cell for cell in cells]))
        made.__kwdefaults__ = function.__kwdefaults__
        return made

    def _check(self, copied: Any) -> None:
        """Refuse a copy that the run has changed."""
        if any(self.shared.is_changed(part) for part in _parts(copied, set())):
            raise self._refusal()

    def _check_names(self, function: types.FunctionType, seen: set[int]) -> None:
        """Refuse a function if what it reads from outside was changed in this run."""
        if id(function) in seen:
            return
        seen.add(id(function))
        space = function.__globals__
        read: list[tuple[Any, Any]] = [
            (("global", id(space), name), space[name])
            for name in names_of_globals(function.__code__) if name in space]
        read += [(("cell", id(cell)), _content(cell)) for cell in function.__closure__ or ()]
        for key, value in read:
            cell = self.heap.cell_of(key)
            if cell is not None and self.shared.is_changed(cell):
                raise self._refusal()
            if isinstance(value, types.FunctionType):
                self._check_names(value, seen)
            elif not isinstance(value, (Cell, types.ModuleType, type)):
                for part in _parts(value, set()):
                    known = self.shared.first.get(id(part))
                    if known is not None and self.shared.is_changed(known[2]):
                        raise self._refusal()

    def _refusal(self) -> AliasError:
        return AliasError("a hook reads what this function changes, or holds in a container of its "
                          "own", self.place,
                          "give it a list or an object that nothing else changes")

    def binds(self) -> AliasError:
        """The error for a hook that binds a variable of the function around it."""
        return AliasError("a hook binds a variable of the function around it", self.place,
                          "let it append to a list")


class _Variable:
    """A variable that a hook shares with the function, as the hook sees it."""

    def __init__(self, outside: _Outside, cell: Cell) -> None:
        self._outside, self._cell = outside, cell

    @property
    def value(self) -> Any:
        """What the variable holds; a hook cannot bind it."""
        return self._outside.of(self._cell.value)

    @value.setter
    def value(self, _: Any) -> None:
        raise self._outside.binds()


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:                                          # not bound yet
        return None


def _parts(thing: Any, seen: set[int]) -> Iterator[Any]:
    """A thing, and all that it holds."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield root_of(thing) if isinstance(thing, np.ndarray) else thing
    inner: Any = ()
    if isinstance(thing, dict):
        inner = list(thing.values())
    elif isinstance(thing, (list, tuple, set, frozenset)):
        inner = list(thing)
    elif is_record(thing):
        inner = list(attributes(thing).values())
    elif isinstance(thing, functools.partial):
        inner = [thing.args, thing.keywords]
    elif holds_state(thing):
        inner = [thing.__self__]
    for part in inner:
        yield from _parts(part, seen)
