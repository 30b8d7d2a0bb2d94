"""Items of containers: read, written and deleted, one by one and in slices.

What a slot holds comes from what was written there last, so its adjoint goes there and is taken out
of the slot. A change that moves other items is one of `rearranging`.
"""
from __future__ import annotations

from typing import Any

from tangent_lite.heap.containers import Moves, holds, position, read, written
from tangent_lite.heap.memory import add
from tangent_lite.heap.primitives import Back
from tangent_lite.heap.rearranging import rearranged


def get(tape: Any, container: Any, key: Any) -> tuple[Any, Back | None]:
    """container[key]"""
    value = container[key]
    if type(key) is not int and isinstance(key, slice):
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
        adjoint = add(adjoint, tape.adjoints.slots(container).pop(key, None))
        if made is not None:
            made(adjoint)
    return value, back


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
        items = tape.listed(value)
        return rearranged(tape, container, lambda: container.__setitem__(key, items), 1,
                          _slice_origin(container, key, items), items)
    spot = position(container, key)
    container[key] = value
    tape.heap.write(container)
    return written(tape, container, spot)


def delete(tape: Any, container: Any, key: Any) -> Back | None:
    """del container[key]"""
    if isinstance(container, dict):
        del container[key]
        tape.heap.write(container)
        return None
    kept = list(range(len(container)))
    del kept[key]
    return rearranged(tape, container, lambda: container.__delitem__(key), 0, kept, None)


def _slice_origin(container: list[Any], key: slice, items: Any) -> list[Any]:
    spots: list[Any] = list(range(len(container)))
    spots[key] = [("new", number) for number in range(len(items))]
    return spots
