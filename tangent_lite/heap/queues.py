"""heapq: the items of a list stand elsewhere afterwards, and the adjoints go back with them.

The comparisons are those of CPython, in its order, so that ties fall the same way. Where they would
run code of the user's (`__lt__` of an object), what a function does is followed as the Python that
it stands for (`rules.ordered_lists`).
"""
from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from typing import Any

from tangent_lite.calling.keys import PLAIN
from tangent_lite.heap.handlers import handles
from tangent_lite.heap.primitives import Back
from tangent_lite.heap.rearranging import rearranged
from tangent_lite.rules import ordered_lists


@handles(heapq.heappush)
def heappush_(tape: Any, heap: Any, item: Any) -> tuple[Any, Back | None]:
    path = _towards_the_root(heap, item) if type(heap) is list else None
    if path is None:
        return tape.called(ordered_lists.heappush, (heap, item), {})
    tape.heap.write(heap)
    heap.append(item)
    _move(heap, path, item)

    def back(_: Any) -> Any:
        return None, _moved_back(tape, heap, path)
    return None, back


@handles(heapq.heappop)
def heappop_(tape: Any, heap: Any) -> tuple[Any, Back | None]:
    if type(heap) is list and not heap:
        heapq.heappop(heap)                     # raises what it raises
    end = len(heap) - 1
    path = _from_the_root(heap, heap[end], end) if type(heap) is list else None
    if path is None:
        return tape.called(ordered_lists.heappop, (heap,), {})
    tape.heap.write(heap)
    last = heap.pop()
    if not heap:
        return last, lambda adjoint: _put(tape, heap, 0, adjoint)
    smallest = heap[0]
    _move(heap, path, last)

    def back(adjoint: Any) -> None:
        _put(tape, heap, end, _moved_back(tape, heap, path))
        _put(tape, heap, 0, adjoint)
    return smallest, back


@handles(heapq.heapreplace)
def heapreplace_(tape: Any, heap: Any, item: Any) -> tuple[Any, Back | None]:
    if type(heap) is list and not heap:
        heapq.heapreplace(heap, item)           # raises what it raises
    path = _from_the_root(heap, item, len(heap)) if type(heap) is list else None
    if path is None:
        return tape.called(ordered_lists.heapreplace, (heap, item), {})
    return _replaced(tape, heap, item, path)


@handles(heapq.heappushpop)
def heappushpop_(tape: Any, heap: Any, item: Any) -> tuple[Any, Back | None]:
    path = _from_the_root(heap, item, len(heap)) if type(heap) is list else None
    if path is None:
        return tape.called(ordered_lists.heappushpop, (heap, item), {})
    if heap and heap[0] < item:
        return _replaced(tape, heap, item, path)
    return item, lambda adjoint: (None, adjoint)


def _replaced(tape: Any, heap: list[Any], item: Any, path: list[int]) -> tuple[Any, Back]:
    """The smallest item, in whose place another one comes."""
    smallest = heap[0]
    tape.heap.write(heap)
    _move(heap, path, item)

    def back(adjoint: Any) -> Any:
        own = _moved_back(tape, heap, path)
        _put(tape, heap, 0, adjoint)
        return None, own
    return smallest, back


@handles(heapq.heapify)
def heapify_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    if type(x) is not list or not all(map(_is_plain, x)):
        return tape.called(ordered_lists.heapify, (x,), {})
    numbered = [_Numbered(item, k) for k, item in enumerate(x)]
    heapq.heapify(numbered)

    def change() -> None:
        x[:] = [one.item for one in numbered]
    return None, rearranged(tape, x, change, 0, [one.number for one in numbered], None)


class _Numbered:
    """An item that is compared as itself, and says where it was."""
    __slots__ = ("item", "number")

    def __init__(self, item: Any, number: int) -> None:
        self.item, self.number = item, number

    def __lt__(self, other: _Numbered) -> bool:
        return bool(self.item < other.item)


def _is_plain(item: Any) -> bool:
    """Whether comparing an item runs no code but Python's own."""
    return type(item) in PLAIN or (type(item) is tuple and all(map(_is_plain, item)))


# An item moves along a path: what stood at path[k + 1] stands at path[k] then, and it at the last
# place. None where what is compared on the way is not plain.
def _towards_the_root(heap: list[Any], item: Any) -> list[int] | None:
    """The path of an item that is appended."""
    path = [len(heap)]
    if not _is_plain(item):
        return None
    while path[-1] > 0:
        above = (path[-1] - 1) >> 1
        if not _is_plain(heap[above]):
            return None
        if not item < heap[above]:
            break
        path.append(above)
    return path


def _from_the_root(heap: list[Any], item: Any, end: int) -> list[int] | None:
    """The path of an item in the place of the first one, in front of end: the smaller children move
    up until a leaf is free; it is put there, and moves up."""
    if not _is_plain(item) or not all(map(_is_plain, heap[:1])):
        return None
    path, child = [0], 1
    while child < end:
        if not all(map(_is_plain, heap[child:min(child + 2, end)])):
            return None
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        path.append(child)
        child = 2 * child + 1
    while len(path) > 1 and item < heap[path[-1]]:
        path.pop()
    return path


def _move(heap: list[Any], path: Sequence[int], item: Any) -> None:
    for place, other in itertools.pairwise(path):
        heap[place] = heap[other]
    heap[path[-1]] = item


def _moved_back(tape: Any, heap: list[Any], path: Sequence[int]) -> Any:
    """The adjoint of the item that moved; those of the others go where they stood."""
    slots = tape.adjoints.slots(heap)
    own = slots.pop(path[-1], None)
    for k in range(len(path) - 2, -1, -1):
        adjoint = slots.pop(path[k], None)
        if adjoint is not None:
            slots[path[k + 1]] = adjoint
    return own


def _put(tape: Any, heap: list[Any], place: int, adjoint: Any) -> None:
    if adjoint is not None:
        tape.adjoints.slots(heap)[place] = adjoint
