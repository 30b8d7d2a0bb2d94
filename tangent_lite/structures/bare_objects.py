"""Objects that are known by their class, and by the names and types of what they hold.

Their attributes are their own, in a `__dict__` or in slots, and none of them is computed; so they
can be read, and an object of the class be made of others, with none of its code run.
"""
from __future__ import annotations

import keyword
import types
from collections.abc import Callable
from typing import Any

from tangent_lite import kinds
from tangent_lite.records import attribute_names, defaults_of_class


def is_slotted(value: Any) -> bool:
    """Whether all that an object holds lies in slots."""
    return not hasattr(value, "__dict__")


def is_bare(value: Any) -> bool:
    """Whether a value is an object whose attributes are its own, by names that can be written."""
    if not isinstance(kinds.kind_of(value), kinds.RecordKind):
        return False
    cls, names = type(value), attribute_names(value)
    if not names or not all(name.isidentifier() and not keyword.iskeyword(name)
                            for name in names):
        return False
    if is_slotted(value):
        return all(isinstance(getattr(cls, name, None), types.MemberDescriptorType)
                   for name in names) and names == slots_of(cls)
    return names == tuple(vars(value)) and not defaults_of_class(value) \
        and not any(hasattr(getattr(cls, name, None), "__set__") for name in names)


def slots_of(cls: type) -> tuple[str, ...]:
    """The names of all slots of a class, in the order in which `attributes` gives them."""
    found: dict[str, None] = {}
    for one in reversed(cls.__mro__):
        slots: Any = vars(one).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                hidden = name.startswith("__") and not name.endswith("__")
                found[f"_{one.__name__.lstrip('_')}{name}" if hidden else name] = None
    return tuple(found)


def fills(cls: type) -> Callable[[Any, dict[str, Any]], Any]:
    """What lets a dict be all that an object of a class holds; none of its code is run."""
    for one in cls.__mro__:
        found = vars(one).get("__dict__")
        if isinstance(found, types.GetSetDescriptorType):
            return found.__set__
    return lambda made, held: vars(made).update(held)


def is_copied_bare(kind: type) -> bool:
    """Whether a copy of an object is one of its class with the same attributes, and no more."""
    # A frozen dataclass with slots has ways of its own to copy its fields.
    return all(getattr(kind, name, None) is getattr(object, name, None)
               or (name in ("__getstate__", "__setstate__")
                   and getattr(getattr(kind, name), "__module__", None) == "dataclasses")
               for name in ("__new__", "__copy__", "__reduce__", "__reduce_ex__", "__getstate__",
                            "__setstate__", "__getattribute__"))
