"""One variant of a derivative, compiled by Numba.

What Numba runs is compared with nothing at the call, so compiled code looks after itself: where
Python would raise or leave the numbers that Numba has (an int of more than 64 bits, a division by
zero, an index out of bounds), it stops. The Python variant then does the call from the start, as a
derivative changes nothing, and raises or returns what Python does.
"""
from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tangent_lite.backends.numba import Compiled
from tangent_lite.backends.numba_calls import entry_of
from tangent_lite.backends.numba_containers import (
    PYTHON,
    holds_lists,
    is_function,
    packed,
    unpacked,
)
from tangent_lite.backends.numba_dressing import dressing
from tangent_lite.backends.numba_elements import OtherShapes
from tangent_lite.backends.numba_entry import MachineCode, machine_entry
from tangent_lite.backends.numba_fitting import Named, asked_of
from tangent_lite.backends.numba_none import refuse_tests_of_results
from tangent_lite.backends.numba_packers import (
    ElsewhereError,
    Holder,
    Leaf,
    Part,
    flattener,
    holds_objects,
    leaf_of,
    leaves_of,
    made_up,
    part_named,
    places_in,
)
from tangent_lite.calling import duck_arrays
from tangent_lite.calling.keys import ELSEWHERE, PLAIN
from tangent_lite.calling.parameter_kinds import found_kinds
from tangent_lite.calling.request import Request
from tangent_lite.entry import entry
from tangent_lite.errors import (
    AliasError,
    MissingRuleError,
    TangentError,
    UnsupportedSyntaxError,
)
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.variant import Variant


class Way(NamedTuple):
    """What a call with arguments of certain types runs.

    enter: looks at the arguments and says ELSEWHERE to others; call: the compiled code, for
    arguments that hold others as flatteners take them apart; machine: `enter` as machine code,
    where that can ask all there is to ask.
    """
    enter: Callable[..., Any]
    call: Callable[..., Any]
    flatteners: dict[int, Callable[[Any], tuple[Any, ...]]]
    machine: MachineCode | None


class NumbaVariant:
    """A variant whose calls run compiled code; for all else it is the Python variant."""

    is_new = can_move = False

    def __init__(self, request: Request, values: tuple[Any, ...], for_shapes: bool) -> None:
        """for_shapes: for shapes of which the same holds as of those of the values; else sizes are
        equal only where they come about in the same way."""
        _check(request)
        self.request = request
        assumed = self.assumed = Assumptions(are_open=for_shapes)
        try:
            self.python = python = Variant(request, found_kinds(request, values, assumed), values,
                                           assumed=assumed if for_shapes else None)
        except (AliasError, MissingRuleError, UnsupportedSyntaxError) as error:
            # The Python backend may still find its adjoints by identity.
            error.fix = f"{error.fix}, or {PYTHON}" if error.fix else PYTHON
            raise
        duck_arrays.refuse(values, "compiled code")
        # Which arguments have to be packed, if any.
        given = [packed(value, name) for name, value in zip(request.names, values)]
        self.changed = [k for k, value in enumerate(values) if given[k] is not value]
        lists = [k for k, value in enumerate(given) if holds_lists(value)]
        with_value = python.form == "pair"
        derivative = python.derivative if not with_value else python._derive("value_and_grad")
        refuse_tests_of_results(derivative, PYTHON)
        self.form = "value_and_grad" if with_value else python.form
        functions = {name: value for name, value in zip(request.names, values)
                     if is_function(value)}
        # Small arrays of the sizes that they have in this call may become numbers.
        more = assumed.copy() if for_shapes else None
        self.compiled = Compiled(derivative, dict(request.compiled or {}), lists, functions,
                                 found_kinds(request, values),
                                 found_kinds(request, values, more or Assumptions()), for_shapes,
                                 self.form == "value_and_grad" and request.form != "grad")
        if more is not None and self.compiled.rests_on_sizes:
            assumed.adopt(more)
            python.ask_again()
        self.compiled.compile_for(self.packed(values))
        self.holds, self.watched = python.holds, python.watched
        self.sharing = python.sharing
        self.entered: tuple[Any, Any] = None, None      # arguments, and the way that such take
        self.ways: dict[Any, Way | None] = {}
        self.warned = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.python, name)

    # Running ----------------------------------------------------------------------------------
    def way_for(self, values: tuple[Any, ...]) -> Way | None:
        """What calls with arguments like these run, made when they come first; None if Python has
        to look at the results, or at more than the types of arguments.

        What it returns needs no look from Python: compiled code made it as it is to be returned.
        """
        parts = tuple([made_up(value) or leaf_of(value) for value in values])
        places = tuple([self._place_of(value, part) for value, part in zip(values, parts)])
        # What the ways rest on: another form of the code, names that are looked at otherwise.
        key = (parts, places, self.compiled.how, len(self.compiled.whole), self.watched.varies)
        if key not in self.ways:
            self.ways[key] = self._way(
                values, self.compiled.kinds_of(self.packed(values)), parts)
        self.entered = values, self.ways[key]
        return self.ways[key]

    def _place_of(self, value: Any, part: Part) -> Any:
        """How the arrays in an argument lie in memory; of what is not looked into, its type."""
        if isinstance(part, Leaf) and part.dtype is None and part.kind not in PLAIN:
            return self.compiled.kinds_of((packed(value),))
        return tuple(places_in(value))

    def _way(self, values: tuple[Any, ...], kinds: tuple[Any, ...],
             parts: tuple[Part, ...]) -> Way | None:
        written = self._written(parts)
        if written is None or self.request.bound:
            return None
        holders = {k: part for k, part in enumerate(parts) if isinstance(part, Holder)}
        if any(k not in holders for k in self.changed):
            return None
        flatteners = {k: flattener(part) for k, part in holders.items()}
        attributes = [tuple([name for _, name in path[1:]]) for path in self.python.paths]
        # What is assumed of shapes is asked in Python where compiled code cannot be asked.
        asked = "" if self.python.fits_all is None else asked_of(self.assumed.noted, {
            name: Named(part, leaves_of(k, holders.get(k)))
            for k, (name, part) in enumerate(zip(self.request.names, parts))})
        call = self.compiled.settled(
            self.form == "value_and_grad", self.request.form == "grad", self.python,
            _flat(values, flatteners), kinds, holders, written, attributes, asked or "")
        if call is not None:
            call = dressing(call, [part_named(parts[spot], path) for spot, path in zip(
                                self.python.spots, attributes)],
                            self.form == "value_and_grad" and self.request.form != "grad",
                            not self.python.single)
        enter = None if call is None else entry(self, values, call, flatteners)
        if call is None or enter is None:
            return None
        # Of other arguments more is to be asked than their type; machine code takes arguments by
        # position, and reads no attributes.
        plain = asked is not None and not self.request.keyword_only and all(
            part.kind in PLAIN or part.kind is np.ndarray or (
                k in holders and not holds_objects(part)) for k, part in enumerate(parts))
        machine = machine_entry(self.python.derivative.main.name, parts, self.watched, self.holds,
                                call) if plain else None
        return Way(enter.enter, call, flatteners, machine)

    def _written(self, parts: tuple[Part, ...]) -> dict[int, str] | None:
        """The positions and names of arguments that are written into, if compiled code can see
        whether they share memory with something else; None where Python has to look."""
        sharing = self.sharing
        if sharing.is_needed and (
                sharing.changed or sharing.outside or sharing.inner or self.changed
                or any(isinstance(part, Holder) or (part.kind not in PLAIN and part.dtype is None)
                       for part in parts)
                or any(type(look_up()) not in PLAIN for look_up in self.compiled.outside)):
            return None
        return {spot: sharing.parameters[spot] for spot in sharing.written}

    def otherwise(self, values: tuple[Any, ...], error: Exception) -> Any:
        """The derivative at these arguments, where the way in has stopped."""
        if isinstance(error, OtherShapes):
            self.compiled.make_for(error)
            return ELSEWHERE                        # and in again by another way
        # Arguments of another layout; arrays that may share memory, which is looked at there.
        if isinstance(error, (ElsewhereError, AliasError, TypeError)):
            return ELSEWHERE
        return self._otherwise(values, error)

    def run(self, values: tuple[Any, ...]) -> Any:
        """The derivative at these arguments."""
        (seen, way), self.entered = self.entered, (None, None)
        if way is not None and seen is values:      # what was compiled for them goes first
            with contextlib.suppress(Exception):    # those are looked at below
                return way.call(*_flat(values, way.flatteners))
        given = self.packed(values)
        self.compiled.kinds_of(given)               # refuses what Numba mistakes for something else
        before = len(self.compiled.whole)
        try:
            found = self.compiled_call(given)
        except Exception as error:
            return self._otherwise(values, error)
        if way is not None and len(self.compiled.whole) != before:
            self.way_for(values)                    # made now, so that the next call need not wait
            self.entered = None, None               # these have been through
        python = self.python
        if self.form != "value_and_grad":
            return python.gradients(self.unpacked(found, values), values)
        value, gradients = found
        if type(value) not in (float, int):
            return self._otherwise(values, None)
        gradients = python.gradients(self.unpacked(gradients, values), values)
        return gradients if self.request.form == "grad" else (value, gradients)

    def compiled_call(self, given: tuple[Any, ...]) -> Any:
        """What the compiled derivative returns, made for other shapes if these are others."""
        while True:
            try:
                return self.compiled.call(*given)
            except OtherShapes as stopped:          # no more than twice
                self.compiled.make_for(stopped)
                self.compiled.compile_for(given)

    def packed(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments as compiled code takes them."""
        if not self.changed:
            return values
        given = list(values)
        for k in self.changed:
            given[k] = packed(given[k], self.request.names[k])
        return tuple(given)

    def unpacked(self, found: Any, values: tuple[Any, ...]) -> Any:
        """Gradients as the emitted function returns them."""
        if not self.changed:
            return found
        python = self.python
        parts = found if len(python.paths) > 1 else (found,)
        parts = tuple([unpacked(part, part_at(values[spot], path)) for part, spot, path in zip(
            parts, python.spots, python.paths)])
        return parts if len(python.paths) > 1 else parts[0]

    @functools.cached_property
    def called(self) -> Any:
        """What makes of types of arguments the derivative as compiled code calls it."""
        python, form = self.python, self.form
        if self.changed or any(len(path) > 1 for path in python.paths) or self.request.bound:
            raise TangentError("a derivative of dicts, objects or lists is not called from "
                               "compiled code", None, "pass their parts as arguments")
        sharing = self.sharing
        if sharing.changed or sharing.outside or sharing.inner:
            raise TangentError(f"{self.request.name} changes what it is given or finds outside; "
                               "what else holds that is looked at in Python only", None,
                               "copy it first in the function")
        self.compiled.make_for_callers()
        return functools.partial(entry_of, self.compiled, form == "value_and_grad",
                                 self.request.form == "grad", python.spots, not python.single,
                                 {spot: sharing.parameters[spot] for spot in sharing.written})

    def _otherwise(self, values: tuple[Any, ...], error: Exception | None) -> Any:
        """The Python variant, where compiled code has stopped."""
        # Arguments of another layout are compiled for anew, which may be refused.
        self.compiled.compile_for(self.packed(values))
        found = self.python.run(values)             # raises what Python raises
        self._warn(error)
        return found

    def _warn(self, error: Exception | None) -> None:
        if not self.warned:
            self.warned = True
            why = f" ({type(error).__name__}: {error})" if error is not None else ""
            warnings.warn(f"{self.request.name}: the compiled derivative stopped{why}; the call "
                          "ran in Python", RuntimeWarning, stacklevel=6)


def _flat(values: tuple[Any, ...],
          flatteners: dict[int, Callable[[Any], tuple[Any, ...]]]) -> tuple[Any, ...]:
    """Arguments, those that hold others one by one."""
    given: list[Any] = []
    for k, value in enumerate(values):
        given += flatteners[k](value) if k in flatteners else (value,)
    return tuple(given)


def part_at(argument: Any, path: Any) -> Any:
    """What a path like self.W names."""
    for _, attribute in path[1:]:
        argument = getattr(argument, attribute)
    return argument


def _check(request: Request) -> None:
    """Refuse what is not compiled, whatever the arguments."""
    refused = {"has_aux=True": request.has_aux, "holomorphic=True": request.holomorphic,
               "debug=": request.debug, "a derivative of a derivative": request.derived}
    for what, is_so in refused.items():
        if is_so:
            raise TangentError(f'backend="numba": {what} is not compiled', None, PYTHON)
