"""The table of functions that are told what they do by code of their own: a *handler* each.

A handler takes the tape and the arguments, and gives the value and what takes the adjoint of the
value to the arguments, in their order (keywords last).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tangent_lite.heap.primitives import Back

Handler = Callable[..., tuple[Any, "Back | None"]]
HANDLERS: dict[Any, Handler] = {}


def handles(*functions: Any) -> Callable[[Handler], Handler]:
    """Register a handler."""
    def register(handler: Handler) -> Handler:
        for function in functions:
            HANDLERS[function] = handler
        return handler
    return register
