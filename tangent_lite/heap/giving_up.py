"""Calls that may fail, where what stands around them goes on: a loop that ends, a default in place.

What such a call did until it failed leaves no entry, so it must have changed nothing.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.primitives import Back

Step = tuple[Any, "Back | None"]


def attempted(tape: Any, call: Callable[[], Step], errors: Any, what: str,
              instead: str = "let it stop before it changes anything") -> Step | None:
    """What a call gives, or None if it fails with one of these errors; what: if it has changed
    something before."""
    before = tape.heap.written
    try:
        return call()
    except errors:
        if tape.heap.written != before:
            raise UnsupportedSyntaxError(what, tape.place(), instead) from None
        return None
