"""Functions that are written line by line, for values that are made up in one way.

What looks at arguments, takes them apart, or makes gradients like them is written once for a kind
of arguments and run at each call: with the tests and names of just these, it asks nothing else.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tangent_lite.structures.bare_objects import fills


class LineWriter:
    """Writes the body of a function: its lines, and what the names in them mean (`space`)."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space
        self.lines: list[str] = []
        self.count = 0

    def fresh(self, stem: str, value: Any = None) -> str:
        """A name that is not in use yet; with a value, one that means it."""
        self.count += 1
        name = f"{stem}_{self.count}"
        if value is not None:
            self.space[name] = value
        return name

    def write(self, depth: int, *lines: str) -> None:
        self.lines += ["    " * depth + line for line in lines]

    def unpack(self, whole: str, count: int, depth: int = 1) -> list[str]:
        """Give names to the parts of a sequence of so many."""
        parts = [self.fresh("part") for _ in range(count)]
        if parts:
            self.write(depth, f"({', '.join(parts)},) = {whole}")
        return parts

    def read_attributes(self, name: str, keys: Iterable[str], is_slotted: bool,
                        depth: int = 1) -> list[str]:
        """Give names to the attributes of an object; a slot may be empty."""
        keys = list(keys)
        parts = [self.fresh("part") for _ in keys]
        self.write(depth, *(f"{part} = getattr({name}, {key!r}, MISSING)" if is_slotted
                            else f"{part} = {name}.{key}" for part, key in zip(parts, keys)))
        return parts

    def made_object(self, cls: type, named: str, held: dict[str, str],
                    is_slotted: bool) -> tuple[str, list[str]]:
        """(the name of an object of a class with these attributes, the lines that make it); none of
        the code of the class is run. named: what means the class."""
        made = self.fresh("made")
        lines = [f"{made} = {self.fresh('new', object.__new__)}({named})"]
        if is_slotted:
            lines += [f"set_attribute({made}, {key!r}, {part})" for key, part in held.items()]
        else:
            whole = ", ".join(f"{key!r}: {part}" for key, part in held.items())
            lines.append(f"{self.fresh('fill', fills(cls))}({made}, {{{whole}}})")
        return made, lines
