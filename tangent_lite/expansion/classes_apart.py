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
from tangent_lite.structures.unrolling import differ, int_of

MOST_STATEMENTS = 200           # that stand in several places, one for each class
MOST_IN_ALL = 2_000             # in branches of branches


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
        found = self.reading(spot, len(kind.options), bool(kind.path))
        if found is None or _asks_only_class(found[0], found[1]):
            return False
        name, rest = found
        item = self.context.names.fresh("item")
        asked: gast.expr = syntax.load(item)
        for step in kind.path:
            asked = syntax.attribute(asked, step) if isinstance(step, str) \
                else syntax.subscript(asked, syntax.constant(step))
        ways: list[tuple[gast.expr, gast.expr]] = []
        for cls in kinds.classes_of(kind):
            taken = syntax.copy(spot.node.value)
            taken.of_class = cls
            ways.append((gast.Compare(
                gast.Call(self.inject(type, "type"), [syntax.copy(asked)], []), [gast.Is()],
                [self.inject(cls, cls.__name__)]), taken))
        self.branch(spot, name, rest, ways)
        spot.node.targets[0] = gast.copy_location(syntax.store(item), spot.node.targets[0])
        return True

    def places_apart(self, marked: list[tuple[gast.stmt, Any, int]]) -> bool:
        """Write out what is done with one item of objects that are told apart, which a computed
        number says: a branch for each; whether there was one."""
        for node, value, number in marked:
            spot = self.spots.get(number)
            if spot is None or not isinstance(value, gast.Subscript) \
                    or isinstance(value.slice, (gast.Constant, gast.Slice)):
                continue
            self.typer.names = self.facts.before.get(id(node), {})
            owner = self.typer.kind(value.value)
            if not isinstance(owner, kinds.TupleKind) or not owner.items or not differ(owner) \
                    or self.typer.kind(value.slice) != kinds.INT:
                continue
            known = int_of(value.slice, self.typer)
            if type(known) is int:
                spot.value.slice = gast.copy_location(gast.Constant(known, None), spot.value.slice)
                return True
            found = self.reading(spot, len(owner.items), True)
            if found is not None:
                self.place_apart(spot, *found, len(owner.items))
                return True
        return False

    def place_apart(self, spot: Any, name: str, rest: list[gast.stmt], count: int) -> None:
        """The same: which place it is, counted from the front, and a branch for each."""
        place = self.context.names.fresh("place")
        read = spot.node.value
        ways: list[tuple[gast.expr, gast.expr]] = []
        for number in range(count):
            taken = syntax.subscript(syntax.copy(read.value), syntax.constant(number))
            ways.append((gast.Compare(syntax.load(place), [gast.Eq()], [syntax.constant(number)]),
                         taken))
        self.branch(spot, name, rest, ways)
        # It raises IndexError where the list does.
        places = syntax.call(self.inject(range, "range"), syntax.constant(count))
        made = self.normal([syntax.assign(place, syntax.subscript(places, read.slice))], spot.node)
        at = next(k for k, one in enumerate(spot.block) if one is spot.node)
        spot.block[at:at + 1] = made

    def reading(self, spot: Any, ways: int, with_parts: bool) -> tuple[str, list[gast.stmt]] | None:
        """The name that a statement binds, and the statements behind that read it or, with_parts,
        what is read of it; None if they are too many to stand there once for each way."""
        node, block = spot.node, spot.block
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if not isinstance(target, gast.Name) or node.value is not spot.value:
            return None
        at = next(place for place, one in enumerate(block) if one is node) + 1
        rest = block[at:_last_use(target.id, block, at, with_parts)]
        count = ways * sum(1 for _ in syntax.statements(rest))
        in_all = count + sum(1 for _ in syntax.statements(self.tree.body))
        return None if count > MOST_STATEMENTS or in_all > MOST_IN_ALL else (target.id, rest)

    def branch(self, spot: Any, name: str, rest: list[gast.stmt],
               ways: list[tuple[gast.expr, gast.expr]]) -> None:
        """In the place of the statements that read a name, behind the one that binds it, a branch
        for each way: the test, and what the name is bound to there."""
        chain: list[gast.stmt] = []
        for test, taken in reversed(ways):
            branch = [syntax.assign(name, taken), *syntax.copy(rest)]
            for part in (part for one in branch for part in syntax.walk(one)):
                if hasattr(part, "mark"):
                    del part.mark
            chain = [gast.If(test, branch, chain)] if chain else branch
        for one in chain:
            syntax.place_within(one, spot.node)
        at = next(place for place, one in enumerate(spot.block) if one is spot.node) + 1
        spot.block[at:at + len(rest)] = chain


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
        if not isinstance(node, gast.Assign):
            continue
        if isinstance(node.value, held) and syntax.root_name(node.value) in names:
            names |= set(syntax.bound_names(node.targets[0]))
        elif isinstance(node.targets[0], gast.Name) and not names & syntax.read_names(node.value):
            names.discard(node.targets[0].id)               # which means something else behind
    return stop
