"""What functions of the standard library do that are written in C, or in Python too general to be
followed, written as Python that is followed like the user's own code.
"""
from __future__ import annotations

import copy
import dataclasses
from typing import Any


# heapq: the same comparisons in the same order as in CPython, so that ties fall the same way ------
def heappush(heap: Any, item: Any) -> None:
    heap.append(item)
    _towards_the_root(heap, 0, len(heap) - 1)


def heappop(heap: Any) -> Any:
    last = heap.pop()
    if len(heap) == 0:
        return last
    smallest = heap[0]
    heap[0] = last
    _from_the_root(heap, 0)
    return smallest


def heapreplace(heap: Any, item: Any) -> Any:
    smallest = heap[0]
    heap[0] = item
    _from_the_root(heap, 0)
    return smallest


def heappushpop(heap: Any, item: Any) -> Any:
    if len(heap) > 0 and heap[0] < item:
        smallest = heap[0]
        heap[0] = item
        _from_the_root(heap, 0)
        return smallest
    return item


def heapify(x: Any) -> None:
    for place in range(len(x) // 2 - 1, -1, -1):
        _from_the_root(x, place)


def nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def _towards_the_root(heap: Any, start: int, place: int) -> None:
    """Move the item at a place up to where it belongs."""
    item = heap[place]
    while place > start:
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _from_the_root(heap: Any, start: int) -> None:
    """Move the smaller children up until a leaf is free, put the item there, and move it up."""
    item = heap[start]
    place, length = start, len(heap)
    child = 2 * place + 1
    while child < length:
        if child + 1 < length and not heap[child] < heap[child + 1]:
            child = child + 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _towards_the_root(heap, start, place)


# dataclasses -----------------------------------------------------------------------------------
def asdict(obj: Any, *, dict_factory: Any = dict) -> Any:
    if not dataclasses.is_dataclass(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    pairs = []
    for field in dataclasses.fields(obj):
        pairs.append((field.name, _plain(getattr(obj, field.name), dict_factory)))
    return dict_factory(pairs)


def astuple(obj: Any, *, tuple_factory: Any = tuple) -> Any:
    if not dataclasses.is_dataclass(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    parts = []
    for field in dataclasses.fields(obj):
        parts.append(_listed(getattr(obj, field.name), tuple_factory))
    return tuple_factory(parts)


def _plain(value: Any, factory: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return asdict(value, dict_factory=factory)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_plain(part, factory) for part in value])
    if isinstance(value, (list, tuple)):
        return type(value)([_plain(part, factory) for part in value])
    if isinstance(value, dict):
        return type(value)([(_plain(key, factory), _plain(part, factory))
                            for key, part in value.items()])
    return copy.deepcopy(value)


def _listed(value: Any, factory: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return astuple(value, tuple_factory=factory)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_listed(part, factory) for part in value])
    if isinstance(value, (list, tuple)):
        return type(value)([_listed(part, factory) for part in value])
    if isinstance(value, dict):
        return type(value)([(_listed(key, factory), _listed(part, factory))
                            for key, part in value.items()])
    return copy.deepcopy(value)
