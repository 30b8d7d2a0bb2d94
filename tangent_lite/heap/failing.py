"""Calls that fail halfway, inside of a `try` that goes on: what they did until then has been done.

A function that is called in a `try` has a trail for its whole body (see `trails`). If it fails, the
steps that it did are undone by the entry that the call leaves, as if it had returned.
"""
from __future__ import annotations

import types
from dataclasses import dataclass, replace
from typing import Any

from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back


@dataclass(frozen=True)
class Left:
    """What a call has done that failed with an error: its arguments, how often anything had been
    changed when it began, and what takes adjoints to the arguments."""
    error: BaseException
    given: tuple[Any, ...]
    writes: int
    back: Back
    fits: bool = False                          # whether they are those of the operation

    def for_operands(self, operands: tuple[Any, ...]) -> Left | None:
        """The same for the operands of the operation that made the call; None if it is not the
        operation that was called with them, but a part of what the operation does."""
        back = self.back
        if _same(self.given, operands):
            return replace(self, fits=True)
        if _same(self.given, operands[1:]):     # what is called comes first
            return replace(self, fits=True, back=lambda b: [None, *(back(b) or ())])
        if _same(self.given[1:], operands) and is_record(self.given[0]):
            return replace(self, fits=True, back=lambda b: (back(b) or ())[1:])
        return None


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other))


def line_of(error: BaseException, code: types.CodeType) -> int | None:
    """In which line of code an error came up."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is code:
            return trace.tb_lineno
        trace = trace.tb_next
    return None
