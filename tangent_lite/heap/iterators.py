"""Iterators that functions of Python and of itertools make of others: zip, map, filter, chain."""
from __future__ import annotations

import enum
import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays, operations
from tangent_lite.heap.containers import LISTS, holds, read
from tangent_lite.heap.iteration import (
    OF_DICTS,
    Asking,
    Lazy,
    Step,
    asked_for_items,
    gathered,
    steps,
    steps_of_dict,
)
from tangent_lite.heap.memory import Parts, add
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back


def zipped(tape: Any, *operands: Any, strict: bool = False) -> Lazy:
    """zip(xs, ys)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        sources = [lazy.of(k) for k in range(len(operands))]

        def ask() -> Step | None:
            found: list[Step] = []
            for number, source in enumerate(sources):
                step = next(source, None)
                if step is None:
                    if strict and (number or any(next(s, None) is not None for s in sources[1:])):
                        raise ValueError("zip() arguments have different lengths")
                    lazy.pass_over(found)
                    return None
                found.append(step)
            return _tuple_of(found) if found else None
        return Asking(ask)
    return Lazy(tape, operands, go, 0)


def _tuple_of(found: list[Step]) -> Step:
    backs = [back for _, back in found]
    value = tuple(v for v, _ in found)
    if all(back is None for back in backs):
        return value, None

    def back(adjoint: Any) -> None:
        for k in range(len(backs) - 1, -1, -1):
            one = backs[k]
            if one is not None:
                one((adjoint or {}).get(k))
    return value, back


def enumerated(tape: Any, xs: Any, start: int = 0) -> Lazy:
    """enumerate(xs, start)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        source, numbers = lazy.of(0), itertools.count(start)

        def ask() -> Step | None:
            step = next(source, None)
            return None if step is None else _tuple_of([(next(numbers), None), step])
        return Asking(ask)
    return Lazy(tape, (xs,), go, 0)


def numbered(tape: Any, x: Any) -> Lazy:
    """np.ndenumerate(x)"""
    x = np.asarray(x)

    def go(_: Lazy) -> Iterator[Step]:
        for spot in np.ndindex(x.shape):
            yield _tuple_of([(spot, None), arrays.get(tape, x, spot)])
    return Lazy(tape, (x,), go)


def iterated(tape: Any, xs: Any) -> Any:
    """iter(xs): an object, if that is what __iter__ gives, or what stands for an iterator."""
    if isinstance(xs, Lazy):
        return xs
    if is_record(xs) and hasattr(type(xs), "__iter__"):
        made = asked_for_items(tape, xs)
        return made if is_record(made) else Lazy(tape, (), lambda _: steps(tape, made))
    return Lazy(tape, (xs,), lambda lazy: lazy.of(0), 0)


def backwards(tape: Any, xs: Any) -> Lazy:
    """reversed(xs): from what is the last item where this is called, and not where the first one
    is asked for; at an end as soon as a list has become too short."""
    last = len(xs) - 1
    if isinstance(xs, enum.EnumMeta) and type(xs).__reversed__ is not enum.EnumMeta.__reversed__:
        raise UnsupportedSyntaxError(
            f"a {type(xs).__name__} is a {enum.EnumMeta.__name__} of a kind of its own, which "
            "cannot be followed", tape.place(), "loop over a list of the members")

    def go(lazy: Lazy) -> Iterator[Step]:
        if isinstance(xs, OF_DICTS):
            yield from steps_of_dict(tape, xs, reversed)
            return
        if isinstance(xs, enum.EnumMeta):
            members: list[Any] = list(reversed(xs))
            yield from ((member, None) for member in members)
            return
        for k in range(last, -1, -1):
            if isinstance(xs, list) and k >= len(xs):
                return
            if isinstance(xs, tuple):
                yield xs[k], lazy._keeping(0, k) if holds(xs[k]) else None
            else:
                yield tape.got(xs, k)
    return Lazy(tape, (xs,), go)


def mapped(tape: Any, function: Any, *operands: Any, starred: bool = False) -> Lazy:
    """map(function, xs, ys); starred: itertools.starmap(function, xs)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        sources = [lazy.of(k + 1) for k in range(len(operands))]

        def ask() -> Step | None:
            found: list[Step] = []
            for source in sources:
                step = next(source, None)
                if step is None:
                    lazy.pass_over(found)
                    return None
                found.append(step)
            if starred:
                found = _taken_apart(tape, *found[0])
            made = lazy.called(function, *(v for v, _ in found))
            if made is None:
                lazy.pass_over(found)
                return None
            return made[0], _through(made[1], [b for _, b in found])
        return Asking(ask)
    return Lazy(tape, (function, *operands), go, 1)


def _taken_apart(tape: Any, value: Any, back: Back | None) -> list[Step]:
    """The parts of a tuple, whose adjoints go back to it together: those of the later parts first,
    so the first part hands all of them on."""
    items = tape.listed(value)
    if not isinstance(items, tuple) or back is None:
        return [(v, read(tape, items, k) if holds(v) and not isinstance(items, tuple) else None)
                for k, v in enumerate(items)]
    held = Parts()

    def keeping(k: int) -> Back:
        def keep(adjoint: Any) -> None:
            if adjoint is not None:
                held[k] = adjoint
            if k == 0:
                parts = Parts(held)
                held.clear()
                back(parts or None)
        return keep
    return [(v, keeping(k)) for k, v in enumerate(items)]


def repeated(tape: Any, x: Any, *times: Any) -> Lazy:
    """itertools.repeat(x, times)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        for _ in itertools.repeat(None, *times):
            yield x, lazy._whole(0) if holds(x) else None
    return Lazy(tape, (x, *times), go)


def compressed(tape: Any, xs: Any, which: Any) -> Lazy:
    """itertools.compress(xs, which)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        items, choices = lazy.of(0), lazy.of(1)

        def ask() -> Step | None:
            for step in items:
                choice = next(choices, None)
                if choice is None:
                    lazy.pass_over([step])
                    break
                if operations.truth(tape, choice[0]):
                    return _in_front(step, choice[1])
                lazy.pass_over([step, choice])
            return None
        return Asking(ask)
    return Lazy(tape, (xs, which), go, 0)


def _in_front(step: Step, later: Back | None) -> Step:
    """An item behind which something else was computed, that is undone first."""
    value, back = step

    def in_front(adjoint: Any) -> None:
        later(None)                                                     # type: ignore[misc]
        if back is not None:
            back(adjoint)
    return step if later is None else (value, in_front)


def chained_all(tape: Any, xss: Any) -> Lazy:
    """itertools.chain.from_iterable(xss)"""
    def items(lazy: Lazy, number: int, xs: Any) -> Iterator[Step]:
        if not isinstance(xs, tuple):
            return steps(tape, xs)
        keep = functools.partial(lazy._deep, 0) if isinstance(xss, tuple) \
            else functools.partial(_in_slot, tape, xss)
        return ((value, keep(number, k) if holds(value) else None) for k, value in enumerate(xs))

    def sources(lazy: Lazy) -> Iterator[Iterator[Step]]:
        for number, (xs, back) in enumerate(lazy.of(0)):
            if not isinstance(xss, (tuple, *LISTS)):        # which computes what it hands out
                lazy.pass_over([(xs, back)])
            yield items(lazy, number, xs)
    return Lazy(tape, (xss,), lambda lazy: _one_after_the_other(sources(lazy)), 0)


def _one_after_the_other(sources: Iterator[Iterator[Step]]) -> Asking:
    """The items of each: of one that fails again, of one that has ended no more."""
    now: Iterator[Step] | None = None

    def ask() -> Step | None:
        nonlocal now
        while True:
            if now is None:
                now = next(sources, None)
                if now is None:
                    return None
            step = next(now, None)
            if step is not None:
                return step
            now = None
    return Asking(ask)


def _in_slot(tape: Any, container: Any, number: Any, k: int) -> Back:
    def back(adjoint: Any) -> None:
        if adjoint is not None:
            if not isinstance(container, LISTS):
                raise UnsupportedSyntaxError("tuples of what is no list are chained", tape.place(),
                                             "make a list of them first")
            tape.adjoints.add_slot(container, number, Parts({k: adjoint}))
    return back


def _through(back: Back | None, befores: list[Back | None]) -> Back | None:
    def through(adjoint: Any) -> None:
        parts = back(adjoint) if back is not None else None
        for k in range(len(befores) - 1, -1, -1):
            before = befores[k]
            if before is not None:
                before(parts[k] if parts is not None else None)
    return None if back is None and all(b is None for b in befores) else through


def filtered(tape: Any, function: Any, xs: Any, wanted: bool = True) -> Lazy:
    """filter(function, xs); not wanted: itertools.filterfalse(function, xs)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        items = lazy.of(1)

        def ask() -> Step | None:
            for value, back in items:
                keep = (value,) if function is None else lazy.aside(function, value)
                if keep is not None and operations.truth(tape, keep[0]) is wanted:
                    return value, back
                lazy.pass_over([(value, back)])
                if keep is None:
                    break
            return None
        return Asking(ask)
    return Lazy(tape, (function, xs), go, 1)


def chained(tape: Any, *operands: Any) -> Lazy:
    """itertools.chain(xs, ys)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        return _one_after_the_other(lazy.of(k) for k in range(len(operands)))
    return Lazy(tape, operands, go)


def sliced(tape: Any, xs: Any, *bounds: Any) -> Lazy:
    """itertools.islice(xs, start, stop, step)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        wanted = itertools.islice(itertools.count(), *bounds)
        stop, following = slice(*bounds).stop, next(wanted, None)
        for place, step in enumerate(lazy.of(0)) if stop != 0 else ():
            if place == following:
                yield step
                following = next(wanted, None)
            else:
                lazy.pass_over([step])
            if place + 1 == stop or (stop is None and following is None):
                return                          # not a step further than Python goes
    return Lazy(tape, (xs, *bounds), go, 0)


def indexed(choose: Callable[..., Any], *operands: Any, tape: Any, count: int,
            **options: Any) -> Lazy:
    """itertools.product, combinations and their like: they choose among positions, and so among
    items; count: how many of the operands are sequences."""
    sequences = [tape.listed(operand) for operand in operands[:count]]
    # They choose among what is in a list by now.
    sequences = [gathered(tape, steps(tape, one), tape.pushed()) if isinstance(one, list)
                 else one for one in sequences]

    def go(lazy: Lazy) -> Iterator[Step]:
        spots = [range(len(sequence)) for sequence in sequences]
        for chosen in choose(*spots, *operands[count:], **options):
            found: list[Step] = []
            for number, k in enumerate(chosen):
                which = number % count
                sequence = sequences[which]
                value = sequence[k]
                back = None if not holds(value) else lazy._keeping(which, k) \
                    if isinstance(sequence, tuple) else read(tape, sequence, k)
                found.append((value, back))
            yield _tuple_of(found)
    return Lazy(tape, tuple(sequences), go)


def zipped_to_longest(tape: Any, *xs: Any, filling: Any = None) -> Lazy:
    """itertools.zip_longest(xs, ys, fillvalue=filling)"""
    def go(lazy: Lazy) -> Iterator[Step]:
        sources: list[Any] = [lazy.of(k) for k in range(len(xs))]
        while True:
            found: list[Step] = []
            for number, source in enumerate(sources):
                step = next(source, None) if source is not None else None
                if step is None:
                    sources[number] = None
                    step = filling, lazy._whole(len(xs)) if holds(filling) else None
                found.append(step)
            if all(source is None for source in sources):
                return
            yield _tuple_of(found)
    return Lazy(tape, (*xs, filling), go)


def paired(tape: Any, xs: Any) -> Lazy:
    """itertools.pairwise(xs): an item has the adjoints of two places."""
    def go(lazy: Lazy) -> Iterator[Step]:
        held: list[Any] = [None]                # the adjoint of the item that two pairs share
        items = lazy.of(0)
        step = next(items, None)
        if step is None:
            return
        value, first = step
        is_alone = True
        for item, back in items:
            lazy.moves_on()
            yield (value, item), _of_pair(held, back, first if is_alone else None)
            value, is_alone = item, False
        if is_alone:
            lazy.pass_over([step])
    return Lazy(tape, (xs,), go, 0)


def _of_pair(held: list[Any], second: Back | None, first: Back | None) -> Back:
    def of_pair(adjoint: Any) -> None:
        parts = adjoint or {}
        own = add(held[0], parts.get(1))
        held[0] = parts.get(0)
        if second is not None:
            second(own)
        if first is not None:
            first(held[0])
            held[0] = None
    return of_pair


def while_true(tape: Any, function: Any, xs: Any, *, drop: bool) -> Lazy:
    """itertools.takewhile and dropwhile"""
    def go(lazy: Lazy) -> Iterator[Step]:
        items, asks, ended = lazy.of(1), True, False     # asks: the function; ended: takewhile

        def ask() -> Step | None:
            nonlocal asks, ended
            for value, back in items if not ended else ():
                answer = lazy.aside(function, value) if asks else (False,)
                holding = answer is not None and operations.truth(tape, answer[0])
                if answer is not None and holding is not drop:
                    asks = not drop
                    return value, back
                lazy.pass_over([(value, back)])
                if not holding:
                    ended = answer is not None
                    break
            return None
        return Asking(ask)
    return Lazy(tape, (function, xs), go, 1)


def accumulated(tape: Any, xs: Any, function: Any = operator.add, *, initial: Any = None) -> Lazy:
    """itertools.accumulate: the adjoint of each sum goes to the one before it, too."""
    def go(lazy: Lazy) -> Iterator[Step]:
        items = lazy.of(0)
        held: list[Any] = [None]                # the adjoint of the sum so far
        value: Any = initial
        first, given = initial is None, initial is None

        def ask() -> Step | None:
            nonlocal value, first, given
            if not given:
                given = True
                return value, _kept(held, lazy._whole(2))
            taken = next(items, None)
            if taken is None:
                return None
            item, back = taken
            if first:
                lazy.moves_on()
                value, first = item, False
                return value, _kept(held, back)
            made = lazy.called(function, value, item)
            if made is None:
                lazy.pass_over([(item, back)])
                return None
            lazy.moves_on()
            value, step = made
            return value, _stepped(held, step, back)
        return Asking(ask)
    return Lazy(tape, (xs, function, initial), go, 0)


def _kept(held: list[Any], back: Any) -> Back:
    def kept(adjoint: Any) -> None:
        found, held[0] = add(held[0], adjoint), None
        if back is not None:
            back(found)
    return kept


def _stepped(held: list[Any], step: Back | None, back: Back | None) -> Back:
    def stepped(adjoint: Any) -> None:
        found, held[0] = add(held[0], adjoint), None
        parts = step(found) if step is not None else None
        if parts is not None:
            held[0] = parts[0]
        if back is not None:
            back(parts[1] if parts is not None else None)
    return stepped
