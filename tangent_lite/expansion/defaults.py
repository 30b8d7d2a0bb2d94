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

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.segments import is_checkpointed
from tangent_lite.expansion import Written
from tangent_lite.expansion.maps import Maps, there
from tangent_lite.kinds.maps import made_by
from tangent_lite.structures import nested
from tangent_lite.structures.comprehensions import COMPREHENSIONS
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

    def with_default(self, value: Any, plain: Any, node: gast.stmt) -> Written | None:
        """An operation in which items of such dicts are read."""
        if isinstance(value, gast.AugAssign):
            return self.grown_from_default(value, plain)
        if isinstance(value, gast.Subscript):
            found = self.missing_in(value)
            return self.grown_behind(value, plain, node) if found is None \
                else self.read_or_made(plain, found)
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
        return self.normal([*first, _made_if_missing(plain, key, missing)], plain), read

    def grown_from_default(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`d[key] += v`, from what is there or what is missing."""
        if not isinstance(value.target, gast.Subscript):
            return None
        missing = getattr(self.typer.kind(value.target.value), "missing", None)
        if missing is None or getattr(plain.target, "is_there", False):
            return None
        if hasattr(plain, "sees_owner"):        # Python looks at d[key] first, and puts it there
            raise self.context.refuse(plain, "what is added to an item of a defaultdict looks into "
                                             "the defaultdict", "compute it in front")
        first: list[gast.stmt] = []
        if made_by(missing) is not None:
            key = self.key_of(first, plain.target)
            first = self.normal([*first, _made_if_missing(plain.target, key, missing)], plain)
            target = _spot(plain.target, key)
            target.is_there = True
            return [*first, gast.copy_location(gast.AugAssign(
                gast.copy_location(target, plain.target), plain.op, plain.value), plain)], None
        if missing not in MADE:
            raise self.context.refuse(plain, "a list in a defaultdict is added to", "use append")
        key = self.key_of(first, plain.target)
        part = self.context.names.fresh("part")
        whole = gast.BinOp(load(part), plain.op, plain.value)
        return self.normal([*first, _if_there(plain.target, key, part, missing), gast.Assign(
            [_spot(plain.target, key)], whole, None)], plain), None

    def grown_behind(self, value: gast.Subscript, plain: gast.Subscript,
                     node: gast.stmt) -> Written | None:
        """`part = groups[key]; part.append(v)`: one place, if that is all there is to the name."""
        kind = self.typer.kind(value.value)
        name = self.bound_to(node)
        if name is None or not _is_of_lists(kind, kinds.value_of(self.typer.kind(value.slice))) \
                or not isinstance(plain.value, gast.Name) \
                or plain.value.id in syntax.parameter_names(self.tree.args) \
                or any(isinstance(n, gast.Call) for n in gast.walk(plain.slice)) \
                or sum(n.id == name for n in syntax.names_in(self.tree)) != 2 \
                or any(is_checkpointed(n) for n in syntax.statements(self.tree.body)):
            return None
        block, spot = syntax.spot_in(self.tree, node)
        for at in range(spot + 1, len(block)):
            if _appends_to(block[at], name):
                block[at] = gast.copy_location(nested.grown(
                    plain.value, plain.slice, block[at].value.args[0]), block[at])
                return [], None
            if not self.leaves_alone(block[at], syntax.read_names(plain)):
                return None
        return None

    def leaves_alone(self, node: gast.stmt, names: set[str]) -> bool:
        """Whether a statement neither binds names nor changes what they hold: it computes."""
        return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and node.targets[0].id not in names and not any(
                isinstance(n, (gast.Attribute, *COMPREHENSIONS)) and not isinstance(
                    n.value if isinstance(n, gast.Attribute) else None, gast.Name)
                for n in gast.walk(node.value)) and all(
                syntax.root_name(n.func) not in self.bound and registry.lookup(
                    self.typer.object_of(n.func)) is not None
                for n in gast.walk(node.value) if isinstance(n, gast.Call))

    def key_of(self, first: list[gast.stmt], plain: Any) -> gast.expr:
        """The key of an item, which is computed once."""
        return plain.slice if syntax.is_atom(plain.slice) else self.named(first, "key", plain.slice)


def _is_of_lists(kind: kinds.Kind, key: Any) -> bool:
    """Whether a dict holds lists, and nothing else, by keys that are computed."""
    if isinstance(kind, kinds.DictKind):
        return key is kinds.NO_VALUE and bool(kind.items) and all(
            isinstance(item, kinds.ListKind) for item in kind.items)
    return isinstance(kind, kinds.MapKind) and isinstance(kind.item, kinds.ListKind)


def _appends_to(node: gast.stmt, name: str) -> bool:
    """Whether a statement is `name.append(v)`."""
    call: Any = getattr(node, "value", None)
    return isinstance(node, gast.Expr) and isinstance(call, gast.Call) \
        and isinstance(call.func, gast.Attribute) and call.func.attr == "append" \
        and getattr(call.func.value, "id", None) == name and len(call.args) == 1 \
        and not call.keywords


def _made_if_missing(plain: Any, key: gast.expr, missing: Any) -> gast.If:
    """`if key not in d: d[key] = ...`"""
    made = made_by(missing)
    if made is not None:
        made = syntax.copy(made)
    else:
        made = gast.Constant(MADE[missing], None) if missing in MADE else gast.List([], gast.Load())
    is_missing = gast.Compare(syntax.copy(key), [gast.NotIn()], [syntax.copy(plain.value)])
    return gast.If(is_missing, [gast.Assign([_spot(plain, key)], made, None)], [])


def _spot(plain: Any, key: gast.expr) -> gast.Subscript:
    return syntax.subscript(syntax.copy(plain.value), syntax.copy(key), gast.Store())


def _if_there(plain: Any, key: gast.expr, part: str, missing: Any) -> gast.If:
    is_there = gast.Compare(syntax.copy(key), [gast.In()], [syntax.copy(plain.value)])
    return gast.If(is_there, [assign(part, there(plain.value, key))],
                   [assign(part, gast.Constant(MADE[missing], None))])
