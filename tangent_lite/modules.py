"""What a thing says of itself: which module and package it is from, what NumPy may do with it."""
from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import inspect

# Packages that are what they are: no program gives their modules other names while it runs.
LIBRARIES = {"numpy", "scipy", "tangent_lite", *sys.stdlib_module_names} - {"__main__"}


def module_of(thing: Any) -> str:
    """The module of a function or class; "" for one that is of none (code run by `exec`), and for
    classes of compiled code that say by `__module__` where their instances come from.

    >>> module_of(dict), module_of(type("Made", (), {"__module__": None}))
    ('builtins', '')
    """
    found = getattr(thing, "__module__", None)
    if isinstance(thing, types.FunctionType) and hasattr(thing, "__wrapped__") \
            and not is_of_library(thing):   # functools.wraps copied the name, from what it wraps
        found = thing.__globals__.get("__name__")
    return found if isinstance(found, str) else ""


def is_one_of(thing: Any, things: Iterable[Any]) -> bool:
    """Whether it is one of these things, which need not have a hash, or be comparable."""
    return any(thing is one for one in things)


def held_by_class(cls: type, name: str, missing: Any = None) -> Any:
    """What a class has for its objects by a name, itself or from its bases. What its metaclass has
    is not theirs.

    >>> class Named(type):
    ...     width = 3.0
    >>> class Box(metaclass=Named):
    ...     height = 2.0
    >>> held_by_class(Box, "height"), held_by_class(Box, "width"), Box.width
    (2.0, None, 3.0)
    """
    return next((vars(one)[name] for one in cls.__mro__ if name in vars(one)), missing)


def is_of_library(function: Any) -> bool:
    """Whether a function or callable object is written in a library, whatever it wraps."""
    own = function.__globals__.get("__name__") if isinstance(function, types.FunctionType) \
        else type(function).__module__
    return isinstance(own, str) and own.split(".")[0] in LIBRARIES


def is_installed(function: types.FunctionType) -> bool:
    """Whether the file of a function is one of an installed package."""
    return "site-packages" in function.__code__.co_filename


_LOOKS_AT_CALLS = {("sys", "_getframe"), ("sys", "_current_frames"), ("inspect", "currentframe"),
                   ("inspect", "stack"), ("traceback", "extract_stack"),
                   ("traceback", "format_stack"), ("traceback", "walk_stack")}


def looks_at_calls(function: Any) -> bool:
    """Whether a function tells who calls it: in a derivative that is another function, on another
    line."""
    return getattr(function, "__module__", None) in ("sys", "inspect", "traceback") \
        and (function.__module__, getattr(function, "__name__", None)) in _LOOKS_AT_CALLS


def is_of_others(module: types.ModuleType) -> bool:
    """Whether a module is one of a library, or of an installed package."""
    return module.__name__.split(".")[0] in LIBRARIES \
        or "site-packages" in (getattr(module, "__file__", None) or "")


def mark_of(thing: Any, name: str) -> Any:
    """What an attribute says of a thing; None if it says nothing, or says it of something else:
    what functools.wraps makes of a function has all attributes of the function that it wraps.

    >>> import functools
    >>> def square(x): return x * x
    >>> square.is_even = True
    >>> @functools.wraps(square)
    ... def shifted(x): return square(x) + x
    >>> shifted.is_even, mark_of(square, "is_even"), mark_of(shifted, "is_even")
    (True, True, None)
    """
    found = getattr(thing, name, None)
    if found is None:
        return None
    wrapped = getattr(thing, "__wrapped__", None)
    return None if wrapped is not None and getattr(wrapped, name, None) is found else found


def signature_of(function: Any) -> inspect.Signature:
    """What a call of a function is bound by: its own parameters, and not those of what it wraps or
    of what it gives itself out to be (`__signature__`).

    >>> import functools, inspect
    >>> def square(x): return x * x
    >>> @functools.wraps(square)
    ... def scaled(x, factor): return factor * square(x)
    >>> str(inspect.signature(scaled)), str(signature_of(scaled))
    ('(x)', '(x, factor)')
    """
    import inspect  # later: importing it takes long

    if isinstance(function, types.MethodType):
        own = signature_of(function.__func__)
        parameters = list(own.parameters.values())
        taken = parameters[:1] if parameters and parameters[0].kind is not \
            inspect.Parameter.VAR_POSITIONAL else []
        return own.replace(parameters=parameters[len(taken):])
    if isinstance(function, types.FunctionType) \
            and ("__wrapped__" in vars(function) or "__signature__" in vars(function)):
        bare = types.FunctionType(function.__code__, function.__globals__, function.__name__,
                                  function.__defaults__, function.__closure__)
        bare.__kwdefaults__ = function.__kwdefaults__
        bare.__annotations__ = function.__annotations__
        return inspect.signature(bare)
    return inspect.signature(function)


# What was found for functions, with what it rests on, which may be bound anew.
_FITTED: weakref.WeakKeyDictionary[types.FunctionType, tuple[Any, inspect.Signature]] = \
    weakref.WeakKeyDictionary()


def fitted_by(function: types.FunctionType) -> inspect.Signature:
    """The same, for who only asks which argument is for which parameter, and which have defaults:
    found once for each function."""
    rests_on: list[Any] = [function.__code__, function.__defaults__]
    for item in (function.__kwdefaults__ or {}).items():
        rests_on += item
    known = _FITTED.get(function)
    if known is None or len(known[0]) != len(rests_on) or not all(
            one is other for one, other in zip(known[0], rests_on)):
        known = _FITTED[function] = rests_on, signature_of(function)
    return known[1]


def package_of(thing: Any) -> str:
    """The package at the top of that module: "numpy" for np.linalg.solve."""
    return module_of(thing).split(".")[0]


def getter_of(module: types.ModuleType, name: str) -> types.FunctionType | None:
    """The __getattr__ of a module of the user's own that an attribute is asked of: it may do
    anything, and is called when the program calls it. None if the module has the attribute, and of
    installed packages, which put off imports so."""
    getter = vars(module).get("__getattr__")
    is_own = isinstance(getter, types.FunctionType) and name not in vars(module) \
        and module.__name__.split(".")[0] not in LIBRARIES \
        and not is_installed(getter)
    return getter if is_own else None


def attribute_of(module: types.ModuleType, name: str, missing: Any) -> Any:
    """An attribute of a module, as far as it is had without asking the user's own __getattr__."""
    return missing if getter_of(module, name) is not None else getattr(module, name, missing)


def is_asked_by_arrays(kind: Any) -> bool:
    """Whether `array + x` asks an x of a class, as it says to NumPy; else NumPy takes x for a
    number, and makes an array of objects.

    https://numpy.org/doc/stable/reference/arrays.classes.html (__array_ufunc__, __array_priority__)
    """
    if hasattr(kind, "__array_ufunc__"):
        return kind.__array_ufunc__ is None
    return getattr(kind, "__array_priority__", 0.0) > 0.0


def is_array_like(kind: Any) -> bool:
    """Whether NumPy takes the objects of a class for arrays, or for sequences of numbers."""
    return any(hasattr(kind, name) for name in (
        "__array__", "__array_interface__", "__array_struct__", "__buffer__")) \
        or (hasattr(kind, "__len__") and hasattr(kind, "__getitem__"))


# What loggers, `logging` and `warnings` say.
_TOLD = {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log"}


def says(function: Any) -> bool:
    """Whether a call of a function says what it is given, and does no more: print, and methods of
    loggers.

    >>> import logging
    >>> says(print), says(logging.getLogger("a").info), says(logging.getLogger("a").addFilter)
    (True, True, False)
    """
    return function is print or (
        module_of(function) in ("logging", "warnings", "_warnings")
        and getattr(function, "__name__", "") in _TOLD)


# The class of `Stack[float]`, where Stack is a class of the user's.
_ALIAS = type(Generic[TypeVar("_Item")])        # type: ignore[index]


def without_parameters(thing: Any) -> type | None:
    """The class that is called where a class with type parameters is; None for anything else.

    >>> without_parameters(dict[str, float]), without_parameters(dict)
    (<class 'dict'>, None)
    """
    if not isinstance(thing, (types.GenericAlias, _ALIAS)) or not getattr(thing, "_inst", True):
        return None                         # typing.List[float] cannot be called
    origin = thing.__origin__
    return origin if isinstance(origin, type) else without_parameters(origin)


def is_generic(thing: Any) -> bool:
    """Whether `thing[...]` is a class with type parameters, and nothing that the user wrote.

    >>> import enum
    >>> is_generic(list), is_generic(int), is_generic(enum.Enum("Colour", "red"))
    (True, False, False)
    """
    if not isinstance(thing, type) or hasattr(type(thing), "__getitem__"):
        return False
    found = getattr(thing, "__class_getitem__", None)
    return isinstance(found, types.BuiltinMethodType) or (
        found is not None and getattr(found, "__module__", None) == "typing")
