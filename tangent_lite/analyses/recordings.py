"""What is recorded in the forward pass: which statement saves what, and what is put on tapes."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite.analyses.rotations import Rotation
from tangent_lite.analyses.segments import Carried


@dataclass(eq=False, repr=False)
class Save:
    """What a statement overwrites: a name, or the part of a buffer at index (None: all of it)."""
    name: str
    buffer: bool
    index: gast.expr | None
    in_loop: bool
    element: bool = False           # the part is a number, so that it needs no copy
    change: str | None = None       # what happened to a list: "append", "insert", "pop", "set"; all
    #                                 ("all items" of a dict)
    item: str | None = None         # the name of what came out of it
    may_be_list: bool = False       # the part may be a list itself
    arrays: str = ""                # the arrays of places in the index, see `arrays_in`


@dataclass(eq=False, repr=False)
class Records:
    """What each statement, block and loop of a function records for the backward pass."""
    saves: dict[int, list[Save]] = field(default_factory=dict)      # by id of the statement
    again: dict[int, list[gast.stmt]] = field(default_factory=dict)  # computed again, in order
    held: dict[int, list[gast.stmt]] = field(default_factory=dict)  # read from what it has written
    starts: dict[int, list[str]] = field(default_factory=dict)      # by id of the block: on a tape
    ends: dict[int, list[str]] = field(default_factory=dict)        # ... at its end
    exits: dict[int, dict[str, bool]] = field(default_factory=dict)  # by id of a loop: conditions
    #                                         that have this value in the last iteration, if at all
    undefined: list[str] = field(default_factory=list)              # to be set to None at first
    alive: set[int] = field(default_factory=set)                    # compounds with a backward pass
    segments: dict[int, Carried] = field(default_factory=dict)      # loops that run again, by id
    moved: dict[int, Rotation] = field(default_factory=dict)        # by id of the last statement


def are_alike(one: Any, other: Any) -> bool:
    """Whether two records, or parts of them, say the same: for statements that are computed again,
    whether they are the same code, with the same marks.

    >>> read, again = (gast.parse("y = x[0]").body for _ in range(2))
    >>> are_alike(Records(again={1: read}), Records(again={1: again}))
    True
    >>> again[0].mark = 3
    >>> are_alike(Records(again={1: read}), Records(again={1: again}))
    False
    """
    if one is other:
        return True
    kind = one.__class__
    if kind is not other.__class__:
        return False
    if kind is list or kind is tuple:
        return len(one) == len(other) and all(map(are_alike, one, other))
    if kind is dict:                    # in the same order, in which names are given
        return [*one] == [*other] and all(map(are_alike, one.values(), other.values()))
    if kind in _PARTS or isinstance(one, gast.AST):
        return are_alike(one.__dict__, other.__dict__)
    return kind in _COMPARED and one == other and (kind is set or repr(one) == repr(other))


_PARTS = (Save, Records, Carried, Rotation)
_COMPARED = (bool, int, float, complex, str, set)
