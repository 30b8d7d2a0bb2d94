"""Objects of several classes in one list: what is done with one of them stands once for each class.

    layer = layers[k]               =>      item = layers[k]
    x = layer.forward(x)                    if type(item) is Dense:
                                                layer = layers[k]
                                                x = layer.forward(x)
                                            else:
                                                layer = layers[k]
                                                x = layer.forward(x)

In each branch the class is known, so that the call can be written out, and what the object holds
has its place in the gradient. Where it is a part of the item that is of one of several classes,
that is asked: `type(item[1]) is Dense`.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.expansion.generators import Generators

MOST_STATEMENTS = 200           # that stand in several places, one for each class


class ClassesApart(Generators):
    """What takes the place of statements about what is one of several objects."""

    def classes_apart(self, marked: list[tuple[gast.stmt, Any, int]]) -> bool:
        """Write out what is done with one name that an item of such a list is given; whether there
        was one."""
        for node, value, number in marked:
            spot = self.spots.get(number)
            if spot is None or not isinstance(value, gast.Subscript) or hasattr(value, "of_class"):
                continue
            self.typer.names = self.facts.before.get(id(node), {})
            kind = self.typer.kind(value)
            if isinstance(kind, kinds.OneOf) and self.is_apart(spot, kind):
                return True
        return False

    def is_apart(self, spot: Any, kind: kinds.OneOf) -> bool:
        """Write a branch for each class in the place of the statements that read a name; whether
        there are any."""
        node, block = spot.node, spot.block
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if not isinstance(target, gast.Name) or node.value is not spot.value:
            return False
        at = next(place for place, one in enumerate(block) if one is node) + 1
        stop = _last_use(target.id, block, at, bool(kind.path))
        rest = block[at:stop]
        count = len(kind.options) * sum(1 for _ in syntax.statements(rest))
        if _asks_only_class(target.id, rest) or count > MOST_STATEMENTS:
            return False
        item = self.context.names.fresh("item")
        chain: list[gast.stmt] = []
        asked: gast.expr = syntax.load(item)
        for step in kind.path:
            asked = syntax.attribute(asked, step) if isinstance(step, str) \
                else syntax.subscript(asked, syntax.constant(step))
        for cls in reversed(kinds.classes_of(kind)):
            taken = syntax.copy(node.value)
            taken.of_class = cls
            branch = [syntax.assign(target.id, taken), *syntax.copy(rest)]
            for part in (part for one in branch for part in gast.walk(one)):
                if hasattr(part, "mark"):
                    del part.mark
            test = gast.Compare(
                gast.Call(self.inject(type, "type"), [syntax.copy(asked)], []), [gast.Is()],
                [self.inject(cls, cls.__name__)])
            chain = [gast.If(test, branch, chain)] if chain else branch
        for one in chain:
            syntax.place_within(one, node)
        node.targets[0] = gast.copy_location(syntax.store(item), target)
        block[at:stop] = chain
        return True


def _asks_only_class(name: str, block: list[gast.stmt]) -> bool:
    """Whether statements read of a name no more than `type(name)`, or that of a part."""
    asked = {id(part) for node in block for call in syntax.all_of(node, gast.Call)
             if getattr(call.func, "id", None) == "type" and len(call.args) == 1
             for part in syntax.walk(call.args[0])}
    return all(id(n) in asked for node in block for n in syntax.names_in(node) if n.id == name)


def _last_use(name: str, block: list[gast.stmt], start: int, with_parts: bool) -> int:
    """Behind the last statement of a block that reads what a name, or another name of the same,
    means in front of it; with_parts: or a name of a part of it."""
    names, stop = {name}, start
    held = (gast.Name, gast.Subscript, gast.Attribute) if with_parts else gast.Name
    for place, node in enumerate(block[start:], start + 1):
        if names & {n.id for n in syntax.names_in(node)}:
            stop = place
        if isinstance(node, gast.Assign) and isinstance(node.value, held) \
                and syntax.root_name(node.value) in names:
            names |= set(syntax.bound_names(node.targets[0]))
    return stop
