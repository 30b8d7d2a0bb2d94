"""Handlers of what folds many items into one, chooses one of them, or puts them in order: each item
as it is given."""
from __future__ import annotations

import collections
import functools
import itertools
import operator
from collections.abc import Iterable, Iterator
from typing import Any

from tangent_lite.heap import iteration, operations, special
from tangent_lite.heap.containers import Moves, holds
from tangent_lite.heap.handlers import HANDLERS, handles
from tangent_lite.heap.memory import Parts, can_vary
from tangent_lite.heap.primitives import Back, primitive


@handles(sum)
def sum_(tape: Any, xs: Any, start: Any = 0) -> tuple[Any, Back | None]:
    """Numbers by the rule of sum, all else one by one."""
    if isinstance(xs, iteration.Lazy):
        return _sum_as_given(tape, xs, start)
    items = tape.listed(xs)
    if all(isinstance(item, (int, float)) for item in [*items, start]):
        if tape.heap.tangents.moves((items, start)):
            return primitive(tape, sum, None, (items, start), {})
        value = sum(items, start)
        varying = [k for k, item in enumerate(items) if can_vary(item)]
        is_counted = can_vary(start)

        def back(adjoint: Any) -> Any:
            if adjoint is None:
                return None
            own = Parts()
            for k in varying:
                if isinstance(items, tuple):
                    own[k] = adjoint
                else:
                    tape.adjoints.add_slot(items, k, adjoint)
            return (own or None, adjoint if is_counted else None)
        return value, back
    return _folded(tape, operator.add, items, (start,), (0, 1))


def _sum_as_given(tape: Any, xs: Any, start: Any) -> tuple[Any, Back | None]:
    """The sum of what an iterator gives: numbers stay what they are, all else is added as it comes,
    since it may be changed before the next one is given."""
    items = iteration.steps(tape, xs)
    others: list[iteration.Step] = []

    def numbers() -> Iterator[iteration.Step]:
        for step in items:
            if not isinstance(step[0], (int, float)):
                others.append(step)
                return
            yield step

    value, first = sum_(tape, iteration.gathered(tape, numbers(), tape.pushed()), start)
    if not others:
        return value, first
    value, back = _folded_as_given(tape, operator.add, value, itertools.chain(others, items))

    def both(adjoint: Any) -> Any:
        adjoint = back(adjoint)
        return first(adjoint) if first is not None else None
    return value, both


@handles(functools.reduce)
def reduce_(tape: Any, function: Any, xs: Any, *start: Any) -> tuple[Any, Back | None]:
    if isinstance(xs, tuple):
        return _folded(tape, function, xs, start, (1, 2))
    # Lists and arrays may be written into by the function, and objects compute their items.
    items, before = iteration.steps(tape, xs), tape.pushed()
    if start:
        value, back = _folded_as_given(tape, function, start[0], items)
        return value, lambda adjoint: (None, None, back(adjoint))
    one = next(items, None)
    if one is None:
        raise TypeError("reduce() of empty iterable with no initial value")
    first = tape.with_pushed(one[1], before)
    value, back = _folded_as_given(tape, function, one[0], items)

    def both(adjoint: Any) -> None:
        adjoint = back(adjoint)
        if first is not None:
            first(adjoint)
    return value, both


def _folded_as_given(tape: Any, function: Any, value: Any, items: Any) -> tuple[Any, Back]:
    """function(function(value, item), item) and so on, with each item as it is given; the way back
    leads to the adjoint of the first value."""
    before = tape.pushed()
    done: list[tuple[Back | None, Back | None]] = []
    for item, back in items:
        back = tape.with_pushed(back, before)
        value, step = tape.called(function, (value, item), {})
        done.append((tape.with_pushed(step, before), back))
    last = tape.with_pushed(None, before)

    def undo(adjoint: Any) -> Any:
        if last is not None:
            last(None)
        for step, back in reversed(done):
            found = [*((step(adjoint) if step is not None else None) or ()), None, None]
            if back is not None:
                back(found[1])
            adjoint = found[0]
        return adjoint
    return value, undo


def _folded(tape: Any, function: Any, items: Any, start: tuple[Any, ...],
            positions: tuple[int, int]) -> tuple[Any, Back | None]:
    """function(function(start, items[0]), items[1]) and so on; positions: of items and start among
    the arguments."""
    values = list(items)
    if start:
        value, first = start[0], 0
    else:
        if not values:
            raise TypeError("reduce() of empty iterable with no initial value")
        value, first = values[0], 1
    backs = []
    for item in values[first:]:
        value, step = tape.called(function, (value, item), {})
        backs.append(step)
    result = value

    def back(adjoint: Any) -> Any:
        own = Parts()
        out: list[Any] = [None] * (max(positions) + 1)

        def give(k: int, part: Any) -> None:
            if part is None:
                return
            if isinstance(items, tuple):
                own[k] = part
            else:
                tape.adjoints.add_slot(items, k, part)

        for k in range(len(backs) - 1, -1, -1):
            one = backs[k]
            found = one(adjoint) if one is not None else None
            found = [*(found or ()), None, None]
            give(first + k, found[1])
            adjoint = found[0]
        if start:
            out[positions[1]] = adjoint
        else:
            give(0, adjoint)
        out[positions[0]] = own or None
        return out

    if not backs and not holds(result):
        return result, None
    return result, back


# Choosing -------------------------------------------------------------------------------------
def _chosen(tape: Any, choose: Any, xs: tuple[Any, ...],
            keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """min and max: the value is one of the items, and so is its adjoint."""
    many = len(xs) > 1
    key = keywords.get("key")
    best, highest = 0, None

    def compared(steps: Iterable[iteration.Step]) -> Iterator[iteration.Step]:
        nonlocal best, highest
        for k, step in enumerate(steps):
            rank = step[0] if key is None else tape.aside(key, (step[0],), {})
            if not k or operations.compare(tape, "gt" if choose is max else "lt", rank, highest):
                best, highest = k, rank
            yield step

    if many or not isinstance(xs[0], iteration.Lazy):
        items = xs if many else tape.listed(xs[0])
        collections.deque(compared((item, None) for item in items), 0)
    else:                                       # each as it is given: it may be changed later
        items = iteration.gathered(tape, compared(iteration.steps(tape, xs[0])), tape.pushed())
    if not items and "default" in keywords:
        position = len(xs) + list(keywords).index("default")
        return keywords["default"], lambda adjoint: [None] * position + [adjoint]
    if not items:
        return choose(()), None
    value = items[best]
    if not holds(value):
        return value, None
    if key is None and can_vary(value) and all(isinstance(i, (int, float)) for i in items):
        # Ties follow the rule of the registry.
        return primitive_of_items(tape, choose, xs, items, many)

    def back(adjoint: Any) -> Any:
        if adjoint is None:
            return None
        if many:
            return [None] * best + [adjoint]
        if isinstance(items, tuple):
            return (Parts({best: adjoint}),)
        tape.adjoints.add_slot(items, best, adjoint)
        return None
    return value, back


def primitive_of_items(tape: Any, choose: Any, xs: tuple[Any, ...], items: Any,
                       many: bool) -> tuple[Any, Back | None]:
    return primitive(tape, choose, None, xs if many else (items,), {})


HANDLERS[min] = lambda tape, *xs, **keywords: _chosen(tape, min, xs, keywords)
HANDLERS[max] = lambda tape, *xs, **keywords: _chosen(tape, max, xs, keywords)


class ByComparison:
    """The key of a sort that goes by a function of two items."""

    def __init__(self, compare: Any) -> None:
        self.compare = compare


HANDLERS[functools.cmp_to_key] = lambda tape, mycmp: (ByComparison(mycmp), None)


def order_of(tape: Any, items: Any, key: Any, reverse: bool) -> list[int]:
    """The positions of the items, sorted as Python sorts."""
    special.check(tape, special.ALL, reverse)
    if isinstance(key, ByComparison):
        return sorted(range(len(items)), reverse=reverse, key=functools.cmp_to_key(
            lambda a, b: tape.aside(key.compare, (items[a], items[b]), {})))
    ranks = [item if key is None else tape.aside(key, (item,), {}) for item in items]

    def compared(a: int, b: int) -> int:
        # Python sorts by `<` alone.
        return -1 if operations.compare(tape, "lt", ranks[a], ranks[b]) else 0

    if special.says(ranks, special.ORDER):
        return sorted(range(len(items)), key=functools.cmp_to_key(compared), reverse=reverse)
    return sorted(range(len(items)), key=ranks.__getitem__, reverse=reverse)


@handles(sorted)
def sorted_(tape: Any, xs: Any, key: Any = None, reverse: bool = False) \
        -> tuple[Any, Back | None]:
    items = tape.listed(xs)
    order = order_of(tape, items, key, reverse)
    made = [items[k] for k in order]
    moves = Moves(tape, made)
    for k, spot in enumerate(order):
        if holds(made[k]):
            moves.part(k, 0, items, spot)
    return made, moves.back(1)
