"""Indices that name no element twice: sorting lists each place once, as looking for zeros does.

>>> import numpy as np
>>> x = np.array([0.0, 3.0, 2.0])
>>> np.argsort(x), np.flatnonzero(x)
(array([0, 2, 1]), array([1, 2]))
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.bound_once import Place
from tangent_lite.analyses.standing import Standing
from tangent_lite.kinds import Array, Number
from tangent_lite.modules import is_one_of

# One array, with no number twice and none below zero.
_LISTS = (np.argsort, np.ndarray.argsort, np.flatnonzero, np.lexsort)
# An array for each axis, which together name each place once.
_TABLES = (np.nonzero, np.ndarray.nonzero, np.triu_indices, np.tril_indices, np.diag_indices,
           np.triu_indices_from, np.tril_indices_from, np.diag_indices_from)


def makes_places(function: Any) -> bool:
    """Whether what a function gives may be such an index, or a part of one."""
    return is_one_of(function, (np.arange, np.where, *_LISTS, *_TABLES))


class DistinctPlaces(Standing):
    """Knows which indices name no element twice."""

    def is_distinct(self, index: gast.expr, place: Place) -> bool:
        """Whether an index that is read at a place is one of them."""
        if self.counted(index, place) is not None:
            return True
        if self.is_table_by_name(index, place):
            return True
        parts = syntax.shown_parts(index)
        arrays = [part for part in parts if not self.names_one(part)]
        if len(arrays) == 1:
            return self.is_list(arrays[0], place)
        return len(arrays) > 1 and self.is_table_in_parts(arrays, place)

    def names_one(self, part: gast.expr) -> bool:
        """Whether a part of an index is a slice, a whole number, or no array otherwise."""
        if isinstance(part, gast.Slice) or (
                isinstance(part, gast.Constant) and part.value in (None, Ellipsis)):
            return True
        kind = self.typer.kind(part)
        return isinstance(kind, (kinds.SliceKind, kinds.Nothing)) or (
            isinstance(kind, Number) and kind.type == "int")

    def is_list(self, part: gast.expr, place: Place) -> bool:
        """Whether a name is an array that lists places, or the only array of a table."""
        if not isinstance(part, gast.Name) or not self.stands(part.id, place) \
                or self.facts.names.get(part.id) != Array(1, "int"):
            return False
        value: Any = self.binding(part.id)
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            kind = self.facts.names.get(value.value.id)
            place_of_table = self.place(part.id)
            return isinstance(kind, kinds.TupleKind) and len(kind.items) == 1 \
                and place_of_table is not None \
                and self.is_table_by_name(value.value, place_of_table)
        return isinstance(value, gast.Call) and is_one_of(self.function(value)[0], _LISTS)

    def is_table_by_name(self, index: gast.expr, place: Place) -> bool:
        """Whether a name is the tuple of the arrays of a table."""
        return isinstance(index, gast.Name) and self.stands(index.id, place) \
            and self.is_table(self.binding(index.id))

    def is_table_in_parts(self, arrays: list[Any], place: Place) -> bool:
        """Whether names are all the arrays of one table, each once."""
        names = [part.id for part in arrays if isinstance(part, gast.Name)]
        if len(names) < len(arrays) or not all(self.stands(name, place) for name in names):
            return False
        first: Any = self.bound[names[0]][0]
        target: Any = first.node.targets[0] if isinstance(first.node, gast.Assign) else None
        if not isinstance(target, gast.Tuple) \
                or sorted(getattr(one, "id", "") for one in target.elts) != sorted(set(names)):
            return False
        value = first.node.value
        return self.is_table(value) or self.is_table_by_name(value, first)

    def is_table(self, value: Any) -> bool:
        """Whether a value is a call of a function that makes one; `np.where(c)` is `np.nonzero`."""
        return isinstance(value, gast.Call) and (
            is_one_of(self.function(value)[0], _TABLES) or self.calls(value, (np.where,)))
