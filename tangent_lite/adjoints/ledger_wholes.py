"""The adjoint of a whole variable: put together from its parts, and zeros where nothing arrived."""
from __future__ import annotations

import enum
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, lowering, runtime, syntax
from tangent_lite.adjoints.ledger_book import Book
from tangent_lite.adjoints.paths import CONTAINERS, Path, items, spelled
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.records import is_made_of_fields
from tangent_lite.syntax import call, load


class Wholes(Book):
    """What is read of the book: adjoints as values."""

    def zeros(self, path: Path) -> gast.expr:
        """Zero of the shape of a variable."""
        kind = self.kind_of_path(path)
        if isinstance(kind, Number):
            return gast.Constant(0.0, None)
        if self.spot is not None:
            self.zeroed.setdefault(self.spot, set()).add(path[0])
        aliases = self.context.aliases
        if path[0] in aliases.laid_out and path[0] in aliases.entry:
            helper = self.context.external(runtime.zeros_as_it_lies, "zeros_as_it_lies")
            return call(helper, self.primal(path))
        value = call(self.context.external(runtime.zeros_like, "zeros_like"), self.primal(path))
        if path[0] in self.context.records.undefined:
            # None, where the variable has not been bound yet: that has zeros, but no parts.
            unbound = gast.Compare(load(path[0]), [gast.Is()], [syntax.constant(None)])
            return value if len(path) == 1 else gast.IfExp(unbound, syntax.constant(0.0), value)
        names = Scopes({path[0]: self.kind(path[0])}, self.context.typer.names)
        typer = self.context.typer
        saved, typer.names = typer.names, names
        if len(path) > 1 and isinstance(kind, Array) and kind.dtype in ("float", "complex") \
                and not kind.is_mixed:
            value = call(syntax.attribute(self.context.external(np, "np"), "zeros_like"),
                         self.primal(path))
        else:
            value = lowering.lower(runtime.zeros_like, value, typer, self.context.external)
        typer.names = saved
        if isinstance(kind, kinds.ListKind):
            value.structure = kind.item         # of each item (see filled_lists.py)
        return value

    def whole(self, path: Path, kind: Kind) -> gast.expr:
        """The adjoint of a variable, put together from its parts; zeros where nothing arrived."""
        if len(path) == 1 and self.is_list(path[0]):
            return load(self.name_of(path)) if path in self.state else self.zeros(path)
        if path[0] in self.context.twins:
            return load(self.name_of(path))
        if isinstance(kind, kinds.RecordKind) and issubclass(kind.type, enum.Enum):
            return gast.Constant(None, None)            # one of a few, which do not vary
        if isinstance(kind, CONTAINERS):
            return self.structure(path, kind)
        if path in self.state:
            return load(self.name_of(path))
        if not kinds.can_vary(kind):
            return gast.Constant(None, None)
        return self.zeros(path)

    def display(self, path: Path, kind: Kind) -> gast.expr:
        """The same as `zeros_like` makes it: objects as dicts of their attributes."""
        if not isinstance(kind, CONTAINERS):
            return self.whole(path, kind)
        keys = [step[1] for step, _ in items(kind)]
        parts = [self.display((*path, step), item) for step, item in items(kind)]
        if isinstance(kind, kinds.TupleKind):
            return gast.List(parts, gast.Load()) if kind.type is list else syntax.tuple_of(parts)
        return gast.Dict([gast.Constant(key, None) for key in keys], parts)

    def structure(self, path: Path, kind: Any) -> gast.expr:
        known = self.leaves(path)
        stray = [p for p in self.parts_of(path) if p not in known]
        if stray:
            raise UnsupportedSyntaxError(f"{path[0]} has no part {spelled(stray[0])}", None,
                                         "ask for a part that it has")
        parts = [self.whole((*path, step), item) for step, item in items(kind)]
        if isinstance(kind, kinds.DictKind):
            return gast.Dict([gast.Constant(k, None) for k in kind.keys], parts)
        if isinstance(kind, kinds.TupleKind):
            if kind.type in (tuple, list):
                return syntax.tuple_of(parts) if kind.type is tuple \
                    else gast.List(parts, gast.Load())
            return gast.Call(self.context.external(kind.type, kind.type.__name__), parts, [])
        keywords = [gast.keyword(f, p) for f, p in zip(kind.fields, parts)]
        if is_made_of_fields(kind.type, kind.fields):
            name = kind.type.__name__
            return gast.Call(self.context.external(kind.type, name), [], keywords)
        return gast.Dict([gast.Constant(f, None) for f in kind.fields], parts)
