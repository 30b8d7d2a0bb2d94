"""Operators of lists, tuples, dicts and sets: `xs + ys`, `xs * 3`, `d | e`, and those in place."""
from __future__ import annotations

import collections
import operator
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import special
from tangent_lite.heap.containers import LISTS, Moves, holds
from tangent_lite.heap.dicts import update
from tangent_lite.heap.primitives import Back, varies
from tangent_lite.heap.rearranging import extend, rearranged


def binary(tape: Any, name: str, x: Any, y: Any) -> tuple[Any, Back | None] | None:
    """x + y and x * n of lists and tuples, x | y of dicts; None for all others."""
    function = getattr(operator, name)
    if name == "add" and isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
        made = function(x, y)
        moves = Moves(tape, made)
        for k, item in enumerate(x):
            if holds(item):
                moves.part(k, 0, x, k)
        for k, item in enumerate(y):
            if holds(item):
                moves.part(len(x) + k, 1, y, k)
        return made, moves.back(2)
    if name == "mul" and isinstance(x, (list, tuple)) != isinstance(y, (list, tuple)):
        x, y = special.whole(tape, x), special.whole(tape, y)
        made = function(x, y)
        number, source = (0, x) if isinstance(x, (list, tuple)) else (1, y)
        moves = Moves(tape, made)
        for k, item in enumerate(made):
            if holds(item):
                moves.part(k, number, source, k % len(source))
        return made, moves.back(2)
    if name == "or_" and isinstance(x, dict) and isinstance(y, dict) \
            and not isinstance(x, collections.Counter):
        made = function(x, y)
        moves = Moves(tape, made)
        for key, item in made.items():
            if holds(item):
                moves.part(key, *((1, y, key) if key in y else (0, x, key)))
        return made, moves.back(2)
    if isinstance(x, (set, frozenset)) or isinstance(y, (set, frozenset)):
        return function(x, y), None
    return None


def in_place(tape: Any, name: str, x: Any, y: Any) -> tuple[Any, Back | None] | None:
    """x += y and x *= n of lists, x |= y of dicts; None for all others."""
    function = getattr(operator, name)
    if isinstance(x, LISTS) and (isinstance(y, np.ndarray) or (
            name != "imul" and isinstance(y, np.generic))):
        return None                     # NumPy makes an array of both
    if name == "iadd" and isinstance(x, LISTS):
        _, back = extend(tape, x, y)
        return x, _second(back)
    if name == "imul" and isinstance(x, LISTS):
        y = special.whole(tape, y)
        origin = list(range(len(x))) * max(operator.index(y), 0)
        if len(origin) <= len(x):
            return x, rearranged(tape, x, lambda: function(x, y), 0, origin, None)
        kept = len(x)
        tape.heap.write(x)
        function(x, y)

        def back(_: Any) -> None:
            slots = tape.adjoints.slots(x)
            for key in [k for k in slots if k >= kept]:
                tape.adjoints.add_slot(x, key % kept, slots.pop(key))
        return x, back
    if name == "ior" and isinstance(x, dict) and not isinstance(x, collections.Counter):
        return x, _second(update(tape, x, (y,), {})[1])
    if isinstance(x, collections.Counter) and isinstance(y, collections.Counter):
        if varies(x) or varies(y):
            raise UnsupportedSyntaxError("numbers are added up in a Counter", tape.place(),
                                         "add them up in a defaultdict(float)")
        tape.heap.write(x)
        return function(x, y), None
    if isinstance(x, set):
        tape.heap.write(x)
        return function(x, y), None
    return None


def _second(back: Back | None) -> Back | None:
    """What takes the adjoint of the first operand to the second of two."""
    if back is None:
        return None

    def second(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else (None, found[0])
    return second
