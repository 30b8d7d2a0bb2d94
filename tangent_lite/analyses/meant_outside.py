"""What names mean outside of a function, noted while a question about that is answered: the answer
holds as long as they mean that."""
from __future__ import annotations

import builtins
import functools
import threading
import types
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import gast

from tangent_lite.calling.resolve import MISSING, STABLE_PACKAGES, Lacking, in_classes, is_stable
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import package_of
from tangent_lite.source.variables import is_bound

Key = tuple[types.CodeType, Any, int, bool, frozenset[str]]


class Global(NamedTuple):
    """What a name outside a function, or an attribute of a class, meant when an answer was found:
    of an object its class."""
    space: Mapping[str, Any] | Lacking
    name: str
    meaning: Any

    def still_holds(self) -> bool:
        return _meaning(self.space, self.name) is self.meaning

    def lookup(self) -> tuple[Any, str, Any] | None:
        """(table, name, what it means) of a function, for what is written by the answer; None for
        data, which may be others at each call."""
        found = self.space.get(self.name, MISSING)
        return (self.space, self.name, found) if found is self.meaning \
            or not isinstance(self.space, dict) else None


def lookups(read: Iterable[Global]) -> list[tuple[Any, str, Any]]:
    """(table, name, what it means) of what is to be looked at before each call."""
    found = [(noted.space, noted.name, noted.meaning) if isinstance(noted.space, Lacking)
             else noted.lookup() for noted in read]
    return [one for one in found if one is not None]


class Asked(threading.local):
    """The question that is being answered: what is taken to be so of functions that call others,
    what was read outside, and whether all of that would be seen to change."""

    def __init__(self) -> None:
        self.answers: dict[Key, bool] = {}
        self.read: dict[Any, Global] = {}
        self.lasts = True


asked = Asked()


def meant(node: gast.expr, function: types.FunctionType,
          bound: frozenset[str] = frozenset()) -> Any:
    """What a path means in a function, NO_OBJECT for what it binds or captures itself; bound: what
    functions and comprehensions that stand in it bind, too. What is read outside is noted."""
    if isinstance(node, gast.Attribute):
        owner = meant(node.value, function, bound)
        if not isinstance(owner, types.ModuleType):
            return NO_OBJECT
        if not is_stable(owner):
            _note(vars(owner), node.attr)
        return getattr(owner, node.attr, NO_OBJECT)
    code = function.__code__
    if isinstance(node, gast.Name) and node.id in code.co_freevars \
            and hasattr(function, "lifted_source"):         # ours: what it calls by this name
        cell = dict(zip(code.co_freevars, function.__closure__ or ()))[node.id]
        found = cell.cell_contents if is_bound(cell) else NO_OBJECT
        return found if isinstance(found, types.FunctionType) else NO_OBJECT
    if not isinstance(node, gast.Name) or node.id in bound or node.id in (
            *code.co_varnames, *code.co_cellvars, *code.co_freevars):
        return NO_OBJECT
    return global_meaning(function, node.id)


def global_meaning(function: types.FunctionType, name: str) -> Any:
    """What a name means outside of a function; noted, since it may come to mean something else."""
    _note(function.__globals__, name)
    return _found(function.__globals__, name)


def note_method(function: types.FunctionType, owner: type) -> None:
    """Note where a class has a method: what stands there may come to be another one."""
    for one in owner.__mro__:
        for name, value in vars(one).items():
            if value is function or function is _behind(value):
                for table, attribute, _ in in_classes(owner, name, None):
                    _note(table, attribute)


def lacking(kind: type, names: frozenset[str]) -> dict[Any, Global]:
    """What is to be noted where it matters that a class has none but those it has of some names."""
    return {(id(one), names): Global(Lacking(one, names), "names", MISSING)
            for one in kind.__mro__ if package_of(one) not in STABLE_PACKAGES}


def _behind(value: Any) -> Any:
    """The function that a property or the like calls."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, functools.cached_property):
        return value.func
    return value.__func__ if isinstance(value, (staticmethod, classmethod)) else None


def _note(space: Mapping[str, Any] | Lacking, name: str) -> None:
    asked.read[id(space), name] = Global(space, name, _meaning(space, name))


def _found(space: dict[str, Any], name: str) -> Any:
    return space.get(name, getattr(builtins, name, NO_OBJECT))


def _meaning(space: Mapping[str, Any] | Lacking, name: str) -> Any:
    if not isinstance(space, dict):                             # of a class
        return space.get(name, MISSING)
    value = _found(space, name)
    return value if callable(value) or isinstance(value, types.ModuleType) else type(value)
