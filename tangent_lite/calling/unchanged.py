"""Whether what globals hold is of the kinds that it was, told without looking at all of it anew.

    same = told_quickly([settings])     for {"rate": 0.1, "W": W, "names": ["a", "b"]}:

    def same():
        return [*d] == keys and type(d["rate"]) is float \\
            and type(d["W"]) is ndarray and d["W"].ndim == 2 and d["W"].dtype is float64 \\
            and d["names"] is names and {*map(type, names)} == {str}

What it says yes to has the key that it had (`calling/keys`). It may say no to what has it as well:
a list in a dict that was replaced by another one.
"""
from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from tangent_lite.calling.keys import PLAIN
from tangent_lite.structures.bare_objects import is_bare, is_slotted

MOST_PARTS = 60             # containers, objects and arrays that are looked at one by one
MOST_ITEMS = 12             # of a dict whose types are asked for one by one: of more, all at once
_DICTS = (dict, collections.defaultdict, collections.OrderedDict, collections.Counter)


class Told(NamedTuple):
    """Whether values hold what they did, as a function and as expressions, in which names mean
    what stands in space."""
    same: Callable[[], bool]
    texts: list[str]
    space: dict[str, Any]


def told_quickly(values: Iterable[Any], is_fixed: Callable[[Any], bool]) -> Told | None:
    """What tells whether values hold what they do by now; None of what cannot be told so.

    is_fixed: whether an object cannot come to be of another kind.

    >>> settings = {"rate": 0.1, "names": ["a", "b"]}
    >>> same = told_quickly([settings], lambda value: False).same
    >>> settings["rate"] = 0.2
    >>> settings["names"].append("c")
    >>> same()
    True
    >>> settings["rate"] = 1
    >>> same()
    False
    """
    tests = _Tests(is_fixed)
    if not all(tests.of(value, tests.name(value)) for value in values):
        return None
    # Another thread may take a key away between two tests.
    exec("def same():\n    try:\n"
         f"        return {' and '.join(tests.texts) or True}\n"
         "    except KeyError:\n        return False", tests.space)
    return Told(tests.space.pop("same"), tests.texts, tests.space)


class _Tests:
    """Writes the tests; texts: of what was found, in the names that stand in space."""

    def __init__(self, is_fixed: Callable[[Any], bool]) -> None:
        self.is_fixed = is_fixed
        self.texts: list[str] = []
        self.space: dict[str, Any] = {"told_is": operator.is_}
        self.seen: set[int] = set()

    def name(self, thing: Any) -> str:
        name = f"told_{len(self.space)}"
        self.space[name] = thing
        return name

    def of(self, value: Any, text: str) -> bool:
        """Tests that a value, which is the same object as before, has what it has; text: by which
        it is reached. False where that cannot be told."""
        kind = type(value)
        if kind in PLAIN or self.is_fixed(value) or id(value) in self.seen:
            return True
        self.seen.add(id(value))
        if len(self.seen) > MOST_PARTS:
            return False
        if kind is np.ndarray:
            self.texts += self.of_array(value, text)
            return True
        if kind in _DICTS:
            return self.of_items(value, text)
        if kind is list:
            return self.of_list(value, text)
        if isinstance(value, tuple):
            return all(self.of(part, self.name(part)) for part in value)
        if not is_bare(value) or is_slotted(value):
            return False
        self.texts.append(f"type({text}) is {self.name(kind)}")
        held = vars(value)
        self.texts.append(f"{text}.__dict__ is {self.name(held)}")
        return self.of_items(held, self.name(held))

    def of_array(self, value: np.ndarray, text: str) -> list[str]:
        return [f"{text}.ndim == {value.ndim}", f"{text}.dtype is {self.name(value.dtype)}"]

    def of_items(self, held: dict[Any, Any], text: str) -> bool:
        """Tests of the keys of a dict, and of each item: of its type, or what it holds."""
        self.texts.append(f"[*{text}] == {self.name([*held])}")
        one_by_one = len(held) <= MOST_ITEMS
        if not one_by_one:
            types = [*map(type, held.values())]
            self.texts.append(f"[*map(type, {text}.values())] == {self.name(types)}")
        for key, part in held.items():
            item = f"{text}[{key!r}]" if type(key) in (str, int) else f"{text}[{self.name(key)}]"
            if one_by_one and (type(part) in PLAIN or type(part) is np.ndarray):
                self.texts.append(f"type({item}) is {self.name(type(part))}")
            if type(part) in PLAIN:
                continue
            if type(part) is np.ndarray:        # it may be another one
                self.texts += self.of_array(part, item)
                continue
            self.texts.append(f"{item} is {self.name(part)}")
            if not self.of(part, self.name(part)):
                return False
        return True

    def of_list(self, value: list[Any], text: str) -> bool:
        """Tests of the types of items, and of each that holds others."""
        types = {*map(type, value)}
        if types <= PLAIN:
            self.texts.append(f"{{*map(type, {text})}} == {self.name(types)}")
            return len(types) < 2               # the order in which they are met counts as well
        if len(value) > MOST_PARTS:
            return False
        parts = self.name([*value])
        self.texts.append(f"len({text}) == {len(value)} and all(map(told_is, {text}, {parts}))")
        return all(self.of(part, self.name(part)) for part in value)
