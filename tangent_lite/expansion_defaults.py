"""Dicts that have something to give where a key is missing, by the tests that they stand for.

    sums = defaultdict(float)           if k in sums:
    sums[k] += v                            part = sums[k]
                                        else:
                                            part = 0.0
                                        sums[k] = part + v

    t = sums[k]                         if k not in sums:
                                            sums[k] = 0.0
                                        t = sums[k]

So they change where it is written that they do, and what is read is there. A Counter gives 0 for a
key that is missing, and does not keep it.
"""
from __future__ import annotations

import collections
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.expansion import Written
from tangent_lite.expansion_maps import Maps, there
from tangent_lite.syntax import assign, load

# What stands in the place of what is called to make what is missing.
MADE: dict[Any, Any] = {float: 0.0, int: 0, collections.Counter: 0}


class Defaults(Maps):
    """What takes the place of items of such dicts."""

    def missing_in(self, node: Any) -> Any:
        """What a dict makes of which an item is read; None for others, and where it is there."""
        if not isinstance(node, gast.Subscript) or not isinstance(node.ctx, gast.Load) \
                or getattr(node, "iterates", False) or getattr(node, "is_there", False):
            return None
        return getattr(self.typer.kind(node.value), "missing", None)

    def with_default(self, value: Any, plain: Any) -> Written | None:
        """An operation in which items of such dicts are read."""
        if isinstance(value, gast.AugAssign):
            return self.grown_from_default(value, plain)
        if isinstance(value, gast.Subscript):
            found = self.missing_in(value)
            return None if found is None else self.read_or_made(plain, found)
        if not isinstance(value, gast.Compare) or len(value.ops) > 1:
            return None
        first: list[gast.stmt] = []
        sides: list[gast.expr] = []
        for seen, side in zip((value.left, *value.comparators), (plain.left, *plain.comparators)):
            found = self.missing_in(seen)
            if found is not None:
                statements, read = self.read_or_made(side, found)
                first += statements
                side = self.named(first, "part", read)
            sides.append(side)
        return (first, gast.copy_location(gast.Compare(sides[0], plain.ops, sides[1:]), plain)) \
            if first else None

    def read_or_made(self, plain: Any, missing: Any) -> tuple[list[gast.stmt], gast.expr]:
        """`d[key]`, which puts there what is missing."""
        first: list[gast.stmt] = []
        key = self.key_of(first, plain)
        read = there(plain.value, key)
        if missing is collections.Counter:
            part = self.context.names.fresh("part")
            return self.normal([*first, _if_there(plain, key, part, missing)], plain), load(part)
        made = gast.Constant(MADE[missing], None) if missing in MADE else \
            gast.List([], gast.Load())
        is_missing = gast.Compare(syntax.copy(key), [gast.NotIn()], [syntax.copy(plain.value)])
        put = gast.Assign([_spot(plain, key)], made, None)
        return self.normal([*first, gast.If(is_missing, [put], [])], plain), read

    def grown_from_default(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`d[key] += v`, from what is there or what is missing."""
        if not isinstance(value.target, gast.Subscript):
            return None
        missing = getattr(self.typer.kind(value.target.value), "missing", None)
        if missing is None:
            return None
        if hasattr(plain, "sees_owner"):        # Python looks at d[key] first, and puts it there
            raise self.context.refuse(plain, "what is added to an item of a defaultdict looks into "
                                             "the defaultdict", "compute it in front")
        if missing not in MADE:
            raise self.context.refuse(plain, "a list in a defaultdict is added to", "use append")
        first: list[gast.stmt] = []
        key = self.key_of(first, plain.target)
        part = self.context.names.fresh("part")
        whole = gast.BinOp(load(part), plain.op, plain.value)
        return self.normal([*first, _if_there(plain.target, key, part, missing), gast.Assign(
            [_spot(plain.target, key)], whole, None)], plain), None

    def key_of(self, first: list[gast.stmt], plain: Any) -> gast.expr:
        """The key of an item, which is computed once."""
        return plain.slice if syntax.is_atom(plain.slice) else self.named(first, "key", plain.slice)


def _spot(plain: Any, key: gast.expr) -> gast.Subscript:
    return syntax.subscript(syntax.copy(plain.value), syntax.copy(key), gast.Store())


def _if_there(plain: Any, key: gast.expr, part: str, missing: Any) -> gast.If:
    is_there = gast.Compare(syntax.copy(key), [gast.In()], [syntax.copy(plain.value)])
    return gast.If(is_there, [assign(part, there(plain.value, key))],
                   [assign(part, gast.Constant(MADE[missing], None))])
