"""The kind of an item of a value: `owner[index]`, and what a loop over it hands out."""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.inference.indices import Indices
from tangent_lite.kinds import UNKNOWN, Array, DuckArray, Kind, Number, value_of
from tangent_lite.kinds.duck import as_arrays, part_of_duck
from tangent_lite.kinds.maps import item_at

_DTYPES = ("bool", "int", "float", "complex")


class Items(Indices):
    """The part of a Typer that looks at items."""

    is_hopeful: bool            # what is read of an empty list is put there later on
    settled: bool               # nothing is going to be written out any more
    goes_by_stage: bool         # whether that mattered for what was found

    def items_of(self, owner: Kind) -> Kind:
        """What a loop over a value hands out."""
        if isinstance(owner, kinds.DictKind):
            return kinds.join_all(map(kinds.literal, owner.keys))
        if isinstance(owner, kinds.MapKind):
            return owner.key
        if isinstance(owner, kinds.SetKind):
            return owner.item
        found = kinds.join_all(owner.items) if isinstance(owner, kinds.TupleKind) \
            else self.item_kind(owner, gast.Constant(0, None))
        return kinds.any_key(found) if isinstance(found, (kinds.Text, Number)) else found

    def item_kind(self, owner: Kind, index: gast.expr) -> Kind:
        """The kind of owner[index]."""
        if owner is kinds.PENDING:
            return owner
        if self.is_hopeful and isinstance(owner, kinds.ListKind) and owner.item is kinds.EMPTY \
                and not isinstance(self.kind(index), kinds.SliceKind):
            return kinds.PENDING
        if isinstance(owner, kinds.TupleKind):
            return self._tuple_item(owner, index)
        if isinstance(owner, kinds.ListKind):
            return owner if isinstance(self.kind(index), kinds.SliceKind) \
                else kinds.read_item(owner)
        if isinstance(owner, kinds.Constants):
            return owner if isinstance(self.kind(index), kinds.SliceKind) else owner.item
        if isinstance(owner, kinds.MapKind) and not owner.named:
            return kinds.read_item(owner)
        if isinstance(owner, (kinds.DictKind, kinds.MapKind)):
            if self.is_hopeful and not kinds.names_of(owner):
                return kinds.PENDING            # as of lists
            return item_at(owner, self.kind(index))
        if isinstance(owner, Array):
            return self._array_item(owner, index)
        if isinstance(owner, DuckArray):
            found = self._array_item(as_arrays(owner), index)           # type: ignore[arg-type]
            return part_of_duck(found, owner)
        if isinstance(owner, kinds.Numeric) and owner.dtype in _DTYPES:
            return self._array_item(Array(None, owner.dtype, None, owner.is_mixed), index)  # arrays
        if isinstance(owner, Number) and owner.type in _DTYPES and all(
                isinstance(k, gast.Constant) and k.value in (None, ...) for k in _parts(index)):
            return self._array_item(Array(0, owner.type, None, owner.is_mixed), index)   # s[None]
        if isinstance(owner, kinds.Text):
            return kinds.TEXT
        if isinstance(owner, kinds.RangeKind):
            return owner if isinstance(self.kind(index), kinds.SliceKind) else kinds.INT
        return UNKNOWN

    def _tuple_item(self, owner: kinds.TupleKind, index: gast.expr) -> Kind:
        if isinstance(index, gast.Slice):
            if syntax.read_names(index):
                self.goes_by_stage = True
                if not self.settled:        # a call yet to be written out may change `d["n"]`
                    return kinds.MIXED
            bounds = [value_of(self.kind(b)) for b in (index.lower, index.upper, index.step)]
            if kinds.NO_VALUE in bounds:
                return kinds.MIXED
            return kinds.TupleKind(owner.items[slice(*bounds)])
        kind = self.kind(index)
        if isinstance(kind, kinds.SliceKind):
            return kinds.MIXED                  # by a name: a tuple of some of them
        number = value_of(kind)
        if isinstance(number, int) and -len(owner.items) <= number < len(owner.items):
            return owner.items[number]
        return kinds.join_all(owner.items)

    def _array_item(self, owner: Array, index: gast.expr) -> Kind:
        effect = self.index_effect(index)
        if effect is None or owner.ndim is None:
            if owner.dtype in _DTYPES and any(isinstance(k, gast.Slice) for k in _parts(index)):
                return Array(None, owner.dtype, None, owner.is_mixed)   # each slice leaves an axis
            return kinds.Numeric(owner.dtype, is_mixed=owner.is_mixed) \
                if owner.dtype != "object" else UNKNOWN
        used, made = effect
        ndim = owner.ndim - used + made
        if ndim <= 0 and not any(map(syntax.is_whole, _parts(index))):  # x[0, ...] is a view
            if owner.dtype in _DTYPES:
                return Number(owner.dtype, is_mixed=owner.is_mixed)
            return UNKNOWN
        return Array(ndim, owner.dtype, self.part_shape(owner, index), owner.is_mixed)


def _parts(index: gast.expr) -> list[gast.expr]:
    """The parts of an index: those of `x[:, None]` are `:` and `None`."""
    return syntax.shown_parts(index)


def unpacked(kind: Kind, number: int) -> Kind:
    """The kind of one part of a value that is unpacked."""
    if kind is kinds.PENDING:
        return kind
    if isinstance(kind, kinds.TupleKind):
        return kind.items[number] if number < len(kind.items) else UNKNOWN
    if isinstance(kind, kinds.ListKind):
        return kinds.read_item(kind)
    if isinstance(kind, kinds.Constants):
        return kind.item
    if isinstance(kind, Array) and kind.ndim is not None:
        if kind.ndim == 1 and kind.dtype in ("bool", "int", "float", "complex"):
            return kinds.Number(kind.dtype, is_mixed=kind.is_mixed)
        if kind.ndim > 1:
            return Array(kind.ndim - 1, kind.dtype, kinds.new_shape(), kind.is_mixed)
    if isinstance(kind, kinds.DuckArray):
        return kinds.DuckArray(kind.dtype, type=kind.type)
    if isinstance(kind, (Array, kinds.Numeric)):
        return kinds.Numeric(kind.dtype, is_mixed=kind.is_mixed)
    return UNKNOWN
