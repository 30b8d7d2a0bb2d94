"""A function whose parameters are called like builtins, under other names: `def clamp(x, min, max)`
is `def clamp(x, min_, max_)`.

What is emitted calls `max`, `range`, `len` by these names. Who calls the function goes on to use
its own names; so a twin takes its place where it is read.
"""
from __future__ import annotations

import types
import weakref
from dataclasses import replace

from tangent_lite.errors import SourceNotFoundError
from tangent_lite.names import BUILTINS_WRITTEN
from tangent_lite.source import Source, source_of
from tangent_lite.syntax.scopes import called_like_builtins, rename

_twins: weakref.WeakKeyDictionary[types.FunctionType,
                                  tuple[types.CodeType, types.FunctionType]] = \
    weakref.WeakKeyDictionary()


def parameters_like_builtins(function: types.FunctionType) -> set[str]:
    """The parameters of a function that are called like builtins which emitted code calls."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    return set(code.co_varnames[:count]) & BUILTINS_WRITTEN


def under_other_names(function: types.FunctionType) -> tuple[types.FunctionType, dict[str, str]]:
    """A function of which no parameter is called like a builtin, and the new names of those that
    were; the function itself, and none, where there are none, they cannot have others, or there is
    no source, which is told where it is read.
    """
    found = parameters_like_builtins(function)
    if not found or function.__dict__:
        return function, {}
    try:
        source = source_of(function)
    except SourceNotFoundError:
        return function, {}
    names = called_like_builtins(source.tree)
    if not found <= names.keys():
        return function, {}
    names = {name: names[name] for name in found}
    known = _twins.get(function)
    if known is None or known[0] is not function.__code__:
        rename(source.tree, names)
        known = _twins[function] = function.__code__, _twin(function, source, names)
    twin = known[1]
    twin.__defaults__ = function.__defaults__                   # which may be replaced
    twin.__kwdefaults__ = None if function.__kwdefaults__ is None else {
        names.get(name, name): value for name, value in function.__kwdefaults__.items()}
    return twin, names


def _twin(function: types.FunctionType, source: Source,
          names: dict[str, str]) -> types.FunctionType:
    made = types.FunctionType(_renamed(function.__code__, names), function.__globals__,
                              function.__name__, None, function.__closure__)
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    made.__annotations__ = {names.get(name, name): kind
                            for name, kind in function.__annotations__.items()}
    made.lifted_source = replace(source, function=made)         # type: ignore[attr-defined]
    return made


def _renamed(code: types.CodeType, names: dict[str, str]) -> types.CodeType:
    """The same code with other names of its variables, also where functions in it capture them."""
    def other(found: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([names.get(name, name) for name in found])

    parts = [_captured(part, names) if isinstance(part, types.CodeType) else part
             for part in code.co_consts]
    return code.replace(co_varnames=other(code.co_varnames), co_cellvars=other(code.co_cellvars),
                        co_consts=tuple(parts))


def _captured(code: types.CodeType, names: dict[str, str]) -> types.CodeType:
    free = tuple([names.get(name, name) for name in code.co_freevars])
    parts = [_captured(part, names) if isinstance(part, types.CodeType) else part
             for part in code.co_consts]
    return code.replace(co_freevars=free, co_consts=tuple(parts))
