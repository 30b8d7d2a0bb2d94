"""What functions that cannot be looked into do to what they are given: nothing, or it is refused.

What they write would not be undone in the backward pass.
"""
from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from tangent_lite.errors import AliasError


@contextlib.contextmanager
def untouched(tape: Any, name: str, given: Any) -> Iterator[None]:
    """Refuse what changes an array or a container that it is given."""
    before = list(_contents(given))
    yield
    for thing, copied in before:
        now = thing if not isinstance(thing, np.ndarray) else thing.tobytes()
        if not (now == copied if isinstance(thing, np.ndarray) else _is_alike(now, copied)):
            raise AliasError(f"{name} changes what it is given, and cannot be looked into",
                             tape.place(), "call it outside, before, and pass what it changed")


def _contents(given: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(given, np.ndarray):
        yield given, given.tobytes()
    elif isinstance(given, (list, collections.deque, dict, set)):
        yield given, given.copy()
        for part in given.values() if isinstance(given, dict) else given:
            yield from _contents(part)
    elif isinstance(given, tuple):
        for part in given:
            yield from _contents(part)


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two containers hold the same things in the same order."""
    if isinstance(one, dict) and list(one) != list(other):
        return False
    values = [list(c.values() if isinstance(c, dict) else c) for c in (one, other)]
    return len(values[0]) == len(values[1]) and all(a is b for a, b in zip(*values))
