"""Going over the parts of a value, of which objects that hold one another have no end.

What is known of a value is a tree: a part that is held in two places is looked at twice. Of objects
that know their neighbours (a mesh: vertices hold edges, edges vertices), or that are held in two
places each by what is held in two places, that tree is larger than any memory. Few values are like
that, so a walk counts what it enters, and looks at who holds whom only where it enters too much.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tangent_lite.records import is_deep

MOST_PARTS = 1_000          # containers and objects that a walk enters without looking closer
_Result = TypeVar("_Result")
Parts = Callable[[Any], Iterable[Any]]


class TooManyParts(Exception):
    """The walk has entered more than it may."""


class Walk:
    """A walk over the parts of a value: how many it has entered, and which it passes by."""

    __slots__ = ("entered", "most", "passed_by")

    def __init__(self, most: float, passed_by: frozenset[int] = frozenset()) -> None:
        self.entered = 0
        self.most = most
        self.passed_by = passed_by

    def enter(self) -> None:
        self.entered += 1
        if self.entered > self.most:
            raise TooManyParts

    def passes_by(self, value: Any, around: tuple[type, ...]) -> bool:
        """Whether nothing is to be known of what a part holds; around: the classes around it."""
        self.enter()
        return id(value) in self.passed_by or is_deep(value, around)


def walked(value: Any, look: Callable[[Any, Walk], _Result], parts: Parts) -> _Result:
    """What `look` finds in a value; of one with too many parts without those that are tangled.

    parts: what of a value is entered in turn. What `look` enters beside that does not count here,
    so that all who look at one value pass by the same parts.
    """
    try:
        return look(value, Walk(MOST_PARTS))
    except TooManyParts:
        return look(value, Walk(float("inf"), tangled_in(value, parts)))


def tangled_in(value: Any, parts: Parts) -> frozenset[int]:
    """The parts of a value, by their ids, that hold themselves, or that are so many if each is
    counted wherever it is held that nobody looks at all of them. None if the whole is small.

    >>> ring = [1.0]
    >>> ring.append(ring)
    >>> inner = lambda value: value if isinstance(value, list) else ()
    >>> with_small_limit = lambda value: _Tangles(inner, 3).found(value)
    >>> with_small_limit([ring, [2.0]]) == {id(ring)}
    True
    >>> tower = [2.0]
    >>> for level in range(9):
    ...     tower = [tower, tower]
    >>> 0 < len(with_small_limit(tower)) < 9
    True
    """
    try:
        _enter(value, (), parts, Walk(MOST_PARTS))
    except TooManyParts:
        return _Tangles(parts, MOST_PARTS).found(value)
    return frozenset()


def _enter(value: Any, around: tuple[type, ...], parts: Parts, walk: Walk) -> None:
    if walk.passes_by(value, around):
        return
    around = (*around, type(value))
    for part in parts(value):
        _enter(part, around, parts, walk)


class _Tangles:
    """Tarjan's strongly connected components, without recursion, and how many parts each object
    has where each is counted as often as it is held."""

    def __init__(self, parts: Parts, most: int) -> None:
        self.parts = parts
        self.most = most
        self.lowest: dict[int, int] = {}        # by id, the first seen that it leads back to
        self.sizes: dict[int, int] = {}         # of those that are done
        self.tangled: set[int] = set()
        self.open: list[Any] = []               # seen, and perhaps led back to from what follows

    def found(self, value: Any) -> frozenset[int]:
        todo = [self._seen(value)]
        while todo:
            one, number, inside, rest = todo[-1]
            for part in rest:
                if id(part) not in self.lowest:
                    todo.append(self._seen(part))
                    break
                if id(part) not in self.sizes:
                    self.lowest[id(one)] = min(self.lowest[id(one)], self.lowest[id(part)])
            else:
                todo.pop()
                if todo:
                    holder = id(todo[-1][0])
                    self.lowest[holder] = min(self.lowest[holder], self.lowest[id(one)])
                if self.lowest[id(one)] == number:
                    self._close(one, inside)
        return frozenset(self.tangled)

    def _seen(self, one: Any) -> tuple[Any, int, list[Any], Any]:
        number = len(self.lowest)
        self.lowest[id(one)] = number
        self.open.append(one)
        inside = list(self.parts(one))
        return one, number, inside, iter(inside)

    def _close(self, one: Any, inside: list[Any]) -> None:
        """All that leads back to this one is seen: these hold one another."""
        ring = [self.open.pop()]
        while ring[-1] is not one:
            ring.append(self.open.pop())
        size = 1
        if len(ring) == 1 and not any(part is one for part in inside):
            size += sum(self.sizes[id(part)] for part in inside)
            # Of many parts that are held once there are as many as there are.
            is_tangled = size > self.most + 4 * len(self.lowest)
        else:
            is_tangled = True
        for member in ring:
            self.sizes[id(member)] = 1 if is_tangled else size
            if is_tangled:
                self.tangled.add(id(member))
