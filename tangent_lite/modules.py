"""What a thing says of itself: which module and package it is from, what NumPy may do with it."""
from __future__ import annotations

import sys
from typing import Any

# Packages that are what they are: no program gives their modules other names while it runs.
LIBRARIES = {"numpy", "scipy", "tangent_lite", *sys.stdlib_module_names} - {"__main__"}


def module_of(thing: Any) -> str:
    """The module of a function or class; "" for one that is of none (code run by `exec`), and for
    classes of compiled code that say by `__module__` where their instances come from.

    >>> module_of(dict), module_of(type("Made", (), {"__module__": None}))
    ('builtins', '')
    """
    found = getattr(thing, "__module__", None)
    return found if isinstance(found, str) else ""


def package_of(thing: Any) -> str:
    """The package at the top of that module: "numpy" for np.linalg.solve."""
    return module_of(thing).split(".")[0]


def is_asked_by_arrays(kind: Any) -> bool:
    """Whether `array + x` asks an x of a class, as it says to NumPy; else NumPy takes x for a
    number, and makes an array of objects.

    https://numpy.org/doc/stable/reference/arrays.classes.html (__array_ufunc__, __array_priority__)
    """
    if hasattr(kind, "__array_ufunc__"):
        return kind.__array_ufunc__ is None
    return getattr(kind, "__array_priority__", 0.0) > 0.0
