"""Arguments that hold others, on their way into compiled code one by one.

`packed` of `numba_containers` makes tuples of lists and dicts, and Numba goes through them at each
call to find their type. What a call from Python runs is given the numbers and arrays in them
instead, as arguments of its own, and puts them together itself, which costs nothing there:

    def flat(x):                            # in Python, or in machine code: `numba_entry`
        if type(x) is not list or len(x) != 2: raise ElsewhereError
        (part_1, part_2,) = x
        if type(part_1) is not ndarray: raise ElsewhereError
        ...
        return (part_1, part_2)

    Listed((x_0, x_1))                      # in compiled code

Numba looks at the ranks and layouts of arrays; here it is asked whether everything is of the very
type and dtype that it was, and containers as long.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tangent_lite.backends.numba_containers import (
    MOST_PARTS,
    Listed,
    can_be_field,
    record_class,
)
from tangent_lite.calling.keys import PLAIN
from tangent_lite.calling.resolve import MISSING
from tangent_lite.records import attribute_names, is_named_tuple
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.bare_objects import is_bare, is_copied_bare
from tangent_lite.structures.line_writer import LineWriter


class ElsewhereError(Exception):
    """The argument is of another kind than the one that the variant was made for."""


class Leaf(NamedTuple):
    """A number, a text or an array of this type; dtype: of an array.

    Numba looks at the dtypes of arrays itself, but takes numbers in another byte order for its own
    once it has seen an array that is not aligned.
    """
    kind: Any
    dtype: Any = None


class Holder(NamedTuple):
    """A list, tuple, dict or object made up of these parts; keys: those of a dict, or the names of
    attributes, in turn."""
    kind: Any
    parts: tuple[Any, ...]
    keys: tuple[str, ...] | None = None

    @property
    def is_slotted(self) -> bool:
        """Whether all that an object of its class holds lies in slots."""
        return "__dict__" not in dir(self.kind)


Part = Leaf | Holder


def made_up(value: Any) -> Part | None:
    """How a value is made up; None where it is passed as one thing."""
    found = _made_up(value)
    return found if found is not None and count_of(found) <= MOST_PARTS else None


def _made_up(value: Any) -> Part | None:
    kind = type(value)
    if kind in PLAIN or kind is np.ndarray:
        return leaf_of(value)
    if kind in (list, tuple) or is_named_tuple(kind):
        parts, keys = list(value), None
    elif kind is dict:
        parts, keys = list(value.values()), tuple(value)
    elif is_bare(value) and is_copied_bare(kind) and all(map(can_be_field, attribute_names(value))):
        parts, keys = list(attributes(value).values()), attribute_names(value)
    else:
        return None
    found = [_made_up(part) for part in parts]
    return Holder(kind, tuple(found), keys) if found and None not in found else None


def is_of_object(part: Part) -> bool:
    """Whether a part is an object, and none of Python's own."""
    return isinstance(part, Holder) and part.keys is not None and part.kind is not dict


def holds_objects(part: Part) -> bool:
    """Whether an object, or a tuple whose parts have names, is somewhere in a part."""
    return isinstance(part, Holder) and (
        part.kind not in (list, tuple, dict) or any(map(holds_objects, part.parts)))


def leaf_of(value: Any) -> Leaf:
    """A value as one thing."""
    return Leaf(type(value), value.dtype if type(value) is np.ndarray else None)


# In order as C or Fortran has it, aligned, to be written to.
_PLACE = 0x0001 | 0x0002 | 0x0100 | 0x0400


def places_in(value: Any) -> Iterator[tuple[int, int]]:
    """Of the arrays in a value, their number of axes and how they lie in memory."""
    if isinstance(value, np.ndarray):
        yield value.ndim, value.flags.num & _PLACE
    elif isinstance(value, (list, tuple, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from places_in(part)
    elif type(value) not in PLAIN and is_bare(value):
        for part in attributes(value).values():
            yield from places_in(part)


def count_of(part: Part) -> int:
    """How many numbers and arrays there are in a part."""
    return 1 if isinstance(part, Leaf) else sum(map(count_of, part.parts))


def leaves_of(number: int, holder: Part | None) -> list[str]:
    """The names of what is passed for an argument: one, or one for each part of one that holds
    others."""
    name = f"a{number}"
    return [name] if holder is None else [f"{name}_{j}" for j in range(count_of(holder))]


def part_named(part: Part, path: tuple[str, ...]) -> Part:
    """The part that names of attributes lead to."""
    for name in path:
        assert isinstance(part, Holder)
        names: Any = part.keys or part.kind._fields
        part = part.parts[names.index(name)]
    return part


def together(part: Part, leaves: Iterator[str], space: dict[str, Any]) -> str:
    """The text that makes what `packed` makes out of the names of leaves; what it calls is put into
    space."""
    if isinstance(part, Leaf):
        return next(leaves)
    parts = ", ".join([together(one, leaves, space) for one in part.parts])
    if is_of_object(part):
        record = record_class(part.keys, False)
        space[record.__name__] = record
        return f"{record.__name__}({parts})"
    if part.keys is not None:
        record = record_class(part.keys, True)
        space[record.__name__] = record
        return f"{record.__name__}({parts}, None)"
    if part.kind is list:
        space["Listed"] = Listed
        return f"Listed(({parts},))"
    if part.kind is not tuple:
        name = f"Named_{len(space)}"
        space[name] = part.kind
        return f"{name}({parts})"
    return f"({parts},)"


def flattener(part: Holder) -> Callable[[Any], tuple[Any, ...]]:
    """The function that takes arguments apart that are made up so, and refuses others."""
    writer = _Writer({"ElsewhereError": ElsewhereError, "MISSING": MISSING})
    leaves = writer.look("x", part)
    text = "\n".join(["def flat(x):", *writer.lines, f"    return ({', '.join(leaves)},)"])
    exec(text, writer.space)
    made: Callable[[Any], tuple[Any, ...]] = writer.space["flat"]
    return made


class _Writer(LineWriter):
    def unless(self, test: str) -> None:
        self.write(1, f"if {test}:", "    raise ElsewhereError")

    def look(self, name: str, part: Part) -> list[str]:
        """Write the tests of what a name means; the names of what is in it."""
        if isinstance(part, Leaf):
            self.unless(f"type({name}) is not {self.fresh('known', part.kind)}")
            if part.dtype is not None:
                self.unless(f"{name}.dtype != {self.fresh('dtype', part.dtype)}")
            return [name]
        is_plain = part.kind in (list, tuple, dict)
        kind = part.kind.__name__ if is_plain else self.fresh("kind", part.kind)
        if is_of_object(part):
            self.unless(f"type({name}) is not {kind}")
            names = self.attributes_of(name, part)
        elif part.keys is not None:
            keys = self.fresh("keys", list(part.keys))
            self.unless(f"type({name}) is not dict or [*{name}] != {keys}")
            names = self.unpack(f"{name}.values()", len(part.parts))
        else:
            self.unless(f"type({name}) is not {kind} or len({name}) != {len(part.parts)}")
            names = self.unpack(name, len(part.parts))
        return [leaf for one, own in zip(names, part.parts) for leaf in self.look(one, own)]

    def attributes_of(self, name: str, part: Holder) -> list[str]:
        keys = part.keys or ()
        if not part.is_slotted:
            self.unless(f"[*{name}.__dict__] != {self.fresh('keys', list(keys))}")
        return self.read_attributes(name, keys, part.is_slotted)
