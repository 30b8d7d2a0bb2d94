"""What functions of the standard library do that are written in C, or in Python too general to be
followed, written as Python that is followed like the user's own code.
"""
from __future__ import annotations

import bisect
import copy
import dataclasses
import math
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


def merge(*iterables: Any, key: Any = None, reverse: bool = False) -> Any:
    # Of equal items, that of the iterable in front comes first.
    lists = [list(one) for one in iterables]
    places = [0] * len(lists)
    out: list[Any] = []
    while True:
        first, best = -1, None
        for n in range(len(lists)):
            if places[n] < len(lists[n]):
                item = lists[n][places[n]]
                asked = item if key is None else key(item)
                if first < 0 or (best < asked if reverse else asked < best):
                    first, best = n, asked
        if first < 0:
            return iter(out)
        out.append(lists[first][places[first]])
        places[first] += 1


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


# bisect ------------------------------------------------------------------------------------------
def insort_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect.bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect.bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


# dataclasses -----------------------------------------------------------------------------------
def asdict(obj: Any, *, dict_factory: Any = dict) -> Any:
    if not dataclasses.is_dataclass(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _as_dict(obj, dict_factory)


def astuple(obj: Any, *, tuple_factory: Any = tuple) -> Any:
    if not dataclasses.is_dataclass(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _as_tuple(obj, tuple_factory)


def _converted(value: Any, convert: Any, factory: Any) -> Any:
    """A copy of a value in which each dataclass has been converted, as deep as it lies."""
    if dataclasses.is_dataclass(value):
        return convert(value, factory)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_converted(part, convert, factory) for part in value])
    if isinstance(value, (list, tuple)):
        return type(value)([_converted(part, convert, factory) for part in value])
    if isinstance(value, dict):
        return type(value)([(_converted(key, convert, factory), _converted(part, convert, factory))
                            for key, part in value.items()])
    return copy.deepcopy(value)


def _as_dict(value: Any, factory: Any) -> Any:
    return factory([(field.name, _converted(getattr(value, field.name), _as_dict, factory))
                    for field in dataclasses.fields(value)])


def _as_tuple(value: Any, factory: Any) -> Any:
    return factory([_converted(getattr(value, field.name), _as_tuple, factory)
                    for field in dataclasses.fields(value)])


def dist(p: Any, q: Any) -> Any:
    p, q = tuple(p), tuple(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return math.hypot(*[float(a) - float(b) for a, b in zip(p, q)])
