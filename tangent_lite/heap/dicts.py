"""Dicts that are made of items and of other dicts, and those that others are put into.

Each value comes from an operand or from a slot of another container, and its adjoint goes there.
"""
from __future__ import annotations

from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import special
from tangent_lite.heap.containers import Moves, Stars, holds
from tangent_lite.heap.memory import Parts, add
from tangent_lite.heap.primitives import Back


def dict_display(tape: Any, parts: tuple[Any, ...],
                 made: dict[Any, Any] | None = None) -> tuple[dict[Any, Any], Back | None]:
    """A dict of (key, value, key, value, ...), among which may be Stars."""
    made = {} if made is None else made
    sources: dict[Any, tuple[int, Any, Any]] = {}
    number = 0
    while number < len(parts):
        part = parts[number]
        if isinstance(part, Stars):
            items = as_dict(tape, part.items)
            for key in items:
                made[key] = items[key]
                sources[key] = (number, items, key)
            number += 1
        else:
            special.hashed(tape, part)
            made[part] = parts[number + 1]
            sources[part] = (number + 1, None, None)
            number += 2
    moves = Moves(tape, made)
    for key, (operand, container, inner) in sources.items():
        if holds(made[key]):
            moves.moves.append((key, operand, container, inner))
    return made, moves.back(len(parts))


def as_dict(tape: Any, x: Any) -> Any:
    """What an object that has keys gives for them, as a dict whose adjoints go where the values
    came from; all else as it is."""
    if not special.is_record(x) or not hasattr(type(x), "keys"):
        return x
    keys, first = tape.called(type(x).keys, (x,), {})
    if first is not None:
        tape.push(lambda _: first(None))
    made: dict[Any, Any] = {}
    steps: list[tuple[Any, Back | None]] = []
    for key in tape.listed(keys):
        special.hashed(tape, key)
        before = tape.pushed()
        made[key], back = tape.got(x, key)
        steps.append((key, tape.with_pushed(back, before)))

    def gather(_: Any) -> None:
        slots = tape.adjoints.slots(made)
        for key, back in reversed(steps):
            adjoint = slots.pop(key, None)
            if back is not None:
                back(adjoint)
    tape.push(gather)
    return made


def update(tape: Any, x: dict[Any, Any], others: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[None, Back]:
    """x.update(other, **keywords)"""
    tape.heap.write(x)
    sources: dict[Any, tuple[int, Any, Any]] = {}
    for other in others:
        other = as_dict(tape, other)
        if isinstance(other, dict):
            for key in list(other):
                sources[key] = (0, other, key)
                x[key] = other[key]
        else:
            if special.goes_lazily(other) and other.runs and x:
                raise UnsupportedSyntaxError("a dict is updated by a generator, which may look at "
                                             "it", tape.place(), "give it a list: [...]")
            pairs = tape.listed(other)
            for number, pair in enumerate(pairs):
                key, value = pair
                special.hashed(tape, key)
                sources[key] = (0, (pairs, number, pair), 1)
                x[key] = value
    for number, (key, value) in enumerate(keywords.items()):
        sources[key] = (len(others) + number, None, None)
        x[key] = value

    def back(_: Any) -> Any:
        adjoints = tape.adjoints
        slots = adjoints.slots(x)
        out: list[Any] = [None] * (len(others) + len(keywords))
        for key, (operand, container, inner) in sources.items():
            adjoint = slots.pop(key, None)
            if adjoint is None:
                continue
            if container is None:
                out[operand] = adjoint
            elif isinstance(container, dict):
                adjoints.add_slot(container, inner, adjoint)
            else:
                pairs, number, pair = container
                part = Parts({inner: adjoint})
                if not isinstance(pair, tuple):
                    adjoints.add_slot(pair, inner, adjoint)
                elif isinstance(pairs, tuple):
                    out[operand] = add(out[operand], Parts({number: part}))
                else:
                    adjoints.add_slot(pairs, number, part)
        return out
    return None, back
