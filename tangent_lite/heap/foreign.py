"""Calls of what cannot be looked into: what they read must not be of this run, and what they are
given must be left as it is (see `untouched`).

`np.vectorize(g)`, `grad(g)(x)` and rules run g as it is, outside the tape: with the globals and
captured variables that it has outside, and with no adjoints for them. What a function in C writes
into an array would not be undone in the backward pass.
"""
from __future__ import annotations

import collections
import functools
import random
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.analyses.special_methods import names_of_globals
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.memory import Cell, root_of
from tangent_lite.heap.primitives import varies
from tangent_lite.modules import package_of, says
from tangent_lite.runtime.tangents import attributes, is_record
from tangent_lite.source.variables import bound_by

_CALLABLE = (types.FunctionType, types.MethodType, functools.partial)
_BOUND = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)
_NUMBERS = (int, float, complex, str, bytes, type(None), np.ndarray, np.generic)
_PLAIN = (int, float, complex, str, bytes, bool, type(None), types.ModuleType, type)


def check_closed(tape: Any, function: Any, given: Any, name: str) -> None:
    """Refuse a call if it, or a function that it is given, reads what belongs to this run."""
    if says(function):                      # it shows what it is given, and calls none of it
        return
    # The owner of a built-in method that is called is among what is given
    own = () if isinstance(function, (types.BuiltinMethodType, types.MethodWrapperType)) \
        else (function,)
    for one in (*own, *_callables(given)):
        if not _is_closed(tape.heap, one, set()):
            if registry.refusal_of(function) is not None:
                raise registry.missing_rule(function, name, tape.place(), [])
            what = getattr(one, "__name__", None) or type(one).__name__
            entry = registry.lookup(function)
            has_rule = hasattr(function, "emitted_for") or (entry is not None and (
                entry.adjoint is not None or entry.tangent is not None))
            raise UnsupportedSyntaxError(
                f"{what} is handed to {name}, which cannot be looked into, and reads what may vary "
                "or change" if one is not function else
                f"{name} reads what may vary or change, and cannot be looked into here",
                tape.place(), "give it all that it reads as arguments, or call it in a loop"
                if has_rule else registry.WRITE_OUT)


def _callables(given: Any) -> Iterator[Any]:
    """What may be called of what is given, also as part of a container or an object, and the
    methods of the classes of objects."""
    seen: set[int] = set()
    todo = [given]
    while todo:
        one = todo.pop()
        if isinstance(one, (*_NUMBERS, type)) or id(one) in seen:
            continue
        seen.add(id(one))
        if callable(one):
            yield one
        if isinstance(one, (list, tuple, set, frozenset, collections.deque)):
            todo += one
        elif isinstance(one, dict):
            todo += one.values()
        if not isinstance(one, _CALLABLE) and is_record(one):
            todo += attributes(one).values()
            yield from (method for cls in type(one).__mro__ for method in vars(cls).values()
                        if isinstance(method, types.FunctionType))


def check_held(tape: Any, given: Any, name: str) -> None:
    """Refuse to hand a derivative a function that brings numbers of this run along: a method of an
    object that is not given itself, a partial, a function made here, also as part of an object.
    What is brought along would be constant there."""
    holders, functions = _held(given)
    for one in functions:
        if not _brings_nothing(tape.heap, one, holders):
            what = getattr(one, "__name__", None) or type(one).__name__
            raise UnsupportedSyntaxError(
                f"{what} is handed to {name}, and brings along what may vary or change",
                tape.place(), "give all that it reads as arguments, or what it is a method of")


def _held(given: Any) -> tuple[dict[int, Any], list[Any]]:
    """The containers and objects in what is given, by their ids, and the functions."""
    holders: dict[int, Any] = {}
    functions: list[Any] = []
    todo = [*given]
    while todo:
        one = todo.pop()
        if isinstance(one, (*_CALLABLE, types.BuiltinMethodType)):
            functions.append(one)
        elif id(one) not in holders and not isinstance(one, _PLAIN):
            parts: Any = one.values() if isinstance(one, dict) else one if isinstance(
                one, (list, tuple, set, frozenset, collections.deque)) else \
                attributes(one).values() if is_record(one) else None
            if parts is not None:
                holders[id(one)] = one
                todo += parts
    return holders, functions


def _brings_nothing(heap: Any, one: Any, holders: dict[int, Any]) -> bool:
    """Whether what a function holds is given with it, or is as it was before the run."""
    if isinstance(one, (types.MethodType, types.BuiltinMethodType)):
        held: list[Any] = [one.__self__]
    elif isinstance(one, functools.partial):
        if not _brings_nothing(heap, one.func, holders):
            return False
        held = [] if heap.shared.is_as_given(one) else [*one.args, *one.keywords.values()]
    elif isinstance(one, types.FunctionType):
        if any(isinstance(cell.cell_contents, Cell) for cell in one.__closure__ or ()):
            return False
        held = [*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()] \
            if heap.is_ours(one) else []
    else:
        held = []
    return all(id(part) in holders or not varies(part) or heap.shared.is_as_given(part)
               for part in held)


def is_closed_but_for_cells(heap: Any, function: Any) -> bool:
    """Whether a function reads only what it is given, what is the same in every run, and variables
    of functions around it that this run follows."""
    return _is_closed(heap, function, set(), True)


def _is_closed(heap: Any, one: Any, seen: set[int], cells: bool = False,
               before: bool = False) -> bool:
    """Whether a function reads only what it is given, and what is the same in every run; cells: or
    variables that this run keeps in cells; before: a variable holds it that holds what it held
    before the run."""
    if id(one) in seen:
        return True
    seen.add(id(one))
    primal = getattr(one, "primal", None)
    if primal is not None and package_of(type(one)) == "tangent_lite":
        return _is_closed(heap, primal, seen, cells, before)
    if isinstance(one, functools.partial):
        return _brings_the_same(heap, [one.args, one.keywords], seen, before) \
            and _is_closed(heap, one.func, seen, before=before)
    if isinstance(one, _BOUND):
        owner = one.__self__
        if isinstance(owner, (random.Random, types.ModuleType, type(None))):
            return True                         # a generator's state is its own
        if isinstance(owner, type) and not isinstance(one, types.MethodType):
            return True
        return not heap.keeps_attributes_of(owner) \
            and _brings_the_same(heap, [owner], seen, before) \
            and (not isinstance(one, types.MethodType)
                 or _is_closed(heap, one.__func__, seen, before=before))
    if heap.keeps_attributes_of(one):
        return False
    if not isinstance(one, types.FunctionType):
        one = getattr(one, "__wrapped__", one)  # of functools.cache; a function's own text counts
    if not isinstance(one, types.FunctionType):
        parts = getattr(one, "__dict__", {})
        return not varies(parts) and all(_is_closed(heap, part, seen, before=before)
                                         for part in _callables(parts))
    if any(map(varies, (one.__defaults__ or (), one.__kwdefaults__ or {}))) and heap.is_ours(one):
        return False
    if package_of(one) in ("numpy", "scipy", "tangent_lite", "functools"):
        return True
    if not cells and any(bound_by(one)):
        return False                            # what it binds would stay so after the run
    return all(_is_fixed(heap, ("cell", id(cell)), cell.cell_contents, seen, cells)
               for cell in one.__closure__ or ()) and all(
        _is_fixed(heap, ("global", id(one.__globals__), name), one.__globals__[name], seen)
        for name in names_of_globals(one.__code__) if name in one.__globals__)


def _brings_the_same(heap: Any, parts: list[Any], seen: set[int], before: bool) -> bool:
    """Whether what a partial or a method brings along is the same in every run."""
    if before:
        return all(_is_outside(heap, part, seen) for part in parts)
    return not any(map(varies, parts)) and all(_is_closed(heap, one, seen)
                                               for one in _callables(parts))


def _is_fixed(heap: Any, key: Any, value: Any, seen: set[int], cells: bool = False) -> bool:
    """Whether a variable holds what it held before the run."""
    if cells and isinstance(value, Cell) and hasattr(value, "value"):
        return not callable(value.value) or _is_closed(heap, value.value, seen, True)
    if isinstance(value, Cell) or heap.has_cell(key):
        return False
    if isinstance(value, _PLAIN):
        return not (isinstance(value, type) and heap.keeps_attributes_of(value))
    if callable(value) and (isinstance(value, _CALLABLE) or not is_record(value)):
        return _is_closed(heap, value, seen, before=True)
    return _is_outside(heap, value, seen)


def _is_outside(heap: Any, value: Any, seen: set[int]) -> bool:
    """Whether a thing, and all that it holds, is as it was before the run, which has no copies of
    it."""
    todo = [value]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, _PLAIN):
            continue
        if isinstance(one, np.ndarray):
            if id(root_of(one)) in heap.shared.first:
                return False
            continue
        if callable(one) and (isinstance(one, _CALLABLE) or not is_record(one)):
            if not _is_closed(heap, one, seen, before=True):
                return False
            continue
        seen.add(id(one))
        if id(one) in heap.shared.first or heap.keeps_attributes_of(one):
            return False
        if isinstance(one, dict):
            todo += one.values()
        elif isinstance(one, (list, tuple, set, frozenset, collections.deque)):
            todo += one
        elif is_record(one):
            todo += attributes(one).values()
            todo += [vars(cls)["__call__"] for cls in type(one).__mro__
                     if isinstance(vars(cls).get("__call__"), types.FunctionType)]
    return True
