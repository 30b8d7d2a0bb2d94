"""Special methods that are called unseen: by Python itself, and by functions written in C.

No text shows the call of `__index__` in `xs[o]`, nor that of `__eq__` in `xs.count(o)`. Most such
methods only read; one that is not sure to leave all as it is changes what nobody looks at.
"""
from __future__ import annotations

import collections
import dis
import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np

from tangent_lite import registry
from tangent_lite.analyses.special_names import ALL, ANY
from tangent_lite.analyses.unseen import MADE, leaves_all, rest_on_names
from tangent_lite.modules import held_by_class, package_of
from tangent_lite.runtime.tangents import attributes

PLAIN = frozenset((int, float, complex, str, bytes, bool, type(None), range, np.ndarray, type,
                   types.FunctionType, types.ModuleType, types.BuiltinFunctionType, np.ufunc,
                   np.float64, np.int64, np.bool_, np.dtype))
_SEQUENCES = (list, tuple, set, frozenset, collections.deque)
_WRITTEN_IN_C = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType,
                 types.GetSetDescriptorType, types.MemberDescriptorType, type(None),
                 types.ClassMethodDescriptorType)
_HEAP_TYPE = 1 << 9


# What they hand out stands for functions, and is written in Python.
_COMPILERS = ("numba", "llvmlite")


def in_python(kind: type, names: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Those of some special methods that a class does not have from one written in C."""
    found: set[str] = set()
    for one in kind.__mro__:
        space = one.__dict__
        if one is object or not one.__flags__ & _HEAP_TYPE:
            continue
        for name in space:                      # in their order: which one is named is settled
            if name in names and name not in found:
                found.add(name)
                method = space[name]
                if not isinstance(method, _WRITTEN_IN_C):
                    yield name, method


def changes(kind: type, method: Any) -> bool:
    """Whether a method of a class is not sure to leave all as it is."""
    if isinstance(method, property):
        method = method.fget
    elif isinstance(method, (staticmethod, classmethod)):
        method = method.__func__
    elif isinstance(method, functools.cached_property):
        return True
    if not isinstance(method, types.FunctionType):
        # __array_priority__, and what a named tuple says of its fields, are no methods; the type of
        # the members of an enumeration makes numbers.
        return not isinstance(method, (int, float, str, dict, tuple)) \
            and not (isinstance(method, type) and _is_known(method))
    return not registry.is_library(method) and package_of(method) not in _COMPILERS \
        and not leaves_all(method, kind)


def changing(kind: type, names: frozenset[str]) -> str | None:
    """The one of some special methods of a class that is not sure to leave all as it is."""
    rest_on_names(kind, names)
    if ANY in names and (found := changing_attribute(kind, ANY)) is not None:
        return found
    for name, method in in_python(kind, names):
        if changes(kind, method):
            return f"{kind.__name__}.{name}"
        if isinstance(method, types.FunctionType) and method.__code__.co_filename != MADE \
                and registry.is_library(method) and names is not ALL:
            return changing(kind, ALL)          # it calls others of the class
    return None


def changing_attribute(kind: type, name: str) -> str | None:
    """What is not sure to leave all as it is where an attribute is read: a property, or what has
    __get__."""
    for one in dir(kind) if name == ANY else (name,):
        found = held_by_class(kind, one)
        owner = kind
        if isinstance(found, (property, functools.cached_property)):
            found = found.fget if isinstance(found, property) else found.func
        elif isinstance(method := getattr(type(found), "__get__", None), types.FunctionType):
            found, owner = method, type(found)
        else:
            continue
        if isinstance(found, types.FunctionType) and changes(owner, found):
            return f"{kind.__name__}.{one}"
    return None


def changing_in(things: Iterable[Any], names: frozenset[str]) -> str | None:
    """The same of the classes of all that is reached by such methods of some things: of what is in
    containers, and of the attributes of objects that have such a method."""
    for thing, asked in reached(things, names):
        found = changing(type(thing), asked)
        if found is not None:
            return found
    return None


def says(thing: Any, names: frozenset[str]) -> bool:
    """Whether the class of a thing, or of what is in it, has some special method in Python."""
    return any(True for one, asked in reached((thing,), names)
               if next(in_python(type(one), asked), None) is not None)


def reached(things: Iterable[Any], names: frozenset[str]) -> Iterator[tuple[Any, frozenset[str]]]:
    """The objects of the user among some things, in containers, and in the attributes of objects
    that have such a method, each with what it is asked for: there also what the methods name."""
    seen: set[int] = set()
    todo = [(thing, names) for thing in things]
    while todo:
        thing, asked = todo.pop()
        kind = type(thing)
        if kind in PLAIN or id(thing) in seen:
            continue
        seen.add(id(thing))
        parts: list[Any] = []
        if isinstance(thing, dict):
            parts = [*thing.keys(), *thing.values()]
        elif isinstance(thing, _SEQUENCES):
            parts = [*thing]
        elif isinstance(thing, slice):
            parts = [thing.start, thing.stop, thing.step]
        elif kind is types.SimpleNamespace:
            parts = [*vars(thing).values()]
        elif isinstance(thing, np.ndarray) and thing.dtype.hasobject:
            parts = thing.ravel().tolist()
        todo += [(part, asked) for part in parts]
        if kind.__flags__ & _HEAP_TYPE and not _is_known(kind):
            yield thing, asked
            if next(in_python(kind, asked), None) is not None:
                more = asked | named_by(kind)
                todo += [(part, more) for part in attributes(thing).values()]


def named_by(kind: type) -> frozenset[str]:
    """What the methods of a class name: attributes and methods of what its objects hold."""
    return frozenset(name for one in kind.__mro__ if not _is_known(one)
                     for method in vars(one).values() if isinstance(method, types.FunctionType)
                     for name in method.__code__.co_names)


def asks_attributes(kind: type) -> bool:
    """Whether an object is asked for attributes to see whether it is of a class: of a Protocol."""
    return isinstance(kind, type(Protocol)) and getattr(kind, "_is_protocol", False)


def reaches_outside(kind: type) -> bool:
    """Whether a method of a class may change what no object of it holds: a global, what a
    function around has bound."""
    seen: set[types.CodeType] = set()
    for one in kind.__mro__:
        for found in vars(one).values() if not _is_known(one) else ():
            method = getattr(found, "fget", getattr(found, "__func__", found))
            if isinstance(method, types.FunctionType) and _reads_outside(method, seen):
                return True
    return False


def _reads_outside(function: types.FunctionType, seen: set[types.CodeType]) -> bool:
    code = function.__code__
    if code in seen or registry.is_library(function):
        return False
    seen.add(code)
    if set(code.co_freevars) - {"__class__"}:
        return True
    for name in names_of_globals(code):
        value = function.__globals__.get(name)
        if isinstance(value, types.FunctionType):
            if _reads_outside(value, seen):
                return True
        elif type(value) not in PLAIN - {np.ndarray} and not isinstance(value, type):
            return True
    return False


@functools.lru_cache(1024)
def names_of_globals(code: types.CodeType) -> frozenset[str]:
    """The names of globals that code may read, those of functions in it included; `co_names` has
    those of attributes, too."""
    found = {str(one.argval) for one in dis.get_instructions(code)
             if one.opname.endswith(("_GLOBAL", "_GLOBALS", "_NAME"))}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= names_of_globals(constant)
    return frozenset(found)


def _is_known(kind: type) -> bool:
    """Whether a class is not the user's."""
    return registry.is_library(kind) or package_of(kind) == "tangent_lite"
