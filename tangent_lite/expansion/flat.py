"""`x.flat` of an array, where it is subscripted, gone through or assigned: a view of the array."""
from __future__ import annotations

import functools
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Scene, Written
from tangent_lite.kinds import Array
from tangent_lite.runtime.shapes import flat_view
from tangent_lite.syntax import assign, load


class Flat(Scene):
    """What `x.flat` is written as: x.ravel() where one element is read, x.flatten() where several
    are or may be, which are a copy, and flat_view(x) where it is written to: elements are read
    there, too, if some are written, since it is certain what that shares memory with."""

    @functools.cached_property
    def rows(self) -> set[str]:
        """The arrays of which elements of `x.flat` are written."""
        return {node.value.id for node in syntax.all_of(self.tree, gast.Attribute)
                if node.attr == "flat" and isinstance(node.value, gast.Name)
                and getattr(node, "flat_use", None) == "write"}

    def flat(self, value: gast.Attribute, plain: Any) -> Written | None:
        """`x.flat` of which `anf` has seen what is done to it."""
        use = getattr(plain, "flat_use", None)
        if use is None or value.attr != "flat" or not isinstance(
                self.typer.kind(value.value), Array):
            return None
        index = getattr(plain, "flat_index", None)
        if use == "item" and index is not None and not self.is_number(index):
            use = "slice"
        if use == "write" or (use == "item" and getattr(plain.value, "id", None) in self.rows):
            return [], syntax.call(self.inject(flat_view, "flat_view"), plain.value)
        return [], syntax.method(plain.value, "flatten" if use == "slice" else "ravel")

    def is_number(self, index: gast.expr) -> bool:
        """Whether an index, of which nothing is known in front of it, is a number at any time."""
        versions = self.context.names.versions
        found = {name: [kind for version, kind in self.facts.names.items()
                        if versions.get(version, version) == name]
                 for name in syntax.read_names(index)}
        return all(kinds_of and all(isinstance(kind, kinds.Number) for kind in kinds_of)
                   for kinds_of in found.values())

    def flat_assigned(self, value: Any, plain: Any, node: Any) -> Written | None:
        """`x.flat = v`, v being a number, or values that are taken again and again until all places
        have one."""
        if not isinstance(value, gast.Attribute) or value.attr != "flat" \
                or not isinstance(self.typer.kind(value.value), Array):
            return None
        kind = self.typer.kind(node.value)
        if not isinstance(kind, (kinds.Number, Array)):
            return None
        name = self.context.names.fresh("flat")
        made = [assign(name, syntax.call(self.inject(flat_view, "flat_view"), plain.value))]
        given = node.value
        if isinstance(kind, Array):
            np_ = self.inject(np, "np")
            alike = kinds.same_shape(kind, self.typer.kind(value.value))
            if not alike or kind.ndim != 1:
                row = self.context.names.fresh("row")
                many = [] if alike else [self.places(given, name, made)]
                made.append(assign(row, syntax.call(syntax.attribute(
                    np_, "ravel" if alike else "resize"), syntax.copy(given), *many)))
                given = load(row)
        whole = syntax.subscript(load(name), syntax.constant(Ellipsis), gast.Store())
        put = gast.Assign([whole], given, None)
        if isinstance(kind, Array):
            put.in_turn = True              # NumPy reads the values as it puts them
        return [*made, put], None

    def places(self, values: gast.expr, row: str, made: list[gast.stmt]) -> gast.expr:
        """How many places values fill, as a name: all of the row, and none if there are no values,
        of which resize would make zeros."""
        fresh = self.context.names.fresh
        count, given, total, filled = fresh("count"), fresh("given"), fresh("total"), fresh("n")
        made += [assign(count, syntax.attribute(load(row), "size")),
                 assign(given, syntax.attribute(syntax.copy(values), "size")),
                 assign(total, gast.BinOp(load(given), gast.Mult(), load(count))),
                 assign(filled, syntax.call(self.inject(min, "min"), load(total), load(count)))]
        return load(filled)
