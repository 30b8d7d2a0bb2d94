"""Iterators that come back to what they gave, or share it with others: cycle, tee and groupby; and
those that ask a function again: iter(function, last)."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import operations
from tangent_lite.heap.giving_up import attempted
from tangent_lite.heap.iteration import Asking, Lazy, Step
from tangent_lite.heap.memory import add, can_vary
from tangent_lite.heap.primitives import Back


def cycled(tape: Any, xs: Any) -> Lazy:
    """itertools.cycle(xs): the adjoint of an item is held until its first turn is undone."""
    def go(lazy: Lazy) -> Iterator[Step]:
        held: dict[int, Any] = {}
        saved: list[tuple[Any, bool]] = []
        items = lazy.of(0)
        again: Iterator[int] = iter(())
        is_first = True                         # whether this is the first turn

        def ask() -> Step | None:
            nonlocal again, is_first
            step = next(items, None) if is_first else None
            if step is not None:
                value, back = step
                saved.append((value, back is not None))
                lazy.moves_on()
                return value, None if back is None else _with_later(held, len(saved) - 1, back)
            if is_first:
                is_first, again = False, itertools.cycle(range(len(saved)))
            for number in again:
                value, varies = saved[number]
                lazy.moves_on()
                return value, _holding(held, number) if varies else None
            return None
        return Asking(ask)
    return Lazy(tape, (xs,), go, 0)


def _holding(held: dict[int, Any], number: int) -> Back:
    def hold(adjoint: Any) -> None:
        held[number] = add(held.get(number), adjoint)
    return hold


def _with_later(held: dict[int, Any], number: int, back: Back) -> Back:
    def first(adjoint: Any) -> None:
        back(add(held.pop(number, None), adjoint))
    return first


def teed(tape: Any, xs: Any, count: int = 2) -> tuple[tuple[Lazy, ...], Back]:
    """itertools.tee(xs, count): who comes to an item first takes it, and takes its adjoint back,
    with what the others had of it."""
    source = Lazy(tape, (xs,), lambda lazy: lazy.of(0), 0)
    taken: list[tuple[Any, bool]] = []
    held: dict[int, Any] = {}

    def go(lazy: Lazy) -> Iterator[Step]:
        number = -1

        def ask() -> Step | None:
            nonlocal number
            if number + 1 == len(taken):
                step = next(source.steps, None)
                if step is None:
                    return None
                lazy.moves_on()
                number += 1
                value, back = step
                taken.append((value, back is not None))
                return value, None if back is None else _with_later(held, number, back)
            lazy.moves_on()
            number += 1
            value, varies = taken[number]
            return value, _holding(held, number) if varies else None
        return Asking(ask)
    return tuple(Lazy(tape, (), go) for _ in range(count)), source.back


def asked_until(tape: Any, function: Any, last: Any) -> Lazy:
    """iter(function, last): what the function gives, until it gives what is equal to `last`."""
    def go(lazy: Lazy) -> Iterator[Step]:
        ended = False

        def ask() -> Step | None:
            nonlocal ended
            if ended:
                return None
            step = attempted(tape, lambda: tape.called(function, (), {}), StopIteration,
                             "what a function changes before it stops the loop is lost")
            if step is None:                    # it asks an iterator, which has come to its end
                ended = True
                return None
            if step[0] is last or operations.truth(
                    tape, operations.compare(tape, "eq", step[0], last)):
                ended = True
                lazy.pass_over([step])
                return None
            return step
        return Asking(ask)
    return Lazy(tape, (function, last), go)


class _Groups:
    """What the groups of one groupby share: the next item, and which group is being given."""

    def __init__(self, tape: Any, items: Iterator[Step], key: Any) -> None:
        self.tape, self.items, self.key = tape, items, key
        self.next: tuple[Any, Back | None, Any] | None = None
        self.count = 0
        self.current: int | None = None

    def advance(self) -> bool:
        """Take the next item; whether there is one."""
        found = next(self.items, None)
        if found is None:
            return False
        value, back = found
        mark = value if self.key is None else self.tape.aside(self.key, (value,), {})
        if can_vary(mark):
            raise UnsupportedSyntaxError("groupby goes by numbers that may vary",
                                         self.tape.place(), "group by an int or a bool")
        self.next = value, back, mark
        return True

    def is_like(self, mark: Any) -> bool:
        """Whether the next item belongs to the group of this mark."""
        return self.next is not None and (mark is self.next[2] or operations.truth(
            self.tape, operations.compare(self.tape, "eq", mark, self.next[2])))

    def giver(self, number: int, mark: Any) -> Callable[[Lazy], Iterator[Step]]:
        return lambda _: Asking(lambda: self.of_group(number, mark))

    def of_group(self, number: int, mark: Any) -> Step | None:
        """The next item of a group."""
        if number != self.current or (self.next is None and not self.advance()) \
                or not self.is_like(mark):
            return None
        assert self.next is not None
        value, back, _ = self.next
        self.next = None
        return value, back


def grouped(tape: Any, xs: Any, key: Any = None) -> Lazy:
    """itertools.groupby(xs, key): a group ends when the next one is asked for."""
    def go(lazy: Lazy) -> Iterator[Step]:
        groups = _Groups(tape, lazy.of(0), key)
        mark: Any = None

        def ask() -> Step | None:
            nonlocal mark
            groups.current = None
            while groups.next is None or (groups.count and groups.is_like(mark)):
                # What is left of the group before is passed over.
                if groups.next is not None:
                    lazy.pass_over([groups.next[:2]])
                    groups.next = None
                if not groups.advance():
                    return None
            mark = groups.next[2]
            groups.count += 1
            groups.current = groups.count
            return (mark, Lazy(tape, (), groups.giver(groups.count, mark))), None
        return Asking(ask)
    return Lazy(tape, (xs, key), go, 0)
