"""Containers that are made or taken apart, and the slots that they have.

The adjoint of a slot goes where its value came from.
"""
from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import special
from tangent_lite.heap.memory import Parts, add, can_vary
from tangent_lite.heap.primitives import Back

LISTS = (list, collections.deque)
_SEQUENCES = (tuple, *LISTS)


class Star:
    """A sequence of which each item is one argument, or one item of a display: *xs."""
    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items


class Stars:
    """A dict of which each item is one keyword argument, or one item of a display: **d.

    behind: how many keyword arguments of the call stand in front of it.
    """
    __slots__ = ("behind", "items")

    def __init__(self, items: Any, behind: int = 0) -> None:
        self.items, self.behind = items, behind


HOLDING = (float, complex, np.inexact, tuple)      # see `can_vary`


def holds(value: Any) -> bool:
    """Whether a value may have an adjoint of its own: a number that varies, or a tuple."""
    return isinstance(value, HOLDING)


# Making ---------------------------------------------------------------------------------------
class Moves:
    """Where the items of a new container come from."""

    def __init__(self, tape: Any, made: Any) -> None:
        self.tape, self.made = tape, made
        self.moves: list[tuple[Any, int, Any, Any]] = []    # slot, operand, its container, its key

    def item(self, slot: Any, operand: int) -> None:
        """A slot holds an operand itself."""
        self.moves.append((slot, operand, None, None))

    def part(self, slot: Any, operand: int, container: Any, key: Any) -> None:
        """A slot holds what an operand (a container) holds."""
        self.moves.append((slot, operand, container, key))

    def back(self, count: int) -> Back | None:
        """What takes the adjoints of the slots to the operands."""
        if not self.moves:
            return None
        tape, made, moves = self.tape, self.made, self.moves

        def back(adjoint: Any) -> Any:
            adjoints = tape.adjoints
            slots = (adjoint or {}) if isinstance(made, tuple) else adjoints.slots(made)
            if not slots:
                return None
            out: list[Any] = [None] * count
            for slot, operand, container, key in moves:
                found = slots.pop(slot, None)
                if found is None:
                    continue
                if container is None:
                    out[operand] = add(out[operand], found)
                elif isinstance(container, tuple):
                    out[operand] = add(out[operand], Parts({key: found}))
                else:
                    adjoints.add_slot(container, key, found)
            return out
        return back


def display(tape: Any, kind: Callable[[Iterable[Any]], Any],
            parts: tuple[Any, ...]) -> tuple[Any, Back | None]:
    """A list, tuple or set of parts, of which some are starred."""
    items: list[Any] = []
    moves = Moves(tape, None)
    for number, part in enumerate(parts):
        if not isinstance(part, Star):
            if holds(part):
                moves.item(len(items), number)
            items.append(part)
            continue
        source = tape.listed(part.items)
        for key, item in enumerate(source):
            if holds(item):
                moves.part(len(items), number, source, key)
            items.append(item)
    if kind is set:
        special.hashed(tape, *items)
    moves.made = made = kind(items)
    if kind is set:
        if any(can_vary(item) for item in items):
            raise UnsupportedSyntaxError("floats are put into a set, which tells nothing of where "
                                         "they came from", tape.place(), "use a list")
        return made, None
    return made, moves.back(len(parts))


def unpacked(tape: Any, value: Any, before: int, star: bool,
             after: int) -> tuple[tuple[Any, ...], Back | None]:
    """The parts that `a, *b, c = value` names."""
    items = tape.listed(value, before if star else None)
    count = before + after
    if len(items) < count or (not star and len(items) > count):
        few = len(items) < count
        least = "at least " if star else ""
        raise ValueError(f"not enough values to unpack (expected {least}{count}, got {len(items)})"
                         if few else f"too many values to unpack (expected {count})")
    spots: list[Any] = list(range(before))
    parts = [items[k] for k in spots]
    middle: list[Any] | None = None
    if star:
        middle = list(items[before:len(items) - after])
        parts.append(middle)
        spots.append(None)
    last = range(len(items) - after, len(items))
    parts += [items[k] for k in last]
    spots += last

    def back(found: Any) -> Any:
        adjoints = tape.adjoints
        own = Parts()
        pairs = [(k, b) for k, b in zip(spots, found) if k is not None and b is not None]
        if middle is not None:
            slots = adjoints.slots(middle)
            pairs += [(before + k, slots.pop(k)) for k in list(slots)]
        for key, adjoint in pairs:
            if isinstance(items, tuple):
                own[key] = adjoint
            else:
                adjoints.add_slot(items, key, adjoint)
        return (own or None,)

    return tuple(parts), back


# Slots ----------------------------------------------------------------------------------------
def position(container: Any, key: Any) -> Any:
    """The key of a slot: positions count from the front."""
    if isinstance(container, _SEQUENCES):
        key = operator.index(key)
        return key + len(container) if key < 0 else key
    return key


def read(tape: Any, container: Any, key: Any) -> Back:
    """What takes the adjoint of a value that was read to the slot it was read from."""
    if isinstance(container, tuple):
        return lambda adjoint: None if adjoint is None else (Parts({key: adjoint}),)

    def back(adjoint: Any) -> None:
        if adjoint is not None:
            tape.heap.adjoints.add_slot(container, key, adjoint)
    return back


def written(tape: Any, container: Any, key: Any) -> Back:
    """What takes the adjoint of a slot to what was written there; before, the slot has none."""
    def back(_: Any) -> Any:
        return (tape.heap.adjoints.slots(container).pop(key, None),)
    return back
