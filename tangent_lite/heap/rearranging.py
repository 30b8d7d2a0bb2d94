"""Changes after which the items of a list stand elsewhere.

Each says for the positions afterwards where their items were before, in the list or in what was
given, and the backward pass moves the adjoints back.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tangent_lite.heap import special
from tangent_lite.heap.containers import position, written
from tangent_lite.heap.memory import Parts, add
from tangent_lite.heap.primitives import Back


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
                before[old] = add(before.get(old), adjoint)
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
            shift(slots, spot, 1)
        if adjoint is not None:
            slots[spot] = adjoint
    return value, back


def shift(slots: dict[Any, Any], start: int, by: int) -> None:
    """Move the adjoints at start and behind it."""
    moved = {k + by: slots.pop(k) for k in list(slots) if k >= start}
    slots.update(moved)


def extend(tape: Any, x: Any, y: Any) -> tuple[None, Back]:
    """x.extend(y)"""
    if special.goes_lazily(y) and getattr(x, "maxlen", None) is None:
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
