"""Derivatives that are compiled, as objects.

Calling an object of Python's costs as much as a small function takes when it is compiled: Python
looks up `__call__` in its class, and makes a frame for it. Here each object has a `__call__` of its
own, in a slot, and once it is known which compiled code serves, that is machine code
(`backends/numba_entry.py`). It calls the method of the class for all that it does not know.
"""
from __future__ import annotations

import types
from typing import Any

from tangent_lite.api import GradientFunction
from tangent_lite.keys import elsewhere


class CompiledGradient(GradientFunction):
    """A derivative of the Numba backend."""

    # Python asks the class for `__call__`, and finds what gives that of the object.
    __slots__ = ("__call__",)

    def __init__(self, *asked: Any) -> None:
        super().__init__(*asked)
        self._call_by(self._by_method)

    @property
    def _by_method(self) -> types.MethodType:
        return types.MethodType(GradientFunction.__call__, self)

    def _call_by(self, call: Any) -> None:
        self.__call__ = call                                        # type: ignore[method-assign]

    def _enter_by(self, variant: Any, values: tuple[Any, ...]) -> None:
        way = variant.way_for(values)
        self._enter = elsewhere if way is None else way.enter
        self._call_by(self._by_method if way is None or way.machine is None
                      else way.machine.before(self._by_method))
