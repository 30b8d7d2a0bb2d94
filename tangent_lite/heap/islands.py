"""Functions that names tell, called by what is followed by identity: differentiated by names.

A function that takes numbers and arrays, changes nothing and gives new numbers or arrays is a step
like that of a function with a rule: its forward half gives the value, its backward half the
adjoints. That takes a tenth to a hundredth of the time in which its statements are followed one by
one. It takes long to write, so it is done for what is called often.
"""
from __future__ import annotations

import types
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.analyses.special_methods import names_of_globals
from tangent_lite.analyses.unseen import leaves_all
from tangent_lite.calling.keys import PLAIN
from tangent_lite.calling.parameter_kinds import found_kinds
from tangent_lite.calling.request import Request
from tangent_lite.calling.resolve import is_stable
from tangent_lite.calling.reuse import until_forgotten
from tangent_lite.errors import TangentError
from tangent_lite.heap.memory import root_of
from tangent_lite.heap.primitives import Back, pullback, ran, types_of
from tangent_lite.modules import package_of
from tangent_lite.variant import Variant

SOON = 100          # calls in a process, from which on it is worth while to write a function
_MOST = 500         # functions whose calls are counted
_found: dict[Any, Any] = until_forgotten()


def step(tape: Any, function: types.FunctionType, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back | None] | None:
    """The value of a call and what takes adjoints back, by names; None where that is not done."""
    if function.__closure__ is not None or keywords or tape.heap.order:
        return None
    found = _found.get(function, 0)
    if type(found) is int:
        if found < SOON:
            if found or len(_found) < _MOST:
                _found[function] = found + 1
            return None
        found = _found[function] = Island.of(function)
    return None if found is None else found.step(tape, args)


class Island:
    """A function that names tell, with what it reads outside, and the code for each combination of
    types of arguments (None: there is none by names)."""

    def __init__(self, function: types.FunctionType, outside: Outside) -> None:
        self.function, self.outside = function, outside
        self.request = Request("vjp", function, None, False, True)
        self.count = len(self.request.names)
        self.defaults = function.__defaults__ or ()
        self.variants: dict[tuple[Any, ...], Variant | None] = {}

    @classmethod
    def of(cls, function: types.FunctionType) -> Island | None:
        """The island that a function is; None if it is none."""
        outside = Outside()
        if "<locals>" in function.__qualname__ or not outside.look_into(function) \
                or not leaves_all(function):
            return None
        try:
            made = cls(function, outside)
        except TangentError:
            return None
        return made if made.request.binds_plainly else None

    def step(self, tape: Any, args: tuple[Any, ...]) -> tuple[Any, Back | None] | None:
        """A call, if it is given numbers and arrays, and reads what is as it was before the run."""
        count = len(args)
        if not 0 <= self.count - count <= len(self.defaults):
            return None                         # the TypeError that a call of it raises
        if count < self.count:
            args = (*args, *self.defaults[count - self.count:])
        key = types_of(args, PLAIN)
        if key is None:
            return None
        if key not in self.variants:
            self.variants[key] = self.written(args)
        variant = self.variants[key]
        if variant is None:
            return None
        if not variant.holds():
            _found.pop(self.function, None)     # all of it is looked at anew, if it is called on
            return None
        if not self.reads_what_is_outside(tape.heap):
            return None
        try:
            variant, (value, saved) = ran(variant, lambda one: one.main(*args),
                                          lambda: self.function(*args))
        except TangentError:
            self.variants[key] = None
            return None
        if not self.is_new(value, args):
            self.variants[key] = None           # nothing was changed: it can be called again
            return None
        back = pullback(tape, variant, value, saved, args, range(len(args)), len(args), None, args)
        return value, back if count == len(args) else _of_first(back, count)

    def reads_what_is_outside(self, heap: Any) -> bool:
        """Whether what it reads is in this run what it is outside."""
        if heap.keeps_any and not all(map(heap.keeps_as_it_is, self.outside.names)):
            return False
        found = [space.get(name) for space, name in self.outside.arrays]
        return not any(isinstance(one, np.ndarray) and id(root_of(one)) in heap.shared.first
                       for one in found)

    def written(self, args: tuple[Any, ...]) -> Variant | None:
        """The code for such arguments; None if there is none by names."""
        self.outside = Outside()                # what names mean may be other data by now
        if not self.outside.look_into(self.function) or not leaves_all(self.function):
            return None
        try:
            made = Variant(self.request, found_kinds(self.request, args), args)
        except TangentError:
            return None
        return None if made.sharing.is_needed else made

    def is_new(self, value: Any, args: tuple[Any, ...]) -> bool:
        """Whether a result is made of numbers and of arrays in memory of their own."""
        parts = value if type(value) is tuple else (value,)
        arrays = [part for part in parts if type(part) is np.ndarray]
        if not all(type(part) in _NUMBERS or type(part) is np.ndarray for part in parts):
            return False
        if not arrays:
            return True
        others = [a for a in args if type(a) is np.ndarray]
        return not self.outside.arrays and not any(
            np.may_share_memory(one, other) for number, one in enumerate(arrays)
            for other in (*others, *arrays[:number]))


class Outside:
    """What a function reads outside, and the functions that it calls.

    names: (globals, name) of all that it reads; arrays: those that mean arrays.
    """

    def __init__(self) -> None:
        self.names: list[tuple[dict[str, Any], str]] = []
        self.arrays: list[tuple[dict[str, Any], str]] = []
        self.seen: set[Any] = set()

    def look_into(self, function: types.FunctionType) -> bool:
        """Whether all of it is the same in every run, but for what is asked at each call."""
        if function in self.seen:
            return True
        self.seen.add(function)
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        if function.__closure__ is not None or not all(type(one) in PLAIN for one in defaults):
            return False
        space = function.__globals__
        for name in sorted(names_of_globals(function.__code__)):
            if name in space and not self.is_known(space, name, space[name]):
                return False
        return True

    def is_known(self, space: dict[str, Any], name: str, value: Any) -> bool:
        """The same of what one name means."""
        self.names.append((space, name))
        if type(value) is np.ndarray:
            self.arrays.append((space, name))
            return True
        if type(value) in PLAIN or is_stable(value) or isinstance(value, np.ufunc):
            return True
        if type(value) is tuple:
            return all(type(part) in PLAIN for part in value)
        if isinstance(value, types.FunctionType) and not registry.is_library(value) \
                and registry.lookup(value) is None:
            return not value.__dict__ and self.look_into(value)
        return callable(value) and (registry.lookup(value) is not None or package_of(value) in (
            "builtins", "math", "cmath"))


_NUMBERS = frozenset((float, int, bool, complex, np.float64, np.complex128, np.int64, np.bool_))


def _of_first(back: Back, count: int) -> Back:
    """The adjoints of the arguments that were given, without those of defaults."""
    def first(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else found[:count]
    return first
