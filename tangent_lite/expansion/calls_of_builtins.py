"""Calls of Python's own functions, which stand for comprehensions, for parts of a container, or for
a loop: `list(pair)`, `max(pairs)`, `sum(objects)`, `set(xs)`."""
from __future__ import annotations

import math
import types
from typing import Any

import gast

from tangent_lite import kinds
from tangent_lite.analyses.only_items import is_only_gone_through
from tangent_lite.expansion import Written
from tangent_lite.expansion.arguments import Arguments
from tangent_lite.functions.local_functions import functions_in
from tangent_lite.functions.protocols import BY_METHOD
from tangent_lite.result_kinds.of_python import are_numbers
from tangent_lite.runtime.order import members_of
from tangent_lite.structures.comprehensions import of_call

# What goes through the items of a list that is written out.
_OF_LISTS = (sum, max, min, sorted, math.fsum, math.prod)


class CallsOfBuiltins(Arguments):
    """What takes the place of such calls."""

    def of_builtin(self, value: gast.Call, plain: gast.Call, function: Any,
                   node: gast.stmt) -> Written | None:
        """Calls that stand for comprehensions, for parts of a container, or for a loop."""
        if function is list.extend and len(plain.args) == 1 \
                and isinstance(plain.func.value, gast.Name):
            return self.extended(plain.func.value.id, value.args[0], plain.args[0], plain)
        if function in (list, tuple) and not plain.args and not plain.keywords:
            shape = gast.List if function is list else gast.Tuple
            return [], gast.copy_location(shape([], gast.Load()), plain)
        if plain.keywords or not plain.args:
            return None
        if function in (list, tuple) and len(plain.args) == 1:
            if isinstance(plain.args[0], (gast.List, gast.Tuple)) and not any(
                    isinstance(e, gast.Starred) for e in plain.args[0].elts):
                shape = gast.List if function is list else gast.Tuple
                return [], gast.copy_location(shape(plain.args[0].elts, gast.Load()), plain)
            kind = self.typer.kind(value.args[0])
            if isinstance(kind, kinds.TupleKind) and isinstance(plain.args[0], gast.Name):
                first: list[gast.stmt] = []
                parts = self.parts_of(kind, plain.args[0], range(len(kind.items)), first)
                shape = gast.List if function is list else gast.Tuple
                return first, gast.copy_location(shape(parts, gast.Load()), plain)
            return None
        if function is iter and len(plain.args) == 1 and isinstance(
                self.typer.kind(value.args[0]), kinds.TupleKind) and self.is_only_unpacked(node):
            return [], plain.args[0]
        for asks, name in BY_METHOD:
            found = self.dunder(name, value.args[0]) if function is asks else None
            if found is not None:
                called = self.inject(found, "length" if asks is len else name.strip("_"))
                return [], gast.copy_location(gast.Call(called, plain.args, []), plain)
        if function is set and len(plain.args) == 1:
            return self.members(value, plain, node)
        if function in _OF_LISTS and isinstance(plain.args[0], (gast.List, gast.Tuple)):
            first = []
            for seen, one in zip(value.args[0].elts, plain.args[0].elts):
                if isinstance(one, gast.Starred) and isinstance(
                        self.typer.kind(seen.value), kinds.Array):
                    one.value = self.named(first, "items", self.calling(
                        self.inject(list, "list"), plain, [one.value]))
            if function is not sum and any(isinstance(one, gast.Starred)
                                           for one in plain.args[0].elts):
                plain.args[0] = self.named(first, "items", gast.List(plain.args[0].elts,
                                                                     gast.Load()))
            if first:                       # what stands behind the star has an adjoint by itself
                return self.normal(first, plain), plain
        if function is sum and len(value.args) == 2 and isinstance(
                self.typer.kind(value.args[1]), kinds.ListKind):
            return self.by_model(value, plain, (sum, list), None, node)
        if function in (max, min) and self.are_tuples(value.args):
            is_list = isinstance(self.typer.kind(value.args[0]), kinds.ListKind)
            return self.by_model(value, plain, (function, list if is_list else tuple), None, node)
        if function is sum and self.adds_objects(value.args):
            return self.by_model(value, plain, (sum, object), None, node)
        if function in (map, filter, zip, enumerate) and self.matters(value):
            made = of_call(function, plain.args, self.context.names)
            if made is not None:
                self.used_at_once(plain, node)
                made.runs_ahead = True
                return [], gast.copy_location(made, plain)
        return None

    def members(self, value: gast.Call, plain: gast.Call, node: gast.stmt) -> Written | None:
        """`set(xs)`, where its members are gone through: as a list."""
        name = getattr(node.targets[0], "id", "") if isinstance(node, gast.Assign) else ""
        if not name or node.value is not plain \
                or name in {n for f in functions_in(self.tree) for n in f.captured} \
                or not is_only_gone_through(self.tree, name, self.typer.object_of):
            return None
        made = gast.Call(self.inject(members_of, "members_of"), value.args, [])
        if isinstance(self.typer.kind(made), kinds.ListKind):
            return [], self.calling(made.func, plain, plain.args)
        if are_numbers(self.typer.kind(value.args[0])):         # the first of those that are equal
            return self.by_model(value, plain, (set, list), None, node)
        return None

    def are_tuples(self, given: list[gast.expr]) -> bool:
        """Whether `max` is given tuples, or a list of such: it gives one of them."""
        found = [self.typer.kind(one) for one in given]
        if len(found) == 1:
            whole = found[0]
            found = [whole.item] if isinstance(whole, kinds.ListKind) else \
                list(whole.items) if isinstance(whole, kinds.TupleKind) else []
        return bool(found) and all(isinstance(one, kinds.TupleKind) and one.type is tuple
                                   for one in found)

    def adds_objects(self, given: list[gast.expr]) -> bool:
        """Whether `sum` is given matrices, or objects whose class says in Python what + does."""
        kind = self.typer.kind(given[0])
        item = kind.item if isinstance(kind, kinds.ListKind) else None
        start = self.typer.kind(given[1]) if len(given) > 1 else None
        return kinds.is_matrix(item) or any(
            isinstance(one, (kinds.RecordKind, kinds.TupleKind)) and isinstance(
                self.typer.of_class(one.type, name), types.FunctionType)
            for one, name in ((item, "__radd__"), (start, "__add__")))
