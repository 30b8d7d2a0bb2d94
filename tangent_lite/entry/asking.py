"""The lines of a way in that ask whether arguments are like those that it was written for."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangent_lite.calling.keys import PLAIN, key_of


def leave_unless(tests: list[str]) -> list[str]:
    """Leave unless all tests hold; KeyError: a name is gone."""
    return ["    try:", f"        if not ({' and '.join(tests)}):", "            return ELSEWHERE",
            "    except KeyError:", "        return ELSEWHERE"] if tests else []


def is_like(name: str, value: Any, space: dict[str, Any], with_rank: bool = True) -> str:
    """Whether an argument has the key of a value; with_rank: the number of dimensions too."""
    kind = type(value)
    if kind is np.ndarray:
        dtype = f"{name.replace('.', '_')}_dtype"
        space[dtype] = value.dtype
        rank = f"and {name}.ndim == {value.ndim} " if with_rank else ""
        return f"type({name}) is ndarray {rank}and {name}.dtype is {dtype}"
    if kind in PLAIN:
        space[f"{name}_type"] = kind
        return f"type({name}) is {name}_type"
    space[f"{name}_key"] = key_of(value)
    return f"key_of({name}) == {name}_key"


class Shapes:
    """Looks at the shapes of arguments, and at the ints that sizes are said by.

    are_compared: they are first compared with those of the arguments that this is written for, as
    they mostly are; else numbers of dimensions are looked at beforehand.
    """

    def __init__(self, variant: Any, values: Sequence[Any], names: list[str],
                 space: dict[str, Any], compared: bool = False) -> None:
        self.given = ", ".join(names)
        self.is_asked = variant.fits_all is not None
        self.asks_items = None if variant.outside is None else \
            variant.outside.test_of_items(variant.kinds)
        self.arrays = [(n, v) for n, v in zip(names, values) if type(v) is np.ndarray]
        self.ints = [(n, v) for n, v in zip(names, values) if type(v) is int and self.is_asked]
        # Of what lists outside hold as items shapes say nothing.
        self.has_items = self.is_asked and variant.outside.has_items
        self.are_compared = bool(self.arrays) and (self.is_asked or compared) \
            and not self.has_items \
            and all(type(v) in PLAIN or type(v) is np.ndarray for v in values)
        space["fits"] = variant.fits_all
        self.outside = self.is_asked and bool(variant.outside.tables) and not self.has_items
        if self.outside:
            space.update(outside=variant.outside.now, outside_shapes=variant.outside.now())
        if self.are_compared:
            space.update({f"{name}_shape": value.shape for name, value in self.arrays})

    def fit(self, known: list[str] | None = None) -> list[str]:
        """Leave unless what is assumed of shapes holds; known: what to do where they are as they
        were."""
        if not self.are_compared:
            return [f"    if not fits({self.given}):", "        return ELSEWHERE"] \
                if self.is_asked else []
        others = [f"{name}.ndim == {value.ndim}" for name, value in self.arrays]
        others += [f"fits({self.given})"] if self.is_asked else []
        same = [f"{name}_now == {name}_shape" for name, _ in self.arrays]
        same += [f"{name} == {value}" for name, value in self.ints]
        same += ["outside() == outside_shapes"] if self.outside else []
        return [*[f"    {name}_now = {name}.shape" for name, _ in self.arrays],
                f"    same = {' and '.join(same)}",
                *(known or []),
                f"    if not (same or ({' and '.join(others)})):", "        return ELSEWHERE"]
