"""Objects that are changed, without changing them: emitted code calls these."""
import copy


def blank(cls):
    """An object of a class, before its `__init__` has run."""
    return cls.__new__(cls)


def replaced(thing, **fields):
    """A copy of an object in which these attributes have other values."""
    made = copy.copy(thing)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made
