"""Objects that are changed, without changing them: emitted code calls these."""
import copy
from types import SimpleNamespace


def blank(cls):
    """An object of a class, before its `__init__` has run."""
    return cls.__new__(cls)


def replaced(thing, **fields):
    """A copy of an object in which these attributes have other values.

    The tangent of an object in which nothing varies is None: it becomes one with attributes.
    """
    made = SimpleNamespace() if thing is None else copy.copy(thing)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made
