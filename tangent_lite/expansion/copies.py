"""Copies of lists, dicts and objects by the module `copy`, and the fields of a dataclass in a dict
or a tuple, which are copies as well.

    copy.copy(xs)           =>      list(xs)
    copy.copy(p)            =>      q = blank(Point); q.x = p.x; q.y = p.y
    dataclasses.asdict(p)   =>      {"x": p.x, "y": p.y}
"""
from __future__ import annotations

import copy
import dataclasses
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Written, is_of_numbers
from tangent_lite.expansion.function_values import FunctionValues
from tangent_lite.records import sets_plainly
from tangent_lite.runtime.objects import blank

COPIES = (copy.copy, copy.deepcopy, dataclasses.asdict, dataclasses.astuple)
_OF_COPIES = ("__copy__", "__deepcopy__", "__getstate__", "__setstate__", "__getnewargs__",
              "__getnewargs_ex__")


class Copies(FunctionValues):
    """What takes the place of copies."""

    def copied(self, value: gast.Call, plain: gast.Call, is_deep: bool) -> Written | None:
        """`copy.copy(xs)` of a list or a dict as `list(xs)` and `dict(xs)`; `copy.deepcopy` of what
        holds numbers alike, and of an array as `np.copy`."""
        if len(plain.args) != 1 or plain.keywords:
            return None
        kind = self.typer.kind(value.args[0])
        if isinstance(kind, kinds.RecordKind):
            return self.object_copied(kind, plain, is_deep)
        if isinstance(kind, kinds.Array) and is_deep and kind.dtype in ("float", "complex"):
            return [], self.calling(syntax.attribute(self.inject(np, "np"), "copy"), plain,
                                    plain.args)
        held = [kind.item] if isinstance(kind, kinds.ListKind) else \
            kind.items if isinstance(kind, kinds.DictKind) and not kind.makes else None
        if held is None or (is_deep and not all(map(is_of_numbers, held))):
            return None
        made = list if isinstance(kind, kinds.ListKind) else dict
        return [], self.calling(self.inject(made, made.__name__), plain, plain.args)

    def object_copied(self, kind: kinds.RecordKind, plain: gast.Call,
                      is_deep: bool) -> Written | None:
        """`copy.copy(p)` of an object: one of its class with the same attributes; of
        `copy.deepcopy(p)` arrays among these are copies."""
        cls: Any = kind.type
        if not isinstance(plain.args[0], gast.Name) or not _is_copied_plainly(cls) \
                or self.typer.is_growing \
                or (is_deep and not all(map(_is_flat, kind.items))):
            return None
        first: list[gast.stmt] = [syntax.assign(
            name := self.context.names.fresh("copied"),
            syntax.call(self.inject(blank, "blank"), self.inject(cls, cls.__name__)))]
        for field, item in zip(kind.fields, kind.items):
            target = gast.Attribute(syntax.load(name), field, gast.Store())
            target.sets_field = True
            part = self.part_copied(plain.args[0], field, item, is_deep)
            first.append(gast.Assign([target], part, None))
        return self.normal(first, plain), syntax.load(name)

    def in_a_container(self, value: gast.Call, plain: gast.Call, as_dict: bool) -> Written | None:
        """`dataclasses.asdict(p)` and `astuple(p)`, where copies of the fields are the fields."""
        kind = self.typer.kind(value.args[0]) if len(plain.args) == 1 else None
        if not isinstance(kind, kinds.RecordKind) or plain.keywords or self.typer.is_growing \
                or not isinstance(plain.args[0], gast.Name) or not all(map(_is_flat, kind.items)):
            return None
        names = [f.name for f in dataclasses.fields(kind.type)]
        if not set(names) <= set(kind.fields):
            return None
        known = dict(zip(kind.fields, kind.items))
        first: list[gast.stmt] = []
        parts = [self.named(first, name, self.part_copied(plain.args[0], name, known[name], True))
                 for name in names]
        return self.normal(first, plain), gast.copy_location(
            gast.Dict([gast.Constant(n, None) for n in names], parts) if as_dict
            else gast.Tuple(parts, gast.Load()), plain)

    def part_copied(self, owner: gast.Name, field: str, kind: kinds.Kind,
                    is_deep: bool) -> gast.expr:
        """An attribute, or a copy of the array that it is."""
        part = syntax.attribute(syntax.load(owner.id), field)
        return syntax.call(syntax.attribute(self.inject(np, "np"), "copy"), part) \
            if is_deep and isinstance(kind, kinds.Array) else part


def _is_copied_plainly(cls: Any) -> bool:
    """Whether a copy of an object is one of its class with the same attributes, and no code of the
    class runs."""
    return cls.__new__ is object.__new__ and sets_plainly(cls) \
        and cls.__reduce_ex__ is object.__reduce_ex__ and cls.__reduce__ is object.__reduce__ \
        and all(getattr(cls, name, None) is getattr(object, name, None)
                or getattr(cls, name).__module__ == dataclasses.__name__ for name in _OF_COPIES)


def _is_flat(kind: kinds.Kind) -> bool:
    """Whether a deep copy of a value is the value, or that of one array."""
    return is_of_numbers(kind) or (isinstance(kind, kinds.Array) and kind.ndim != 0
                                    and kind.dtype in ("bool", "int", "float", "complex"))
