"""Generators of the user: functions that are left at each item, and gone on with for the next one.

    def steps(x, n):                        def steps_bwd(tape):
        for _ in range(n):                      for step in tape.undone():
            x = x * x                               if step == 1:
            yield x                                     bx = tape.join(bx, (yield))

The forward pass is a generator as the function is. It may be left for good at any item, so its
steps are noted (see `trails`), and whoever has its items does something in between, be it to what
the generator reads: so the backward pass is left and gone on with at the same places. It waits at
each item for the adjoint of that item, and goes back from there to the item before.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from tangent_lite.heap.iteration import Lazy, Step


def suspended(tape: Any, inner: Any, forward: Callable[[], Any], backward: Callable[[], Any]) \
        -> tuple[Lazy, Callable[[], Any]]:
    """What stands for a generator, and what gives the adjoints of the parameters when the backward
    pass comes to where it was made; inner: its own tape."""
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
                        return                  # no yield is ever reached
                value = next(items)
            except StopIteration:
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

    def __init__(self, backward: Callable[[], Any]) -> None:
        self.backward = backward
        self.waiting: Any = None
        self.found: Any = None

    def first(self, _: Any) -> None:
        """From where the generator was at last to its last item."""
        made = self.backward()
        if isinstance(made, types.GeneratorType):
            self.waiting = made
            self._on(None)
        else:
            self.found = made

    def next(self, adjoint: Any) -> None:
        """From an item, which has this adjoint, to the one before."""
        if self.waiting is None:
            self.first(None)                    # nobody asked for more than that item
        self._on(adjoint)

    def _on(self, adjoint: Any) -> None:
        try:
            self.waiting.send(adjoint)
        except StopIteration as end:
            self.found = end.value

    def last(self) -> Any:
        """The adjoints of the parameters, if the generator was ever asked for an item."""
        found, self.waiting, self.found = self.found, None, None
        return found
