"""Derivatives that are compiled, as objects.

Once it is known which compiled code serves, what an object is called by is machine code
(`backends/numba_entry.py`). It hands on to the method for all that it does not know.
"""
from __future__ import annotations

from typing import Any

from tangent_lite.api import GradientFunction
from tangent_lite.calling.keys import elsewhere


class CompiledGradient(GradientFunction):
    """A derivative of the Numba backend."""

    __slots__ = ()

    def _enter_by(self, variant: Any, values: tuple[Any, ...]) -> None:
        way = variant.way_for(values)
        self._enter = elsewhere if way is None else way.enter
        method = self._method()
        self._call_by(method if way is None or way.machine is None
                      else way.machine.before(method))
