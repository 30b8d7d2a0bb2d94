"""Which code reads or binds variables around functions, and what may run such code."""
from __future__ import annotations

import dis
import functools
import sys
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tangent_lite.modules import LIBRARIES, is_of_others, package_of

_NAMING = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_GLOBALS",
           "LOAD_FROM_DICT_OR_DEREF", "STORE_GLOBAL", "STORE_DEREF", "DELETE_GLOBAL",
           "DELETE_DEREF"}
_BINDING = {dis.opmap[name] for name in _NAMING if name.startswith(("STORE", "DELETE"))}
# By these names code finds modules that it does not name.
_FINDING = {"modules", "import_module", "__import__"}


@dataclass(frozen=True)
class Variables:
    """Variables around a function, by the globals that they stand in or by their cells."""
    names: frozenset[str]
    globals: dict[str, Any]
    cells: frozenset[int]               # their ids; who asks holds them
    in_globals: bool                    # whether there are others than in cells
    inside: tuple[tuple[str, types.FunctionType], ...] = ()     # what was written into the function

    def mentioned(self, function: types.FunctionType) -> bool:
        """Whether the code of a function reads or binds one of them."""
        code, space = function.__code__, function.__globals__
        if any(id(cell) in self.cells for cell in function.__closure__ or ()):
            return True
        names = {name for _, name in named(code)}
        if space is self.globals and not self.names.isdisjoint(names - {*code.co_freevars}):
            return True
        return self.asks_a_module(function)

    def asks_a_module(self, function: types.FunctionType) -> bool:
        """Whether a function may read or bind them by the module that they stand in."""
        if not self.in_globals:
            return False
        space = function.__globals__
        return any(self.leads_here(space.get(name)) for _, name in named(function.__code__)) \
            or any(map(self.leads_here, _imported(function))) \
            or any(name in _FINDING for code in _codes(function.__code__)
                   for name in code.co_names)

    def leads_here(self, module: Any) -> bool:
        """Whether something is the module that they stand in, or one that holds it."""
        seen: set[int] = set()
        todo = [module]
        while todo:
            one = todo.pop()
            if not isinstance(one, types.ModuleType) or id(one) in seen or is_of_others(one):
                continue
            if vars(one) is self.globals:
                return True
            seen.add(id(one))
            todo += vars(one).values()
        return False

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
            if self.in_globals and self.leads_here(one):
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


def bound_by(function: types.FunctionType) -> Iterator[tuple[str, str]]:
    """How a function, or one in it, binds or deletes what stands around it, and by which names."""
    codes = [*_codes(function.__code__)]
    if not any(not _BINDING.isdisjoint(code.co_code[::2]) for code in codes):
        return                          # each second byte says what is done: most bind nothing
    for how, name in named(function.__code__):
        if how in ("STORE_GLOBAL", "DELETE_GLOBAL") or (
                how in ("STORE_DEREF", "DELETE_DEREF")
                and name in function.__code__.co_freevars):
            yield how, name


def is_bound(cell: types.CellType) -> bool:
    """Whether a cell holds anything."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Code, and that in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _imported(function: types.FunctionType) -> Iterator[Any]:
    """The modules that a function imports itself, as far as they are there."""
    package = function.__globals__.get("__package__") or ""
    for code in _codes(function.__code__):
        for step in dis.get_instructions(code):
            if step.opname == "IMPORT_NAME":
                yield sys.modules.get(step.argval) or sys.modules.get(
                    f"{package}.{step.argval}".rstrip("."))


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
