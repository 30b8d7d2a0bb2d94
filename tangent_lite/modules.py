"""Which module and which package a thing comes from: by what it says of itself, if it does."""
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
