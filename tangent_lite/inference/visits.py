"""What was found at a statement when it was last looked at, for whoever comes by again.

A loop is walked until what holds at its head stays the same, and loops inside it in each of these
walks. Most of what a statement reads is by then what it was before, and so is what it makes: the
same thing read is the same thing found, but for what is another one each time (`shapes.anew`).
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import gast

from tangent_lite.analyses.inferred import Environment
from tangent_lite.kinds import Kind
from tangent_lite.shapes import anew
from tangent_lite.shapes.sizes import Size, Sizes


class _Visit(NamedTuple):
    read: dict[str, Kind | None]        # what a statement read; None: from outside
    bound: Environment                  # what it bound


class Visits:
    """Statements that do no more than to bind names, and what they bound.

    >>> from tangent_lite.kinds import FLOAT, INT
    >>> node, visits = gast.parse("y = x").body[0], Visits()
    >>> visits.begin()
    >>> visits.note(node, ["x"], ["y"], {"x": INT}, {"x": INT, "y": INT})
    >>> visits.found(node, {"x": INT}), visits.found(node, {"x": FLOAT})
    ({'y': Number(type='int', value=NO_VALUE)}, None)
    """

    def __init__(self) -> None:
        self.known: dict[gast.stmt, _Visit] = {}
        self.since = 0
        self.is_plain = True

    def begin(self) -> None:
        """Look from here on whether what is found can be kept."""
        self.since, self.is_plain = anew.since(), True

    def changes_more(self) -> None:
        """Say that the statement does more than to bind its names."""
        self.is_plain = False

    def note(self, node: gast.stmt, reads: Iterable[str], binds: Iterable[str],
             before: Environment, after: Environment) -> None:
        """Keep what was found at a statement; before: what held in front of it, as far as the
        statement reads it."""
        if self.is_plain and anew.since() == self.since:
            self.known[node] = _Visit({name: before.get(name) for name in reads},
                                      {name: after[name] for name in binds})
        else:
            self.known.pop(node, None)

    def found(self, node: gast.stmt, environment: Environment) -> Environment | None:
        """What a statement binds here; None where it has to be looked at."""
        visit = self.known.get(node)
        if visit is None:
            return None
        for name, kind in visit.read.items():
            now = environment.get(name)
            if now is not kind and not (now is not None and kind is not None
                                        and is_same(now, kind)):
                return None
        return visit.bound


def is_same(one: Any, other: Any) -> bool:
    """Whether two kinds are the same in all that is known: other than by `is_identical`, in what is
    of no account for most as well.

    >>> from tangent_lite.kinds import Number
    >>> is_same(Number("float", 0.0), Number("float", 0.0)), is_same(
    ...     Number("float", 0.0), Number("float", -0.0))
    (True, False)
    """
    if one is other:
        return True
    kind = one.__class__
    if kind is not other.__class__:
        return False
    if kind is tuple:
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, Kind):
        fields = getattr(kind, "__dataclass_fields__", ())
        return bool(fields) and all(is_same(getattr(one, name), getattr(other, name))
                                    for name in fields)
    if kind is Size:
        return one.assumed is other.assumed and one == other and is_same(one.value, other.value)
    if kind is Sizes:
        return is_same(one.axes, other.axes)
    if kind is float or kind is complex:
        return repr(one) == repr(other)
    return kind in _COMPARED and one == other


# What is compared by `==`; of all else it has to be the same object.
_COMPARED = {bool, int, str, frozenset}
