"""Deterministic fresh names: `x`, `x_1`, `x_2`, ... in the order they are asked for."""
from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable
from typing import Any

RESERVED = frozenset(keyword.kwlist) | frozenset(dir(builtins))
# Builtins that are written into derivatives by their names, whatever the user calls so.
BUILTINS_WRITTEN = frozenset(["range", "len", "reversed", "min", "max", "list"])


def stem(name: str) -> str:
    """What a name was made from.

    >>> stem("bx_2"), stem("bx")
    ('bx', 'bx')
    """
    return re.sub(r"_\d+$", "", name) or name


class Names:
    """The names taken in one piece of emitted code; user names win, ours step aside.

    >>> names = Names(["x", "bx"])
    >>> names.fresh("x"), names.fresh("bx"), names.fresh("y")
    ('x_1', 'bx_1', 'y')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}
        self.versions: dict[str, str] = {}      # later versions of variables -> the user's name

    def copy(self) -> Names:
        """The same names taken, for text that is thrown away."""
        made = Names(self._taken)
        made._last = dict(self._last)
        return made

    def go_back(self, before: Names) -> None:
        """Let those names be taken that were when the copy `before` was made."""
        self._taken, self._last = set(before._taken), dict(before._last)

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def take(self, names: Iterable[str]) -> None:
        """Mark names as used by somebody else."""
        self._taken.update(names)

    def versions_again(self, first: int, times: int) -> None:
        """Number names as if what made the versions from the first on were done so often again."""
        wishes = list(self.versions.values())[first:]
        for wish in wishes * times:
            self.versions[self.fresh(wish)] = wish

    def name_of(self, thing: Any, wish: str, known: dict[str, Any]) -> str:
        """The name by which a thing is known; a fresh one, by which it is known from now on.

        >>> known = {}
        >>> names = Names(["f"])
        >>> names.name_of(len, "f", known), names.name_of(len, "g", known), known
        ('f_1', 'f_1', {'f_1': <built-in function len>})
        """
        for name, other in known.items():
            if other is thing:
                return name
        name = self.fresh(wish)
        known[name] = thing
        return name

    def fresh(self, wish: str) -> str:
        """The wish itself if it is free, else the wish with the next number."""
        if wish not in self._taken and wish not in RESERVED:
            self._taken.add(wish)
            return wish
        number = self._last.get(wish, 0)
        while True:
            number += 1
            name = f"{wish}_{number}"
            if name not in self._taken:
                break
        self._last[wish] = number
        self._taken.add(name)
        return name
