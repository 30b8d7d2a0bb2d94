"""Where names are bound and read, and what those are bound to that one statement binds."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import is_one_of
from tangent_lite.syntax import COMPOUND

EXP, LOG = (np.exp, math.exp), (np.log, math.log)
SUMS = (np.sum, np.ndarray.sum)
LARGEST = (np.max, np.amax, np.ndarray.max)


class Place(NamedTuple):
    """Where a statement stands: of these the first in its block comes first."""
    number: int
    block: int
    node: Any


class Reduced(NamedTuple):
    """What is reduced along which axis, or axes, as it is written (None: all), and whether the
    result has them still, of length 1."""
    given: gast.expr
    axis: int | tuple[int, ...] | None
    keeps: bool


class BoundOnce:
    """The statements of a function by the names that they bind and read."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred) -> None:
        self.facts = facts
        self.bound: dict[str, list[Place]] = {}
        self.read: dict[str, list[Place]] = {}
        self.around: dict[int, Place] = {}          # the statement that a block stands in
        self.places: list[Place] = []
        for block in syntax.all_blocks(tree):
            for number, node in enumerate(block):
                place = Place(number, id(block), node)
                self.places.append(place)
                if isinstance(node, COMPOUND):
                    self.around.update({id(inner): place for inner in (node.body, node.orelse)})
                else:
                    for name in definitions(node):
                        self.bound.setdefault(name, []).append(place)
                for name in facts.mentions[node].reads:
                    self.read.setdefault(name, []).append(place)

    def place(self, name: str) -> Place | None:
        """Where the only statement stands that binds a name."""
        places = self.bound.get(name, ())
        return places[0] if len(places) == 1 else None

    def binding(self, name: str) -> gast.expr | None:
        """What the only statement that binds a name binds it to."""
        place = self.place(name)
        return place.node.value if place is not None and isinstance(place.node, gast.Assign) \
            and isinstance(place.node.targets[0], gast.Name) else None

    def follows(self, later: Place, first: Place) -> bool:
        """Whether a statement stands behind another one, in its block or inside of what does."""
        while later.block != first.block:
            if later.block not in self.around:
                return False
            later = self.around[later.block]
        return later.number > first.number

    def function(self, value: gast.Call) -> tuple[Any, gast.expr | None]:
        """What is called, and of what it is a method."""
        return self.facts.callees.get(id(value), (NO_OBJECT, None))

    def given(self, value: gast.Call) -> list[gast.expr]:
        """The arguments of a call, that of which it is a method first."""
        receiver = self.function(value)[1]
        return [*([receiver] if receiver is not None else []), *value.args]

    def calls(self, value: Any, group: tuple[Any, ...]) -> bool:
        """Whether a value is a call of one of these functions, with one argument and no more."""
        return isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords \
            and is_one_of(self.function(value)[0], group)

    def reduced(self, value: Any, group: tuple[Any, ...]) -> Reduced | None:
        """Of a call of one of these functions, which sum or find the largest along literal axes."""
        if not isinstance(value, gast.Call) or not is_one_of(self.function(value)[0], group):
            return None
        given = self.given(value)
        options = {k.arg: k.value for k in value.keywords}
        if len(given) == 2:
            options["axis"] = given[1]
        if not 1 <= len(given) <= 2 or options.keys() - {"axis", "keepdims"}:
            return None
        try:
            axis = self.literal(options.get("axis", syntax.constant(None)))
            keeps = self.literal(options.get("keepdims", syntax.constant(False)))
        except ValueError:
            return None
        axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
        return Reduced(given[0], axis, keeps) if type(keeps) is bool \
            and all(type(one) is int for one in axes) else None

    def literal(self, node: gast.expr) -> Any:
        """What is written out there, or was in the call, for a parameter that stays what it is."""
        if isinstance(node, gast.Name):
            kind = None if node.id in self.bound else self.facts.names.get(node.id)
            node = syntax.constant(kinds.NO_VALUE if kind is None else kinds.value_of(kind))
        return gast.literal_eval(node)

    def simple_bindings(self) -> Iterator[tuple[str, Place, gast.expr]]:
        """Names that are bound, where, and to what, in the order of the blocks."""
        for place in self.places:
            if isinstance(place.node, gast.Assign) \
                    and isinstance(place.node.targets[0], gast.Name):
                yield place.node.targets[0].id, place, place.node.value
