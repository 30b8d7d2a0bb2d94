"""What an index does to an array: which axes it uses up, which shape the part has."""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.kinds import Array, Kind, Number, dtype_of, value_of
from tangent_lite.shapes.sizes import ONE, Sizes, slice_size
from tangent_lite.structures.nested import places
from tangent_lite.syntax import read_names

# What an index of is a place or a key.
PLACES = (Array, Number, kinds.Numeric, kinds.ListKind, kinds.TupleKind, kinds.DictKind,
          kinds.MapKind, kinds.Text, kinds.RangeKind)


class Indices:
    """The part of a Typer that looks at indices."""

    masks: dict[str, Any]       # those that stay as they are, and the shape of what each chooses

    def kind(self, node: gast.AST | None) -> Kind:
        """The kind of an expression; see `inference`."""
        raise NotImplementedError

    def keys_of_objects(self, node: gast.Subscript) -> list[str]:
        """The names in an index that is no place in a container, but handed to a method: of np.r_
        and of objects that say in Python what their items are. What they give may vary with it."""
        owner = self.kind(node.value)
        if isinstance(owner, PLACES):
            return []
        known = isinstance(owner, (kinds.RecordKind, kinds.Other, kinds.Known))
        names = {n: self.kind(gast.Name(n, gast.Load(), None, None))
                 for n in sorted(read_names(node.slice))}
        return [n for n, kind in names.items() if known or (
            isinstance(kind, (Number, Array)) and dtype_of(kind) in ("float", "complex"))]

    def grid_kind(self, owner: Any, index: gast.expr) -> Kind | None:
        """What np.mgrid and np.ogrid give: an array of all coordinates, or a tuple of those along
        each axis."""
        parts = syntax.shown_parts(index)
        if not (owner is np.mgrid or owner is np.ogrid) \
                or not all(isinstance(p, gast.Slice) for p in parts):
            return None
        bounds = [dtype_of(self.kind(b)) for p in parts for b in (p.lower, p.upper, p.step)
                  if b is not None]
        dtype = "int" if all(b in ("int", "bool") for b in bounds) else "float" if all(
            b in ("int", "bool", "float", "complex") for b in bounds) else None
        if isinstance(index, gast.Slice):
            return Array(1, dtype, kinds.new_shape())
        if owner is np.mgrid:
            return Array(len(parts) + 1, dtype, kinds.new_shape())
        return kinds.TupleKind(tuple(
            Array(len(parts), None if dtype == "float" else dtype, kinds.new_shape())
            for _ in parts)) if isinstance(np.ogrid[:1, :1], tuple) else None

    def part_shape(self, owner: Array, index: gast.expr) -> Any:
        """A token for the shape of owner[index]: u[1:-1], u[2:] and u[:-2] have one shape.

        A slice that leaves out a elements in front and b behind leaves max(0, n - a - b) of n.
        """
        if self.masks and owner.ndim == getattr(self.kind(index), "ndim", None):
            chosen = self.masks.get(syntax.named_mask(index) or "")
            if chosen is not None:
                return chosen
        parts = syntax.shown_parts(index)
        gathered = self._gathered_shape(owner, index)
        if gathered is not None:
            return gathered
        if owner.shape is None:
            return kinds.new_shape()
        if isinstance(owner.shape, Sizes):
            return self._part_sizes(owner.shape, index) or kinds.new_shape()
        taken = [number for number, part in enumerate(parts) if not isinstance(part, gast.Slice)]
        if taken and all(self.is_int(parts[n]) if n in taken else syntax.is_colon(parts[n])
                         for n in range(len(parts))):
            return kinds.derived_shape("without", owner.shape, tuple(taken))
        trimmed = []
        for part in parts:
            if syntax.is_reversal(part):
                trimmed.append(0)
                continue
            if not isinstance(part, gast.Slice) or part.step is not None:
                return kinds.new_shape()
            lower = 0 if part.lower is None else value_of(self.kind(part.lower))
            upper = 0 if part.upper is None else value_of(self.kind(part.upper))
            if part.upper is not None and not (type(upper) is int and upper < 0):
                return kinds.new_shape()
            if not (type(lower) is int and lower >= 0):
                return kinds.new_shape()
            trimmed.append(lower - upper)
        return kinds.derived_shape("trimmed", owner.shape, tuple(trimmed)) if any(trimmed) \
            else owner.shape

    def _gathered_shape(self, owner: Array, index: gast.expr) -> Any:
        """The shape of `p[rows, columns]`, which is that of both, where they have the same; None of
        other indices, and of those that leave axes over."""
        parts = self._parts_of(index)
        if len(parts) != owner.ndim:
            return None
        arrays = []
        for part, kind in parts:
            if isinstance(part, gast.Slice):
                return None
            if isinstance(kind, Array) and kind.dtype == "int" and kind.ndim:
                arrays.append(kind)
            elif not isinstance(kind, Number) or kind.type != "int":
                return None
        return arrays[0].shape if arrays and all(
            kinds.same_shape(arrays[0], other) for other in arrays[1:]) else None

    def _part_sizes(self, sizes: Sizes, index: gast.expr) -> Sizes | None:
        """The sizes of a part of an array; None where they are not known."""
        parts = syntax.shown_parts(index)
        left, found = list(sizes.axes), []
        for number, part in enumerate(parts):
            if isinstance(part, gast.Constant) and part.value is Ellipsis:
                used = sum(not isinstance(self.kind(p), kinds.Nothing) for p in parts[number + 1:])
                found += left[:len(left) - used]
                left = left[len(left) - used:]
                continue
            kind = self.kind(part)
            if isinstance(kind, kinds.Nothing):
                found.append(ONE)
                continue
            if not left:
                return None
            size = left.pop(0)
            if syntax.is_reversal(part):
                found.append(size)
            elif isinstance(part, gast.Slice):
                bounds = [None if b is None else kinds.size_of(self.kind(b))
                          for b in (part.lower, part.upper)]
                if part.step is not None or any(
                        known is None and bound is not None
                        for known, bound in zip(bounds, (part.lower, part.upper))):
                    return None
                found.append(slice_size(size, *bounds))
            elif isinstance(kind, Array) and kind.dtype == "int" and isinstance(kind.shape, Sizes) \
                    and len(parts) == 1:
                found += kind.shape.axes
            elif not self.is_int(part):
                return None
        return Sizes([*found, *left])

    def is_int(self, part: gast.expr) -> bool:
        kind = self.kind(part)
        return isinstance(kind, Number) and kind.type == "int"

    def index_effect(self, index: gast.expr) -> tuple[int, int] | None:
        """How many axes an index uses up and how many it makes; None if that is not known."""
        used = made = 0
        arrays: list[int] = []
        for part, kind in self._parts_of(index):
            if isinstance(part, gast.Slice):
                used, made = used + 1, made + 1
            elif isinstance(kind, Number) and kind.type == "int":
                used += 1
            elif isinstance(kind, kinds.Nothing):
                made += 1
            elif isinstance(part, gast.Constant) and part.value is Ellipsis:
                pass
            elif isinstance(kind, kinds.SliceKind):
                used, made = used + 1, made + 1
            elif isinstance(kind, Array) and kind.dtype == "int" and kind.ndim is not None:
                used += 1
                arrays.append(kind.ndim)
            elif isinstance(kind, Array) and kind.dtype == "bool" and kind.ndim is not None:
                used += kind.ndim
                arrays.append(1)
            elif isinstance(kind, kinds.RangeKind) or (
                    isinstance(kind, kinds.ListKind) and isinstance(kind.item, Number)):
                used += 1
                arrays.append(1)
            else:
                return None
        return used, made + (max(arrays) if arrays else 0)

    def index_class(self, index: gast.expr) -> str:
        """"basic" (a view or an element), "mask", "array" (positions may repeat) or "unknown"."""
        found = "basic"
        for part, kind in self._parts_of(places(index)[-1]):
            if isinstance(part, gast.Slice) or (isinstance(part, gast.Constant)
                                                and part.value in (None, Ellipsis)):
                continue
            if (isinstance(kind, Number) and kind.type == "int") or \
                    isinstance(kind, (kinds.SliceKind, kinds.Nothing)):
                continue
            if isinstance(kind, Array) and kind.dtype == "bool":
                found = "mask" if found == "basic" else found
            elif (isinstance(kind, Array) and kind.dtype == "int") or \
                    isinstance(kind, (kinds.ListKind, kinds.RangeKind)):
                found = "array" if found != "unknown" else found
            else:
                found = "unknown"
        return found

    def _parts_of(self, index: gast.expr) -> list[tuple[gast.expr | None, Kind]]:
        """The parts of an index and their kinds; of a tuple with a name, as np.ix_ makes it, the
        kinds alone."""
        if isinstance(index, gast.Tuple):
            return [(part, self.kind(part)) for part in index.elts]
        kind = self.kind(index)
        if isinstance(kind, kinds.TupleKind) and kind.items:
            return [(None, part) for part in kind.items]
        return [(index, kind)]
