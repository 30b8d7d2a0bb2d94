"""What a pullback reads of names outside: it has to be then what it was when vjp ran.

    y, pullback = vjp(lambda v: v * v * c, x)
    c = 2.0 * c             # or c[0] = 1.0
    pullback(1.0)           # of which function? of the one that gave y, so this is refused

The backward half reads `c` where it is, as the function does. What is looked at is whether the
names that it reads still mean the same things, and, for who is handed the pullback, whether these
hold the same: of an array there is a copy, unless nobody may write into it.
"""
from __future__ import annotations

import dis
import functools
import re
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.calling.depth import room
from tangent_lite.errors import TangentError
from tangent_lite.modules import LIBRARIES, held_by_class, is_installed, is_of_library, package_of
from tangent_lite.runtime import copy_as_it_lies
from tangent_lite.runtime.tangents import attributes, is_record

# Where something stands: a way to what is there now.
Place = tuple[str, Callable[[], Any]]
# `CONFIG["mass"].value` is ("[", "mass"), (".", "value") behind CONFIG.
_Step = tuple[str, Any]
_MISSING = object()
# Whose objects are not looked into; those of SciPy hold arrays: sparse matrices, splines.
_OPAQUE = LIBRARIES - {"scipy"}
_OF_PARTIAL = ("func", "args", "keywords")
_CONSTANT = (int, float, complex, str, bytes, np.generic, type(None))
_NAMED = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")


def read_outside(function: Any) -> list[Place]:
    """The data that a function reads outside, and the functions that it calls, those of libraries
    apart. Of what is held by others, `CONFIG["mass"]`, it is that part."""
    return list(dict(_places(function, set())).items())


def reads_constants(function: Any) -> bool:
    """Whether all that a function reads beside its arguments, and those that it calls, are numbers,
    texts, functions and what libraries have: nothing of it can be written into."""
    return _reads_constants(function, set())


def _reads_constants(function: Any, seen: set[int]) -> bool:
    if id(function) in seen or (callable(function) and package_of(function) in LIBRARIES):
        return True
    seen.add(id(function))
    if not isinstance(function, types.FunctionType) or function.__closure__ \
            or not all(isinstance(one, _CONSTANT) for one in (
                *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())) \
            or any(one.opname == "STORE_GLOBAL" for one in dis.get_instructions(function)):
        return False
    for name, steps in _chains(function.__code__):
        value = _meaning(function, {}, name)
        for step in steps if isinstance(value, types.ModuleType) else ():
            value = _part(value, step)
        if not (value is _MISSING or isinstance(value, (*_CONSTANT, types.ModuleType))
                or _reads_constants(getattr(value, "__wrapped__", value), seen)):
            return False
    return True


def _places(function: Any, seen: set[int]) -> Iterator[Place]:
    if id(function) in seen or not isinstance(function, types.FunctionType):
        return
    seen.add(id(function))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name, steps in _chains(function.__code__):
        value = _meaning(function, cells, name)
        known = 0
        while known < len(steps) and _part(value, steps[known]) is not _MISSING:
            value = _part(value, steps[known])
            known += 1
        if isinstance(value, types.FunctionType):
            yield from _places_of_users(value, seen)
        elif isinstance(value, functools.partial):
            yield from _places_of_users(value.func, seen)
            for held in ("args", "keywords"):
                yield _place(function, cells, name, (*steps[:known], (".", held)))
        elif _is_data(value):
            yield _place(function, cells, name, steps[:known])


def _places_of_users(function: Any, seen: set[int]) -> Iterator[Place]:
    if hasattr(function, "made_of") or not (is_of_library(function) or is_installed(function)):
        yield from _places(function, seen)


def _place(function: types.FunctionType, cells: dict[str, types.CellType], name: str,
           steps: tuple[_Step, ...]) -> Place:
    spelled = "".join(f".{key}" if how == "." else f"[{key!r}]" for how, key in steps)
    return name + spelled, lambda: _at(_meaning(function, cells, name), steps)


def _chains(code: types.CodeType) -> Iterator[tuple[str, tuple[_Step, ...]]]:
    """The names that code reads outside, with the attributes and keys that it reads of each."""
    steps = [one for one in dis.get_instructions(code) if one.opname not in ("CACHE", "PUSH_NULL")]
    for number, one in enumerate(steps):
        if one.opname not in _NAMED:
            continue
        found: list[_Step] = []
        number += 1
        while number + 1 < len(steps):
            here, behind = steps[number], steps[number + 1]
            if here.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                found.append((".", here.argval))
                number += 1
            elif here.opname in ("LOAD_CONST", "LOAD_SMALL_INT") \
                    and (behind.opname == "BINARY_SUBSCR" or behind.argrepr == "[]"):
                found.append(("[", here.argval))
                number += 2
            else:
                break
        yield one.argval, tuple(found)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _chains(constant)


def _meaning(function: types.FunctionType, cells: dict[str, types.CellType], name: str) -> Any:
    if name not in cells:
        return function.__globals__.get(name, _MISSING)
    try:
        return cells[name].cell_contents
    except ValueError:
        return _MISSING


def _part(whole: Any, step: _Step) -> Any:
    """What a thing holds there, without any code of the user's being run."""
    how, key = step
    if how == "." and isinstance(whole, types.ModuleType):
        is_library = whole.__name__.split(".")[0] in LIBRARIES
        return _MISSING if is_library else vars(whole).get(key, _MISSING)
    if how == "." and isinstance(whole, types.FunctionType):
        return getattr(whole, key) if key in ("__defaults__", "__kwdefaults__") else _MISSING
    if how == "." and isinstance(whole, functools.partial):
        return getattr(whole, key) if key in _OF_PARTIAL else _MISSING
    if how == "." and isinstance(whole, type):
        return _of_class(whole, key)
    if how == ".":
        held = attributes(whole) if is_record(whole) else {}
        return held[key] if key in held else _of_class(type(whole), key)
    try:
        return whole[key] if type(whole) in (dict, list, tuple) else _MISSING
    except LookupError:
        return _MISSING


def _of_class(owner: type, name: str) -> Any:
    """What a class of the user's says of its objects, if that is data."""
    if owner.__module__.split(".")[0] in LIBRARIES:
        return _MISSING
    found = held_by_class(owner, name, _MISSING)
    return _MISSING if hasattr(type(found), "__get__") else found


def _at(whole: Any, steps: tuple[_Step, ...]) -> Any:
    for one in steps:
        whole = _part(whole, one)
    return whole


def _is_data(value: Any) -> bool:
    return (not callable(value) or is_record(value)) \
        and not isinstance(value, types.ModuleType) and value is not _MISSING


class Then:
    """What names meant at one moment."""

    def __init__(self, places: list[Place], function: str, is_changed: bool = False) -> None:
        """is_changed: the pullback itself may change what it reads, as hooks do."""
        self.function, self.is_changed = function, is_changed
        self.known = [(name, now, now()) for name, now in places]
        self.contents: list[tuple[str, Any, Any]] = []

    def with_contents(self) -> Then:
        """The same, with what is held by what they meant."""
        memory: dict[int, Any] = {}
        if self.is_changed:
            return self
        with room():
            self.contents += [(name, then, _kept(then, memory)) for name, _, then in self.known]
        return self

    def with_arrays(self) -> Then:
        """What the arrays among it held, and nothing of the names."""
        self.contents = [(name, array, _kept(array, {})) for name, _, then in self.known
                         for array in trees.arrays_in(then)]
        self.known = []
        return self

    def check(self) -> None:
        """TangentError where a name means something else by now, or what it means has changed."""
        for name, now, then in self.known:
            found = now()
            if found is not then and not _is_one_number(found, then):
                raise self._refusal(name, "bound anew")
        for name, then, kept in self.contents:
            with room():
                if not _is_still(then, kept, set()):
                    raise self._refusal(name, "changed")

    def _refusal(self, name: str, what: str) -> TangentError:
        whole = re.split(r"[.[]", name)[0]
        return TangentError(f"{name}, which {self.function} reads, was {what} since the value was "
                            "computed", None, f"call vjp again, or make {whole} an argument")


def _is_one_number(found: Any, then: Any) -> bool:
    return type(found) in (int, float, complex, bool, str) and type(found) is type(then) \
        and (found == then or found != found != then != then)


class _Fields(dict[str, Any]):
    """The attributes of an object."""


def _kept(value: Any, memory: dict[int, Any]) -> Any:
    """What something holds, with arrays that may be written into copied."""
    if isinstance(value, np.ndarray):
        return copy_as_it_lies(value) if _may_change(value) else value
    if id(value) in memory:
        return memory[id(value)]
    made: Any = value
    if isinstance(value, dict):
        made = memory[id(value)] = {}
        made.update((key, _kept(part, memory)) for key, part in value.items())
    elif isinstance(value, (list, tuple)):
        made = memory[id(value)] = []
        made.extend(_kept(part, memory) for part in value)
    elif isinstance(value, set):
        made = frozenset(value)
    elif isinstance(value, functools.partial) or (
            is_record(value) and type(value).__module__.split(".")[0] not in _OPAQUE):
        made = memory[id(value)] = _Fields()
        made.update((name, _kept(part, memory)) for name, part in _fields(value).items())
    return made


def _fields(value: Any) -> dict[str, Any]:
    """What an object holds, or a partial."""
    return {name: getattr(value, name) for name in _OF_PARTIAL} \
        if isinstance(value, functools.partial) else attributes(value)


def _may_change(array: np.ndarray) -> bool:
    """Whether somebody may write into the memory of an array."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return True
        owner = owner.base
    return owner is not None


def _is_still(found: Any, kept: Any, seen: set[int]) -> bool:
    if isinstance(kept, np.ndarray):
        return found is kept or (isinstance(found, np.ndarray) and found.shape == kept.shape
                                 and found.dtype == kept.dtype and _have_one_content(found, kept))
    if found is kept or _is_one_number(found, kept) or id(kept) in seen:
        return True
    seen.add(id(kept))
    if isinstance(kept, frozenset):
        return isinstance(found, (set, frozenset)) and found == kept
    if isinstance(kept, dict):
        parts = _fields(found) if isinstance(kept, _Fields) else found
        return isinstance(parts, dict) and parts.keys() == kept.keys() and all(
            _is_still(parts[key], part, seen) for key, part in kept.items())
    return isinstance(kept, list) and isinstance(found, (list, tuple)) \
        and len(found) == len(kept) and all(
            _is_still(one, part, seen) for one, part in zip(found, kept))


def _have_one_content(one: np.ndarray, other: np.ndarray) -> bool:
    is_whole = one.flags.forc and one.strides == other.strides and not one.dtype.hasobject
    if is_whole and one.nbytes % 8 == 0:        # bits are compared several times faster than nans
        return bool(np.all(one.ravel("K").view(np.int64) == other.ravel("K").view(np.int64)))
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
