"""Generators of the user: functions that are left at each item, and gone on with for the next one.

    def steps(x, n):                        def steps_bwd(tape):
        for _ in range(n):                      for step in tape.undone():
            x = x * x                               if step == 1:
            yield x                                     bx = tape.join(bx, (yield))

The forward pass is a generator as the function is. It may be left for good at any item, so its
steps are noted (see `trails`), and whoever has its items does something in between, be it to what
the generator reads: so the backward pass is left and gone on with at the same places. It waits at
each item for the adjoint of that item, and goes back from there to the item before. There it hands
out the adjoint of what it was sent.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.iteration import Lazy, Step
from tangent_lite.heap.primitives import varies


def suspended(tape: Any, inner: Any, forward: Callable[[], Any], backward: Callable[[Any], Any]) \
        -> tuple[Lazy, Callable[[], Any]]:
    """What stands for a generator, and what gives the adjoints of the parameters when the backward
    pass comes to where it was made; inner: its own tape. backward takes the adjoint of what the
    generator returns."""
    way_back = _WayBack(backward)

    def go(lazy: Lazy) -> Iterator[Step]:
        heap = inner.heap
        items = None
        while True:
            around, heap.current = heap.current, inner
            try:
                if items is None:
                    items = forward()
                    if not isinstance(items, types.GeneratorType):
                        lazy.result, lazy.returned = items, way_back.returned
                        return                  # no yield is ever reached
                sent, lazy.sent = lazy.sent, None
                value = items.send(sent)
            except StopIteration as end:
                if varies(end.value) and not lazy.hands_on_result:
                    raise UnsupportedSyntaxError(
                        "a generator that returns a value, which whoever loops over it drops",
                        tape.place(), "yield it, or take it by `yield from`") from None
                lazy.result, lazy.returned = end.value, way_back.returned
                return
            except BaseException:
                inner.stopped()
                raise
            finally:
                heap.current = around
                if items is None or getattr(items, "gi_frame", None) is None:
                    (around or tape).push(way_back.first)
            lazy.moves_on()
            yield value, way_back.next

    made = Lazy(tape, (), go)
    made.runs = True
    return made, way_back.last


class _WayBack:
    """The backward pass of one generator."""

    def __init__(self, backward: Callable[[Any], Any]) -> None:
        self.backward = backward
        self.waiting: Any = None
        self.found: Any = None
        self.of_result: Any = None              # the adjoint of what it returned

    def returned(self, adjoint: Any) -> None:
        """What the generator returned has this adjoint."""
        self.of_result = adjoint

    def first(self, _: Any) -> None:
        """From where the generator was at last to its last item."""
        of_result, self.of_result = self.of_result, None
        made = self.backward(of_result)
        if isinstance(made, types.GeneratorType):
            self.waiting = made
            # What is sent something and stops at it has changed nothing, or it is refused.
            assert self._on(None) is None
        else:
            self.found = made

    def next(self, adjoint: Any) -> Any:
        """From an item, which has this adjoint, to the one before; the adjoint of what was sent to
        get it."""
        if self.waiting is None:
            self.first(None)                    # nobody asked for more than that item
        return self._on(adjoint)

    def _on(self, adjoint: Any) -> Any:
        try:
            return self.waiting.send(adjoint)
        except StopIteration as end:
            self.found = end.value
            return None

    def last(self) -> Any:
        """The adjoints of the parameters, if the generator was ever asked for an item."""
        found, self.waiting, self.found = self.found, None, None
        return found
