"""The item of a list of which the class is asked has one name, by which it is asked and taken.

    for k in range(len(layers)):                    for k in range(len(layers)):
        if type(layers[k]) is Dense:                    layer = layers[k]
            layer = layers[k]               =>          if type(layer) is Dense:
            x = x @ layer.W                                 x = x @ layer.W
        else:                                           else:
            x = layers[k].scale * x                         x = layer.scale * x

So a loop over the items of a list can be written as such (`iterations`).
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.polish.array_parts import Unit


def name_items(derivative: Any) -> None:
    """Let each item of which the class is asked have a name; the trees are changed in place."""
    for unit in derivative.units:
        if "of_class" not in unit.sought.marks or Unit(unit).means("type", type) is not type:
            continue
        found = list(_questions(unit.tree))
        counts = Counter(n.id for n in syntax.names_in(unit.tree))
        # Names that mean nothing but such items, each where it is asked of.
        own = Counter(name for one in found for name in one.own_names())
        ours = {name for name, count in own.items() if count == counts[name]}
        fresh = next(name for name in map("item{}".format, ("", *range(len(counts) + 1)))
                     if name not in counts or name in ours)
        for one in found:
            one.write(ours, fresh)


class _Question(NamedTuple):
    """An `if` that asks for the class of an item.

    block: where it stands; binding: the statement in front that gives the item a name, by which it
    is asked, if there is one.
    """
    block: list[gast.stmt]
    node: gast.If
    item: gast.Subscript
    binding: gast.Assign | None

    def taken(self) -> list[str]:
        """The names that the item is given inside."""
        return [one.targets[0].id for one in syntax.statements([self.node]) if self.takes(one)]

    def takes(self, node: Any) -> bool:
        return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and syntax.same(node.value, self.item)

    def own_names(self) -> Iterator[str]:
        """The names of the item, once for each time that they stand here; none that means something
        else as well."""
        taken = Counter(self.taken())
        stored = Counter(n.id for n in syntax.names_in(self.node)
                         if not isinstance(n.ctx, gast.Load))
        asked = {self.binding.targets[0].id} if self.binding is not None else set()
        known = {name for name, count in taken.items() if stored[name] == count} | {
            name for name in asked if not stored[name]}
        yield from (n.id for n in syntax.names_in(self.node) if n.id in known)
        yield from asked

    def write(self, ours: set[str], fresh: str) -> None:
        """Bind one name to the item in front of all, and read that everywhere."""
        taken = self.taken()
        asked = [self.binding.targets[0].id] if self.binding is not None else []
        if not {*taken, *asked} <= ours:
            return
        name = next(iter(taken), fresh)
        renamer = syntax.Rename(dict.fromkeys([*taken, *asked], name))
        replaced = _Replaced(self.item, name)
        for block in syntax.blocks_in([self.node]):
            if block:
                block[:] = [one for one in block if not self.takes(one)] \
                    or [gast.copy_location(gast.Pass(), self.node)]
        replaced.visit(renamer.visit(self.node))
        if self.binding is not None:
            self.binding.targets[0].id = name
            return
        first = syntax.copy_place(syntax.assign(name, syntax.copy(self.item)), self.node)
        self.block.insert(_spot(self.node, self.block), first)


class _Replaced(syntax.Transformer):
    """A name in the place of an item."""

    def __init__(self, item: gast.Subscript, name: str) -> None:
        self.item, self.name = item, name

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if isinstance(node.ctx, gast.Load) and syntax.same(node, self.item):
            return gast.copy_location(syntax.load(self.name), node)
        self.generic_visit(node)
        return node


def _questions(tree: gast.FunctionDef) -> Iterator[_Question]:
    """What asks for the class of items that stay what they are while it is acted upon; not what
    asks once more inside."""
    inside: set[int] = set()
    for block in syntax.all_blocks(tree):
        for node in block:
            found = _question(block, node) if id(node) not in inside else None
            if found is not None:
                inside |= {id(one) for one in syntax.statements([node])}
                yield found


def _question(block: list[gast.stmt], node: gast.stmt) -> _Question | None:
    item: Any = _asked(node)
    binding: Any = None
    between: list[gast.stmt] = []
    if isinstance(item, gast.Name):
        spot = _spot(node, block)
        start = next((k for k in range(spot - 1, -1, -1) if item.id in bound_in([block[k]])), None)
        if start is None:
            return None
        binding, between = block[start], block[start + 1:spot]
        item = binding.value if isinstance(binding, gast.Assign) \
            and isinstance(binding.targets[0], gast.Name) else None
    if not isinstance(item, gast.Subscript) or not isinstance(item.value, gast.Name) \
            or not isinstance(item.slice, (gast.Name, gast.Constant)):
        return None
    names = syntax.all_names(item)
    behind = [*between, node]
    if names & bound_in(behind) or any(
            syntax.root_name(target) in names for one in syntax.statements(behind)
            for target in _targets(one)):
        return None
    return _Question(block, node, item, binding)


def _asked(node: Any) -> gast.expr | None:
    """What is asked of in `if type(xs[k]) is Dense`."""
    test = node.test if isinstance(node, gast.If) else None
    call = test.left if isinstance(test, gast.Compare) \
        and isinstance(test.ops[0], (gast.Is, gast.IsNot)) else None
    return call.args[0] if isinstance(call, gast.Call) and len(call.args) == 1 \
        and getattr(call.func, "id", "") == "type" else None


def _spot(node: gast.stmt, block: list[gast.stmt]) -> int:
    return next(number for number, one in enumerate(block) if one is node)


def _targets(node: Any) -> list[Any]:
    """What is written to by a statement, or may be by a method of it: `xs.append(v)`."""
    if isinstance(node, gast.Expr):
        return [getattr(getattr(node.value, "func", None), "value", node.value)]
    found: list[Any] = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return [target for target in found if target is not None]
