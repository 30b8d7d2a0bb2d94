"""How long the axes of arrays are that functions find outside of themselves: data of the module, of
a function around.

Names are live, so the next call may find other arrays there. What is assumed of their sizes is
therefore asked before each call, as it is of arguments.

>>> from types import SimpleNamespace
>>> X = np.ones((5, 3))
>>> source = SimpleNamespace(globals={"X": X}, cells={})
>>> assumed = Assumptions()
>>> outside = SizesOutside(assumed, ["w"])
>>> outside.sized(source, "X", Array(2, "float"), X).shape
Sizes(X.shape[0], X.shape[1])
>>> outside.now()
[(5, 3)]
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tangent_lite.calling.resolve import Cell
from tangent_lite.kinds import Array, Kind, kind_of
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.sized_kinds import sized
from tangent_lite.shapes.told_items import by_items, holds_objects


class SizesOutside:
    """The arrays outside of which sizes were asked, by the name that texts have for them, and what
    holds lists of objects that are taken item by item (`told_items`).

    taken: names that mean something else in these texts; tells_items: whether lists are taken so.
    """

    def __init__(self, assumed: Assumptions, taken: Iterable[str]) -> None:
        self.assumed, self.taken = assumed, {*taken}
        self.tells_items = False
        self.tables: dict[str, Any] = {}                # where each is looked up
        self.asked = self.tables                        # those on which something rests
        self.known: dict[str, Kind] = {}

    def sized(self, source: Any, name: str, kind: Kind, value: Any) -> Kind:
        """The kind of an array that a function finds by a name, with its sizes, and of what holds
        lists of objects; that of all else as it is, and of what another function finds by the same
        name."""
        if name in self.taken or not (
                type(value) is np.ndarray and not self.assumed.only_items
                if isinstance(kind, Array)
                else self.tells_items and holds_objects(kind)):
            return kind
        table = Cell(source.cells[name]) if name in source.cells else source.globals
        if name not in self.known:
            if table.get(name, None) is not value:
                return kind
            found = sized(kind, value, name, self.assumed)
            self.known[name] = found if isinstance(kind, Array) else \
                (by_items({name: found}) or {name: kind})[name]
            self.tables[name] = table
        return self.known[name] if _is_one(table, self.tables[name]) else kind

    def may_tell(self, things: Iterable[Any]) -> bool:
        """Whether there are lists of objects in one of these that could be taken item by item, and
        are not yet."""
        return self.assumed.tells_items and not self.tells_items and any(
            holds_objects(kind_of(thing)) for thing in things)

    def now(self) -> list[Any]:
        """The shapes that they have at this moment; AttributeError if one is no array any more."""
        return [table.get(name, None).shape for name, table in self.asked.items()]

    @property
    def has_items(self) -> bool:
        """Whether something rests on the items of lists outside."""
        return any(not isinstance(self.known[name], Array) for name in self.tables)

    def test(self, names: Iterable[str]) -> Callable[..., bool] | None:
        """A function of the arguments of these names: whether all holds that is assumed of them and
        of what is outside."""
        noted = self.assumed.noted
        # The same kinds are asked for again where other texts are written: they stay known.
        self.asked = {n: table for n, table in self.tables.items()
                      if any(re.search(rf"(?<![\w.]){re.escape(n)}[.\[)]", text) for text in noted)}
        return self._with_outside(self.assumed.test([*names, *self.asked]))

    def test_of_items(self, names: Iterable[str]) -> Callable[..., bool] | None:
        """The same for what lists have as items alone."""
        return self._with_outside(self.assumed.test_of_items([*names, *self.asked]))

    def _with_outside(self, found: Callable[..., bool] | None) -> Callable[..., bool] | None:
        asked = self.asked
        if found is None or not asked:
            return found

        def test(*values: Any) -> bool:
            return found(*values, *(t.get(name, None) for name, t in asked.items()))

        return test


def _is_one(table: Any, other: Any) -> bool:
    return table is other or (isinstance(table, Cell) and isinstance(other, Cell)
                              and table.cell is other.cell)
