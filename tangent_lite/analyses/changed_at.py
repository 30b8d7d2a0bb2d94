"""Where in a block names are bound, arrays and lists written, and numbers written to elements.

Asked of each name of a long block, they are found in one walk of it, and not in a walk for each.
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

import gast

from tangent_lite.analyses.heads import exit_on


class ChangedAt:
    """For one block; binds, writes: what each of its statements binds, and which classes of arrays
    and lists it writes, in the statements inside it too."""

    def __init__(self, block: list[gast.stmt], binds: Callable[[gast.stmt], Iterable[str]],
                 writes: Callable[[gast.stmt], Iterable[str]]) -> None:
        self.bound: dict[str, list[int]] = {}
        self.written: dict[str, list[int]] = {}
        self.moved: dict[str, list[int]] = {}       # name -> where it is written to a part
        self.exits: dict[str, list[gast.If]] = {}   # name -> branches on it that leave the block
        for number, node in enumerate(block):
            for name in binds(node):
                self.bound.setdefault(name, []).append(number)
            for buffer in writes(node):
                self.written.setdefault(buffer, []).append(number)
            if isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
                    and isinstance(node.targets[0], gast.Subscript):
                self.moved.setdefault(node.value.id, []).append(number)
            elif isinstance(node, gast.If) and exit_on(node) is not None:
                self.exits.setdefault(node.test.id, []).append(node)

    def first(self, names: Iterable[str], buffers: Iterable[str], start: int) -> int | None:
        """The first statement from a number on that binds one of the names, or writes one of the
        buffers."""
        found = [_from(self.bound.get(name, ()), start) for name in names]
        found += [_from(self.written.get(buffer, ()), start) for buffer in buffers]
        return min((number for number in found if number is not None), default=None)

    def moved_from(self, name: str, start: int) -> list[int]:
        """The statements from a number on that write the value of a name to a part of something."""
        numbers = self.moved.get(name, [])
        return numbers[bisect_left(numbers, start):]


def _from(numbers: list[int] | tuple[int, ...], start: int) -> int | None:
    """The first of numbers in order that is no less than another."""
    place = bisect_left(numbers, start)
    return numbers[place] if place < len(numbers) else None
