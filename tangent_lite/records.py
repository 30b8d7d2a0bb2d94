"""What objects hold, and which of them are made by naming what they hold."""
from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any

DEEPEST = 8         # objects that hold one another, of one class, of which all is known


def is_deep(value: Any, around: tuple[type, ...]) -> bool:
    """Whether something is held by so many of its class that nothing is known of it; around: the
    classes of all that holds it."""
    return len(around) >= DEEPEST and around.count(type(value)) >= DEEPEST


def attribute_names(value: Any) -> tuple[str, ...]:
    """The names of what an object holds."""
    # Later: who only imports the package does not pay for what emitted code calls.
    from tangent_lite.runtime.tangents import attributes
    return tuple(attributes(value))


def defaults_of_class(value: Any) -> list[str]:
    """The fields of a dataclass that an object has not, and reads from its class."""
    if not dataclasses.is_dataclass(value) or not hasattr(value, "__dict__"):
        return []
    return [f.name for f in dataclasses.fields(value)
            if f.name not in vars(value) and f.name in vars(type(value))
            and not hasattr(vars(type(value))[f.name], "__get__")]


@functools.lru_cache(1024)
def is_made_of_fields(cls: Any, names: tuple[str, ...]) -> bool:
    """Whether calling a class with these attributes by name makes an object that holds them, and
    nothing else, and no code of the user runs: a dataclass as it is generated.

    The adjoint of such an object is another one; that of other objects a dict of attributes.
    """
    if not dataclasses.is_dataclass(cls) or hasattr(cls, "__post_init__"):
        return False
    code = getattr(getattr(cls, "__init__", None), "__code__", None)
    if code is None or code.co_filename != "<string>":
        return False                            # written by hand
    if cls.__new__ is not object.__new__ or cls.__getattribute__ is not object.__getattribute__ \
            or not sets_plainly(cls):
        return False
    taken = code.co_varnames[1:code.co_argcount + code.co_kwonlyargcount]
    return set(names) == set(taken) == {f.name for f in dataclasses.fields(cls)}


def is_made_blank(cls: Any) -> bool:
    """Whether `cls.__new__(cls)` makes an object without attributes, and no code of the user runs.
    """
    return cls.__new__ is object.__new__ or cls is types.SimpleNamespace


def is_named_tuple(cls: Any) -> bool:
    """Whether a class is a named tuple as it is generated: a tuple whose parts have names, made by
    what it is called with."""
    return issubclass(cls, tuple) and tuple in cls.__bases__ and hasattr(cls, "_fields") \
        and getattr(getattr(cls.__new__, "__code__", None), "co_filename", "") == "<string>" \
        and not any(name in vars(cls) for name in ("__iter__", "__getitem__", "__len__",
                                                   "__init__", "__getattribute__"))


def sets_plainly(cls: Any) -> bool:
    """Whether what a class is given for a field is what is set: by object, or not at all."""
    code = getattr(cls.__setattr__, "__code__", None)       # a frozen one has a generated one
    is_frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    return cls.__setattr__ is object.__setattr__ or (
        is_frozen and code is not None and code.co_filename == "<string>")
