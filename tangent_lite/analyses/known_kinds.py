"""The kinds of names as they are at one statement, and of more names that are made there.

>>> from types import SimpleNamespace
>>> facts = SimpleNamespace(before={7: {"x": "int"}}, after={7: {"x": "float"}}, names={"y": "any"})
>>> known = kinds_at(facts, 7, {"z": "text"})
>>> known["w"] = "new"
>>> [known.get(name) for name in "wxyzv"], facts.before[7]
(['new', 'int', 'any', 'text', None], {'x': 'int'})
"""
from __future__ import annotations

from collections import ChainMap
from typing import Any

from tangent_lite.analyses.inferred import Inferred


class Scopes(ChainMap[str, Any]):
    """A ChainMap in which most names are found behind the first maps: it asks without an exception
    where a map has no such name, and without a call."""

    def __getitem__(self, name: str) -> Any:
        for scope in self.maps:
            if name in scope:
                return scope[name]
        raise KeyError(name)

    def get(self, name: Any, default: Any = None) -> Any:
        for scope in self.maps:
            if name in scope:
                return scope[name]
        return default

    def __contains__(self, name: object) -> bool:
        return any(name in scope for scope in self.maps)


def kinds_at(facts: Inferred, number: int, *more: Any) -> Scopes:
    """The kinds at a statement, which is given by its id; those of all other names stand in more.

    In front of a statement its target is of another kind than behind it. What is added or changed
    stays with the statement.
    """
    return Scopes({**facts.after.get(number, {}), **facts.before.get(number, {})}, facts.names,
                  *more)
