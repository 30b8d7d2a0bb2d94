"""Objects that are changed, without changing them: emitted code calls these."""
import copy
from types import SimpleNamespace


class Tangents(SimpleNamespace):
    """The tangent of an object: that of an attribute which does not vary is zero."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return 0.0


def blank(cls):
    """An object of a class, before its `__init__` has run."""
    return cls.__new__(cls)


def replaced(thing, /, **fields):
    """A copy of an object in which these attributes have other values.

    The tangent of an object in which nothing varies is None: it becomes one with attributes.
    """
    made = Tangents() if thing is None else copy.copy(thing)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made
