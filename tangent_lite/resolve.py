"""What the free names of a function mean, and whether they still mean it at the next call.

Names are live: a global, a closure cell or a helper that is bound anew means its new value at the
call. What a derivative was built on is therefore noted, and checked before each call.
"""
from __future__ import annotations

import builtins
import types
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.inference import NO_OBJECT
from tangent_lite.source import Source

STABLE_PACKAGES = {"numpy", "scipy", "math", "cmath", "operator", "builtins", "functools",
                   "itertools", "tangent_lite"}


class Resolver:
    """Looks up the free names of one function and notes what was found."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seen: dict[str, Any] = {}
        self.paths: dict[tuple[Any, str], Any] = {}

    def now(self, name: str) -> Any:
        """What a name means at this moment; NO_OBJECT if it is not bound."""
        cell = self.source.cells.get(name)
        if cell is not None:
            try:
                return cell.cell_contents
            except ValueError:
                return NO_OBJECT
        if name in self.source.globals:
            return self.source.globals[name]
        return getattr(builtins, name, NO_OBJECT)

    def free(self, name: str) -> Any:
        """The same, noted as something the derivative rests on."""
        found = self.seen[name] = self.now(name)
        return found

    def holds(self) -> bool:
        """Whether every name still means what it meant."""
        for name, old in self.seen.items():
            found = self.now(name)
            if found is old:
                continue
            if _by_identity(old) or _by_identity(found) or \
                    kinds.kind_of(found) != kinds.kind_of(old):
                return False
        return True


def _by_identity(value: Any) -> bool:
    """Modules, functions and classes count by identity, data by its kind."""
    return isinstance(value, (types.ModuleType, type)) or value is NO_OBJECT or (
        callable(value) and not isinstance(value, np.ndarray))


def is_stable(module: Any) -> bool:
    """Whether the attributes of a module are taken to stay what they are."""
    return isinstance(module, types.ModuleType) and \
        module.__name__.split(".")[0] in STABLE_PACKAGES
