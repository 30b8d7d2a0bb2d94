"""What objects hold, and which of them are made by naming what they hold."""
from __future__ import annotations

import collections
import copy
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


def is_made_of_fields(cls: Any, names: tuple[str, ...]) -> bool:
    """Whether calling a class with these attributes by name makes an object that holds them, and
    nothing else, and no code of the user runs: a dataclass as it is generated.

    The adjoint of such an object is another one; that of other objects a dict of attributes. What a
    class has may be replaced: see `calling.resolve.of_objects`.
    """
    if not dataclasses.is_dataclass(cls):
        return False
    kind: Any = cls
    return _is_made_of_fields(kind, names, (
        kind.__init__, kind.__new__, kind.__getattribute__, kind.__setattr__,
        hasattr(kind, "__post_init__")))


@functools.lru_cache(1024)
def _is_made_of_fields(cls: Any, names: tuple[str, ...], by_now: tuple[Any, ...]) -> bool:
    """The same, of what a class has by now."""
    if by_now[-1]:
        return False
    code = getattr(cls.__init__, "__code__", None)
    if code is None or code.co_filename != "<string>":
        return False                            # written by hand
    if cls.__new__ is not object.__new__ or cls.__getattribute__ is not object.__getattribute__ \
            or not sets_plainly(cls):
        return False
    taken = code.co_varnames[1:code.co_argcount + code.co_kwonlyargcount]
    return set(names) == set(taken) == {f.name for f in dataclasses.fields(cls)}


def by_position(cls: Any) -> list[str]:
    """The fields of a dataclass that its constructor takes by position."""
    return [field.name for field in dataclasses.fields(cls) if field.init and not field.kw_only]


def is_made_blank(cls: Any) -> bool:
    """Whether `cls.__new__(cls)` makes an object without attributes, and no code of the user runs.
    """
    return cls.__new__ is object.__new__ or cls is types.SimpleNamespace


def is_named_tuple(cls: Any) -> bool:
    """Whether a class is a named tuple as it is generated: a tuple whose parts have names, made by
    what it is called with."""
    return issubclass(cls, tuple) and tuple in cls.__bases__ and hasattr(cls, "_fields") \
        and not is_made_by_itself(cls) and not hides_fields(cls) \
        and not any(name in vars(cls) for name in ("__iter__", "__getitem__", "__len__"))


def with_parts(value: Any, parts: list[Any]) -> Any:
    """A list or tuple of the class of another one that holds these instead; what the class of a
    list does as one is made is not done to them.

    >>> class Twice(list):
    ...     def __init__(self, items): super().__init__(2 * one for one in items)
    >>> with_parts(Twice([1.0]), [3.0])
    [3.0]
    """
    kind = type(value)
    if kind is list:
        return parts
    if isinstance(value, tuple):
        return tuple.__new__(kind, parts)
    made = copy.copy(value)
    list.__setitem__(made, slice(None), parts)
    return made


def is_made_by_itself(cls: Any) -> bool:
    """Whether a class of tuples says in Python how one is made, which need not hold what it is
    given; that of a named tuple is generated."""
    new = cls.__new__
    return cls.__init__ is not object.__init__ or not (
        isinstance(new, types.BuiltinFunctionType) or str(
            getattr(new, "__globals__", {}).get("__name__")).startswith("namedtuple_"))


def hides_fields(cls: Any) -> bool:
    """Whether a named tuple has something else by the name of a field, or says itself what its
    attributes are.

    >>> Point = collections.namedtuple("Point", "x y")
    >>> class Other(Point):
    ...     y = property(lambda self: 2.0 * self.x)
    >>> hides_fields(Other), hides_fields(Point)
    (True, False)
    """
    return hasattr(cls.__getattribute__, "__code__") or any(
        next((vars(one)[name] for one in cls.__mro__ if name in vars(one)), None).__class__
        is not _class_of_fields() for name in getattr(cls, "_fields", ()))


@functools.lru_cache(1)
def _class_of_fields() -> type:
    """The class of what reads a field of a named tuple."""
    return type(vars(collections.namedtuple("_One", "it"))["it"])


def sets_plainly(cls: Any) -> bool:
    """Whether what a class is given for a field is what is set: by object, or not at all."""
    code = getattr(cls.__setattr__, "__code__", None)       # a frozen one has a generated one
    is_frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    return cls.__setattr__ is object.__setattr__ or (
        is_frozen and code is not None and code.co_filename == "<string>")
