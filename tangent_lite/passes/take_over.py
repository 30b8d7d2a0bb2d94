"""An adjoint to which all of another one is added, which nobody needs any more, begins as that one.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(u, bu, k, n):
...     bu = 2.0 * u
...     for i in range(n):
...         bnew = bu
...         bnew[0] = 0.0
...         bt = bnew[1:] * k
...         bu = np.zeros_like(u)
...         bu[1:] += bt
...         bu += bnew
...     return bu
... ''').body[0]
>>> for node in syntax.statements(tree.body):
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float", "n")
>>> memory = SameMemory(tree.body, ["u", "k", "n"], Typer({}, {"np": np}.get),
...                     {**dict.fromkeys(["u", "bu", "bnew", "bt"], vector), "k": FLOAT})
>>> take_over(tree.body, memory)
>>> print(emit(tree.body[1]), end="")
for i in range(n):
    bnew = bu
    bnew[0] = 0.0
    bt = bnew[1:] * k
    bu = bnew
    bu[1:] += bt

No zeros are made, and nothing is added to them. In between the one is only added to, and the other
one, which has been written into and so is an array of its own, is not mentioned; nothing else may
hold it. So is an array that nobody holds yet:

    bq = np.zeros_like(q)               bq = 0.85 * bt
    bq -= bt @ t                =>      bq -= bt @ t
    bq += 0.85 * bt
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.additions import only_adds
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import bound_name
from tangent_lite.kinds import Array
from tangent_lite.runtime.shapes import flat_view
from tangent_lite.syntax import COMPOUND


def take_over(body: list[gast.stmt], memory: SameMemory) -> None:
    """Do so in a body, in place; memory: which names may hold the same, and kinds."""
    if any(_is_whole_sum(node, memory) for node in syntax.every_statement(body)):
        taker = _Taker(body, memory)
        taker.block(body)
        if taker.changed:
            memory.forget()


def _is_whole_sum(node: Any, memory: SameMemory) -> bool:
    """Whether a statement of ours is `b += e`, of an array."""
    return isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add) \
        and not hasattr(node, "lineno") and isinstance(node.target, gast.Name) \
        and memory.is_array(node.target.id)


class _Taker:
    def __init__(self, body: list[gast.stmt], memory: SameMemory) -> None:
        self.memory = memory
        self.named = Counter([n.id for node in body for n in syntax.names_in(node)])
        # What is viewed in a row has to lie in one, as zeros do.
        self.rows = {syntax.root_name(node.args[0]) for part in body
                     for node in syntax.all_of(part, gast.Call)
                     if node.args and memory.object_of(node.func) is flat_view}
        self.changed = False

    def block(self, block: list[gast.stmt]) -> None:
        for node in block:
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
        if not any(_is_whole_sum(node, self.memory) for node in block):
            return
        zeros: dict[str, int] = {}              # where an adjoint was bound to zeros
        spots: dict[str, list[int]] = {}        # where a name is mentioned, a spot for each mention
        taken: set[int] = set()
        for spot, node in enumerate(block):
            if _is_whole_sum(node, self.memory) and node.target.id in zeros \
                    and self.may_take(block, zeros[node.target.id], spot, spots):
                block[zeros.pop(node.target.id)].value = node.value
                taken.add(spot)
                self.named[node.target.id] -= 1
            for name in syntax.names_in(node):
                spots.setdefault(name.id, []).append(spot)
                if not isinstance(name.ctx, gast.Load) and not isinstance(node, gast.AugAssign):
                    zeros.pop(name.id, None)
            if self.makes_zeros(node):
                zeros[bound_name(node) or ""] = spot
        if taken:
            self.changed = True
            block[:] = [node for spot, node in enumerate(block) if spot not in taken]

    def makes_zeros(self, node: Any) -> bool:
        return bound_name(node) is not None and not hasattr(node, "lineno") \
            and bound_name(node) not in self.rows and isinstance(node.value, gast.Call) \
            and self.memory.object_of(node.value.func) is np.zeros_like

    def may_take(self, block: list[gast.stmt], start: int, last: int,
                 spots: dict[str, list[int]]) -> bool:
        """Whether an adjoint that is made of zeros in one place, and to which all of something is
        added in a later one, may be that from the start."""
        node: Any = block[last]
        adjoint, other = node.target.id, node.value
        one, two = self.memory.known.get(adjoint), self.memory.kind(other)
        if not (isinstance(one, Array) and isinstance(two, Array) and one.dtype == two.dtype
                == "float" and kinds.same_shape(one, two)):
            return False
        between = block[start + 1:last]
        if not isinstance(other, gast.Name):
            return self.memory.is_fresh(other) and all(
                isinstance(one, gast.AugAssign) and syntax.root_name(one.target) == adjoint
                and only_adds(one, adjoint, self.memory) for one in [*between, node]) and all(
                self.memory.apart(name, adjoint) for name in syntax.read_names(other))
        places = spots.get(other.id, [])
        return len(places) + 1 == self.named[other.id] and places[-1:] < [start] \
            and self.is_its_own(block, places) \
            and self.memory.is_held_by(adjoint, other.id) \
            and all(only_adds(one, adjoint, self.memory) for one in between)

    def is_its_own(self, block: list[gast.stmt], places: list[int]) -> bool:
        """Whether a name is bound first of all in a block, and then written into: only what is an
        array of its own is."""
        names = [n.id for n in syntax.names_in(block[places[0]])] if places else []
        name = bound_name(block[places[0]]) if names else None
        return name is not None and names.count(name) == 1 and any(
            isinstance(block[spot], (gast.Assign, gast.AugAssign))
            and name in self.memory.changed(block[spot]) for spot in places)
