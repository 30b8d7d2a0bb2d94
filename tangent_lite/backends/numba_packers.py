"""What puts the arguments of later calls into the form in which compiled code takes them.

    def pack(x):                            # a list of tuples (W, b)
        if type(x) is not list: raise ElsewhereError
        for item in x:
            if type(item) is not tuple or len(item) != 2: raise ElsewhereError
            ...
        return Listed((*x,))

That is `packed` of `numba_containers`, written out for arguments like those of one call. Numba
looks at the dtypes, ranks and layouts of arrays and at the lengths of lists itself; here it is
asked whether everything is of the very type that it was.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.backends.numba_containers import Listed, record_class
from tangent_lite.keys import PLAIN, key_of


class ElsewhereError(Exception):
    """The argument is of another kind than the one that the variant was made for."""


def packer(value: Any) -> Callable[[Any], Any] | None:
    """The function that packs arguments like a value; None where `packed` has to."""
    writer = _Writer()
    if not writer.fits(value):
        return None
    result = writer.look("x", value, 1)
    text = "\n".join(["def pack(x):", *writer.lines, f"    return {result}"])
    exec(text, writer.space)
    made: Callable[[Any], Any] = writer.space["pack"]
    return made


class _Writer:
    def __init__(self) -> None:
        self.space: dict[str, Any] = {"ElsewhereError": ElsewhereError, "Listed": Listed,
                                      "ndarray": np.ndarray}
        self.lines: list[str] = []
        self.count = 0

    def fits(self, value: Any) -> bool:
        """Whether all of a value is of the types that are written out."""
        kind = type(value)
        if kind in PLAIN or kind is np.ndarray:
            return True
        if kind is list or kind is tuple:
            return bool(value) and all(map(self.fits, value))
        return kind is dict and all(map(self.fits, value.values()))

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}_{self.count}"

    def unless(self, depth: int, test: str) -> None:
        self.lines += ["    " * depth + f"if {test}:", "    " * depth + "    raise ElsewhereError"]

    def look(self, name: str, value: Any, depth: int) -> str:
        """Write the tests of what a name means; the text of what it is packed as."""
        kind = type(value)
        if kind is list and len({key_of(item) for item in value}) == 1:
            return self.look_at_items(name, value, depth)
        if kind in (list, tuple):
            self.unless(depth, f"type({name}) is not {kind.__name__} "
                               f"or len({name}) != {len(value)}")
            names, parts = self.look_at_parts(name, value, depth)
            if kind is list:
                return f"Listed(({', '.join(parts)},))"
            return name if parts == names else f"({', '.join(parts)},)"
        if kind is dict:
            keys = self.fresh("keys")
            self.space[keys] = list(value)
            self.unless(depth, f"type({name}) is not dict or [*{name}] != {keys}")
            _, parts = self.look_at_parts(f"{name}.values()", value.values(), depth)
            record = self.fresh("Record")
            self.space[record] = record_class(tuple(value), True)
            return f"{record}({', '.join([*parts, 'None'])})"
        known = self.fresh("known")
        self.space[known] = kind
        self.unless(depth, f"type({name}) is not {known}")
        return name

    def look_at_items(self, name: str, value: list[Any], depth: int) -> str:
        """Of a list of things of one kind."""
        item, made = self.fresh("item"), self.fresh("made")
        self.unless(depth, f"type({name}) is not list")
        start = len(self.lines)
        self.lines.append("    " * depth + f"for {item} in {name}:")
        result = self.look(item, value[0], depth + 1)
        if result == item:
            return f"Listed((*{name},))"
        self.lines.insert(start, "    " * depth + f"{made} = []")
        self.lines.append("    " * (depth + 1) + f"{made}.append({result})")
        return f"Listed((*{made},))"

    def look_at_parts(self, whole: str, values: Any, depth: int) -> tuple[list[str], list[str]]:
        """(names of the parts of a tuple or dict, what each is packed as)."""
        names = [self.fresh("part") for _ in values]
        if names:
            self.lines.append("    " * depth + f"({', '.join(names)},) = {whole}")
        return names, [self.look(part, one, depth) for part, one in zip(names, values)]
