"""Compute first what a tangent reads as well: in forward mode it stands in front of its value.

>>> import numpy as np
>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(x, dx):
...     dc = -dx * np.sin(x)
...     c = np.cos(x)
...     ds = dx * np.cos(x)
...     s = np.sin(x)
...     return dc * s + c * ds
... ''').body[0]
>>> earlier(tree.body, Typer({}, {"np": np}.get), {"x": FLOAT, "c": FLOAT, "s": FLOAT},
...         lambda name: False)
>>> print(emit(tree), end="")
def f(x, dx):
    s = np.sin(x)
    dc = -dx * s
    c = np.cos(x)
    ds = dx * c
    return dc * s + c * ds

A statement moves to the front where nothing in between binds what it reads, or mentions what it
binds. Arrays that are written to stay out.
"""
from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.same_values import (
    Key,
    KnownValues,
    Reader,
    operands_of,
    value_key,
)
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.markers import marker_of
from tangent_lite.syntax import COMPOUND

_READING = (gast.Assign, gast.AugAssign, gast.Return)


def earlier(body: list[gast.stmt], typer: Typer, known: MutableMapping[str, kinds.Kind],
            written: Callable[[str], bool]) -> None:
    """Let tangents read values; known: the kinds of names; written: whether an array may be
    written to."""
    typer.names = known

    def stays(name: str) -> bool:
        return isinstance(known.get(name), (kinds.Number, kinds.Array, kinds.Numeric)) \
            and not written(name)

    def key_of(node: Any) -> Key | None:
        function = typer.object_of(node.func) if isinstance(node, gast.Call) else NO_OBJECT
        return value_key(node, function)

    def made_by(node: Any) -> Key | None:
        """What a statement computes, if it binds a name to what a tangent may ask for."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return None
        key = key_of(node.value)
        return key if key is not None and all(
            map(stays, {node.targets[0].id, *operands_of(key) & known.keys()})) else None

    for block in syntax.blocks_in(body):
        made = [(node, key) for node in block if (key := made_by(node)) is not None]
        if made:
            _Block(block, made, key_of).run()


class _Block:
    """One block; made: the statements in it that bind a value, each with what that is."""

    def __init__(self, block: list[gast.stmt], made: list[tuple[Any, Key]],
                 key_of: Callable[[Any], Key | None]) -> None:
        self.block, self.key_of = block, key_of
        self.made = {id(node): key for node, key in made}
        self.ranks: dict[Key, int] = {}         # of what is computed: its place among the others
        for key in self.made.values():
            self.ranks.setdefault(key, len(self.ranks))
        self.known = KnownValues()              # what was bound in front

    def run(self) -> None:
        number = 0
        while number < len(self.block):
            node = self.block[number]
            key = self.made.get(id(node))
            if key is None and not isinstance(node, COMPOUND):
                number += self.read_known(node, number)
            bound = bound_in([node])
            self.known.forget(bound)
            if key is not None and not operands_of(key) & bound:
                self.known.add(key, node.targets[0].id)
            number += 1

    def read_known(self, node: Any, number: int) -> int:
        """Read known values in a statement; how many statements were moved in front of it."""
        moved = 0
        known = self.known.names
        for key in self.asked_in(node):
            if key in known:
                continue
            place = self.behind(key, number + moved)
            if place is not None:
                made: Any = self.block.pop(place)
                self.block.insert(number + moved, made)
                self.known.add(key, made.targets[0].id)
                moved += 1
        if isinstance(node, _READING) and node.value is not None:
            node.value = Reader(lambda part: known.get(self.key_of(part))).read(node.value)
        return moved

    def asked_in(self, node: Any) -> list[Key]:
        """What a statement computes that another one gives a name, in the order of those."""
        if not isinstance(node, _READING) or node.value is None:
            return []
        asked = {self.key_of(part) for part in syntax.all_of(node.value, gast.Call, gast.BinOp)
                 if part is not node.value}
        return sorted((key for key in asked if key is not None and key in self.ranks),
                      key=self.ranks.__getitem__)

    def behind(self, key: Key, number: int) -> int | None:
        """Where the statement stands that computes a value, if it may be moved to a place."""
        for place in range(number, len(self.block)):
            node = self.block[place]
            if self.made.get(id(node)) == key:
                name = node.targets[0].id
                return None if any(name in syntax.all_names(one)
                                   for one in self.block[number:place]) else place
            if isinstance(node, COMPOUND) or marker_of(node) is not None \
                    or bound_in([node]) & operands_of(key):
                return None
        return None
