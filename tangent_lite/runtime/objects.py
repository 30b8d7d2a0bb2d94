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


def instance(cls, /, **fields):
    """An object of a class with these attributes, whose `__init__` does not run."""
    made = cls.__new__(cls)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def varies(x):
    """Whether x is a number or an array that can vary: no whole number, text or None."""
    return isinstance(x, (float, complex)) or getattr(getattr(x, "dtype", None), "kind", "") in [
        "f", "c", "O"]


def which_of(function, *options):
    """The number of a function among several. A derivative that was made anew of the same function
    is the same one; functions that are defined inside are told by texts."""
    for number, one in enumerate(options):
        if one is function or (type(one) is type(function) and (
                one == function if isinstance(one, str) else
                hasattr(one, "emitted_for") and one.key == function.key)):
            return number
    raise TypeError(f"{function!r} is none of the functions that were known to be called here")


class Plain:
    """As large as all objects are that have nothing but a `__dict__`."""


def replaced(thing, /, **fields):
    """A copy of an object in which these attributes have other values.

    The tangent of an object in which nothing varies is None: it becomes one with attributes.
    """
    cls = type(thing)
    if cls.__basicsize__ == Plain.__basicsize__ and cls.__weakrefoffset__ \
            and cls.__weakrefoffset__ == Plain.__weakrefoffset__ \
            and cls.__dictoffset__ == Plain.__dictoffset__:
        # A fifth of the time of copy.copy, which asks the class how to make one.
        made = object.__new__(cls)
        made.__dict__.update(thing.__dict__)
    else:
        made = Tangents() if thing is None else copy.copy(thing)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made
