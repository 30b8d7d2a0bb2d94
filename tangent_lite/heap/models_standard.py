"""What functions of the standard library do that are written in C, or in Python too general to be
followed, written as Python that is followed like the user's own code.
"""
from __future__ import annotations

import bisect
import copy
import dataclasses
import math
from typing import Any


# heapq --------------------------------------------------------------------------------------------
def nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    if key is None:
        return sorted(iterable)[:max(n, 0)]
    return _chosen(n, iterable, key, False)


def nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    if key is None:
        return sorted(iterable, reverse=True)[:max(n, 0)]
    return _chosen(n, iterable, key, True)


def _chosen(n: int, iterable: Any, key: Any, reverse: bool) -> Any:
    # The key of each item is asked before there is the next one.
    items, marks = [], []
    for item in iterable if n > 0 else ():
        items.append(item)
        marks.append(key(item))
    places = sorted(range(len(items)), key=lambda k: marks[k], reverse=reverse)
    return [items[k] for k in places[:max(n, 0)]]


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
