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

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tangent_lite.calling.resolve import Cell
from tangent_lite.kinds import Array, Kind
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.sized_kinds import sized


class SizesOutside:
    """The arrays outside of which sizes were asked, by the name that texts have for them.

    taken: names that mean something else in these texts.
    """

    def __init__(self, assumed: Assumptions, taken: Iterable[str]) -> None:
        self.assumed, self.taken = assumed, {*taken}
        self.tables: dict[str, Any] = {}                # where each is looked up
        self.asked = self.tables                        # those on which something rests
        self.known: dict[str, Kind] = {}

    def sized(self, source: Any, name: str, kind: Kind, value: Any) -> Kind:
        """The kind of an array that a function finds by a name, with its sizes; that of all else as
        it is, and of what another function finds by the same name."""
        if not isinstance(kind, Array) or type(value) is not np.ndarray or name in self.taken:
            return kind
        table = Cell(source.cells[name]) if name in source.cells else source.globals
        if name not in self.known:
            self.tables[name] = table
            self.known[name] = sized(kind, value, name, self.assumed)
        return self.known[name] if _is_one(table, self.tables[name]) else kind

    def now(self) -> list[tuple[int, ...]]:
        """The shapes that they have at this moment; AttributeError if one is no array any more."""
        return [table.get(name, None).shape for name, table in self.asked.items()]

    def test(self, names: Iterable[str]) -> Callable[..., bool] | None:
        """A function of the arguments of these names: whether all holds that is assumed of them and
        of what is outside."""
        noted = self.assumed.noted
        # The same kinds are asked for again where other texts are written: they stay known.
        self.asked = asked = {n: table for n, table in self.tables.items()
                              if any(f"{n}.shape[" in text for text in noted)}
        found = self.assumed.test([*names, *asked])
        if found is None or not asked:
            return found

        def test(*values: Any) -> bool:
            return found(*values, *(t.get(name, None) for name, t in asked.items()))

        return test


def _is_one(table: Any, other: Any) -> bool:
    return table is other or (isinstance(table, Cell) and isinstance(other, Cell)
                              and table.cell is other.cell)
