"""What operations on lists, dicts, tuples, sets and objects do to adjoints.

The adjoint of a slot goes where its value came from. An operation that moves what lies in a list
says for each position afterwards where it was before, and the adjoints are moved back.
"""
from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.memory import Parts, can_vary
from tangent_lite.heap.models_standard import items_of
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, varies

LISTS = (list, collections.deque)


class Star:
    """A sequence of which each item is one argument, or one item of a display: *xs."""
    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items


class Stars:
    """A dict of which each item is one keyword argument, or one item of a display: **d."""
    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items


def holds(value: Any) -> bool:
    """Whether a value may have an adjoint of its own: a number that varies, or a tuple."""
    return can_vary(value) or isinstance(value, tuple)


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
                    out[operand] = _joined(out[operand], found)
                elif isinstance(container, tuple):
                    out[operand] = _joined(out[operand], Parts({key: found}))
                else:
                    adjoints.add_slot(container, key, found)
            return out
        return back


def _joined(a: Any, b: Any) -> Any:
    from tangent_lite.heap.memory import add
    return add(a, b)


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
    moves.made = made = kind(items)
    if kind is set:
        if any(can_vary(item) for item in items):
            raise UnsupportedSyntaxError("floats are put into a set, which tells nothing of where "
                                         "they came from", tape.place(), "use a list")
        return made, None
    return made, moves.back(len(parts))


def dict_display(tape: Any, parts: tuple[Any, ...],
                 made: dict[Any, Any] | None = None) -> tuple[dict[Any, Any], Back | None]:
    """A dict of (key, value, key, value, ...), among which may be Stars."""
    made = {} if made is None else made
    sources: dict[Any, tuple[int, Any, Any]] = {}
    number = 0
    while number < len(parts):
        part = parts[number]
        if isinstance(part, Stars):
            for key in part.items.keys():  # noqa: SIM118 - as Python asks for them
                made[key] = part.items[key]
                sources[key] = (number, part.items, key)
            number += 1
        else:
            made[part] = parts[number + 1]
            sources[part] = (number + 1, None, None)
            number += 2
    moves = Moves(tape, made)
    for key, (operand, container, inner) in sources.items():
        if holds(made[key]):
            moves.moves.append((key, operand, container, inner))
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


# Items ----------------------------------------------------------------------------------------
def position(container: Any, key: Any) -> Any:
    """The key of a slot: positions count from the front."""
    if isinstance(container, (tuple, *LISTS)):
        key = operator.index(key)
        return key + len(container) if key < 0 else key
    return key


def get(tape: Any, container: Any, key: Any) -> tuple[Any, Back | None]:
    """container[key]"""
    value = container[key]
    if isinstance(key, slice):
        return sliced(tape, container, key, value)
    if not holds(value) or isinstance(container, (str, bytes, range)):
        return value, None
    return value, read(tape, container, position(container, key))


def default(tape: Any, container: Any, key: Any) -> tuple[Any, Back | None]:
    """What a defaultdict makes for a key that it has not, and keeps."""
    value, made = tape.called(container.default_factory, (), {})
    container[key] = value
    tape.heap.write(container)

    def back(adjoint: Any) -> None:
        adjoint = _joined(adjoint, tape.adjoints.slots(container).pop(key, None))
        if made is not None:
            made(adjoint)
    return value, back


def read(tape: Any, container: Any, key: Any) -> Back:
    """What takes the adjoint of a value that was read to the slot it was read from."""
    if isinstance(container, tuple):
        return lambda adjoint: None if adjoint is None else (Parts({key: adjoint}),)

    def back(adjoint: Any) -> None:
        tape.adjoints.add_slot(container, key, adjoint)
    return back


def sliced(tape: Any, container: Any, key: slice, value: Any) -> tuple[Any, Back | None]:
    """container[a:b:c], a new list or tuple."""
    moves = Moves(tape, value)
    if isinstance(container, (list, tuple)):
        for number, spot in enumerate(range(*key.indices(len(container)))):
            if holds(value[number]):
                moves.part(number, 0, container, spot)
    return value, moves.back(1)


def set_(tape: Any, container: Any, key: Any, value: Any) -> Back:
    """container[key] = value"""
    if isinstance(key, slice):
        return rearranged(tape, container, lambda: container.__setitem__(key, value), 1,
                          _slice_origin(container, key, tape.listed(value)), value)
    spot = position(container, key)
    container[key] = value
    tape.heap.write(container)
    return written(tape, container, spot)


def written(tape: Any, container: Any, key: Any) -> Back:
    """What takes the adjoint of a slot to what was written there; before, the slot has none."""
    def back(_: Any) -> Any:
        return (tape.adjoints.slots(container).pop(key, None),)
    return back


def delete(tape: Any, container: Any, key: Any) -> Back | None:
    """del container[key]"""
    if isinstance(container, dict):
        del container[key]
        tape.heap.write(container)
        return None
    kept = list(range(len(container)))
    del kept[key]
    return rearranged(tape, container, lambda: container.__delitem__(key), 0, kept, None)


# Lists that are rearranged --------------------------------------------------------------------
def _slice_origin(container: list[Any], key: slice, items: Any) -> list[Any]:
    spots: list[Any] = list(range(len(container)))
    spots[key] = [("new", number) for number in range(len(items))]
    return spots


def rearranged(tape: Any, container: Any, change: Callable[[], Any], count: int,
               origin: list[Any], given: Any) -> Back:
    """A change after which position k holds what was at origin[k], or, for ("new", j), the item j
    of what was given."""
    source = tape.listed(given) if given is not None else None
    change()
    tape.heap.write(container)

    def back(_: Any) -> Any:
        adjoints = tape.adjoints
        slots = adjoints.slots(container)
        if not slots:
            return None
        before: dict[Any, Any] = {}
        own = Parts()
        for key, adjoint in list(slots.items()):
            old = origin[key]
            if source is container and isinstance(old, tuple):
                old = old[1]                    # `xs[1:] = xs`: where it was in the list itself
            if not isinstance(old, tuple):
                before[old] = _joined(before.get(old), adjoint)
            elif isinstance(source, tuple):
                own[old[1]] = adjoint
            else:
                adjoints.add_slot(source, old[1], adjoint)
        slots.clear()
        slots.update(before)
        return (own or None,) if count else None
    return back


def append(tape: Any, container: Any, value: Any) -> Back:
    """container.append(value)"""
    tape.heap.write(container)
    full = getattr(container, "maxlen", None) is not None and len(container) == container.maxlen
    if full:
        origin: list[Any] = [*range(1, len(container)), ("new", 0)][-container.maxlen:]
        if not container.maxlen:
            return _nothing
        back = rearranged(tape, container, lambda: container.append(value), 1, origin, (value,))

        def of_last(_: Any) -> Any:
            found = back(None)
            return None if found is None or found[0] is None else (found[0].get(0),)
        return of_last
    container.append(value)
    return written(tape, container, len(container) - 1)


def _nothing(_: Any) -> None:
    return None


def pop(tape: Any, container: Any, *key: Any) -> tuple[Any, Back | None]:
    """container.pop(key)"""
    spot = position(container, key[0]) if key else len(container) - 1
    value = container.pop(*key)
    tape.heap.write(container)
    last = spot == len(container)

    def back(adjoint: Any) -> None:
        slots = tape.adjoints.slots(container)
        if not last:
            _shift(slots, spot, 1)
        if adjoint is not None:
            slots[spot] = adjoint
    return value, back


def _shift(slots: dict[Any, Any], start: int, by: int) -> None:
    """Move the adjoints at start and behind it."""
    moved = {k + by: slots.pop(k) for k in list(slots) if k >= start}
    slots.update(moved)


# Operators ------------------------------------------------------------------------------------
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


def extend(tape: Any, x: Any, y: Any) -> tuple[None, Back]:
    """x.extend(y)"""
    if hasattr(y, "steps") and getattr(x, "maxlen", None) is None:
        return None, _extended_as_given(tape, x, y)
    items = tape.listed(y)
    if items is x or getattr(x, "maxlen", None) is not None:
        origin: list[Any] = [*range(len(x)), *(range(len(x)) if items is x else
                                               [("new", k) for k in range(len(items))])]
        if getattr(x, "maxlen", None) is not None:
            origin = origin[-x.maxlen:] if x.maxlen else []
        return None, rearranged(tape, x, lambda: x.extend(items), 1, origin, items)
    start = len(x)
    tape.heap.write(x)
    x.extend(items)

    def back(_: Any) -> Any:
        adjoints = tape.adjoints
        slots = adjoints.slots(x)
        own = Parts()
        for key in [k for k in slots if k >= start]:
            if isinstance(items, tuple):
                own[key - start] = slots.pop(key)
            else:
                adjoints.add_slot(items, key - start, slots.pop(key))
        return (own or None,)
    return None, back


def _extended_as_given(tape: Any, x: Any, y: Any) -> Back:
    """x.extend(y) of an iterator, which may look at x for its next item."""
    before = tape.pushed()
    done: list[tuple[Back, Back | None]] = []
    for value, back in tape.given(y):
        done.append((append(tape, x, value), tape.with_pushed(back, before)))
    last = tape.with_pushed(None, before)

    def undo(_: Any) -> None:
        if last is not None:
            last(None)
        for put, back in reversed(done):
            found = put(None)
            if back is not None:
                back(None if found is None else found[0])
    return undo


def update(tape: Any, x: dict[Any, Any], others: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[None, Back]:
    """x.update(other, **keywords)"""
    tape.heap.write(x)
    sources: dict[Any, tuple[int, Any, Any]] = {}
    undone: list[Back] = []                     # what was called to get what the dict is given
    for other in others:
        if is_record(other) and not isinstance(other, dict) and hasattr(type(other), "keys"):
            other, asked = tape.called(items_of, (other,), {})
            undone += [asked] if asked is not None else []
        if isinstance(other, dict):
            for key in list(other):
                sources[key] = (0, other, key)
                x[key] = other[key]
        else:
            if getattr(other, "runs", False) and x:
                raise UnsupportedSyntaxError("a dict is updated by a generator, which may look at "
                                             "it", tape.place(), "give it a list: [...]")
            pairs = tape.listed(other)
            for number, pair in enumerate(pairs):
                key, value = pair
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
                    out[operand] = _joined(out[operand], Parts({number: part}))
                else:
                    adjoints.add_slot(pairs, number, part)
        for one in reversed(undone):
            one(None)
        return out
    return None, back
