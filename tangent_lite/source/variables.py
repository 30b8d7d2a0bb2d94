"""Which code reads or binds variables around functions, and what may run such code."""
from __future__ import annotations

import dis
import functools
import itertools
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tangent_lite.modules import LIBRARIES, package_of

_NAMING = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_GLOBALS",
           "LOAD_FROM_DICT_OR_DEREF", "STORE_GLOBAL", "STORE_DEREF", "DELETE_GLOBAL",
           "DELETE_DEREF"}
_OF_ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "DELETE_ATTR"}


@dataclass(frozen=True)
class Variables:
    """Variables around a function, by the globals that they stand in or by their cells."""
    names: frozenset[str]
    globals: dict[str, Any]
    cells: frozenset[int]               # their ids; who asks holds them
    inside: tuple[tuple[str, types.FunctionType], ...] = ()     # what was written into the function

    def mentioned(self, function: types.FunctionType) -> bool:
        """Whether the code of a function reads or binds one of them."""
        code, space = function.__code__, function.__globals__
        if any(id(cell) in self.cells for cell in function.__closure__ or ()):
            return True
        if space is self.globals and any(name in self.names and name not in code.co_freevars
                                         for _, name in named(code)):
            return True
        return any(attribute in self.names for name, attribute in _attributes(code)
                   if isinstance(space.get(name), types.ModuleType)
                   and vars(space[name]) is self.globals)

    def reached(self, thing: Any, seen: set[int]) -> bool:
        """Whether something, or what it holds, may run code that mentions one of them; seen: the
        ids of what was looked at before."""
        todo = [thing]
        while todo:
            one = todo.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            if isinstance(one, types.FunctionType) and package_of(one) not in LIBRARIES \
                    and self.mentioned(one):
                return True
            todo += _held(one)
        return False


def named(code: types.CodeType) -> Iterator[tuple[str, str]]:
    """How code names what stands around it, and by which names; so does code in it."""
    for step in dis.get_instructions(code):
        if step.opname in _NAMING:
            yield step.opname, step.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from ((how, name) for how, name in named(constant)
                        if name not in code.co_cellvars)


def is_bound(cell: types.CellType) -> bool:
    """Whether a cell holds anything."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _attributes(code: types.CodeType) -> Iterator[tuple[str, str]]:
    """The attributes that code reads or binds of what stands around it, with the names of that."""
    steps = [step for step in dis.get_instructions(code)
             if step.opname not in ("CACHE", "PUSH_NULL")]
    for owner, step in itertools.pairwise(steps):
        if owner.opname in _NAMING and step.opname in _OF_ATTRIBUTES:
            yield owner.argval, step.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _attributes(constant)


def _held(thing: Any) -> Iterable[Any]:
    """What something may call, or hand out to be called."""
    if isinstance(thing, types.FunctionType):
        return _held_by_function(thing) if package_of(thing) not in LIBRARIES else ()
    if isinstance(thing, type):
        return [part for cls in thing.__mro__ if package_of(cls) not in LIBRARIES
                for part in vars(cls).values()]
    if isinstance(thing, types.MethodType):
        return thing.__func__, thing.__self__
    if isinstance(thing, (staticmethod, classmethod)):
        return (thing.__func__,)
    if isinstance(thing, property):
        return thing.fget, thing.fset, thing.fdel
    if isinstance(thing, functools.partial):
        return thing.func, *thing.args, *thing.keywords.values()
    if isinstance(thing, types.ModuleType):
        return ()
    if isinstance(thing, dict):
        return *thing.values(), type(thing)
    if isinstance(thing, (list, tuple, set, frozenset)):
        return *thing, type(thing)
    if package_of(type(thing)) == "tangent_lite":       # a derivative
        return (getattr(thing, "__wrapped__", None),)
    return *(getattr(thing, "__dict__", None) or {}).values(), type(thing)


def _held_by_function(function: types.FunctionType) -> list[Any]:
    space = function.__globals__
    return [*(cell.cell_contents for cell in function.__closure__ or () if is_bound(cell)),
            *(space[name] for _, name in named(function.__code__) if name in space),
            *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
