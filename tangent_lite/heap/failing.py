"""Calls that fail halfway, inside of a `try` that goes on: what they did until then has been done.

A function that is called in a `try` has a trail for its whole body (see `trails`). If it fails, the
steps that it did are undone by the entry that the call leaves, as if it had returned.
"""
from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tangent_lite.errors import Place, TangentError, UnsupportedSyntaxError
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back

Mark = tuple[int, int, list[Back]]
_BEGIN = object()                               # of a part whose steps are noted


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


class Stepping:
    """The entries of a call, of which some note which steps of a trail were done."""

    _reached = 0, 0                             # entries and writes, when a step was done
    tries = False                               # whether what is called may fail, and this goes on
    lines: tuple[types.CodeType, dict[int, int]] | None = None      # steps by their lines
    _left: Left | None = None                   # what a call did that has just failed
    _previous: Callable[[], Any]                # the entries in reverse: see Tape.rewind

    def __init__(self, heap: Any, place: Callable[[], Place | None]) -> None:
        self.heap, self.place = heap, place
        self.entries: list[Any] = []
        heap.entries.append(self.entries)
        self._pending: list[Back] = []          # what has to run before the entry to come is done

    def mark(self) -> Mark:
        """Where a try begins."""
        return len(self.entries), self.heap.writes, [*self._pending]

    def abandon(self, mark: Mark) -> None:
        """What a try did until it failed is as if it had not been done."""
        self._check_failed(mark[1])
        del self.entries[mark[0]:]
        self._pending = mark[2]

    def begin(self) -> None:
        """Where a part begins that may be left at any place: see `trails`."""
        self.tries = True
        self.entries.append(_BEGIN)
        self._note()

    def did(self, step: int) -> None:
        """Note that a step of such a part has been done."""
        self.entries.append(step)
        self._note()

    def resumed(self) -> None:
        """Note that a generator goes on; whoever has its items may have changed something."""
        self._note()

    def stopped(self) -> None:
        """Forget what a step of a generator that failed had noted."""
        del self.entries[self._reached[0]:]

    def _note(self) -> None:
        self._reached = len(self.entries), self.heap.writes

    def caught(self) -> None:
        """What failed is as if it had not begun, or has been done as far as it came; the steps
        before it have been done."""
        error = sys.exc_info()[1]
        if error is None or isinstance(error, TangentError) or not self.cut_off(error):
            self._check_failed(self._reached[1])
            del self.entries[self._reached[0]:]

    def cut_off(self, error: BaseException) -> bool:
        """Forget what a step that failed has noted, but for what a call in it did; False if it has
        changed more than that."""
        entries, writes = self._reached
        left, self._left = self._left, None
        if self.heap.writes == writes:
            del self.entries[entries:]
            return True
        step = self._step_of(error)
        if left is None or not left.fits or left.error is not error or left.writes != writes \
                or step is None:
            return False
        self.entries[entries:] = [left.back]
        self.did(step)
        return True

    def left_halfway(self, left: Left) -> None:
        """Note what a call did that failed halfway."""
        self._left = left

    def _fit_left(self, operands: tuple[Any, ...]) -> None:
        """Note which operands a call that failed was given by the present operation."""
        if self._left is not None:
            self._left = self._left.for_operands(operands)

    def _step_of(self, error: BaseException) -> int | None:
        """Which step was being done when an error came up."""
        if self.lines is None:
            return None
        code, steps = self.lines
        line = line_of(error, code)
        return None if line is None else steps.get(line)

    def _check_failed(self, writes: int) -> None:
        """What failed must have changed nothing; writes: before it began."""
        error = sys.exc_info()[1]
        if isinstance(error, TangentError):
            raise error
        if self.heap.writes != writes:
            raise UnsupportedSyntaxError(
                "what is called in this try fails after it has changed something", self.place(),
                "write what it does into the body of the try")

    # Backward -----------------------------------------------------------------------------------
    def undone(self) -> Iterator[int]:
        """The steps of a part that may be left at any place, the last first."""
        while (step := self._previous()) is not _BEGIN:
            yield step
