"""What can be reached along edges."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping


def reached(start: Iterable[str], edges: Mapping[str, Collection[str]]) -> set[str]:
    """Where one comes to from these, they themselves included.

    >>> sorted(reached(["a"], {"a": {"b"}, "b": {"c"}, "d": {"a"}}))
    ['a', 'b', 'c']
    """
    found = set(start)
    todo = list(found)
    while todo:
        more = set(edges.get(todo.pop(), ())) - found
        found |= more
        todo += more
    return found
